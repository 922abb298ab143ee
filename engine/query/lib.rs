//! Datalog over relations that somebody else holds: a program is read, checked and evaluated, and each row of an answer can be proven.
//!
//! Relations that are given are read where they lie: rules are joined by what the holder finds at once, and only what it does not is copied. What rules
//! derive is kept in memory, within limits. Nothing here knows what the relations mean.

mod ast;
mod check;
mod checked;
mod eval;
mod facts;
mod lexer;
mod magic;
mod mistake;
mod plan;
mod reader;
mod strata;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod why;
mod words;

pub use ast::{Place, Program};
pub use check::{Checked, check};
pub use eval::{Limits, Stopped};
pub use facts::{Column, Facts, Flow, Relation, Type, Value};
pub use mistake::Mistake;
pub use reader::read;
pub use why::{Proof, Step};
pub use words::Words;

use checked::HeadColumn;
use eval::Evaluation;
use table::Table;
use why::Prover;

/// What a question gives.
#[derive(Debug)]
pub struct Answer {
    /// The variables of the question, in the order in which they first stand there, and what they are.
    pub columns: Vec<(String, Type)>,
    /// Rows of values, each once, in the order of their texts and numbers.
    pub rows: Vec<Vec<Value>>,
    /// How each row came about, where that was asked for, beside the rows.
    pub proofs: Vec<Proof>,
}

/// An answer that could not be given.
#[derive(Debug)]
pub struct Unanswered {
    /// Why.
    pub why: Stopped,
    /// What had been derived so far: relations and how many rows.
    pub derived: Vec<(String, usize)>,
}

/// Answers a question of a program, by its number; the first rows with proofs, as many as `proofs` says.
///
/// # Errors
///
/// A limit that was met, or a number that cannot be computed.
pub fn answer(
    checked: &Checked,
    question: usize,
    facts: &dyn Facts,
    words: &Words,
    limits: Limits<'_>,
    proofs: usize,
) -> Result<Answer, Unanswered> {
    let asked = &checked.questions[question];
    let narrowed = magic::narrowed(checked, asked);
    let mut known = Evaluation::new(facts, words, &narrowed.relations, limits);
    let outcome = derive(&mut known, &narrowed);
    let outcome = outcome.and_then(|found| {
        let columns: Vec<(String, Type)> = narrowed
            .question
            .columns
            .iter()
            .filter_map(|column| match column {
                HeadColumn::Value(checked::Expression::Variable(at)) => Some(&narrowed.question.variables[*at]),
                _ => None,
            })
            .map(|variable| (variable.name.clone(), variable.of))
            .collect();
        let mut rows: Vec<Vec<Value>> = (0..found.len()).map(|row| found.row(row).to_vec()).collect();
        rows.sort_by_cached_key(|row| {
            row.iter().zip(&columns).map(|(value, (_, of))| Sorted::of(&known, *value, *of)).collect::<Vec<_>>()
        });
        let mut prover = Prover::new(&mut known, &narrowed);
        let proofs = rows.iter().take(proofs).map(|row| prover.question(row)).collect::<Result<_, _>>()?;
        Ok(Answer { columns, rows, proofs })
    });
    outcome.map_err(|why| Unanswered { why, derived: derived(&known) })
}

/// Derives what a question needs, and what it gives.
fn derive<'n>(known: &mut Evaluation<'n>, narrowed: &'n magic::Narrowed) -> Result<Table, Stopped> {
    for stratum in &narrowed.strata {
        known.derive(stratum, &narrowed.rules)?;
    }
    known.ask(&narrowed.question)
}

/// Derived relations by how they are called, with how many rows they have.
fn derived(known: &Evaluation<'_>) -> Vec<(String, usize)> {
    let named = known
        .relations
        .iter()
        .zip(&known.tables)
        .filter(|(relation, table)| relation.given.is_none() && !relation.is_demand && table.len() > 0);
    let mut derived: Vec<(String, usize)> = Vec::new();
    for (relation, table) in named {
        match derived.iter_mut().find(|(name, _)| *name == relation.name) {
            Some((_, n_rows)) => *n_rows += table.len(),
            None => derived.push((relation.name.clone(), table.len())),
        }
    }
    derived.sort();
    derived
}

/// A value as answers are sorted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sorted {
    Number(i32),
    Text(String),
}

impl Sorted {
    fn of(known: &Evaluation<'_>, value: Value, of: Type) -> Self {
        if of == Type::Number { Self::Number(value.cast_signed()) } else { Self::Text(known.text(value, of).into_owned()) }
    }
}
