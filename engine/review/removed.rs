//! Definitions that a change takes away, and where they are used all the same.
//!
//! A use is a place that led to the definition before the change and leads nowhere after it: names alone say nothing.

use super::ChangedKind;
use super::around::around;
use super::locate::Placed;
use super::patch::Sign;
use super::uses::uses;
use activate_grammars::facts::{Container, Expr, ExprId, FileFacts, Symbol, SymbolKind, Traits};
use activate_grammars::language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use index::extract::extract;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What lines of comments begin with.
const COMMENTS: [&str; 3] = ["//", "/*", "*"];

/// The most definitions whose uses are looked for.
const MAX_DEFINITIONS: usize = 60;
/// The most uses that are kept of one; more are counted.
const MAX_USES: usize = 12;

/// A definition that goes and is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its name, with the type that it belongs to: `Store.Close`.
    pub name: String,
    /// What it was: `function`, `method` and so on.
    pub kind: &'static str,
    /// The file that had it.
    pub path: String,
    /// The line of it there, before the change.
    pub line: u32,
    /// The first places where it is used, by path and line.
    pub uses: Vec<(NodeId, u32)>,
    /// How many there are in the files that were looked at.
    pub n_uses: usize,
}

/// What is asked of the repository.
pub struct Asked<'a> {
    /// What is known of the files.
    pub base: &'a FactBase,
    /// The content of a file.
    pub read: &'a (dyn Fn(NodeId) -> Option<Vec<u8>> + Sync),
}

/// A changed file of code with both of its sides.
pub(super) struct Sides<'p> {
    pub(super) placed: &'p Placed,
    pub(super) old_path: &'p str,
    pub(super) old: FileFacts,
    pub(super) new: FileFacts,
}

/// A definition that goes: its file among the changed ones, and its place among the symbols there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gone {
    pub(super) file: usize,
    pub(super) symbol: usize,
}

/// What tells a definition from its namesakes: its module, the type that it belongs to, its name.
type Key<'k> = (&'k str, Option<&'k str>, &'k str);

/// What a change does beside what its definitions do now.
#[derive(Debug, Default)]
pub struct Effects {
    /// The definitions that go and are used, those with most uses first.
    pub removed: Vec<Removed>,
    /// How many definitions go, used or not.
    pub n_gone: usize,
    /// Files of which something changes that is of no definition and no import, by their paths: whoever imports them may notice.
    pub at_large: BTreeSet<String>,
}

/// What goes, and which files change outside of their definitions. Of a file that is not code, not there as a whole,
/// or whose lines are not read, nothing is known.
pub fn effects<'p>(asked: &Asked<'_>, placed: &'p [Placed]) -> Effects {
    let is_unread = |file: &Placed| matches!(file.kind, ChangedKind::Binary | ChangedKind::Large);
    let is_code = |file: &&Placed| file.is_whole && !is_unread(file) && language_of(&file.path).is_some();
    let sides = |placed: &'p Placed| {
        let Placed { path, from, old, new, .. } = placed;
        let old_path = from.as_deref().unwrap_or(path);
        let of = |path: &str, text: &str| extract(path, Some(text.as_bytes())).facts;
        Sides { placed, old_path, old: of(old_path, old), new: of(path, new) }
    };
    let code: Vec<&Placed> = placed.iter().filter(is_code).collect();
    let code: Vec<Sides<'_>> = code.into_par_iter().map(sides).collect();
    let gone = gone(&code);
    let known: FxHashSet<&str> =
        code.iter().filter(|sides| !is_at_large(sides)).map(|sides| sides.placed.path.as_str()).collect();
    let at_large = placed.iter().map(|file| &file.path).filter(|path| !known.contains(path.as_str())).cloned().collect();
    if gone.is_empty() {
        return Effects { at_large, ..Effects::default() };
    }
    let around = around(asked, &code, &gone);
    let removed = |(gone, uses): (&Gone, Vec<(NodeId, u32)>)| {
        let Sides { old_path, old, .. } = &code[gone.file];
        let symbol = &old.symbols[gone.symbol];
        let name = old.names.get(symbol.name);
        Removed {
            name: owner(old, symbol).map_or_else(|| name.to_owned(), |of| format!("{of}.{name}")),
            kind: symbol.kind.word(),
            path: (*old_path).to_owned(),
            line: symbol.name_line,
            n_uses: uses.len(),
            uses: uses.into_iter().take(MAX_USES).collect(),
        }
    };
    let uses = uses(asked.base, &code, &gone, &around);
    let mut removed: Vec<Removed> = gone.iter().zip(uses).map(removed).filter(|removed| removed.n_uses > 0).collect();
    removed
        .sort_by(|one, other| (Reverse(one.n_uses), &one.path, one.line).cmp(&(Reverse(other.n_uses), &other.path, other.line)));
    Effects { removed, n_gone: gone.len(), at_large }
}

/// Whether a line changes that is of no definition, no import and no comment.
fn is_at_large(sides: &Sides<'_>) -> bool {
    let placed = sides.placed;
    let outside = |facts: &FileFacts, text: &str| {
        let mut known = vec![false; text.lines().count() + 1];
        let spans = facts.symbols.iter().map(|symbol| (symbol.doc_line.clamp(1, symbol.lines.0.max(1)), symbol.lines.1));
        let mut ends: Vec<(u32, u32)> = spans.chain(facts.imports.iter().map(|import| (import.line, import.line))).collect();
        ends.sort_unstable();
        let mut next = 0;
        for (first, last) in ends {
            let last = (last as usize).min(known.len() - 1);
            let first = next.max(first as usize).min(last + 1);
            known[first..=last].fill(true);
            next = next.max(last + 1);
        }
        let says_nothing = |line: &str| line.is_empty() || COMMENTS.iter().any(|start| line.starts_with(start));
        text.lines().zip(&known[1..]).map(|(line, is_known)| !is_known && !says_nothing(line.trim())).collect::<Vec<bool>>()
    };
    let sides = [(outside(&sides.old, &placed.old), Sign::Removed), (outside(&sides.new, &placed.new), Sign::Added)];
    sides.iter().any(|(outside, sign)| {
        let lines = placed.hunks.iter().flat_map(|hunk| hunk.lines_of(*sign));
        lines.into_iter().any(|line| outside.get(line as usize - 1).copied().unwrap_or_default())
    })
}

/// The definitions that their module does not have after the change; those first that have no namesake anywhere in it, as what moves has.
fn gone(code: &[Sides<'_>]) -> Vec<Gone> {
    let after =
        || code.iter().flat_map(|sides| sides.new.symbols.iter().map(|symbol| key(&sides.placed.path, &sides.new, symbol)));
    let mut kept: FxHashSet<Key<'_>> = after().collect();
    let elsewhere: FxHashSet<(Option<&str>, &str)> = after().map(|(_, of, name)| (of, name)).collect();
    let mut gone = Vec::new();
    for (file, sides) in code.iter().enumerate() {
        let added = Added::new(sides);
        for (at, symbol) in sides.old.symbols.iter().enumerate() {
            let is_test = symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST);
            let is_own = !symbol.traits.has(Traits::NESTED) && symbol.kind != SymbolKind::Module;
            let key = key(sides.old_path, &sides.old, symbol);
            if is_own && !is_test && kept.insert(key) && !added.may_define(key) {
                gone.push((elsewhere.contains(&(key.1, key.2)), Gone { file, symbol: at }));
            }
        }
    }
    gone.sort_by_key(|(moves, _)| *moves);
    gone.into_iter().map(|(_, gone)| gone).take(MAX_DEFINITIONS).collect()
}

/// What the lines say that a change adds to a file.
struct Added<'p> {
    words: FxHashSet<&'p str>,
    /// The names of definitions that begin there.
    names: FxHashSet<&'p str>,
    /// Whether one gives a type members of any name, as `[key: string]: unknown` does.
    has_index: bool,
}

impl<'p> Added<'p> {
    fn new(sides: &'p Sides<'_>) -> Self {
        let (placed, facts) = (sides.placed, &sides.new);
        let lines: Vec<&str> = placed.new.lines().collect();
        let lines_added: FxHashSet<u32> = placed.hunks.iter().flat_map(|hunk| hunk.lines_of(Sign::Added)).collect();
        let symbols = facts.symbols.iter().filter(|symbol| lines_added.contains(&symbol.name_line));
        let names = symbols.map(|symbol| facts.names.get(symbol.name)).collect();
        let mut added = Self { words: FxHashSet::default(), names, has_index: false };
        for line in lines_added.into_iter().filter_map(|line| lines.get(line as usize - 1)) {
            added.words.extend(line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$')));
            let member = line.trim_start().trim_start_matches("readonly ").trim_start_matches("static ");
            added.has_index |= member.starts_with('[') && member.contains("]:");
        }
        added
    }

    /// Whether the added lines can define what goes in a way that is not read: as a field, by a macro, by what its type is made of now.
    fn may_define(&self, (_, of, name): Key<'_>) -> bool {
        let is_remade = of.is_some_and(|of| self.has_index || self.names.contains(of));
        is_remade || self.words.contains(name)
    }
}

fn key<'k>(path: &'k str, facts: &'k FileFacts, symbol: &Symbol) -> Key<'k> {
    (module(path), owner(facts, symbol), facts.names.get(symbol.name))
}

/// The folder or file that a definition of a file is known in.
pub(super) fn module(path: &str) -> &str {
    let is_folder = language_of(path)
        .is_some_and(|(_, language)| matches!(language.scope.modules, ModuleModel::Folder | ModuleModel::Package));
    if is_folder { path.rsplit_once('/').map_or("", |(folder, _)| folder) } else { path }
}

/// The type that a definition belongs to.
pub(super) fn owner<'f>(facts: &'f FileFacts, symbol: &Symbol) -> Option<&'f str> {
    held_by(facts, symbol.container)
}

/// The name of the type that a container is, or holds members of.
pub(super) fn held_by(facts: &FileFacts, container: Container) -> Option<&str> {
    match container {
        Container::File => None,
        Container::Symbol(of) => facts.symbols.get(of.0 as usize).map(|of| facts.names.get(of.name)),
        Container::Owner(of) => facts.owners.get(of as usize).and_then(|owner| named(facts, owner.of)),
    }
}

/// The name that an expression ends with, through pointers and arguments of types.
fn named(facts: &FileFacts, mut expr: ExprId) -> Option<&str> {
    // Expressions may run in circles only where they are damaged.
    for _ in 0..8 {
        expr = match facts.exprs.get(expr.0 as usize)? {
            Expr::Name(name) | Expr::Member(_, name) | Expr::Scoped(_, name) => return Some(facts.names.get(*name)),
            Expr::Pointer(of) | Expr::Apply(of, _) | Expr::Instance(of) | Expr::Deref(of) => *of,
            _ => return None,
        };
    }
    None
}
