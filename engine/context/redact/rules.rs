//! Finds secrets by the shape their provider gives them, from rules in a subset of the Gitleaks format.
//!
//! A rule's pattern is compiled when one of its keywords first occurs, so that ordinary text compiles nothing. Must not know any provider:
//! they are in `rules.toml`.

use super::MaskSpan;
use crate::error::{Error, ErrorKind, Result};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use std::sync::{LazyLock, OnceLock};

/// The rules that come with the program.
pub(super) const BUILT_IN: &str = include_str!("rules.toml");

/// Compiled size limit of one pattern.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// The rules that come with the program, ready to use.
pub(super) fn built_in() -> &'static Rules {
    static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::parse(BUILT_IN).expect("the tests read the built-in rules"));
    &RULES
}

/// A set of rules behind one search for all their keywords.
pub(super) struct Rules {
    list: Vec<Rule>,
    /// Rules without a keyword: they look at every text.
    always: Vec<usize>,
    keywords: AhoCorasick,
    /// By keyword, the rules that have it.
    by_keyword: Vec<Vec<usize>>,
}

/// One rule as written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    regex: Pattern,
    #[serde(default)]
    keywords: Vec<String>,
    /// Least entropy of the secret, in bits a byte.
    #[serde(default)]
    entropy: f64,
    /// The group that is the secret; 0 takes the first group that matched, or all where there is none.
    #[serde(default)]
    secret_group: usize,
    /// The rule looks only at files whose path matches.
    path: Option<Pattern>,
    #[serde(default)]
    allowlists: Vec<Allowlist>,
    /// `id` for the life of the program: spans outlive any set of rules.
    #[serde(skip)]
    kind: &'static str,
    #[cfg(test)]
    #[serde(default)]
    positive: Vec<String>,
    #[cfg(test)]
    #[serde(default)]
    negative: Vec<String>,
}

/// Finds that are no secrets.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Allowlist {
    #[serde(default)]
    condition: Condition,
    #[serde(default)]
    regex_target: Target,
    #[serde(default)]
    paths: Vec<Pattern>,
    #[serde(default)]
    regexes: Vec<Pattern>,
    /// Words within the secret, in any case.
    #[serde(default)]
    stopwords: Vec<String>,
}

#[derive(Deserialize, Default, PartialEq, Eq)]
enum Condition {
    #[default]
    #[serde(rename = "OR", alias = "or")]
    Or,
    #[serde(rename = "AND", alias = "and")]
    And,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

/// A pattern that is compiled when it is first asked.
#[derive(Deserialize)]
#[serde(from = "String")]
struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl Pattern {
    fn compile(&self) -> std::result::Result<Regex, regex::Error> {
        // Without Unicode classes, as the format's own engine reads `\w`: a hundred times faster to compile.
        RegexBuilder::new(&self.text).unicode(false).size_limit(MAX_PATTERN_BYTES).build()
    }

    /// The compiled pattern; a pattern that does not compile finds nothing, and the test of the built-in rules finds it.
    fn get(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}

impl Rules {
    /// Reads rules in TOML. Unknown fields are passed over, as the format has many that say nothing about what to find.
    fn parse(toml: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            rules: Vec<Rule>,
        }
        let bad = |message: &str| Error::new(ErrorKind::BadInput, format!("redaction rules: {message}"));
        let File { mut rules } = toml::from_str(toml).map_err(|error| bad(error.message()))?;
        let mut pairs: Vec<(String, usize)> = Vec::new();
        for (index, rule) in rules.iter_mut().enumerate() {
            rule.kind = String::leak(rule.id.clone());
            pairs.extend(rule.keywords.iter().map(|keyword| (keyword.to_ascii_lowercase(), index)));
        }
        pairs.sort_unstable();
        let always = rules.iter().enumerate().filter(|(_, rule)| rule.keywords.is_empty()).map(|(index, _)| index).collect();
        let mut words: Vec<&str> = pairs.iter().map(|(word, _)| word.as_str()).collect();
        words.dedup();
        let by_keyword = words
            .iter()
            .map(|word| pairs.iter().filter(|(keyword, _)| keyword == word).map(|(_, index)| *index).collect())
            .collect();
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            // A DFA of these keywords takes 2.0 ms to build where this takes 0.6 ms, and reads source no faster (measured 2026-11).
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&words)
            .map_err(|error| bad("the keywords are too many").because(error))?;
        Ok(Self { list: rules, always, keywords, by_keyword })
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
        let Some(regex) = self.regex.get() else { return };
        if self.path.as_ref().is_some_and(|path| !path.is_match(name.as_bytes())) {
            return;
        }
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

impl Allowlist {
    fn allows(&self, name: &str, text: &[u8], whole: std::ops::Range<usize>, secret: &[u8]) -> bool {
        let target = match self.regex_target {
            Target::Secret => secret,
            Target::Match => &text[whole],
            Target::Line => {
                let start = text[..whole.start].iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1);
                let end = text[whole.end..].iter().position(|b| *b == b'\n').map_or(text.len(), |length| whole.end + length);
                &text[start..end]
            }
        };
        let lower = secret.to_ascii_lowercase();
        let has_word = |word: &String| {
            let word = word.to_ascii_lowercase();
            !word.is_empty() && lower.windows(word.len()).any(|window| window == word.as_bytes())
        };
        let checks = [
            (!self.paths.is_empty()).then(|| self.paths.iter().any(|path| path.is_match(name.as_bytes()))),
            (!self.regexes.is_empty()).then(|| self.regexes.iter().any(|regex| regex.is_match(target))),
            (!self.stopwords.is_empty()).then(|| self.stopwords.iter().any(has_word)),
        ];
        let mut checks = checks.into_iter().flatten().peekable();
        match self.condition {
            Condition::Or => checks.any(|check| check),
            Condition::And => checks.peek().is_some() && checks.all(|check| check),
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
    use super::{BUILT_IN, Rules, entropy};
    use std::time::Instant;

    /// Fills `<alnum:36>` in an example with made-up characters, so that no example is a token before the test runs.
    fn fill(example: &str) -> String {
        let mut filled = String::new();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut rest = example;
        while let Some((before, (class, after))) = rest.split_once('<').and_then(|(b, r)| Some((b, r.split_once('>')?))) {
            filled.push_str(before);
            let (class, length) = class.split_once(':').expect("<class:length>");
            let letters: Vec<char> = match class {
                "hex" => "0123456789abcdef",
                "digit" => "0123456789",
                "lower" => "abcdefghijklmnopqrstuvwxyz0123456789",
                "upper" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                "alnum" => "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                "word" => "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-",
                "same" => "x",
                other => panic!("no class {other}"),
            }
            .chars()
            .collect();
            for _ in 0..length.parse::<usize>().expect("a length") {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                filled.push(letters[(state >> 33) as usize % letters.len()]);
            }
            rest = after;
        }
        filled + rest
    }

    #[test]
    fn every_rule_finds_its_examples_and_leaves_the_rest() {
        let rules = Rules::parse(BUILT_IN).expect("the built-in rules parse");
        for rule in &rules.list {
            rule.regex.compile().unwrap_or_else(|error| panic!("{}: {error}", rule.id));
            assert!(!rule.keywords.is_empty(), "{}: a rule without keyword compiles for every text", rule.id);
            assert!(!rule.positive.is_empty(), "{}: no example", rule.id);
            let kinds = |example: &str| {
                let mut spans = Vec::new();
                rules.find("", fill(example).as_bytes(), &mut spans);
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
    fn text_without_a_keyword_compiles_nothing() {
        let rules = Rules::parse(BUILT_IN).expect("the built-in rules parse");
        rules.find("main.rs", b"fn main() { println!(\"hello\"); }", &mut Vec::new());
        assert!(rules.list.iter().all(|rule| rule.regex.compiled.get().is_none()));
    }

    #[test]
    fn rules_of_the_other_tool_are_read() {
        let rules = Rules::parse(
            r#"
            title = "a file with more than we read"
            [[rules]]
            id = "own-token"
            description = "passed over"
            regex = '''own_([a-z0-9]{8})'''
            entropy = 2.0
            keywords = ["OWN_"]
            path = '''\.txt$'''
            [[rules.allowlists]]
            condition = "AND"
            regexTarget = "line"
            regexes = ['''# fine''']
            stopwords = ["abcd"]
            "#,
        )
        .expect("it parses");
        let count = |name: &str, text: &str| {
            let mut spans = Vec::new();
            rules.find(name, text.as_bytes(), &mut spans);
            spans.len()
        };
        assert_eq!(count("a.txt", "own_ab12cd34"), 1);
        assert_eq!(count("a.rs", "own_ab12cd34"), 0, "the path does not match");
        assert_eq!(count("a.txt", "own_aaaaaaaa"), 0, "the entropy is too low");
        assert_eq!(count("a.txt", "own_abcd1234 # fine"), 0, "both conditions hold");
        assert_eq!(count("a.txt", "own_abcd1234"), 1, "only one condition holds");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a limit of time is measured")]
    fn reading_the_rules_is_cheap() {
        let start = Instant::now();
        Rules::parse(BUILT_IN).expect("the built-in rules parse");
        // Two milliseconds in a release build; this only stops an accident.
        assert!(start.elapsed().as_millis() < 500);
        assert!(entropy(b"aaaa") < 0.01 && entropy(b"abcd") > 1.99);
    }
}
