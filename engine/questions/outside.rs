//! Who uses a definition from outside of the code: the system, a test runner, whoever an attribute gives it to, and those who take the package.
//!
//! None of them is a place in the repository, so no list has them.

mod cargo;
mod clause;
mod entries;
mod entry;
mod public;
mod statement;

use super::desk::Desk;
use activate_rules::atoms::NodeId;
use index::base::SymbolRow;
use index::completeness::{Completeness, State};
use public::Published;
use redact::Safe;
use std::collections::{BTreeMap, BTreeSet};

/// The most definitions that are looked at.
const MAX_TARGETS: usize = 500;

/// The most packages that are named.
const MAX_PACKAGES: usize = 3;

/// Notes which of these definitions are called by something that is no code of the repository.
pub(crate) fn add_entries(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness) {
    add_entered(desk, nodes, known, &entry::entry);
}

/// Notes which of these definitions an attribute or decorator may hand to others.
pub(crate) fn add_handed(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness) {
    add_entered(desk, nodes, known, &entry::handed);
}

/// Notes which of these definitions run when what they stand in is loaded.
pub(crate) fn add_loaded(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness) {
    add_entered(desk, nodes, known, &entry::loaded);
}

/// Notes which of these definitions serve routes, but for those of `asked` of which is said that an attribute may hand them to others.
pub(crate) fn add_routes(desk: &Desk<'_>, nodes: &[NodeId], asked: &[NodeId], known: &mut Completeness) {
    let why = |desk: &Desk<'_>, node: NodeId| {
        let symbol = desk.base.symbol(node)?;
        // An attribute that makes the route says so by itself.
        if asked.contains(&node) && entry::handed(desk, node).is_some() {
            return None;
        }
        // What adds a route for a function in place does not serve it.
        let mut own = desk.base.routes_of(node).filter(|route| route.file != symbol.file || !is_inside(&symbol, route.line));
        own.next().map(|_| "{} serves a route, and whoever knows its path may ask for it".to_owned())
    };
    add_entered(desk, nodes, known, &why);
}

/// Whether a line stands in a definition, below its name.
fn is_inside(symbol: &SymbolRow<'_>, line: u32) -> bool {
    symbol.name_line < line && line <= symbol.lines.1
}

fn add_entered(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness, why: &dyn Fn(&Desk<'_>, NodeId) -> Option<String>) {
    if known.state == State::Unknown {
        return;
    }
    let mut entries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let definitions: Vec<NodeId> = nodes.iter().copied().filter(|node| desk.base.is_symbol(*node)).collect();
    for node in definitions.iter().take(MAX_TARGETS) {
        if let (Some(why), Some(symbol)) = (why(desk, *node), desk.base.symbol(*node)) {
            entries.entry(why).or_default().insert(symbol.name.to_owned());
        }
    }
    let mut reasons: Vec<String> = entries.into_iter().map(|(why, names)| why.replace("{}", &some(&names))).collect();
    if definitions.len() > MAX_TARGETS {
        reasons.push(format!("whether others call {} more of them is not looked at", definitions.len() - MAX_TARGETS));
    }
    // What changes may stand among what is met on the way from it.
    reasons.retain(|reason| !known.reasons.contains(reason));
    for reason in reasons {
        known.lacks(reason);
    }
}

/// Which of these definitions and files a package of the repository exports, as phrases: whoever takes the package may use them, which no list of
/// what stands in the repository has.
pub(crate) fn exports(desk: &Desk<'_>, nodes: &[NodeId]) -> Vec<Safe> {
    let mut published = Published::new(desk);
    let mut packages: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for node in nodes.iter().take(MAX_TARGETS) {
        if let Some(package) = published.exporter(*node) {
            let name = desk.base.symbol(*node).map_or(desk.base.path(*node), |symbol| symbol.name);
            packages.entry(package).or_default().insert(name.to_owned());
        }
    }
    let phrase = |(package, names): (&str, BTreeSet<String>)| {
        desk.masker.name(&format!("whoever takes the package {package}, which exports {}", some(&names)))
    };
    let (n_packages, is_cut) = (packages.len(), published.is_cut() || nodes.len() > MAX_TARGETS);
    let mut asides: Vec<Safe> = packages.into_iter().take(MAX_PACKAGES).map(phrase).collect();
    if n_packages > MAX_PACKAGES {
        let n_more = Safe::number((n_packages - MAX_PACKAGES) as i64);
        asides.push(Safe::format("whoever takes {} more packages", &[&n_more]));
    }
    if is_cut {
        asides.push(Safe::fixed("what else packages export is not looked for to the end"));
    }
    asides
}

/// One name, or the first and how many more there are.
fn some(names: &BTreeSet<String>) -> String {
    let first = names.first().map_or("", String::as_str);
    if names.len() > 1 { format!("{first} and {} more", names.len() - 1) } else { first.to_owned() }
}
