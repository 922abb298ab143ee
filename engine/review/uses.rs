//! Uses that led to a definition before a change and lead nowhere after it.
//!
//! Resolves a part of the repository twice: as it is after the change, and the same with what the definitions went from as it was.

use super::around::Around;
use super::patch::Sign;
use super::removed::{Gone, Sides, held_by, owner};
use super::{ChangedKind, Placed};
use activate_grammars::facts::{Container, ExprId, FileFacts};
use activate_grammars::language_of;
use activate_grammars::project::Manifest;
use activate_rules::atoms::NodeId;
use activate_rules::links::Confidence;
use index::base::{FactBase, FileFlags};
use index::resolve::{End, Facts, Link, Relation, Resolved, SourceFile, resolve};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// For each definition that goes where it is used, by path and line; tests last.
pub(super) fn uses(base: &FactBase, code: &[Sides<'_>], gone: &[Gone], around: &Around<'_>) -> Vec<Vec<(NodeId, u32)>> {
    let losing: FxHashSet<usize> = gone.iter().map(|gone| gone.file).collect();
    let (mut before, mut after) = (Files::new(), Files::new());
    for (path, facts) in &around.files {
        before.insert(path, facts);
        after.insert(path, facts);
    }
    for (at, sides) in code.iter().enumerate() {
        if sides.placed.kind != ChangedKind::Deleted {
            after.insert(&sides.placed.path, &sides.new);
            before.entry(&sides.placed.path).or_insert(&sides.new);
        }
        if losing.contains(&at) {
            before.insert(sides.old_path, &sides.old);
        }
    }
    let (before, after) = (State::new(before, around), State::new(after, around));
    let of_old_path: FxHashMap<&str, usize> = losing.iter().map(|at| (code[*at].old_path, *at)).collect();
    let moved: FxHashMap<usize, Vec<Option<u32>>> = losing.iter().map(|at| (*at, lines_after(code[*at].placed))).collect();
    let symbols: FxHashMap<u32, usize> = gone
        .iter()
        .enumerate()
        .filter_map(|(at, gone)| Some((before.symbol(code[gone.file].old_path, gone.symbol)?, at)))
        .collect();
    let name = |gone: &Gone| {
        let facts = &code[gone.file].old;
        let symbol = &facts.symbols[gone.symbol];
        let may_be_elsewhere =
            owner(facts, symbol).is_none_or(|of| is_asked_for(facts, symbol.container) || after.has_supers(of));
        (facts.names.get(symbol.name), may_be_elsewhere)
    };
    let names: Vec<(&str, bool)> = gone.iter().map(name).collect();
    let mut uses: Vec<BTreeSet<(bool, NodeId, u32)>> = vec![BTreeSet::new(); gone.len()];
    for link in before.resolved.links.iter().filter(|link| is_sure(link)) {
        let Some(&at) = symbols.get(&link.to) else { continue };
        let old = before.place(link);
        // Where the line is after the change.
        let new = match of_old_path.get(old.0) {
            Some(file) => {
                let line = moved[file].get(link.line as usize).copied().flatten();
                line.map(|line| (code[*file].placed.path.as_str(), line))
            }
            None => Some(old),
        };
        let Some((new, node)) = new.and_then(|new| Some((new, base.file_at(new.0)?))) else { continue };
        let (name, may_be_elsewhere) = names[at];
        if is_broken(&before.at(old), &after.at(new), name, may_be_elsewhere) {
            uses[at].insert((base.flags(node).has(FileFlags::TEST), node, new.1));
        }
    }
    let answered = answered(base, code, &names, &uses);
    let left = |(at, uses): (usize, BTreeSet<(bool, NodeId, u32)>)| {
        let uses = uses.into_iter().map(|(_, file, line)| (file, line));
        uses.filter(|(file, line)| !answered.contains(&(at, *file, *line))).collect()
    };
    uses.into_iter().enumerate().map(left).collect()
}

/// Whether a line led to something by a name before and does not after. Nothing may have taken its place.
fn is_broken(before: &Line<'_>, after: &Line<'_>, name: &str, may_be_elsewhere: bool) -> bool {
    let is_lost = after.targets.len() < before.targets.len() && !after.targets.contains(&name);
    is_lost && (after.n_open > before.n_open || !may_be_elsewhere)
}

/// Whether a method is one of those that a trait asks for: where it is not written it may be derived.
fn is_asked_for(facts: &FileFacts, container: Container) -> bool {
    matches!(container, Container::Owner(of) if facts.owners.get(of as usize).is_some_and(|owner| owner.implements != ExprId::UNKNOWN))
}

/// Uses that lead to another definition of the name in the files as they are, of which all are known.
fn answered(
    base: &FactBase,
    code: &[Sides<'_>],
    names: &[(&str, bool)],
    uses: &[BTreeSet<(bool, NodeId, u32)>],
) -> FxHashSet<(usize, NodeId, u32)> {
    let mut asked: FxHashMap<(NodeId, u32), Vec<usize>> = FxHashMap::default();
    for (at, uses) in uses.iter().enumerate() {
        for (_, file, line) in uses {
            asked.entry((*file, *line)).or_default().push(at);
        }
    }
    // Files that still are as they were say nothing of what is after the change.
    let old: FxHashSet<NodeId> = code.iter().filter(|sides| sides.placed.is_old).filter_map(|sides| sides.placed.file).collect();
    let mut answered = FxHashSet::default();
    if asked.is_empty() {
        return answered;
    }
    for site in base.sites().filter(|site| site.confidence <= Confidence::Qualified) {
        let file = base.file_of(site.from);
        let Some(at) = asked.get(&(file, site.line)).filter(|_| !old.contains(&file) && !old.contains(&base.file_of(site.to)))
        else {
            continue;
        };
        for at in at {
            if base.symbol(site.to).is_some_and(|row| row.name == names[*at].0) {
                answered.insert((*at, file, site.line));
            }
        }
    }
    answered
}

/// Where each line before a change is after it, from 1; none where it goes.
fn lines_after(placed: &Placed) -> Vec<Option<u32>> {
    let n_lines = placed.old.lines().count() as u32;
    let mut after = vec![None];
    let mut new = 1;
    let keep_until = |after: &mut Vec<Option<u32>>, new: &mut u32, end: u32| {
        while (after.len() as u32) < end {
            after.push(Some(*new));
            *new += 1;
        }
    };
    for hunk in &placed.hunks {
        keep_until(&mut after, &mut new, hunk.old_at);
        for sign in &hunk.signs {
            match sign {
                Sign::Kept => after.push(Some(new)),
                Sign::Removed => after.push(None),
                Sign::Added => {}
            }
            new += u32::from(*sign != Sign::Removed);
        }
    }
    keep_until(&mut after, &mut new, n_lines + 1);
    after
}

/// Whether a link says that a name is used, and a scope, an import or a type proves it.
fn is_sure(link: &Link) -> bool {
    matches!(link.relation, Relation::Calls | Relation::References) && link.confidence <= Confidence::Qualified
}

type Files<'s> = BTreeMap<&'s str, &'s FileFacts>;

/// What a line leads to.
#[derive(Default)]
struct Line<'s> {
    /// The names of definitions that are proved.
    targets: Vec<&'s str>,
    /// How many sites of it lead nowhere, or to what is guessed.
    n_open: usize,
}

/// A part of the repository in one state.
struct State<'s> {
    files: Vec<(&'s str, &'s FileFacts)>,
    /// The first symbol of each file, and the number of all at the end.
    starts: Vec<u32>,
    resolved: Resolved,
    /// The links of each line, by place.
    lines: FxHashMap<(u32, u32), Vec<u32>>,
    /// How many sites of each line lead nowhere, by place.
    open: FxHashMap<(u32, u32), usize>,
}

impl<'s> State<'s> {
    fn new(files: Files<'s>, around: &Around<'_>) -> Self {
        let files: Vec<(&str, &FileFacts)> = files.into_iter().collect();
        let source = |(path, facts): &(&'s str, &'s FileFacts)| {
            let language = language_of(path).map(|(number, _)| number);
            SourceFile { path, language, facts: Facts::Here(facts) }
        };
        let sources: Vec<SourceFile<'_>> = files.iter().map(source).collect();
        let manifests: Vec<Manifest<'_>> = around.manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
        let resolved = resolve(&sources, &manifests, false, None);
        let mut starts = vec![0];
        for (_, facts) in &files {
            starts.push(starts[starts.len() - 1] + facts.symbols.len() as u32);
        }
        let mut state = Self { files, starts, resolved, lines: FxHashMap::default(), open: FxHashMap::default() };
        for (link, number) in state.resolved.links.iter().zip(0..) {
            if matches!(link.relation, Relation::Calls | Relation::References) {
                state.lines.entry((state.file_of(link.from), link.line)).or_default().push(number);
            }
        }
        for ((file, open), (_, facts)) in (0..).zip(&state.resolved.open).zip(&state.files) {
            for open in open.iter().filter(|open| !open.is_outside) {
                *state.open.entry((file, facts.sites[open.site as usize].line)).or_default() += 1;
            }
        }
        state
    }

    fn symbol(&self, path: &str, symbol: usize) -> Option<u32> {
        let file = self.files.binary_search_by(|(other, _)| (*other).cmp(path)).ok()?;
        Some(self.starts[file] + symbol as u32)
    }

    fn file_of(&self, end: End) -> u32 {
        match end {
            End::File(file) => file,
            End::Symbol(symbol) => (self.starts.partition_point(|start| *start <= symbol) - 1) as u32,
        }
    }

    /// Where a link starts.
    fn place(&self, link: &Link) -> (&'s str, u32) {
        (self.files[self.file_of(link.from) as usize].0, link.line)
    }

    fn at(&self, (path, line): (&str, u32)) -> Line<'s> {
        let Ok(file) = self.files.binary_search_by(|(other, _)| (*other).cmp(path)) else { return Line::default() };
        let place = (file as u32, line);
        let mut known = Line { n_open: self.open.get(&place).copied().unwrap_or_default(), ..Line::default() };
        for number in self.lines.get(&place).into_iter().flatten() {
            let found = &self.resolved.links[*number as usize];
            if is_sure(found) {
                let of = self.file_of(End::Symbol(found.to)) as usize;
                let facts = self.files[of].1;
                known.targets.push(facts.names.get(facts.symbols[(found.to - self.starts[of]) as usize].name));
            } else {
                known.n_open += 1;
            }
        }
        known
    }

    /// Whether a type of this name takes members over from others.
    fn has_supers(&self, name: &str) -> bool {
        self.files.iter().any(|(_, facts)| facts.supers.iter().any(|each| held_by(facts, each.container) == Some(name)))
    }
}
