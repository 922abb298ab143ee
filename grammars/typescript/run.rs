//! Titles of tests as the patterns that vitest, jest and mocha take.
//!
//! All three join the titles from outside to inside with blanks and look for the pattern in that.

use crate::facts::{SymbolKind, Traits};
use crate::run::{Level, Naming, TestName, pattern, quoted, unique};

/// The flag that names tests.
pub(super) fn select(naming: Naming, tests: &[TestName<'_>]) -> Option<String> {
    if tests.iter().any(|test| test.levels.is_empty()) {
        return Some(String::new());
    }
    let flag = match naming {
        Naming::Titles | Naming::BenchTitles => "-t",
        Naming::GrepTitles => "-g",
        Naming::Whole
        | Naming::Levels
        | Naming::Paths
        | Naming::BenchWhole
        | Naming::BenchPaths
        | Naming::Nodes
        | Naming::Dotted
        | Naming::Classes
        | Naming::Filters => return None,
    };
    let title = |test: &TestName<'_>| title(test, naming.measures());
    let titles = unique(tests.iter().map(title).collect::<Option<Vec<_>>>()?.into_iter());
    Some(format!(" {flag} {}", quoted(&titles.join("|"))))
}

/// The pattern of a test's titles, or of those of all tests in a group. Where benchmarks alone are run, a test has none.
fn title(test: &TestName<'_>, is_measured: bool) -> Option<String> {
    let is_left_out = |level: &Level<'_>| match (is_measured, level.traits.has(Traits::BENCH)) {
        (true, true) => false,
        (true, false) if level.kind == SymbolKind::Test && !level.traits.has(Traits::GROUP) => true,
        _ => level.traits.has(Traits::SKIPPED),
    };
    if test.levels.iter().any(is_left_out) {
        return None;
    }
    // A function that defines tests can be called within any group.
    let (start, inner) = match test.levels.iter().rposition(|level| level.kind != SymbolKind::Test) {
        Some(at) => ("(^| )", &test.levels[at + 1..]),
        None => ("^", &test.levels[..]),
    };
    let last = inner.last()?;
    let titles: Vec<String> = inner
        .iter()
        .map(|level| {
            let title = if level.traits.has(Traits::TEMPLATE) { template(level.name) } else { pattern(level.name, hidden) };
            if level.traits.has(Traits::UNTITLED) { format!(".* {title}") } else { title }
        })
        .collect();
    let end = if last.traits.has(Traits::GROUP) { " " } else { "$" };
    Some(format!("{start}{}{end}", titles.join(" ")))
}

/// The pattern of a title with holes: `${code}`, `%s` and its like, `$name`, `$#`.
fn template(title: &str) -> String {
    let mut found = String::new();
    let mut rest = title;
    while let Some(at) = rest.find(['$', '%']) {
        let (before, hole) = rest.split_at(at);
        found.push_str(&pattern(before, hidden));
        let end = hole_end(hole);
        found.push_str(if end > 0 { ".*" } else { r"\" });
        // A mark that opens no hole stands for itself; `%` needs no escape and takes none amiss.
        let end = if end > 0 {
            end
        } else {
            found.push_str(&hole[..1]);
            1
        };
        rest = &hole[end..];
    }
    found + &pattern(rest, hidden)
}

/// The number of bytes of the hole at the start of a text.
fn hole_end(text: &str) -> usize {
    let name_end = |text: &str| text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some('%'), Some(c)) if "sdifjopOc#$%".contains(c) => 2,
        (Some('$'), Some('#')) => 2,
        (Some('$'), Some('{')) => {
            let mut depth = 0_usize;
            let end = text.char_indices().find(|(_, c)| {
                depth += usize::from(*c == '{');
                let ends = *c == '}' && depth == 1;
                depth -= usize::from(*c == '}' && depth > 0);
                ends
            });
            end.map_or(text.len(), |(at, _)| at + 1)
        }
        (Some('$'), Some(c)) if c.is_alphabetic() || c == '_' => 1 + name_end(&text[1..]),
        _ => 0,
    }
}

/// A character that cannot be seen, in the units that patterns count in.
fn hidden(c: char) -> String {
    let mut units = [0; 2];
    c.encode_utf16(&mut units).iter().map(|unit| format!(r"\u{unit:04x}")).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(name: &str, traits: Traits) -> Level<'_> {
        Level { name, kind: SymbolKind::Test, traits, n_before: 0 }
    }

    fn selected(levels: &[Level<'_>]) -> String {
        let test = TestName { module: "", levels: levels.to_vec() };
        select(Naming::Titles, &[test]).unwrap_or_else(|| "none".to_owned())
    }

    #[test]
    fn a_test_is_named_by_all_of_its_titles_and_a_group_by_their_start() {
        let (group, test) = (level("login", Traits::GROUP), level("works", Traits::TEST));
        assert_eq!(selected(&[test]), " -t '^works$'");
        assert_eq!(selected(&[group, test]), " -t '^login works$'");
        assert_eq!(selected(&[group]), " -t '^login '");
        assert_eq!(selected(&[]), "");
        let skipped = level("later", Traits::SKIPPED);
        assert_eq!(selected(&[group, skipped]), "none");
        let inner = level("works", Traits(Traits::TEST.0 | Traits::UNTITLED.0));
        assert_eq!(selected(&[group, inner]), " -t '^login .* works$'");
        // Who calls `shared`, and within which group, the file does not say.
        let function = Level { kind: SymbolKind::Function, ..level("shared", Traits::TEST_CODE) };
        assert_eq!(selected(&[group, function, test]), " -t '(^| )works$'");
        let both = [vec![group, test], vec![test], vec![group, test]].map(|levels| TestName { module: "", levels });
        assert_eq!(select(Naming::GrepTitles, &both).as_deref(), Some(" -g '^login works$|^works$'"));
        assert_eq!(select(Naming::Whole, &both), None);
    }

    #[test]
    fn benchmarks_are_named_where_they_alone_are_run() {
        let bench = level("decodes", Traits(Traits::TEST.0 | Traits::SKIPPED.0 | Traits::BENCH.0));
        let (group, test) = (level("tokens", Traits::GROUP), level("works", Traits::TEST));
        let of = |naming, levels: &[Level<'_>]| select(naming, &[TestName { module: "", levels: levels.to_vec() }]);
        assert_eq!(of(Naming::BenchTitles, &[group, bench]).as_deref(), Some(" -t '^tokens decodes$'"));
        assert_eq!(of(Naming::BenchTitles, &[group]).as_deref(), Some(" -t '^tokens '"));
        assert_eq!(of(Naming::BenchTitles, &[]).as_deref(), Some(""));
        assert_eq!(of(Naming::Titles, &[group, bench]), None);
        let skipped = level("later", Traits(Traits::TEST.0 | Traits::SKIPPED.0));
        assert_eq!(of(Naming::BenchTitles, &[group, skipped]), None);
        assert_eq!(of(Naming::BenchTitles, &[test]), None);
    }

    #[test]
    fn titles_are_texts_of_strangers() {
        let of = |title: &str| selected(&[level(title, Traits::TEST)]);
        assert_eq!(of("isn't (empty) [a|b]? $(rm -rf ~) `id`"), r" -t '^isn'\''t \(empty\) \[a\|b\]\? \$\(rm -rf ~\) `id`$'");
        assert_eq!(of("a\nb\u{202e}\u{200b}"), r" -t '^a\u000ab\u202e\u200b$'");
        assert_eq!(of("größe → 😀"), r" -t '^größe \u2192 \ud83d\ude00$'");
        assert_eq!(of("100% ${x} %s"), r" -t '^100% \$\{x\} %s$'");
    }

    #[test]
    fn what_is_filled_in_at_run_time_matches_anything() {
        let of = |title: &str| selected(&[level(title, Traits::TEMPLATE)]);
        assert_eq!(of("adds %i and $b.c to ${sum({ a })}."), r" -t '^adds .* and .* to .*\.$'");
        assert_eq!(of("$# costs 5$ or 3 %"), r" -t '^.* costs 5\$ or 3 \%$'");
        assert_eq!(of("open ${x"), " -t '^open .*$'");
    }
}
