//! Columns and strings while they grow, and as little-endian bytes once they are done.

use super::Section;
use crate::base::{Column, N_COLUMNS};
use rustc_hash::FxHashMap;

/// Columns by number.
#[derive(Debug)]
pub(super) struct Columns {
    bytes: [Option<Vec<u8>>; N_COLUMNS],
}

impl Default for Columns {
    fn default() -> Self {
        Self { bytes: [const { None }; N_COLUMNS] }
    }
}

impl Columns {
    fn column(&mut self, column: Column) -> &mut Vec<u8> {
        self.bytes[column as usize].get_or_insert_default()
    }

    pub(super) fn push_u8(&mut self, column: Column, value: u8) {
        self.column(column).push(value);
    }

    pub(super) fn push_u32(&mut self, column: Column, value: u32) {
        self.column(column).extend(value.to_le_bytes());
    }

    pub(super) fn push_u64(&mut self, column: Column, value: u64) {
        self.column(column).extend(value.to_le_bytes());
    }

    /// Makes room for so many numbers: what grows to megabytes step by step is copied each time.
    pub(super) fn reserve_u32s(&mut self, column: Column, n_values: usize) {
        self.column(column).reserve_exact(n_values * size_of::<u32>());
    }

    pub(super) fn put_u32s(&mut self, column: Column, values: impl IntoIterator<Item = u32>) {
        let values = values.into_iter();
        let bytes = self.column(column);
        bytes.reserve(values.size_hint().0 * size_of::<u32>());
        for value in values {
            bytes.extend(value.to_le_bytes());
        }
    }

    /// Puts all bytes of a column.
    pub(super) fn put_bytes(&mut self, column: Column, bytes: Vec<u8>) {
        self.bytes[column as usize] = Some(bytes);
    }

    /// The numbers of a column.
    pub(super) fn u32s(&self, column: Column) -> Vec<u32> {
        let bytes = self.bytes[column as usize].as_deref().unwrap_or_default();
        bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)).collect()
    }

    /// Makes sure that there is such a column.
    pub(super) fn touch(&mut self, column: Column) {
        self.column(column);
    }

    pub(super) fn finish(self) -> Vec<Section> {
        let named = Column::ALL.iter().zip(self.bytes);
        named.filter_map(|(column, bytes)| Some((column.name(), bytes?))).collect()
    }
}

/// Strings by number, each once.
#[derive(Debug, Default)]
pub(super) struct Strings {
    ids: FxHashMap<String, u32>,
    text: Vec<u8>,
    ends: Vec<u32>,
}

impl Strings {
    pub(super) fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.ends.len() as u32;
        self.text.extend(text.as_bytes());
        self.ends.push(self.text.len() as u32);
        self.ids.insert(text.to_owned(), id);
        id
    }

    pub(super) fn finish(self) -> Vec<Section> {
        let mut ends = Vec::with_capacity(self.ends.len() * 4 + 4);
        ends.extend(0_u32.to_le_bytes());
        for end in self.ends {
            ends.extend(end.to_le_bytes());
        }
        vec![(Column::StringText.name(), self.text), (Column::StringEnds.name(), ends)]
    }
}
