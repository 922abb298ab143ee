//! What plain words say of definitions: whole names, and parts of names in the files that fit best.

use super::Unknown;
use super::bounds::{LOG_OF_LONG, MAX_SHARED, MAX_SIZED_FILES, MAX_SYMBOLS_PER_FILE, WHOLE, log2, part};
use super::evidence::CueHits;
use super::names::Names;
use super::words::Words;
use activate_grammars::facts::{SymbolKind, Traits};
use activate_rules::atoms::{Cue, NodeId};
use activate_rules::weights::WordWeights;
use index::base::FactBase;
use index::text::{Form, for_each_word};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Words that are looked up as names; those after them are seldom what a text is about.
const MAX_LOOKUPS: usize = 64;

/// Shortest word that may be a definition's whole name, in bytes.
const MIN_NAME: usize = 3;

/// Adds what whole words say of definitions with that name, shared among those of one name.
pub(super) fn add_names(names: &Names<'_>, words: &Words<'_>, cue_hits: &mut CueHits<'_>) {
    let weights = &cue_hits.reading().names;
    let compound = words.wholes.iter().map(|word| (word, weights.compound.get()));
    let plain = words.singles.iter().map(|word| (word, weights.plain.get()));
    for (word, strength) in
        compound.chain(plain).filter(|(word, _)| word.len() >= MIN_NAME && !words.is_claimed(word)).take(MAX_LOOKUPS)
    {
        let Some(found) = names.but_for_case(word).filter(|found| found.nodes.len() <= MAX_SHARED) else {
            continue;
        };
        let strength = part(strength, words.rarity(word)) / found.nodes.len() as u32;
        for node in found.nodes {
            cue_hits.add(node, Cue::Name, strength, &[word]);
        }
    }
}

/// Adds what a name says that nothing has, where a single name is near it: most likely that one is meant.
pub(super) fn add_nearest(names: &Names<'_>, unknown: &[Unknown], cue_hits: &mut CueHits<'_>) {
    for unknown in unknown {
        let [near] = unknown.nearest.as_slice() else { continue };
        let Some(found) = names.exactly(near).filter(|found| found.nodes.len() <= MAX_SHARED) else { continue };
        let strength = cue_hits.reading().names.plain.get() / found.nodes.len() as u32;
        for node in found.nodes {
            cue_hits.add(node, Cue::Name, strength, &[near]);
        }
    }
}

/// What speaks for one definition of a file.
struct Spoken {
    node: NodeId,
    /// By its own name, and by that of what is around it.
    name: u32,
    container: u32,
    size: u32,
    said: Vec<String>,
    said_around: Vec<String>,
}

/// Adds what words say of definitions in `files`, best file first and the first `n_named` of them named by the text, whose names or containers have them, the better the more of the name
/// they are; in the first files every definition speaks for itself by its size. What is defined in a file speaks for the file.
pub(super) fn add_definitions(base: &FactBase, words: &Words<'_>, files: &[NodeId], n_named: usize, cue_hits: &mut CueHits<'_>) {
    let mut rarities: FxHashMap<String, u32> = FxHashMap::default();
    let weights = &cue_hits.reading().words;
    for (rank, &file) in files.iter().enumerate() {
        // A file that hardly fits must not have definitions before those of one that does.
        let fit = cue_hits.strength(file, Cue::Text).max(cue_hits.strength(file, Cue::Path));
        // That a file changed lately says nothing of what stands in it.
        let is_meant = rank < n_named || cue_hits.has_other_than(file, Cue::Recent);
        let own = weights.own_symbol.get();
        let of_file = own + part(WHOLE - own, fit);
        let mut found: Vec<Spoken> = Vec::new();
        for node in base.symbols_of(file).map(NodeId) {
            let Some(symbol) = base.symbol(node).filter(|symbol| !symbol.traits.has(Traits::NESTED)) else { continue };
            let (name, said) = name_strength(symbol.name, words, &mut rarities);
            let around = symbol.container.and_then(|container| base.symbol(container)).map_or("", |container| container.name);
            let (container, said_around) = name_strength(around, words, &mut rarities);
            if rank < MAX_SIZED_FILES && is_meant || name + container > 0 {
                let of_kind = kind_part(symbol.kind, weights);
                let size = part(size_strength(symbol.lines.1 - symbol.lines.0 + 1), of_kind);
                let name = part(part(name, of_file), of_kind);
                found.push(Spoken { node, name, container: part(part(container, of_file), of_kind), size, said, said_around });
            }
        }
        found.sort_by_key(|spoken| (Reverse(spoken.name.max(spoken.container) + spoken.size), spoken.node));
        let holds = found.iter().max_by_key(|spoken| (spoken.name, Reverse(spoken.node)));
        let holds = holds.map(|spoken| (spoken.name, spoken.said.clone()));
        for spoken in found.into_iter().take(MAX_SYMBOLS_PER_FILE) {
            // A name that is a word of the text has spoken as a whole.
            if cue_hits.strength(spoken.node, Cue::Name) == 0 {
                cue_hits.add_said(spoken.node, Cue::Subtoken, spoken.name, &spoken.said);
            }
            cue_hits.add_said(spoken.node, Cue::Container, spoken.container, &spoken.said_around);
            cue_hits.add_said(spoken.node, Cue::Size, spoken.size, &[]);
        }
        if let Some((strength, said)) = holds {
            cue_hits.add_said(file, Cue::Holds, strength, &said);
        }
    }
}

/// How strongly its number of lines speaks for a definition: the whole from 255 lines on, half of it at 15.
fn size_strength(n_lines: u32) -> u32 {
    ((log2(u64::from(n_lines) + 1) / LOG_OF_LONG) as u32).min(WHOLE)
}

/// What is left of words for a kind of definition: what does something is changed more often than what is only named.
fn kind_part(kind: SymbolKind, weights: &WordWeights) -> u32 {
    match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro | SymbolKind::Test => WHOLE,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Module => weights.part_of_value.get(),
        _ => weights.part_of_type.get(),
    }
}

/// How strongly the words speak for a name, with the words: by how much of it they are, and how rare they are.
fn name_strength(name: &str, words: &Words<'_>, rarities: &mut FxHashMap<String, u32>) -> (u32, Vec<String>) {
    let (mut all, mut found, mut said) = (0, 0, Vec::new());
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
            found += rarity;
            said.push(word.to_owned());
        }
    });
    let coverage = found * WHOLE / all.max(1);
    (part(coverage, found.min(WHOLE)), said)
}
