//! A text from a tool, read within bounds: line by line, or from some line on as a whole.
//!
//! Decodes UTF-8 and UTF-16, takes terminal colours out.

use redact::ansi::strip;
use std::borrow::Cow;
use std::io::{self, Read};
use std::mem;

/// Bytes that are looked ahead, to recognise a document by its beginning: reports begin with what they are.
pub(super) const HEAD_BYTES: usize = 64 << 10;
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 << 10;
/// The most bytes of one line; the rest of it is left out. Messages of compilers with all their notes have a few thousand.
const MAX_LINE_BYTES: usize = 4 << 20;
/// The most bytes of a text of lines: logs of whole test runs have a few million.
const MAX_TEXT_BYTES: u64 = 256 << 20;
/// The most lines of one, since each costs something even if it is empty.
const MAX_LINES: u32 = 8_000_000;
/// The most bytes of one document, which is held in memory: linters that repeat the sources in their reports reach some ten million.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

/// The most bytes that are given out for documents, each time with all that follows: as many as a hundred of the longest.
pub(super) const MAX_GIVEN_BYTES: u64 = 6 << 30;

/// Why something was left out.
const LONG_LINE: &str = "the line is longer than the limit";
const LONG_TEXT: &str = "the text is longer than the limit";

/// What the bytes of a letter but for its first have in common.
const UTF8_MASK: u8 = 0b1100_0000;
const UTF8_INSIDE: u8 = 0b1000_0000;

/// What stands before UTF-8 where an editor marked it so.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The same before UTF-16, in units of two bytes.
const MARK_UNITS: usize = 1;
/// The bytes in which UTF-16 shows without a mark, and of how many letters one may be none of Latin: what tools write is mostly English.
const WIDE_BYTES: usize = 1 << 10;
const WIDE_PARTS: usize = 4;

/// A text from the beginning of a line on, as far as is looked ahead.
#[derive(Debug)]
pub(super) struct Head {
    /// Decoded, without terminal colours.
    pub(super) text: String,
    /// The names in its JSON object, or in the first of its array of objects, in order; none where it is not JSON.
    pub(super) keys: Vec<String>,
}

/// A line.
#[derive(Debug)]
pub(super) struct Line {
    /// Without its end, decoded, without terminal colours.
    pub(super) text: String,
    /// Its number, from 1.
    pub(super) number: u32,
}

/// A text that is being read.
pub(super) struct Input<'r> {
    source: &'r mut dyn Read,
    is_at_end: bool,
    /// What was read of the source; what stands before `at` was given out.
    bytes: Vec<u8>,
    at: usize,
    /// What stands behind what was given out for a document.
    behind: Vec<u8>,
    n_given: u64,
    n_lines: u32,
    n_bytes: u64,
    is_blank: bool,
    /// Whether something was left out for its size: what, and from which line on.
    cut: Option<(u32, &'static str)>,
    error: Option<io::Error>,
}

impl Head {
    /// Whether the object has all of these.
    pub(super) fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.keys.iter().any(|known| known == key))
    }
}

impl<'r> Input<'r> {
    /// Begins to read.
    pub(super) fn new(source: &'r mut dyn Read) -> Self {
        let mut input = Self {
            source,
            is_at_end: false,
            bytes: Vec::new(),
            at: 0,
            behind: Vec::new(),
            n_given: 0,
            n_lines: 0,
            n_bytes: 0,
            is_blank: true,
            cut: None,
            error: None,
        };
        input.fill(HEAD_BYTES);
        match input.bytes.as_slice() {
            [0xff, 0xfe, ..] => input.narrow(MARK_UNITS, u16::from_le_bytes),
            [0xfe, 0xff, ..] => input.narrow(MARK_UNITS, u16::from_be_bytes),
            bytes if bytes.starts_with(MARK) => input.at = MARK.len(),
            bytes => {
                if let Some(unit) = wide(bytes) {
                    input.narrow(0, unit);
                }
            }
        }
        input
    }

    /// Reads on until so many bytes are there that were not given out, or all.
    fn fill(&mut self, n_wanted: usize) {
        if self.bytes.len() - self.at >= n_wanted || self.is_at_end {
            return;
        }
        self.bytes.drain(..self.at);
        self.at = 0;
        while self.bytes.len() < n_wanted && !self.is_at_end {
            let chunk = MAX_TEXT_BYTES.saturating_sub(self.n_bytes).min(CHUNK_BYTES as u64);
            if chunk == 0 {
                self.cut.get_or_insert((self.n_lines.saturating_add(1), LONG_TEXT));
            }
            match (&mut self.source).take(chunk).read_to_end(&mut self.bytes) {
                Ok(n_read) => {
                    self.n_bytes += n_read as u64;
                    self.is_at_end = n_read == 0;
                }
                Err(error) => {
                    self.is_at_end = true;
                    self.error = Some(error);
                }
            }
        }
    }

    /// Turns what was read, and all that follows, from UTF-16 into UTF-8.
    fn narrow(&mut self, n_marks: usize, unit: fn([u8; 2]) -> u16) {
        self.fill_document();
        let units = self.bytes.chunks_exact(2).skip(n_marks).map(|pair| unit([pair[0], pair[1]]));
        let text: String = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        self.bytes = text.into_bytes();
    }

    /// Reads as much as a document may be long, and leaves out what follows.
    fn fill_document(&mut self) {
        self.fill(MAX_DOCUMENT_BYTES + 1);
        if self.bytes.len() - self.at > MAX_DOCUMENT_BYTES {
            self.cut.get_or_insert((self.n_lines.saturating_add(1), LONG_TEXT));
            self.bytes.truncate(self.at + MAX_DOCUMENT_BYTES);
            self.is_at_end = true;
        }
    }

    /// What stands ahead, without giving it out: as many bytes as are looked at to recognise a document, or all that there are.
    fn ahead(&mut self) -> &[u8] {
        self.fill(HEAD_BYTES);
        let ahead = self.bytes.get(self.at..).unwrap_or_default();
        &ahead[..ahead.len().min(HEAD_BYTES)]
    }

    /// With what the next line begins.
    pub(super) fn next_byte(&mut self) -> Option<u8> {
        self.ahead().first().copied()
    }

    /// The next line, if it ends within what is looked ahead, without giving it out.
    pub(super) fn line_ahead(&mut self) -> Option<String> {
        let ahead = self.ahead();
        end_of_line(ahead).map(|end| visible(&ahead[..end]))
    }

    /// The next line and what follows, as many bytes as are asked for and looked ahead, without giving it out.
    pub(super) fn text_ahead(&mut self, n_bytes: usize) -> String {
        let ahead = self.ahead();
        visible(&ahead[..ahead.len().min(n_bytes)])
    }

    /// The next line. What a progress bar overwrote is not there.
    pub(super) fn line(&mut self) -> Option<Line> {
        let n_ahead = self.ahead().len();
        if n_ahead == 0 {
            return None;
        }
        if self.n_lines >= MAX_LINES {
            self.cut.get_or_insert((self.n_lines, LONG_TEXT));
            return None;
        }
        self.n_lines += 1;
        let mut n_looked = 0;
        let end = loop {
            let left = self.bytes.get(self.at..).unwrap_or_default();
            match end_of_line(&left[n_looked..]) {
                Some(end) => break n_looked + end,
                None if left.len() > MAX_LINE_BYTES || self.is_at_end => break left.len(),
                None => n_looked = left.len(),
            }
            self.fill(n_looked + CHUNK_BYTES);
        };
        let is_whole = end <= MAX_LINE_BYTES;
        let bytes = &self.bytes[self.at..self.at + end.min(MAX_LINE_BYTES)];
        let end_of_text = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        let bytes = &bytes[..end_of_text];
        let overwritten = bytes.iter().rposition(|byte| *byte == b'\r').map_or(0, |last| last + 1);
        let text = visible(&bytes[overwritten..]);
        self.is_blank &= is_whole && text.trim().is_empty();
        self.at += end;
        if !is_whole {
            self.cut.get_or_insert((self.n_lines, LONG_LINE));
            self.skip_line();
        }
        Some(Line { text, number: self.n_lines })
    }

    /// Leaves out the rest of a line that is too long.
    fn skip_line(&mut self) {
        while self.bytes.get(self.at.wrapping_sub(1)) != Some(&b'\n') {
            self.fill(CHUNK_BYTES);
            let left = &self.bytes[self.at..];
            if left.is_empty() {
                return;
            }
            self.at += end_of_line(left).unwrap_or(left.len());
        }
    }

    /// All that is left, decoded; terminal colours stay, since in JSON they are escaped and concern single texts.
    pub(super) fn rest(&mut self) -> String {
        self.fill(MAX_DOCUMENT_BYTES + 1);
        if self.bytes.len() - self.at > MAX_DOCUMENT_BYTES {
            let is_inside = |at: &usize| self.bytes.get(*at).is_some_and(|byte| byte & UTF8_MASK == UTF8_INSIDE);
            let most = self.at + MAX_DOCUMENT_BYTES;
            let end = (self.at..=most).rev().find(|at| !is_inside(at)).unwrap_or(most);
            self.behind = self.bytes.split_off(end);
        }
        self.is_blank = false;
        self.n_given += (self.bytes.len() - self.at) as u64;
        #[cfg(test)]
        work::add(self.bytes.len() - self.at);
        let mut bytes = mem::take(&mut self.bytes);
        bytes.drain(..mem::take(&mut self.at));
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Gives back what follows a document in the text that `rest` gave out: whoever comes next reads on from there.
    pub(super) fn give_back(&mut self, text: String, from: usize) {
        self.bytes = text.into_bytes();
        self.at = from.min(self.bytes.len());
        let mut behind = mem::take(&mut self.behind);
        if self.at < self.bytes.len() {
            self.bytes.append(&mut behind);
        } else if !behind.is_empty() {
            // The document is longer: nobody knows where it ends.
            self.cut.get_or_insert((self.n_lines.saturating_add(1), LONG_TEXT));
            self.is_at_end = true;
        }
        let n_lines = self.bytes[..self.at].iter().filter(|byte| **byte == b'\n').count();
        self.n_lines = self.n_lines.saturating_add(n_lines as u32);
    }

    /// Whether a further document can be given out.
    pub(super) fn has_room(&self) -> bool {
        self.n_given <= MAX_GIVEN_BYTES
    }

    /// How many lines were read.
    pub(super) fn n_lines(&self) -> u32 {
        self.n_lines
    }

    /// Whether what was read of the text says nothing, as tools do that find nothing.
    pub(super) fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// What was left out for its size, and where.
    pub(super) fn cut(&self) -> Option<(u32, &'static str)> {
        self.cut
    }

    /// Why reading ended early, if the source failed.
    pub(super) fn error(&mut self) -> Option<io::Error> {
        mem::take(&mut self.error)
    }
}

/// How the beginning of a text is written in UTF-16 without a mark, if it is: one byte of nearly each letter is zero, always the same one, and
/// the other is not.
fn wide(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    let pairs = bytes[..bytes.len().min(WIDE_BYTES)].chunks_exact(2);
    let n_pairs = pairs.len();
    let (n_first, n_second) =
        pairs.fold((0, 0), |(first, second), pair| (first + usize::from(pair[0] == 0), second + usize::from(pair[1] == 0)));
    let is_most = |n_zeros: usize| n_zeros * WIDE_PARTS > n_pairs * (WIDE_PARTS - 1);
    match (n_first, n_second) {
        (0, zeros) if is_most(zeros) => Some(u16::from_le_bytes),
        (zeros, 0) if is_most(zeros) => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Behind the first line feed.
fn end_of_line(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1)
}

/// What a terminal shows of some bytes.
fn visible(bytes: &[u8]) -> String {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => strip(text).into_owned(),
        Cow::Owned(text) => strip(&text).into_owned(),
    }
}
