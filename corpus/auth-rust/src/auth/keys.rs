//! Signing keys.

use std::collections::BTreeMap;

/// One signing secret; it is wiped when dropped.
#[derive(Debug)]
pub struct Key {
    id: String,
    secret: Vec<u8>,
}

impl Key {
    pub fn new(id: &str, secret: &[u8]) -> Self {
        Key { id: id.to_owned(), secret: secret.to_vec() }
    }

    pub fn secret(&self) -> &[u8] {
        &self.secret
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        let length = self.secret.len();
        // SAFETY: the pointer and the length describe the vector's own buffer.
        unsafe { wipe(self.secret.as_mut_ptr(), length) }
    }
}

/// Overwrites memory with zeros in a way that is not optimised out.
///
/// # Safety
/// `start` must be valid for writes of `length` bytes.
pub unsafe fn wipe(start: *mut u8, length: usize) {
    for offset in 0..length {
        // SAFETY: in bounds by the caller's promise.
        unsafe { start.add(offset).write_volatile(0) };
    }
}

/// Finds signing keys by id.
#[derive(Debug, Default)]
pub struct KeySet {
    by_id: BTreeMap<String, Key>,
}

impl KeySet {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn from_keys(keys: impl IntoIterator<Item = Key>) -> Self {
        let mut set = Self::new();
        for key in keys {
            set.insert(key);
        }
        set
    }

    /// Reads lines of `id secret`.
    pub fn parse(text: &str) -> Self {
        Self::from_keys(text.lines().filter_map(Self::parse_line))
    }

    fn parse_line(line: &str) -> Option<Key> {
        let (id, secret) = line.split_once(' ')?;
        Some(Key::new(id, secret.as_bytes()))
    }

    pub fn insert(&mut self, key: Key) {
        self.by_id.insert(key.id.clone(), key);
    }

    pub fn find(&self, id: &str) -> Option<&Key> {
        self.by_id.get(id)
    }
}
