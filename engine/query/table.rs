//! Rows of a derived relation: each once, in the order in which they came, found by the values of some columns.

use super::facts::Value;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

/// Behind the last row of a list.
const NONE: u32 = u32::MAX;

/// Rows of so many values.
#[derive(Debug, Default)]
pub(super) struct Table {
    n_columns: usize,
    n_rows: usize,
    values: Vec<Value>,
    /// Every row, by its values.
    rows: HashTable<u32>,
    indexes: Vec<Index>,
}

/// The rows that have the same values in some columns.
#[derive(Debug)]
struct Index {
    columns: Vec<usize>,
    /// The last row of each list.
    last: HashTable<u32>,
    /// The row before in its list.
    before: Vec<u32>,
}

impl Table {
    pub(super) fn of(n_columns: usize) -> Self {
        Self { n_columns, ..Self::default() }
    }

    pub(super) fn n_columns(&self) -> usize {
        self.n_columns
    }

    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[Value] {
        &self.values[row * self.n_columns..][..self.n_columns]
    }

    pub(super) fn has(&self, row: &[Value]) -> bool {
        self.place(hash(row), row).is_some()
    }

    /// The number of a row, of which the hash is given.
    pub(super) fn place(&self, hash: u64, row: &[Value]) -> Option<usize> {
        self.rows.find(hash, |other| is_same(self.row(*other as usize), row)).map(|row| *row as usize)
    }

    /// Adds a row, if it is not there. Whether it was added.
    pub(super) fn add(&mut self, row: &[Value]) -> bool {
        self.put(hash(row), row).1
    }

    /// The number of a row, of which the hash is given and which is added if it is not there, and whether it was.
    pub(super) fn put(&mut self, hash: u64, row: &[Value]) -> (usize, bool) {
        let (values, n_columns) = (&self.values, self.n_columns);
        let of = |row: u32| &values[row as usize * n_columns..][..n_columns];
        let found = self.rows.entry(hash, |other| is_same(of(*other), row), |other| self::hash(of(*other)));
        let free = match found {
            hashbrown::hash_table::Entry::Occupied(known) => return (*known.get() as usize, false),
            hashbrown::hash_table::Entry::Vacant(free) => free,
        };
        let number = self.n_rows as u32;
        free.insert(number);
        self.values.extend_from_slice(row);
        self.n_rows += 1;
        for index in &mut self.indexes {
            index.add(&self.values, self.n_columns, number);
        }
        (number as usize, true)
    }

    /// Adds a row that is known not to be there, to a table in which no row is looked for.
    pub(super) fn push(&mut self, row: &[Value]) -> bool {
        self.values.extend_from_slice(row);
        self.n_rows += 1;
        true
    }

    /// Adds the rows of a table of which this one has none, and takes them out of there.
    pub(super) fn append(&mut self, new: &mut Self) {
        if self.n_rows == 0 && self.indexes.is_empty() {
            std::mem::swap(self, new);
            return;
        }
        let (first, n_columns) = (self.n_rows as u32, self.n_columns);
        self.values.extend_from_slice(&new.values);
        self.n_rows += new.n_rows;
        let values = &self.values;
        let of = |row: &u32| hash(&values[*row as usize * n_columns..][..n_columns]);
        self.rows.reserve(new.n_rows, of);
        for number in first..self.n_rows as u32 {
            self.rows.insert_unique(of(&number), number, of);
        }
        for index in &mut self.indexes {
            (first..self.n_rows as u32).for_each(|number| index.add(values, n_columns, number));
        }
        new.clear();
    }

    /// Makes rows be found by these columns.
    pub(super) fn index(&mut self, columns: &[usize]) {
        if self.indexes.iter().any(|index| index.columns == columns) {
            return;
        }
        let mut index = Index { columns: columns.to_vec(), last: HashTable::new(), before: Vec::new() };
        for row in 0..self.n_rows as u32 {
            index.add(&self.values, self.n_columns, row);
        }
        self.indexes.push(index);
    }

    /// Whether rows are found by these columns.
    pub(super) fn is_indexed(&self, columns: &[usize]) -> bool {
        self.indexes.iter().any(|index| index.columns == columns)
    }

    /// The rows of a range that have these values in the columns of an index, from the last to the first.
    pub(super) fn with<'t>(
        &'t self,
        columns: &[usize],
        values: impl Fn(usize) -> Value + 't,
        range: Range<usize>,
    ) -> impl Iterator<Item = usize> + 't {
        let index = self.indexes.iter().find(|index| index.columns == columns);
        let last = index.and_then(|index| {
            let key = index.columns.iter().map(|column| values(*column));
            let wanted: smallest::Key = key.collect();
            let has_all = |row: &u32| {
                let row = self.row(*row as usize);
                index.columns.iter().zip(wanted.values()).all(|(column, value)| row[*column] == *value)
            };
            index.last.find(hash(wanted.values()), has_all).copied()
        });
        let mut next = last.unwrap_or(NONE);
        std::iter::from_fn(move || {
            loop {
                if next == NONE || (next as usize) < range.start {
                    return None;
                }
                let row = next as usize;
                next = index?.before[row];
                if row < range.end {
                    return Some(row);
                }
            }
        })
    }

    /// Bytes that it takes, about.
    pub(super) fn n_bytes(&self) -> usize {
        const SLOT: usize = size_of::<u32>() + 1;
        let indexes: usize = self.indexes.iter().map(|index| index.before.capacity() * 4 + index.last.capacity() * SLOT).sum();
        self.values.capacity() * size_of::<Value>() + self.rows.capacity() * SLOT + indexes
    }

    /// Takes all rows out.
    fn clear(&mut self) {
        self.values.clear();
        self.rows.clear();
        self.indexes.clear();
        self.n_rows = 0;
    }
}

impl Index {
    fn add(&mut self, values: &[Value], n_columns: usize, row: u32) {
        let columns = &self.columns;
        let key = |row: u32| columns.iter().map(move |column| &values[row as usize * n_columns + column]);
        let is_same = |other: &u32| key(*other).eq(key(row));
        match self.last.entry(hash_of(key(row)), is_same, |other| hash_of(key(*other))) {
            hashbrown::hash_table::Entry::Occupied(mut known) => {
                self.before.push(*known.get());
                *known.get_mut() = row;
            }
            hashbrown::hash_table::Entry::Vacant(free) => {
                free.insert(row);
                self.before.push(NONE);
            }
        }
    }
}

/// The hash of a row.
#[inline]
pub(super) fn hash(row: &[Value]) -> u64 {
    hash_of(row.iter())
}

#[inline]
fn hash_of<'v>(values: impl Iterator<Item = &'v Value>) -> u64 {
    let mut hasher = FxHasher::default();
    for value in values {
        hasher.write_u32(*value);
    }
    hasher.finish()
}

/// Rows are short: no call is made to compare them.
#[inline]
fn is_same(one: &[Value], other: &[Value]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// A few values without memory of their own.
mod smallest {
    use super::Value;
    use crate::reader::MAX_COLUMNS;

    pub(super) struct Key([Value; MAX_COLUMNS], usize);

    impl Key {
        pub(super) fn values(&self) -> &[Value] {
            &self.0[..self.1]
        }
    }

    impl FromIterator<Value> for Key {
        fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
            let mut key = Self([0; MAX_COLUMNS], 0);
            for value in values.into_iter().take(MAX_COLUMNS) {
                key.0[key.1] = value;
                key.1 += 1;
            }
            key
        }
    }
}
