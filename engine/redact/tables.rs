//! Finds values in columns whose head is a secret name: tables of Markdown, files of comma-separated values, rows that SQL inserts.

use super::judge::{How, is_secret};
use super::literal::{closed, line_end, literal_at};
use super::name::{self, Class};
use super::span::MaskSpan;
use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::LazyLock;

const KIND: &str = "assigned-secret";

/// Columns of a table, and characters of a head.
const MAX_COLUMNS: usize = 64;
const MAX_HEAD: usize = 48;
/// Rows that are read below a head.
const MAX_ROWS: usize = 10_000;

/// Adds the values below secret names in the tables of `text`.
pub(super) fn find(file: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.eq_ignore_ascii_case("csv") || extension.eq_ignore_ascii_case("tsv") {
        let end = line_end(text, 0, text.len());
        let head = &text[..end];
        let count = |mark: u8| head.iter().filter(|b| **b == mark).count();
        let mark = [b'\t', b';', b','].into_iter().max_by_key(|mark| count(*mark)).unwrap_or(b',');
        rows(text, 0, end + 1, mark, spans);
        return;
    }
    inserts(text, spans);
    asciidoc(text, spans);
    // The line below the head of a Markdown table has dashes and bars alone.
    let mut from = 0;
    while let Some(at) = find_rule(text, from) {
        let head_end = at.saturating_sub(1);
        let head = text[..head_end].iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1);
        let end = line_end(text, at, text.len());
        // What stands below is a row of this table, up to the next head.
        from = rows(text, head, end + 1, b'|', spans).max(end);
    }
}

/// The line that opens and closes a table.
const ADOC_MARK: &[u8] = b"|===";

/// Adds the values of `AsciiDoc`'s tables, which stand between lines of `|===` and have their head in the first row.
fn asciidoc(text: &[u8], spans: &mut Vec<MaskSpan>) {
    let mut from = 0;
    while let Some(length) = memchr::memmem::find(&text[from..], ADOC_MARK) {
        let at = from + length;
        from = line_end(text, at, text.len());
        if at == 0 || text[at - 1] == b'\n' {
            let head = (from + 1).min(text.len());
            let mut row = line_end(text, head, text.len()) + 1;
            // A blank line parts the head from the rows.
            while row < text.len() && matches!(text[row], b'\n' | b'\r') {
                row += 1;
            }
            from = rows(text, head, row, b'|', spans).max(from).min(text.len());
            // What closes this table opens none.
            from += ADOC_MARK.len() * usize::from(text[from..].starts_with(ADOC_MARK));
        }
    }
}

/// Columns and the start of rows of a statement of SQL.
static INSERT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\binsert\s{1,4}into\s{1,4}[^\s(]{1,128}\s{0,4}\(([^()]{1,2000})\)\s{0,8}values\s{0,8}";
    RegexBuilder::new(pattern).unicode(false).build().expect("a short pattern")
});
/// As people write it; a search without regard to case takes as long as all others together.
static INSERT_WORD: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(["insert into", "INSERT INTO", "Insert into", "Insert Into"]).expect("a few short patterns")
});

/// Adds the values that are put into secret columns of a database.
fn inserts(text: &[u8], spans: &mut Vec<MaskSpan>) {
    if INSERT_WORD.find(text).is_none() {
        return;
    }
    for groups in INSERT.captures_iter(text) {
        let (Some(whole), Some(columns)) = (groups.get(0), groups.get(1)) else { continue };
        let names = columns.as_bytes().split(|b| *b == b',');
        let classes: Vec<Option<Class>> = names.map(|name| name::class(name.trim_ascii())).collect();
        if classes.len() > MAX_COLUMNS || classes.iter().all(Option::is_none) {
            continue;
        }
        let space = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let mut at = whole.end();
        for _ in 0..MAX_ROWS {
            let Some(end) = inserted(text, at, &classes, spans) else { break };
            let comma = end + space(end);
            if text.get(comma) != Some(&b',') {
                break;
            }
            at = comma + 1 + space(comma + 1);
        }
    }
}

/// Bytes of one value in SQL.
const MAX_CELL: usize = 8 << 10;

/// Adds the secrets of one row between round brackets; where it ends.
fn inserted(text: &[u8], at: usize, classes: &[Option<Class>], spans: &mut Vec<MaskSpan>) -> Option<usize> {
    #[cfg(test)]
    work::add(1);
    let mut at = (text.get(at) == Some(&b'(')).then_some(at + 1)?;
    for (number, class) in classes.iter().enumerate() {
        at += text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let limit = text.len().min(at + MAX_CELL);
        if let Some((quote, length)) = literal_at(text, at) {
            let (end, after) = closed(text, at + length, limit, quote)?;
            if class.is_some_and(|class| is_secret(&text[at + length..end], class, How::Literal)) {
                spans.push(MaskSpan { start: at + length, end, kind: KIND });
            }
            at = after;
        }
        at += text[at..limit.max(at)].iter().position(|b| matches!(b, b',' | b')'))?;
        let is_last = number + 1 == classes.len();
        if (text[at] == b')') != is_last {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Where the next line begins that parts the head of a Markdown table from its rows.
fn find_rule(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from.min(text.len());
    while let Some(length) = memchr::memmem::find(&text[at..], b"---") {
        let start = text[..at + length].iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1);
        let end = line_end(text, at + length, text.len());
        if start > 0 && is_rule(&text[start..end]) {
            return Some(start);
        }
        at = end;
    }
    None
}

/// Whether a line parts the head of a Markdown table from its rows.
fn is_rule(line: &[u8]) -> bool {
    line.contains(&b'|') && line.contains(&b'-') && line.iter().all(|b| matches!(b, b'-' | b'|' | b':' | b' ' | b'\t' | b'\r'))
}

/// Adds the values of the rows from `at` on, in columns whose head promises one; where the rows end that were read.
fn rows(text: &[u8], head: usize, at: usize, mark: u8, spans: &mut Vec<MaskSpan>) -> usize {
    let heads = cells(text, head, line_end(text, head, text.len()), mark);
    let class = |cell: &Range<usize>| {
        let name = text[cell.clone()].iter().copied().map(|b| if b == b' ' { b'_' } else { b }).collect::<Vec<u8>>();
        name::class(&name).filter(|_| name.len() <= MAX_HEAD && !matches!(name.first(), None | Some(b'0'..=b'9')))
    };
    let wanted: Vec<(usize, Class)> =
        heads.iter().enumerate().filter_map(|(column, cell)| Some((column, class(cell)?))).collect();
    if wanted.is_empty() {
        return at;
    }
    let mut from = at;
    for _ in 0..MAX_ROWS {
        let end = line_end(text, from, text.len());
        if from >= text.len() || text[from..end].trim_ascii().is_empty() || mark == b'|' && !text[from..end].contains(&mark) {
            break;
        }
        if mark == b'|' && text[from..end].starts_with(ADOC_MARK) {
            break;
        }
        // The head of the next table.
        if mark == b'|' && is_rule(&text[(end + 1).min(text.len())..line_end(text, end + 1, text.len())]) {
            break;
        }
        let row = cells(text, from, end, mark);
        for (column, class) in &wanted {
            let Some(cell) = row.get(*column).filter(|_| row.len() == heads.len()) else { continue };
            // A column of descriptions has the same head.
            let how = if mark == b'|' { How::Flag } else { How::Literal };
            let class = if *class == Class::WeakToken { Class::Token } else { *class };
            if is_secret(&text[cell.clone()], class, how) {
                spans.push(MaskSpan { start: cell.start, end: cell.end, kind: KIND });
            }
        }
        from = end + 1;
    }
    from.min(text.len())
}

/// The cells of a line without blanks, quotes and backticks around them.
fn cells(text: &[u8], start: usize, end: usize, mark: u8) -> Vec<Range<usize>> {
    #[cfg(test)]
    work::add(end - start);
    let mut cells = Vec::new();
    let (mut from, mut is_quoted) = (start, false);
    for at in start..=end {
        if mark != b'|' && at < end && text[at] == b'"' {
            is_quoted = !is_quoted;
        }
        let ends = at == end || text[at] == mark && !is_quoted && (at == start || text[at - 1] != b'\\');
        if ends && cells.len() < MAX_COLUMNS {
            let mut cell = from..at;
            let is_edge = |b: u8| matches!(b, b' ' | b'\t' | b'\r' | b'"' | b'`' | b'*' | b'\'');
            while cell.start < cell.end && is_edge(text[cell.start]) {
                cell.start += 1;
            }
            while cell.start < cell.end && is_edge(text[cell.end - 1]) {
                cell.end -= 1;
            }
            cells.push(cell);
            from = at + 1;
        }
    }
    cells
}
