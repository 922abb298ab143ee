//! Repositories in one string, for tests: `//- path` starts each file.

use crate::facts::base::{FactBase, Sections};
use crate::facts::build::{FileInput, build};
use crate::facts::extract::extract;
use std::collections::HashMap;
use std::sync::Arc;

/// Sections in memory, at aligned places.
struct Stored(HashMap<&'static str, (Vec<u128>, usize)>);

impl Sections for Stored {
    fn section(&self, name: &str) -> &[u8] {
        self.0.get(name).map_or(&[], |(bytes, length)| &bytemuck::cast_slice(bytes)[..*length])
    }
}

/// The fact base of the files in a string.
pub(crate) fn base(text: &str) -> FactBase {
    let mut files: Vec<(&str, &str)> =
        text.split("//- ").skip(1).map(|file| file.split_once('\n').unwrap_or((file, ""))).collect();
    files.sort_unstable();
    let records: Vec<_> = files.iter().map(|(path, content)| extract(path, Some(content.as_bytes()))).collect();
    let inputs: Vec<_> = (files.iter().zip(&records))
        .map(|((path, content), record)| FileInput {
            path,
            size: content.len() as u64,
            mtime_ns: 0,
            ctime_ns: 0,
            hash: 0,
            record,
        })
        .collect();
    let (sections, _) = build(&inputs);
    let stored = sections.into_iter().map(|(name, bytes)| {
        let mut aligned = vec![0u128; bytes.len().div_ceil(size_of::<u128>())];
        bytemuck::cast_slice_mut(&mut aligned)[..bytes.len()].copy_from_slice(&bytes);
        (name, (aligned, bytes.len()))
    });
    FactBase::new(Arc::new(Stored(stored.collect())))
}
