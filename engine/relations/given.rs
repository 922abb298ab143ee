//! The relations of a repository as questions in Datalog find them: read where the fact base has them, from either end of a link.

use crate::more::{
    Answered, CHANGED_WITH, FILE, GONE, HEAD_TYPES, MENTIONS, NODE, OF_ANSWER, OF_REPOSITORY, OF_TASK, Rows, Task,
};
use crate::table::{Column as Of, End, RELATIONS, Row};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FactBase, SiteRow};
use index::snapshot::Snapshot;
use query::{Column, Facts, Flow, Relation, Type, Value, Words};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io;

/// Nodes that are named where a text names none, at most.
const MAX_LIKE: usize = 3;

const SITE: &[Column] = &[Column::node("from"), Column::node("to"), Column::number("line"), Column::word("confidence")];

/// The columns of each of [`RELATIONS`], in its order.
const COLUMNS: [&[Column]; RELATIONS.len()] = [
    &[
        Column::node("file"),
        Column::node("symbol"),
        Column::word("kind"),
        Column::number("first_line"),
        Column::number("last_line"),
        Column::word("visibility"),
    ],
    &[Column::node("outer"), Column::node("inner")],
    SITE,
    SITE,
    SITE,
    SITE,
    SITE,
    &[Column::node("handler"), Column::node("asker"), Column::text("route"), Column::number("line"), Column::word("confidence")],
    &[Column::node("handler"), Column::node("file"), Column::text("route"), Column::number("line")],
    &[Column::node("test"), Column::node("symbol"), Column::word("confidence")],
    &[Column::node("file"), Column::text("name"), Column::number("uses")],
    &[Column::node("test"), Column::node("symbol"), Column::word("kind"), Column::number("calls"), Column::word("confidence")],
    &[Column::node("test"), Column::text("command")],
    &[Column::word("severity"), Column::node("file"), Column::number("line"), Column::number("column"), Column::text("message")],
    &[Column::node("about"), Column::word("kind"), Column::number("line")],
    &[Column::node("file"), Column::word("change"), Column::number("turns")],
    &[Column::text("commit"), Column::node("file")],
];

/// Relations by the places where they are found.
const DEFINES: usize = 0;
const CONTAINS: usize = 1;
const TESTS: usize = 9;

/// The links of relations that are sites.
const LINKS: [(usize, LinkKind); 5] =
    [(2, LinkKind::Imports), (3, LinkKind::Calls), (4, LinkKind::References), (5, LinkKind::Implements), (6, LinkKind::Extends)];

/// The name of a confidence that a row does not have.
pub(crate) const NO_CONFIDENCE: &str = "unknown";

/// The relations that can be asked about.
pub fn relations() -> Vec<Relation> {
    let relation = |(relation, columns): (&crate::table::Relation, &'static [Column])| Relation {
        name: relation.name,
        columns,
        says: relation.says,
    };
    RELATIONS.iter().zip(COLUMNS).map(relation).chain(OF_REPOSITORY).collect()
}

/// Those that a task has beside these, and those that its answer has.
pub fn of_tasks() -> (&'static [Relation], &'static [Relation]) {
    (&OF_TASK, &OF_ANSWER)
}

/// The relations of a snapshot.
pub struct Given<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) base: &'s FactBase,
    pub(crate) words: &'s Words,
    relations: Vec<Relation>,
    /// Rows of the last relations, which are not read where they lie.
    rows: Vec<Rows>,
    /// Rows that were looked at.
    pub(crate) n_looked_at: Cell<u64>,
    /// Whether nodes are called as they may be shown.
    is_masked: bool,
    /// Names of nodes as they are shown.
    names: RefCell<FxHashMap<Value, String>>,
}

impl<'s> Given<'s> {
    /// Those of a snapshot, with texts numbered by `words`.
    pub fn of(snapshot: &'s Snapshot, words: &'s Words) -> Self {
        Self {
            snapshot,
            base: &snapshot.base,
            words,
            relations: relations(),
            rows: Vec::new(),
            is_masked: true,
            n_looked_at: Cell::new(0),
            names: RefCell::default(),
        }
    }

    /// With names of nodes as they are, for programs whose rows are masked where they are shown.
    #[must_use]
    pub fn unmasked(self) -> Self {
        Self { is_masked: false, ..self }
    }

    /// How many rows were looked at so far, whether they were asked for or not.
    pub fn n_looked_at(&self) -> u64 {
        self.n_looked_at.get()
    }

    pub(crate) fn look_at(&self, n_rows: u64) {
        self.n_looked_at.set(self.n_looked_at.get() + n_rows);
    }

    /// With the relations of a task.
    #[must_use]
    pub fn with_task(mut self, task: &Task) -> Self {
        self.relations.extend(OF_TASK);
        self.rows.extend(task.rows(self.words));
        self
    }

    /// With what heads of rules must be: see [`HEAD_TYPES`].
    #[must_use]
    pub fn with_head_types(mut self) -> Self {
        self.relations.push(HEAD_TYPES);
        self.rows.push(Rows::new());
        self
    }

    /// With those of an answer.
    #[must_use]
    pub fn with_answer(mut self, answered: &Answered) -> Self {
        self.relations.extend(OF_ANSWER);
        self.rows.extend(answered.rows(self.words));
        self
    }

    /// A node for a path that is gone: one behind all others.
    pub(crate) fn gone(&self, path: &str) -> Value {
        self.base.n_nodes().saturating_add(self.words.id(self.snapshot.masker().name(path).as_str()))
    }

    fn end(&self, end: End<'_>, of: Type) -> Value {
        match (end, of) {
            (End::Node(node), Type::Node) => node.0,
            (End::Text(path), Type::Node) => self.gone(path),
            (End::Node(node), _) => self.words.id(&self.shown(node.0)),
            (End::Text(text), _) => self.words.id(self.snapshot.masker().line(text).as_str()),
            (End::Command(command), _) => self.words.id(self.snapshot.masker().name(command).as_str()),
            (End::None, _) => self.words.id(""),
        }
    }

    /// The values of a row, in the order of the columns.
    fn values(&self, relation: usize, row: &Row<'_>) -> Vec<Value> {
        let mut values = Vec::new();
        for column in RELATIONS[relation].columns {
            let of = COLUMNS[relation].get(values.len()).map_or(Type::Text, |column| column.of);
            match column {
                Of::From => values.push(self.end(row.from, of)),
                Of::To => values.push(self.end(row.to, of)),
                Of::ToLines => {
                    let symbol = if let End::Node(node) = row.to { self.base.symbol(node) } else { None };
                    let (first, last) = symbol.map(|symbol| symbol.lines).unwrap_or_default();
                    values.extend([first, last]);
                }
                Of::Line => values.push(row.line.unwrap_or_default()),
                Of::Position => values.push(row.column.unwrap_or_default()),
                Of::Kind => values.push(self.words.id(row.kind)),
                Of::Visibility => values.push(self.words.id(row.visibility)),
                Of::Confidence => {
                    values.push(self.words.id(row.confidence.map_or(NO_CONFIDENCE, |confidence| confidence.name())));
                }
                Of::Route => values.push(self.words.id(self.snapshot.masker().name(row.route).as_str())),
                Of::Uses => values.push(row.n_uses.unwrap_or_default()),
                Of::Calls => values.push(row.n_calls.unwrap_or_default()),
                Of::Turns => values.push(0),
            }
        }
        values
    }

    fn shown(&self, node: Value) -> String {
        if let Some(name) = self.names.borrow().get(&node) {
            return name.clone();
        }
        let name = self.snapshot.masker().name(&self.base.id(NodeId(node))).as_str().to_owned();
        self.names.borrow_mut().insert(node, name.clone());
        name
    }

    fn defines(&self, symbol: NodeId) -> Option<Vec<Value>> {
        let row = self.base.symbol(symbol)?;
        let row = Row {
            from: End::Node(row.file),
            to: End::Node(symbol),
            kind: row.kind.word(),
            visibility: row.visibility.word(),
            ..Row::default()
        };
        Some(self.values(DEFINES, &row))
    }

    /// The node and the line in its file where a row stands, all of whose columns are given; none of what stands nowhere.
    pub fn place(&self, relation: &str, row: &[Value]) -> Option<(Value, u32)> {
        let node = |column: usize| row.get(column).copied().filter(|node| *node < self.base.n_nodes());
        let line = |column: usize| row.get(column).copied();
        let begins = |node: Value| self.base.symbol(NodeId(node)).map_or(1, |symbol| symbol.lines.0);
        let (node, line) = match relation {
            "defines" => (node(0)?, line(3)?),
            "contains" => (node(1)?, begins(node(1)?)),
            "imports" | "calls" | "references" | "implements" | "extends" | "code_note" => (node(0)?, line(2)?),
            "serves" | "route" => (node(1)?, line(3)?),
            "diagnostic" => (node(1)?, line(2)?),
            "tests" => {
                let (test, symbol) = (node(0)?, node(1)?);
                let shows = |site: &SiteRow| site.to.0 == symbol && matches!(site.kind, LinkKind::Calls | LinkKind::References);
                (test, self.base.sites_from(NodeId(test)).find(shows).map_or_else(|| begins(test), |site| site.line))
            }
            "reaches" | "test_command" => (node(0)?, begins(node(0)?)),
            _ => return None,
        };
        let file = self.base.file_of(NodeId(node));
        Some((file.0, line))
    }

    fn site(&self, site: SiteRow) -> [Value; 4] {
        [site.from.0, site.to.0, site.line, self.words.id(site.confidence.name())]
    }
}

impl Facts for Given<'_> {
    fn relations(&self) -> &[Relation] {
        &self.relations
    }

    fn finds(&self, relation: usize, bound: &[bool]) -> bool {
        let is_bound = |column: usize| bound.get(column) == Some(&true);
        match relation {
            DEFINES => is_bound(0) || is_bound(1),
            CONTAINS | TESTS => is_bound(1),
            _ if [NODE, FILE, GONE].iter().any(|own| relation == RELATIONS.len() + own) => is_bound(0),
            _ if relation == RELATIONS.len() + MENTIONS => is_bound(1),
            _ if relation == RELATIONS.len() + CHANGED_WITH => is_bound(0) || is_bound(1),
            _ => LINKS.iter().any(|(link, _)| *link == relation) && (is_bound(0) || is_bound(1)),
        }
    }

    fn rows(&self, relation: usize, bound: &[Option<Value>], words: &Words, take: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        debug_assert!(std::ptr::eq(words, self.words), "texts are numbered in one place");
        let value = |column: usize| bound.get(column).copied().flatten();
        let mut give = |row: &[Value]| {
            self.look_at(1);
            let fits = row.iter().zip(bound).all(|(value, bound)| bound.is_none_or(|bound| bound == *value));
            if fits { take(row) } else { Flow::Continue(()) }
        };
        let is_known = |node: Value| node < self.base.n_nodes();
        match (relation, value(0), value(1)) {
            (DEFINES, _, Some(symbol)) => return self.defines(NodeId(symbol)).map_or(Flow::Continue(()), |row| give(&row)),
            (DEFINES, Some(file), None) => {
                let symbols = if self.base.is_file(NodeId(file)) { self.base.symbols_of(NodeId(file)) } else { 0..0 };
                return symbols.filter_map(|symbol| self.defines(NodeId(symbol))).try_for_each(|row| give(&row));
            }
            (CONTAINS, _, Some(inner)) => {
                let symbol = self.base.symbol(NodeId(inner));
                return symbol.map_or(Flow::Continue(()), |symbol| give(&[symbol.container.unwrap_or(symbol.file).0, inner]));
            }
            (TESTS, _, Some(symbol)) => {
                let tests = if is_known(symbol) { self.base.tests_of(NodeId(symbol)) } else { Vec::new() };
                let row = |(test, sure): (NodeId, activate_rules::links::Confidence)| [test.0, symbol, words.id(sure.name())];
                return tests.into_iter().map(row).try_for_each(|row| give(&row));
            }
            _ => {}
        }
        if let Some((_, kind)) = LINKS.iter().find(|(link, _)| *link == relation) {
            match (value(0).map(NodeId), value(1).map(NodeId)) {
                (Some(from), _) => {
                    let sites = self.base.sites_from(from).filter(|site| site.kind == *kind);
                    return sites.map(|site| self.site(site)).try_for_each(|row| give(&row));
                }
                (None, Some(to)) if is_known(to.0) => {
                    for link in self.base.links_of(to).filter(|link| link.kind == kind.reverse()) {
                        let sites = self.base.sites_from(link.to).filter(|site| site.kind == *kind && site.to == to);
                        sites.map(|site| self.site(site)).try_for_each(|row| give(&row))?;
                    }
                    return Flow::Continue(());
                }
                (None, Some(_)) => return Flow::Continue(()),
                (None, None) => {
                    let mut sites = self.base.sites().filter(|site| site.kind == *kind);
                    return sites.try_for_each(|site| give(&self.site(site)));
                }
            }
        }
        match relation.checked_sub(RELATIONS.len()) {
            None => {}
            Some(NODE) => return self.nodes(value(0), &mut give),
            Some(FILE) => return self.files(value(0), &mut give),
            Some(GONE) => return self.all_gone(value(0), &mut give),
            Some(MENTIONS) => return self.mentions((value(0), value(1)), &mut give),
            Some(CHANGED_WITH) => return self.changes((value(0), value(1)), &mut give),
            Some(other) => {
                let rows = self.rows.get(other - OF_REPOSITORY.len()).map_or(&[][..], Vec::as_slice);
                return rows.iter().try_for_each(|row| give(row));
            }
        }
        let mut flow = Flow::Continue(());
        let rows = (RELATIONS[relation].rows)(self.snapshot, &mut |row| {
            flow = give(&self.values(relation, &row));
            // Whoever wants no more ends it as an error would, and there is no other.
            if flow.is_break() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        });
        debug_assert!(rows.is_ok() || flow.is_break(), "rows in memory are always read");
        flow
    }

    fn names(&self, relation: usize, column: usize) -> Option<Vec<&'static str>> {
        let relation = self.relations.get(relation)?;
        crate::names::of(relation.name, relation.columns.get(column)?.name)
    }

    fn n_rows(&self, relation: usize) -> usize {
        match relation {
            DEFINES | CONTAINS => self.base.n_symbols() as usize,
            _ if relation == RELATIONS.len() + NODE || relation == RELATIONS.len() + MENTIONS => self.base.n_nodes() as usize,
            _ if LINKS.iter().any(|(link, _)| *link == relation) => self.base.n_nodes() as usize * LINKS.len(),
            _ => match relation.checked_sub(RELATIONS.len() + OF_REPOSITORY.len()) {
                Some(own) => self.rows.get(own).map_or(0, Vec::len),
                None => self.base.n_files() as usize,
            },
        }
    }

    fn node(&self, text: &str) -> Option<Value> {
        let package = || {
            let mut packages = self.base.n_files() + self.base.n_symbols()..self.base.n_nodes();
            packages.find(|node| self.base.package(NodeId(*node)) == text)
        };
        self.base.node_at(text).map(|node| node.0).or_else(package).or_else(|| {
            let is_gone = |path: &str| path == text && self.base.file_at(path).is_none();
            let mut changed = self.snapshot.changes.iter().map(|change| change.path.as_str());
            let touched = || self.snapshot.past.commits.iter().flat_map(|commit| commit.touched.iter());
            let is_named = changed.any(is_gone) || touched().any(|(path, _)| is_gone(path.as_str()));
            is_named.then(|| self.gone(text))
        })
    }

    fn missing(&self, text: &str, _: &Words) -> Value {
        self.gone(text)
    }

    fn node_text(&self, node: Value) -> Cow<'_, str> {
        match node.checked_sub(self.base.n_nodes()) {
            Some(word) => self.words.text(word).to_string().into(),
            None if self.is_masked => self.shown(node).into(),
            None if self.base.is_file(NodeId(node)) => self.base.path(NodeId(node)).into(),
            None => self.base.id(NodeId(node)).into(),
        }
    }

    fn like(&self, text: &str) -> Vec<String> {
        let found = intent::exact(self.base, text).into_iter().filter_map(|nodes| nodes.first().copied());
        let near = || intent::locate(self.base, text).unwrap_or_default();
        let mut names: Vec<String> = found.map(|node| self.shown(node.0)).collect();
        if names.is_empty() {
            names = near().into_iter().map(|node| self.shown(node.0)).collect();
        }
        names.truncate(MAX_LIKE);
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_relation_has_the_columns_of_its_written_form() {
        for (relation, columns) in RELATIONS.iter().zip(COLUMNS) {
            let n_written: usize = relation.columns.iter().map(|column| if *column == Of::ToLines { 2 } else { 1 }).sum();
            assert_eq!(columns.len(), n_written, "{}", relation.name);
        }
        assert_eq!([DEFINES, CONTAINS, TESTS].map(|place| RELATIONS[place].name), ["defines", "contains", "tests"]);
        for (place, kind) in LINKS {
            assert_eq!(RELATIONS[place].name, kind.name());
        }
    }
}
