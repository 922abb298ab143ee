//! Every number of the policy, with its unit, what it does and why it has this value.
//!
//! Rules read them through the context, so a file can replace any of them. This module must not know a rule. "Seed" marks the numbers
//! that the design started from; "first value" marks those that still wait for the evaluation to set them.

use crate::atoms::{Energy, Hops, Severity, Thousandths, Turns};
use crate::items::ItemKind;
use crate::links::Confidence;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// A struct of numbers: each with its default beside its documentation, any of them replaceable from a file, no unknown name accepted.
macro_rules! weights {
    ($(#[$meta:meta])* pub struct $Name:ident { $($(#[$doc:meta])* $field:ident: $Type:ty = $default:expr,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $Name { $($(#[$doc])* pub $field: $Type,)+ }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }
    };
}

mod change;
mod evidence;
mod fleet;
pub(crate) mod learnt;
pub(crate) mod learnt_likely;
pub(crate) mod learnt_next;
pub(crate) mod learnt_passages;
mod mixture;
mod own;
mod passages;
mod reading;

pub use change::ChangeWeights;
pub use evidence::{CueWeights, FieldWeight, RoleWeights, TextWeights};
pub use fleet::FleetWeights;
pub use mixture::{Mixture, Shares, Verb, VerbWeights};
pub use own::{OwnPart, OwnWeights};
pub use passages::{PackingWeights, PassageFallWeights, PassageRoleWeights, PassageTextWeights, PassageWeights};
pub use reading::{
    BlockWeights, ClearWeights, DataWeights, HistoryWeights, NameWeights, QueryWeights, ReadingWeights, WordWeights,
};

weights! {
    /// The numbers of the policy. Points are given in thousandths (100 points are `100000`), fractions too (0.7 is `700`).
    pub struct Weights {
        /// How strongly what a task says speaks for nodes, before the cue is weighed.
        reading: ReadingWeights = ReadingWeights::default(),
        /// How much each cue can say for a node.
        cues: CueWeights = CueWeights::default(),
        /// How words of text count before they are a cue.
        text: TextWeights = TextWeights::default(),
        /// What is left of words in files that are seldom meant.
        roles: RoleWeights = RoleWeights::default(),
        /// What each verb makes of links, roles and sections.
        verbs: VerbWeights = VerbWeights::default(),
        /// The greatest evidence, in points: short of an exact target by the smallest step, so that words never equal a name.
        evidence_cap: Energy = Energy(99_999),

        /// The energy a seed needs, in points. First value: half a warm score, so that a lone weak word seeds nothing.
        seed_threshold: Energy = Energy::points(10),
        /// The energy of an exact target, in points, before its share among several definitions. Seed.
        exact: Energy = Energy::points(100),
        /// The energy of the place of an error, in points. Seed: errors are always hot.
        error: Energy = Energy::points(100),
        /// The energy of the place of a warning, in points. Seed: warnings are half an error.
        warning: Energy = Energy::points(50),
        /// The energy of the place of a remark, in points: below the seed threshold, since remarks block nothing.
        note: Energy = Energy::ZERO,
        /// The energy of a failing test, in points: as bad as an error.
        failing_test: Energy = Energy::points(100),
        /// The energy of a place that a stack trace passes through, in points: the cause is on the way.
        frame: Energy = Energy::points(100),
        /// The energy of a definition that a frame of built code is most likely of, in points: less than a place that is sure, more than
        /// words. First value: what one call leaves of a frame.
        guessed_frame: Energy = Energy::points(70),
        /// The energy of a file that the session itself changed. First value: it spreads for three turns and is then no seed of its own.
        touched: Fading = Fading::new(50, 10),
        /// The fraction of the best seed under which evidence from words does not spread. First value: a tenth.
        weak_share: Thousandths = Thousandths::new(100),

        /// The energy a node must exceed to pass any on, in points. Seed.
        gate: Energy = Energy::points(20),
        /// What each link (kind by kind) passes on.
        links: LinkWeights = LinkWeights::default(),
        /// How much a link's confidence leaves of its energy.
        confidence: ConfidenceWeights = ConfidenceWeights::default(),
        /// What every hop after the first costs, in points. Seed.
        hop_penalty: Energy = Energy::points(10),
        /// The most links between a seed and what it reaches. 100 points along calls end there by themselves: 100, 70, 39, 17.
        depth: Hops = Hops(3),
        /// The least energy that is kept in flight, in points. First value: far below warm, and enough to say how far a node got.
        least: Energy = Energy::points(1),

        /// What an error in a file adds to its score, in points. Seed.
        error_boost: Energy = Energy::points(50),
        /// What a modification adds to a file's score, and what it loses a turn. Seed.
        modified_boost: Fading = Fading::new(30, 5),

        /// The fraction of a subject's boosted score that its tests get. Seed.
        test: Thousandths = Thousandths::new(800),

        /// 1: source files stand in the learnt order and have likelihoods, see [`learnt`](crate::learnt); 0: they stand in that of evidence and links. What 1 gains:
        /// `weights/learnt.md`. Passages are worth more or less by what was learnt with 1: `weights/learnt_passages.md`.
        #[schemars(range(max = 1))]
        #[serde(deserialize_with = "switch")]
        learnt: u32 = 1,
        /// What a repository's own history adds to the learnt order.
        own: OwnWeights = OwnWeights::default(),
        /// The probability that one of the first five source files is right from which an answer is sure, where nothing but words speaks for files.
        /// On 972 changes of repositories left out that name nothing, .92 of those that reach it have one (2026-11-26).
        likely_enough: Thousandths = Thousandths::new(760),
        /// The words of the task, by rarity, that one of these files must have too, as a part of all of them: of a task about something else none has.
        likely_coverage: Thousandths = Thousandths::new(400),
        /// The words of the task that one of these files must have: of `fix bug` none says which file. With both, 554 of the 972 are sure, .93 of
        /// them rightly.
        likely_words: u32 = 3,
        /// The learnt score from which a file is said to be still to change, in ten-thousandths of a unit of the fit. On 422 changes of repositories
        /// left out, 1.5 files a change reached it, and .49 of them were in the rest of the change (2026-11-26).
        still_to_change: u32 = 20_000,
        /// What links say of a node in the order of nodes, as a fraction of what its own evidence says.
        support: Thousandths = Thousandths::new(200),

        /// What the file of a symbol says for it in the order of nodes, before anything speaks for the symbol itself, as a fraction of what is
        /// said for the file.
        in_file: Thousandths = Thousandths::new(300),

        /// The fraction of a symbol's score that its file has at least. First value: a little less than the symbol that is meant.
        file: Thousandths = Thousandths::new(800),
        /// The least score of a symbol in a hot file, in points. Seed: a floor, never added.
        floor: Energy = Energy::points(20),
        /// The score above which a node is hot, in points. Seed.
        hot: Energy = Energy::points(30),
        /// The score from which a node or an item is warm, in points; below, it is counted and not injected. Seed.
        warm: Energy = Energy::points(15),

        /// What each cue adds to the score of a passage.
        passages: PassageWeights = PassageWeights::default(),
        /// How words of a passage count.
        passage_text: PassageTextWeights = PassageTextWeights::default(),
        /// How fast what speaks for passages falls.
        passage_fall: PassageFallWeights = PassageFallWeights::default(),
        /// What is left of passages in files that are seldom meant.
        passage_roles: PassageRoleWeights = PassageRoleWeights::default(),
        /// What showing something is worth.
        packing: PackingWeights = PackingWeights::default(),

        /// How the definitions of a change share what exact targets have.
        change: ChangeWeights = ChangeWeights::default(),

        /// What each kind of session item scores.
        items: ItemWeights = ItemWeights::default(),
    }
}

weights! {
    /// What a link passes on, as a fraction of the energy of its source, before confidence and damping.
    pub struct LinkWeights {
        /// Seed (dependency 0.6): to change a file one reads what it imports.
        imports: Thousandths = Thousandths::new(600),
        /// Seed (dependency 0.6): a changed file may break those that import it.
        imported_by: Thousandths = Thousandths::new(600),
        /// Seed (call 0.7): a callee explains what its caller does.
        calls: Thousandths = Thousandths::new(700),
        /// Seed (call 0.7): a caller must keep working when its callee changes.
        called_by: Thousandths = Thousandths::new(700),
        /// First value: a name that is only mentioned binds less than one that is called.
        references: Thousandths = Thousandths::new(500),
        /// First value: as in the other direction.
        referenced_by: Thousandths = Thousandths::new(500),
        /// First value: an interface says what its implementation owes.
        implements: Thousandths = Thousandths::new(600),
        /// First value: a changed interface changes every implementation.
        implemented_by: Thousandths = Thousandths::new(600),
        /// First value: a base type holds half of what its extension does.
        extends: Thousandths = Thousandths::new(600),
        /// First value: a changed base type reaches its extensions.
        extended_by: Thousandths = Thousandths::new(600),
        /// First value: a file that is meant speaks for its symbols, but for none in particular.
        contains: Thousandths = Thousandths::new(500),
        /// First value, no spread: a symbol lifts its file by the rule of the final score, without lighting up its neighbours.
        contained_by: Thousandths = Thousandths::new(0),
        /// First value: history suggests a bond that no text shows, and is often wrong about it. Leaving it out costs .028 of the mean reciprocal
        /// rank of 58 issue texts, and nothing on commit subjects and questions (2026-11-23).
        changed_with: Thousandths = Thousandths::new(600),
        /// First value: as much as an import; who asks for a path wants to know what answers, though only the path says so, and never surely.
        served_by: Thousandths = Thousandths::new(600),
        /// First value: as in the other direction; who asks for a path must go on working with what answers.
        serves: Thousandths = Thousandths::new(600),
    }
}

weights! {
    /// How much a link's confidence leaves of its energy.
    pub struct ConfidenceWeights {
        /// A proof takes nothing away.
        exact: Thousandths = Thousandths::ONE,
        /// First value: a known package or type is wrong only where names are shadowed.
        qualified: Thousandths = Thousandths::new(950),
        /// First value: a lone definition may still not be the one that was meant.
        unique: Thousandths = Thousandths::new(800),
        /// First value, divided among the candidates: a guess by name.
        ambiguous: Thousandths = Thousandths::new(500),
    }
}

weights! {
    /// What each kind of session item scores. Numbers without "seed" are first values; all are warm at least while new.
    pub struct ItemWeights {
        /// Seed: errors are always hot.
        error: Fading = Fading::lasting(100),
        /// Seed: half an error.
        warning: Fading = Fading::lasting(50),
        /// A remark enters last.
        note: Fading = Fading::lasting(15),
        /// As bad as an error.
        failing_test: Fading = Fading::lasting(100),
        /// Stands beside the failing tests.
        test_state: Fading = Fading::lasting(100),
        /// Seed: as much as a warning.
        finding: Fading = Fading::lasting(50),
        /// Must be respected whatever else is known.
        safety_warning: Fading = Fading::lasting(100),
        /// Must be respected whatever else is known.
        blocked_action: Fading = Fading::lasting(100),
        /// Changes how the code at hand may be edited.
        code_note: Fading = Fading::lasting(40),
        /// One line that every task needs.
        branch: Fading = Fading::lasting(50),
        /// As recent as the boost of a modified file.
        working_change: Fading = Fading::lasting(30),
        /// Says why code exists; hot enough to enter, below what was found about it.
        commit: Fading = Fading::lasting(40),
        /// Background of the session.
        history: Fading = Fading::lasting(30),
        /// The goal that the task serves.
        campaign: Fading = Fading::lasting(50),
        /// Seed: useful in its own turn and the next.
        shard_result: Fading = Fading::new(25, 10),
        /// Shown while it is recent.
        action: Fading = Fading::new(30, 5),
        /// Seed.
        knowledge: Fading = Fading::lasting(40),
        /// As a fact of the domain.
        hint: Fading = Fading::lasting(40),
        /// As a fact of the domain.
        exemplar: Fading = Fading::lasting(40),
        /// As a fact of the domain.
        anti_pattern: Fading = Fading::lasting(40),
        /// Saves writing what exists.
        tool: Fading = Fading::lasting(30),
    }
}

/// Points that become fewer with every turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fading {
    /// The energy in the turn it belongs to, in thousandths of a point.
    pub start: Energy,
    /// What it loses with every turn since, in thousandths of a point; without one it lasts.
    #[serde(default)]
    pub per_turn: Energy,
}

impl Fading {
    /// So many points at first, and so many less every turn.
    const fn new(start: i32, per_turn: i32) -> Self {
        Self { start: Energy::points(start), per_turn: Energy::points(per_turn) }
    }

    /// So many points in every turn.
    const fn lasting(points: i32) -> Self {
        Self::new(points, 0)
    }

    /// What is left after `turns`; never below zero.
    pub fn after(self, turns: Turns) -> Energy {
        let lost = i64::from(self.per_turn.0) * i64::from(turns.0);
        Energy((i64::from(self.start.0) - lost).max(0) as i32)
    }
}

/// 0 or 1.
fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        value @ 0..=1 => Ok(value),
        value => Err(de::Error::custom(format!("{value} is neither 0 nor 1"))),
    }
}

impl Weights {
    /// The energy of the place of a diagnostic.
    pub const fn diagnostic(&self, severity: Severity) -> Energy {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Note => self.note,
        }
    }
}

impl ConfidenceWeights {
    /// The weight of a level, before candidates share it.
    pub const fn of(&self, confidence: Confidence) -> Thousandths {
        match confidence {
            Confidence::Exact => self.exact,
            Confidence::Qualified => self.qualified,
            Confidence::Unique => self.unique,
            Confidence::AmongTwo | Confidence::AmongThree | Confidence::AmongFour => self.ambiguous,
        }
    }
}

impl ItemWeights {
    /// What an item of this kind scores after so many turns.
    pub fn of(&self, kind: ItemKind, turns: Turns) -> Energy {
        let fading = match kind {
            ItemKind::Error => self.error,
            ItemKind::Warning => self.warning,
            ItemKind::Note => self.note,
            ItemKind::FailingTest => self.failing_test,
            ItemKind::TestState => self.test_state,
            ItemKind::Finding => self.finding,
            ItemKind::SafetyWarning => self.safety_warning,
            ItemKind::BlockedAction => self.blocked_action,
            ItemKind::CodeNote => self.code_note,
            ItemKind::Branch => self.branch,
            ItemKind::WorkingChange => self.working_change,
            ItemKind::Commit => self.commit,
            ItemKind::History => self.history,
            ItemKind::Campaign => self.campaign,
            ItemKind::ShardResult => self.shard_result,
            ItemKind::Action => self.action,
            ItemKind::Knowledge => self.knowledge,
            ItemKind::Hint => self.hint,
            ItemKind::Exemplar => self.exemplar,
            ItemKind::AntiPattern => self.anti_pattern,
            ItemKind::Tool => self.tool,
        };
        fading.after(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Weights, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_replaces_only_what_it_names() {
        let weights = load(r#"{"gate": 25000, "links": {"calls": 750}, "touched": {"start": 40000}}"#).unwrap();
        let expected = Weights {
            gate: Energy::points(25),
            links: LinkWeights { calls: Thousandths::new(750), ..LinkWeights::default() },
            touched: Fading::lasting(40),
            ..Weights::default()
        };
        assert_eq!(weights, expected);
        assert_eq!(load(&serde_json::to_string(&expected).unwrap()).unwrap(), expected);
    }

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        assert!(load(r#"{"gates": 1}"#).unwrap_err().contains("unknown field `gates`"));
        assert!(load(r#"{"links": {"calls": 1001}}"#).unwrap_err().contains("1001 is not from 0 to 1000"));
        assert!(load(r#"{"hot": -1}"#).unwrap_err().contains("-1 is not from 0"));
    }

    #[test]
    fn the_schema_states_ranges_and_descriptions() {
        let schema = serde_json::to_value(schemars::schema_for!(Weights)).unwrap();
        assert_eq!(schema["$defs"]["Thousandths"]["maximum"], 1000);
        assert_eq!(schema["properties"]["gate"]["default"], 20000);
        assert!(schema["properties"]["gate"]["description"].as_str().unwrap().contains("in points"));
    }

    #[test]
    fn fading_ends_at_zero() {
        assert_eq!([0, 1, 6, 7, u32::MAX].map(|turns| Fading::new(30, 5).after(Turns(turns)).0), [30_000, 25_000, 0, 0, 0]);
    }
}
