use std::collections::BTreeMap;

use super::{Record, Store};

/// A store that lives as long as the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: BTreeMap<String, Record>,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Store for MemoryStore {
    fn get(&self, id: &str) -> Option<Record> {
        self.rows.get(id).cloned()
    }

    fn put(&mut self, id: &str, record: Record) {
        self.rows.insert(id.to_owned(), record);
    }

    fn remove(&mut self, id: &str) -> bool {
        self.rows.remove(id).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer;

    #[test]
    fn transfer_moves_a_row() {
        let mut from = MemoryStore::new();
        let mut to = MemoryStore::new();
        from.put("s1", Record { owner: "ada".into() });
        assert!(transfer(&mut from, &mut to, "s1"));
        assert!(from.is_empty() && to.contains("s1"));
    }
}
