//! What every question works with: the repository as it was, its masker, and how many rows are wanted.

use super::answer::{Answer, Row};
use super::rows::sort;
use activate_grammars::{Level, language_of};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use engine::Engine;
use index::base::{FactBase, FileFlags, SymbolRow, Traits};
use index::completeness::{Completeness, State};
use index::snapshot::Snapshot;
use redact::{LongLines, Masker, Redacted, Safe};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Where a question is answered.
pub(crate) struct Desk<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) snapshot: &'a Arc<Snapshot>,
    pub(crate) base: &'a FactBase,
    pub(crate) masker: Masker,
    limit: usize,
    /// Texts that were read: several rows stand in one file.
    texts: RefCell<FxHashMap<NodeId, Option<Arc<Redacted>>>>,
    /// Files of which it was asked whether they are modules of tests.
    test_modules: RefCell<FxHashMap<NodeId, bool>>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(engine: &'a Engine, snapshot: &'a Arc<Snapshot>, limit: usize) -> Self {
        let masker = snapshot.masker().clone();
        Self {
            engine,
            snapshot,
            base: &snapshot.base,
            masker,
            limit,
            texts: RefCell::default(),
            test_modules: RefCell::default(),
        }
    }

    /// The same with another masker: one that knows more secrets.
    pub(crate) fn with_masker(&self, masker: Masker) -> Desk<'a> {
        Desk {
            engine: self.engine,
            snapshot: self.snapshot,
            base: self.base,
            masker,
            limit: self.limit,
            texts: RefCell::default(),
            test_modules: RefCell::default(),
        }
    }

    /// The most rows that are wanted.
    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// The masked text of a file; none where it cannot be read or changed since.
    pub(crate) fn text(&self, file: NodeId) -> Option<Arc<Redacted>> {
        let mut texts = self.texts.borrow_mut();
        texts
            .entry(file)
            .or_insert_with(|| self.engine.text_if(self.snapshot, file, |_| true).ok().flatten().map(Arc::new))
            .clone()
    }

    /// One line of a file as it may be shown.
    pub(crate) fn line(&self, file: NodeId, line: u32) -> Option<Safe> {
        let text = self.text(file)?;
        Some(Safe::code(&text, line..=line, LongLines::Cut).trimmed()).filter(|line| !line.is_empty())
    }

    /// The path of a node as it may be shown.
    pub(crate) fn path(&self, node: NodeId) -> Safe {
        self.masker.name(self.base.path(node))
    }

    /// The canonical id of a node as it may be shown.
    pub(crate) fn id(&self, node: NodeId) -> Safe {
        self.masker.name(&self.base.id(node))
    }

    /// The name of a node within its file; that of the file for one.
    pub(crate) fn local(&self, node: NodeId) -> Safe {
        match self.base.symbol(node) {
            Some(symbol) => self.masker.name(symbol.local_id),
            None => self.path(node),
        }
    }

    /// Method and path of what one node asks for and another serves, at a line if that is given.
    pub(crate) fn route(&self, from: NodeId, to: NodeId, line: Option<u32>) -> Option<Safe> {
        self.base.served_text(from, to, line).map(|text| self.masker.name(text))
    }

    /// A row for a node: the line of its name.
    pub(crate) fn row(&self, node: NodeId) -> Row {
        let symbol = self.base.symbol(node);
        Row {
            path: self.path(node),
            line: symbol.map_or(1, |symbol| symbol.name_line.max(1)),
            symbol: symbol.map(|symbol| self.masker.name(symbol.local_id)),
            ..Row::default()
        }
    }

    /// Whether a node is or stands in a test, or in code that is compiled for tests only.
    pub(crate) fn is_test(&self, node: NodeId) -> bool {
        let file = self.base.file_of(node);
        self.base.test_around(node).is_some()
            || self.base.flags(file).has(FileFlags::TEST)
            || self.base.symbol(node).is_some_and(|symbol| is_of_tests(&symbol))
            || self.is_test_module(file)
    }

    /// Whether a file is a module that others declare for tests alone.
    fn is_test_module(&self, file: NodeId) -> bool {
        let base = self.base;
        let Some(declares) = language_of(base.path(file)).and_then(|(_, language)| language.scope.declares_module) else {
            return false;
        };
        if let Some(known) = self.test_modules.borrow().get(&file) {
            return *known;
        }
        let importers = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
        let is_for_tests = importers.map(|(from, _)| base.file_of(from)).any(|from| {
            let Some(text) = self.text(from) else { return false };
            let above = |line: u32| if line > 1 { text.line(line - 1) } else { "" };
            (1..=text.n_lines()).find_map(|line| declares(base.path(file), text.line(line), above(line))).unwrap_or(false)
        });
        self.test_modules.borrow_mut().insert(file, is_for_tests);
        is_for_tests
    }

    /// The definitions that the definitions and files hold, with these.
    pub(crate) fn with_parts(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut all: Vec<NodeId> = Vec::new();
        let mut open: Vec<NodeId> = nodes.to_vec();
        for file in nodes.iter().filter(|node| self.base.is_file(**node)) {
            open.extend(self.base.symbols_of(*file).map(NodeId));
        }
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            all.push(node);
            let links = self.base.links().row(node);
            open.extend(links.filter(|(_, link)| link.kind() == LinkKind::Contains).map(|(part, _)| part));
        }
        all.sort_unstable();
        all
    }

    /// Notes that imports and uses are not known in languages of which only definitions are; where there is no other code, nothing is.
    pub(crate) fn add_by_name(&self, known: &mut Completeness) {
        let base = self.base;
        let is_ours = |file: &NodeId| !base.flags(*file).has(FileFlags::VENDORED);
        let of = |level: Level| base.files().filter(is_ours).filter(move |file| base.level(*file) == Some(level));
        let mut languages: Vec<&str> = of(Level::ByName).filter_map(|file| base.language(file)).collect();
        languages.sort_unstable();
        languages.dedup();
        if !languages.is_empty() {
            known.lacks(format!("imports and uses of names are not resolved in {}", languages.join(", ")));
            if of(Level::Resolved).next().is_none() {
                known.state = State::Unknown;
            }
        }
    }

    /// An answer of these rows, in their order, cut to what is wanted.
    pub(crate) fn answer(&self, question: &'static str, about: Vec<Safe>, mut rows: Vec<Row>, known: &Completeness) -> Answer {
        let n_left = rows.len().saturating_sub(self.limit);
        rows.truncate(self.limit);
        Answer::new(self, question, about, rows, n_left, known)
    }

    /// The same in the order of depth, then places.
    pub(crate) fn sorted(&self, question: &'static str, about: Vec<Safe>, mut rows: Vec<Row>, known: &Completeness) -> Answer {
        sort(&mut rows);
        self.answer(question, about, rows, known)
    }
}

/// Whether a definition stands in code that is compiled for tests only, or is a test.
pub(crate) fn is_of_tests(symbol: &SymbolRow<'_>) -> bool {
    [Traits::TEST, Traits::TEST_CODE, Traits::GROUP].iter().any(|each| symbol.traits.has(*each))
        || symbol.kind == index::base::SymbolKind::Test
}
