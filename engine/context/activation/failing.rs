//! Where something fails, in the order in which it is to be read: failure by failure, each from the innermost place outwards.

use super::SYNTAX_ITEMS;
use activate_rules::atoms::{ItemId, NodeId};
use activate_rules::facts::Derived;
use activate_rules::links::LinkKind;
use index::base::{FactBase, FileFlags, SymbolKind, Traits};
use intent::failures::{Failures, Spot};
use rustc_hash::{FxHashMap, FxHashSet};
use signals::Severity;

/// The most failing tests for which it is looked up what they call: what hundreds have in common, the first of them call.
const MAX_TESTS: usize = 50;

/// Which failure, and how far it is from where that shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    failure: u32,
    depth: u32,
}

impl Turn {
    /// How many places are to be read before it, as far as their failures tell.
    pub(super) fn number(self) -> u32 {
        self.failure.saturating_add(self.depth)
    }
}

/// What a symbol has to do with what fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Something fails in it, or on the way through it.
    Fails,
    /// A failing test calls it, and nothing else is known of where it fails.
    Called,
    /// A failing test calls it, and it is of the tests.
    Helper,
}

/// What fails, as far as it lies in the repository.
#[derive(Default)]
pub(super) struct Failing {
    symbols: FxHashMap<NodeId, (Turn, Part)>,
    /// The lines in which something fails, whatever holds them.
    pub(super) lines: Vec<(Turn, NodeId, u32)>,
    n_failures: u32,
}

impl Failing {
    /// What tools complain about, errors first, the parser's among them as far as they concern the task, and the tests that fail.
    pub(super) fn new(base: &FactBase, failures: &Failures, derived: &Derived) -> Self {
        let mut failing = Self::default();
        let is_failing = failures.is_failing();
        let mut complaints: Vec<_> = failures.diagnostics.iter().collect();
        complaints.sort_by_key(|found| found.diagnostic.severity);
        let (errors, others): (Vec<_>, Vec<_>) =
            complaints.into_iter().partition(|found| found.diagnostic.severity == Severity::Error);
        for found in &errors {
            let frames = found.frames.iter().map(|(_, spot)| *spot).filter(|spot| found.spot != Some(*spot));
            for (depth, spot) in (0..).zip(found.spot.into_iter().chain(frames)) {
                failing.add(base, spot, depth, true);
            }
            failing.n_failures += u32::from(found.spot.is_some());
        }
        let placed: FxHashSet<ItemId> = derived.placed.iter().map(|(item, _)| *item).collect();
        for (row, _) in base.diagnostics().zip(SYNTAX_ITEMS..).filter(|(_, number)| placed.contains(&ItemId(*number))) {
            let symbol = base.symbol_at(row.file, row.line);
            let spot = Spot {
                file: row.file,
                line: row.line,
                symbol,
                is_stale: false,
                may_have_moved: false,
                is_guess: false,
                map: None,
            };
            failing.add(base, spot, 0, true);
            failing.n_failures += 1;
        }
        failing.add_tests(base, failures);
        // What is only warned of is worth a line of its own where nothing else is wrong.
        for spot in others.iter().filter_map(|found| found.spot) {
            failing.add(base, spot, 0, !is_failing);
            failing.n_failures += 1;
        }
        failing
    }

    /// What a symbol has to do with what fails, and when it is to be read.
    pub(super) fn part(&self, symbol: NodeId) -> Option<(Turn, Part)> {
        self.symbols.get(&symbol).copied()
    }

    fn add_tests(&mut self, base: &FactBase, failures: &Failures) {
        for (number, test) in failures.tests.iter().enumerate() {
            let spots = test.spot.into_iter().chain(test.frames.iter().map(|(_, spot)| *spot));
            let (mut depth, mut is_located) = (0, false);
            for spot in spots {
                self.add(base, spot, depth, true);
                is_located |= spot.line > 0 && !is_of_tests(base, spot.node());
                depth += 1;
            }
            for node in &test.tests {
                self.add_symbol(*node, depth, Part::Fails);
            }
            for node in test.tests.iter().filter(|_| number < MAX_TESTS) {
                self.add_called(base, *node, depth + 1, is_located);
            }
            self.n_failures += 1;
        }
    }

    /// Adds what a failing test calls: where no trace leads on, what is wrong lies there.
    fn add_called(&mut self, base: &FactBase, test: NodeId, depth: u32, is_located: bool) {
        let calls = base.links().row(test).filter(|(_, link)| link.kind() == LinkKind::Calls).map(|(to, _)| to);
        for called in calls.filter(|node| base.is_symbol(*node)) {
            if is_of_tests(base, called) {
                self.add_symbol(called, depth, Part::Helper);
            } else if !is_located {
                self.add_symbol(called, depth, Part::Called);
            }
        }
    }

    /// Adds a spot, and its line where that is worth showing by itself.
    fn add(&mut self, base: &FactBase, spot: Spot, depth: u32, with_line: bool) {
        // A module around the line is shown by what it holds.
        let symbol = spot.symbol.filter(|node| base.symbol(*node).is_some_and(|row| row.kind != SymbolKind::Module));
        if spot.line > 0 && (with_line || symbol.is_some()) {
            self.lines.push((self.turn(depth), spot.file, spot.line));
        }
        if let Some(symbol) = symbol {
            self.add_symbol(symbol, depth, Part::Fails);
        }
    }

    fn add_symbol(&mut self, symbol: NodeId, depth: u32, part: Part) {
        let turn = self.turn(depth);
        let known = self.symbols.entry(symbol).or_insert((turn, part));
        // What fails itself is more than what is called by what fails, in whichever failure that is said.
        if part == Part::Fails && known.1 != Part::Fails {
            *known = (turn, part);
        }
    }

    fn turn(&self, depth: u32) -> Turn {
        Turn { failure: self.n_failures, depth }
    }
}

/// Whether a node stands among tests.
pub(super) fn is_of_tests(base: &FactBase, node: NodeId) -> bool {
    let of_symbol = base.symbol(node).is_some_and(|symbol| {
        symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE)
    });
    of_symbol || base.flags(base.file_of(node)).has(FileFlags::TEST)
}
