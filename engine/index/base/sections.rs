//! Named byte sections, as whoever keeps them gives them, and in memory.

use cache::Base;

/// Named byte sections, each aligned for columns of numbers.
pub trait Sections: Send + Sync {
    /// The place of a section, if there is one of this name.
    fn place(&self, name: &str) -> Option<usize>;

    /// The bytes of the section at a place; empty where there is none.
    fn section(&self, place: usize) -> &[u8];

    /// The base that they are, if it can go on to a next one.
    fn as_base(&self) -> Option<&Base> {
        None
    }
}

impl Sections for Base {
    fn place(&self, name: &str) -> Option<usize> {
        Base::place(self, name)
    }

    fn section(&self, place: usize) -> &[u8] {
        Base::section(self, place)
    }

    fn as_base(&self) -> Option<&Base> {
        Some(self)
    }
}

/// Sections in memory.
#[derive(Debug, Default)]
pub struct MemorySections {
    /// Name, words that hold the bytes, number of bytes.
    sections: Vec<(&'static str, Vec<u64>, usize)>,
}

impl MemorySections {
    /// Copies sections to where columns of numbers can be read in place.
    pub fn new(sections: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Self {
        let aligned = sections.into_iter().map(|(name, bytes)| {
            let mut words = vec![0_u64; bytes.len().div_ceil(size_of::<u64>())];
            bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(&bytes);
            (name, words, bytes.len())
        });
        Self { sections: aligned.collect() }
    }
}

impl Sections for MemorySections {
    fn place(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|(other, ..)| *other == name)
    }

    fn section(&self, place: usize) -> &[u8] {
        self.sections.get(place).map_or(&[], |(_, words, len)| &bytemuck::cast_slice(words)[..*len])
    }
}
