//! What a page shows of an activation, as much as fits.

use super::change;
use super::model::View;
use super::modules;
use super::nodes::{self, Bounds};
use super::packet::Packets;
use super::page::page;
use context::budget::Budget;
use engine::Activation;
use error::Result;
use redact::Safe;

/// The most bytes of a page where nobody says how many nodes it is to have.
pub(super) const MAX_BYTES: usize = 400_000;
/// The most nodes where nobody says how many, and that can be asked for.
pub(super) const DEFAULT_NODES: usize = 300;
pub(super) const MAX_NODES: usize = 5_000;
/// The most bytes of code of a page of so many nodes, and of each node above that.
const CODE: usize = 160_000;
const CODE_EACH: usize = 200;
/// The most bytes of code of a page that would be too large with more.
const LEAST_CODE: usize = 60_000;
/// The most characters of a task.
const MAX_TASK: usize = 240;
/// The most problems that are told.
const MAX_PROBLEMS: usize = 5;

/// The page of an activation: with so many nodes, or as many as fit into a page that is quickly opened.
///
/// # Errors
///
/// That the budget is too small for any packet.
pub(super) fn collect(activation: &Activation<'_>, budget: &Budget, n_nodes: Option<usize>) -> Result<String> {
    let packets = Packets::new(activation, budget)?;
    let wanted = n_nodes.unwrap_or(DEFAULT_NODES);
    let mut bounds = Bounds { n_nodes: wanted, n_code: CODE.max(wanted * CODE_EACH) };
    loop {
        let page = page(&view(activation, &packets, bounds));
        let is_small = page.len() <= MAX_BYTES || n_nodes.is_some();
        if is_small || bounds.n_nodes <= 1 {
            return Ok(page);
        }
        // Code goes first: it can be read elsewhere. Then nodes go, not fewer than a part of them at once, since much of a page is there whatever
        // they are.
        if bounds.n_code > LEAST_CODE {
            bounds.n_code = LEAST_CODE;
        } else {
            let fitting = bounds.n_nodes * MAX_BYTES / page.len();
            bounds.n_nodes = fitting.clamp(bounds.n_nodes * 3 / 4, bounds.n_nodes * 19 / 20);
        }
    }
}

/// What the page shows.
pub(super) fn view(activation: &Activation<'_>, packets: &Packets, bounds: Bounds) -> View {
    let (base, masker, found) = (&activation.snapshot.base, activation.masker(), &activation.found);
    let nodes = nodes::collect(activation, bounds);
    let n_active = found.files.len() + found.symbols.len();
    let number = |n: usize| masker.name(&grouped(n));
    let task: String = found.intent.headline.chars().take(MAX_TASK).collect();
    let task = masker.line(&task);
    let counts = [found.files.len(), base.n_files() as usize, found.symbols.len(), base.n_symbols() as usize].map(number);
    let mut facts = vec![
        Safe::format("{} of {} files, {} of {} definitions active", &counts.each_ref()),
        Safe::format(
            "{} of {} tokens",
            &[&number(packets.asked().tokens.0 as usize), &number(packets.asked().budget.0 as usize)],
        ),
    ];
    facts.extend(activation.commit().map(|commit| Safe::format("at {}", &[&masker.name(commit.get(..12).unwrap_or(&commit))])));
    let n_hidden = nodes.list.iter().filter(|node| !node.is_drawn).count();
    let n_left = n_active.saturating_sub(bounds.n_nodes) + found.n_left_out as usize;
    let mut left_out = Vec::new();
    if n_left > 0 {
        left_out.push(Safe::format(
            "The best {} of {} are here; {} more are active, and {} were reached and stayed cold.",
            &[
                &number(n_active.min(bounds.n_nodes)),
                &number(n_active + found.n_left_out as usize),
                &number(n_left),
                &number(found.n_cold as usize),
            ],
        ));
    }
    if n_hidden > 0 {
        left_out
            .push(Safe::format("{} that only stand in a hot file are in the list and not in the graph.", &[&number(n_hidden)]));
    }
    if nodes.n_without_code > 0 {
        left_out.push(Safe::format(
            "The code of {} is left out to keep this page small: activate read PATH:FIRST-LAST shows it.",
            &[&number(nodes.n_without_code)],
        ));
    }
    let problems = activation.problems();
    let mut told: Vec<Safe> = problems.iter().take(MAX_PROBLEMS).map(|problem| masker.line(&problem.to_string())).collect();
    if problems.len() > told.len() {
        told.push(Safe::format("and {} more problems", &[&number(problems.len() - told.len())]));
    }
    View {
        task: if task.is_empty() { Safe::fixed("What fails") } else { task },
        facts,
        left_out,
        budget: packets.view(activation, &nodes),
        change: change::collect(activation, &nodes, packets.widest()),
        modules: modules::collect(activation, &nodes),
        problems: told,
        nodes: nodes.list,
    }
}

/// A number with a comma between thousands.
fn grouped(number: usize) -> String {
    let mut text = number.to_string();
    let mut at = text.len();
    while at > 3 {
        at -= 3;
        text.insert(at, ',');
    }
    text
}
