//! Callers and callees: the sites that lead to a definition, and those that stand in it.

use super::answer::{Answer, Row};
use super::desk::Desk;
use super::draw::Drawing;
use super::name::named;
use super::outside::{add_entries, add_routes, exports};
use super::written::{add_inner, add_unread};
use activate_grammars::language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use error::Result;
use index::base::{FactBase, Promise, SiteRow, SymbolKind};
use index::completeness::{Completeness, State, Subject};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of definitions that hold others.
const WHOLE: [SymbolKind; 3] = [SymbolKind::Type, SymbolKind::Interface, SymbolKind::Module];

/// What a site does that uses what it leads to.
const USES: [LinkKind; 5] = [LinkKind::Calls, LinkKind::References, LinkKind::Implements, LinkKind::Extends, LinkKind::ServedBy];

/// What a site does that runs what it leads to, or hands it on to be run.
const CALLS: [LinkKind; 2] = [LinkKind::Calls, LinkKind::References];

/// A method of an interface that a method fulfils: whoever calls it may call the method, as one of so many.
struct Front {
    method: NodeId,
    confidence: Confidence,
    promise: Promise,
}

/// The sites that lead to a definition or a part of it, one a row.
pub(crate) fn callers(desk: &Desk<'_>, name: &str) -> Result<Answer> {
    let base = desk.base;
    let nodes = named(base, name)?.nodes;
    let parts: FxHashSet<NodeId> = desk.with_parts(&nodes).into_iter().collect();
    let fronts = fronts(desk, &parts);
    // Of a whole type or file, places that may mean it are counted: its methods have them.
    let is_whole =
        nodes.iter().any(|node| base.is_file(*node) || base.symbol(*node).is_some_and(|row| WHOLE.contains(&row.kind)));
    let (mut n_folded, mut own) = (0, BTreeSet::new());
    let (mut rows, mut made, mut drawing) = (Vec::new(), Vec::new(), Drawing::default());
    for site in base.sites() {
        let is_file = base.is_file(site.to);
        // Files of one package see one another without an import.
        let is_import = is_file && site.kind == LinkKind::Imports && !is_mate(desk, base.file_of(site.from), site.to);
        if !(USES.contains(&site.kind) || is_import) {
            continue;
        }
        let is_own = parts.contains(&site.from) && !(site.from == site.to && nodes.contains(&site.to));
        // Who fulfils the same promise in another way calls nothing.
        let front = fronts.get(&site.to).filter(|_| CALLS.contains(&site.kind));
        if !parts.contains(&site.to) && front.is_none() {
            continue;
        }
        if is_own {
            own.insert((site.from, site.line));
            continue;
        }
        let mut row = Row { line: site.line, ..desk.row(site.from) }.by(site.kind).sure(site.confidence);
        if site.kind == LinkKind::ServedBy {
            row.route = desk.route(site.from, site.to, Some(site.line));
        }
        let mut target = site.to;
        if let Some(front) = front.filter(|_| !parts.contains(&site.to)) {
            row = row.sure(site.confidence.max(front.confidence)).promised(desk, front.promise);
            row.through = vec![desk.local(site.to)];
            target = front.method;
        }
        if row.promise.is_none() && is_one_of_two(base, &site) {
            row.one_of = Some(2);
        }
        if is_whole && row.is_guess() {
            n_folded += 1;
            continue;
        }
        row.of = (!nodes.contains(&target)).then(|| desk.local(target));
        // Who makes an instance of a class uses its constructor at the same place.
        if row.of.is_some() && constructs(desk, target).is_some_and(|class| nodes.contains(&class)) {
            made.push(row);
            continue;
        }
        if rows.len() < desk.limit() {
            drawing.add(desk.id(site.from), desk.id(target));
        }
        rows.push(row);
    }
    let place = |row: &Row| (row.path.as_str().to_owned(), row.line);
    let places: FxHashSet<(String, u32)> = rows.iter().filter(|row| row.of.is_none()).map(place).collect();
    rows.extend(made.into_iter().filter(|row| !places.contains(&place(row))));
    let subject = Subject::new(base, &nodes, &desk.snapshot.unseen);
    let mut known = subject.map_or_else(not_code, |subject| subject.of_places());
    let all: Vec<NodeId> = desk.with_parts(&nodes);
    add_unread(desk, &all, &mut known, &|around| !parts.contains(&around));
    add_entries(desk, &all, &mut known);
    add_routes(desk, &all, &all, &mut known);
    add_inner(desk, &nodes, &mut known);
    let mut answer = desk.sorted("callers", about(desk, &nodes), rows, &known);
    answer.add_aside(
        n_folded,
        "place means it or another of several: ask for its method by name to see it",
        "places mean it or another of several: ask for its methods by name to see them",
    );
    if is_whole {
        answer.add_aside(own.len(), "use by its own members is left out", "uses by its own members are left out");
    }
    answer.asides.extend(exports(desk, &nodes));
    answer.drawing = Some(drawing);
    Ok(answer)
}

/// The class of a constructor that has a name of its own.
fn constructs(desk: &Desk<'_>, node: NodeId) -> Option<NodeId> {
    let symbol = desk.base.symbol(node)?;
    let (_, language) = language_of(desk.base.path(symbol.file))?;
    symbol.container.filter(|_| language.scope.constructor == Some(symbol.name))
}

/// Whether two files are of one module that all files of a folder make up.
fn is_mate(desk: &Desk<'_>, left: NodeId, right: NodeId) -> bool {
    let base = desk.base;
    let is_folder = |(_, language): (_, &activate_grammars::Language)| language.scope.modules == ModuleModel::Folder;
    let by_folder = |file: NodeId| language_of(base.path(file)).is_some_and(is_folder);
    let folder = |file: NodeId| base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
    by_folder(left) && by_folder(right) && folder(left) == folder(right)
}

/// The methods of interfaces that methods among these fulfil.
fn fronts(desk: &Desk<'_>, parts: &FxHashSet<NodeId>) -> FxHashMap<NodeId, Front> {
    let base = desk.base;
    let mut fronts: FxHashMap<NodeId, Front> = FxHashMap::default();
    let mut methods: Vec<NodeId> = parts.iter().copied().collect();
    methods.sort_unstable();
    methods.retain(|node| base.symbol(*node).is_some_and(|row| row.kind == SymbolKind::Method));
    for method in methods {
        for (front, link) in base.links().row(method).filter(|(_, link)| link.kind() == LinkKind::Implements) {
            let promise = Promise::of(base, front);
            fronts.entry(front).or_insert(Front { method, confidence: link.confidence(), promise });
        }
    }
    fronts
}

/// Whether a site that may mean two definitions is linked with both.
fn is_one_of_two(base: &FactBase, site: &SiteRow) -> bool {
    let name = |node| base.symbol(node).map(|row| row.name);
    let is_same = |other: &SiteRow| (other.line, other.kind, other.confidence) == (site.line, site.kind, site.confidence);
    let others = || base.sites_from(site.from).filter(|other| is_same(other) && name(other.to) == name(site.to));
    site.confidence == Confidence::AmongTwo && others().count() == 2
}

/// What a definition calls and names, each where it is defined, with the lines that do.
pub(crate) fn callees(desk: &Desk<'_>, name: &str) -> Result<Answer> {
    let base = desk.base;
    let nodes = named(base, name)?.nodes;
    let parts: FxHashSet<NodeId> = desk.with_parts(&nodes).into_iter().collect();
    let is_file = nodes.iter().any(|node| base.is_file(*node));
    let mut used: BTreeMap<NodeId, (LinkKind, Confidence, Vec<u32>, NodeId)> = BTreeMap::new();
    for site in base.sites().filter(|site| parts.contains(&site.from) && !parts.contains(&site.to)) {
        let is_import = || site.kind == LinkKind::Imports && !is_mate(desk, base.file_of(site.from), base.file_of(site.to));
        let is_meant = USES.contains(&site.kind) || is_file && is_import();
        if !is_meant || !base.is_file(site.to) && !base.is_symbol(site.to) {
            continue;
        }
        let entry = used.entry(site.to).or_insert((site.kind, site.confidence, Vec::new(), site.from));
        entry.0 = entry.0.min(site.kind);
        entry.1 = entry.1.min(site.confidence);
        if entry.2.last() != Some(&site.line) {
            entry.2.push(site.line);
        }
    }
    let (mut rows, mut drawing) = (Vec::new(), Drawing::default());
    for (to, (kind, confidence, mut lines, from)) in used {
        lines.sort_unstable();
        lines.dedup();
        if rows.len() < desk.limit() {
            drawing.add(desk.id(from), desk.id(to));
        }
        let route = desk.route(from, to, None).filter(|_| kind == LinkKind::ServedBy);
        rows.push(Row { used_in: lines, route, ..desk.row(to).by(kind).sure(confidence) });
    }
    let subject = Subject::new(base, &nodes, &desk.snapshot.unseen);
    let known = subject.map_or_else(not_code, |subject| subject.of_callees());
    let mut answer = desk.sorted("callees", about(desk, &nodes), rows, &known);
    answer.drawing = Some(drawing);
    Ok(answer)
}

/// The canonical ids of what a question is about, those of one definition once.
pub(crate) fn about(desk: &Desk<'_>, nodes: &[NodeId]) -> Vec<redact::Safe> {
    let mut ids: Vec<redact::Safe> = nodes.iter().map(|node| desk.id(*node)).collect();
    ids.dedup();
    ids
}

/// What is known of a file without code.
pub(crate) fn not_code() -> Completeness {
    Completeness { state: State::Unknown, reasons: vec!["it is not in a language that is parsed".to_owned()] }
}
