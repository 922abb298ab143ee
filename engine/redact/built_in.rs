//! The rules that come with the program.

use super::rule_file;
use super::rules::Rules;
use std::sync::LazyLock;

/// Their text.
pub(super) const TEXT: &str = include_str!("rules.toml");

/// They, ready to use.
pub(super) fn rules() -> &'static Rules {
    static RULES: LazyLock<Rules> =
        LazyLock::new(|| rule_file::parse(TEXT, "rules.toml").expect("the tests read the built-in rules"));
    &RULES
}

#[cfg(test)]
mod tests {
    use super::{TEXT, rule_file};
    use crate::allowlist::Allowlist;
    use crate::examples::fill;
    use crate::pattern::Pattern;
    use std::sync::Arc;

    #[test]
    fn every_rule_finds_its_examples_and_leaves_the_rest() {
        let rules = rule_file::parse(TEXT, "rules.toml").expect("the built-in rules parse");
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
        let rules = rule_file::parse(TEXT, "rules.toml").expect("the built-in rules parse");
        rules.find("main.rs", b"fn main() { println!(\"hello\"); }", &mut Vec::new());
        let of_lists = |list: &Arc<Allowlist>| list.paths.iter().chain(&list.regexes).all(|one| one.compiled.get().is_none());
        for rule in &rules.list {
            assert!(rule.regex.iter().chain(&rule.path).all(|pattern| pattern.compiled.get().is_none()), "{}", rule.id);
            assert!(rule.allowlists.iter().all(of_lists), "{}", rule.id);
        }
    }
}
