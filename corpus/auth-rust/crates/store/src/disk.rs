use std::fs;
use std::path::PathBuf;

use crate::memory::MemoryStore;
use crate::{Record, Store};

/// A store that writes its last change to a file, one row a line.
#[derive(Debug)]
pub struct DiskStore {
    path: PathBuf,
    memory: MemoryStore,
    log: String,
}

impl DiskStore {
    /// Reads the file when it exists.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let log = fs::read_to_string(&path).unwrap_or_default();
        let mut store = Self { path, memory: MemoryStore::new(), log };
        store.replay();
        store
    }

    fn replay(&mut self) {
        for line in self.log.lines() {
            if let Some((id, owner)) = line.split_once(' ') {
                self.memory.put(id, Record { owner: owner.to_owned() });
            }
        }
    }
}

impl Store for DiskStore {
    fn get(&self, id: &str) -> Option<Record> {
        self.memory.get(id)
    }

    fn put(&mut self, id: &str, record: Record) {
        self.log.push_str(&format!("{id} {}\n", record.owner));
        self.memory.put(id, record);
    }

    fn remove(&mut self, id: &str) -> bool {
        self.memory.remove(id)
    }

    fn flush(&mut self) -> Result<(), String> {
        fs::write(&self.path, &self.log).map_err(|error| format!("cannot save {}: {error}", self.path.display()))
    }
}
