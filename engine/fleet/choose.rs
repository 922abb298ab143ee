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
    let mut others = choices.clone();
    choices.retain(|choice| choice.score >= best * fraction(weights.least_share));
    choices.truncate(weights.most_by_words as usize);
    others.retain(|other| !choices.contains(other));
    // A name means what is called so, however often its words stand elsewhere.
    for name in names_in(text) {
        let defines = |choice: &&Choice| defines(&shards.all()[choice.shard], &name);
        if choices.iter().take(MAX_TRIED).any(|choice| defines(&choice)) {
            continue;
        }
        let named = others.iter().take(MAX_TRIED).find(defines).copied();
        choices.extend(named.filter(|named| !choices.contains(named)));
    }
    choices.truncate((weights.most_by_words + weights.most_by_names) as usize);
    choices
}

/// Names of a text that are looked for at most, and repositories in which one is.
const MAX_NAMES: usize = 8;
const MAX_TRIED: usize = 16;

/// The words of a text that are written as names of code are: `Client.Fetch`, `load_invoice`, `loadInvoice`, in the form of ids.
fn names_in(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#');
    let mut names: Vec<String> = Vec::new();
    for word in text.split(|c| !is_part(c)) {
        let name = word.replace("::", ".").replace(['#', ':'], ".");
        let name = name.trim_matches('.');
        let inner = name.get(1..).unwrap_or_default();
        let is_name = inner.contains(|c: char| matches!(c, '_' | '.') || c.is_uppercase()) && inner.contains(char::is_alphabetic);
        if is_name && names.len() < MAX_NAMES && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Whether a repository defines something that is called so.
fn defines(shard: &Shard, name: &str) -> bool {
    [format!("#{name}"), format!(".{name}")]
        .iter()
        .any(|end| shard.nodes_named(end).iter().any(|node| shard.id(*node).contains('#')))
}
