//! Resolved links, dependencies and tests to the rows that the policy walks.

use super::columns::Columns;
use super::{FileInput, Layout};
use crate::facts::resolve::{End, Relation, Resolved, Target};
use activate_grammars::facts::{Container, SymbolId, SymbolKind, Traits};
use activate_rules::links::{Confidence, LinkAttribute, LinkKind, damping};

/// A link in one direction, while rows are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: u32,
    kind: LinkKind,
    to: u32,
    confidence: Confidence,
    line: u32,
}

/// Adds sites, links and tests.
pub(super) fn add(columns: &mut Columns, files: &[FileInput<'_>], resolved: &Resolved, layout: &Layout) {
    let mut sites: Vec<Edge> = Vec::with_capacity(resolved.links.len() + resolved.dependencies.len());
    for link in &resolved.links {
        let from = match link.from {
            End::File(file) => file,
            End::Symbol(place) => layout.symbol(place),
        };
        let kind = match link.relation {
            Relation::Calls => LinkKind::Calls,
            Relation::References => LinkKind::References,
            Relation::Implements => LinkKind::Implements,
            Relation::Extends => LinkKind::Extends,
        };
        sites.push(Edge { from, kind, to: layout.symbol(link.to), confidence: link.confidence, line: link.line });
    }
    for dependency in &resolved.dependencies {
        let to = match &dependency.to {
            Target::File(file) => Some(*file),
            Target::Package(name) => layout.package(name),
        };
        let (from, confidence, line) = (dependency.from, dependency.confidence, dependency.line);
        sites.extend(to.map(|to| Edge { from, kind: LinkKind::Imports, to, confidence, line }));
    }
    sites.sort_unstable();
    for site in &sites {
        columns.push_u32("site.from", site.from);
        columns.push_u32("site.line", site.line);
        columns.push_u32("site.to", site.to);
        columns.push_u32("site.attribute", LinkAttribute::new(site.kind, site.confidence, 1).bits());
    }
    add_tests(columns, files, &sites, layout);
    sites.extend(contains(files, resolved, layout));
    add_rows(columns, sites, layout);
}

/// Who holds whom: files their outermost symbols, types their members.
fn contains(files: &[FileInput<'_>], resolved: &Resolved, layout: &Layout) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (number, file) in files.iter().enumerate() {
        for (place, symbol) in file.record.facts.symbols.iter().enumerate() {
            let node = layout.symbol_in(number, SymbolId(place as u32));
            let member_of = resolved.containers.get(layout.first_symbol[number] as usize + place).copied().flatten();
            let from = match (member_of, symbol.container) {
                (Some(of), _) => layout.symbol(of),
                (None, Container::Symbol(around)) => layout.symbol_in(number, around),
                (None, _) => number as u32,
            };
            edges.push(Edge { from, kind: LinkKind::Contains, to: node, confidence: Confidence::Exact, line: symbol.name_line });
        }
    }
    edges
}

/// Links in both directions, the surest and first of each kind between two nodes, with damping by fan-out.
fn add_rows(columns: &mut Columns, sites: Vec<Edge>, layout: &Layout) {
    let mut edges = sites;
    let backwards: Vec<Edge> =
        edges.iter().map(|edge| Edge { from: edge.to, kind: edge.kind.reverse(), to: edge.from, ..*edge }).collect();
    edges.extend(backwards);
    edges.retain(|edge| edge.from != edge.to);
    edges.sort_unstable();
    edges.dedup_by(|later, earlier| (later.from, later.kind, later.to) == (earlier.from, earlier.kind, earlier.to));
    let mut at = 0;
    for node in 0..layout.n_nodes() {
        columns.push_u32("link.starts", at as u32);
        while edges.get(at).is_some_and(|edge| edge.from == node) {
            let kind = edges[at].kind;
            let row = edges[at..].iter().take_while(|edge| edge.from == node && edge.kind == kind).count();
            for edge in &edges[at..at + row] {
                columns.push_u32("link.targets", edge.to);
                columns.push_u32("link.attributes", LinkAttribute::new(kind, edge.confidence, damping(row as u32)).bits());
                columns.push_u32("link.lines", edge.line);
            }
            at += row;
        }
    }
    columns.push_u32("link.starts", at as u32);
}

/// Which tests run which code: what a test calls, and the file that a test file is named after.
fn add_tests(columns: &mut Columns, files: &[FileInput<'_>], sites: &[Edge], layout: &Layout) {
    let of_symbol = |node: u32| {
        let place = node.checked_sub(layout.n_files).filter(|place| *place < layout.n_symbols())?;
        let file = layout.first_symbol.partition_point(|first| *first <= place) - 1;
        Some((file, &files[file].record.facts.symbols[(place - layout.first_symbol[file]) as usize]))
    };
    let is_test_file = |file: usize| {
        activate_grammars::language_of(files[file].path).is_some_and(|(_, language)| (language.is_test_path)(files[file].path))
    };
    // (subject, test, confidence): rows go from the subject.
    let mut tests: Vec<(u32, u32, Confidence)> = Vec::new();
    for site in sites {
        let sure = site.confidence <= Confidence::Unique;
        let test = match of_symbol(site.from) {
            Some((_, symbol)) => symbol.traits.has(Traits::TEST),
            None => (site.from as usize) < files.len() && is_test_file(site.from as usize),
        };
        if !sure || !test {
            continue;
        }
        match site.kind {
            LinkKind::Calls => {
                let subject =
                    of_symbol(site.to).filter(|(file, symbol)| !symbol.traits.has(Traits::TEST_CODE) && !is_test_file(*file));
                if subject.is_some_and(|(_, symbol)| symbol.kind != SymbolKind::Macro) {
                    tests.push((site.to, site.from, site.confidence));
                }
            }
            // The test file and the file it is named after.
            LinkKind::Imports
                if (site.to as usize) < files.len()
                    && !is_test_file(site.to as usize)
                    && stem(files[site.from as usize].path) == stem(files[site.to as usize].path) =>
            {
                tests.push((site.to, site.from, site.confidence));
            }
            _ => {}
        }
    }
    // A test function's file tests what the function tests, where the file is a test file.
    let by_file: Vec<(u32, u32, Confidence)> = tests
        .iter()
        .filter_map(|(subject, test, confidence)| {
            let (subject_file, _) = of_symbol(*subject)?;
            let (test_file, _) = of_symbol(*test)?;
            let named_after = is_test_file(test_file) && stem(files[test_file].path) == stem(files[subject_file].path);
            named_after.then_some((subject_file as u32, test_file as u32, *confidence))
        })
        .collect();
    tests.extend(by_file);
    tests.sort_unstable();
    tests.dedup_by_key(|(subject, test, _)| (*subject, *test));
    let mut at = 0;
    for node in 0..layout.n_nodes() {
        columns.push_u32("test.starts", at as u32);
        while let Some((_, test, confidence)) = tests.get(at).filter(|(subject, ..)| *subject == node) {
            columns.push_u32("test.targets", *test);
            columns.push_u8("test.confidence", *confidence as u8);
            at += 1;
        }
    }
    columns.push_u32("test.starts", at as u32);
}

/// The name of a file without endings and marks of tests.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    name.strip_suffix("_test").or_else(|| name.strip_suffix("_tests")).unwrap_or(name)
}
