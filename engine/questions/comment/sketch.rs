//! A small drawing of a change: who uses what changes, and who uses those.

use super::gather::Reached;
use super::markdown::plain;
use crate::draw::entities;
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The most names in a drawing, and those that use one and the same in the first round.
const MAX_NODES: usize = 12;
const MAX_USERS: usize = 4;

/// The most characters of a name.
const MAX_LABEL: usize = 48;

/// The lines of a drawing for Mermaid: a line for each definition that is used. None where it would say nothing.
pub(super) fn sketch(reached: &[Reached]) -> Vec<String> {
    let drawn: Vec<&Reached> = reached.iter().filter(|reached| reached.place.symbol.is_some() && !reached.is_aside).collect();
    let mut sketch = Sketch::default();
    // First a few users of each definition, then as many as there is room for.
    for most in [MAX_USERS, MAX_NODES] {
        for reached in &drawn {
            sketch.add(reached, most);
        }
    }
    if sketch.order.len() < 3 { Vec::new() } else { sketch.lines() }
}

#[derive(Default)]
struct Sketch {
    /// The definitions by the order of their numbers, with what is written for each and whether it changes.
    order: Vec<(String, bool)>,
    numbers: FxHashMap<NodeId, usize>,
    /// What is used, and by whom.
    used: Vec<(usize, Vec<usize>)>,
}

impl Sketch {
    fn add(&mut self, reached: &Reached, most: usize) {
        let (from, to) = reached.ids;
        let is_known = |node| self.numbers.contains_key(node);
        // What lies between has to be there, so that every arrow leads to the change.
        if is_known(&from) || !reached.is_direct && !is_known(&to) {
            return;
        }
        let n_users =
            self.numbers.get(&to).and_then(|at| self.used.iter().find(|(known, _)| known == at)).map_or(0, |(_, by)| by.len());
        if self.order.len() + 1 + usize::from(!is_known(&to)) > MAX_NODES || n_users >= most {
            return;
        }
        let to = self.number(to, reached.next.as_str(), reached.is_direct);
        let from = self.number(from, reached.place.symbol.as_ref().map_or("", |symbol| symbol.as_str()), false);
        match self.used.iter_mut().find(|(known, _)| *known == to) {
            Some((_, by)) => by.push(from),
            None => self.used.push((to, vec![from])),
        }
    }

    fn number(&mut self, node: NodeId, name: &str, is_changed: bool) -> usize {
        *self.numbers.entry(node).or_insert_with(|| {
            let name = plain(name);
            let short: String = name.chars().take(MAX_LABEL).collect();
            let cut = if short.len() < name.len() { "…" } else { "" };
            // A colon makes an icon of some words.
            self.order.push((format!("{}{cut}", entities(&short).replace(':', "#58;")), is_changed));
            self.order.len() - 1
        })
    }

    fn lines(&self) -> Vec<String> {
        let mut known = vec![false; self.order.len()];
        let mut written = |number: usize| {
            let is_known = std::mem::replace(&mut known[number], true);
            if is_known { format!("n{number}") } else { format!("n{number}[\"{}\"]", self.order[number].0) }
        };
        let mut lines = vec!["flowchart LR".to_owned()];
        for (to, by) in &self.used {
            let by: Vec<String> = by.iter().map(|from| written(*from)).collect();
            lines.push(format!("    {} --> {}", by.join(" & "), written(*to)));
        }
        let changed: Vec<String> =
            self.order.iter().enumerate().filter(|(_, (_, changed))| *changed).map(|(at, _)| format!("n{at}")).collect();
        let mut line = "    classDef changed stroke-width:3px".to_owned();
        let _ = write!(line, "\n    class {} changed", changed.join(","));
        lines.extend(line.lines().map(str::to_owned));
        lines
    }
}
