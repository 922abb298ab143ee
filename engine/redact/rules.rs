//! Finds secrets by the shape their provider gives them, from rules in a subset of the Gitleaks format.
//!
//! A rule's pattern is compiled when one of its keywords first occurs, so that ordinary text compiles nothing. Must not know any provider:
//! they are in `rules.toml`.

use super::allowlist::Allowlist;
use super::entropy::entropy;
use super::pattern::Pattern;
use super::span::MaskSpan;
use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError, MatchKind};
use std::sync::Arc;

/// A set of rules behind one search for all their keywords.
pub struct Rules {
    pub(super) list: Vec<Rule>,
    /// Rules without a keyword: they look at every text.
    always: Vec<usize>,
    keywords: AhoCorasick,
    /// By keyword, the rules that have it.
    by_keyword: Vec<Vec<usize>>,
    notes: Vec<String>,
    version: u64,
}

/// One rule.
pub(super) struct Rule {
    pub(super) id: String,
    /// `id` in kebab case.
    pub(super) kind: &'static str,
    /// Without a pattern the rule hides every file whose path matches.
    pub(super) regex: Option<Pattern>,
    pub(super) keywords: Vec<String>,
    /// Least entropy of the secret, in bits a byte.
    pub(super) entropy: f64,
    /// The group that is the secret; 0 takes the first group that matched, or all where there is none.
    pub(super) secret_group: usize,
    /// The rule looks only at files whose path matches.
    pub(super) path: Option<Pattern>,
    pub(super) allowlists: Vec<Arc<Allowlist>>,
    /// Texts that the rule finds and leaves; `<class:length>` in them stands for made-up characters.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are run by the tests"))]
    pub(super) positive: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are run by the tests"))]
    pub(super) negative: Vec<String>,
}

impl Rules {
    /// What the file asks for and is passed over, one sentence each, sorted.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Names the text the rules were read from.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn new(list: Vec<Rule>, notes: Vec<String>, version: u64) -> std::result::Result<Self, BuildError> {
        let mut pairs: Vec<(String, usize)> = Vec::new();
        for (index, rule) in list.iter().enumerate() {
            pairs.extend(
                rule.keywords.iter().filter(|word| !word.is_empty()).map(|keyword| (keyword.to_ascii_lowercase(), index)),
            );
        }
        pairs.sort_unstable();
        let has_keyword = |rule: &Rule| rule.keywords.iter().any(|word| !word.is_empty());
        let always = list.iter().enumerate().filter(|(_, rule)| !has_keyword(rule)).map(|(index, _)| index).collect();
        let mut words: Vec<&str> = Vec::new();
        let mut by_keyword: Vec<Vec<usize>> = Vec::new();
        for (word, index) in &pairs {
            if words.last() != Some(&word.as_str()) {
                words.push(word);
                by_keyword.push(Vec::new());
            }
            by_keyword.last_mut().expect("a word has a list").push(*index);
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            // A DFA of these keywords takes 2.0 ms to build where this takes 0.6 ms, and reads source no faster (measured 2026-11).
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&words)?;
        Ok(Self { list, always, keywords, by_keyword, notes, version })
    }

    /// Adds what the rules find in `text`, a whole file named `name`.
    pub(super) fn find(&self, name: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
        let mut seen = vec![false; self.by_keyword.len()];
        for keyword in self.keywords.find_overlapping_iter(text) {
            seen[keyword.pattern().as_usize()] = true;
        }
        let hit = self.by_keyword.iter().zip(&seen).filter(|(_, seen)| **seen).flat_map(|(rules, _)| rules);
        let mut due: Vec<usize> = self.always.iter().chain(hit).copied().collect();
        due.sort_unstable();
        due.dedup();
        for index in due {
            self.list[index].find(name, text, spans);
        }
    }
}

impl Rule {
    fn find(&self, name: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
        if self.path.as_ref().is_some_and(|path| !path.is_match(name.as_bytes())) {
            return;
        }
        let Some(pattern) = &self.regex else {
            let is_allowed = self.allowlists.iter().any(|list| list.allows(name, text, 0..text.len(), text));
            if !is_allowed {
                spans.push(MaskSpan { start: 0, end: text.len(), kind: self.kind });
            }
            return;
        };
        let Some(regex) = pattern.get() else { return };
        // The engine reads a text once for all that it finds.
        #[cfg(test)]
        work::add(text.len());
        for groups in regex.captures_iter(text) {
            let secret = match self.secret_group {
                0 => groups.iter().skip(1).flatten().find(|group| !group.is_empty()).or_else(|| groups.get(0)),
                group => groups.get(group),
            };
            let (Some(whole), Some(secret)) = (groups.get(0), secret) else { continue };
            let is_allowed = || self.allowlists.iter().any(|list| list.allows(name, text, whole.range(), secret.as_bytes()));
            if entropy(secret.as_bytes()) >= self.entropy && !is_allowed() {
                spans.push(MaskSpan { start: secret.start(), end: secret.end(), kind: self.kind });
            }
        }
    }
}
