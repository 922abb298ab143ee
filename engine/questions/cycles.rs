//! Files that import one another in a circle: for each of them the shortest circle that it is in.
//!
//! Files of one Go package import nothing of one another, and a module that declares its child does not import it by that.

use super::answer::{Answer, Row};
use super::desk::Desk;
use super::draw::Drawing;
use activate_grammars::scope::ModuleModel;
use activate_grammars::{Level, language_of};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use index::base::FileFlags;
use index::completeness::{Completeness, State};
use redact::Safe;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The most files of one knot of which each is asked for its circle.
const MAX_STARTS: usize = 2_000;

/// From a file to those that it imports, each with the line.
type Imports = BTreeMap<NodeId, BTreeMap<NodeId, u32>>;

/// Circles, each with the number of its files, and how many files were not asked for theirs.
type Circles = (BTreeSet<(usize, Vec<NodeId>)>, usize);

pub(crate) fn cycles(desk: &Desk<'_>) -> Answer {
    let of_program = imports(desk, false);
    let (of_code, mut n_left_out) = circles(&of_program);
    // What closes by an import of tests alone comes last.
    let with_tests = imports(desk, true);
    let (mut by_tests, n_more) = circles(&with_tests);
    by_tests.retain(|(_, circle)| {
        let next = |at: usize| circle[(at + 1) % circle.len()];
        !(0..circle.len()).all(|at| of_program.get(&circle[at]).is_some_and(|to| to.contains_key(&next(at))))
    });
    n_left_out = n_left_out.max(n_more);
    let circles = of_code.iter().map(|circle| (circle, false, &of_program));
    let circles = circles.chain(by_tests.iter().map(|circle| (circle, true, &with_tests)));
    let mut drawing = Drawing::default();
    let mut rows = Vec::new();
    for ((_, circle), is_of_tests, imports) in circles {
        let line = |at: usize| imports[&circle[at]][&circle[(at + 1) % circle.len()]];
        let others = (1..circle.len()).map(|at| Safe::format("{}:{}", &[&desk.path(circle[at]), &Safe::number(line(at))]));
        let through = others.chain([desk.path(circle[0])]).collect();
        for at in (0..circle.len()).filter(|_| rows.len() < desk.limit()) {
            drawing.add(desk.path(circle[at]), desk.path(circle[(at + 1) % circle.len()]));
        }
        let kind = is_of_tests.then_some("test");
        rows.push(Row { path: desk.path(circle[0]), line: line(0), kind, through, ..Row::default() });
    }
    let mut known = completeness(desk);
    desk.add_by_name(&mut known);
    if n_left_out > 0 {
        known.lacks(format!("{n_left_out} files of large knots are not looked at one by one"));
    }
    let mut answer = desk.answer("cycles", Vec::new(), rows, &known);
    answer.drawing = Some(drawing);
    answer
}

/// For each file of a knot the shortest circle through it.
fn circles(imports: &Imports) -> Circles {
    let (mut circles, mut n_left_out) = (BTreeSet::new(), 0);
    for knot in knots(imports) {
        n_left_out += knot.len().saturating_sub(MAX_STARTS);
        for start in knot.iter().take(MAX_STARTS) {
            let circle = shortest(imports, &knot, *start);
            circles.extend(circle.map(|circle| (circle.len(), from_first(circle))));
        }
    }
    (circles, n_left_out)
}

/// The imports between files of ours that are sure, those of tests only where they are wanted.
fn imports(desk: &Desk<'_>, with_tests: bool) -> Imports {
    let base = desk.base;
    let mut imports: Imports = BTreeMap::new();
    let is_others = |file: NodeId| base.flags(file).has(FileFlags::VENDORED);
    for site in base.sites().filter(|site| site.kind == LinkKind::Imports && site.confidence <= Confidence::Unique) {
        let (from, to) = (base.file_of(site.from), site.to);
        if !base.is_file(to) || from == to || is_others(from) || is_others(to) {
            continue;
        }
        if !with_tests && (is_of_tests(desk, from, site.line) || desk.is_test(to)) {
            continue;
        }
        let folder = |file: NodeId| base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_declaration = match language_of(base.path(from)).map(|(_, language)| language.scope.modules) {
            Some(ModuleModel::Folder | ModuleModel::Package) => folder(from) == folder(to),
            Some(ModuleModel::Tree) => declares(desk, from, site.line),
            Some(ModuleModel::File) => false,
            // Where its imports lead is not known.
            Some(ModuleModel::Unknown) | None => true,
        };
        if !is_declaration {
            let line = imports.entry(from).or_default().entry(to).or_insert(site.line);
            *line = (*line).min(site.line);
        }
    }
    imports
}

/// Whether a line stands in a file of tests, or among tests in another file.
fn is_of_tests(desk: &Desk<'_>, file: NodeId, line: u32) -> bool {
    desk.is_test(desk.base.symbol_at(file, line).unwrap_or(file))
}

/// Whether a line only declares a child module.
fn declares(desk: &Desk<'_>, file: NodeId, line: u32) -> bool {
    let text = desk.text(file);
    let text = text.as_deref().map_or("", |text| text.line(line)).trim();
    let text = text.rsplit_once(']').map_or(text, |(_, rest)| rest.trim());
    let text = match text.strip_prefix("pub") {
        Some(rest) if rest.trim_start().starts_with('(') => rest.split_once(')').map_or(rest, |(_, rest)| rest).trim(),
        Some(rest) => rest.trim(),
        None => text,
    };
    text.starts_with("mod ") && text.contains(';')
}

/// The sets of files of which each reaches each, largest ones too, in the order of their first files.
fn knots(imports: &Imports) -> Vec<BTreeSet<NodeId>> {
    // Tarjan's, with a stack of its own: chains of imports are as long as somebody makes them.
    let mut state = Tarjan::default();
    for start in imports.keys() {
        if !state.numbers.contains_key(start) {
            state.walk(imports, *start);
        }
    }
    let mut found = state.found;
    found.sort_by_key(|knot| knot.first().copied());
    found
}

#[derive(Default)]
struct Tarjan {
    numbers: FxHashMap<NodeId, u32>,
    lows: FxHashMap<NodeId, u32>,
    stack: Vec<NodeId>,
    on_stack: BTreeSet<NodeId>,
    found: Vec<BTreeSet<NodeId>>,
}

impl Tarjan {
    fn enter(&mut self, node: NodeId) {
        let number = self.numbers.len() as u32;
        self.numbers.insert(node, number);
        self.lows.insert(node, number);
        self.stack.push(node);
        self.on_stack.insert(node);
    }

    fn lower(&mut self, node: NodeId, to: u32) {
        let low = self.lows.entry(node).or_insert(to);
        *low = (*low).min(to);
    }

    fn walk(&mut self, imports: &Imports, start: NodeId) {
        let next_of = |node: NodeId| imports.get(&node).into_iter().flat_map(|to| to.keys().copied()).collect::<VecDeque<_>>();
        self.enter(start);
        let mut open: Vec<(NodeId, VecDeque<NodeId>)> = vec![(start, next_of(start))];
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if let Some(to) = next.pop_front() {
                if !self.numbers.contains_key(&to) {
                    self.enter(to);
                    open.push((to, next_of(to)));
                } else if self.on_stack.contains(&to) {
                    let number = self.numbers[&to];
                    self.lower(node, number);
                }
                continue;
            }
            open.pop();
            let low = self.lows[&node];
            if let Some((above, _)) = open.last() {
                let above = *above;
                self.lower(above, low);
            }
            if low == self.numbers[&node] {
                self.close(node);
            }
        }
    }

    /// Takes the knot off the stack of which `node` was met first.
    fn close(&mut self, node: NodeId) {
        let mut knot = BTreeSet::new();
        while let Some(last) = self.stack.pop() {
            self.on_stack.remove(&last);
            knot.insert(last);
            if last == node {
                break;
            }
        }
        if knot.len() > 1 {
            self.found.push(knot);
        }
    }
}

/// The shortest circle through a file of a knot, of several the first by paths.
fn shortest(imports: &Imports, knot: &BTreeSet<NodeId>, start: NodeId) -> Option<Vec<NodeId>> {
    let mut before: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for to in imports.get(&node)?.keys().filter(|to| knot.contains(to)) {
            if *to == start {
                let mut circle = vec![node];
                while let Some(last) = circle.last().copied().filter(|last| *last != start) {
                    circle.push(*before.get(&last)?);
                }
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(to) {
                before.insert(*to, node);
                open.push_back(*to);
            }
        }
    }
    None
}

/// The same circle from its first file on.
fn from_first(mut circle: Vec<NodeId>) -> Vec<NodeId> {
    let first = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or_default();
    circle.rotate_left(first);
    circle
}

fn completeness(desk: &Desk<'_>) -> Completeness {
    let base = desk.base;
    let mut known = Completeness { state: State::Complete, reasons: Vec::new() };
    for reason in &desk.snapshot.unseen {
        known.lacks(reason.clone());
    }
    let is_ours = |file: &NodeId| base.language(*file).is_some() && !base.flags(*file).has(FileFlags::VENDORED);
    let mut partly: BTreeSet<NodeId> = base.files().filter(|file| is_ours(file) && base.limit(*file).is_some()).collect();
    partly.extend(base.diagnostics().map(|error| error.file).filter(is_ours));
    if let Some(first) = partly.first() {
        let more = if partly.len() > 1 { format!(" and {} more", partly.len() - 1) } else { String::new() };
        known.lacks(format!("{}{more} could not be parsed whole", base.path(*first)));
    }
    let is_open = |file: &NodeId| is_ours(file) && base.level(*file) == Some(Level::Resolved) && base.imports(*file).open > 0;
    let open: Vec<NodeId> = base.files().filter(is_open).collect();
    if let Some(first) = open.first() {
        let more = if open.len() > 1 { format!(" and {} more files", open.len() - 1) } else { String::new() };
        known.lacks(format!("where imports of {}{more} lead is not known", base.path(*first)));
    }
    known
}
