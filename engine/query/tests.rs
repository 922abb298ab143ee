//! Programs and what they give: over a few calls between functions of a made-up repository.

mod closure;
mod conformance;
mod limits;
mod mangle;
mod random;
mod rival;

use crate::{Column, Facts, Flow, Limits, Place, Program, Relation, Syntax, Type, Value, Words, answer, check, read_into};
use std::borrow::Cow;
use std::fmt::Write as _;

const NODES: [&str; 8] = ["a.go", "a.go#f", "a.go#g", "b.go", "b.go#h", "b.go#i", "t_test.go", "t_test.go#TestF"];

const RELATIONS: [Relation; 5] = [
    Relation {
        name: "calls",
        columns: &[Column::node("from"), Column::node("to"), Column::number("line"), Column::word("confidence")],
        says: "from calls to",
    },
    Relation { name: "contains", columns: &[Column::node("outer"), Column::node("inner")], says: "outer holds inner" },
    Relation { name: "size", columns: &[Column::node("of"), Column::number("lines")], says: "how long it is" },
    Relation { name: "missing", columns: &[Column::node("file"), Column::text("name")], says: "a name without a definition" },
    Relation { name: "edge", columns: &[Column::number("from"), Column::number("to")], says: "a line of a graph" },
];

/// Calls by numbers of nodes, and lines of a graph.
struct Given {
    edges: Vec<(u32, u32)>,
    /// Whether calls are found from both ends, as those of a fact base.
    finds: bool,
}

impl Default for Given {
    fn default() -> Self {
        Self { edges: vec![(1, 2), (2, 3), (3, 1), (3, 4), (5, 6)], finds: true }
    }
}

impl Facts for Given {
    fn relations(&self) -> &[Relation] {
        &RELATIONS
    }

    fn finds(&self, relation: usize, bound: &[bool]) -> bool {
        self.finds && relation == 0 && (bound[0] || bound.get(1) == Some(&true))
    }

    fn rows(&self, relation: usize, bound: &[Option<Value>], words: &Words, take: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let exact = words.id("exact");
        let rows: Vec<Vec<Value>> = match relation {
            0 => [(1, 2, 3), (1, 2, 4), (2, 4, 9), (4, 5, 2), (5, 4, 8), (7, 1, 5)]
                .map(|(from, to, line)| vec![from, to, line, if line == 9 { words.id("unique") } else { exact }])
                .to_vec(),
            1 => [(0, 1), (0, 2), (3, 4), (3, 5), (6, 7)].map(|(outer, inner)| vec![outer, inner]).to_vec(),
            2 => [(1, 10), (2, 20), (4, 10), (5, 7)].map(|(of, lines)| vec![of, lines]).to_vec(),
            3 => vec![vec![0, words.id("lost")], vec![3, words.id("lo\"st")]],
            _ => self.edges.iter().map(|(from, to)| vec![*from, *to]).collect(),
        };
        for row in rows {
            if row.iter().zip(bound).all(|(value, bound)| bound.is_none_or(|bound| bound == *value)) {
                take(&row)?;
            }
        }
        Flow::Continue(())
    }

    fn n_rows(&self, relation: usize) -> usize {
        [6, 5, 4, 2, self.edges.len()][relation]
    }

    fn node(&self, text: &str) -> Option<Value> {
        NODES.iter().position(|node| *node == text).map(|node| node as Value)
    }

    fn missing(&self, text: &str, words: &Words) -> Value {
        100 + words.id(text)
    }

    fn node_text(&self, node: Value) -> Cow<'_, str> {
        NODES.get(node as usize).copied().unwrap_or("?").into()
    }

    fn like(&self, text: &str) -> Vec<String> {
        NODES.iter().filter(|node| node.ends_with(text)).map(|node| (*node).to_owned()).collect()
    }
}

const LIMITS: Limits<'static> = Limits { bytes: 64 << 20, is_over: &|| false };

/// What a program gives, as text: for each question its columns and rows, or the mistake.
fn run(program: &str, facts: &Given, limits: Limits<'_>, proofs: usize) -> String {
    run_as(&[(program, Syntax::Own)], facts, limits, proofs)
}

/// The same of a program of several texts.
fn run_as(texts: &[(&str, Syntax)], facts: &Given, limits: Limits<'_>, proofs: usize) -> String {
    let words = Words::default();
    let mut program = Program::default();
    let mut read =
        texts.iter().zip(0..).map(|((text, syntax), source)| read_into(&mut program, text, Place::first(source), *syntax));
    let checked = match read.find(Result::is_err).unwrap_or(Ok(())).and_then(|()| check(&program, facts, &words)) {
        Ok(checked) => checked,
        Err(mistake) => return mistake.to_string(),
    };
    let mut out = String::new();
    for note in &checked.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let shown = |value: Value, of: Type| match of {
        Type::Node => facts.node_text(value).into_owned(),
        Type::Text => format!("{:?}", &*words.text(value)),
        Type::Name => format!("/{}", words.text(value)),
        Type::Number => value.cast_signed().to_string(),
    };
    for question in 0..checked.n_questions() {
        let answered = match answer(&checked, question, facts, &words, limits, proofs) {
            Ok(answered) => answered,
            Err(unanswered) => {
                let _ = writeln!(out, "stopped: {:?}, derived {:?}", unanswered.why, unanswered.derived);
                continue;
            }
        };
        let names: Vec<&str> = answered.columns.iter().map(|(name, _)| name.as_str()).collect();
        let _ = writeln!(out, "{}", if names.is_empty() { "is it so?".to_owned() } else { names.join(" ") });
        for (at, row) in answered.rows().enumerate() {
            let row: Vec<String> = row.iter().zip(&answered.columns).map(|(value, (_, of))| shown(*value, *of)).collect();
            let _ = writeln!(out, "  {}", if row.is_empty() { "yes".to_owned() } else { row.join(" ") });
            for step in answered.proofs.get(at).into_iter().flat_map(|proof| &proof.steps) {
                let row = step.row.iter().map(|(value, of)| value.map_or_else(|| "_".to_owned(), |value| shown(value, *of)));
                let row: Vec<String> = row.collect();
                let not = if step.is_not { "not " } else { "" };
                let rule = step
                    .rule
                    .map(|place| format!(" by {}line {}", if step.is_fact { "the fact of " } else { "" }, place.line))
                    .unwrap_or_default();
                let above = if step.is_above { " (above)" } else { "" };
                let _ = writeln!(out, "    {:1$}{not}{2}({3}){rule}{above}", "", 2 * step.depth, step.relation, row.join(", "));
            }
        }
        if let Some(why) = answered.unproven {
            let _ = writeln!(out, "unproven: {why:?}");
        }
    }
    out
}
