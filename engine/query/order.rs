//! The rows of an answer in the order of their texts and numbers.

use super::eval::{Evaluation, Stopped};
use super::facts::{Type, Value};
use super::table::Table;
use rustc_hash::FxHashMap;

/// The columns that are compared as one word.
const FIRST: usize = 2;

/// The numbers of rows in the order of their texts and numbers. Each text is looked at once, however many rows have it.
pub(super) fn ordered(known: &Evaluation<'_>, found: &Table, columns: &[(String, Type)]) -> Result<Vec<u32>, Stopped> {
    let n_rest = columns.len().saturating_sub(FIRST);
    let n_bytes = found.n_bytes() + found.len() * (size_of::<(u64, u32)>() + n_rest * size_of::<u32>());
    known.is_small(n_bytes)?;
    let mut firsts: Vec<(u64, u32)> = (0..found.len() as u32).map(|row| (0, row)).collect();
    let mut rests = vec![0_u32; found.len() * n_rest];
    for (column, (_, of)) in columns.iter().enumerate() {
        let ranks = if *of == Type::Number { FxHashMap::default() } else { ranks(known, found, column, *of, n_bytes)? };
        for (row, (first, _)) in firsts.iter_mut().enumerate() {
            let value = found.row(row)[column];
            // Numbers below zero come first.
            let rank = if *of == Type::Number { value ^ 1 << 31 } else { ranks.get(&value).copied().unwrap_or_default() };
            match column.checked_sub(FIRST) {
                Some(rest) => rests[row * n_rest + rest] = rank,
                None => *first |= u64::from(rank) << (32 * (FIRST - 1 - column)),
            }
        }
        known.is_in_time()?;
    }
    let rest = |row: u32| &rests[row as usize * n_rest..][..n_rest];
    firsts.sort_unstable_by(|(one, row), (other, other_row)| one.cmp(other).then_with(|| rest(*row).cmp(rest(*other_row))));
    known.is_in_time()?;
    Ok(firsts.into_iter().map(|(_, row)| row).collect())
}

/// The place of each value of a column among the texts of all. `others` are bytes of what else there is.
fn ranks(
    known: &Evaluation<'_>,
    found: &Table,
    column: usize,
    of: Type,
    others: usize,
) -> Result<FxHashMap<Value, u32>, Stopped> {
    known.is_small(others + found.len() * size_of::<Value>())?;
    let mut values: Vec<Value> = (0..found.len()).map(|row| found.row(row)[column]).collect();
    values.sort_unstable();
    values.dedup();
    let others = others + values.len() * (size_of::<(String, Value)>() + 2 * size_of::<u64>());
    known.is_small(others)?;
    let mut texts: Vec<(String, Value)> = values.into_iter().map(|value| (known.text(value, of).into_owned(), value)).collect();
    known.is_small(others + texts.iter().map(|(text, _)| text.len()).sum::<usize>())?;
    known.is_in_time()?;
    texts.sort_unstable();
    Ok(texts.into_iter().map(|(_, value)| value).zip(0..).collect())
}
