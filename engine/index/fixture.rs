//! Repositories in one string, for tests: `//- path` starts each file.

use crate::base::{FactBase, MemorySections};
use crate::build::{FileInput, build};
use crate::extract::extract;
use std::sync::Arc;

/// The fact base of the files in a string.
pub fn base(text: &str) -> FactBase {
    let mut files: Vec<(&str, &str)> =
        text.split("//- ").skip(1).map(|file| file.split_once('\n').unwrap_or((file, ""))).collect();
    files.sort_unstable();
    let records: Vec<_> = files.iter().map(|(path, content)| extract(path, Some(content.as_bytes()))).collect();
    let inputs: Vec<_> = (files.iter().zip(&records))
        .map(|((path, content), record)| FileInput::untimed(path, content.len() as u64, record))
        .collect();
    let sections = build(&inputs).sections;
    FactBase::new(Arc::new(MemorySections::new(sections)))
}
