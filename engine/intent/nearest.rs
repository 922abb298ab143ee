//! The definitions whose names, and the files whose paths, are nearest to one that nothing has.

use super::bounds::MAX_NEAREST;
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use index::text::{Field, Form, TextIndex, for_each_word};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Files looked at for names that share a part.
const MAX_FILES: usize = 40;

/// Misspellings of the index that are looked at, of which some are words and no names.
const MAX_SPELLINGS: usize = 12;

/// Names spelt almost alike, then names that share most parts; each once, nearest first.
pub(super) fn nearest(base: &FactBase, index: &TextIndex<'_>, name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for near in index.nearest(name, MAX_SPELLINGS) {
        found.extend(names_with(base, index, &near.term, |joined| joined == near.term));
    }
    if found.is_empty() {
        found = sharing_parts(base, index, name);
    }
    let mut known = FxHashSet::default();
    found.retain(|name| known.insert(name.clone()));
    found.truncate(MAX_NEAREST);
    found
}

/// Paths of files that are named like the last component of `path`, then of those spelt almost like it; each once, nearest first.
pub(super) fn nearest_paths(base: &FactBase, index: &TextIndex<'_>, path: &str) -> Vec<String> {
    let wanted = joined(stem(path));
    let near = index.nearest(&wanted, MAX_SPELLINGS).into_iter().map(|near| near.term);
    let mut found: Vec<String> = Vec::new();
    for word in std::iter::once(wanted).chain(near) {
        let in_path = index.lookup(&word).filter(|posting| posting.fields().contains(Field::Path));
        let paths = in_path.map(|posting| base.path(NodeId(posting.doc)));
        found.extend(paths.filter(|path| joined(stem(path)) == word).take(MAX_NEAREST).map(str::to_owned));
    }
    found.truncate(MAX_NEAREST);
    found
}

/// The name of a file without its extensions.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// Names of definitions whose joined form is accepted, in files that have the word among their names.
fn names_with(base: &FactBase, index: &TextIndex<'_>, word: &str, accepts: impl Fn(&str) -> bool) -> Vec<String> {
    let in_names = index.lookup(word).filter(|posting| posting.fields().contains(Field::Name)).take(MAX_FILES);
    let symbols = in_names.flat_map(|posting| base.symbols_of(NodeId(posting.doc)));
    let names = symbols.filter_map(|node| base.symbol(NodeId(node))).map(|symbol| symbol.name);
    names.filter(|name| accepts(&joined(name))).map(str::to_owned).collect()
}

/// Names that share the most parts with `name`, those with the fewest others first.
fn sharing_parts(base: &FactBase, index: &TextIndex<'_>, name: &str) -> Vec<String> {
    let wanted = parts(name);
    let mut ranked: Vec<(Reverse<usize>, usize, String)> = Vec::new();
    for word in &wanted {
        for other in names_with(base, index, word, |_| true) {
            let others = parts(&other);
            let n_shared = others.iter().filter(|part| wanted.contains(part)).count();
            if n_shared > 0 && n_shared * 2 >= wanted.len() {
                ranked.push((Reverse(n_shared), others.len() - n_shared, other));
            }
        }
    }
    ranked.sort();
    ranked.into_iter().map(|(.., name)| name).collect()
}

/// A name as the index has it.
fn joined(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

fn parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for_each_word(name.as_bytes(), |word, form| {
        if form != Form::Whole && !parts.iter().any(|part| part == word) {
            parts.push(word.to_owned());
        }
    });
    parts
}
