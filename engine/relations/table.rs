//! The relations of a repository as rows, in one table with their columns: what `activate facts` lists.

use activate_rules::atoms::{Change, NodeId};
use activate_rules::links::{Confidence, LinkKind};
use index::base::{FactBase, FileFlags, Reach, SymbolKind, TestMap, Traits};
use index::snapshot::Snapshot;
use repo::ChangeKind;
use std::io;

/// One fact of a repository; fields that a relation has no column for are empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row<'a> {
    /// What the fact starts from.
    pub from: End<'a>,
    /// What it leads to.
    pub to: End<'a>,
    /// Line of the site, from 1, in the file of `from`; of a definition the line of its name.
    pub line: Option<u32>,
    /// The column in that line, from 1.
    pub column: Option<u32>,
    /// A word that says what kind of fact it is.
    pub kind: &'a str,
    /// Method and path of a route.
    pub route: &'a str,
    /// Who may use a definition.
    pub visibility: &'a str,
    /// How sure a link is.
    pub confidence: Option<Confidence>,
    /// How many uses.
    pub n_uses: Option<u32>,
    /// Number of calls on the way from `from` to `to`.
    pub n_calls: Option<u32>,
    /// What is called on the way, without both ends.
    pub through: &'a [NodeId],
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, Default)]
pub enum End<'a> {
    /// Nothing.
    #[default]
    None,
    /// A file, a symbol or a package from outside.
    Node(NodeId),
    /// A text: a commit's id, a path that is gone, a message.
    Text(&'a str),
    /// A command, which is of no use cut short.
    Command(&'a str),
}

/// A column of the written form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// What the fact starts from.
    From,
    /// What it leads to.
    To,
    /// First and last line of `to`: two columns.
    ToLines,
    /// Line of the site.
    Line,
    /// The column in that line.
    Position,
    /// What kind of fact it is.
    Kind,
    /// Who may use a definition.
    Visibility,
    /// How sure a link is.
    Confidence,
    /// Method and path.
    Route,
    /// How many uses.
    Uses,
    /// Number of calls.
    Calls,
    /// How many turns ago: what git says is now.
    Turns,
}

/// Takes rows one by one.
pub type Take<'t> = &'t mut dyn FnMut(Row<'_>) -> io::Result<()>;

/// A relation.
pub struct Relation {
    /// Its name.
    pub name: &'static str,
    /// The columns of its written form, in order.
    pub columns: &'static [Column],
    /// How they are written and what they say.
    pub says: &'static str,
    /// Gives its rows, always in the same order.
    pub rows: fn(&Snapshot, Take<'_>) -> io::Result<()>,
}

const SITE: &[Column] = &[Column::From, Column::To, Column::Line, Column::Confidence];

/// Every relation, in the order of the list.
pub const RELATIONS: [Relation; 17] = [
    Relation {
        name: "defines",
        columns: &[Column::From, Column::To, Column::Kind, Column::ToLines, Column::Visibility],
        says: "(file, symbol, /kind, first line, last line, /visibility)",
        rows: defines,
    },
    Relation {
        name: "contains",
        columns: &[Column::From, Column::To],
        says: "(file or symbol, symbol): the innermost that holds it",
        rows: contains,
    },
    Relation {
        name: "imports",
        columns: SITE,
        says: "(file, file or external package, line, /confidence)",
        rows: |snapshot, take| sites(snapshot, LinkKind::Imports, take),
    },
    Relation {
        name: "calls",
        columns: SITE,
        says: "(symbol or file, symbol, line, /confidence)",
        rows: |snapshot, take| sites(snapshot, LinkKind::Calls, take),
    },
    Relation {
        name: "references",
        columns: SITE,
        says: "(symbol or file, symbol, line, /confidence): named, not called",
        rows: |snapshot, take| sites(snapshot, LinkKind::References, take),
    },
    Relation {
        name: "implements",
        columns: SITE,
        says: "(type, interface or trait, line, /confidence)",
        rows: |snapshot, take| sites(snapshot, LinkKind::Implements, take),
    },
    Relation {
        name: "extends",
        columns: SITE,
        says: "(type, type it extends or embeds, line, /confidence)",
        rows: |snapshot, take| sites(snapshot, LinkKind::Extends, take),
    },
    Relation {
        name: "serves",
        columns: &[Column::From, Column::To, Column::Route, Column::Line, Column::Confidence],
        says: "(symbol or file, symbol or file that asks, \"method and path\", line that asks, /confidence)",
        rows: serves,
    },
    Relation {
        name: "route",
        columns: &[Column::From, Column::To, Column::Route, Column::Line],
        says: "(symbol or file that serves, file that adds it, \"method and path\", line there)",
        rows: routes,
    },
    Relation {
        name: "tests",
        columns: &[Column::From, Column::To, Column::Confidence],
        says: "(test or test file, symbol, /confidence): the test itself calls or names it",
        rows: tests,
    },
    Relation {
        name: "unresolved",
        columns: &[Column::From, Column::To, Column::Uses],
        says: "(file, \"name\", count): uses of a name that is defined here about which nothing could be said",
        rows: unresolved,
    },
    Relation {
        name: "reaches",
        columns: &[Column::From, Column::To, Column::Kind, Column::Calls, Column::Confidence],
        says: "(test or test file, function or file, /kind, number of calls, /confidence): see below",
        rows: reaches,
    },
    Relation {
        name: "test_command",
        columns: &[Column::From, Column::To],
        says: "(test or test file, \"command\"): runs it and no other test, in a shell at the root",
        rows: test_commands,
    },
    Relation {
        name: "diagnostic",
        columns: &[Column::Kind, Column::From, Column::Line, Column::Position, Column::To],
        says: "(/severity, file, line, column, \"message\"): a syntax error",
        rows: diagnostics,
    },
    Relation {
        name: "code_note",
        columns: &[Column::From, Column::Kind, Column::Line],
        says: "(file or symbol, /kind, line): generated, cgo, unsafe, deprecated",
        rows: notes,
    },
    Relation {
        name: "file_state",
        columns: &[Column::From, Column::Kind, Column::Turns],
        says: "(file, /change, 0): differs from the last commit",
        rows: file_states,
    },
    Relation {
        name: "touched",
        columns: &[Column::From, Column::To],
        says: "(commit, file): the newest commits, newest first",
        rows: touched,
    },
];

fn symbols(base: &FactBase) -> impl Iterator<Item = NodeId> {
    (base.n_files()..base.n_files() + base.n_symbols()).map(NodeId)
}

fn defines(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    symbols(base).filter_map(|node| base.symbol(node)).try_for_each(|symbol| {
        take(Row {
            from: End::Node(symbol.file),
            to: End::Node(symbol.node),
            line: Some(symbol.name_line),
            kind: symbol.kind.word(),
            visibility: symbol.visibility.word(),
            ..Row::default()
        })
    })
}

fn contains(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    symbols(base).filter_map(|node| base.symbol(node)).try_for_each(|symbol| {
        let from = End::Node(symbol.container.unwrap_or(symbol.file));
        take(Row { from, to: End::Node(symbol.node), line: Some(symbol.name_line), ..Row::default() })
    })
}

fn sites(snapshot: &Snapshot, kind: LinkKind, take: Take<'_>) -> io::Result<()> {
    snapshot.base.sites().filter(|site| site.kind == kind).try_for_each(|site| {
        take(Row {
            from: End::Node(site.from),
            to: End::Node(site.to),
            line: Some(site.line),
            confidence: Some(site.confidence),
            ..Row::default()
        })
    })
}

fn serves(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    let mut rows: Vec<_> = base.sites().filter(|site| site.kind == LinkKind::ServedBy).collect();
    // A reader looks for what a handler serves.
    rows.sort_by_key(|site| (site.to, site.from, site.line));
    rows.into_iter().try_for_each(|site| {
        let text = base.served_text(site.from, site.to, Some(site.line)).unwrap_or_default();
        take(Row {
            from: End::Node(site.to),
            to: End::Node(site.from),
            route: text,
            line: Some(site.line),
            confidence: Some(site.confidence),
            ..Row::default()
        })
    })
}

fn routes(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    snapshot.base.routes().try_for_each(|row| {
        let (from, to) = (End::Node(row.handler), End::Node(row.file));
        take(Row { from, to, route: row.text, line: Some(row.line), ..Row::default() })
    })
}

fn tests(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    // The base has them by subject; a reader looks for what a test tests.
    let of = |subject| base.tests_of(subject).into_iter().map(move |(test, sure)| (test, subject, sure));
    let mut rows: Vec<(NodeId, NodeId, Confidence)> = symbols(base).flat_map(of).collect();
    rows.sort_unstable();
    rows.into_iter().try_for_each(|(test, subject, confidence)| {
        take(Row { from: End::Node(test), to: End::Node(subject), confidence: Some(confidence), ..Row::default() })
    })
}

fn unresolved(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    snapshot.base.unresolved().try_for_each(|row| {
        take(Row { from: End::Node(row.file), to: End::Text(row.name), n_uses: Some(row.n_uses), ..Row::default() })
    })
}

/// The most tests that are listed of one function: those that come after come through more calls, or are not as sure.
pub const MAX_TESTS: usize = 20;

fn reaches(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    let map = TestMap::new(base);
    let flags = |node| base.flags(base.file_of(node));
    let is_subject = |node: &NodeId| {
        let is_own = !flags(*node).has(FileFlags::TEST) && !flags(*node).has(FileFlags::VENDORED);
        is_own
            && base.symbol(*node).is_none_or(|symbol| {
                matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) && !symbol.traits.has(Traits::TEST_CODE)
            })
    };
    base.files().chain(symbols(base)).filter(is_subject).try_for_each(|subject| {
        map.reaching(subject).iter().take(MAX_TESTS).try_for_each(|reaching| {
            // Nobody looks for the tests of a file without code.
            if base.is_file(subject) && reaching.reach == Reach::SamePackage {
                return Ok(());
            }
            take(Row {
                from: End::Node(reaching.test),
                to: End::Node(subject),
                kind: reaching.reach.word(),
                n_calls: Some(reaching.n_calls),
                // Of one among many nobody can say how sure it is.
                confidence: Some(reaching.confidence).filter(|_| reaching.reach != Reach::AnyOf),
                through: &reaching.through,
                ..Row::default()
            })
        })
    })
}

fn test_commands(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let base = &snapshot.base;
    base.files().filter_map(|file| Some((file, base.runner(file)?))).try_for_each(|(file, runner)| {
        let is_test = |node: &NodeId| base.symbol(*node).is_some_and(|symbol| symbol.traits.has(Traits::TEST));
        let tests: Vec<NodeId> = base.symbols_of(file).map(NodeId).filter(is_test).collect();
        let whole = Some(file).filter(|_| !tests.is_empty());
        whole.into_iter().chain(tests).try_for_each(|test| {
            match base.test_command(&runner, &[test]) {
                // What cannot be shown as it is would run something else.
                Some(command) if snapshot.masker().name(&command).as_str() == command => {
                    take(Row { from: End::Node(test), to: End::Command(&command), ..Row::default() })
                }
                _ => Ok(()),
            }
        })
    })
}

fn diagnostics(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    snapshot.base.diagnostics().try_for_each(|error| {
        take(Row {
            from: End::Node(error.file),
            to: End::Text(error.message),
            line: Some(error.line),
            column: Some(error.column),
            kind: "error",
            ..Row::default()
        })
    })
}

fn notes(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    snapshot.base.notes().try_for_each(|note| {
        let from = End::Node(note.symbol.unwrap_or(note.file));
        take(Row { from, line: Some(note.line), kind: note.kind.word(), ..Row::default() })
    })
}

fn file_states(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    snapshot.changes.iter().try_for_each(|change| {
        let kind = match change.kind {
            ChangeKind::Added | ChangeKind::Untracked => Change::Added,
            ChangeKind::Modified => Change::Modified,
            ChangeKind::Deleted => Change::Deleted,
            ChangeKind::Renamed { .. } => Change::Renamed,
        };
        take(Row { from: path(snapshot, change.path.as_str()), kind: kind.name(), ..Row::default() })
    })
}

fn touched(snapshot: &Snapshot, take: Take<'_>) -> io::Result<()> {
    let rows = snapshot.past.commits.iter().flat_map(|commit| commit.touched.iter().map(move |(path, _)| (commit, path)));
    rows.into_iter().try_for_each(|(commit, touched)| {
        take(Row { from: End::Text(&commit.id), to: path(snapshot, touched.as_str()), ..Row::default() })
    })
}

/// The file at a path, or the path of one that is gone or ignored.
fn path<'a>(snapshot: &Snapshot, path: &'a str) -> End<'a> {
    snapshot.base.file_at(path).map_or(End::Text(path), End::Node)
}
