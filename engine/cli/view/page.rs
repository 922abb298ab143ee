//! A page from what it shows: a pure function, so that the same answer gives the same bytes.

use super::html::Html;
use super::model::{ChangeView, Code, Node, ProofLine, View};
use super::nodes::tier;
use super::{packet_page, svg};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("view.css");
const SCRIPT: &str = include_str!("view.js");

/// The page, whole and without anything to load.
pub(super) fn page(view: &View) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.add(&policy());
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>").clipped(&view.task, 80, true);
    html.raw(" · activate</title>\n<style>").raw(STYLE).raw("</style>\n</head>\n<body>\n");
    header(&mut html, view);
    html.raw("<main>\n");
    activation(&mut html, view);
    packet_page::budget(&mut html, &view.budget);
    if let Some(change) = &view.change {
        change_part(&mut html, change);
    }
    packet_page::modules(&mut html, view);
    html.raw("</main>\n");
    html.raw(KEYS).raw("<script>").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
    html.finish()
}

/// What the page may do: run this script and use this style. It loads nothing, sends nothing, and takes no markup from a string.
fn policy() -> Html {
    let mut html = Html::default();
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-");
    html.digest(&Sha256::digest(SCRIPT)).raw("'; style-src 'sha256-").digest(&Sha256::digest(STYLE));
    html.raw("'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">\n");
    html
}

const KEYS: &str = "\
<dialog id=\"keys\" aria-label=\"Keys\"><h2>Keys</h2><dl>
<dt><kbd>/</kbd></dt><dd>search; <kbd>Enter</kbd> goes to the next hit</dd>
<dt><kbd>1</kbd> to <kbd>4</kbd></dt><dd>the parts of this page</dd>
<dt><kbd>g</kbd></dt><dd>graph or list</dd>
<dt>arrows</dt><dd>move in the graph; <kbd>Enter</kbd> opens</dd>
<dt><kbd>t</kbd></dt><dd>dark or light</dd>
<dt><kbd>Esc</kbd></dt><dd>close, and clear the search</dd>
</dl><button type=\"button\" id=\"keys-close\">Close</button></dialog>
";

fn header(html: &mut Html, view: &View) {
    html.raw("<header>\n<div class=\"head\"><h1>").text(&view.task).raw("</h1>\n<p class=\"facts\">");
    for (at, fact) in view.facts.iter().enumerate() {
        html.raw(if at > 0 { "<span aria-hidden=\"true\"> · </span>" } else { "" }).text(fact);
    }
    html.raw("</p></div>\n<div class=\"tools\"><nav aria-label=\"Parts\">");
    html.raw("<a href=\"#activation\">Activation</a><a href=\"#budget\">Budget</a>");
    html.raw(if view.change.is_some() { "<a href=\"#change\">Change</a>" } else { "" });
    html.raw("<a href=\"#modules\">Modules</a></nav>\n<div class=\"find\" role=\"search\">");
    html.raw("<input type=\"search\" id=\"q\" aria-label=\"Search this page\" placeholder=\"Search\" autocomplete=\"off\" spellcheck=\"false\">");
    html.raw("<output id=\"hits\" for=\"q\"></output></div>\n<div class=\"buttons\" id=\"buttons\" hidden>");
    html.raw("<button type=\"button\" id=\"theme\">Dark</button><button type=\"button\" id=\"help\">Keys</button></div></div>\n</header>\n");
}

fn activation(html: &mut Html, view: &View) {
    html.raw("<section id=\"activation\" aria-labelledby=\"h1\">\n<div class=\"title\"><h2 id=\"h1\">Activation</h2>");
    html.raw("<button type=\"button\" id=\"mode\" hidden>List</button></div>\n");
    if view.nodes.is_empty() {
        html.raw("<p class=\"note\">Nothing was found for the task.</p>\n");
    } else {
        html.raw(LEGEND);
    }
    if !view.left_out.is_empty() {
        html.raw("<p class=\"note\">").text(&redact::Safe::join(&view.left_out, " ")).raw("</p>\n");
    }
    for problem in &view.problems {
        html.raw("<p class=\"note\"><b class=\"alert\">Not known</b> ").text(problem).raw("</p>\n");
    }
    html.raw("<div class=\"stage\">\n<div class=\"graph\" id=\"graph\">").add(&svg::graph(view));
    html.raw("</div>\n<aside id=\"panel\" aria-label=\"Details\" tabindex=\"-1\" hidden></aside>\n</div>\n<ol class=\"list\" id=\"list\">\n");
    for (at, node) in view.nodes.iter().enumerate() {
        row(html, view, at, node);
    }
    html.raw("</ol>\n</section>\n");
}

const LEGEND: &str = "\
<div class=\"legend\"><p><span>Energy</span> <i class=\"e0\"></i>0 <i class=\"e1\"></i>12 <i class=\"e2\"></i>25 \
<i class=\"e3\"></i>40 <i class=\"e4\"></i>60 <i class=\"e5\"></i>80+</p><p><span>Edges</span> <b class=\"u\">uses</b> \
<b class=\"v\">used by</b> <b class=\"x\">tested by</b> <b class=\"z\">holds</b> <b class=\"y\">changes with</b></p></div>
";

/// A node in the list, with its proof and its code.
fn row(html: &mut Html, view: &View, at: usize, node: &Node) {
    html.raw("<li><details id=\"n").count(at).raw("\" class=\"").raw(svg::heat(node.score)).raw("\"");
    if let Some(parent) = node.parent {
        html.raw(" data-p=\"").count(parent).raw("\"");
    }
    html.raw(if node.is_whole { " data-w" } else { "" }).raw("><summary><span class=\"score\">").points(node.score.whole());
    html.raw("</span><span class=\"name\">").text(&node.name).raw("</span> <span class=\"place\">").text(&node.place);
    html.raw("</span> <span class=\"why\">").text(&node.reason).raw("</span></summary>\n<div class=\"body\">");
    html.raw("<p class=\"what\">").raw(node.kind).raw(", ").raw(tier(node.tier)).raw(", ").raw(node.role).raw("; score ");
    html.points(node.score).raw("</p>\n<h4>Proof</h4>");
    if let (Some(parent), false) = (node.parent, node.is_whole) {
        html.raw("<p class=\"from\">goes on from ");
        reference(html, view, parent);
        html.raw("</p>");
    }
    html.raw("<ol class=\"proof\">");
    for ProofLine { text, is_ground } in &node.proof {
        html.raw(if *is_ground { "<li class=\"g\">" } else { "<li>" }).text(text).raw("</li>");
    }
    html.raw("</ol>");
    for line in &node.standing {
        html.raw("<p class=\"rank\">").text(line).raw("</p>");
    }
    if let Some(code) = &node.code {
        code_part(html, code);
    }
    if !node.links.is_empty() {
        html.raw("<h4>Links</h4><ul class=\"links\">");
        for link in &node.links {
            html.raw("<li><b class=\"").raw(svg::family(link.rule)).raw("\">").raw(svg::rule(link.rule)).raw("</b> ");
            reference(html, view, link.to);
            if let Some(site) = &link.site {
                html.raw(" <i>").file(site, 60).raw("</i>");
            }
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    html.raw("</div></details></li>\n");
}

fn code_part(html: &mut Html, code: &Code) {
    html.raw("<h4>Code</h4><pre data-first=\"")
        .num(code.first)
        .raw("\" tabindex=\"0\"><code>")
        .text(&code.text)
        .raw("</code></pre>");
    if code.n_more > 0 {
        html.raw("<p class=\"note\">").grouped(code.n_more).raw(" more lines</p>");
    }
}

/// A link to another node of the page.
pub(super) fn reference(html: &mut Html, view: &View, at: usize) {
    html.raw("<a href=\"#n").count(at).raw("\">");
    if let Some(node) = view.nodes.get(at) {
        html.text(&node.name);
    }
    html.raw("</a>");
}

fn change_part(html: &mut Html, change: &ChangeView) {
    html.raw("<section id=\"change\" aria-labelledby=\"h3\">\n<h2 id=\"h3\">Change</h2>\n<p class=\"lead\">").text(&change.name);
    html.raw(": ")
        .count(change.files.len())
        .raw(if change.files.len() == 1 { " file, <ins>+" } else { " files, <ins>+" })
        .grouped(change.lines.0)
        .raw("</ins> <del>−");
    html.grouped(change.lines.1).raw("</del> lines</p>\n");
    list(html, "Breaks", &change.broken, "alert");
    if !change.commands.is_empty() {
        html.raw("<h3>Tests to run</h3><ul class=\"rows commands\">");
        for (command, why) in &change.commands {
            html.raw("<li data-q><code tabindex=\"0\">")
                .text(command)
                .raw("</code> <span class=\"why\">")
                .text(why)
                .raw("</span></li>");
        }
        html.raw("</ul>\n");
    }
    html.raw("<h3>What it reaches</h3>\n");
    if change.levels.is_empty() {
        html.raw("<p class=\"note\">Nothing is known to depend on it.</p>");
    }
    html.raw("<div class=\"levels\">");
    for level in &change.levels {
        html.raw("<div><h4>").count(level.depth).raw(if level.depth == 1 { " step, " } else { " steps, " });
        html.count(level.rows.len() + level.n_more).raw("</h4><ul tabindex=\"0\">");
        for row in &level.rows {
            html.raw(if row.is_test { "<li class=\"test\" data-q>" } else { "<li data-q>" });
            match row.node {
                Some(at) => html.raw("<a href=\"#n").count(at).raw("\">").text(&row.name).raw("</a>"),
                None => html.raw("<span class=\"name\">").text(&row.name).raw("</span>"),
            };
            html.raw(" <span class=\"why\">").raw(svg::rule(row.how)).raw(" ").text(&row.of);
            if !row.confidence.is_empty() {
                html.raw(" (").raw(row.confidence).raw(")");
            }
            html.raw("</span> <span class=\"place\">").text(&row.place).raw("</span></li>");
        }
        html.raw("</ul>");
        if level.n_more > 0 {
            html.raw("<p class=\"note\">and ").count(level.n_more).raw(" more</p>");
        }
        html.raw("</div>");
    }
    html.raw("</div>\n");
    list(html, "Usually changes along, and did not", &change.missing, "");
    html.raw("<h3>Files</h3><ul class=\"rows\">");
    for (path, word, added, removed) in &change.files {
        html.raw("<li data-q><span class=\"name\">").text(path).raw("</span> <span class=\"why\">").raw(word);
        html.raw("</span> <ins>+").grouped(*added).raw("</ins> <del>−").grouped(*removed).raw("</del></li>");
    }
    html.raw("</ul>\n</section>\n");
}

fn list(html: &mut Html, title: &'static str, lines: &[redact::Safe], class: &'static str) {
    if lines.is_empty() {
        return;
    }
    html.raw("<h3>").raw(title).raw("</h3><ul class=\"rows ").raw(class).raw("\">");
    for line in lines {
        html.raw("<li data-q>").text(line).raw("</li>");
    }
    html.raw("</ul>\n");
}

impl Html {
    /// A digest as policies have it: in base 64.
    fn digest(&mut self, bytes: &[u8]) -> &mut Self {
        const LETTERS: [&str; 64] = {
            let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let (mut letters, mut at, mut rest) = ([""; 64], 0, all);
            while at < 64 {
                (letters[at], rest) = rest.split_at(1);
                at += 1;
            }
            letters
        };
        for group in bytes.chunks(3) {
            let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
            for at in 0..4 {
                self.raw(if at > group.len() { "=" } else { LETTERS[bits >> (18 - 6 * at) & 63] });
            }
        }
        self
    }
}

/// Our own files, as a policy names them: for tests.
#[cfg(test)]
pub(super) fn assets() -> [&'static str; 2] {
    [STYLE, SCRIPT]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_in_base_64() {
        let written = |bytes: &[u8]| {
            let mut html = Html::default();
            html.digest(bytes);
            html.finish()
        };
        assert_eq!(["", "f", "fo", "foo", "foob"].map(|text| written(text.as_bytes())), ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
        assert_eq!(written(&Sha256::digest("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn nothing_of_ours_ends_its_own_element() {
        for asset in assets() {
            assert!(!asset.contains("</") && !asset.contains("<!--") && !asset.contains('\r'));
            assert!(!asset.contains("http:") && !asset.contains("https:") && !asset.contains("url("));
        }
    }
}
