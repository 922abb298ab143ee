//! The drawings of a page: the way of energy, the tokens of a packet, the map of modules.

use super::html::Html;
use super::layout::{CARD, GAP, forest, tiles};
use super::model::{BudgetView, Module, Node, View};
use context::Energy;

/// Columns of text that a card and an edge have room for.
const NAME: usize = 23;
const PLACE: usize = 31;
const SITE: usize = 16;
/// How far from its right edge the way to the children of a card goes down.
const DOWN: u32 = 14;
/// The map of modules, the least tile that has its name on it, and the width of a letter.
const MAP: (u32, u32) = (1040, 340);
const NAMED_TILE: (u32, u32) = (56, 26);
const LETTER: u32 = 8;
/// The width of the bar of tokens; thousandths, so that it fits any page.
const BAR: u32 = 1000;

/// The way of energy: columns of cards from the seeds on, and edges by the rule that they stand for.
pub(super) fn graph(view: &View) -> Html {
    let parents: Vec<Option<usize>> = view.nodes.iter().map(|node| node.parent).collect();
    let is_drawn: Vec<bool> = view.nodes.iter().map(|node| node.is_drawn).collect();
    let forest = forest(&parents, &is_drawn);
    let (width, height) = forest.size();
    let mut svg = Html::default();
    svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").num(width).raw("\" height=\"").num(height);
    svg.raw("\" viewBox=\"0 0 ").num(width).raw(" ").num(height);
    svg.raw("\" role=\"group\" aria-label=\"The way of energy, in columns from the seeds on. Arrow keys move, Enter opens.\">\n");
    for column in 0..forest.n_columns {
        svg.raw("<text class=\"h\" x=\"").num(column * (CARD.0 + GAP.0) + 1).raw("\" y=\"16\">");
        match column {
            0 => svg.raw("Seeds"),
            1 => svg.raw("1 step"),
            n => svg.num(n).raw(" steps"),
        };
        svg.raw("</text>\n");
    }
    let place = |at: usize| forest.places.get(at).copied().flatten();
    for (at, node) in view.nodes.iter().enumerate() {
        if let (Some(to), Some(from)) = (place(at), node.parent.and_then(place)) {
            edge(&mut svg, at, node, from, to);
        }
    }
    for (at, node) in view.nodes.iter().enumerate() {
        if let Some(place) = place(at) {
            card(&mut svg, at, node, place);
        }
    }
    svg.raw("</svg>");
    svg
}

/// A line from the right of a card to the left of another, with what it says.
fn edge(svg: &mut Html, at: usize, node: &Node, from: (u32, u32), to: (u32, u32)) {
    let (start, middle) = (from.0 + CARD.0, CARD.1 / 2);
    let (y, to_y) = (from.1 + middle, to.1 + middle);
    svg.raw("<g class=\"w ").raw(family(node.rule)).raw("\" data-e=\"").count(at).raw("\">");
    // The way down is that of all children, and the way to the right says by which rule.
    if y != to_y {
        svg.raw("<path class=\"d\" d=\"M")
            .num(start + DOWN)
            .raw(" ")
            .num(y)
            .raw("V")
            .num(to_y.saturating_sub(6))
            .raw("q0 6 6 6\"/>");
    }
    svg.raw("<path d=\"M").num(if y == to_y { start } else { start + DOWN + 6 }).raw(" ").num(to_y).raw("H").num(to.0);
    let x = to.0.saturating_sub(7);
    svg.raw("\"/><text x=\"").num(x).raw("\" y=\"").num(to_y.saturating_sub(5)).raw("\">").raw(rule(node.rule)).raw("</text>");
    if let Some(site) = &node.site {
        svg.raw("<text class=\"q\" x=\"").num(x).raw("\" y=\"").num(to_y + 12).raw("\">").file(site, SITE).raw("</text>");
    }
    svg.raw("</g>\n");
}

fn card(svg: &mut Html, at: usize, node: &Node, (x, y): (u32, u32)) {
    svg.raw("<a class=\"c ").raw(heat(node.score)).raw("\" href=\"#n").count(at).raw("\" data-n=\"").count(at);
    svg.raw("\" tabindex=\"-1\" transform=\"translate(").num(x).raw(" ").num(y).raw(")\"><rect width=\"").num(CARD.0);
    svg.raw("\" height=\"").num(CARD.1).raw("\" rx=\"6\"/><path class=\"b\" d=\"M6 0H4v40h2a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6\"/>");
    svg.raw("<text x=\"13\" y=\"17\">").clipped(&node.name, NAME, true).raw("</text><text class=\"s\" x=\"");
    svg.num(CARD.0 - 9).raw("\" y=\"17\">").points(node.score.whole());
    svg.raw("</text><text class=\"p\" x=\"13\" y=\"32\">").path(&node.place, PLACE).raw("</text></a>\n");
}

/// The tokens of a packet, entry by entry.
pub(super) fn bar(budget: &BudgetView) -> Html {
    let mut svg = Html::default();
    svg.raw("<svg class=\"bar\" viewBox=\"0 0 1000 24\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
    svg.grouped(budget.used).raw(" of ").grouped(budget.total).raw(" tokens are used\">");
    svg.raw("<rect class=\"rest\" width=\"1000\" height=\"24\"/>");
    let of = |tokens: u32| (u64::from(tokens) * u64::from(BAR) / u64::from(budget.total.max(1))) as u32;
    let mut before = 0;
    for (section, shade) in budget.sections.iter().zip((0..4).cycle()) {
        let end = before + section.tokens;
        for item in &section.items {
            let (from, to) = (of(before), of((before + item.tokens).min(end)));
            if to > from {
                svg.raw("<rect class=\"k").num(shade).raw("\" x=\"").num(from).raw("\" width=\"").num((to - from).max(2) - 1);
                svg.raw("\" height=\"24\"><title>").text(&item.name).raw(", ").grouped(item.tokens).raw(" tokens</title></rect>");
            }
            before = (before + item.tokens).min(end);
        }
        // What stands around entries: headings, fences.
        if of(end) > of(before) {
            svg.raw("<rect class=\"k").num(shade).raw(" o\" x=\"").num(of(before)).raw("\" width=\"").num(of(end) - of(before));
            svg.raw("\" height=\"24\"><title>headings and fences of ").raw(section.name).raw("</title></rect>");
        }
        before = end;
    }
    svg.raw("</svg>");
    svg
}

/// The modules as tiles, as large as they have lines, as hot as what is active in them.
pub(super) fn map(modules: &[Module]) -> Html {
    let mut order: Vec<usize> = (0..modules.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(modules[*at].n_lines), *at));
    let areas: Vec<u32> = order.iter().map(|at| modules[*at].n_lines.max(1)).collect();
    let mut svg = Html::default();
    svg.raw("<svg class=\"map\" viewBox=\"0 0 ").num(MAP.0).raw(" ").num(MAP.1);
    svg.raw("\" role=\"group\" aria-label=\"Modules by lines of code, coloured by the best score in them\">\n");
    for (at, (x, y, width, height)) in order.iter().zip(tiles(&areas, (0, 0, MAP.0, MAP.1))) {
        let module = &modules[*at];
        if width < 3 || height < 3 {
            continue;
        }
        let is_active = module.n_active > 0;
        svg.raw("<a class=\"t ").raw(if is_active { heat(module.best) } else { "none" }).raw("\" href=\"#m").count(*at);
        svg.raw("\" data-m=\"")
            .count(*at)
            .raw("\"><title>")
            .text(&module.path)
            .raw("</title><rect x=\"")
            .num(x + 1)
            .raw("\" y=\"");
        svg.num(y + 1).raw("\" width=\"").num(width - 2).raw("\" height=\"").num(height - 2).raw("\" rx=\"3\"/>");
        if width >= NAMED_TILE.0 && height >= NAMED_TILE.1 {
            svg.raw("<text x=\"").num(x + 8).raw("\" y=\"").num(y + 18).raw("\">");
            svg.path(&module.path, ((width - 14) / LETTER) as usize).raw("</text>");
            if is_active && height >= 2 * NAMED_TILE.1 && width >= 2 * NAMED_TILE.0 {
                svg.raw("<text class=\"p\" x=\"").num(x + 8).raw("\" y=\"").num(y + 34).raw("\">").num(module.n_active);
                svg.raw(" active</text>");
            }
        }
        svg.raw("</a>\n");
    }
    svg.raw("</svg>");
    svg
}

/// The class of a score.
pub(super) fn heat(score: Energy) -> &'static str {
    match score.in_points() {
        80.. => "e5",
        60.. => "e4",
        40.. => "e3",
        25.. => "e2",
        12.. => "e1",
        _ => "e0",
    }
}

/// What a rule is called beside an edge.
pub(super) fn rule(name: &'static str) -> &'static str {
    match name {
        "imported_by" => "imported by",
        "called_by" => "called by",
        "references" => "names",
        "referenced_by" => "named by",
        "implemented_by" => "implemented by",
        "extended_by" => "extended by",
        "contains" => "holds",
        "contained_by" => "part of",
        "changed_with" => "changes with",
        "test" => "tested by",
        "file" => "in file",
        "floor" => "in hot file",
        other => other,
    }
}

/// The class of a rule: which way it leads.
pub(super) fn family(name: &str) -> &'static str {
    match name {
        "imports" | "calls" | "references" | "implements" | "extends" => "u",
        "imported_by" | "called_by" | "referenced_by" | "implemented_by" | "extended_by" => "v",
        "test" => "x",
        "changed_with" => "y",
        _ => "z",
    }
}
