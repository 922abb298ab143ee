//! The few things that a plan's Markdown is read for: sections, tables and lists, as lines of the text they stand in.

use std::ops::Range;

/// Level of headings that are no heading but a line in bold, or one that ends with a colon: below every other.
const LINE_LEVEL: usize = 7;

/// The lines below a heading, up to the next one that is not below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section<'a> {
    /// What the heading says.
    pub(super) title: &'a str,
    /// Number of its line, from 0.
    pub(super) heading: usize,
    /// How deep it is, from 1.
    pub(super) level: usize,
    /// Numbers of the lines below it, from 0.
    pub(super) body: Range<usize>,
}

/// The lines that are code and no Markdown: those of fences, with the fences.
pub(super) fn fenced(lines: &[&str]) -> Vec<bool> {
    let mut fence: Option<&str> = None;
    let is_fenced = |line: &&str| {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (open, _) => return open.is_some(),
        }
        true
    };
    lines.iter().map(is_fenced).collect()
}

/// Level and title of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.get(level..)?;
    ((1..LINE_LEVEL).contains(&level) && title.starts_with([' ', '\t']))
        .then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// Level and title of a heading, or of a line that stands for one: `**Title:**` or `Title:`.
fn label(line: &str) -> Option<(usize, &str)> {
    let bold = || {
        let title = line.trim().strip_prefix("**")?;
        let (title, rest) = title.split_once("**")?;
        rest.trim_matches(':').trim().is_empty().then_some(title)
    };
    let plain = || line.strip_suffix(':').filter(|title| title.starts_with(char::is_alphabetic));
    heading(line).or_else(|| bold().or_else(plain).map(|title| (LINE_LEVEL, title.trim_end_matches(':').trim())))
}

/// Whether a line is used as a heading without being marked as one.
pub(super) fn is_label(line: &str) -> bool {
    label(line).is_some_and(|(level, _)| level == LINE_LEVEL)
}

/// The sections of a text, in its order; one that is below another stands in both.
pub(super) fn sections<'a>(lines: &[&'a str]) -> Vec<Section<'a>> {
    let code = fenced(lines);
    let is_text = |at: &usize| !code.get(*at).copied().unwrap_or_default();
    let heads: Vec<(usize, usize, &str)> = (0..lines.len())
        .filter(is_text)
        .filter_map(|at| lines.get(at).and_then(|line| label(line)).map(|(level, title)| (at, level, title)))
        .collect();
    let section = |(number, (at, level, title)): (usize, &(usize, usize, &'a str))| {
        let end = heads.iter().skip(number + 1).find(|(_, other, _)| other <= level).map_or(lines.len(), |(end, _, _)| *end);
        Section { title, heading: *at, level: *level, body: at + 1..end }
    };
    heads.iter().enumerate().map(section).collect()
}

/// The first section whose title holds these words, in any case.
pub(super) fn section<'a>(lines: &[&'a str], words: &str) -> Option<Section<'a>> {
    let words = words.to_lowercase();
    sections(lines).into_iter().find(|section| section.title.to_lowercase().contains(&words))
}

/// Whether a line is one of a table.
pub(super) fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a row of a table is the line below its head.
pub(super) fn is_rule(line: &str) -> bool {
    is_row(line) && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// The cells of a row, trimmed.
pub(super) fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim().trim_start_matches('|');
    inner.strip_suffix('|').unwrap_or(inner).split('|').map(str::trim).collect()
}

/// The lines of the first table in a range.
pub(super) fn table(lines: &[&str], within: Range<usize>) -> Option<Range<usize>> {
    let is_row_at = |at: &usize| lines.get(*at).is_some_and(|line| is_row(line));
    let start = within.clone().find(is_row_at)?;
    let end = (start..within.end).find(|at| !is_row_at(at)).unwrap_or(within.end);
    Some(start..end)
}

/// What stands behind the mark of an item of a list.
pub(super) fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let behind = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        line.get(digits..).filter(|_| digits > 0)?.strip_prefix(['.', ')'])
    })?;
    behind.starts_with([' ', '\t']).then(|| behind.trim())
}

/// How far a line is indented.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Plan\n\n## Boundaries\n\n**DO NOT CHANGE:**\n- a\n\n**DO NOT:**\n- b\n\n```\n# no heading\n```\n## Next #\n| A | B |\n|---|:-:|\n| 1 | 2 |\n";

    #[test]
    fn sections_end_with_the_next_that_is_not_below_them() {
        let lines: Vec<&str> = TEXT.lines().collect();
        let found: Vec<(&str, Range<usize>)> =
            sections(&lines).into_iter().map(|section| (section.title, section.body)).collect();
        let expected = [("Plan", 1..17), ("Boundaries", 3..13), ("DO NOT CHANGE", 5..7), ("DO NOT", 8..13), ("Next", 14..17)];
        assert_eq!(found, expected);
        assert_eq!(section(&lines, "do not change").map(|section| section.heading), Some(4));
        assert_eq!(table(&lines, 0..17), Some(14..17));
        assert!(is_rule(lines[15]) && !is_rule(lines[14]));
        assert_eq!(cells(lines[16]), ["1", "2"]);
        assert_eq!(["- a", "12) b", "*c", "  + d", "1 e"].map(item), [Some("a"), Some("b"), None, Some("d"), None]);
    }
}
