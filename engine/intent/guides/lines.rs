//! Lines of files for programs, and sentences of texts for people: each within bounds.

use crate::shapes::beginning;
use std::borrow::Cow;
use std::iter::Enumerate;
use std::str::Lines;

/// Bytes of a line that are looked at: what is written by hand is shorter.
const MAX_LINE_BYTES: usize = 4 << 10;

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 5] = ["e.g.", "i.e.", "etc.", "vs.", "cf."];

/// The least part of a text, of four, that a sentence must fill to be shown without the next.
const LEAST_PART: usize = 4;

/// The lines of a text with their numbers from 1, where a backslash at the end of a line joins it with the next.
pub(super) fn joined(text: &str) -> Joined<'_> {
    Joined(text.lines().enumerate())
}

pub(super) struct Joined<'t>(Enumerate<Lines<'t>>);

impl<'t> Iterator for Joined<'t> {
    type Item = (u32, Cow<'t, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let (place, first) = self.0.next()?;
        let number = place as u32 + 1;
        let Some(first) = first.strip_suffix('\\') else {
            return Some((number, Cow::Borrowed(beginning(first, MAX_LINE_BYTES))));
        };
        let mut line = beginning(first, MAX_LINE_BYTES).to_owned();
        for (_, next) in self.0.by_ref() {
            let (part, goes_on) = next.strip_suffix('\\').map_or((next, false), |part| (part, true));
            line.push(' ');
            line.push_str(beginning(part.trim_start(), MAX_LINE_BYTES.saturating_sub(line.len())));
            if !goes_on {
                break;
            }
        }
        Some((number, Cow::Owned(line)))
    }
}

/// What the comment directly above a line says; empty where there is none. `line` counts from 1.
pub(super) fn comment_above(lines: &[&str], line: u32) -> String {
    let above = lines.get(..(line as usize).saturating_sub(1)).unwrap_or_default();
    let comment: Vec<&str> = above.iter().rev().map_while(|line| line.trim().strip_prefix('#')).collect();
    said(comment.into_iter().rev())
}

/// What the lines of a comment say, without what draws lines; empty for a comment that says nothing.
pub(super) fn said<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let is_ornament = |c: char| c.is_whitespace() || matches!(c, '#' | '-' | '=' | '*' | '~' | '_' | '!' | '/');
    let lines = lines.map(|line| line.trim_start_matches(is_ornament).trim_end_matches(['#', '-', '=', '*', '~', ' ']));
    let lines: Vec<&str> = lines.filter(|line| line.contains(char::is_alphanumeric)).collect();
    #[cfg(test)]
    work::add(lines.iter().map(|line| line.len()).sum());
    lines.join(" ")
}

/// A text with single spaces, no longer than so many characters: cut behind a sentence, else behind a word.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let start = &text[..end];
    let sentence = start.rmatch_indices(". ").find(|(at, _)| ends_sentence(start, *at)).map(|(at, _)| at + 1);
    if let Some(end) = sentence.filter(|end| *end >= most / LEAST_PART) {
        return text[..end].to_owned();
    }
    let word = start.rfind(' ').unwrap_or(end);
    format!("{}…", start[..word].trim_end_matches([',', ';', ':', '(', '`', ' ']))
}

/// Whether the full stop at a place ends a sentence.
fn ends_sentence(text: &str, at: usize) -> bool {
    !ABBREVIATIONS.iter().any(|abbreviation| text[..=at].ends_with(abbreviation))
}
