//! Which repositories have the words and names of a task.

use crate::key;
use crate::shards::{Shard, Shards};
use activate_rules::weights::FleetWeights;
use index::text::{QueryTerm, query_terms};
use std::collections::BTreeSet;

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
    let n_by_words = choices.len();
    // A name means what is called so, however often its words stand elsewhere.
    for name in names_in(text) {
        let defines = |choice: &&Choice| name.is_defined_in(&shards.all()[choice.shard]);
        if !choices.iter().any(|choice| defines(&choice)) {
            choices.extend(others.iter().find(defines).copied());
        }
    }
    choices.truncate(n_by_words + weights.most_by_names as usize);
    choices
}

/// Names of a text that are looked for at most.
const MAX_NAMES: usize = 8;

/// A name of code, in the ways in which ids may end with it.
struct Name {
    ends: Vec<String>,
    /// The words of its last part, by their keys.
    words: Vec<u64>,
}

/// The words of a text that are written as names of code are: `Client.Fetch`, `load_invoice`, `loadInvoice`.
fn names_in(text: &str) -> Vec<Name> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#');
    let mut known = BTreeSet::new();
    let mut names = Vec::new();
    for word in text.split(|c| !is_part(c)) {
        // In front of a `#` stands a file or a package.
        let word = word.rsplit('#').next().unwrap_or(word).replace(':', ".");
        let parts: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
        let is_loud = !word.chars().any(char::is_lowercase);
        let is_name = parts.len() > 1 || word.contains('_') || word.chars().skip(1).any(char::is_uppercase) && !is_loud;
        // Numbers and addresses are no names.
        let is_said = |last: &&&str| last.len() > 1 && last.chars().any(char::is_alphabetic) && is_name;
        let Some(last) = parts.last().filter(is_said).filter(|_| known.insert(parts.join("."))) else { continue };
        // What qualifies in small letters may be a module or a variable.
        let is_small = |part: &&&str| !part.contains(char::is_uppercase);
        let n_small = parts[..parts.len() - 1].iter().take_while(is_small).count();
        let names_of = |first: usize| [format!("#{}", parts[first..].join(".")), format!(".{}", parts[first..].join("."))];
        let ends = BTreeSet::from([0, n_small]).into_iter().flat_map(names_of).collect();
        let words = query_terms(last).iter().map(|term| key::name(&term.text)).collect();
        names.push(Name { ends, words });
        if names.len() == MAX_NAMES {
            break;
        }
    }
    names
}

impl Name {
    /// Whether a repository defines something that is called so.
    fn is_defined_in(&self, shard: &Shard) -> bool {
        let is_naming = |word: &u64| shard.word(*word).is_some_and(|(_, n_naming)| n_naming > 0);
        !self.words.is_empty() && self.words.iter().all(is_naming) && shard.defines(&self.ends)
    }
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn names_are_read_as_ids_may_end_with_them() {
        let text = "In billing, e.g. store::disk::open and Client.Fetch (kit/a.go#Daily.run) fail for loadInvoice, mount.New, \
                    2.0 of HTTP. See Client.Fetch.";
        let ends: Vec<String> = names_in(text).iter().map(|name| name.ends.join(" ")).collect();
        let expected = [
            "#store.disk.open .store.disk.open #open .open",
            "#Client.Fetch .Client.Fetch",
            "#Daily.run .Daily.run",
            "#loadInvoice .loadInvoice",
            "#mount.New .mount.New #New .New",
        ];
        assert_eq!(ends, expected);
    }
}
