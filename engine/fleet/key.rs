//! Keys: what stands for a place, a name or a term in every shard alike, without anybody handing out numbers.
//!
//! A key is a hash of 64 bits. Among ten million keys two are the same by chance once in some 400,000 fleets (n² / 2⁶⁵).

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A key.
pub(crate) type Key = u64;

/// The bit that tells keys of places from those of terms: a term that is a place needs no row of its own then.
const PLACE: Key = 1;

/// How a term is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Step {
    /// The module that is published under this name.
    Outside(Key),
    /// Of a module or type what is called so in it; of a value, or of what holds one, the member of its type. The name is a key.
    Member(Key, Key),
    /// What a call gives: all of it (0), or its n-th part (from 1). Of a type an instance.
    Result(Key, u32),
    /// A value of a type.
    Instance(Key),
    /// Many of a value.
    Many(Key),
    /// One of many.
    Element(Key),
}

impl Step {
    /// The terms that it is made of.
    pub(crate) const fn base(self) -> Option<Key> {
        match self {
            Self::Outside(_) => None,
            Self::Member(base, _) | Self::Result(base, _) | Self::Instance(base) | Self::Many(base) | Self::Element(base) => {
                Some(base)
            }
        }
    }

    /// The key of the term.
    pub(crate) fn key(self) -> Key {
        let (step, base, last) = match self {
            Self::Outside(module) => (0, 0, module),
            Self::Member(base, name) => (1, base, name),
            Self::Result(base, part) => (2, base, u64::from(part)),
            Self::Instance(base) => (3, base, 0),
            Self::Many(base) => (4, base, 0),
            Self::Element(base) => (5, base, 0),
        };
        let mut bytes = [step; 17];
        bytes[1..9].copy_from_slice(&base.to_le_bytes());
        bytes[9..].copy_from_slice(&last.to_le_bytes());
        xxh3_64(&bytes) & !PLACE
    }
}

/// The key of a name.
pub(crate) fn name(text: &str) -> Key {
    xxh3_64(text.as_bytes())
}

/// The key of several texts in a row.
fn texts(texts: &[&str]) -> Key {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    xxh3_64(&bytes)
}

/// The key of a repository.
pub(crate) fn repository(name: &str) -> Key {
    texts(&["repository", name])
}

/// The key of a place of a repository: a definition by its id, a module by its name.
pub(crate) fn place(repository: &str, id: &str) -> Key {
    texts(&["place", repository, id]) | PLACE
}

/// The key of a package or module by the name under which a registry knows it.
pub(crate) fn published(registry: &str, name: &str) -> Key {
    texts(&["published", registry, name])
}

/// Whether a key is one of a place.
pub(crate) const fn is_place(key: Key) -> bool {
    key & PLACE == PLACE
}
