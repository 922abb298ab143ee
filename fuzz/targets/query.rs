//! Programs in Datalog and in Mangle: read, and checked against a few relations. What is right is answered within small limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use query::{Column, Facts, Flow, Limits, Place, Program, Relation, Syntax, Value, Words, answer, check, is_whole, read_into};
use std::borrow::Cow;
use std::cell::Cell;

const RELATIONS: [Relation; 3] = [
    Relation {
        name: "calls",
        columns: &[Column::node("from"), Column::node("to"), Column::number("line"), Column::word("confidence")],
        says: "from calls to",
    },
    Relation { name: "unresolved", columns: &[Column::node("file"), Column::text("name")], says: "a name without a definition" },
    Relation { name: "size", columns: &[Column::node("of"), Column::number("lines")], says: "how long it is" },
];

/// How often it is asked whether time is over.
const MAX_ASKED: u32 = 8;

/// Four nodes.
struct Given;

impl Facts for Given {
    fn relations(&self) -> &[Relation] {
        &RELATIONS
    }

    fn finds(&self, relation: usize, bound: &[bool]) -> bool {
        relation == 0 && bound[0]
    }

    fn rows(&self, relation: usize, bound: &[Option<Value>], words: &Words, take: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let rows = (0..4).map(|node| match relation {
            0 => vec![node, (node + 1) % 4, 10 * node, words.id("exact")],
            1 => vec![node, words.id("lost")],
            _ => vec![node, 7 * node],
        });
        for row in rows {
            if row.iter().zip(bound).all(|(value, bound)| bound.is_none_or(|bound| bound == *value)) {
                take(&row)?;
            }
        }
        Flow::Continue(())
    }

    fn n_rows(&self, _: usize) -> usize {
        4
    }

    fn node(&self, text: &str) -> Option<Value> {
        text.parse().ok().filter(|node| *node < 4)
    }

    fn missing(&self, text: &str, words: &Words) -> Value {
        4 + words.id(text)
    }

    fn node_text(&self, node: Value) -> Cow<'_, str> {
        node.to_string().into()
    }

    fn like(&self, _: &str) -> Vec<String> {
        vec!["1".to_owned()]
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for syntax in [Syntax::Own, Syntax::Mangle] {
        is_whole(&text, syntax);
        let (mut program, words) = (Program::default(), Words::default());
        let read = read_into(&mut program, &text, Place::first(0), syntax);
        // What stands before a mistake was added, and a mistake stands within the text.
        if let Err(mistake) = read {
            assert!(mistake.place.line as usize <= 1 + text.matches('\n').count() && mistake.place.column > 0);
        }
        let Ok(checked) = check(&program, &Given, &words) else { continue };
        let n_asked = Cell::new(0);
        let is_over = || n_asked.replace(n_asked.get() + 1) > MAX_ASKED;
        let limits = Limits { bytes: 1 << 20, is_over: &is_over };
        for question in 0..checked.n_questions().min(4) {
            let _ = answer(&checked, question, &Given, &words, limits, 2);
        }
    }
});
