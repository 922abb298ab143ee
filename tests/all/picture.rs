//! The picture of the flow, drawn from a real answer: what the first command activates, and over which links.
//!
//! `UPDATE_EXPECT=1` draws it again.

use activate::{Active, Budget, Engine, Options, Request};
use expect_test::expect_file;
use std::fmt::Write as _;

const TASK: [&str; 2] = ["fix ValidateToken", "in internal/auth"];
/// The definition that the task names.
const TARGET: &str = "internal/auth/login.go#ValidateToken";
/// How many definitions around the target are drawn, and how many files.
const N_AROUND: usize = 6;
const N_FILES: usize = 6;
/// The height of a row, and where the first begins.
const ROW: usize = 46;
const TOP: usize = 50;

/// Hot is red, warm is yellow.
fn color(score: f64) -> &'static str {
    match score {
        hot if hot > 79.0 => "#d9480f",
        hot if hot > 59.0 => "#f76707",
        hot if hot > 30.0 => "#ffa94d",
        _ => "#ffd8a8",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A box of two lines, with the color of its score on its edge.
fn card(svg: &mut String, (x, y): (usize, usize), width: usize, score: Option<f64>, lines: [&str; 2]) {
    let _ = writeln!(svg, r##"<rect x="{x}" y="{y}" width="{width}" height="38" rx="5" fill="#fff" stroke="#ced4da"/>"##);
    if let Some(score) = score {
        let _ = writeln!(svg, r#"<rect x="{x}" y="{y}" width="6" height="38" rx="3" fill="{}"/>"#, color(score));
        let _ = writeln!(svg, r#"<text x="{}" y="{}" class="n" text-anchor="end">{score:.0}</text>"#, x + width - 8, y + 16);
    }
    let _ = writeln!(svg, r#"<text x="{}" y="{}" class="b">{}</text>"#, x + 13, y + 16, escaped(lines[0]));
    let _ = writeln!(svg, r#"<text x="{}" y="{}" class="s">{}</text>"#, x + 13, y + 31, escaped(lines[1]));
}

/// A way that energy takes, the wider the more of it arrives.
fn flow(svg: &mut String, (x, y): (usize, usize), (to_x, to_y): (usize, usize), score: f64) {
    let middle = usize::midpoint(x, to_x);
    let _ = writeln!(
        svg,
        r#"<path d="M{x} {y} C{middle} {y} {middle} {to_y} {to_x} {to_y}" fill="none" stroke="{}" stroke-width="{:.1}" opacity=".75"/>"#,
        color(score),
        1.0 + score / 25.0
    );
}

fn head(svg: &mut String, x: usize, text: &str) {
    let _ = writeln!(svg, r#"<text x="{x}" y="30" class="h">{text}</text>"#);
}

const fn row(n: usize) -> usize {
    TOP + n * ROW
}

/// The last parts of a path.
fn short(path: &str) -> &str {
    path.rmatch_indices('/').nth(1).map_or(path, |(at, _)| &path[at + 1..])
}

/// `called by ValidateToken, line 37` beside the target: `called by it, line 37`. None where another reason stands first.
fn link_to_target(active: &Active) -> Option<String> {
    let (kind, rest) = active.reason.split_once(" ValidateToken")?;
    let line = rest.split(" of ").next().unwrap_or_default();
    ["called by", "calls", "tests"].contains(&kind).then(|| format!("{kind} it{line}"))
}

fn drawn() -> String {
    let root = crate::replay::corpus().join("auth-go");
    let engine = Engine::open_with(root, Options::new().no_cache()).expect("the corpus");
    let answer = engine.ask(&Request::new(TASK.join(" "))).expect("an answer");
    let packet = answer.packet(&Budget::tokens(8_000)).expect("a packet");
    let definitions = answer.definitions();
    let around: Vec<(&Active, String)> =
        definitions.iter().filter_map(|active| Some((active, link_to_target(active)?))).take(N_AROUND).collect();
    let files: Vec<Active> = answer.files().into_iter().take(N_FILES).collect();
    let target = definitions.iter().find(|active| active.id == TARGET).expect("the target");

    let mut svg = String::new();
    let style = "text{font-family:ui-sans-serif,system-ui,Segoe UI,Helvetica,Arial,sans-serif;fill:#212529}.h{font-size:14px;font-weight:600}\
                 .b{font-size:12px;font-weight:600}.s{font-size:10.5px;fill:#495057}.n{font-size:11px;fill:#868e96}";
    let height = row(N_FILES.max(N_AROUND)) + 6;
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 {height}\" role=\"img\" aria-label=\"A task lights up what it names; \
         energy flows along calls, imports and tests; the files that are hot become a packet.\">\n<style>{style}</style>\n\
         <rect width=\"960\" height=\"{height}\" rx=\"10\" fill=\"#f8f9fa\"/>"
    );
    for (x, text) in [
        (20, "1. The task names"),
        (196, "2. a definition;"),
        (416, "3. energy flows along links"),
        (690, "4. and orders the files."),
    ] {
        head(&mut svg, x, text);
    }
    let middle = row(N_AROUND / 2) - ROW / 2;
    flow(&mut svg, (170, middle + 19), (196, middle + 19), target.score);
    for (n, (active, _)) in around.iter().enumerate() {
        flow(&mut svg, (360, middle + 19), (416, row(n) + 19), active.score);
        if let Some(place) = files.iter().position(|file| file.path == active.path) {
            flow(&mut svg, (640, row(n) + 19), (690, row(place) + 19), active.score * 0.8);
        }
    }
    card(&mut svg, (20, middle), 150, None, TASK);
    let line = format!("{}:{}", short(&target.path), target.lines.map_or(0, |(first, _)| first));
    card(&mut svg, (196, middle), 164, Some(target.score), ["ValidateToken", &line]);
    for (n, (active, link)) in around.iter().enumerate() {
        let name = active.id.rsplit('#').next().unwrap_or_default();
        card(&mut svg, (416, row(n)), 224, Some(active.score), [name, link]);
    }
    for (n, file) in files.iter().enumerate() {
        card(&mut svg, (690, row(n)), 250, Some(file.score), [&format!("{}. {}", n + 1, short(&file.path)), &file.reason]);
    }
    let _ = writeln!(
        svg,
        "<text x=\"20\" y=\"{}\" class=\"b\">5. The packet: {} tokens</text>\n<text x=\"20\" y=\"{}\" class=\"s\">of at most 8,000, each line with</text>\n\
         <text x=\"20\" y=\"{}\" class=\"s\">the reason why it is there.</text>\n</svg>",
        height - 58,
        packet.tokens,
        height - 42,
        height - 26
    );
    svg
}

#[test]
fn the_picture_of_the_flow_is_that_of_the_answer() {
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/picture.svg")].assert_eq(&drawn());
}
