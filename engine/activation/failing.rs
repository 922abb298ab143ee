//! Where something fails, in the order in which it is to be read: failure by failure, each from the innermost place outwards.
//!
//! Must not know scores or what is shown.

use super::View;
use crate::activation::SYNTAX_ITEMS;
use crate::facts::base::{FileFlags, SymbolKind, Traits};
use crate::facts::failures::Spot;
use crate::signals::Severity;
use activate_rules::atoms::{ItemId, NodeId};
use activate_rules::links::LinkKind;
use rustc_hash::FxHashMap;

/// The most failing tests for which it is looked up what they call: what hundreds have in common, the first of them call.
const MAX_TESTS: usize = 50;

/// Which failure, and how far it is from where that shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    failure: u32,
    depth: u32,
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
    /// Lines of files that no symbol holds: imports, statements of the file itself.
    pub(super) lines: Vec<(Turn, NodeId, Severity, u32)>,
    n_failures: u32,
}

impl Failing {
    pub(super) fn new(view: &View<'_>) -> Self {
        let mut failing = Self::default();
        let is_failing = view.failures.is_failing();
        let mut complaints: Vec<_> = view.failures.diagnostics.iter().collect();
        complaints.sort_by_key(|found| found.diagnostic.severity);
        let is_error = |severity: Severity| severity == Severity::Error;
        let (errors, others): (Vec<_>, Vec<_>) = complaints.into_iter().partition(|found| is_error(found.diagnostic.severity));
        for spot in errors.iter().filter_map(|found| found.spot) {
            failing.add(view, spot, 0, Some(Severity::Error));
            failing.n_failures += 1;
        }
        let syntax = view.base.diagnostics().zip(SYNTAX_ITEMS..).filter(|(_, number)| view.is_placed(ItemId(*number)));
        for (row, _) in syntax {
            let spot = Spot {
                file: row.file,
                line: row.line,
                symbol: view.base.symbol_at(row.file, row.line),
                is_stale: false,
                may_have_moved: false,
            };
            failing.add(view, spot, 0, Some(Severity::Error));
            failing.n_failures += 1;
        }
        failing.add_tests(view);
        // What is only warned of is worth a piece of its own where nothing else is wrong.
        for (spot, severity) in others.iter().filter_map(|found| Some((found.spot?, found.diagnostic.severity))) {
            failing.add(view, spot, 0, Some(severity).filter(|_| !is_failing));
            failing.n_failures += 1;
        }
        failing
    }

    /// What a symbol has to do with what fails, and when it is to be read.
    pub(super) fn part(&self, symbol: NodeId) -> Option<(Turn, Part)> {
        self.symbols.get(&symbol).copied()
    }

    /// When a symbol is to be read in which something fails of which no more is known: last.
    pub(super) const LAST: Turn = Turn { failure: u32::MAX, depth: 0 };

    fn add_tests(&mut self, view: &View<'_>) {
        for (number, test) in view.failures.tests.iter().enumerate() {
            let spots = test.spot.into_iter().chain(test.frames.iter().map(|(_, spot)| *spot));
            let (mut depth, mut is_located) = (0, false);
            for spot in spots {
                self.add(view, spot, depth, Some(Severity::Error));
                is_located |= spot.line > 0 && !is_of_tests(view, spot.node());
                depth += 1;
            }
            for node in &test.tests {
                self.add_symbol(*node, depth, Part::Fails);
            }
            for node in test.tests.iter().filter(|_| number < MAX_TESTS) {
                self.add_called(view, *node, depth + 1, is_located);
            }
            self.n_failures += 1;
        }
    }

    /// Adds what a failing test calls: where no trace leads on, what is wrong lies there.
    fn add_called(&mut self, view: &View<'_>, test: NodeId, depth: u32, is_located: bool) {
        let calls = view.base.links().row(test).filter(|(_, link)| link.kind() == LinkKind::Calls).map(|(to, _)| to);
        for called in calls.filter(|node| view.base.is_symbol(*node)) {
            if is_of_tests(view, called) {
                self.add_symbol(called, depth, Part::Helper);
            } else if !is_located {
                self.add_symbol(called, depth, Part::Called);
            }
        }
    }

    /// Adds a spot; a line that no symbol holds only with how bad it is.
    fn add(&mut self, view: &View<'_>, spot: Spot, depth: u32, of_line: Option<Severity>) {
        // A module around the line is shown by what it holds.
        let symbol = spot.symbol.filter(|node| view.base.symbol(*node).is_some_and(|row| row.kind != SymbolKind::Module));
        match (symbol, of_line) {
            (Some(symbol), _) => self.add_symbol(symbol, depth, Part::Fails),
            (None, Some(severity)) if spot.line > 0 => {
                self.lines.push((self.turn(depth), spot.file, severity, spot.line));
            }
            _ => {}
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
pub(super) fn is_of_tests(view: &View<'_>, node: NodeId) -> bool {
    let of_symbol = view.base.symbol(node).is_some_and(|symbol| {
        symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE)
    });
    of_symbol || view.base.flags(view.base.file_of(node)).has(FileFlags::TEST)
}
