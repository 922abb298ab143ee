//! The sites that lead to no definition for sure, as rows by name: who may be a user that is missing.

use super::columns::{Columns, Strings};
use super::{Before, FileInput, Layout, last_name};
use crate::base::{Column, Lead};
use crate::resolve::{OpenSite, Resolved};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Binding, Expr, ExprId, NameId, Traits};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Numbers in a row: name, file, definition around it or its file, what is known, uses.
pub(super) const ROW: usize = 5;

/// How often each name is used in each place: file, definition around it or its file, what is known.
pub(super) type Uses<'a> = BTreeMap<(&'a str, u32, u32, Lead), u32>;

/// Adds a row for each name and place. A name that no definition has can be nobody's missing use, so it has none.
pub(super) fn add(
    columns: &mut Columns,
    strings: &mut Strings,
    files: &[FileInput<'_>],
    resolved: &Resolved,
    layout: &Layout,
    before: Option<&Before<'_>>,
) {
    let facts = || files.iter().map(|file| &file.record.facts);
    let defined: FxHashSet<&str> =
        facts().flat_map(|facts| facts.symbols.iter().map(|symbol| facts.names.get(symbol.name))).collect();
    let mut uses = Uses::new();
    for ((facts, sites), file) in facts().zip(&resolved.open).zip(0..) {
        if resolved.reused[file as usize].is_none() {
            add_uses(&mut uses, (file, facts), sites, layout, &|name| defined.contains(name));
        }
    }
    if let Some(before) = before {
        // Uses in files that mean what they meant stay as they were.
        let mut new_of_old: FxHashMap<u32, u32> = FxHashMap::default();
        new_of_old.extend(resolved.reused.iter().zip(0..).filter_map(|(old, new)| Some(((*old)?, new))));
        for row in before.base.unresolved_places() {
            let Some(file) = new_of_old.get(&row.file.0) else { continue };
            let first = before.base.symbols_of(row.file).start;
            let from = row.from.0.checked_sub(first).filter(|_| row.from != row.file);
            let from = from.map_or(*file, |place| layout.symbol(layout.first_symbol[*file as usize] + place));
            uses.insert((row.name, *file, from, row.lead), row.n_uses);
        }
    }
    add_rows(columns, &uses, &mut |name| strings.add(name));
}

/// Adds the uses at the sites of a file, and its local variables.
pub(super) fn add_uses<'a>(
    uses: &mut Uses<'a>,
    (file, facts): (u32, &'a FileFacts),
    sites: &[OpenSite],
    layout: &Layout,
    is_defined: &dyn Fn(&str) -> bool,
) {
    for open in sites {
        let site = facts.sites[open.site as usize];
        if let Some(name) = last_name(facts, site.expr).filter(|name| is_defined(name)) {
            let from = site.from.map_or(file, |id| layout.symbol(layout.first_symbol[file as usize] + id.0));
            let lead = if open.is_outside { Lead::Outside } else { Lead::Unknown };
            *uses.entry((name, file, from, lead)).or_default() += 1;
        }
    }
    // A pattern may take a member of the name of a variable, in another function too.
    let taken: FxHashSet<NameId> = facts.taken.iter().copied().collect();
    let has_own_value = |binding: &&Binding| match facts.exprs[binding.value.0 as usize] {
        Expr::Member(_, name) => name != binding.name,
        _ => binding.value != ExprId::UNKNOWN,
    };
    let variables =
        facts.bindings.iter().filter(|binding| binding.parameter.is_none()).filter(has_own_value).map(|binding| binding.name);
    let inner = facts.symbols.iter().filter(|symbol| symbol.traits.has(Traits::NESTED)).map(|symbol| symbol.name);
    for name in variables.chain(inner).filter(|name| !taken.contains(name)) {
        let name = facts.names.get(name);
        if is_defined(name) {
            *uses.entry((name, file, file, Lead::Local)).or_default() += 1;
        }
    }
}

/// Adds the rows.
pub(super) fn add_rows(columns: &mut Columns, uses: &Uses<'_>, string: &mut dyn FnMut(&str) -> u32) {
    columns.touch(Column::UnresolvedRows);
    for ((name, file, from, lead), n_uses) in uses {
        for value in [string(name), *file, *from, *lead as u32, *n_uses] {
            columns.push_u32(Column::UnresolvedRows, value);
        }
    }
}
