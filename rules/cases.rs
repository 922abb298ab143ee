//! Runs `cases/*.facts`: facts that are given, a line `then:`, facts that must follow.
//!
//! Nodes and items are named by text; this loader gives them ids, builds the graph in both directions and loads the policy.

#![expect(clippy::disallowed_methods, reason = "cases are files")]

use crate::atoms::{Change, Cue, Energy, Factor, Hops, ItemId, NodeId, Severity, Thousandths, Turns};
use crate::context::{Graph, PolicyContext};
use crate::explain::{explain, explain_not};
use crate::facts::{Derived, Facts, run};
use crate::items::ItemKind;
use crate::links::{Confidence, LinkAttribute, LinkKind, LinkTable, Rows, damping};
use crate::sections::Section;
use crate::weights::Weights;
use crate::why::{best_derivation, why_not};
use crate::written::{Decimal, Fact, Value, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A graph that owns its arrays, built from a list of links.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnGraph {
    link_starts: Vec<u32>,
    link_targets: Vec<u32>,
    link_attributes: Vec<u32>,
    test_starts: Vec<u32>,
    test_targets: Vec<u32>,
    file_of: Vec<u32>,
    member_starts: Vec<u32>,
}

/// One link, stated in either direction.
pub(crate) type OneLink = (u32, u32, LinkKind, Confidence);

impl OwnGraph {
    /// The graph of these links in both directions, damped by fan-out unless a fixed damping is given. Symbols follow their files' order.
    pub(crate) fn new(n_nodes: u32, links: &[OneLink], tests: &[(u32, u32)], file_of: Vec<u32>, fixed: Option<u8>) -> Self {
        let both = links.iter().flat_map(|&(from, to, kind, sure)| [(from, kind, to, sure), (to, kind.reverse(), from, sure)]);
        let both: BTreeSet<_> = both.collect();
        let mut fan_out: BTreeMap<(u32, LinkKind), u32> = BTreeMap::new();
        for &(from, kind, ..) in &both {
            *fan_out.entry((from, kind)).or_default() += 1;
        }
        let attribute =
            |from, kind, sure| LinkAttribute::new(kind, sure, fixed.unwrap_or_else(|| damping(fan_out[&(from, kind)]))).bits();
        let both: Vec<_> = both.into_iter().collect();
        let tests: BTreeSet<_> = tests.iter().map(|&(test, subject)| (subject, test)).collect();
        let n_files = file_of.iter().zip(0..).take_while(|&(&file, node)| file == node).count();
        let starts = |count: &dyn Fn(u32) -> usize, n: usize| (0..=n as u32).map(|row| count(row) as u32).collect();
        Self {
            link_starts: starts(&|row| both.partition_point(|link| link.0 < row), n_nodes as usize),
            link_targets: both.iter().map(|&(_, _, to, _)| to).collect(),
            link_attributes: both.iter().map(|&(from, kind, _, sure)| attribute(from, kind, sure)).collect(),
            test_starts: starts(&|row| tests.iter().filter(|test| test.0 < row).count(), n_nodes as usize),
            test_targets: tests.iter().map(|&(_, test)| test).collect(),
            member_starts: starts(&|row| n_files + file_of[n_files..].iter().filter(|&&file| file < row).count(), n_files),
            file_of,
        }
    }

    pub(crate) fn graph(&self) -> Graph<'_> {
        Graph {
            links: LinkTable { starts: &self.link_starts, targets: &self.link_targets, attributes: &self.link_attributes },
            added: &[],
            added_tests: &[],
            tests: Rows { starts: &self.test_starts, targets: &self.test_targets },
            file_of: &self.file_of,
            member_starts: &self.member_starts,
        }
    }
}

/// A case with its names resolved.
struct Case {
    nodes: Vec<String>,
    items: Vec<String>,
    graph: OwnGraph,
    facts: Facts,
    weights: Weights,
}

fn text(fact: &Fact, column: usize) -> &str {
    match fact.args.get(column) {
        Some(Value::Text(text)) => text,
        _ => panic!("column {} of {fact} is not text", column + 1),
    }
}

fn name<T>(fact: &Fact, column: usize, from_name: impl Fn(&str) -> Option<T>) -> T {
    match fact.args.get(column) {
        Some(Value::Name(name)) => from_name(name).unwrap_or_else(|| panic!("/{name} in {fact} is not a known name")),
        _ => panic!("column {} of {fact} is not a name", column + 1),
    }
}

fn number(fact: &Fact, column: usize) -> Decimal {
    match fact.args.get(column) {
        Some(&Value::Number(number)) => number,
        _ => panic!("column {} of {fact} is not a number", column + 1),
    }
}

fn turns(fact: &Fact, column: usize) -> Turns {
    Turns(number(fact, column).whole().and_then(|turns| turns.try_into().ok()).unwrap())
}

fn part(fact: &Fact, column: usize) -> Thousandths {
    Thousandths::new(number(fact, column).thousandths().try_into().unwrap())
}

/// Sets the weight at a dotted path, in points or as a fraction.
fn set_weight(weights: &mut serde_json::Value, fact: &Fact) {
    let pointer = format!("/{}", text(fact, 0).replace('.', "/"));
    let value = if pointer == "/depth" { number(fact, 1).whole().unwrap() } else { number(fact, 1).thousandths() };
    *weights.pointer_mut(&pointer).unwrap_or_else(|| panic!("{fact} names no weight")) = value.into();
}

/// The columns of a relation that name nodes, and the one that names an item.
fn named_columns(relation: &str) -> (&'static [usize], Option<usize>) {
    match relation {
        "weight" => (&[], None),
        "item" | "always_on" | "said" => (&[], Some(0)),
        "diagnostic" => (&[2], Some(0)),
        "failing_test" | "frame" | "guess" | "about" => (&[1], Some(0)),
        "file" | "package" | "cue_hit" | "exact" | "touched" | "file_state" | "prior" | "hide" => (&[0], None),
        _ => (&[0, 1], None),
    }
}

impl Case {
    fn load(given: &[Fact]) -> Self {
        let (mut files, mut symbols, mut items) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        let mut packages = BTreeSet::new();
        for fact in given {
            let (nodes, item) = named_columns(&fact.relation);
            files.extend(nodes.iter().map(|&column| text(fact, column).to_owned()));
            items.extend(item.map(|column| text(fact, column).to_owned()));
            if fact.relation == "defines" {
                symbols.insert(text(fact, 1).to_owned(), text(fact, 0).to_owned());
            } else if fact.relation == "package" {
                packages.insert(text(fact, 0).to_owned());
            }
        }
        files.retain(|file| !symbols.contains_key(file) && !packages.contains(file));
        assert!(packages.is_empty() || !symbols.is_empty(), "packages are told from files by the symbols between them");
        // Symbols stand behind all files, those of one file together, and packages from outside behind these.
        let mut ordered: Vec<_> = symbols.iter().map(|(symbol, file)| (file, symbol)).collect();
        ordered.sort();
        let in_files = ordered.iter().map(|&(_, symbol)| symbol);
        let nodes: Vec<String> = files.iter().chain(in_files).chain(&packages).cloned().collect();
        let node = |name: &str| nodes.iter().position(|node| node == name).unwrap() as u32;
        let holders = ordered.iter().map(|&(file, _)| node(file));
        let first_package = (files.len() + ordered.len()) as u32;
        let file_of = (0..files.len() as u32).chain(holders).chain(first_package..nodes.len() as u32).collect();
        let items: Vec<String> = items.into_iter().collect();
        let item = |fact: &Fact| ItemId(items.iter().position(|item| item == text(fact, 0)).unwrap() as u32);

        let (mut facts, mut links, mut tests) = (Facts::default(), Vec::new(), Vec::new());
        let mut weights = serde_json::to_value(Weights::default()).unwrap();
        for fact in given {
            let place = |column| NodeId(node(text(fact, column)));
            match fact.relation.as_str() {
                "file" | "package" | "defines" => {}
                "weight" => set_weight(&mut weights, fact),
                "cue_hit" => facts.cue_hits.push((place(0), name(fact, 1, Cue::from_name), part(fact, 2))),
                "exact" => facts.exact.push((place(0), part(fact, 1))),
                "diagnostic" => facts.diagnostics.push((item(fact), name(fact, 1, Severity::from_name), place(2))),
                "failing_test" => facts.failing_tests.push((item(fact), place(1))),
                "frame" => facts.frames.push((item(fact), place(1))),
                "guess" => facts.guesses.push((item(fact), place(1))),
                "touched" => facts.touched.push((place(0), turns(fact, 1))),
                "file_state" => facts.file_states.push((place(0), name(fact, 1, Change::from_name), turns(fact, 2))),
                "item" => facts.items.push((item(fact), name(fact, 1, ItemKind::from_name), turns(fact, 2))),
                "always_on" => facts.always_on.push(item(fact)),
                "about" => facts.about.push((item(fact), place(1))),
                "prior" => facts.priors.push((place(0), Factor::new(number(fact, 1).thousandths().try_into().unwrap()))),
                "hide" => facts.hidden.push(place(0)),
                "said" => facts.said.push((
                    item(fact),
                    name(fact, 1, Section::from_name),
                    Energy(number(fact, 2).thousandths().try_into().unwrap()),
                )),
                "tests" => tests.push((place(0).0, place(1).0)),
                link => {
                    let kind = LinkKind::from_name(link).unwrap_or_else(|| panic!("{fact} is not a relation"));
                    links.push((place(0).0, place(1).0, kind, name(fact, 2, Confidence::from_name)));
                }
            }
        }
        let graph = OwnGraph::new(nodes.len() as u32, &links, &tests, file_of, None);
        Self { graph, facts, weights: serde_json::from_value(weights).unwrap(), nodes, items }
    }

    fn node_name(&self, node: NodeId) -> String {
        self.nodes[node.0 as usize].clone()
    }

    /// All that may be asked for, in the written form.
    fn derived(&self, policy: &PolicyContext, derived: &Derived) -> BTreeSet<Fact> {
        let node = |node| Value::text(self.node_name(node));
        let points = |energy: Energy| Value::Number(Decimal::from_thousandths(energy.0.into()));
        let mut all = BTreeSet::from([Fact::new("n_cold", [Value::whole(derived.n_cold as i32)])]);
        all.extend(derived.evidence.iter().map(|&(at, energy)| Fact::new("evidence", [node(at), points(energy)])));
        all.extend(derived.seeds.iter().map(|&(at, energy, cause, place)| {
            Fact::new("seed", [node(at), points(energy), Value::name(cause.name()), node(place)])
        }));
        all.extend(derived.weak.iter().map(|&at| Fact::new("weak", [node(at)])));
        all.extend(derived.scores.iter().map(|&(at, energy)| Fact::new("score", [node(at), points(energy)])));
        all.extend(derived.tiers.iter().map(|&(at, tier)| Fact::new(tier.name(), [node(at)])));
        let item = |item: ItemId| Value::text(&self.items[item.0 as usize]);
        let placed = |&(of, section): &(ItemId, Section)| Fact::new("placed", [item(of), Value::name(section.name())]);
        all.extend(derived.placed.iter().map(placed));
        let is_placed = |item| derived.placed.iter().any(|&(of, _)| of == item);
        let out = (0..self.items.len() as u32).filter(|&item| !is_placed(ItemId(item)));
        all.extend(out.map(|item| Fact::new("not_placed", [Value::text(&self.items[item as usize])])));
        all.extend(derived.ranked().zip(1..).map(|(at, rank)| Fact::new("rank", [node(at), Value::whole(rank)])));
        for at in (0..self.nodes.len() as u32).map(NodeId) {
            let names = |node| self.node_name(node);
            let Some(why) = best_derivation(policy, derived, at) else {
                all.insert(Fact::new("absent", [node(at)]));
                all.insert(Fact::new("why_not", [Value::text(explain_not(at, why_not(policy, derived, at), &names))]));
                continue;
            };
            if derived.is_hidden(at, policy.file_of(at)) {
                all.insert(Fact::new("why_not", [Value::text(explain_not(at, why_not(policy, derived, at), &names))]));
            }
            assert!(!why.steps.is_empty(), "the score of {} has a derivation", self.node_name(at));
            let lines = explain(&why, &names).into_iter().zip(1..);
            all.extend(lines.map(|(line, step)| Fact::new("why", [node(at), Value::whole(step), Value::text(line)])));
        }
        all
    }

    /// What is wrong: each expected fact that does not follow, with what does.
    fn check(&self, then: &[Fact]) -> Vec<String> {
        let policy = PolicyContext::new(self.graph.graph(), &self.weights, Hops(self.weights.depth.0));
        let all = self.derived(&policy, &run(&policy, &self.facts));
        let related = |fact: &Fact| {
            let alike = |other: &&Fact| other.relation == fact.relation && other.args.first() == fact.args.first();
            let named = |other: &&Fact| other.relation == "score" && other.args.first() == fact.args.first();
            let others = all.iter().filter(|other| alike(other) || named(other));
            others.map(|other| format!("\n  but {other}")).collect::<Vec<_>>().concat()
        };
        then.iter().filter(|fact| !all.contains(fact)).map(|fact| format!("{fact} does not follow{}", related(fact))).collect()
    }
}

#[test]
fn every_case_comes_out_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut problems = Vec::new();
    for path in &paths {
        let case = std::fs::read_to_string(path).unwrap();
        let (given, then) = case.split_once("\nthen:\n").expect("a case has a line `then:`");
        let facts = |text| parse(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for problem in Case::load(&facts(given)).check(&facts(then)) {
            problems.push(format!("{}: {problem}", path.file_name().unwrap_or_default().display()));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(!paths.is_empty());
}
