//! Definitions that nothing uses, only those of which that is sure: better silent than wrong.
//!
//! Left out are what others may use (exported from its package), what is called by no name (methods, entry points, tests), and whatever is
//! written anywhere it could be meant.

use super::answer::{Answer, Row};
use super::desk::{Desk, is_of_tests};
use super::rows::sort;
use activate_grammars::facts::{Traits, Visibility};
use activate_grammars::scope::ModuleModel;
use activate_grammars::{Level, language_of};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FactBase, FileFlags, SymbolKind, SymbolRow};
use index::completeness::{Completeness, State, Subject};
use index::text::{Field, Form, for_each_word};
use std::collections::{BTreeMap, BTreeSet};

/// The most definitions without a known use that are looked at closely.
const MAX_LOOKED_AT: usize = 3_000;

/// Kinds of definitions that are used by their names alone.
const KINDS: [SymbolKind; 6] = [
    SymbolKind::Function,
    SymbolKind::Type,
    SymbolKind::Interface,
    SymbolKind::Alias,
    SymbolKind::Constant,
    SymbolKind::Variable,
];

/// Names that a language or its tools call.
const ENTRIES: [&str; 3] = ["main", "init", "default"];

/// Files that are not ours, or not of the program.
const ASIDE: [u32; 5] = [FileFlags::TEST, FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

/// Links to what uses a definition.
const USED_BY: [LinkKind; 6] = [
    LinkKind::CalledBy,
    LinkKind::ReferencedBy,
    LinkKind::ImplementedBy,
    LinkKind::ExtendedBy,
    LinkKind::ImportedBy,
    LinkKind::Serves,
];

/// Attributes of Rust that let nothing but the name use a definition.
const PLAIN_ATTRIBUTES: [&str; 7] = ["derive", "inline", "must_use", "doc", "cold", "track_caller", "non_exhaustive"];

/// Definitions that nothing uses; with `all` also those that may have a use that is not known, behind the others.
pub(crate) fn unused(desk: &Desk<'_>, all: bool) -> Answer {
    let base = desk.base;
    let mut by_file: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    let (mut n_doubtful, mut n_looked_at) = (0, 0);
    for file in base.files().filter(|file| base.level(*file) == Some(Level::Resolved)) {
        if ASIDE.iter().any(|flag| base.flags(file).has(*flag)) || base.limit(file).is_some() {
            continue;
        }
        let open = base.symbols_of(file).map(NodeId).filter(|node| is_candidate(base, *node) && !is_linked(base, *node));
        by_file.insert(file, open.collect());
    }
    let included = included(desk);
    let (mut rows, mut doubtful) = (Vec::new(), Vec::new());
    for node in by_file.into_values().flatten() {
        let Some(symbol) = base.symbol(node) else { continue };
        n_looked_at += 1;
        if n_looked_at > MAX_LOOKED_AT {
            n_doubtful += 1;
            continue;
        }
        let subject = || Subject::new(base, &[node], &[]).map(|subject| (subject.users().is_empty(), subject.of_places().state));
        // What costs less is asked first.
        let is_sure = !is_ambient(desk, &symbol)
            && !is_written(desk, &symbol, &included)
            && is_plain(desk, &symbol)
            && subject() == Some((true, State::Complete));
        if is_sure {
            rows.push(Row { kind: Some(symbol.kind.word()), ..desk.row(node) });
        } else {
            n_doubtful += 1;
            if all {
                doubtful.push(Row { kind: Some(symbol.kind.word()), how: Some("may_be_used"), ..desk.row(node) });
            }
        }
    }
    let mut known = Completeness { state: State::Complete, reasons: Vec::new() };
    if desk.snapshot.unseen.is_empty() {
        known.lacks("methods and what a package exports are not looked at".to_owned());
        desk.add_by_name(&mut known);
    } else {
        // What is not known may use anything.
        rows.clear();
        known.reasons.clone_from(&desk.snapshot.unseen);
        known.state = State::Unknown;
    }
    sort(&mut rows);
    sort(&mut doubtful);
    let n_untold = n_doubtful - doubtful.len();
    rows.append(&mut doubtful);
    let mut answer = desk.answer("unused", Vec::new(), rows, &known);
    answer.add_aside(
        n_untold,
        if all { "more is not looked at" } else { "more has no known use, but may have one: `unused --all` lists it" },
        if all { "more are not looked at" } else { "more have no known use, but may have one: `unused --all` lists them" },
    );
    answer
}

/// Whether a definition is of a kind that is used by its name alone, and by code of its own package.
fn is_candidate(base: &FactBase, node: NodeId) -> bool {
    let Some(symbol) = base.symbol(node) else { return false };
    let not = [Traits::NESTED, Traits::DEFAULT, Traits::BODILESS, Traits::OTHER_BUILD, Traits::AT_ROOT, Traits::UNTITLED];
    KINDS.contains(&symbol.kind)
        && symbol.visibility != Visibility::Public
        && !symbol.name.starts_with('_')
        && !ENTRIES.contains(&symbol.name)
        && !is_of_tests(&symbol)
        && !not.iter().any(|each| symbol.traits.has(*each))
        // What stands in a type is used as its members are.
        && symbol.container.and_then(|container| base.symbol(container)).is_none_or(|row| row.kind == SymbolKind::Module)
}

/// Whether anything but itself is known to use a definition or a part of it.
fn is_linked(base: &FactBase, node: NodeId) -> bool {
    let is_use = |to: NodeId, kind: LinkKind| USED_BY.contains(&kind) && to != node;
    let of = |node: NodeId| base.links().row(node).any(|(to, link)| is_use(to, link.kind()));
    of(node)
}

/// What files outside of the language a package of Rust takes for its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Included {
    /// Those that it names.
    Named,
    /// Some that are made while it is built.
    Made,
}

/// The packages that take other files for their code.
fn included<'a>(desk: &Desk<'a>) -> BTreeMap<Option<&'a str>, Included> {
    let base = desk.base;
    let mut found: BTreeMap<Option<&str>, Included> = BTreeMap::new();
    let Ok(index) = base.text() else { return found };
    for file in index.lookup("include").map(|posting| NodeId(posting.doc)) {
        let is_tree = |(_, language): (_, &activate_grammars::Language)| language.scope.modules == ModuleModel::Tree;
        let Some(text) = desk.text(file).filter(|_| language_of(base.path(file)).is_some_and(is_tree)) else { continue };
        for line in 1..=text.n_lines() {
            for (at, mark) in text.line(line).match_indices("include!") {
                let of = text.line(line)[at + mark.len()..].trim_start_matches([' ', '(', '[', '{']);
                let kind = if of.starts_with('"') { Included::Named } else { Included::Made };
                let known = found.entry(base.package_of(file)).or_insert(kind);
                *known = kind.max(*known);
            }
        }
    }
    found
}

/// Whether a definition says what is there without the file: what others declare, it only has to know.
fn is_ambient(desk: &Desk<'_>, symbol: &SymbolRow<'_>) -> bool {
    let path = desk.base.path(symbol.file);
    if !is_of_files(path) {
        return false;
    }
    let Some(text) = desk.text(symbol.file) else { return true };
    let declares = |line: u32| {
        let line = text.line(line).trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        line.strip_prefix("declare ")
            .is_some_and(|rest| ["module", "global", "namespace"].iter().any(|word| rest.starts_with(word)))
    };
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending)) || (1..=symbol.name_line).any(declares)
}

/// Whether files of its language are modules each.
fn is_of_files(path: &str) -> bool {
    language_of(path).is_some_and(|(_, language)| language.scope.modules == ModuleModel::File)
}

/// Whether a file is a module by itself: one without imports and exports is a script, whose names all scripts of a page have.
fn is_module(desk: &Desk<'_>, file: NodeId) -> bool {
    let Some(text) = desk.text(file) else { return false };
    let is_mark =
        |line: &str, word: &str| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '{', '*', '"', '\'']));
    (1..=text.n_lines()).any(|line| ["import", "export"].iter().any(|word| is_mark(text.line(line), word)))
}

/// Whether its name is written anywhere that it could be meant, itself aside.
fn is_written(desk: &Desk<'_>, symbol: &SymbolRow<'_>, included: &BTreeMap<Option<&str>, Included>) -> bool {
    let base = desk.base;
    let Some((_, language)) = language_of(base.path(symbol.file)) else { return true };
    let Ok(index) = base.text() else { return true };
    let mut word = String::new();
    for_each_word(symbol.name.as_bytes(), |found, form| {
        if word.is_empty() && form != Form::Part {
            found.clone_into(&mut word);
        }
    });
    let folder = |file: NodeId| base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
    let in_code = index.lookup(&word).filter(|posting| {
        let fields = posting.fields();
        fields.contains(Field::Body) || fields.contains(Field::Literal) || fields.contains(Field::Name)
    });
    let included = included.get(&base.package_of(symbol.file));
    if language.scope.modules == ModuleModel::Tree && included == Some(&Included::Made) {
        return true;
    }
    // Where modules are members of folders, a path that no import names leads to them too.
    let by_import = language.scope.modules == ModuleModel::File && language.scope.submodules.is_none();
    let is_alone = by_import && is_module(desk, symbol.file);
    // By its name alone it can be used in its package, or in its file.
    let could_mean = |other: NodeId| match language.scope.modules {
        ModuleModel::Folder => folder(other) == folder(symbol.file),
        ModuleModel::Package => base.language(other) == base.language(symbol.file),
        ModuleModel::Tree => {
            let is_named = included.is_some() && !base.flags(other).has(FileFlags::DOCUMENT);
            base.language(other) == base.language(symbol.file) || is_named
        }
        ModuleModel::File => !is_alone,
        ModuleModel::Unknown => true,
    };
    let others: Vec<NodeId> =
        in_code.map(|posting| NodeId(posting.doc)).filter(|other| *other != symbol.file && could_mean(*other)).collect();
    let own = base.symbols_of(symbol.file).map(NodeId).filter_map(|node| base.symbol(node));
    let own: Vec<(u32, u32)> =
        own.filter(|row| row.local_id == symbol.local_id).map(|row| (row.first_line(), row.lines.1)).collect();
    let is_own = |line: u32| own.iter().any(|(first, last)| (*first..=*last).contains(&line));
    writes(desk, symbol.file, symbol.name, is_own) || others.into_iter().any(|file| writes(desk, file, symbol.name, |_| false))
}

/// Whether a file writes a name outside of comments and some lines; one that cannot be read may.
fn writes(desk: &Desk<'_>, file: NodeId, name: &str, is_left_out: impl Fn(u32) -> bool) -> bool {
    let Some(text) = desk.text(file) else { return true };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    (1..=text.n_lines()).filter(|line| !is_left_out(*line)).any(|line| {
        let line = text.line(line);
        let start = line.trim_start();
        // Comments that are commands to a compiler use what they name.
        let is_comment = ["// ", "/*", "* "].iter().any(|mark| start.starts_with(mark)) || start == "//";
        !is_comment
            && line
                .match_indices(name)
                .any(|(at, _)| !line[..at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word))
    })
}

/// Whether nothing that stands above a definition says that somebody else uses it or that it may be unused.
fn is_plain(desk: &Desk<'_>, symbol: &SymbolRow<'_>) -> bool {
    let Some(text) = desk.text(symbol.file) else { return false };
    let mut words: BTreeSet<&str> = BTreeSet::new();
    let mut is_odd = false;
    for line in symbol.first_line()..=symbol.name_line.max(symbol.first_line()) {
        let line = text.line(line).trim();
        if let Some(attribute) = line.strip_prefix("#[") {
            words.insert(attribute.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default());
        }
        // `//export`, `//go:linkname`, decorators, and orders to linters.
        let is_order = line.strip_prefix("//").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        is_odd |=
            is_order || line.starts_with('@') || line.contains("nolint") || line.contains("unused") || line.contains("dead_code");
    }
    // What a whole file allows is asked for there.
    let head = (1..=text.n_lines().min(40)).map(|line| text.line(line));
    let mut head = head.filter(|line| line.starts_with("#!["));
    is_odd |= head.any(|line| line.contains("dead_code") || line.contains("unused"));
    !is_odd && words.iter().all(|word| PLAIN_ATTRIBUTES.contains(word))
}
