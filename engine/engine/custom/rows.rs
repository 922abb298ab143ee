//! Rows of heads as facts for the policy: what they may say, and how many of them.

use super::heads::{EVIDENCE, HEADS, HIDE, ITEM, LINK, PIN, PRIOR, TESTED_BY};
use activate_rules::atoms::{Energy, Factor, NodeId, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::sections::Section;
use context::activation::{Custom, CustomItem, RuleNumber};
use query::{Answer, Facts as _, Type, Value, Words};
use relations::Given;
use std::collections::BTreeMap;

/// The most rows of each head that take part in an answer, in the order of [`HEADS`].
const MAX_ROWS: [usize; HEADS.len()] = [1_000, 10_000, 10_000, 20, 100_000, 50, 100_000];

/// The most characters of what an item says.
const MAX_TEXT: usize = 300;

/// The least and the most of a prior, in thousandths: what is less would not be seen, what is more would drown the rest.
const LEAST_PRIOR: i32 = 10;
const MOST_PRIOR: i32 = 5_000;

/// The most points of an item: an exact target has as many.
const MOST_POINTS: i32 = 100;

/// A row but for the number of its rule: nodes and numbers as they are, words as texts.
type Key = (Vec<u32>, Vec<String>);

/// What the rules of one file give.
pub(super) struct Rows {
    /// Where each rule stands.
    rules: Vec<String>,
    n_nodes: u32,
    /// Rows of each head; of the same row the first rule counts.
    given: [BTreeMap<Key, RuleNumber>; HEADS.len()],
    problems: Vec<String>,
}

impl Rows {
    pub(super) fn new(rules: Vec<String>, n_nodes: u32) -> Self {
        Self { rules, n_nodes, given: Default::default(), problems: Vec::new() }
    }

    /// Takes the rows of a head. Those of files that are gone, and of names that nothing has, say nothing.
    pub(super) fn take(&mut self, head: usize, answer: &Answer, given: &Given<'_>, words: &Words) {
        let text = |value: Value, of: Type| match of {
            Type::Node => given.node_text(value).into_owned(),
            Type::Text | Type::Name => words.text(value).to_string(),
            Type::Number => value.cast_signed().to_string(),
        };
        for row in answer.rows() {
            let Some((rule, values)) = row.split_last() else { continue };
            let (mut numbers, mut texts) = (Vec::new(), Vec::new());
            let mut is_known = true;
            for ((value, (_, of)), column) in values.iter().zip(&answer.columns).zip(HEADS[head].columns) {
                match column {
                    super::heads::Of::Node => {
                        is_known &= *value < self.n_nodes;
                        numbers.push(*value);
                    }
                    super::heads::Of::Number => numbers.push(*value),
                    super::heads::Of::Name | super::heads::Of::Text => texts.push(text(*value, *of)),
                }
            }
            if is_known {
                let first = self.given[head].entry((numbers, texts)).or_insert(*rule);
                *first = (*first).min(*rule);
            }
        }
    }

    /// Adds the rows to those of other files; says what of them cannot be used.
    pub(super) fn add_to(mut self, custom: &mut Custom) -> Vec<String> {
        let offset = custom.rules.len() as RuleNumber;
        let rows = std::mem::take(&mut self.given);
        for (head, rows) in rows.into_iter().enumerate() {
            if rows.len() > MAX_ROWS[head] {
                let name = HEADS[head].name;
                self.problems.push(format!("{} rows of `{name}`: the first {} take part", rows.len(), MAX_ROWS[head]));
            }
            for ((numbers, texts), rule) in rows.into_iter().take(MAX_ROWS[head]) {
                self.add(custom, head, (&numbers, &texts), rule, offset + rule);
            }
        }
        custom.rules.append(&mut self.rules);
        self.problems.sort();
        self.problems.dedup();
        self.problems
    }

    fn add(
        &mut self,
        custom: &mut Custom,
        head: usize,
        (numbers, texts): (&[u32], &[String]),
        own: RuleNumber,
        rule: RuleNumber,
    ) {
        let node = |at: usize| NodeId(numbers[at]);
        let number = |at: usize| numbers[at].cast_signed();
        match head {
            EVIDENCE => {
                custom.evidence.push((node(0), Thousandths::new(number(1).clamp(0, 1_000).cast_unsigned()), rule));
            }
            LINK => match (LinkKind::from_name(&texts[0]), Confidence::from_name(&texts[1])) {
                (Some(kind), Some(confidence)) => custom.links.push((node(0), node(1), kind, confidence, rule)),
                (None, _) => self.unknown(own, "kind of link", &texts[0], LinkKind::ALL.iter().map(|kind| kind.name())),
                (_, None) => self.unknown(own, "confidence", &texts[1], Confidence::ALL.iter().map(|sure| sure.name())),
            },
            TESTED_BY => custom.tested_by.push((node(0), node(1), rule)),
            PIN => custom.pins.push((node(0), rule)),
            HIDE => custom.hidden.push((node(0), rule)),
            ITEM => match Section::from_name(&texts[0]) {
                Some(section) => custom.items.push(CustomItem {
                    section,
                    text: texts[1].chars().take(MAX_TEXT).collect(),
                    about: node(0),
                    score: Energy::points(number(1).clamp(0, MOST_POINTS)),
                    rule,
                }),
                None => self.unknown(own, "section", &texts[0], Section::ALL.iter().map(|section| section.name())),
            },
            PRIOR => {
                let factor = number(1).clamp(LEAST_PRIOR, MOST_PRIOR).cast_unsigned();
                custom.priors.push((node(0), Factor::new(factor), rule));
            }
            _ => {}
        }
    }

    /// Notes a word that is none of a closed list.
    fn unknown<'n>(&mut self, rule: RuleNumber, of_what: &str, word: &str, all: impl Iterator<Item = &'n str>) {
        let place = self.rules.get(rule as usize).and_then(|rule| rule.rsplit(':').next()).unwrap_or_default();
        let all: Vec<String> = all.map(|name| format!("/{name}")).collect();
        self.problems.push(format!("line {place}: there is no {of_what} /{word}: {}", all.join(", ")));
    }
}
