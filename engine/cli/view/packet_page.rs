//! The parts of a page about the packet and the modules.

use super::html::Html;
use super::model::{BudgetView, ItemView, Module, SectionView, View};
use super::page::reference;
use super::svg;

/// What the packet holds, what was cut, and where that would enter.
pub(super) fn budget(html: &mut Html, budget: &BudgetView) {
    html.raw("<section id=\"budget\" aria-labelledby=\"h2\">\n<h2 id=\"h2\">Budget</h2>\n<p class=\"lead\"><strong>");
    html.grouped(budget.used).raw("</strong> of ").grouped(budget.total).raw(" tokens</p>\n").add(&svg::bar(budget));
    html.raw("\n<ul class=\"keys\">");
    for (section, shade) in budget.sections.iter().zip((0..4).cycle()) {
        html.raw("<li><i class=\"k").num(shade).raw("\"></i>").raw(section.name).raw(" ").grouped(section.tokens).raw("</li>");
    }
    html.raw("</ul>\n");
    for part in &budget.sections {
        section(html, part);
    }
    if !budget.larger.is_empty() {
        html.raw("<h3>Larger packets</h3><table class=\"sizes\"><thead><tr><th scope=\"col\">Budget</th><th scope=\"col\">Tokens used</th>");
        html.raw("<th scope=\"col\">Entries</th></tr></thead><tbody>");
        for (tokens, used, n_items) in &budget.larger {
            html.raw("<tr><td>")
                .grouped(*tokens)
                .raw("</td><td>")
                .grouped(*used)
                .raw("</td><td>")
                .count(*n_items)
                .raw("</td></tr>");
        }
        html.raw("</tbody></table>\n");
    }
    html.raw("</section>\n");
}

fn section(html: &mut Html, section: &SectionView) {
    html.raw("<details class=\"part\" open><summary><h3>").raw(section.name).raw("</h3> <span class=\"why\">");
    html.grouped(section.tokens).raw(" of at most ").grouped(section.budget).raw(" tokens</span></summary>\n<table><thead><tr>");
    html.raw("<th scope=\"col\">Shown</th><th scope=\"col\">Tokens</th><th scope=\"col\">Kind</th><th scope=\"col\">Why</th></tr></thead><tbody>");
    let most = section.items.iter().map(|item| item.tokens).max().unwrap_or_default().max(1);
    for item in &section.items {
        html.raw("<tr data-q><td>");
        name(html, item);
        html.raw("</td><td class=\"num\">")
            .grouped(item.tokens)
            .raw("<svg viewBox=\"0 0 60 8\" aria-hidden=\"true\"><rect width=\"");
        html.num((u64::from(item.tokens) * 60 / u64::from(most)) as u32).raw("\" height=\"8\" rx=\"2\"/></svg></td><td>");
        html.text(&kind(item)).raw(if item.is_smaller { ", shortened" } else { "" }).raw("</td><td class=\"why\">");
        html.text(&item.reason).raw("</td></tr>");
    }
    html.raw("</tbody></table>\n");
    if !section.cut.is_empty() {
        html.raw("<table class=\"cut\"><thead><tr><th scope=\"col\">Cut</th><th scope=\"col\">Enters by</th><th scope=\"col\">Kind</th>");
        html.raw("<th scope=\"col\">Stopped by</th></tr></thead><tbody>");
        for item in &section.cut {
            html.raw("<tr data-q><td>");
            name(html, item);
            html.raw("</td><td class=\"num\">");
            match item.enters {
                Some(tokens) => html.grouped(tokens),
                None => html.raw("–"),
            };
            html.raw("</td><td>").text(&kind(item)).raw("</td><td class=\"why\">").raw(item.limit.unwrap_or_default());
            html.raw("</td></tr>");
        }
        html.raw("</tbody></table>\n");
    }
    if section.n_more > 0 {
        html.raw("<p class=\"note\">").count(section.n_more).raw(" more are not listed here</p>\n");
    }
    html.raw("</details>\n");
}

fn name(html: &mut Html, item: &ItemView) {
    match item.node {
        Some(at) => html.raw("<a href=\"#n").count(at).raw("\">").text(&item.name).raw("</a>"),
        None => html.text(&item.name),
    };
}

/// A kind in words.
fn kind(item: &ItemView) -> redact::Safe {
    let words: Vec<redact::Safe> = item.kind.split('_').map(redact::Safe::fixed).collect();
    redact::Safe::join(&words, " ")
}

/// The folders of the repository, folded.
pub(super) fn modules(html: &mut Html, view: &View) {
    html.raw("<section id=\"modules\" aria-labelledby=\"h4\">\n<h2 id=\"h4\">Modules</h2>\n<p class=\"note map-note\">As large as their lines, as ");
    html.raw("warm as the best score in them. Grey ones are not active.</p>\n")
        .add(&svg::map(&view.modules))
        .raw("\n<ul class=\"modules\">\n");
    for (at, module) in view.modules.iter().enumerate() {
        let is_active = module.n_active > 0;
        html.raw("<li data-q><details id=\"m").count(at).raw("\" class=\"").raw(if is_active {
            svg::heat(module.best)
        } else {
            "none"
        });
        html.raw("\"><summary><span class=\"score\">");
        if is_active {
            html.points(module.best.whole());
        }
        html.raw("</span><span class=\"name\">").text(&module.path).raw("</span> <span class=\"why\">").grouped(module.n_files);
        html.raw(if module.n_files == 1 { " file, " } else { " files, " }).grouped(module.n_symbols).raw(" definitions, ");
        html.grouped(module.n_lines).raw(" lines");
        if is_active {
            html.raw("; ").grouped(module.n_active).raw(" active");
        }
        html.raw("</span></summary><div class=\"body\">");
        linked(html, view, "Uses", &module.uses);
        linked(html, view, "Used by", &module.used_by);
        if !module.nodes.is_empty() {
            html.raw("<p><b>Best</b> ");
            for (nth, at) in module.nodes.iter().enumerate() {
                html.raw(if nth > 0 { ", " } else { "" });
                reference(html, view, *at);
            }
            html.raw("</p>");
        }
        html.raw("</div></details></li>\n");
    }
    html.raw("</ul>\n</section>\n");
}

fn linked(html: &mut Html, view: &View, title: &'static str, modules: &[(usize, u32)]) {
    let modules: Vec<(&Module, usize, u32)> =
        modules.iter().filter_map(|(at, n)| Some((view.modules.get(*at)?, *at, *n))).collect();
    if modules.is_empty() {
        return;
    }
    html.raw("<p><b>").raw(title).raw("</b> ");
    for (nth, (module, at, n)) in modules.iter().enumerate() {
        html.raw(if nth > 0 { ", " } else { "" })
            .raw("<a href=\"#m")
            .count(*at)
            .raw("\">")
            .text(&module.path)
            .raw("</a> ")
            .grouped(*n);
    }
    html.raw("</p>");
}
