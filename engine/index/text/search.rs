//! Ranks documents for a query by BM25F, and says which words in which fields earned a score.
//!
//! Each term's part is rounded to thousandths before parts are added, so a score does not depend on the order of terms
//! and is exactly the sum of its explanation. All arithmetic is addition, multiplication and division, which IEEE 754
//! defines to the bit; the logarithm is our own for that reason.

use super::index::{Posting, TextIndex};
use super::query::QueryTerm;
use super::{FieldSet, N_FIELDS};
use activate_rules::weights::TextWeights;

/// How much words in a field count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeight {
    /// What an occurrence in the field is worth, where one in the body is worth 1.
    pub weight: f64,
    /// How much a long field devalues an occurrence: 0 not at all, 1 in proportion to its length.
    pub b: f64,
}

/// The numbers of BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights {
    /// How slowly repetition stops to pay: the weighted count that earns half of what any number can.
    pub k1: f64,
    /// By number of the field.
    pub fields: [FieldWeight; N_FIELDS],
}

impl From<&TextWeights> for FieldWeights {
    fn from(weights: &TextWeights) -> Self {
        let part = |thousandths: u32| f64::from(thousandths) / THOUSANDTHS;
        // In the order of the fields' numbers.
        let fields = [weights.body, weights.name, weights.path, weights.comment, weights.literal, weights.doc];
        let fields = fields.map(|field| FieldWeight { weight: part(field.weight.get()), b: part(field.length.get()) });
        Self { k1: part(weights.k1.get()), fields }
    }
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self::from(&TextWeights::default())
    }
}

/// A document that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The document.
    pub doc: u32,
    /// Its BM25F score in thousandths, above 0.
    pub score: i32,
}

/// What one term gave to a document's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    /// The term.
    pub term: String,
    /// Where it stands in the document.
    pub fields: FieldSet,
    /// Its part of the score, in thousandths.
    pub score: i32,
}

/// Sums that searches reuse, so that a search costs what it finds and not the number of documents.
#[derive(Debug, Default)]
pub struct Scores {
    /// By document; zero between searches.
    sums: Vec<i32>,
    touched: Vec<u32>,
}

/// Scores are in thousandths.
const THOUSANDTHS: f64 = 1000.0;

impl TextIndex<'_> {
    /// The best documents that `keep` accepts, at most `limit`: highest score first, then lowest number.
    pub fn search(
        &self,
        query: &[QueryTerm],
        weights: &FieldWeights,
        limit: usize,
        keep: impl Fn(u32) -> bool,
        scores: &mut Scores,
    ) -> Vec<Hit> {
        scores.sums.resize((self.n_docs as usize).max(scores.sums.len()), 0);
        let ranking = Ranking::new(self, weights);
        for (term, postings) in self.found(query) {
            let gain = ranking.gain(term, postings.len());
            for posting in postings {
                let sum = &mut scores.sums[posting.doc as usize];
                if *sum == 0 {
                    scores.touched.push(posting.doc);
                }
                *sum = sum.saturating_add(ranking.part(gain, &posting));
            }
        }
        let mut hits = Vec::new();
        for doc in scores.touched.drain(..) {
            let score = std::mem::take(&mut scores.sums[doc as usize]);
            if score > 0 && keep(doc) {
                hits.push(Hit { doc, score });
            }
        }
        let better = |a: &Hit, b: &Hit| b.score.cmp(&a.score).then(a.doc.cmp(&b.doc));
        if limit < hits.len() {
            hits.select_nth_unstable_by(limit, better);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(better);
        hits
    }

    /// For each of `docs`, what each term of the query that stands in it contributes, the greatest part first.
    pub fn explain(&self, docs: &[u32], query: &[QueryTerm], weights: &FieldWeights) -> Vec<Vec<Contribution>> {
        let mut places: Vec<(u32, usize)> = docs.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let ranking = Ranking::new(self, weights);
        let mut explained = vec![Vec::new(); docs.len()];
        for (term, postings) in self.found(query) {
            let gain = ranking.gain(term, postings.len());
            let mut left = places.iter().copied().peekable();
            for posting in postings {
                while left.next_if(|&(doc, _)| doc < posting.doc).is_some() {}
                while let Some((_, place)) = left.next_if(|&(doc, _)| doc == posting.doc) {
                    let score = ranking.part(gain, &posting);
                    explained[place].push(Contribution { term: term.text.clone(), fields: posting.fields(), score });
                }
                if left.peek().is_none() {
                    break;
                }
            }
        }
        for contributions in &mut explained {
            contributions.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.term.cmp(&b.term)));
        }
        explained
    }

    /// How rare a term is among the documents in any of its forms: the logarithm by which BM25F weighs it.
    pub fn rarity(&self, term: &QueryTerm) -> f64 {
        rarity(self.n_docs, self.n_docs_with(term))
    }

    /// The words of the query that documents have, each with its documents.
    pub(super) fn found<'q>(&self, query: &'q [QueryTerm]) -> impl Iterator<Item = (&'q QueryTerm, Vec<Posting>)> {
        query.iter().map(|term| (term, self.postings_of(term))).filter(|(_, postings)| !postings.is_empty())
    }
}

/// BM25F with all that does not depend on a posting worked out.
pub(super) struct Ranking<'i> {
    index: &'i TextIndex<'i>,
    k1: f64,
    /// By field: the weight, and the divisor of an occurrence as a constant and a part for each word of length.
    fields: [(f64, f64, f64); N_FIELDS],
}

impl<'i> Ranking<'i> {
    pub(super) fn new(index: &'i TextIndex<'i>, weights: &FieldWeights) -> Self {
        let mut fields = [(0.0, 1.0, 0.0); N_FIELDS];
        for ((field, weight), average) in fields.iter_mut().zip(&weights.fields).zip(index.averages) {
            *field = (weight.weight, 1.0 - weight.b, weight.b / average.max(1.0));
        }
        Self { index, k1: weights.k1, fields }
    }

    /// The most that a term can contribute, in thousandths.
    pub(super) fn gain(&self, term: &QueryTerm, n_with: usize) -> f64 {
        f64::from(term.weight) / THOUSANDTHS * rarity(self.index.n_docs, n_with as u32) * (self.k1 + 1.0) * THOUSANDTHS
    }

    /// The logarithm by which a term counts that so many documents have, in thousandths.
    pub(super) fn rarity(&self, n_with: usize) -> u32 {
        (rarity(self.index.n_docs, n_with as u32) * THOUSANDTHS + 0.5) as u32
    }

    /// What a posting would contribute of its term's gain if documents had a single field, for each field.
    pub(super) fn field_parts(&self, gain: f64, posting: &Posting) -> [i32; N_FIELDS] {
        let mut parts = [0; N_FIELDS];
        for ((part, field), &count) in parts.iter_mut().zip(super::FIELDS).zip(&posting.counts) {
            if count > 0 {
                let (_, constant, slope) = self.fields[field as usize];
                let weighted = f64::from(count) / (constant + slope * f64::from(self.index.length(posting.doc, field)));
                *part = (gain * weighted / (self.k1 + weighted) + 0.5) as i32;
            }
        }
        parts
    }

    /// What a posting contributes of its term's gain.
    pub(super) fn part(&self, gain: f64, posting: &Posting) -> i32 {
        let mut weighted = 0.0;
        for (field, &count) in super::FIELDS.into_iter().zip(&posting.counts) {
            if count > 0 {
                let (weight, constant, slope) = self.fields[field as usize];
                let length = f64::from(self.index.length(posting.doc, field));
                weighted += weight * f64::from(count) / (constant + slope * length);
            }
        }
        // Adding a half rounds what is not negative, at a fraction of the cost of `round`.
        (gain * weighted / (self.k1 + weighted) + 0.5) as i32
    }
}

/// The logarithm by which a term counts that so many of all documents have.
fn rarity(n_docs: u32, n_with: u32) -> f64 {
    let (n_docs, n_with) = (f64::from(n_docs), f64::from(n_with));
    ln(1.0 + (n_docs - n_with + 0.5) / (n_with + 0.5))
}

/// The natural logarithm of a positive number, to the same bits on every machine.
fn ln(x: f64) -> f64 {
    const MANTISSA_BITS: u32 = 52;
    const BIAS: i64 = 1023;
    /// With an argument below 0.18 the next term is under 1e-15.
    const N_TERMS: u32 = 9;
    let bits = x.to_bits();
    let mut exponent = (bits >> MANTISSA_BITS) as i64 - BIAS;
    let mut mantissa = f64::from_bits((bits & ((1 << MANTISSA_BITS) - 1)) | (BIAS as u64) << MANTISSA_BITS);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), as a series.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let mut power = ratio;
    let mut sum = 0.0;
    for term in 0..N_TERMS {
        sum += power / f64::from(2 * term + 1);
        power *= ratio * ratio;
    }
    2.0 * sum + exponent as f64 * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_logarithm_is_the_logarithm() {
        for x in [1.0, 1.000_01, 1.4, 1.5, 2.0, 3.7, 1000.0, 22_731.5, 1e12] {
            assert!((super::ln(x) - f64::ln(x)).abs() < 1e-12 * f64::ln(x).max(1.0), "{x}");
        }
    }
}
