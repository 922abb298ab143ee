//! What plain words say of files: their text, their paths, the folders that a scope names.
//!
//! Must not know definitions; those are in [`super::symbols`].

use super::evidence::Parts;
use super::factors::{FOLDER, MAX_COVERAGE_WORDS, MAX_TEXT_FILES, MAX_TEXT_HITS, STEM, WHOLE, among, rarity};
use crate::facts::base::FactBase;
use crate::facts::text::{
    Contribution, Field, FieldWeights, Form, Hit, QueryTerm, Scores, TextIndex, for_each_word, query_terms,
};
use activate_rules::atoms::{Cue, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Files whose paths have a word, above which the word says nothing about any of them.
const MAX_PATH_FILES: usize = 2000;

/// Files of a folder that a scope can speak for.
const MAX_FOLDER_FILES: usize = 500;

/// Documents among which the one with most of the words is looked for.
const N_COVERED: usize = 5;

/// The words of an intent with the index they are looked up in.
pub(super) struct Words<'b> {
    base: &'b FactBase,
    /// The text index; none if it is damaged, which costs this evidence only.
    pub(super) index: Option<TextIndex<'b>>,
    /// What is searched for.
    pub(super) terms: Vec<QueryTerm>,
    /// Words of one part and the parts of longer ones, each once, in order.
    pub(super) singles: Vec<String>,
    is_single: FxHashSet<String>,
    /// Words of several parts, joined, in order.
    pub(super) wholes: Vec<String>,
}

impl<'b> Words<'b> {
    pub(super) fn new(base: &'b FactBase, text: &str) -> Self {
        let terms = query_terms(text);
        let (mut singles, mut wholes) = (Vec::new(), Vec::new());
        let searched: FxHashSet<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for_each_word(text.as_bytes(), |word, form| {
            if searched.contains(word) && known.insert(word.to_owned()) {
                let list = if form == Form::Whole { &mut wholes } else { &mut singles };
                list.push(word.to_owned());
            }
        });
        Self { is_single: singles.iter().cloned().collect(), base, index: base.text().ok(), terms, singles, wholes }
    }

    /// How rare a word is among the files, in thousandths.
    pub(super) fn rarity(&self, word: &str) -> u32 {
        let index = self.index.as_ref();
        index.map_or(WHOLE, |index| rarity(index.document_frequency(word), index.n_docs()))
    }

    /// Adds what the text of files says, relative to the best one.
    pub(super) fn add_text(&self, parts: &mut Parts<'_>) {
        let Some(index) = &self.index else { return };
        let weights = FieldWeights::default();
        let hits = index.search(&self.terms, &weights, MAX_TEXT_HITS, |_| true, &mut Scores::default());
        let weakened = |hit: &Hit| (hit.doc, i64::from(hit.score) * i64::from(parts.weakening(NodeId(hit.doc))));
        let mut ranked: Vec<(u32, i64)> = hits.iter().map(weakened).collect();
        ranked.sort_by_key(|&(doc, score)| (Reverse(score), doc));
        ranked.truncate(MAX_TEXT_FILES);
        let best = ranked.first().map_or(1, |&(_, score)| score.max(1));
        let docs: Vec<u32> = ranked.iter().map(|(doc, _)| *doc).collect();
        for ((doc, score), contributions) in ranked.iter().zip(index.explain(&docs, &self.terms, &weights)) {
            let words: Vec<&str> = contributions.iter().map(|contribution| contribution.term.as_str()).collect();
            parts.put(NodeId(*doc), Cue::Text, (score * i64::from(WHOLE) / best) as u32, &words);
        }
    }

    /// The part of the first words, by rarity, that the file with most of them has, in thousandths.
    pub(super) fn coverage(&self) -> u32 {
        let Some(index) = &self.index else { return 0 };
        let words: Vec<&String> = self.singles.iter().take(MAX_COVERAGE_WORDS).collect();
        let total: u32 = words.iter().map(|word| self.rarity(word)).sum();
        let query: Vec<QueryTerm> = words.iter().map(|word| QueryTerm { text: (*word).clone(), weight: WHOLE }).collect();
        let hits = index.search(&query, &FieldWeights::default(), N_COVERED, |_| true, &mut Scores::default());
        let docs: Vec<u32> = hits.iter().map(|hit| hit.doc).collect();
        let explained = index.explain(&docs, &query, &FieldWeights::default());
        let covered = |terms: &Vec<Contribution>| terms.iter().map(|term| self.rarity(&term.term)).sum::<u32>();
        let most = explained.iter().map(covered).max().unwrap_or_default();
        (u64::from(most) * u64::from(WHOLE) / u64::from(total.max(1))) as u32
    }

    /// Adds what paths say whose file name or folders the text has as words.
    pub(super) fn add_paths(&self, parts: &mut Parts<'_>) {
        let Some(index) = &self.index else { return };
        let mut files: Vec<NodeId> = Vec::new();
        for word in &self.singles {
            let in_path = index.lookup(word).filter(|posting| posting.fields().contains(Field::Path));
            let with_word: Vec<NodeId> = in_path.map(|posting| NodeId(posting.doc)).take(MAX_PATH_FILES + 1).collect();
            if with_word.len() <= MAX_PATH_FILES {
                files.extend(with_word);
            }
        }
        files.sort_unstable();
        files.dedup();
        let said: Vec<PathWords<'_>> = files.iter().map(|file| self.path_words(self.base.path(*file))).collect();
        let (mut stems, mut folders) = (FxHashMap::default(), FxHashMap::default());
        for path in &said {
            *path.stem.map_or(&mut 0, |stem| stems.entry(stem).or_insert(0)) += 1;
            *path.folder.map_or(&mut 0, |folder| folders.entry(folder).or_insert(0)) += 1;
        }
        for (file, path) in files.iter().zip(&said) {
            let stem = path.stem.map_or(0, |stem| among(STEM, stems[stem]));
            let folder = path.folder.map_or(0, |folder| among(FOLDER, folders[folder]));
            let words: Vec<&str> = path.stem.into_iter().chain(path.folder).collect();
            parts.add(*file, Cue::Path, stem + folder, &words);
        }
    }

    /// Adds what folders say that a scope or a path of the text names.
    pub(super) fn add_folders(&self, folders: &[String], parts: &mut Parts<'_>) {
        for folder in folders {
            let is_inside = |file: &NodeId| self.base.path(*file).starts_with(folder.as_str());
            let files: Vec<NodeId> = self.base.files().filter(is_inside).take(MAX_FOLDER_FILES + 1).collect();
            if files.len() <= MAX_FOLDER_FILES {
                let strength = among(WHOLE, files.len());
                files.iter().for_each(|file| parts.add(*file, Cue::Scope, strength, &[folder.trim_end_matches('/')]));
            }
        }
    }

    /// Which components of a path the text has in full.
    fn path_words<'p>(&self, path: &'p str) -> PathWords<'p> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        PathWords {
            stem: Some(stem).filter(|stem| self.has_all(stem)),
            folder: folders.rsplit('/').find(|folder| self.has_all(folder)),
        }
    }

    /// Whether the text has this word by itself or as a part of another.
    pub(super) fn has(&self, word: &str) -> bool {
        self.is_single.contains(word)
    }

    /// Whether the text has every part of a name, of which there is one at least.
    fn has_all(&self, name: &str) -> bool {
        let (mut n_words, mut n_said) = (0, 0);
        for_each_word(name.as_bytes(), |word, form| {
            if form != Form::Whole {
                n_words += 1;
                n_said += usize::from(self.has(word));
            }
        });
        n_words > 0 && n_words == n_said
    }
}

/// The components of a path that a text has in full.
struct PathWords<'p> {
    stem: Option<&'p str>,
    /// The innermost such folder.
    folder: Option<&'p str>,
}
