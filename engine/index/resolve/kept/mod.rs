//! The tables of the resolver as lists of numbers, one for each thing that numbers name, so that an edit that moves numbers leaves most of them
//! as they were but for that.
//!
//! A value is written as serde describes it: what a number names is the name of its type. Maps and sets are written in the order of their keys.

mod read;
mod write;

#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::hash::Hash;

pub(super) use read::from_lists;
pub(super) use write::to_lists;

/// What a number of the tables names, where it names something that has a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// A symbol.
    Sym,
    /// A name.
    Name,
    /// A module.
    Module,
    /// A file.
    File,
}

/// How many lists of numbers there are.
pub const N_LISTS: usize = 4;

impl Names {
    /// What the numbers of each list name.
    pub const ALL: [Self; N_LISTS] = [Self::Sym, Self::Name, Self::Module, Self::File];

    /// By the name of a type.
    fn of(name: &str) -> Option<Self> {
        match name {
            "Sym" => Some(Self::Sym),
            "Name" => Some(Self::Name),
            "ModuleId" => Some(Self::Module),
            "FileId" => Some(Self::File),
            _ => None,
        }
    }
}

/// Tables as they are kept: numbers by what they name, other numbers, and all texts, each one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// Numbers by [`Names`].
    pub numbers: [Vec<u32>; N_LISTS],
    /// Lengths, places and choices, each in as few bytes as it needs: seven bits in each, the lowest first, and the eighth set but in the last.
    pub rest: Vec<u8>,
    /// The texts.
    pub text: Vec<u8>,
}

/// The same where they lie.
#[derive(Debug, Clone, Copy)]
pub struct ListsRef<'a> {
    /// Numbers by [`Names`].
    pub numbers: [&'a [u32]; N_LISTS],
    /// Other numbers.
    pub rest: &'a [u8],
    /// The texts.
    pub text: &'a [u8],
}

impl ListsRef<'_> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl Lists {
    /// The lists where they lie.
    pub fn as_ref(&self) -> ListsRef<'_> {
        ListsRef { numbers: self.numbers.each_ref().map(Vec::as_slice), rest: &self.rest, text: &self.text }
    }
}

/// Why a value cannot be written or read.
#[derive(Debug)]
pub struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

impl serde::ser::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl serde::de::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Lists of places of symbols, as what they name.
pub(super) mod as_syms {
    use super::super::Sym;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(places: &[u32], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(places.iter().map(|place| Sym(*place)))
    }

    pub(in super::super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u32>, D::Error> {
        Ok(Vec::<Sym>::deserialize(from)?.into_iter().map(|sym| sym.0).collect())
    }
}

/// Writes a map in the order of its keys.
pub(super) fn map_by_key<K: Serialize + Ord + Hash, V: Serialize, S: Serializer>(
    map: &FxHashMap<K, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut entries: Vec<(&K, &V)> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    to.collect_map(entries)
}

/// Writes a set in order.
pub(super) fn set_in_order<K: Serialize + Ord + Hash, S: Serializer>(set: &FxHashSet<K>, to: S) -> Result<S::Ok, S::Error> {
    let mut keys: Vec<&K> = set.iter().collect();
    keys.sort_unstable();
    to.collect_seq(keys)
}
