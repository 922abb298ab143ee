//! The sites that were not resolved, as rows by name: who may be a user that is missing.

use super::columns::{Columns, Strings};
use super::{FileInput, last_name};
use crate::base::Column;
use crate::resolve::Resolved;
use activate_grammars::FileFacts;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Numbers in a row: name, file, uses.
pub(super) const ROW: usize = 3;

/// How often each name is used in each file.
pub(super) type Uses<'a> = BTreeMap<(&'a str, u32), u32>;

/// Adds a row for each name and file. A name that no definition has can be nobody's missing use, so it has none.
pub(super) fn add(columns: &mut Columns, strings: &mut Strings, files: &[FileInput<'_>], resolved: &Resolved) {
    let facts = || files.iter().map(|file| &file.record.facts);
    let defined: FxHashSet<&str> =
        facts().flat_map(|facts| facts.symbols.iter().map(|symbol| facts.names.get(symbol.name))).collect();
    let mut uses = Uses::new();
    for ((facts, sites), file) in facts().zip(&resolved.unresolved).zip(0..) {
        add_uses(&mut uses, (file, facts), sites, &|name| defined.contains(name));
    }
    add_rows(columns, &uses, &mut |name| strings.add(name));
}

/// Adds the uses at the sites of a file.
pub(super) fn add_uses<'a>(
    uses: &mut Uses<'a>,
    (file, facts): (u32, &'a FileFacts),
    sites: &[u32],
    is_defined: &dyn Fn(&str) -> bool,
) {
    let names = sites.iter().filter_map(|site| last_name(facts, facts.sites[*site as usize].expr));
    for name in names.filter(|name| is_defined(name)) {
        *uses.entry((name, file)).or_default() += 1;
    }
}

/// Adds the rows.
pub(super) fn add_rows(columns: &mut Columns, uses: &Uses<'_>, string: &mut dyn FnMut(&str) -> u32) {
    columns.touch(Column::UnresolvedRows);
    for ((name, file), n_uses) in uses {
        for value in [string(name), *file, *n_uses] {
            columns.push_u32(Column::UnresolvedRows, value);
        }
    }
}
