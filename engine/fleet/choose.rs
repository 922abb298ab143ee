//! Which repositories have the words and names of a task.

use crate::key;
use crate::shards::{Shard, Shards};
use activate_rules::weights::FleetWeights;
use index::text::{QueryTerm, query_terms};

/// A repository that has something of a task: its place among the shards, and how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The place among [`Shards::all`].
    pub shard: usize,
    /// How much of the task it has.
    pub score: f64,
}

/// The repositories that have the most of a text, best first; equals in the order of names. Those that are not there are passed over.
///
/// Each word counts as in BM25, with repositories in the place of documents: `weight · ln(1 + (N - n + ½) / (n + ½)) · (f / (f + half_files) +
/// named)`, where `n` of `N` repositories have the word, and `f` files of this one.
pub fn choose(shards: &Shards, text: &str, weights: &FleetWeights, is_there: &dyn Fn(&Shard) -> bool) -> Vec<Choice> {
    let terms: Vec<QueryTerm> = query_terms(text);
    let keys: Vec<u64> = terms.iter().map(|term| key::name(&term.text)).collect();
    let found: Vec<Vec<Option<(u32, u32)>>> =
        shards.all().iter().map(|shard| keys.iter().map(|word| shard.word(*word)).collect()).collect();
    let n_shards = shards.all().len() as f64;
    let rarity = |at: usize| {
        let n = found.iter().filter(|words| words[at].is_some()).count() as f64;
        (1.0 + (n_shards - n + 0.5) / (n + 0.5)).ln()
    };
    let rarities: Vec<f64> = (0..terms.len()).map(rarity).collect();
    let fraction = |thousandths: activate_rules::atoms::Thousandths| f64::from(thousandths.get()) / 1_000.0;
    let mut choices = Vec::new();
    for (at, (shard, words)) in shards.all().iter().zip(&found).enumerate() {
        let own: Vec<String> = query_terms(&shard.name).into_iter().map(|term| term.text).collect();
        let mut score = 0.0;
        for ((term, rarity), word) in terms.iter().zip(&rarities).zip(words) {
            let of_files = word.map_or(0.0, |(n_files, n_naming)| {
                let named = if n_naming > 0 { fraction(weights.named) } else { 0.0 };
                f64::from(n_files) / f64::from(n_files + weights.half_files) + named
            });
            let of_name = if own.contains(&term.text) { fraction(weights.own_name) } else { 0.0 };
            score += f64::from(term.weight) / 1_000.0 * rarity * (of_files + of_name);
        }
        if score > 0.0 && is_there(shard) {
            choices.push(Choice { shard: at, score });
        }
    }
    choices.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.shard.cmp(&other.shard)));
    let best = choices.first().map_or(0.0, |choice| choice.score);
    choices.retain(|choice| choice.score >= best * fraction(weights.least_share));
    choices.truncate(weights.most_by_words as usize);
    choices
}
