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
mod plan;
mod ranks;
mod reader;
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
use plan::Sizes as _;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
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
        let n_rows = known.n_rows(at);
        match derived.iter_mut().find(|(name, _)| *name == relation.name) {
            Some((_, n_all)) => *n_all += n_rows,
            None if n_rows > 0 => derived.push((relation.name.clone(), n_rows)),
            None => {}
        }
    }
    derived.sort();
    derived
}

/// The numbers of rows in the order of their texts and numbers. Each text is looked at once, however many rows have it.
fn ordered(known: &Evaluation<'_>, found: &Table, columns: &[(String, Type)]) -> Result<Vec<u32>, Stopped> {
    let mut ranks: Vec<FxHashMap<Value, u32>> = Vec::new();
    let mut n_bytes = found.n_bytes() + found.len() * size_of::<u32>();
    for (column, (_, of)) in columns.iter().enumerate() {
        let mut places = FxHashMap::default();
        if *of != Type::Number {
            known.is_small(n_bytes + found.len() * size_of::<Value>())?;
            let mut values: Vec<Value> = (0..found.len()).map(|row| found.row(row)[column]).collect();
            values.sort_unstable();
            values.dedup();
            known.is_small(n_bytes + values.len() * size_of::<(String, Value)>())?;
            let mut texts: Vec<(String, Value)> =
                values.into_iter().map(|value| (known.text(value, *of).into_owned(), value)).collect();
            n_bytes += texts.len() * size_of::<u64>() * 2;
            known.is_small(n_bytes + texts.iter().map(|(text, _)| text.len() + size_of::<(String, Value)>()).sum::<usize>())?;
            known.is_in_time()?;
            texts.sort_unstable();
            places.extend(texts.into_iter().map(|(_, value)| value).zip(0..));
        }
        ranks.push(places);
    }
    known.is_in_time()?;
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    let compared = |column: usize, one: Value, other: Value| match columns[column].1 {
        Type::Number => one.cast_signed().cmp(&other.cast_signed()),
        Type::Node | Type::Text | Type::Name => ranks[column].get(&one).cmp(&ranks[column].get(&other)),
    };
    order.sort_unstable_by(|one, other| {
        let (one, other) = (found.row(*one as usize), found.row(*other as usize));
        let columns = (0..columns.len()).map(|column| compared(column, one[column], other[column]));
        columns.fold(Ordering::Equal, Ordering::then)
    });
    known.is_in_time()?;
    Ok(order)
}
