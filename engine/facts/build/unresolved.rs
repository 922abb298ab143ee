//! The sites that were not resolved, as rows by name: who may be a user that is missing.
//!
//! Must not know why a site was not resolved.

use super::columns::{Columns, Strings};
use super::{FileInput, last_name};
use crate::facts::base::Column;
use crate::facts::resolve::Resolved;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Adds a row for each name and file. A name that no definition has can be nobody's missing use, so it has none.
pub(super) fn add(columns: &mut Columns, strings: &mut Strings, files: &[FileInput<'_>], resolved: &Resolved) {
    let facts = || files.iter().map(|file| &file.record.facts);
    let defined: FxHashSet<&str> =
        facts().flat_map(|facts| facts.symbols.iter().map(|symbol| facts.names.get(symbol.name))).collect();
    let mut uses: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    for ((facts, sites), file) in facts().zip(&resolved.unresolved).zip(0..) {
        let names = sites.iter().filter_map(|site| last_name(facts, facts.sites[*site as usize].expr));
        for name in names.filter(|name| defined.contains(name)) {
            *uses.entry((name, file)).or_default() += 1;
        }
    }
    for ((name, file), n_uses) in uses {
        for value in [strings.add(name), file, n_uses] {
            columns.push_u32(Column::UnresolvedRows, value);
        }
    }
}
