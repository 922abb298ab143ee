//! Columns and strings while they grow, and as little-endian bytes once they are done.

use super::Section;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Columns by name.
#[derive(Debug, Default)]
pub(super) struct Columns {
    bytes: BTreeMap<&'static str, Vec<u8>>,
}

impl Columns {
    pub(super) fn push_u8(&mut self, column: &'static str, value: u8) {
        self.bytes.entry(column).or_default().push(value);
    }

    pub(super) fn push_u32(&mut self, column: &'static str, value: u32) {
        self.bytes.entry(column).or_default().extend(value.to_le_bytes());
    }

    pub(super) fn push_u64(&mut self, column: &'static str, value: u64) {
        self.bytes.entry(column).or_default().extend(value.to_le_bytes());
    }

    pub(super) fn put_u32s(&mut self, column: &'static str, values: impl IntoIterator<Item = u32>) {
        let bytes = self.bytes.entry(column).or_default();
        for value in values {
            bytes.extend(value.to_le_bytes());
        }
    }

    pub(super) fn finish(self) -> Vec<Section> {
        self.bytes.into_iter().collect()
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
        vec![("string.text", self.text), ("string.ends", ends)]
    }
}
