//! What each field of a document says of a query by itself, and how much of the query it has.

use super::index::TextIndex;
use super::query::QueryTerm;
use super::search::{FieldWeights, Ranking};
use super::{Field, N_FIELDS};

/// What a query finds in a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldScores {
    /// BM25F of all fields, in thousandths.
    pub all: i32,
    /// BM25 of each field alone, in thousandths.
    pub fields: [i32; N_FIELDS],
    /// The rarities of the words that it has, added up, in thousandths of a nat.
    pub rarity: u32,
    /// The same of the words in its path and in the names that it defines.
    pub named_rarity: u32,
    /// How many words it has.
    pub n_words: u32,
    /// The rarity of the rarest, in thousandths of a nat.
    pub rarest: u32,
}

/// What is known of the words of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueryRarity {
    /// The rarities of all words that documents have, added up, in thousandths of a nat.
    pub sum: u32,
    /// That of the rarest.
    pub greatest: u32,
}

impl TextIndex<'_> {
    /// What a query finds in each of `docs`, which are in order.
    pub fn field_scores(&self, docs: &[u32], query: &[QueryTerm], weights: &FieldWeights) -> (Vec<FieldScores>, QueryRarity) {
        let ranking = Ranking::new(self, weights);
        let mut scores = vec![FieldScores::default(); docs.len()];
        let mut of_query = QueryRarity::default();
        for (term, postings) in self.found(query) {
            let gain = ranking.gain(term, postings.len());
            let rarity = ranking.rarity(postings.len());
            of_query.sum = of_query.sum.saturating_add(rarity);
            of_query.greatest = of_query.greatest.max(rarity);
            let mut left = docs.iter().zip(&mut scores).peekable();
            for posting in postings {
                while left.next_if(|(doc, _)| **doc < posting.doc).is_some() {}
                let Some((_, score)) = left.next_if(|(doc, _)| **doc == posting.doc) else {
                    if left.peek().is_none() {
                        break;
                    }
                    continue;
                };
                score.all = score.all.saturating_add(ranking.part(gain, &posting));
                for (field, part) in score.fields.iter_mut().zip(ranking.field_parts(gain, &posting)) {
                    *field = field.saturating_add(part);
                }
                let fields = posting.fields();
                let named = if fields.contains(Field::Path) || fields.contains(Field::Name) { rarity } else { 0 };
                score.rarity = score.rarity.saturating_add(rarity);
                score.named_rarity = score.named_rarity.saturating_add(named);
                score.n_words += 1;
                score.rarest = score.rarest.max(rarity);
            }
        }
        (scores, of_query)
    }
}
