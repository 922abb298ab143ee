//! Named byte sections, as whoever keeps them gives them, and in memory.

use cache::{Base, View};

/// Named byte sections, each aligned for columns of numbers.
pub trait Sections: Send + Sync {
    /// The place of a section, if there is one of this name.
    fn place(&self, name: &str) -> Option<usize>;

    /// The bytes of the section at a place; empty where there is none.
    fn section(&self, place: usize) -> &[u8];

    /// That section, to be read in parts.
    fn view(&self, place: usize) -> View<'_> {
        self.section(place).into()
    }

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

    fn view(&self, place: usize) -> View<'_> {
        Base::view(self, place)
    }

    fn as_base(&self) -> Option<&Base> {
        Some(self)
    }
}

/// Sections in memory.
#[derive(Debug, Default)]
pub struct MemorySections {
    sections: Vec<(&'static str, Aligned)>,
}

/// Bytes where columns of numbers can be read in place.
#[derive(Debug)]
enum Aligned {
    /// As they came.
    Bytes(Vec<u8>),
    /// Copied to words; so many bytes.
    Words(Vec<u64>, usize),
}

impl MemorySections {
    /// Takes sections, or copies those that do not lie where columns of numbers can be read in place.
    pub fn new(sections: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Self {
        let aligned = |bytes: Vec<u8>| {
            if bytes.as_ptr().addr().is_multiple_of(size_of::<u64>()) {
                return Aligned::Bytes(bytes);
            }
            let mut words = vec![0_u64; bytes.len().div_ceil(size_of::<u64>())];
            bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(&bytes);
            Aligned::Words(words, bytes.len())
        };
        Self { sections: sections.into_iter().map(|(name, bytes)| (name, aligned(bytes))).collect() }
    }
}

impl Sections for MemorySections {
    fn place(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|(other, ..)| *other == name)
    }

    fn section(&self, place: usize) -> &[u8] {
        match self.sections.get(place) {
            Some((_, Aligned::Bytes(bytes))) => bytes,
            Some((_, Aligned::Words(words, length))) => &bytemuck::cast_slice(words)[..*length],
            None => &[],
        }
    }
}
