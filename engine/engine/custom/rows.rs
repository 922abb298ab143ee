//! Rows of heads as facts for the policy: what they may say, and how many of them.

use super::heads::{EVIDENCE, HEADS, HIDE, ITEM, LINK, NAMES, NODES, NUMBER, PIN, PRIOR, RULE, TESTED_BY, TEXT};
use activate_rules::atoms::{Energy, Factor, NodeId, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::sections::Section;
use context::activation::{Custom, CustomItem, RuleNumber};
use query::{Answer, Words};
use redact::Masker;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most rows of each head that take part in an answer, in the order of [`HEADS`].
const MAX_ROWS: [usize; HEADS.len()] = [1_000, 10_000, 10_000, 20, 100_000, 2_000, 100_000];

/// What a link may be, and how sure.
const KINDS: [LinkKind; 6] =
    [LinkKind::Calls, LinkKind::Imports, LinkKind::References, LinkKind::Implements, LinkKind::Extends, LinkKind::ServedBy];
const CONFIDENCES: [Confidence; 3] = [Confidence::Exact, Confidence::Qualified, Confidence::Unique];

/// The most characters of what an item says.
const MAX_TEXT: usize = 300;

/// The least and the most of a prior, in thousandths: what is less would not be seen, what is more would drown the rest.
const LEAST_PRIOR: i32 = 10;
const MOST_PRIOR: i32 = 5_000;

/// The most points of an item: an exact target has as many.
const MOST_POINTS: i32 = 100;

/// A text that is as long as it may be, with a mark where it was longer.
fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_TEXT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// What a row says.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    nodes: [NodeId; 2],
    number: i32,
    names: [Rc<str>; 2],
    text: Rc<str>,
}

/// What the rules of one file give.
pub(super) struct Rows<'m> {
    masker: &'m Masker,
    /// The head of each rule, and where the rule stands.
    rules: Vec<(usize, String)>,
    n_nodes: u32,
    /// Rows of each head; of the same row the first rule counts.
    given: [BTreeMap<Said, RuleNumber>; HEADS.len()],
    problems: Vec<String>,
}

impl<'m> Rows<'m> {
    pub(super) fn new(masker: &'m Masker, rules: Vec<(usize, String)>, n_nodes: u32) -> Self {
        Self { masker, rules, n_nodes, given: Default::default(), problems: Vec::new() }
    }

    /// Takes rows. Those about names that nothing has say nothing.
    pub(super) fn take(&mut self, answer: &Answer, words: &Words) {
        for row in answer.rows() {
            let nodes = NODES.map(|column| NodeId(row[column]));
            let rule = row[RULE];
            let Some((head, _)) = self.rules.get(rule as usize) else { continue };
            if nodes.iter().all(|node| node.0 < self.n_nodes) {
                let names = NAMES.map(|column| words.text(row[column]));
                let said = Said { nodes, number: row[NUMBER].cast_signed(), names, text: words.text(row[TEXT]) };
                let first = self.given[*head].entry(said).or_insert(rule);
                *first = (*first).min(rule);
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
            let mut rows: Vec<(Said, RuleNumber)> = rows.into_iter().collect();
            // What matters most takes part where not all can.
            if [EVIDENCE, ITEM].contains(&head) {
                rows.sort_by_key(|(said, _)| Reverse(said.number));
            }
            for (said, rule) in rows.into_iter().take(MAX_ROWS[head]) {
                self.add(custom, head, &said, rule, offset + rule);
            }
        }
        custom.rules.extend(std::mem::take(&mut self.rules).into_iter().map(|(_, place)| place));
        self.problems.sort();
        self.problems.dedup();
        self.problems
    }

    fn add(&mut self, custom: &mut Custom, head: usize, said: &Said, own: RuleNumber, rule: RuleNumber) {
        let [first, second] = said.nodes;
        match head {
            EVIDENCE => {
                custom.evidence.push((first, Thousandths::new(said.number.clamp(0, 1_000).cast_unsigned()), rule));
            }
            LINK => {
                let kind = KINDS.into_iter().find(|kind| kind.name() == &*said.names[0]);
                let confidence = CONFIDENCES.into_iter().find(|sure| sure.name() == &*said.names[1]);
                match (kind, confidence) {
                    (Some(kind), Some(confidence)) => custom.links.push((first, second, kind, confidence, rule)),
                    (None, _) => self.unknown(own, "kind of link", &said.names[0], KINDS.iter().map(|kind| kind.name())),
                    (_, None) => self.unknown(own, "confidence", &said.names[1], CONFIDENCES.iter().map(|sure| sure.name())),
                }
            }
            TESTED_BY => custom.tested_by.push((first, second, rule)),
            PIN => custom.pins.push((first, rule)),
            HIDE => custom.hidden.push((first, rule)),
            ITEM => match Section::from_name(&said.names[0]) {
                Some(section) => custom.items.push(CustomItem {
                    section,
                    // Masked before it is cut: no half of a secret is left.
                    text: cut(self.masker.line(&said.text).as_str()),
                    about: first,
                    score: Energy::points(said.number.clamp(0, MOST_POINTS)),
                    rule,
                }),
                None => self.unknown(own, "section", &said.names[0], Section::ALL.iter().map(|section| section.name())),
            },
            PRIOR => {
                let factor = said.number.clamp(LEAST_PRIOR, MOST_PRIOR).cast_unsigned();
                custom.priors.push((first, Factor::new(factor), rule));
            }
            _ => {}
        }
    }

    /// Notes a word that is none of a closed list.
    fn unknown<'n>(&mut self, rule: RuleNumber, of_what: &str, word: &str, all: impl Iterator<Item = &'n str>) {
        let place = self.rules.get(rule as usize).and_then(|(_, place)| place.rsplit(':').next()).unwrap_or_default();
        let all: Vec<String> = all.map(|name| format!("/{name}")).collect();
        self.problems.push(format!("line {place}: there is no {of_what} /{word}: {}", all.join(", ")));
    }
}
