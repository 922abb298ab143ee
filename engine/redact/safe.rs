//! Text that may leave: the pieces a packet is made of, each redacted and escaped by its constructor.
//!
//! There is no other way to make a [`Safe`], so nothing else can reach a packet: of what strangers wrote only a [`Masker`] makes one, which holds
//! the secrets that are known.

use super::mask::{apply, masks_in};
use super::masker::Masker;
use super::redactor::Redactor;
use super::span::MaskSpan;
use super::{ansi, escape, rounds};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// Characters shown of a long line: generated and minified lines say nothing more after these.
const MAX_LINE: usize = 400;

/// Redacted and escaped text.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Safe(String);

/// A whole file's text after redaction: lines are taken from it, never from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    text: String,
    /// Byte at which each line starts, and the length of the text.
    starts: Vec<usize>,
}

/// What to do with a line of more than 400 characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLines {
    /// Cut it and say how many characters are missing.
    Cut,
    /// Show all of it.
    Whole,
}

impl Redacted {
    /// Masks spans that were found in the same bytes.
    pub(super) fn masked(bytes: &[u8], spans: &[MaskSpan]) -> Self {
        let text =
            if spans.is_empty() { escape::utf8(bytes).into_owned() } else { escape::utf8(&apply(bytes, spans)).into_owned() };
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    /// The redacted text, not escaped: to search, to count, to compare. What is shown goes through [`Safe::code`].
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Hash of the redacted text: that of the file where nothing is masked in it and it is UTF-8.
    pub fn hash(&self) -> u128 {
        xxhash_rust::xxh3::xxh3_128(self.text.as_bytes())
    }

    /// Number of lines; a last line need not end in a line feed.
    pub fn n_lines(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// One line, counted from one, without its line feed; empty where there is none.
    pub fn line(&self, line: u32) -> &str {
        self.lines(&(line..=line)).trim_end_matches(['\n', '\r'])
    }

    /// The text of lines counted from one, both ends included; lines that do not exist are left out.
    fn lines(&self, lines: &RangeInclusive<u32>) -> &str {
        let last = self.starts.len() - 1;
        let from = (lines.start().saturating_sub(1) as usize).min(last);
        let to = (*lines.end() as usize).clamp(from, last);
        &self.text[self.starts[from]..self.starts[to]]
    }
}

/// From what strangers wrote to what may leave.
impl Masker {
    /// A file: finds and masks its secrets. `name` as for [`by_rules::find`](super::by_rules::find).
    pub fn file(&self, name: &str, bytes: &[u8]) -> Redacted {
        Redacted::masked(bytes, &Redactor::active().find(self.known(), name, bytes))
    }

    /// A file in whose text [`by_rules::find`](super::by_rules::find) finds nothing: exactly what [`Self::file`] gives, without looking for that
    /// again.
    pub fn plain_file(&self, name: &str, bytes: &[u8]) -> Redacted {
        if rounds::holds(bytes, self.known()) { self.file(name, bytes) } else { Redacted::masked(bytes, &[]) }
    }

    /// A name: a path, a symbol, a branch, an author. One line, every hidden character visible.
    pub fn name(&self, name: &str) -> Safe {
        Safe(escape::name(&self.text("", name)).into_owned())
    }

    /// One line of a message: a commit subject, a diagnostic. Terminal sequences go, line ends turn to spaces.
    pub fn line(&self, message: &str) -> Safe {
        let plain = ansi::strip(message);
        let masked = self.text("", &plain);
        let words: Vec<&str> = masked.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect();
        Safe(cut(&escape::text(&words.join(" ").replace('\t', " "))).into_owned())
    }

    /// A message of several lines: a commit body, a log, the output of a test. For [`super::PacketWriter::fenced`].
    pub fn message(&self, message: &str) -> Safe {
        let plain = ansi::strip(message);
        Safe(escape::text(&self.text("", &plain)).split_inclusive('\n').map(cut).collect())
    }

    /// How many masks of each kind stand in texts that are going to leave. Looks for no secrets but in the names of the kinds.
    pub fn count_masks<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> BTreeMap<Safe, u32> {
        let mut counts = BTreeMap::new();
        for text in texts {
            for mask in masks_in(text.as_bytes()) {
                let kind = text.get(mask).and_then(|mask| mask.split_once(':')?.1.strip_suffix(']')).unwrap_or_default();
                *counts.entry(self.name(kind)).or_insert(0) += 1;
            }
        }
        counts
    }
}

impl Safe {
    /// Our own words.
    pub fn fixed(words: &'static str) -> Self {
        Self(words.to_owned())
    }

    /// Lines of a file, counted from one, both ends included, each with its line feed.
    pub fn code(file: &Redacted, lines: RangeInclusive<u32>, long: LongLines) -> Self {
        let code = file.lines(&lines);
        // A byte order mark says something about the file and nothing about its text.
        let code = if *lines.start() <= 1 { code.strip_prefix('\u{feff}').unwrap_or(code) } else { code };
        let code = escape::text(code);
        Self(if long == LongLines::Cut { code.split_inclusive('\n').map(cut).collect() } else { code.into_owned() })
    }

    /// The same with a gutter: the number of the first line and of every line that `every` divides, then a blank before the text of each line.
    /// No line begins as one of ours does.
    pub fn numbered(file: &Redacted, lines: RangeInclusive<u32>, long: LongLines, every: u32) -> Self {
        let first = *lines.start();
        let mut text = String::new();
        let code = Self::code(file, lines.clone(), long);
        for (line, number) in code.0.split_inclusive('\n').zip(lines) {
            if number == first || number.is_multiple_of(every.max(1)) {
                text.push_str(&number.to_string());
            }
            if !line.trim().is_empty() {
                text.push(' ');
                text.push_str(line);
            } else if line.ends_with('\n') {
                text.push('\n');
            }
        }
        Self(text)
    }

    /// A whole number.
    pub fn number(number: impl Into<i64>) -> Self {
        Self(number.into().to_string())
    }

    /// A hash of ours, in 16 hexadecimal digits.
    pub fn hash(hash: u64) -> Self {
        Self(format!("{hash:016x}"))
    }

    /// A number of thousandths as points, without trailing zeros: `66500` is `66.5`.
    pub fn thousandths(thousandths: i64) -> Self {
        let sign = if thousandths < 0 { "-" } else { "" };
        let number = thousandths.unsigned_abs();
        let text = format!("{sign}{}.{:03}", number / 1000, number % 1000);
        Self(text.trim_end_matches('0').trim_end_matches('.').to_owned())
    }

    /// Our own sentence with a piece for each `{}` in it, in order; a `{}` without a piece stays empty, a piece too many is left out.
    pub fn format(sentence: &'static str, pieces: &[&Safe]) -> Self {
        let mut pieces = pieces.iter();
        let mut parts = sentence.split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text.push_str(pieces.next().map_or("", |piece| piece.as_str()));
            text.push_str(part);
        }
        Self(text)
    }

    /// The pieces with our own words between them.
    pub fn join<'a>(pieces: impl IntoIterator<Item = &'a Safe>, between: &'static str) -> Self {
        Self(pieces.into_iter().map(Safe::as_str).collect::<Vec<_>>().join(between))
    }

    /// Appends a piece.
    pub fn push(&mut self, piece: &Safe) {
        self.0.push_str(&piece.0);
    }

    /// Its lines, each by itself.
    pub fn lines(&self) -> impl Iterator<Item = Self> + '_ {
        self.0.lines().map(|line| Self(line.to_owned()))
    }

    /// The text without white space around it.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        Self(self.0.trim().to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Safe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Cuts a line with its line feed at 400 characters and says how many are missing.
fn cut(line: &str) -> Cow<'_, str> {
    if line.len() <= MAX_LINE {
        return Cow::Borrowed(line);
    }
    let text = line.strip_suffix('\n').unwrap_or(line);
    let Some((at, _)) = text.char_indices().nth(MAX_LINE) else { return Cow::Borrowed(line) };
    let n_missing = text[at..].chars().count();
    Cow::Owned(format!("{}… [{n_missing} more characters]{}", &text[..at], &line[text.len()..]))
}

#[cfg(test)]
mod tests {
    use super::Masker;

    #[test]
    fn masks_are_counted_by_kind() {
        let texts = ["a [REDACTED:jwt] [REDACTED:password]", "[REDACTED:jwt]\n[REDACTED:]", "[REDACTED"];
        let counts = Masker::knowing_nothing().count_masks(texts);
        let counts: Vec<(&str, u32)> = counts.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
        assert_eq!(counts, [("jwt", 2), ("password", 1)]);
    }
}
