//! Proofs of rows: what each rests on, with the file and line where that stands.

use super::program::Sources;
use query::{Proof, Step, Type, Value};
use relations::Given;
use serde_json::{Map, json};
use std::io::{self, Write};

/// How proofs are written.
pub(super) struct Proofs<'p> {
    pub(super) given: &'p Given<'p>,
    pub(super) sources: &'p Sources,
    /// A value as it is shown.
    pub(super) shown: &'p dyn Fn(Value, Type) -> String,
}

impl Proofs<'_> {
    /// Where a row of the repository stands.
    fn place(&self, step: &Step) -> Option<String> {
        let (node, line) = self.given.place(&step.relation, &step.given)?;
        Some(format!("{}:{line}", (self.shown)(node, Type::Node)))
    }

    /// The steps of a proof behind its row, each below what rests on it.
    pub(super) fn text(&self, to: &mut dyn Write, proof: &Proof) -> io::Result<()> {
        for step in proof.steps.iter().filter(|step| step.depth > 0) {
            let value = |(value, of): &(Option<Value>, Type)| {
                let Some(value) = value.map(|value| (self.shown)(value, *of)) else { return "_".to_owned() };
                match of {
                    Type::Node | Type::Text => format!("{value:?}"),
                    Type::Name => format!("/{value}"),
                    Type::Number => value,
                }
            };
            let row: Vec<String> = step.row.iter().map(value).collect();
            let not = if step.is_not { "no " } else { "" };
            let from = match (step.rule, self.place(step)) {
                (Some(place), _) => {
                    let (before, place) = self.sources.line(place);
                    format!("  by the {} {before} {place}", if step.is_fact { "fact" } else { "rule" })
                }
                (None, Some(place)) => format!("  at {place}"),
                (None, None) if step.is_above => "  as above".to_owned(),
                (None, None) => String::new(),
            };
            writeln!(to, "{:1$}{not}{2}({3}){from}", "", 4 * step.depth, step.relation, row.join(", "))?;
        }
        if proof.is_cut { writeln!(to, "    … and more") } else { Ok(()) }
    }

    /// The same as a list: how deep a step stands says what rests on it. Objects within objects would be deeper than readers of JSON take.
    pub(super) fn json(&self, proof: &Proof) -> serde_json::Value {
        let step = |step: &Step| {
            let value = |(value, of): &(Option<Value>, Type)| match (value, of) {
                (None, _) => json!(null),
                (Some(value), Type::Number) => json!(value.cast_signed()),
                (Some(value), of) => json!((self.shown)(*value, *of)),
            };
            let mut object = Map::new();
            object.insert("depth".to_owned(), json!(step.depth));
            object.insert("relation".to_owned(), json!(step.relation));
            object.insert("row".to_owned(), step.row.iter().map(value).collect());
            if let Some(place) = self.place(step) {
                object.insert("at".to_owned(), json!(place));
            }
            if let Some(place) = step.rule {
                object.insert(if step.is_fact { "fact" } else { "rule" }.to_owned(), json!(self.sources.line(place).1));
            }
            for (key, _) in [("not", step.is_not), ("above", step.is_above)].into_iter().filter(|(_, is_so)| *is_so) {
                object.insert(key.to_owned(), json!(true));
            }
            serde_json::Value::Object(object)
        };
        let cut = proof.is_cut.then(|| json!({ "cut": true }));
        proof.steps.iter().filter(|step| step.depth > 0).map(step).chain(cut).collect()
    }
}
