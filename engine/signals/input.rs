//! A text from a tool, read within bounds: its beginning, to recognise it, then line by line or as a whole.
//!
//! Decodes UTF-8 and UTF-16, takes terminal colours out. Must not know formats.

use crate::context::redact::ansi::strip;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;

/// Bytes at the beginning by which a format is recognised: reports begin with what they are, after a few lines of a script at most.
const HEAD_BYTES: usize = 64 << 10;
/// The most bytes of one line; the rest of it is left out. Messages of compilers with all their notes have a few thousand.
const MAX_LINE_BYTES: usize = 4 << 20;
/// The most bytes of a text of lines: logs of whole test runs have a few million.
const MAX_TEXT_BYTES: u64 = 256 << 20;
/// The most bytes of one document, which is held in memory: linters that repeat the sources in their reports reach some ten million.
const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// The beginning of a text.
#[derive(Debug)]
pub(super) struct Head {
    /// Decoded, without terminal colours.
    pub(super) text: String,
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
    reader: Box<dyn BufRead + 'r>,
    head: Head,
    n_lines: u32,
    n_bytes: u64,
    /// Whether something was left out for its size: what, and from which line on.
    cut: Option<(u32, &'static str)>,
    error: Option<io::Error>,
}

impl Head {
    /// The first line that begins with one of these characters, and all behind it: reports of scripts stand below lines of other programs.
    pub(super) fn from_line_with(&self, starts: &[char]) -> Option<&str> {
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            if line.trim_start().starts_with(starts) {
                return self.text.get(at..);
            }
            at += line.len();
        }
        None
    }
}

impl<'r> Input<'r> {
    /// Begins to read.
    pub(super) fn new(source: &'r mut dyn Read) -> io::Result<Self> {
        let mut head = Vec::new();
        source.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        let wide: Option<fn([u8; 2]) -> u16> = match head.as_slice() {
            [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
            [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
            _ => None,
        };
        let mut cut = None;
        let reader: Box<dyn BufRead + 'r> = if let Some(unit) = wide {
            let mut bytes = head.split_off(2);
            source.take(MAX_DOCUMENT_BYTES).read_to_end(&mut bytes)?;
            if bytes.len() as u64 >= MAX_DOCUMENT_BYTES {
                cut = Some((1, "the text is longer than is read"));
            }
            let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
            let text: String = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            head = text.as_bytes()[..text.floor_char_boundary(HEAD_BYTES)].to_vec();
            Box::new(Cursor::new(text))
        } else {
            let start = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            head.drain(..start);
            Box::new(BufReader::new(Cursor::new(head.clone()).chain(source)))
        };
        let text = strip(&String::from_utf8_lossy(&head)).into_owned();
        Ok(Self { reader, head: Head { text }, n_lines: 0, n_bytes: 0, cut, error: None })
    }

    /// The beginning, read or not.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// The next line. What a progress bar overwrote is not there.
    pub(super) fn line(&mut self) -> Option<Line> {
        let mut bytes = Vec::new();
        let is_whole = self.read_line(&mut bytes)?;
        self.n_lines = self.n_lines.saturating_add(1);
        if !is_whole {
            self.cut.get_or_insert((self.n_lines, "the line is longer than is read"));
        }
        while bytes.last().is_some_and(|last| matches!(last, b'\n' | b'\r')) {
            bytes.pop();
        }
        let visible = bytes.rsplit(|byte| *byte == b'\r').next().unwrap_or_default();
        let text = strip(&String::from_utf8_lossy(visible)).into_owned();
        Some(Line { text, number: self.n_lines })
    }

    /// Reads up to a line feed; whether all of the line was kept. Nothing at the end.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Option<bool> {
        if self.n_bytes >= MAX_TEXT_BYTES || self.error.is_some() {
            self.cut.get_or_insert((self.n_lines, "the text is longer than is read"));
            return None;
        }
        let (mut n_read, mut is_whole) = (0, true);
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            };
            let end = buffer.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE_BYTES.saturating_sub(bytes.len());
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            is_whole &= part.len() <= room;
            let n_part = part.len();
            self.reader.consume(n_part);
            n_read += n_part;
            if end.is_some() || n_part == 0 || self.n_bytes + n_read as u64 > MAX_TEXT_BYTES {
                break;
            }
        }
        self.n_bytes += n_read as u64;
        (n_read > 0).then_some(is_whole)
    }

    /// All that is left, decoded; terminal colours stay, since in JSON they are escaped and concern single texts.
    pub(super) fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        if let Err(error) = (&mut self.reader).take(MAX_DOCUMENT_BYTES + 1).read_to_end(&mut bytes) {
            self.error = Some(error);
        }
        if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
            bytes.truncate(MAX_DOCUMENT_BYTES as usize);
            self.cut.get_or_insert((self.n_lines + 1, "the text is longer than is read"));
        }
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
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
