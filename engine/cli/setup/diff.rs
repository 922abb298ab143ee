//! The change of a file as a unified diff of one hunk.

use std::fmt::Write as _;
use std::ops::Range;

/// Lines around what changes.
const CONTEXT: usize = 3;
/// The most characters of a line that are shown: settings may stand in a single line of megabytes.
const MAX_CHARS: usize = 300;

/// What changes in a file of this name; a text that is not there is a file that is not there.
pub(super) fn unified(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    let head = |text: Option<&str>, side: &str| text.map_or_else(|| "/dev/null".to_owned(), |_| format!("{side}{name}"));
    let mut diff = format!("--- {}\n+++ {}\n", head(old, ""), head(new, ""));
    let lines = |text: Option<&str>| text.unwrap_or_default().split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let first = start.saturating_sub(CONTEXT);
    let (gone, come) = (start..old.len() - end, start..new.len() - end);
    let after = end.min(CONTEXT);
    let range = |changed: &Range<usize>| {
        let n_lines = changed.end + after - first;
        format!("{},{n_lines}", if n_lines == 0 { first } else { first + 1 })
    };
    let _ = writeln!(diff, "@@ -{} +{} @@", range(&gone), range(&come));
    // Where both sides are one long line, what differs is shown.
    let from = old[gone.clone()]
        .first()
        .zip(new[come.clone()].first())
        .map_or(0, |(old, new)| old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count());
    let mut add = |sign: char, lines: &[String], from: usize| {
        for line in lines {
            let text = line.trim_end_matches(['\n', '\r']);
            let _ = writeln!(diff, "{sign}{}", window(text, from));
            if !line.ends_with('\n') {
                diff.push_str("\\ No newline at end of file\n");
            }
        }
    };
    add(' ', &old[first..start], 0);
    add('-', &old[gone.clone()], from);
    add('+', &new[come], from);
    add(' ', &old[gone.end..gone.end + after], 0);
    diff
}

/// A line, or the part of a long one around a character.
fn window(line: &str, from: usize) -> String {
    let n_chars = line.chars().count();
    if n_chars <= MAX_CHARS {
        return line.to_owned();
    }
    let start = from.saturating_sub(MAX_CHARS / 4).min(n_chars);
    let shown: String = line.chars().skip(start).take(MAX_CHARS).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + MAX_CHARS < n_chars { "…" } else { "" };
    format!("{before}{shown}{after}")
}
