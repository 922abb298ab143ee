//! Gathers what words say of nodes, one hit for each node and cue.

use super::CueHit;
use super::bounds::{MAX_SYMBOL_FILES, WHOLE, part};
use super::names::is_aside;
use activate_grammars::facts::SymbolKind;
use activate_rules::atoms::{Cue, Millionths, NodeId, Thousandths};
use activate_rules::weights::{ReadingWeights, Weights};
use index::base::{FactBase, FileFlags};
use index::text::{Field, TextIndex};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most words that a hit names.
const MAX_WORDS: usize = 4;

/// Kinds of files that a task asks for, which are then not weakened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileKinds {
    /// Tests.
    pub tests: bool,
    /// Documents.
    pub documents: bool,
    /// Examples.
    pub examples: bool,
}

/// Cue hits by node and cue.
pub(super) struct CueHits<'b> {
    base: &'b FactBase,
    weights: &'b Weights,
    wanted: FileKinds,
    /// The text index; without it no file is known to be data.
    index: Option<TextIndex<'b>>,
    by_cue: BTreeMap<(NodeId, Cue), (u32, Vec<String>)>,
}

impl<'b> CueHits<'b> {
    pub(super) fn new(base: &'b FactBase, weights: &'b Weights, wanted: FileKinds) -> Self {
        Self { base, weights, wanted, index: base.text().ok(), by_cue: BTreeMap::new() }
    }

    /// The numbers of reading.
    pub(super) fn reading(&self) -> &'b ReadingWeights {
        &self.weights.reading
    }

    /// Adds a hit, weakened where tasks seldom mean such a file; of several for one cue the strongest counts, with the words of all.
    pub(super) fn add(&mut self, node: NodeId, cue: Cue, strength: u32, words: &[&str]) {
        self.put(node, cue, part(strength.min(WHOLE), self.weakening(node)), words);
    }

    /// [`CueHits::add`] with owned words.
    pub(super) fn add_said(&mut self, node: NodeId, cue: Cue, strength: u32, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.add(node, cue, strength, &words);
    }

    /// Adds a hit as it is, weakened before.
    pub(super) fn put(&mut self, node: NodeId, cue: Cue, strength: u32, words: &[&str]) {
        if strength < self.reading().words.least.get() {
            return;
        }
        let (known, known_words) = self.by_cue.entry((node, cue)).or_default();
        *known = strength.max(*known);
        for word in words {
            if known_words.len() < MAX_WORDS && !known_words.iter().any(|known| known == word) {
                known_words.push((*word).to_owned());
            }
        }
    }

    /// What is left of words in the file of a node, in thousandths.
    pub(super) fn weakening(&self, node: NodeId) -> u32 {
        let flags = self.base.flags(self.base.file_of(node));
        let is_test = flags.has(FileFlags::TEST) || self.base.is_symbol(node) && is_aside(self.base, node);
        let roles = &self.weights.roles;
        let rows = [
            (is_test && !self.wanted.tests, roles.test),
            (flags.has(FileFlags::GENERATED), roles.generated),
            (self.is_data(self.base.file_of(node)), roles.data),
            (flags.has(FileFlags::VENDORED), roles.vendored),
            (flags.has(FileFlags::EXAMPLE) && !self.wanted.examples, roles.example),
            (flags.has(FileFlags::DOCUMENT) && !self.wanted.documents, roles.document),
        ];
        rows.iter().filter(|(applies, _)| *applies).map(|(_, left)| left.get()).min().unwrap_or(WHOLE)
    }

    /// Whether a file of code is a table or a dictionary: nearly all its words stand in strings, it has many, and few of its lines do anything.
    fn is_data(&self, file: NodeId) -> bool {
        let Some(index) = self.index.as_ref().filter(|_| self.base.language(file).is_some()) else { return false };
        let n_literals = u64::from(index.length(file.0, Field::Literal));
        let n_others: u32 = [Field::Body, Field::Name].iter().map(|field| index.length(file.0, *field)).sum();
        let of = n_literals + u64::from(n_others);
        let data = &self.reading().data;
        let is_full =
            n_literals >= u64::from(data.least_words) && n_literals * u64::from(WHOLE) >= of * u64::from(data.literals.get());
        is_full
            && self.n_lines_of_functions(file) * u64::from(WHOLE)
                <= u64::from(self.base.n_lines(file)) * u64::from(data.functions.get())
    }

    /// Lines of the functions of a file; those of a nested one count twice, which takes nothing from data.
    fn n_lines_of_functions(&self, file: NodeId) -> u64 {
        let symbols = self.base.symbols_of(file).filter_map(|node| self.base.symbol(NodeId(node)));
        let functions = symbols.filter(|symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method));
        functions.map(|symbol| u64::from(symbol.lines.1.saturating_sub(symbol.lines.0)) + 1).sum()
    }

    /// The strength of a hit, 0 where there is none.
    pub(super) fn strength(&self, node: NodeId, cue: Cue) -> u32 {
        self.by_cue.get(&(node, cue)).map_or(0, |(strength, _)| *strength)
    }

    /// Whether anything but this cue speaks for a node.
    pub(super) fn has_other_than(&self, node: NodeId, cue: Cue) -> bool {
        let cues = self.by_cue.range((node, Cue::FIRST)..).take_while(|((other, _), _)| *other == node);
        cues.into_iter().any(|((_, other), _)| *other != cue)
    }

    /// How much speaks for each node, as the policy will combine it; the greatest first, then by path.
    pub(super) fn ranked(&self, weights: &Weights) -> Vec<(NodeId, Millionths)> {
        let mut doubts: BTreeMap<NodeId, Millionths> = BTreeMap::new();
        for ((node, cue), (strength, _)) in &self.by_cue {
            let doubt = doubts.entry(*node).or_insert(Millionths::ONE);
            *doubt = doubt.times(weights.cues.of(*cue).times(Thousandths::new(*strength)).rest());
        }
        let mut ranked: Vec<_> = doubts.into_iter().map(|(node, doubt)| (node, doubt.rest())).collect();
        ranked.sort_by_key(|&(node, evidence)| (Reverse(evidence), node));
        ranked
    }

    /// The files for which most speaks, best first.
    pub(super) fn best_files(&self, weights: &Weights) -> Vec<NodeId> {
        let ranked = self.ranked(weights).into_iter().map(|(node, _)| node);
        ranked.filter(|node| self.base.is_file(*node)).take(MAX_SYMBOL_FILES).collect()
    }

    /// The files that something speaks for, in path order.
    pub(super) fn files(&self) -> Vec<NodeId> {
        let mut files: Vec<NodeId> = self.by_cue.keys().map(|(node, _)| *node).filter(|node| self.base.is_file(*node)).collect();
        files.dedup();
        files
    }

    /// Whether nothing speaks for anything.
    pub(super) fn is_empty(&self) -> bool {
        self.by_cue.is_empty()
    }

    /// All cue hits, by node, then cue.
    pub(super) fn into_list(self) -> Vec<CueHit> {
        let hit = |((node, cue), (strength, words))| CueHit { node, cue, strength: Thousandths::new(strength), words };
        self.by_cue.into_iter().map(hit).collect()
    }
}
