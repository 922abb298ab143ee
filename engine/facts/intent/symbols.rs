//! What plain words say of definitions: whole names, and parts of names in the files that fit best.
//!
//! Must not know files beyond those it is given.

use super::evidence::Parts;
use super::factors::{COMPOUND_NAME, MAX_SHARED, MAX_SYMBOLS_PER_FILE, OWN_SYMBOL, PLAIN_NAME, WHOLE, part};
use super::names::Names;
use super::words::Words;
use crate::facts::base::FactBase;
use crate::facts::text::{Form, for_each_word};
use activate_grammars::facts::Traits;
use activate_rules::atoms::{Cue, NodeId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Words that are looked up as names; those after them are seldom what a text is about.
const MAX_LOOKUPS: usize = 64;

/// Shortest word that may be a definition's whole name, in bytes.
const MIN_NAME: usize = 3;

/// Adds what whole words say of definitions with that name, shared among those of one name.
pub(super) fn add_names(names: &Names<'_>, words: &Words<'_>, parts: &mut Parts<'_>) {
    let compound = words.wholes.iter().map(|word| (word, COMPOUND_NAME));
    let plain = words.singles.iter().map(|word| (word, PLAIN_NAME));
    for (word, strength) in
        compound.chain(plain).filter(|(word, _)| word.len() >= MIN_NAME && !words.is_spent(word)).take(MAX_LOOKUPS)
    {
        let Some(found) = names.but_for_case(word).filter(|found| found.nodes.len() <= MAX_SHARED) else {
            continue;
        };
        let strength = part(strength, words.rarity(word)) / found.nodes.len() as u32;
        for node in found.nodes {
            parts.add(node, Cue::Name, strength, &[word]);
        }
    }
}

/// Adds what words say of definitions in `files` whose names have them as parts, the better the more of the name they are.
pub(super) fn add_subtokens(base: &FactBase, words: &Words<'_>, files: &[NodeId], parts: &mut Parts<'_>) {
    let mut rarities: FxHashMap<String, u32> = FxHashMap::default();
    for &file in files {
        // A file that hardly fits must not have definitions before those of one that does.
        let fit = parts.strength(file, Cue::Text).max(parts.strength(file, Cue::Path));
        let of_file = OWN_SYMBOL + part(WHOLE - OWN_SYMBOL, fit);
        let mut found: Vec<(u32, NodeId, Vec<String>)> = Vec::new();
        for node in base.symbols_of(file).map(NodeId) {
            let Some(symbol) = base.symbol(node).filter(|symbol| !symbol.traits.has(Traits::NESTED)) else { continue };
            if parts.strength(node, Cue::Name) > 0 {
                continue;
            }
            let (strength, said) = name_strength(symbol.name, words, &mut rarities);
            if strength > 0 {
                found.push((part(strength, of_file), node, said));
            }
        }
        found.sort_by_key(|(strength, node, _)| (Reverse(*strength), *node));
        for (strength, node, said) in found.iter().take(MAX_SYMBOLS_PER_FILE) {
            let said: Vec<&str> = said.iter().map(String::as_str).collect();
            parts.add(*node, Cue::Subtoken, *strength, &said);
        }
    }
}

/// How strongly the words speak for a name, with the words: by how much of it they are, and how rare they are.
fn name_strength(name: &str, words: &Words<'_>, rarities: &mut FxHashMap<String, u32>) -> (u32, Vec<String>) {
    let (mut all, mut heard, mut said) = (0, 0, Vec::new());
    for_each_word(name.as_bytes(), |word, form| {
        if form == Form::Whole {
            return;
        }
        let rarity = match rarities.get(word) {
            Some(rarity) => *rarity,
            None => *rarities.entry(word.to_owned()).or_insert(words.rarity(word).max(1)),
        };
        all += rarity;
        if words.has(word) {
            heard += rarity;
            said.push(word.to_owned());
        }
    });
    let coverage = heard * WHOLE / all.max(1);
    (part(coverage, heard.min(WHOLE)), said)
}
