//! Files of one name, found by the end of their paths.
//!
//! Thousands of files can be called `index.ts`, and a report can name thousands of places: so they are sorted by their paths read
//! backwards, where those that end alike stand together.

use activate_rules::atoms::NodeId;
use index::base::FactBase;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Files whose names are alike but for case, all of them with or all of them without their extensions.
#[derive(Default)]
pub(super) struct Namesakes {
    /// In path order.
    files: Vec<NodeId>,
    /// By their paths read backwards.
    by_end: OnceCell<Vec<NodeId>>,
    /// The same without case.
    by_end_in_any_case: OnceCell<Vec<NodeId>>,
}

/// How letters are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Exact,
    Any,
}

impl Namesakes {
    /// Adds the file that is next in path order.
    pub(super) fn add(&mut self, file: NodeId) {
        self.files.push(file);
    }

    /// All of them, in path order.
    pub(super) fn files(&self) -> &[NodeId] {
        &self.files
    }

    /// Those whose path ends with the given one, at a folder's boundary, in no order. The path has the name that they share.
    pub(super) fn ending_with(&self, base: &FactBase, path: &str, case: Case) -> &[NodeId] {
        let sorted = self.sorted(base, path, case);
        let front = sorted.partition_point(|file| compared(whole(base, *file, path), path, case).is_lt());
        let rest = sorted.get(front..).unwrap_or_default();
        let end = rest.partition_point(|file| n_common(whole(base, *file, path), path, case) > path.len());
        rest.get(..end).unwrap_or_default()
    }

    /// The longest part of a path behind one of its slashes with which some of them end.
    pub(super) fn longest_end<'p>(&self, base: &FactBase, path: &'p str) -> Option<&'p str> {
        let sorted = self.sorted(base, path, Case::Exact);
        let at = sorted.partition_point(|file| compared(whole(base, *file, path), path, Case::Exact).is_lt());
        // What has most in common with a text stands next to where it would stand.
        let beside = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|at| sorted.get(at));
        let most = beside.map(|file| n_common(whole(base, *file, path), path, Case::Exact)).max()?;
        let start = path.len().saturating_sub(most);
        let slash = start + path.as_bytes().get(start..)?.iter().position(|byte| *byte == b'/')?;
        path.get(slash + 1..)
    }

    fn sorted(&self, base: &FactBase, path: &str, case: Case) -> &[NodeId] {
        let cell = if case == Case::Exact { &self.by_end } else { &self.by_end_in_any_case };
        cell.get_or_init(|| {
            let mut sorted = self.files.clone();
            sorted.sort_by(|one, other| compared(whole(base, *one, path), whole(base, *other, path), case));
            sorted
        })
    }
}

/// The path of a file as it is compared with a written one: without its extension if that has none.
fn whole<'b>(base: &'b FactBase, file: NodeId, written: &str) -> &'b str {
    let has_extension = written.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let whole = base.path(file);
    if has_extension { whole } else { without_extension(whole) }
}

/// The bytes of a path from its end, with a slash in front of it, so that it ends at a folder's boundary as its ends do.
fn backwards(path: &str, case: Case) -> impl Iterator<Item = u8> {
    let bytes = path.bytes().rev().chain(std::iter::once(b'/'));
    bytes.map(move |byte| if case == Case::Any { byte.to_ascii_lowercase() } else { byte })
}

fn compared(one: &str, other: &str, case: Case) -> Ordering {
    #[cfg(test)]
    work::add(1);
    backwards(one, case).cmp(backwards(other, case))
}

/// How many bytes two paths have in common from their ends; the slash in front of them counts.
fn n_common(one: &str, other: &str, case: Case) -> usize {
    #[cfg(test)]
    work::add(1);
    backwards(one, case).zip(backwards(other, case)).take_while(|(one, other)| one == other).count()
}

/// A path without the extension of its last component.
pub(super) fn without_extension(path: &str) -> &str {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[start..].rfind('.') {
        Some(dot) if dot > 0 => &path[..start + dot],
        _ => path,
    }
}
