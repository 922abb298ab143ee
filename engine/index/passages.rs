//! What the words of a task say of passages: how often each stands in which, by BM25F over the passages of the likely files.
//!
//! Reads texts through a callback, masked, so that whoever guesses a secret is not told where it stands.

use super::base::FactBase;
use super::past_lines::PastLines;
use super::text::{QueryTerm, TextIndex, end_of_run, next_word_run};
use activate_rules::atoms::NodeId;
use activate_rules::weights::PassageTextWeights;
use aho_corasick::{AhoCorasick, MatchKind};
use rayon::prelude::*;
use redact::Redacted;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Gives the masked text of a file; none where it cannot be read.
pub type Texts<'a> = &'a (dyn Fn(NodeId) -> Option<Arc<Redacted>> + Sync);

/// The most bytes of a file in which words are looked for: what is longer is data more often than code.
const MAX_BYTES: usize = 1 << 20;

/// The most bytes between two words of a phrase: a blank, or a mark and a blank.
const MOST_APART: usize = 2;

/// The words of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageWords {
    /// The file.
    pub file: NodeId,
    /// First and last line.
    pub lines: (u32, u32),
    /// What the words say, in thousandths of BM25F; 0 where there is none.
    pub score: u32,
    /// Which terms of the query stand in it, the ones that say most first.
    pub terms: Vec<usize>,
    /// Bytes of its lines.
    pub n_bytes: u32,
    /// The line with most of them; the first of the passage where there is none.
    pub best_line: u32,
    /// How strongly commits with such words changed lines of it, in thousandths.
    pub changed: u32,
    /// The rarity of the terms that stand in it, in thousandths of a nat.
    pub rarity: u32,
    /// The rarity of those that stand in names of its definitions.
    pub named_rarity: u32,
    /// The rarity of the rarest.
    pub rarest: u32,
}

/// What counts towards the score of a passage before it is known how long passages are.
struct Counted {
    lines: (u32, u32),
    n_bytes: usize,
    /// By term: how often anywhere, and how often in names.
    counts: Vec<(usize, u32, u32)>,
    best_line: u32,
    changed: u32,
}

/// The passages of `files` with what the words of a query say of each, file by file, in the order of their lines.
pub fn find(
    base: &FactBase,
    query: &[QueryTerm],
    files: &[NodeId],
    weights: &PassageTextWeights,
    past: &PastLines,
    texts: Texts<'_>,
) -> Vec<PassageWords> {
    let index = base.text().ok();
    let forms = Forms::new(query);
    let counted: Vec<(NodeId, Vec<Counted>)> =
        files.par_iter().map(|file| (*file, count(base, *file, &forms, past, texts))).collect();
    let rarities = rarities(index.as_ref(), query);
    let phrases: FxHashSet<usize> = forms.phrases.values().copied().collect();
    let all = || counted.iter().flat_map(|(_, passages)| passages);
    let average = all().map(|passage| passage.n_bytes as f64).sum::<f64>() / all().count().max(1) as f64;
    let scale = Scale { rarities, phrases, weights, average };
    let scored = |(file, passages): (NodeId, Vec<Counted>)| {
        passages.into_iter().map(|counted| counted.scored(file, &scale)).collect::<Vec<_>>()
    };
    counted.into_iter().flat_map(scored).collect()
}

/// What the counts of a passage are measured by.
struct Scale<'w> {
    /// How much each term says.
    rarities: Vec<f64>,
    phrases: FxHashSet<usize>,
    weights: &'w PassageTextWeights,
    /// The bytes of the average passage.
    average: f64,
}

impl Counted {
    fn scored(self, file: NodeId, scale: &Scale<'_>) -> PassageWords {
        let Scale { rarities, phrases, weights, average } = scale;
        let ratio = |thousandths: u32| f64::from(thousandths) / 1000.0;
        let (k1, name, by_length) = (ratio(weights.k1.get()), ratio(weights.name.get()), ratio(weights.length.get()));
        let length =
            (1.0 - by_length + by_length * self.n_bytes as f64 / average.max(1.0)).max(ratio(weights.least_length.get()));
        let part = |&(term, anywhere, in_names): &(usize, u32, u32)| {
            let times = f64::from(anywhere) + name * f64::from(in_names);
            // Rounded before parts are added, so that the order of terms makes no difference.
            let part = rarities.get(term).copied().unwrap_or_default() * times * (k1 + 1.0) / (times + k1 * length);
            (part * 1000.0 + 0.5) as u32
        };
        let mut parts: Vec<(u32, usize)> = self.counts.iter().map(|counted| (part(counted), counted.0)).collect();
        parts.sort_by_key(|&(part, term)| (std::cmp::Reverse(part), term));
        let score = parts.iter().fold(0_u32, |sum, (part, _)| sum.saturating_add(*part));
        // Both words of a phrase are terms too.
        let terms = parts.into_iter().map(|(_, term)| term).filter(|term| !phrases.contains(term)).collect();
        let counted = self.counts.iter().filter(|(term, ..)| !phrases.contains(term));
        let (mut rarity, mut named_rarity, mut rarest) = (0_u32, 0_u32, 0_u32);
        for (term, _, in_names) in counted {
            let of_term = (rarities.get(*term).copied().unwrap_or_default() * 1000.0 + 0.5) as u32;
            rarity = rarity.saturating_add(of_term);
            named_rarity = named_rarity.saturating_add(if *in_names > 0 { of_term } else { 0 });
            rarest = rarest.max(of_term);
        }
        PassageWords {
            file,
            lines: self.lines,
            score,
            terms,
            n_bytes: self.n_bytes as u32,
            best_line: self.best_line,
            changed: self.changed,
            rarity,
            named_rarity,
            rarest,
        }
    }
}

/// How much each term of a query says: how rare it is among files, times its own weight.
fn rarities(index: Option<&TextIndex<'_>>, query: &[QueryTerm]) -> Vec<f64> {
    let rarity = |term: &QueryTerm| index.map_or(1.0, |index| index.rarity(term));
    query.iter().map(|term| rarity(term) * f64::from(term.weight) / 1000.0).collect()
}

/// The forms of the terms of a query, and a fast way to places where one may stand.
struct Forms<'q> {
    terms: FxHashMap<&'q str, usize>,
    /// Terms that are two neighbouring words of the task read as one name, by the terms that these words are.
    phrases: FxHashMap<(usize, usize), usize>,
    finder: Option<AhoCorasick>,
}

impl<'q> Forms<'q> {
    fn new(query: &'q [QueryTerm]) -> Self {
        let mut terms: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, term) in query.iter().enumerate() {
            for form in std::iter::once(&term.text).chain(&term.forms) {
                terms.entry(form).or_insert(number);
            }
        }
        let mut patterns: Vec<&str> = terms.keys().copied().collect();
        patterns.sort_unstable();
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst).build(&patterns);
        let phrases = phrases(query, &terms);
        Self { terms, phrases, finder: finder.ok().filter(|_| !patterns.is_empty()) }
    }

    /// Calls `each` with the bytes and the term of every word of a text that is a form of one. Names whose parts are not forms but whose
    /// joined parts are, are passed over: the query has their parts as well.
    fn each_in(&self, text: &[u8], mut each: impl FnMut((usize, usize), usize)) {
        let Some(finder) = &self.finder else { return };
        let mut end = 0;
        for found in finder.find_iter(text) {
            if found.start() < end {
                continue;
            }
            let Some((start, run_end)) = next_word_run(text, end, found.start()) else {
                // A run too long to be a word: the rest of it is none either.
                end = end_of_run(text, found.start()).max(found.end());
                continue;
            };
            end = run_end.max(found.end());
            super::text::for_each_word(text.get(start..run_end).unwrap_or_default(), |word, _| {
                if let Some(term) = self.terms.get(word) {
                    each((start, run_end), *term);
                }
            });
        }
    }
}

/// The terms of a query that are two others written together.
fn phrases(query: &[QueryTerm], terms: &FxHashMap<&str, usize>) -> FxHashMap<(usize, usize), usize> {
    let mut phrases = FxHashMap::default();
    for (phrase, term) in query.iter().enumerate() {
        for at in (1..term.text.len()).filter(|at| term.text.is_char_boundary(*at)) {
            let (first, second) = term.text.split_at(at);
            if let (Some(first), Some(second)) = (terms.get(first), terms.get(second)) {
                phrases.insert((*first, *second), phrase);
            }
        }
    }
    phrases
}

/// Counts the words of each passage of a file.
fn count(base: &FactBase, file: NodeId, forms: &Forms<'_>, past: &PastLines, texts: Texts<'_>) -> Vec<Counted> {
    let passages = base.passage_lines(file);
    let text = texts(file);
    let content = text.as_ref().map_or(&[][..], |text| text.as_str().as_bytes());
    let content = &content[..content.len().min(MAX_BYTES)];
    // Where each line begins.
    let starts: Vec<usize> = std::iter::once(0).chain(memchr::memchr_iter(b'\n', content).map(|at| at + 1)).collect();
    let line_at = |byte: usize| starts.partition_point(|start| *start <= byte) as u32;
    let start_of = |line: u32| starts.get(line as usize - 1).copied().unwrap_or(content.len());
    let mut hits: Vec<(u32, usize)> = Vec::new();
    let mut last: Option<((usize, usize), usize)> = None;
    forms.each_in(content, |bytes, term| {
        let line = line_at(bytes.0);
        hits.push((line, term));
        // Two words of a phrase beside each other say what the phrase says.
        if let Some((before, first)) = last
            && bytes.0.checked_sub(before.1).is_some_and(|apart| apart <= MOST_APART)
            && let Some(phrase) = forms.phrases.get(&(first, term))
        {
            hits.push((line, *phrase));
        }
        last = Some((bytes, term));
    });
    let mut names: Vec<(u32, usize)> = Vec::new();
    for symbol in base.symbols_of(file).filter_map(|node| base.symbol(NodeId(node))) {
        forms.each_in(symbol.name.as_bytes(), |_, term| names.push((symbol.name_line, term)));
    }
    names.sort_unstable();
    let within = |list: &[(u32, usize)], (first, last): (u32, u32)| {
        list.partition_point(|(line, _)| *line < first)..list.partition_point(|(line, _)| *line <= last)
    };
    let has_changed = past.has(file);
    let changed = |(first, last): (u32, u32)| {
        let text = |line: u32| content.get(start_of(line)..start_of(line + 1)).unwrap_or_default();
        let of_lines = (first..=last).filter(|_| has_changed).filter_map(|line| past.of(file, text(line)));
        of_lines.max().unwrap_or_default()
    };
    let counted = |lines: (u32, u32)| {
        let here = &hits[within(&hits, lines)];
        let mut counts: Vec<(usize, u32, u32)> = Vec::new();
        let mut add = |term: usize, anywhere: u32, in_names: u32| match counts.iter_mut().find(|(known, ..)| *known == term) {
            Some((_, a, b)) => (*a, *b) = (*a + anywhere, *b + in_names),
            None => counts.push((term, anywhere, in_names)),
        };
        for (_, term) in here {
            add(*term, 1, 0);
        }
        for (_, term) in &names[within(&names, lines)] {
            add(*term, 0, 1);
        }
        Counted {
            lines,
            n_bytes: start_of(lines.1 + 1).saturating_sub(start_of(lines.0)),
            counts,
            best_line: best_line(here).unwrap_or(lines.0),
            changed: changed(lines),
        }
    };
    passages.into_iter().map(counted).collect()
}

/// The line on which most different terms stand, the first of several; none where there is none.
fn best_line(hits: &[(u32, usize)]) -> Option<u32> {
    let lines = hits.chunk_by(|one, other| one.0 == other.0).map(|line| {
        let mut terms: Vec<usize> = line.iter().map(|(_, term)| *term).collect();
        terms.sort_unstable();
        terms.dedup();
        (terms.len(), std::cmp::Reverse(line[0].0))
    });
    lines.max().map(|(_, std::cmp::Reverse(line))| line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::base;
    use crate::text::query_terms;
    use redact::Masker;

    const KEYS: &str = "package keys

// Rotate makes new keys.
func Rotate(old string) string {
	return old
}

const apiToken = \"ghp_Zx81kQmW0vYbN3rTc5LpJ7sHdUe2Fa4GiK9o\"

func Twice() {
	rotate := Rotate
	rotate(rotate(\"keys\"))
}
";

    /// The passages of the file in which words of a query stand: first line, terms, best line; best first.
    fn found(query: &str) -> Vec<(u32, Vec<String>, u32)> {
        let base = base(&format!("//- keys.go\n{KEYS}//- other.go\npackage keys\n"));
        let terms = base.text().expect("an index").with_forms(query_terms(query));
        let file = base.file_at("keys.go").expect("a file");
        let mut found = find(&base, &terms, &[file], &PassageTextWeights::default(), &PastLines::default(), &|_| {
            Some(Arc::new(Masker::knowing_nothing().file("keys.go", KEYS.as_bytes())))
        });
        found.retain(|passage| passage.score > 0);
        found.sort_by_key(|passage| std::cmp::Reverse(passage.score));
        let words = |passage: &PassageWords| passage.terms.iter().map(|term| terms[*term].text.clone()).collect();
        found.iter().map(|passage| (passage.lines.0, words(passage), passage.best_line)).collect()
    }

    #[test]
    fn words_count_in_any_form_and_more_in_the_name_of_a_definition() {
        let rotated: Vec<(u32, Vec<String>, u32)> = found("rotated");
        assert_eq!(rotated, [(1, vec!["rotated".to_owned()], 3), (7, vec!["rotated".to_owned()], 11)]);
        assert!(found("nothing of it").is_empty());
    }

    #[test]
    fn two_words_beside_each_other_are_more_than_two_words_apart() {
        let score = |query: &str| {
            let base = base(&format!("//- keys.go\n{KEYS}//- other.go\npackage keys\n"));
            let terms = base.text().expect("an index").with_forms(query_terms(query));
            let file = base.file_at("keys.go").expect("a file");
            let found = find(&base, &terms, &[file], &PassageTextWeights::default(), &PastLines::default(), &|_| {
                Some(Arc::new(Masker::knowing_nothing().file("keys.go", KEYS.as_bytes())))
            });
            found[0].score
        };
        // "makes new keys" and "new keys makes" have the same words.
        assert!(score("makes new keys") > score("keys makes new") && score("keys makes new") > score("makes keys"));
    }

    #[test]
    fn whoever_guesses_what_is_masked_is_not_told_where_it_stands() {
        assert!(found("ghp_Zx81kQmW0vYbN3rTc5LpJ7sHdUe2Fa4GiK9o").is_empty());
        assert_eq!(found("apiToken").first().map(|(line, ..)| *line), Some(7));
        // Nor where else than in the mask a word of it stands.
        let secret = "package keys\n\nconst dbPassword = \"Hx7-harbor-Wd9Lk2q\"\n\n\n\nfunc Moor(at string) {\n\tharbor(at)\n\treturn\n}\n";
        let base = base(&format!("//- keys.go\n{secret}"));
        let terms = base.text().expect("an index").with_forms(query_terms("harbor"));
        let texts = |_| Some(Arc::new(Masker::knowing_nothing().file("keys.go", secret.as_bytes())));
        let file = base.file_at("keys.go").expect("a file");
        let found = find(&base, &terms, &[file], &PassageTextWeights::default(), &PastLines::default(), &texts);
        let spoken: Vec<u32> = found.iter().filter(|passage| passage.score > 0).map(|passage| passage.best_line).collect();
        assert_eq!(spoken, [8]);
    }

    #[test]
    fn a_run_too_long_to_be_a_word_is_passed_once() {
        let run = format!("package p\n\nvar data = \"{}\"\n\nfunc Data() {{ use(data) }}\n", "data".repeat(200_000));
        let base = base("//- a.go\npackage p\n\nfunc Data() {}\n");
        let terms = base.text().expect("an index").with_forms(query_terms("data"));
        let texts = |_| Some(Arc::new(Masker::knowing_nothing().file("a.txt", run.as_bytes())));
        let file = base.file_at("a.go").expect("a file");
        let found = find(&base, &terms, &[file], &PassageTextWeights::default(), &PastLines::default(), &texts);
        // Whoever looks at the whole run for every place in it does not come here for hours.
        assert!(!found.is_empty());
    }
}
