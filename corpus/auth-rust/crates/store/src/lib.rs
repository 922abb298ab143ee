//! Where sessions are kept.

mod disk;
mod memory;

pub use disk::DiskStore;
pub use memory::MemoryStore;

/// One stored row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub owner: String,
}

/// What the service needs of a database.
pub trait Store {
    fn get(&self, id: &str) -> Option<Record>;
    fn put(&mut self, id: &str, record: Record);
    fn remove(&mut self, id: &str) -> bool;

    /// Whether there is a row; a store that knows better overrides this.
    fn contains(&self, id: &str) -> bool {
        self.get(id).is_some()
    }

    /// Writes pending rows.
    fn flush(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// Moves one row to another store.
pub fn transfer<A: Store, B>(from: &mut A, to: &mut B, id: &str) -> bool
where
    B: Store,
{
    let Some(record) = from.get(id) else {
        return false;
    };
    to.put(id, record);
    from.remove(id)
}
