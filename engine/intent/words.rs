//! What plain words say of files: their text, their paths, the folders that a scope names.

use super::annotations::said_in_annotations;
use super::bounds::{MAX_COVERAGE_WORDS, MAX_TEXT_FILES, MAX_TEXT_HITS, WHOLE, among, part, rarity};
use super::evidence::CueHits;
use activate_rules::atoms::{Cue, NodeId};
use activate_rules::weights::ReadingWeights;
use index::base::FactBase;
use index::text::{Field, FieldWeights, Form, Hit, QueryTerm, Scores, TextIndex, for_each_word, language, stem, weighted_terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Files whose paths have a word, above which the word says nothing about any of them.
const MAX_PATH_FILES: usize = 2000;

/// Files of a folder that a scope can speak for.
const MAX_FOLDER_FILES: usize = 500;

/// Names of files that stand for the folder they are in.
const INDEX_STEMS: [&str; 3] = ["mod", "index", "__init__"];

/// Documents among which the one with most of the words is looked for.
const N_COVERED: usize = 5;

/// The words of an intent with the index they are looked up in.
pub(super) struct Words<'b> {
    base: &'b FactBase,
    weights: &'b ReadingWeights,
    /// The text index; none if it is damaged, which costs this evidence only.
    pub(super) index: Option<TextIndex<'b>>,
    /// What is searched for.
    pub(super) terms: Vec<QueryTerm>,
    /// Those of them that files say in annotations alone, which say nothing of them.
    annotated: FxHashSet<String>,
    /// Words of one part and the parts of longer ones, each once whatever its form, in order.
    pub(super) singles: Vec<String>,
    /// Words of several parts, joined, in order.
    pub(super) wholes: Vec<String>,
    /// How many files have each of the singles in some form, by its stem: names say `token` where a text says "tokens".
    said: FxHashMap<String, u32>,
    /// Singles of another language that no file has: that nobody wrote them here says nothing of what is here.
    foreign: FxHashSet<String>,
    /// Stems of words of places and scopes that were found: they have spoken, and say nothing more of other paths and names.
    claimed: FxHashSet<String>,
    /// Whether they are so many that one of them says little.
    is_long: bool,
}

impl<'b> Words<'b> {
    /// The words of a text; `claimed` are its scopes and places that were found.
    pub(super) fn new<'t>(
        base: &'b FactBase,
        weights: &'b ReadingWeights,
        texts: &[(&str, u32)],
        is_long: bool,
        claimed: impl Iterator<Item = &'t str>,
    ) -> Self {
        let index = base.text().ok();
        let terms = weighted_terms(texts, &weights.query);
        let terms = match &index {
            Some(index) => index.with_forms(terms),
            None => terms,
        };
        let annotated = index.as_ref().map(|index| said_in_annotations(base, index, &terms)).unwrap_or_default();
        let (mut singles, mut wholes) = (Vec::new(), Vec::new());
        let searched: FxHashSet<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for (text, _) in texts.iter().filter(|(_, share)| *share > 0) {
            for_each_word(text.as_bytes(), |word, form| {
                if searched.contains(word) && known.insert(word.to_owned()) {
                    let list = if form == Form::Whole { &mut wholes } else { &mut singles };
                    list.push(word.to_owned());
                }
            });
        }
        let n_docs = |word: &String| {
            let term = terms.iter().find(|term| term.text == *word);
            term.zip(index.as_ref()).map_or(0, |(term, index)| index.n_docs_with(term))
        };
        let said: FxHashMap<String, u32> = singles.iter().map(|word| (stem(word).into_owned(), n_docs(word))).collect();
        let text: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
        let is_english = language(&text.join("\n")).is_none();
        let is_foreign = |word: &&String| {
            let is_of_english = is_english && word.is_ascii();
            !is_of_english && index.is_some() && said.get(stem(word).as_ref()).is_none_or(|n_docs| *n_docs == 0)
        };
        let foreign = singles.iter().filter(is_foreign).cloned().collect();
        let mut claimed_words = FxHashSet::default();
        for text in claimed {
            for_each_word(text.as_bytes(), |word, _| {
                claimed_words.insert(stem(word).into_owned());
            });
        }
        Self { base, weights, index, terms, annotated, singles, wholes, said, foreign, claimed: claimed_words, is_long }
    }

    /// How rare a word is among the files, in thousandths; one that the text has, in all its forms.
    pub(super) fn rarity(&self, word: &str) -> u32 {
        let Some(index) = &self.index else { return WHOLE };
        let n_docs = self.said.get(stem(word).as_ref()).copied().unwrap_or_else(|| index.document_frequency(word));
        rarity(n_docs, index.n_docs())
    }

    /// What is searched for in texts: all but what annotations say.
    pub(super) fn telling(&self) -> Vec<QueryTerm> {
        self.terms.iter().filter(|term| !self.annotated.contains(&term.text)).cloned().collect()
    }

    /// The first singles, those aside that only another language has.
    fn first(&self) -> impl Iterator<Item = &String> {
        self.singles.iter().filter(|word| !self.foreign.contains(*word)).take(MAX_COVERAGE_WORDS)
    }

    /// The first singles as a query in which each counts alike.
    pub(super) fn plain(&self) -> Vec<QueryTerm> {
        let first: Vec<&String> = self.first().collect();
        let terms = self.terms.iter().filter(|term| first.contains(&&term.text));
        terms.map(|term| QueryTerm { weight: WHOLE, ..term.clone() }).collect()
    }

    /// The part of the first words, by rarity, that these are, in thousandths.
    pub(super) fn part_of<'w>(&self, found: impl Iterator<Item = &'w str>) -> u32 {
        let all: u32 = self.first().map(|word| self.rarity(word)).sum();
        let found: u32 = found.map(|word| self.rarity(word)).sum();
        (u64::from(found.min(all)) * u64::from(WHOLE) / u64::from(all.max(1))) as u32
    }

    /// The part of the first words, by rarity, that these are, in thousandths, of those that files have or these are: what nothing has takes
    /// nothing from the rest.
    pub(super) fn part_of_known<'w>(&self, found: impl Iterator<Item = &'w str>) -> u32 {
        let found: FxHashSet<&str> = found.collect();
        let is_known = |word: &&String| {
            found.contains(word.as_str()) || self.said.get(stem(word).as_ref()).is_some_and(|n_docs| *n_docs > 0)
        };
        let all: u32 = self.first().filter(is_known).map(|word| self.rarity(word)).sum();
        let found: u32 = found.iter().map(|word| self.rarity(word)).sum();
        (u64::from(found.min(all)) * u64::from(WHOLE) / u64::from(all.max(1))) as u32
    }

    /// Adds what the text of files says, relative to the best one.
    pub(super) fn add_text(&self, weights: &FieldWeights, cue_hits: &mut CueHits<'_>) {
        let Some(index) = &self.index else { return };
        let terms = self.telling();
        let hits = index.search(&terms, weights, MAX_TEXT_HITS, |_| true, &mut Scores::default());
        let weakened = |hit: &Hit| (hit.doc, i64::from(hit.score) * i64::from(cue_hits.weakening(NodeId(hit.doc))));
        let mut ranked: Vec<(u32, i64)> = hits.iter().map(weakened).collect();
        ranked.sort_by_key(|&(doc, score)| (Reverse(score), doc));
        ranked.truncate(MAX_TEXT_FILES);
        let best = ranked.first().map_or(1, |&(_, score)| score.max(1));
        let docs: Vec<u32> = ranked.iter().map(|(doc, _)| *doc).collect();
        for ((doc, score), contributions) in ranked.iter().zip(index.explain(&docs, &terms, weights)) {
            let words: Vec<&str> = contributions.iter().map(|contribution| contribution.term.as_str()).collect();
            cue_hits.put(NodeId(*doc), Cue::Text, (score * i64::from(WHOLE) / best) as u32, &words);
        }
    }

    /// The part of the first words, by rarity, that the file with most of them has, in thousandths.
    pub(super) fn coverage(&self) -> u32 {
        let Some(index) = &self.index else { return 0 };
        let query = self.plain();
        let weights = FieldWeights::default();
        let hits = index.search(&query, &weights, N_COVERED, |_| true, &mut Scores::default());
        let docs: Vec<u32> = hits.iter().map(|hit| hit.doc).collect();
        let explained = index.explain(&docs, &query, &weights);
        explained.iter().map(|terms| self.part_of(terms.iter().map(|term| term.term.as_str()))).max().unwrap_or_default()
    }

    /// How many of the first words a file has that tell files apart; forms of one word count once.
    pub(super) fn n_informative(&self, file: NodeId) -> usize {
        let Some(index) = &self.index else { return 0 };
        let mut query = self.plain();
        query.retain(|term| self.rarity(&term.text) >= self.weights.clear.informative.get());
        index.explain(&[file.0], &query, &FieldWeights::default()).first().map_or(0, Vec::len)
    }

    /// Adds what paths say of whose file name or folders the text has all words, or some of the file name's.
    pub(super) fn add_paths(&self, cue_hits: &mut CueHits<'_>) {
        let Some(index) = &self.index else { return };
        let mut files: Vec<NodeId> = Vec::new();
        for term in self.terms.iter().filter(|term| self.has(&term.text) && !self.is_claimed(&term.text)) {
            let with_term = std::iter::once(&term.text).chain(&term.forms).flat_map(|form| index.lookup(form));
            let in_path = with_term.filter(|posting| posting.fields().contains(Field::Path));
            let with_word: Vec<NodeId> = in_path.map(|posting| NodeId(posting.doc)).take(MAX_PATH_FILES + 1).collect();
            if with_word.len() <= MAX_PATH_FILES {
                files.extend(with_word);
            }
        }
        files.sort_unstable();
        files.dedup();
        let said: Vec<PathWords<'_>> = files.iter().map(|file| self.path_words(self.base.path(*file))).collect();
        // Names that many files share say little about each.
        let (mut stems, mut folders): (FxHashMap<&str, usize>, FxHashMap<&str, usize>) = Default::default();
        for path in &said {
            *stems.entry(path.stem).or_default() += 1;
            for folder in &path.folders {
                *folders.entry(folder).or_default() += 1;
            }
        }
        let weights = &self.weights.words;
        for (file, path) in files.iter().zip(&said) {
            let whole = if path.coverage == WHOLE { weights.stem.get() } else { part(weights.part_of_stem.get(), path.coverage) };
            let stem = among(whole, stems[path.stem]);
            let around: u32 = path.folders.iter().map(|folder| among(weights.folder.get(), folders[folder])).sum();
            let words: Vec<&str> = Some(path.stem).filter(|_| stem > 0).into_iter().chain(path.folders.iter().copied()).collect();
            cue_hits.add(*file, Cue::Path, stem + around, &words);
        }
    }

    /// Adds what folders say that a scope or a path of the text names.
    pub(super) fn add_folders(&self, folders: &[String], cue_hits: &mut CueHits<'_>) {
        for folder in folders {
            let is_inside = |file: &NodeId| self.base.path(*file).starts_with(folder.as_str());
            let files: Vec<NodeId> = self.base.files().filter(is_inside).take(MAX_FOLDER_FILES + 1).collect();
            if files.len() <= MAX_FOLDER_FILES {
                let strength = among(WHOLE, files.len());
                for file in files {
                    cue_hits.add(file, Cue::Scope, strength, &[folder.trim_end_matches('/')]);
                }
            }
        }
    }

    /// Which components of a path the text has.
    fn path_words<'p>(&self, path: &'p str) -> PathWords<'p> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        // `response/mod.rs` is the module `response`.
        let (folders, stem) = match folders.rsplit_once('/').or(Some(("", folders))) {
            Some((above, folder)) if INDEX_STEMS.contains(&stem) && !folder.is_empty() => (above, folder),
            _ => (folders, stem),
        };
        let mut found: Vec<&str> = Vec::new();
        for folder in folders.rsplit('/').filter(|folder| self.name_coverage(folder) == WHOLE) {
            // `delete/delete.go` says its word once.
            if folder != stem && !found.contains(&folder) {
                found.push(folder);
            }
        }
        PathWords { stem, coverage: self.name_coverage(stem), folders: found }
    }

    /// Whether the text has this word by itself, as a part of another or in another form.
    pub(super) fn has(&self, word: &str) -> bool {
        self.said.contains_key(stem(word).as_ref())
    }

    /// Whether the text has a word in this very form.
    pub(super) fn has_exactly(&self, word: &str) -> bool {
        self.singles.iter().any(|single| single == word)
    }

    /// Whether a word belongs to a place or scope that was found.
    pub(super) fn is_claimed(&self, word: &str) -> bool {
        self.claimed.contains(stem(word).as_ref())
    }

    /// The part of a name that the text has, by rarity, in thousandths; nothing if it is only said in places and scopes.
    fn name_coverage(&self, name: &str) -> u32 {
        let mut is_fresh = false;
        for_each_word(name.as_bytes(), |word, form| {
            is_fresh |= form != Form::Whole && self.has(word) && !self.is_claimed(word);
        });
        // Most names have nothing of the text, and how rare their words are is not looked up.
        if !is_fresh {
            return 0;
        }
        let (mut all, mut found) = (0, 0);
        for_each_word(name.as_bytes(), |word, form| {
            if form != Form::Whole {
                // A word that all files have still counts a little.
                let rarity = self.rarity(word).max(1);
                all += rarity;
                found += if self.has(word) { rarity } else { 0 };
            }
        });
        // Most files have the project's own name, and much that is said has it too.
        if self.is_long && found < self.weights.words.everywhere.get() {
            return 0;
        }
        found * WHOLE / all.max(1)
    }
}

/// The components of a path that a text has.
struct PathWords<'p> {
    stem: &'p str,
    /// How much of the stem, in thousandths.
    coverage: u32,
    /// The folders that it has in full, the innermost first, each name once and not that of the file.
    folders: Vec<&'p str>,
}
