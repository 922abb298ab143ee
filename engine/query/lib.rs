//! Datalog over relations that somebody else holds: a program is read, checked and evaluated, and each row of an answer can be proven.
//!
//! Relations that are given are read where they lie: rules are joined by what the holder finds at once, and only what it does not is copied. What rules
//! derive is kept in memory, within limits. Nothing here knows what the relations mean.

pub mod ast;
mod check;
mod checked;
mod closure;
mod components;
mod decimal;
mod declared;
mod eval;
mod facts;
mod join;
mod lexer;
mod lists;
mod magic;
mod mangle;
mod mistake;
mod order;
mod plan;
mod ranks;
mod reader;
mod small;
mod strata;
mod table;
#[cfg(test)]
mod tests;
mod totals;
mod transitive;
mod types;
mod values;
mod why;
mod words;

pub use ast::{Declaration, Place, Program, Syntax};
pub use check::{Checked, check};
pub use eval::{Limits, Stopped};
pub use facts::{Column, Facts, Flow, Relation, Type, Value};
pub use lexer::is_whole;
pub use mistake::Mistake;
pub use reader::{read, read_into};
pub use why::{Proof, Step};
pub use words::Words;

use checked::HeadColumn;
use eval::Evaluation;
use order::ordered;
use table::Table;
use why::Prover;

/// What a question gives.
#[derive(Debug)]
pub struct Answer {
    /// The variables of the question, in the order in which they first stand there, and what they are.
    pub columns: Vec<(String, Type)>,
    /// Rows of values, each once.
    table: Table,
    /// The rows in the order of their texts and numbers.
    order: Vec<u32>,
    /// How each row came about, where that was asked for, beside the rows.
    pub proofs: Vec<Proof>,
    /// Why the rows behind those that are proven are not, where proofs of them were asked for.
    pub unproven: Option<Stopped>,
}

impl Answer {
    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.order.len()
    }

    /// The rows in the order of their texts and numbers.
    pub fn rows(&self) -> impl Iterator<Item = &[Value]> {
        self.order.iter().map(|row| self.table.row(*row as usize))
    }
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
    let narrowed = magic::narrowed(checked, asked, facts);
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
        let order = ordered(&known, &found, &columns)?;
        let mut prover = Prover::new(&mut known, &narrowed);
        let (mut shown, mut unproven) = (Vec::new(), None);
        for row in order.iter().take(proofs) {
            match prover.question(found.row(*row as usize)) {
                Ok(proof) => shown.push(proof),
                Err(stopped) => {
                    unproven = Some(stopped);
                    break;
                }
            }
        }
        Ok(Answer { columns, table: found, order, proofs: shown, unproven })
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
    let mut derived: Vec<(String, usize)> = Vec::new();
    for (at, relation) in
        known.relations.iter().enumerate().filter(|(_, relation)| relation.given.is_none() && !relation.is_demand)
    {
        let n_rows = known.n_derived(at);
        match derived.iter_mut().find(|(name, _)| *name == relation.name) {
            Some((_, n_all)) => *n_all += n_rows,
            None if n_rows > 0 => derived.push((relation.name.clone(), n_rows)),
            None => {}
        }
    }
    derived.sort();
    derived
}
