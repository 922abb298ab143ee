//! What is active, as nodes of a page: the best, what their energy came through, the proof of each, and its code.
//!
//! Must not explain by itself: it asks the activation.

use super::model::{Code, LinkTo, Node, ProofLine};
use activate_rules::atoms::{Energy, NodeId, Tier};
use activate_rules::links::LinkKind;
use context::activation::{Active, Proof, Role};
use engine::Activation;
use redact::{LongLines, Safe};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The most lines of code of one node.
const MAX_LINES: u32 = 24;
/// The most links of one node to others of the page.
const MAX_LINKS: usize = 6;
/// What is said of how a node ranks: the sum.
const MAX_STANDING: usize = 1;

/// How much a page has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The most nodes, beside those that their energy came through.
    pub(super) n_nodes: usize,
    /// The most bytes of code.
    pub(super) n_code: usize,
}

/// The nodes of a page.
pub(super) struct Nodes {
    /// The best first, then what energy came through on its way to them.
    pub(super) list: Vec<Node>,
    /// Where each stands.
    pub(super) at: FxHashMap<NodeId, usize>,
    /// How many have code that is not there.
    pub(super) n_without_code: usize,
}

/// Collects the nodes of a page.
pub(super) fn collect(activation: &Activation<'_>, bounds: Bounds) -> Nodes {
    let found = &activation.found;
    let mut active: Vec<&Active> = found.symbols.iter().chain(&found.files).collect();
    active.sort_by_key(|active| Reverse(active.score));
    active.truncate(bounds.n_nodes);
    let roles: FxHashMap<NodeId, Role> = active.iter().map(|active| (active.node, active.role)).collect();
    let mut order: Vec<NodeId> = active.iter().map(|active| active.node).collect();
    let mut proofs: FxHashMap<NodeId, Vec<Proof>> = FxHashMap::default();
    let mut next = 0;
    while let Some(node) = order.get(next).copied() {
        next += 1;
        let proof = activation.proof(node);
        if let Some(from) = parent(&proof).filter(|from| !proofs.contains_key(from) && !order[next..].contains(from)) {
            order.push(from);
        }
        proofs.insert(node, proof);
    }
    let at: FxHashMap<NodeId, usize> = order.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let reasons = activation.reasons(&activation.git_state(), &order);
    let mut made = Nodes { list: Vec::with_capacity(order.len()), at, n_without_code: 0 };
    let mut room = bounds.n_code;
    for (node, reason) in order.iter().zip(reasons) {
        let role = roles.get(node).copied();
        let mut node = made.node(activation, *node, role, reason, &proofs);
        if let Some(code) = &node.code {
            if let Some(left) = room.checked_sub(code.text.as_str().len()) {
                room = left;
            } else {
                node.code = None;
                made.n_without_code += 1;
            }
        }
        made.list.push(node);
    }
    made.hide_floors();
    made
}

/// Where the energy of the last step comes from.
fn parent(proof: &[Proof]) -> Option<NodeId> {
    proof.iter().rev().find_map(|step| step.from)
}

impl Nodes {
    fn node(
        &self,
        activation: &Activation<'_>,
        node: NodeId,
        role: Option<Role>,
        reason: Safe,
        proofs: &FxHashMap<NodeId, Vec<Proof>>,
    ) -> Node {
        let (base, masker) = (&activation.snapshot.base, activation.masker());
        let proof = proofs.get(&node).map(Vec::as_slice).unwrap_or_default();
        let from = parent(proof);
        // What its parent says need not be said again, unless the way to it was another one.
        let own = proof.iter().rposition(|step| step.from.is_some()).unwrap_or_default();
        let before = from.and_then(|from| proofs.get(&from)).map(Vec::as_slice).unwrap_or_default();
        let is_whole = before != &proof[..own];
        let told = if is_whole { proof } else { &proof[own..] };
        let line = |text: &String| {
            let is_ground = text.starts_with(' ');
            ProofLine { text: masker.name(text.trim_start()), is_ground }
        };
        let step = proof.get(own);
        let site = |(file, line): (NodeId, u32)| Safe::format("{}:{}", &[&masker.name(base.path(file)), &Safe::number(line)]);
        Node {
            name: name(activation, node),
            kind: kind(activation, node),
            place: place(activation, node),
            score: activation.found.derived.score(node).unwrap_or(Energy::ZERO),
            tier: activation.found.derived.tier(node),
            role: role.map_or("on the way", word),
            reason,
            parent: from.and_then(|from| self.at.get(&from).copied()),
            rule: step.map_or("seed", |step| step.rule),
            site: step.and_then(|step| step.place).map(site),
            proof: told.iter().flat_map(|step| &step.lines).map(line).collect(),
            is_whole,
            standing: activation.standing(node).iter().take(MAX_STANDING).map(|line| masker.name(line)).collect(),
            code: code(activation, node),
            links: self.links(activation, node),
            is_drawn: true,
        }
    }

    /// The links of a node to others of the page.
    fn links(&self, activation: &Activation<'_>, node: NodeId) -> Vec<LinkTo> {
        let (base, masker) = (&activation.snapshot.base, activation.masker());
        let link = |row: index::base::SiteRow| {
            let to = *self.at.get(&row.to)?;
            let kind = row.kind;
            if matches!(kind, LinkKind::Contains | LinkKind::ContainedBy | LinkKind::ChangedWith) {
                return None;
            }
            let is_forward = kind as u8 <= kind.reverse() as u8;
            let file = base.file_of(if is_forward { row.from } else { row.to });
            let site = Some((file, row.line)).filter(|(_, line)| *line > 0);
            let site = site.map(|(file, line)| Safe::format("{}:{}", &[&masker.name(base.path(file)), &Safe::number(line)]));
            Some(LinkTo { rule: kind.name(), to, site })
        };
        let mut links: Vec<LinkTo> = base.links_of(node).filter_map(link).collect();
        links.sort_by_key(|link| link.to);
        links.truncate(MAX_LINKS);
        links
    }

    /// What only stands in a hot file says nothing of the way of energy, unless something follows from it.
    fn hide_floors(&mut self) {
        let mut is_way = vec![false; self.list.len()];
        for node in &self.list {
            let mut next = node.parent.filter(|_| node.rule != "floor");
            while let Some(at) = next.filter(|at| !is_way[*at]) {
                is_way[at] = true;
                next = self.list[at].parent;
            }
        }
        for (node, is_way) in self.list.iter_mut().zip(is_way) {
            node.is_drawn = is_way || node.rule != "floor";
        }
    }
}

/// What a node is called within its file; a file with its folder.
pub(super) fn name(activation: &Activation<'_>, node: NodeId) -> Safe {
    let (base, masker) = (&activation.snapshot.base, activation.masker());
    if let Some(symbol) = base.symbol(node) {
        return context::local_name(masker, &symbol);
    }
    let id = base.id(node);
    masker.name(id.rmatch_indices('/').nth(1).map_or(id.as_str(), |(at, _)| &id[at + 1..]))
}

/// Its path, with lines where it is a definition.
pub(super) fn place(activation: &Activation<'_>, node: NodeId) -> Safe {
    let (base, masker) = (&activation.snapshot.base, activation.masker());
    match base.symbol(node) {
        Some(row) => {
            Safe::format("{}:{}-{}", &[&masker.name(base.path(node)), &Safe::number(row.lines.0), &Safe::number(row.lines.1)])
        }
        None => masker.name(&base.id(node)),
    }
}

fn kind(activation: &Activation<'_>, node: NodeId) -> &'static str {
    let base = &activation.snapshot.base;
    base.symbol(node).map_or(if base.is_file(node) { "file" } else { "package" }, |row| row.kind.word())
}

const fn word(role: Role) -> &'static str {
    match role {
        Role::Target => "target",
        Role::Impacted => "uses it",
        Role::Dependency => "is used",
        Role::Test => "test",
        Role::Neighbour => "neighbour",
    }
}

/// The first lines of a definition, or of the best passage of a file.
fn code(activation: &Activation<'_>, node: NodeId) -> Option<Code> {
    let base = &activation.snapshot.base;
    let file = base.file_of(node);
    let (first, last) = match base.symbol(node) {
        Some(row) => (row.first_line(), row.lines.1),
        None => activation.found.passages.iter().find(|passage| passage.file == node)?.lines,
    };
    let end = last.min(first.saturating_add(MAX_LINES - 1));
    let text = Safe::code(&*activation.text(file).ok()?, first..=end, LongLines::Cut);
    (!text.as_str().trim().is_empty()).then_some(Code { first, text, n_more: last.saturating_sub(end) })
}

/// What a tier is called.
pub(super) const fn tier(tier: Tier) -> &'static str {
    tier.name()
}
