//! Finds secrets by the shape their provider gives them, from rules in a subset of the Gitleaks format.
//!
//! A rule's pattern is compiled when one of its keywords first occurs, so that ordinary text compiles nothing. Must not know any provider:
//! they are in `rules.toml`.

use super::MaskSpan;
use super::allowlist::Allowlist;
use super::rule_file;
use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError, MatchKind};
use error::{Error, ErrorKind, Result};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::{Arc, LazyLock, OnceLock};

/// The rules that come with the program.
pub(super) const BUILT_IN: &str = include_str!("rules.toml");

/// Compiled size limit of one pattern, and of what is remembered while it runs.
const MAX_PATTERN_BYTES: usize = 10 << 20;
const MAX_DFA_BYTES: usize = 4 << 20;

/// The rules that come with the program, ready to use.
pub(super) fn built_in() -> &'static Rules {
    static RULES: LazyLock<Rules> =
        LazyLock::new(|| rule_file::parse(BUILT_IN, "rules.toml").expect("the tests read the built-in rules"));
    &RULES
}

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

/// A pattern that is compiled when it is first asked.
pub(super) struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl Pattern {
    pub(super) fn compile(&self) -> std::result::Result<Regex, regex::Error> {
        // Without Unicode classes, as the format's own engine reads `\w`: a hundred times faster to compile.
        RegexBuilder::new(&self.text).unicode(false).size_limit(MAX_PATTERN_BYTES).dfa_size_limit(MAX_DFA_BYTES).build()
    }

    /// Compiles it now, for it was written by a user.
    fn checked(&self) -> std::result::Result<(), regex::Error> {
        let regex = self.compile()?;
        let _ = self.compiled.set(Some(regex));
        Ok(())
    }

    /// The compiled pattern; a pattern that does not compile finds nothing, and the test of the built-in rules finds it.
    fn get(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}

impl Rules {
    /// Reads a user's rules from the TOML text of the file `name`: the layout of Gitleaks, with every pattern compiled.
    ///
    /// # Errors
    /// Says which rule or line cannot be read and why: an unknown key, a pattern that does not compile or is too large, too many rules.
    pub fn parse(toml: &str, name: &str) -> Result<Self> {
        let rules = rule_file::parse(toml, name)?;
        for rule in &rules.list {
            let lists = rule.allowlists.iter().flat_map(|list| list.paths.iter().chain(&list.regexes));
            for pattern in rule.regex.iter().chain(&rule.path).chain(lists) {
                pattern.checked().map_err(|error| {
                    let message = format!("rules of redaction in {name}: rule {}: {}", rule.id, reason(&error));
                    Error::new(ErrorKind::BadInput, message)
                })?;
            }
            if let Some(regex) = rule.regex.as_ref().and_then(Pattern::get)
                && rule.secret_group >= regex.captures_len()
            {
                let message = format!("rules of redaction in {name}: rule {}: it has no group {}", rule.id, rule.secret_group);
                return Err(Error::new(ErrorKind::BadInput, message));
            }
        }
        Ok(rules)
    }

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

/// Why a pattern does not compile, on one line.
fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("its pattern is larger than {limit} bytes when compiled; shorten it"),
        error => {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim();
            format!("its pattern cannot be read: {}", last.strip_prefix("error: ").unwrap_or(last))
        }
    }
}

/// Shannon entropy in bits a byte.
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for b in bytes {
        counts[usize::from(*b)] += 1;
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{Allowlist, Arc, BUILT_IN, Pattern, entropy, rule_file};
    use crate::examples::fill;

    #[test]
    fn every_rule_finds_its_examples_and_leaves_the_rest() {
        let rules = rule_file::parse(BUILT_IN, "rules.toml").expect("the built-in rules parse");
        for rule in &rules.list {
            rule.regex.as_ref().map(Pattern::compile).transpose().unwrap_or_else(|error| panic!("{}: {error}", rule.id));
            assert!(!rule.keywords.is_empty(), "{}: a rule without keyword compiles for every text", rule.id);
            assert!(!rule.positive.is_empty(), "{}: no example", rule.id);
            let kinds = |example: &str| {
                let mut spans = Vec::new();
                rules.find("", fill(example, 0).as_bytes(), &mut spans);
                spans.into_iter().map(|span| span.kind).collect::<Vec<_>>()
            };
            for example in &rule.positive {
                assert!(kinds(example).contains(&rule.id.as_str()), "{} misses {example}", rule.id);
            }
            for example in &rule.negative {
                assert!(!kinds(example).contains(&rule.id.as_str()), "{} takes {example}", rule.id);
            }
        }
    }

    #[test]
    fn neither_reading_the_rules_nor_a_text_without_a_keyword_compiles_a_pattern() {
        let rules = rule_file::parse(BUILT_IN, "rules.toml").expect("the built-in rules parse");
        rules.find("main.rs", b"fn main() { println!(\"hello\"); }", &mut Vec::new());
        let of_lists = |list: &Arc<Allowlist>| list.paths.iter().chain(&list.regexes).all(|one| one.compiled.get().is_none());
        for rule in &rules.list {
            assert!(rule.regex.iter().chain(&rule.path).all(|pattern| pattern.compiled.get().is_none()), "{}", rule.id);
            assert!(rule.allowlists.iter().all(of_lists), "{}", rule.id);
        }
    }

    #[test]
    fn entropy_is_in_bits_a_byte() {
        assert!(entropy(b"aaaa") < 0.01 && entropy(b"abcd") > 1.99);
    }
}
