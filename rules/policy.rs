//! The policy: nine strata of rules from what is known about a task to what an agent sees. The first seven stand here, the last two in
//! `policy/rank.rs` and `policy/passages.rs`: they are programs of their own, since they begin where the others have ended.
//!
//! Must not hold a number (all come through the context) or a maximum: every rule only ever adds, each tuple says "at least this much", and
//! the greatest counts (`facts.rs` picks it). Guards by `c.best` leave out what a greater tuple makes useless, and could all be removed
//! without changing a result. Links are looked up, not loaded: `for` walks the rows of the graph. A name bound by `for` may only be used
//! in expressions and in the head of its rule; crepe would take it for a new one in an atom. A name bound by `let` may be used in later atoms.

// The module is private: `pub` on a relation means that `facts.rs` may fill or read it.
#![allow(unreachable_pub, missing_docs)]
// About the code that the macro writes; what the context holds is compared by its address.
#![allow(clippy::pedantic, clippy::mutable_key_type)]

pub(crate) mod passages;
pub(crate) mod rank;

use crate::atoms::{Cause, Change, Cue, Energy, Factor, Hops, ItemId, Millionths, NodeId, Severity, Thousandths, Turns};
use crate::context::{ByAddress, RunContext};
use crate::items::ItemKind;
use crate::sections::Section;
use crate::weights::Weights;

crepe::crepe! {
    // ======================================================== Given =========================================================
    // Ctx(policy, weights): the repository that rules look things up in, and every number they use.
    @input pub struct Ctx<'a>(pub ByAddress<'a, RunContext<'a>>, pub ByAddress<'a, Weights>);
    // CueHit(node, before, cue, strength): the intent speaks for the node through this cue, so strongly; no other is counted since `before`.
    @input pub struct CueHit(pub NodeId, pub Option<Cue>, pub Cue, pub Thousandths);
    // Exact(node, share): the intent names the node, which shares the name with others.
    @input pub struct Exact(pub NodeId, pub Thousandths);
    // Diagnostic(item, severity, place): a tool complains about the innermost node at a place.
    @input pub struct Diagnostic(pub ItemId, pub Severity, pub NodeId);
    // FailingTest(item, test): the test fails.
    @input pub struct FailingTest(pub ItemId, pub NodeId);
    // Frame(item, place): the stack trace of a failure passes through the node.
    @input pub struct Frame(pub ItemId, pub NodeId);
    // Guess(item, place): the stack trace of a failure passes through built code, which is most likely of the node.
    @input pub struct Guess(pub ItemId, pub NodeId);
    // Touched(file, turns): the session changed the file, so long ago.
    @input pub struct Touched(pub NodeId, pub Turns);
    // FileState(file, change, turns): the file differs from the last commit, since so long.
    @input pub struct FileState(pub NodeId, pub Change, pub Turns);
    // Item(item, kind, turns): the session holds an item of this kind, so old.
    @input pub struct Item(pub ItemId, pub ItemKind, pub Turns);
    // AlwaysOn(item): the caller wants the item whatever the task is.
    @input pub struct AlwaysOn(pub ItemId);
    // About(item, node): the item is about the node.
    @input pub struct About(pub ItemId, pub NodeId);
    // Prior(node, factor): a rule of the user says that what speaks for the node counts so many times.
    @input pub struct Prior(pub NodeId, pub Factor);
    // Hide(node): a rule of the user says that the node is not to be shown.
    @input pub struct Hide(pub NodeId);
    // Said(item, section, energy): a rule of the user has something to say in a section, worth so much.
    @input pub struct Said(pub ItemId, pub Section, pub Energy);

    // ===================================================== 1. Evidence ======================================================
    // Residual(node, cue, doubt): what is left to doubt once this cue is counted; without a cue, none was.
    struct Residual(NodeId, Option<Cue>, Millionths);
    // Evidence(node, energy): all that speaks for the node, as one number.
    @output pub struct Evidence(pub NodeId, pub Energy);

    // Before the first cue is counted, everything is in doubt.
    Residual(node, before, Millionths::ONE) <-
        CueHit(node, before, _, _),
        (before.is_none());
    // A cue removes its share of what was still in doubt, so that weak cues add up and never exceed the whole.
    Residual(node, Some(cue), doubt.times(counted.rest())) <- Ctx(_, w),
        Residual(node, before, doubt),
        CueHit(node, before, cue, strength),
        let counted = w.cues.of(cue).times(strength);
    // What is no longer in doubt is evidence; words alone stay short of an exact target.
    Evidence(node, energy.min(w.evidence_cap)) <- Ctx(_, w),
        Residual(node, last, doubt),
        !CueHit(node, last, _, _),
        !Prior(node, _),
        let energy = w.exact.times(doubt.rest());
    // A prior multiplies it.
    Evidence(node, energy.min(w.evidence_cap)) <- Ctx(_, w),
        Residual(node, last, doubt),
        !CueHit(node, last, _, _),
        Prior(node, factor),
        let energy = w.exact.times(doubt.rest()).by(factor);

    // ======================================================= 2. Seeds =======================================================
    // SeedCandidate(place, energy, cause): the task points at the place.
    struct SeedCandidate(NodeId, Energy, Cause);
    // Seed(node, energy, cause, place): activation starts at the node, because of the place.
    @output pub struct Seed(pub NodeId, pub Energy, pub Cause, pub NodeId);
    // Height(energy): some seed has this energy in whole points.
    struct Height(Energy);
    // Weak(node): its evidence is too far under the best seed to speak for its neighbours.
    @output pub struct Weak(pub NodeId);
    // Source(node, energy): a seed that passes energy on.
    @output pub struct Source(pub NodeId, pub Energy);

    // The agent was asked about this very node, or about one of several with its name.
    SeedCandidate(node, w.exact.times(share.ratio()), Cause::Exact) <- Ctx(_, w), Exact(node, share);
    // Work stops until what a tool complains about is fixed.
    SeedCandidate(place, w.diagnostic(severity), Cause::from(severity)) <- Ctx(_, w), Diagnostic(_, severity, place);
    // A failing test says what the code should do.
    SeedCandidate(test, w.failing_test, Cause::FailingTest) <- Ctx(_, w), FailingTest(_, test);
    // The cause of a failure is on the way of its stack.
    SeedCandidate(place, w.frame, Cause::Frame) <- Ctx(_, w), Frame(_, place);
    // The same of built code, as far as the name of a function leads to its source.
    SeedCandidate(place, w.guessed_frame, Cause::Frame) <- Ctx(_, w), Guess(_, place);
    // What the agent just changed is what it works on.
    SeedCandidate(file, w.touched.after(turns), Cause::Touched) <- Ctx(_, w), Touched(file, turns);
    // A place that the task points at is a seed.
    Seed(place, energy, cause, place) <- Ctx(_, w),
        SeedCandidate(place, energy, cause),
        (energy >= w.seed_threshold);
    // So is the file it stands in.
    Seed(file, energy, cause, place) <- Ctx(c, w),
        SeedCandidate(place, energy, cause),
        (energy >= w.seed_threshold),
        let Some(file) = c.holder(place);
    // Words that say enough about a node make it a seed, but not its file.
    Seed(node, energy, Cause::Evidence, node) <- Ctx(_, w),
        Evidence(node, energy),
        (energy >= w.seed_threshold);
    // Seeds are compared in whole points, of which there are few.
    Height(energy.whole()) <- Seed(_, energy, _, _);
    // A word hit far under the best seed is shown, but lights up nothing else.
    Weak(node) <- Ctx(_, w),
        Height(best),
        Seed(node, energy, Cause::Evidence, _),
        (energy < best.times(w.weak_share.ratio()));
    // Evidence passes energy on unless it is weak.
    Source(node, energy) <- Ctx(_, w),
        Seed(node, energy, Cause::Evidence, _),
        (energy > w.gate),
        !Weak(node);
    // Whatever the task points at passes energy on.
    Source(node, energy) <- Ctx(_, w),
        Seed(node, energy, cause, _),
        (cause != Cause::Evidence),
        (energy > w.gate);

    // ====================================================== 3. Spread =======================================================
    // Spread(node, energy, hops): so much energy reaches the node over so many links; a seed has it over none.
    @output pub struct Spread(pub NodeId, pub Energy, pub Hops);

    // A seed has its energy by itself.
    Spread(node, energy, Hops::NONE) <- Ctx(c, _),
        Seed(node, energy, _, _),
        (c.best.reaches(node, energy, Hops::NONE));
    // What is linked to a seed matters, as far as the link is strong: the first hop costs nothing else.
    Spread(to, gain, Hops::ONE) <- Ctx(c, w),
        Source(from, energy),
        (c.depth > Hops::NONE),
        for (to, strength) in c.links(from),
        let gain = energy.times(strength),
        (gain >= w.least && c.best.reaches(to, gain, Hops::ONE));
    // Every further hop costs a fee and must start above the gate, so that activation stays near its seeds. Who uses the same package from
    // outside has nothing else in common.
    Spread(to, gain, hops.next()) <- Ctx(c, w),
        Spread(from, energy, hops),
        (hops > Hops::NONE && hops < c.depth),
        (energy > w.gate && c.best.is_last(from, energy, hops)),
        (!c.is_outside(from)),
        for (to, strength) in c.links(from),
        let gain = energy.times(strength) - w.hop_penalty,
        (gain >= w.least && c.best.reaches(to, gain, hops.next()));

    // ====================================================== 4. Boosts =======================================================
    // ErrorIn(file): an error lies in the file.
    struct ErrorIn(NodeId);
    // Modified(file, energy): the file was modified, and so much of that still counts.
    struct Modified(NodeId, Energy);
    // Boost(file, error, modified): what the file gets on top if it is reached.
    @output pub struct Boost(pub NodeId, pub Energy, pub Energy);
    // Boosted(file, energy): the energy of a reached file with its boosts, each once.
    struct Boosted(NodeId, Energy);

    // An error anywhere in a file is an error in the file.
    ErrorIn(c.file_of(place)) <- Ctx(c, _), Diagnostic(_, Severity::Error, place);
    // A modification is forgotten turn by turn.
    Modified(file, energy) <- Ctx(_, w),
        FileState(file, Change::Modified, turns),
        let energy = w.modified_boost.after(turns),
        (energy > Energy::ZERO);
    // A file with an error must be looked at.
    Boost(file, w.error_boost, Energy::ZERO) <- Ctx(_, w), ErrorIn(file);
    // A file that is being worked on is likely to be worked on again.
    Boost(file, Energy::ZERO, energy) <- Modified(file, energy);
    // Both reasons count together.
    Boost(file, w.error_boost, energy) <- Ctx(_, w),
        ErrorIn(file),
        Modified(file, energy);
    // A boost is added to what reached the file; alone it activates nothing.
    Boosted(file, energy + error + modified) <- Ctx(c, _),
        Spread(file, energy, _),
        Boost(file, error, modified),
        (c.best.is_best(file, energy));

    // ======================================================= 5. Tests =======================================================
    // Tested(test, energy, subject): the test matters as much as what it tests lets it.
    @output pub struct Tested(pub NodeId, pub Energy, pub NodeId);

    // Whoever changes a subject needs to know its tests.
    Tested(test, energy.times(w.test.ratio()), subject) <- Ctx(c, w),
        Spread(subject, energy, _),
        (energy > w.gate && c.best.is_best(subject, energy)),
        for test in c.tests_of(subject);
    // The more so if the subject is boosted.
    Tested(test, energy.times(w.test.ratio()), subject) <- Ctx(c, w),
        Boosted(subject, energy),
        (energy > w.gate),
        for test in c.tests_of(subject);

    // =============================================== 6. Final score and tiers ===============================================
    // Score(node, energy): the node matters so much; the greatest is its score.
    @output pub struct Score(pub NodeId, pub Energy);
    // Asked(file): the task names the file or something in it.
    struct Asked(NodeId);
    // Hidden(node): is not shown, whatever it scores; a file with all that it holds.
    @output pub struct Hidden(pub NodeId);
    // Hot(node): enters the packet first.
    @output pub struct Hot(pub NodeId);
    // Warm(node): enters while there is room, unless it is hot.
    @output pub struct Warm(pub NodeId);
    // Certain(node): the task points at the node, or it scores as much as if it did; such nodes stand before all others.
    @output pub struct Certain(pub NodeId);
    // Cold(node): was reached, is counted and not shown, unless it is hot or warm.
    @output pub struct Cold(pub NodeId);

    // A node scores what reached it.
    Score(node, energy) <- Ctx(c, _),
        Spread(node, energy, _),
        (c.best.is_best(node, energy));
    // A file scores its boosts as well.
    Score(file, energy) <- Boosted(file, energy);
    // A test scores what its subject lets it.
    Score(test, energy) <- Tested(test, energy, _);
    // A file matters at least nearly as much as the symbols in it.
    Score(file, least) <- Ctx(c, w),
        Score(symbol, energy),
        let Some(file) = c.holder(symbol),
        let least = energy.times(w.file.ratio()),
        (c.best.lifts(file, least));
    // Every symbol of an active file matters a little: a floor, not a sum.
    Score(symbol, w.floor) <- Ctx(c, w),
        Hot(file),
        for symbol in c.members_of(file),
        (c.best.raises(symbol, w.floor));
    // What the task names is shown, whatever rules of the user hide.
    Asked(c.file_of(node)) <- Ctx(c, _), Exact(node, _);
    // A file is hidden unless the task names it or something in it.
    Hidden(file) <- Ctx(c, _),
        Hide(file),
        (c.file_of(file) == file),
        !Asked(file);
    // A definition is hidden unless the task names it.
    Hidden(symbol) <- Ctx(c, _),
        Hide(symbol),
        (c.file_of(symbol) != symbol),
        !Exact(symbol, _);
    // Hot is what scores above the threshold.
    Hot(node) <- Ctx(c, w),
        Score(node, energy),
        (energy > w.hot),
        let file = c.file_of(node),
        !Hidden(file),
        !Hidden(node);
    // Warm is what comes close.
    Warm(node) <- Ctx(c, w),
        Score(node, energy),
        (energy >= w.warm && energy <= w.hot),
        let file = c.file_of(node),
        !Hidden(file),
        !Hidden(node);
    // What the task points at is certain; words are not, and a repository may have thousands of warnings.
    Certain(node) <-
        Seed(node, _, cause, _),
        (cause.is_certain());
    // So is what scores like an exact target.
    Certain(node) <- Ctx(_, w),
        Score(node, energy),
        (energy >= w.exact);
    // Cold is the rest.
    Cold(node) <- Ctx(c, w),
        Score(node, energy),
        (energy < w.warm && energy <= w.hot),
        (c.best.is_best(node, energy));

    // ===================================================== 7. Placement =====================================================
    // Live(item): the item concerns this task.
    struct Live(ItemId);
    // ItemScore(item, energy): a live item matters so much.
    @output pub struct ItemScore(pub ItemId, pub Energy);
    // Placed(item, section): the item is shown in the section. Hot and warm code belongs to the neighbourhood without being told.
    @output pub struct Placed(pub ItemId, pub Section);

    // Some kinds concern every task.
    Live(item) <-
        Item(item, kind, _),
        (kind.always_on());
    // So does what the caller says does.
    Live(item) <- AlwaysOn(item);
    // Other items concern a task to which what they are about is hot.
    Live(item) <-
        Hot(node),
        About(item, node);
    // Or warm.
    Live(item) <-
        Warm(node),
        About(item, node);
    // An item scores what its kind is worth at its age.
    ItemScore(item, w.items.of(kind, turns)) <- Ctx(_, w),
        Item(item, kind, turns),
        Live(item);
    // What a rule of the user says scores what the rule says.
    ItemScore(item, energy) <-
        Said(item, _, energy),
        Live(item);
    // It goes to the section that the rule names.
    Placed(item, section) <- Ctx(_, w),
        Said(item, section, energy),
        Live(item),
        (energy >= w.warm);
    // An item that is at least warm goes to the section of its kind.
    Placed(item, kind.section()) <- Ctx(_, w),
        ItemScore(item, energy),
        (energy >= w.warm),
        Item(item, kind, _);
}
