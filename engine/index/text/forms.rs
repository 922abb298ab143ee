//! The forms of a word that an index has, and the documents that have any of them.

use super::index::{Posting, TextIndex};
use super::query::QueryTerm;
use super::stem::{beginning, stem};
use rustc_hash::FxHashMap;

/// Most forms of one word: English has a dozen at most, so that more are chance.
const MAX_FORMS: usize = 16;

/// Most terms that are looked at for the forms of one word: in a large repository a short stem begins some thousand names.
const MAX_LOOKED_AT: usize = 20_000;

impl TextIndex<'_> {
    /// The same query with each word once whatever its form, and with the forms that documents have.
    pub fn with_forms(&self, query: Vec<QueryTerm>) -> Vec<QueryTerm> {
        let mut merged: Vec<QueryTerm> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for term in query {
            let stem = stem(&term.text).into_owned();
            if let Some(known) = places.get(&stem).and_then(|place| merged.get_mut(*place)) {
                known.weight = known.weight.max(term.weight);
            } else {
                places.insert(stem, merged.len());
                merged.push(QueryTerm { forms: self.forms(&term.text), ..term });
            }
        }
        merged
    }

    /// The other terms with the stem of a word, in byte order.
    fn forms(&self, word: &str) -> Vec<String> {
        let wanted = stem(word);
        let mut forms = Vec::new();
        self.for_each_from(beginning(&wanted).as_bytes(), MAX_LOOKED_AT, |term| {
            let is_form = |term: &&str| *term != word && stem(term) == wanted;
            if let Some(term) = str::from_utf8(term).ok().filter(is_form).filter(|_| forms.len() < MAX_FORMS) {
                forms.push(term.to_owned());
            }
        });
        forms
    }

    /// The documents that have a word in any of its forms, in order, each once.
    pub(super) fn postings_of(&self, term: &QueryTerm) -> Vec<Posting> {
        let texts = std::iter::once(&term.text).chain(&term.forms);
        let mut all: Vec<Posting> =
            texts.filter_map(|text| self.entry(text.as_bytes())).flat_map(|entry| self.postings(&entry)).collect();
        if !term.forms.is_empty() {
            all.sort_by_key(|posting| posting.doc);
            all.dedup_by(|next, kept| {
                let is_same = next.doc == kept.doc;
                if is_same {
                    for (sum, n) in kept.counts.iter_mut().zip(next.counts) {
                        *sum = sum.saturating_add(n);
                    }
                }
                is_same
            });
        }
        all
    }

    /// In how many documents a word stands in any of its forms, but for some.
    pub fn n_docs_beside(&self, term: &QueryTerm, is_left_out: impl Fn(u32) -> bool) -> u32 {
        self.postings_of(term).iter().filter(|posting| !is_left_out(posting.doc)).count() as u32
    }

    /// In how many documents a word stands in any of its forms.
    pub fn n_docs_with(&self, term: &QueryTerm) -> u32 {
        self.postings_of(term).len() as u32
    }
}
