//! Numbers in lists one behind the other, values by number, and pairs of values as words.

use super::facts::Value;

/// A list of numbers for each of the numbers 0, 1, ..
#[derive(Debug)]
pub(super) struct Lists {
    /// Where each list begins, and the end of the last.
    begins: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// So many lists from pairs, sorted by the number of the list.
    pub(super) fn of(n_lists: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut lists = Self { begins: Vec::with_capacity(n_lists + 1), items: Vec::with_capacity(pairs.size_hint().0) };
        for (list, item) in pairs {
            while lists.begins.len() <= list as usize {
                lists.begins.push(lists.items.len() as u32);
            }
            lists.items.push(item);
        }
        lists.begins.resize(n_lists + 1, lists.items.len() as u32);
        lists
    }

    pub(super) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    pub(super) fn n_items(&self) -> usize {
        self.items.len()
    }

    pub(super) fn of_node(&self, node: usize) -> &[u32] {
        &self.items[self.begins[node] as usize..self.begins[node + 1] as usize]
    }

    /// For each number the lists that it is in.
    pub(super) fn reversed(&self) -> Self {
        let mut begins = vec![0_u32; self.len() + 1];
        self.items.iter().for_each(|item| begins[*item as usize + 1] += 1);
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let (mut next, mut items) = (begins.clone(), vec![0; self.items.len()]);
        for list in 0..self.len() {
            for item in self.of_node(list) {
                let place = &mut next[*item as usize];
                items[*place as usize] = list as u32;
                *place += 1;
            }
        }
        Self { begins, items }
    }

    pub(super) fn n_bytes(&self) -> usize {
        (self.begins.capacity() + self.items.capacity()) * size_of::<u32>()
    }
}

/// Values that are numbered in their order.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) values: Vec<Value>,
    /// The number of each value, where values are small enough for a table.
    places: Vec<u32>,
}

/// No value has it.
const NONE: u32 = u32::MAX;

/// A table of numbers has at most so many places for each value.
const MAX_PLACES: usize = 8;

impl Numbers {
    pub(super) fn of(mut values: Vec<Value>) -> Self {
        values.sort_unstable();
        values.dedup();
        values.shrink_to_fit();
        let mut places = Vec::new();
        if let Some(last) = values.last().filter(|last| **last as usize / MAX_PLACES <= values.len()) {
            places.resize(*last as usize + 1, NONE);
            values.iter().zip(0..).for_each(|(value, number)| places[*value as usize] = number);
        }
        Self { values, places }
    }

    /// The number of a value.
    pub(super) fn of_value(&self, value: Value) -> Option<u32> {
        if self.places.is_empty() {
            return self.values.binary_search(&value).ok().map(|number| number as u32);
        }
        self.places.get(value as usize).copied().filter(|number| *number != NONE)
    }

    pub(super) fn n_bytes(&self) -> usize {
        (self.values.capacity() + self.places.capacity()) * size_of::<u32>()
    }
}

/// The numbers of the bits that are set, in order.
pub(super) fn bits(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().zip(0_u32..).flat_map(|(word, at)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros())?;
            word &= word - 1;
            Some(at * 64 + bit)
        })
    })
}

/// Pairs of values as words that are sorted as the pairs are.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    words: Vec<u64>,
    /// How many there were when they were sorted last.
    n_sorted: usize,
}

/// With fewer pairs it is not worth while to look for those that came before.
const MIN_SORTED: usize = 1 << 16;

impl Pairs {
    /// Adds a pair. Whether memory may have grown.
    pub(super) fn add(&mut self, one: Value, other: Value) -> bool {
        let is_full = self.words.len() == self.words.capacity();
        if is_full && self.words.len() >= 2 * self.n_sorted.max(MIN_SORTED) {
            self.sort();
        }
        self.words.push(u64::from(one) << 32 | u64::from(other));
        is_full
    }

    fn sort(&mut self) {
        self.words.sort_unstable();
        self.words.dedup();
        self.n_sorted = self.words.len();
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// All of them, sorted, each once.
    pub(super) fn sorted(mut self) -> Vec<u64> {
        self.sort();
        self.words
    }
}

pub(super) fn pair(word: u64) -> (Value, Value) {
    ((word >> 32) as Value, word as Value)
}
