//! The boundary of a shard from its tables, as the rules take it.

use crate::columns::Rows as Columns;
use crate::dataflow::Rows;
use crate::key::{self, Key, Step};
use crate::routes::keys;
use crate::rules::{Use, UseKind};
use crate::tables::{MEMBERS, MODULES, NEEDS, PACKAGES, PROCEDURES, REQUESTS, ROUTES, SYMBOLS, TERMS, TYPES, USES};
use error::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Reads the boundary of the shard of a repository.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where a table is missing, damaged, or holds a word that no table of this version has.
pub(crate) fn load(repository: &str, folder: &Path) -> Result<Rows> {
    let of = key::repository(repository);
    let mut rows = Rows::default();
    let wrong = |table: &str, word: &str| {
        let message = format!(
            "the table `{table}` in `{}` holds the word `{word}`; `activate fleet sync` makes it again",
            folder.display()
        );
        Error::new(ErrorKind::Storage, message)
    };

    let symbols = Columns::open(SYMBOLS, folder)?;
    let (places, visible) = (symbols.longs(2), symbols.ints(4));
    for (node, (place, is_visible)) in (0..).zip(places.iter().zip(visible)) {
        if *place == 0 {
            continue;
        }
        rows.defined.push((*place, (of, node)));
        if *is_visible == 1 {
            rows.exports.push((of, node));
        }
        if TYPE_KINDS.contains(&symbols.text(1, node as usize)) {
            rows.types.push(*place);
        }
    }

    let terms = Columns::open(TERMS, folder)?;
    for (row, (key, base)) in terms.longs(0).iter().zip(terms.longs(2)).enumerate() {
        let name = || terms.longs(3)[row];
        let step = match terms.text(1, row) {
            "outside" => Step::Outside(name()),
            "member" => Step::Member(*base, name()),
            "result" => Step::Result(*base, terms.ints(4)[row]),
            "instance" => Step::Instance(*base),
            "many" => Step::Many(*base),
            "element" => Step::Element(*base),
            other => return Err(wrong(TERMS.name, other)),
        };
        rows.steps.push((*key, step));
    }

    let modules = Columns::open(MODULES, folder)?;
    rows.modules = pairs(modules.longs(0), modules.longs(3));
    // What only other modules lead to has no name.
    rows.modules.retain(|(published, _)| *published != 0);
    rows.defined.extend(modules.longs(3).iter().zip(modules.ints(4)).map(|(place, file)| (*place, (of, *file))));
    let members = Columns::open(MEMBERS, folder)?;
    let named = members.longs(0).iter().zip(members.longs(1)).zip(members.longs(3));
    rows.members = named.map(|((of, name), to)| ((*of, *name), *to)).collect();

    let types = Columns::open(TYPES, folder)?;
    for (row, (of, to)) in types.longs(0).iter().zip(types.longs(3)).enumerate() {
        match types.text(1, row) {
            "alias" => rows.aliases.push((*of, *to)),
            "holds" => rows.holds.push((*of, *to)),
            "gives" => rows.gives.push((*of, (types.ints(2)[row], *to))),
            "over" => rows.over.push((*of, *to)),
            other => return Err(wrong(TYPES.name, other)),
        }
    }

    let uses = Columns::open(USES, folder)?;
    for (row, term) in uses.longs(0).iter().enumerate() {
        let word = uses.text(3, row);
        let kind = UseKind::of(word).ok_or_else(|| wrong(USES.name, word))?;
        let found = Use { from: (of, uses.ints(1)[row]), line: uses.ints(2)[row], kind };
        match uses.ints(4)[row] {
            0 => rows.uses.push((*term, found)),
            site => rows.choices.push((*term, ((site, uses.ints(5)[row]), found))),
        }
    }

    let routes = Columns::open(ROUTES, folder)?;
    for (row, handler) in routes.ints(0).iter().enumerate() {
        let text = routes.text(2, row);
        rows.routes.extend(keys(text, false).into_iter().map(|key| (key, (text.to_owned(), (of, *handler)))));
    }
    let requests = Columns::open(REQUESTS, folder)?;
    for (row, (from, line)) in requests.ints(0).iter().zip(requests.ints(1)).enumerate() {
        let asks = Use { from: (of, *from), line: *line, kind: UseKind::Request };
        let text = requests.text(2, row);
        rows.requests.extend(keys(text, true).into_iter().map(|key| (key, (text.to_owned(), asks))));
    }
    let procedures = Columns::open(PROCEDURES, folder)?;
    for (row, (node, line)) in procedures.ints(2).iter().zip(procedures.ints(3)).enumerate() {
        let name = key::name(procedures.text(0, row));
        match procedures.text(1, row) {
            "served" => rows.served.push((name, (of, *node))),
            "declared" | "asked" => rows.asked.push((name, Use { from: (of, *node), line: *line, kind: UseKind::Request })),
            other => return Err(wrong(PROCEDURES.name, other)),
        }
    }

    let n_of_paths = few_of_each(&mut rows.routes) + few_of_each(&mut rows.requests);
    let n_of_names = few_of_each(&mut rows.served) + few_of_each(&mut rows.asked);
    let left_out =
        [(n_of_paths, "routes or requests", "last fixed segment"), (n_of_names, "procedures or users of them", "name")];
    for (n, what, same) in left_out.into_iter().filter(|(n, ..)| *n > 0) {
        rows.left_out.push(format!("{n} {what} are left out: more than {MAX_ALIKE} have the same {same}"));
    }

    let packages = Columns::open(PACKAGES, folder)?;
    rows.packages = pairs(packages.longs(0), packages.longs(1));
    let needs = Columns::open(NEEDS, folder)?;
    rows.needs = pairs(needs.longs(0), needs.longs(1));
    Ok(rows)
}

/// The most rows of one key that meet all of the same key of another repository.
const MAX_ALIKE: usize = 1_000;

/// Keeps the first rows of each key, and gives how many it drops.
fn few_of_each<T>(rows: &mut Vec<(Key, T)>) -> usize {
    let n_all = rows.len();
    let mut n_of: FxHashMap<Key, usize> = FxHashMap::default();
    rows.retain(|(key, _)| {
        let n_before = n_of.entry(*key).or_default();
        *n_before += 1;
        *n_before <= MAX_ALIKE
    });
    n_all - rows.len()
}

/// What is a type, in the words of the table of symbols.
const TYPE_KINDS: [&str; 2] = ["type", "interface"];

fn pairs(left: &[Key], right: &[Key]) -> Vec<(Key, Key)> {
    left.iter().copied().zip(right.iter().copied()).collect()
}
