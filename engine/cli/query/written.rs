//! How the answer of a query is written: as a table, JSON lines, CSV or a graph, with proofs where they are wanted.

use super::Format;
use super::program::Sources;
use super::proofs::Proofs;
use crate::exit::Outcome;
use crate::terminal::write_result;
use error::Result;
use query::{Answer, Facts as _, Proof, Type, Value, Words};
use relations::{Given, of_tasks, relations as all};
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The widest a column of a table is padded to, in characters.
const MAX_WIDTH: usize = 60;

/// Lists the relations with their columns.
pub(super) fn relations() -> Result<Outcome> {
    write_result(list)?;
    Ok(Outcome::Answered)
}

/// Writes the relations with their columns.
pub(super) fn list(to: &mut dyn Write) -> io::Result<()> {
    let (of_task, of_answer) = of_tasks();
    let more = of_task.iter().chain(of_answer).map(|relation| (*relation, "; with --intent"));
    for (relation, when) in all().into_iter().map(|relation| (relation, "")).chain(more) {
        let columns: Vec<String> =
            relation.columns.iter().map(|column| format!("{}: {}", column.name, column.of.word())).collect();
        writeln!(to, "{}({})", relation.name, columns.join(", "))?;
        writeln!(to, "    {}{when}", relation.says)?;
    }
    Ok(())
}

/// Writes one answer.
pub(super) fn write(
    to: &mut dyn Write,
    answer: &Answer,
    format: Format,
    question: usize,
    given: &Given<'_>,
    words: &Words,
    sources: &Sources,
) -> io::Result<()> {
    let names: Vec<&str> = answer.columns.iter().map(|(name, _)| name.as_str()).collect();
    let shown = |value: Value, of: Type| match of {
        Type::Node => given.node_text(value).into_owned(),
        Type::Text | Type::Name => words.text(value).to_string(),
        Type::Number => value.cast_signed().to_string(),
    };
    let proofs = Proofs { given, sources, shown: &shown };
    let row =
        |row: &[Value]| -> Vec<String> { row.iter().zip(&answer.columns).map(|(value, (_, of))| shown(*value, *of)).collect() };
    match format {
        Format::Table => {
            if question > 0 {
                writeln!(to)?;
            }
            table(to, &names, answer, &row, &|proof, to| proofs.text(to, proof))
        }
        Format::Jsonl => {
            for (at, values) in answer.rows().enumerate() {
                let mut object = Map::new();
                for ((name, of), value) in answer.columns.iter().zip(values) {
                    let json = if *of == Type::Number { json!(value.cast_signed()) } else { json!(shown(*value, *of)) };
                    object.insert(name.clone(), json);
                }
                if let Some(proof) = answer.proofs.get(at) {
                    object.insert("why".to_owned(), proofs.json(proof));
                }
                serde_json::to_writer(&mut *to, &object)?;
                writeln!(to)?;
            }
            Ok(())
        }
        Format::Csv => {
            let field = |text: &str| {
                let is_plain = !text.contains([',', '"', '\n', '\r']);
                if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
            };
            let line = |fields: &mut dyn Iterator<Item = &str>| fields.map(field).collect::<Vec<_>>().join(",");
            write!(to, "{}\r\n", line(&mut names.iter().copied()))?;
            answer.rows().try_for_each(|values| write!(to, "{}\r\n", line(&mut row(values).iter().map(String::as_str))))
        }
        Format::Mermaid => {
            writeln!(to, "graph LR")?;
            let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
            for values in answer.rows() {
                let ends: Vec<String> = row(values).into_iter().take(2).collect();
                let mut place = |text: &String| {
                    let next = numbers.len();
                    *numbers.entry(text.clone()).or_insert(next)
                };
                let node = |number: usize, text: &str| format!("n{number}[\"{}\"]", text.replace('"', "#quot;"));
                match ends.as_slice() {
                    [one, other] => {
                        let (from, into) = (place(one), place(other));
                        writeln!(to, "    {} --> {}", node(from, one), node(into, other))?;
                    }
                    [one] => {
                        let number = place(one);
                        writeln!(to, "    {}", node(number, one))?;
                    }
                    _ => {}
                }
            }
            Ok(())
        }
    }
}

/// Columns side by side, each row with its proof behind it.
fn table(
    to: &mut dyn Write,
    names: &[&str],
    answer: &Answer,
    texts: &dyn Fn(&[Value]) -> Vec<String>,
    proven: &dyn Fn(&Proof, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if names.is_empty() {
        writeln!(to, "{}", if answer.n_rows() == 0 { "no" } else { "yes" })?;
    } else {
        // Texts are made twice, so that not all of them are in memory.
        let mut widths: Vec<usize> = names.iter().map(|name| name.chars().count()).collect();
        for values in answer.rows() {
            for (width, text) in widths.iter_mut().zip(texts(values)) {
                *width = (*width).max(Some(text.chars().count()).filter(|width| *width <= MAX_WIDTH).unwrap_or(0));
            }
        }
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let padded: Vec<String> = cells.zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            padded.join("  ").trim_end().to_owned()
        };
        if answer.n_rows() == 0 {
            writeln!(to, "no rows: {}", names.join(", "))?;
        } else {
            writeln!(to, "{}", line(&mut names.iter().copied()))?;
        }
        for (at, values) in answer.rows().enumerate() {
            writeln!(to, "{}", line(&mut texts(values).iter().map(String::as_str)))?;
            if let Some(proof) = answer.proofs.get(at) {
                proven(proof, to)?;
            }
        }
        return Ok(());
    }
    answer.proofs.iter().try_for_each(|proof| proven(proof, to))
}
