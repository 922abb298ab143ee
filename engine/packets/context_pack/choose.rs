//! Which items of a session context a pack has: pins and what is hot first, recent turns protected, within items and tokens.

use super::item::{Outlines, packed, shortened};
use super::{ContextPackBudgets, PackItem};
use context::packet::candidates::{Layer, PIN, PackCandidate, reference, tell_apart};
use context::pieces::About;
use context::{Energy, Item, Section, SessionContext};
use error::{Error, ErrorKind, Result};
use redact::{Masker, Safe};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use tokens::Tokenizer;

/// What to do about items that strangers wrote: files that git does not track, generated code, words of commits, logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustPolicy {
    /// They come after all others of their importance; where there are no others they enter, which the receipt says.
    #[default]
    Prefer,
    /// They do not enter.
    Require,
    /// They count as all others.
    Any,
}

/// The words for what strangers wrote.
const UNTRUSTED: &str = "untrusted";
/// Limits that stop what would say nothing new.
const USELESS: [&str; 2] = [LITTLE, REPEATED];
const LITTLE: &str = "says-little";
const REPEATED: &str = "said-by-another";
/// What the session did last: protected, so that a pack joins on to what was just said.
const TAIL: [&str; 2] = ["action", "shard_result"];
/// The most items of the tail.
const MAX_TAIL: usize = 2;
/// The oldest of these go first.
const SUMMARY: &str = "history";
/// What names a file; the first of these that there is of a file stands for all of them.
const NAMES: [&str; 5] = ["impacted_file", "code", "likely_file", "outline", "dependency"];
/// One kind may have one in so many of all items while others want in: code and what the session says, and all else.
const MAIN_PART: usize = 2;
const OTHER_PART: usize = 4;
/// Characters that are left of a protected text where there is no room for all of it, most first.
const FEWER: [usize; 4] = [160, 80, 40, 16];

/// What was chosen.
pub(super) struct Chosen {
    pub(super) items: Vec<PackItem>,
    /// The line that stands above the items, where there is room for it.
    pub(super) doubt: Option<Safe>,
    pub(super) candidates: Vec<PackCandidate>,
    /// Where a preference could not be met, as sentences.
    pub(super) fail_open: Vec<String>,
}

/// What an item is worth beside others of its importance, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What the session says: what fails, what must not be done, what it is about.
    Session,
    /// A symbol.
    Code,
    /// A file.
    File,
    /// How to test it.
    Test,
    /// What is known beside the code.
    Beside,
    /// What says too little for an item.
    Little,
}

impl Rank {
    /// What is chosen before what: a command says what the name of its file would.
    fn turn(self) -> u8 {
        match self {
            Self::Session => 0,
            Self::Code => 1,
            Self::Test => 2,
            Self::File => 3,
            Self::Beside => 4,
            Self::Little => 5,
        }
    }
}

/// An item on its way.
struct Bid {
    item: PackItem,
    /// Its place among what was considered.
    at: usize,
    is_tail: bool,
    rank: Rank,
    score: Reverse<Option<Energy>>,
    path: Option<Safe>,
}

impl Bid {
    fn is_protected(&self) -> bool {
        self.is_tail || self.item.r#type == PIN
    }

    fn is_summary(&self) -> bool {
        self.item.r#type == SUMMARY
    }
}

pub(super) fn choose(
    masker: &Masker,
    context: &SessionContext,
    doubt: Option<Safe>,
    budgets: ContextPackBudgets,
    policy: TrustPolicy,
    tokenizer: Tokenizer,
) -> Result<Chosen> {
    let (mut candidates, mut bids) = bids(masker, context);
    let mut stop = |bid: &Bid, limit: &'static str| candidates[bid.at].limit = Some(limit);
    let mut symbols: FxHashSet<Safe> = FxHashSet::default();
    let mut is_repeated = |reference: &Safe| reference.as_str().contains('#') && !symbols.insert(reference.clone());
    bids.retain(|bid| {
        let limit = match bid.rank {
            _ if policy == TrustPolicy::Require && bid.item.trust == UNTRUSTED => Some("trust"),
            Rank::Little => Some(LITTLE),
            // A long definition is several passages, of which each says the same of it.
            Rank::Code if is_repeated(&bid.item.record_ref) => Some(REPEATED),
            _ => None,
        };
        if let Some(limit) = limit {
            stop(bid, limit);
        }
        limit.is_none()
    });
    let is_last = |bid: &Bid| policy == TrustPolicy::Prefer && bid.item.trust == UNTRUSTED;
    bids.sort_by_key(|bid| {
        // Of summaries the newest first.
        let place = if bid.is_summary() { usize::MAX - bid.at } else { bid.at };
        let name = NAMES.iter().position(|kind| *kind == bid.item.r#type);
        (!bid.is_protected(), bid.item.importance, is_last(bid), bid.is_summary(), bid.rank.turn(), bid.score, name, place)
    });
    let max_items = budgets.max_items as usize;
    let n_protected = bids.iter().filter(|bid| bid.is_protected()).count();
    if n_protected > max_items {
        let message = format!("{} are {n_protected} items, more than the {max_items} of `--max-items`", protected(&bids));
        return Err(Error::new(ErrorKind::BudgetTooSmall, message));
    }
    let mut taken: Vec<Bid> = Vec::new();
    for is_shared in [true, false] {
        for bid in std::mem::take(&mut bids) {
            if bid.rank == Rank::File && taken.iter().any(|other| says(other, &bid)) {
                stop(&bid, REPEATED);
            } else if taken.len() >= max_items || is_shared && is_over_part(&taken, &bid, max_items) {
                bids.push(bid);
            } else {
                taken.push(bid);
            }
        }
    }
    for bid in &bids {
        stop(bid, "max-items");
    }
    // Summaries go first, the oldest before others, then what was taken last.
    taken.sort_by_key(|bid| (!bid.is_protected(), bid.is_summary()));
    let is_over = |taken: &[Bid]| tokenizer.count(&bundle(doubt.as_ref(), &ordered(taken))).0 > budgets.budget_tokens;
    while is_over(&taken) && taken.len() > n_protected {
        if let Some(last) = taken.pop() {
            stop(&last, "budget-tokens");
        }
    }
    // What must be in it comes before what is said of all of it.
    let doubt = if is_over(&taken) { None } else { doubt };
    shorten(masker, &mut taken, budgets, tokenizer)?;
    name(&mut taken, &mut candidates);
    let items = ordered(&taken);
    let untrusted = items.iter().filter(|item| policy == TrustPolicy::Prefer && item.trust == UNTRUSTED);
    let event = |item: &PackItem| format!("{} is untrusted and was included: {}", item.record_ref, why_open(item, &candidates));
    let fail_open = untrusted.map(event).collect();
    Ok(Chosen { items, doubt, candidates, fail_open })
}

/// Why something untrusted has a place that nothing else has.
fn why_open(item: &PackItem, candidates: &[PackCandidate]) -> &'static str {
    let is_wanted = |one: &&PackCandidate| one.limit.is_some_and(|limit| !USELESS.contains(&limit)) && one.trust != UNTRUSTED;
    match candidates.iter().filter(is_wanted).map(|one| one.importance).min() {
        None => "all else that says something is in the pack too",
        Some(best) if best > item.importance => "what was left out for it is trusted, but less important",
        Some(_) => "what is as important and was left out is of kinds that have their part, or too long",
    }
}

/// What is protected, in words.
fn protected(bids: &[Bid]) -> &'static str {
    let has = |is_tail: bool| bids.iter().any(|bid| bid.is_protected() && bid.is_tail == is_tail);
    match (has(false), has(true)) {
        (true, false) => "the pins",
        (false, _) => "the last steps of the session",
        (true, true) => "the pins and the last steps of the session",
    }
}

/// The items as bullets, below a line of their own.
pub(super) fn bundle(line: Option<&Safe>, items: &[PackItem]) -> String {
    let line = line.map_or_else(String::new, |line| line.as_str().to_owned() + "\n");
    items.iter().fold(line, |text, item| text + "- [" + item.record_ref.as_str() + "] " + item.text.as_str() + "\n")
}

/// The items in the order of the pack: what must be remembered first, the last steps of the session last.
fn ordered(taken: &[Bid]) -> Vec<PackItem> {
    let mut bids: Vec<&Bid> = taken.iter().collect();
    bids.sort_by_key(|bid| (bid.is_tail, bid.item.importance, bid.rank, bid.score, bid.at));
    bids.into_iter().map(|bid| bid.item.clone()).collect()
}

/// Whether an item that was taken says what the name of a file would: it is in the file, or says how to test it, or names it.
fn says(taken: &Bid, file: &Bid) -> bool {
    taken.path == file.path && (matches!(taken.rank, Rank::Code | Rank::Test | Rank::File) || taken.item.r#type == PIN)
}

/// Whether there are as many of a kind as it may have while others want in.
fn is_over_part(taken: &[Bid], bid: &Bid, max_items: usize) -> bool {
    let is_alike = |other: &&Bid| other.rank == bid.rank && (bid.rank == Rank::File || other.item.r#type == bid.item.r#type);
    let part = if bid.rank <= Rank::Code { MAIN_PART } else { OTHER_PART };
    !bid.is_protected() && taken.iter().filter(is_alike).count() >= (max_items / part).max(1)
}

/// Cuts the texts of what is protected until all of it fits.
fn shorten(masker: &Masker, taken: &mut [Bid], budgets: ContextPackBudgets, tokenizer: Tokenizer) -> Result<()> {
    let n_tokens = |taken: &[Bid]| tokenizer.count(&bundle(None, &ordered(taken)));
    for most in FEWER {
        if n_tokens(taken).0 <= budgets.budget_tokens {
            return Ok(());
        }
        for bid in taken.iter_mut() {
            bid.item.text = shortened(masker, &bid.item.text, most);
        }
    }
    let n_tokens = n_tokens(taken);
    if n_tokens.0 <= budgets.budget_tokens {
        return Ok(());
    }
    let message = format!("{} need {n_tokens} tokens, more than the budget of {}", protected(taken), budgets.budget_tokens);
    Err(Error::new(ErrorKind::BudgetTooSmall, message))
}

/// Makes the names of all that was considered unique; what is in the pack has the plain ones.
fn name(taken: &mut [Bid], candidates: &mut [PackCandidate]) {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|at| candidates[*at].limit.is_some());
    let mut references: Vec<Safe> = order.iter().map(|at| candidates[*at].reference.clone()).collect();
    tell_apart(references.iter_mut());
    for (at, reference) in order.into_iter().zip(references) {
        candidates[at].reference = reference;
    }
    for bid in taken {
        bid.item.record_ref = candidates[bid.at].reference.clone();
        bid.item.citations.record_ref = bid.item.record_ref.clone();
    }
}

/// All that was considered, pins first, and a bid for what of it the context shows.
fn bids(masker: &Masker, context: &SessionContext) -> (Vec<PackCandidate>, Vec<Bid>) {
    let mut candidates = Vec::new();
    for item in context.sections.iter().flat_map(|section| &section.items).filter(|item| item.about.kind == PIN) {
        let about = &item.about;
        candidates.push(PackCandidate::pin(reference(PIN, None, about.path.as_ref(), about.lines, ""), layer(about)));
    }
    let mut next_pin = 0..candidates.len();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut outlines = Outlines::default();
    for candidate in &context.candidates {
        places.insert(&candidate.key, candidates.len());
        outlines.add(&candidate.about);
        let parts = parts(&candidate.about).iter();
        candidates.extend(parts.map(|part| PackCandidate { layer: layer(part), ..PackCandidate::part(candidate, part) }));
    }
    let mut bids = Vec::new();
    for section in &context.sections {
        let is_of_tail = |item: &&Item| TAIL.contains(&item.about.kind);
        // The newest of a list of turns stand last.
        let mut n_left = section.items.iter().filter(is_of_tail).count();
        for item in &section.items {
            let is_tail = is_of_tail(&item) && n_left <= MAX_TAIL;
            n_left -= usize::from(is_of_tail(&item));
            let at = if item.about.kind == PIN { next_pin.next() } else { places.get(item.key.as_str()).copied() };
            for (at, about) in at.into_iter().flat_map(|at| at..).zip(parts(&item.about)) {
                let Some(one) = candidates.get(at) else { continue };
                let rank = rank(section.section, about);
                let score = Reverse(about.score.filter(|_| matches!(rank, Rank::Code | Rank::File)));
                bids.push(Bid {
                    item: packed(masker, one, item, about, &outlines),
                    at,
                    is_tail,
                    rank,
                    score,
                    path: about.path.clone(),
                });
            }
        }
    }
    // Of a passage that was cut to the room that was left, the last symbols are not shown.
    let shown: FxHashSet<usize> = bids.iter().map(|bid| bid.at).collect();
    for (at, one) in candidates.iter_mut().enumerate() {
        if one.limit.is_none() && !shown.contains(&at) {
            one.limit = Some("section-budget");
        }
    }
    (candidates, bids)
}

/// What is known of each symbol that an entry shows, or of the entry as a whole.
fn parts(about: &About) -> &[About] {
    if about.parts.is_empty() { std::slice::from_ref(about) } else { &about.parts }
}

/// A line with code of it, or one that names it.
fn layer(about: &About) -> Layer {
    if about.lines.is_some() { Layer::L1 } else { Layer::L0 }
}

fn rank(section: Section, about: &About) -> Rank {
    match (about.kind, section) {
        ("code", _) if about.lines.is_some() => Rank::Code,
        ("test_command" | "test", _) => Rank::Test,
        (kind, _) if NAMES.contains(&kind) && about.path.is_some() => Rank::File,
        ("dependency", _) if about.id.is_some() => Rank::Little,
        ("branch", _) => Rank::Little,
        // How many files changed, none of them of this task.
        ("working_change", _) if about.summary.is_none() => Rank::Little,
        (kind, Section::Neighbourhood | Section::Past | Section::Toolbox) if kind != PIN => Rank::Beside,
        // Each is named, so that nobody forgets a new one.
        (
            _,
            Section::Blockers
            | Section::Supervisor
            | Section::Neighbourhood
            | Section::Past
            | Section::Campaign
            | Section::Peers
            | Section::Expert
            | Section::Toolbox,
        ) => Rank::Session,
    }
}
