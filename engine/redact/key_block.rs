//! Finds private key blocks: PEM, SSH, PGP and `PuTTY`, line by line.
//!
//! Reads keys as they stand in real files: indented, quoted, in a diff, with `\n` on one line, cut off before their end.

use super::span::MaskSpan;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

const KIND: &str = "private-key";

/// The longest block read: an RSA key of 16,384 bits has 200 lines, a PGP key with signatures a thousand.
const MAX_LINES: usize = 2_000;
/// A run of base64 that hardly a word of prose or code reaches; lines of a key are 64 or more long, the last is shorter.
const MIN_RUN: usize = 40;
/// Lines of a static key are hexadecimal, 32 characters each.
const MIN_HEX_RUN: usize = 32;
/// The header may be this long: `-----BEGIN PGP PRIVATE KEY BLOCK-----` has 37.
const MAX_HEADER: usize = 64;

/// `BEGIN` finds a block of any maker, the rest are the lines of a `PuTTY` file that hold the key.
static MARKERS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(["---- BEGIN ", "-----BEGIN ", "Private-Lines:", "-----END ", "---- END "]).expect("five short patterns")
});
const PUTTY: usize = 2;

/// Adds the blocks of `text`.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    let mut done = 0;
    // Up to where nothing is looked for: past a block; for `PuTTY` also to the end of a line with nothing below it, whatever else it holds.
    let mut done_putty = 0;
    for found in MARKERS.find_iter(text) {
        let is_putty = found.pattern().as_usize() == PUTTY;
        let is_footer = found.pattern().as_usize() > PUTTY;
        if found.start() < if is_putty { done_putty.max(done) } else { done } {
            continue;
        }
        if is_footer {
            if let Some(start) = tail_start(text, found.start(), found.end(), done) {
                let line = Lines::from(text, found.start()).next().map_or(text.len(), |line| line.end);
                spans.push(MaskSpan { start, end: found.start() + footer_end(&text[found.start()..line], 0), kind: KIND });
            }
            done = found.end();
            continue;
        }
        let end = if is_putty {
            let line = Lines::from(text, found.end()).next().map_or(text.len(), |line| line.end);
            done_putty = line;
            putty_end(text, line)
        } else {
            block_end(text, found.end())
        };
        if let Some(end) = end {
            spans.push(MaskSpan { start: found.start(), end, kind: KIND });
            done = end;
        }
    }
}

/// Where the block whose `BEGIN ` ends at `begin` ends, if it is a private key with a body.
fn block_end(text: &[u8], begin: usize) -> Option<usize> {
    let rest = &text[begin..];
    let window = &rest[..rest.len().min(MAX_HEADER)];
    let dashes = position(window, b"----")?;
    let is_static = position(&window[..dashes], b"Static key").is_some();
    if !is_static {
        position(&window[..dashes], b"PRIVATE KEY")?;
    }
    let min_run = if is_static { MIN_HEX_RUN } else { MIN_RUN };
    let body = begin + dashes + window[dashes..].iter().take_while(|b| **b == b'-').count();
    // Nothing is read past the next header: a line of nothing but headers is read once, not once a header.
    let mut limit = position(&text[body..], b"BEGIN ").map_or(text.len(), |next| body + next);
    while limit > body && limit < text.len() && matches!(text[limit - 1], b'-' | b' ') {
        limit -= 1;
    }
    let text = &text[..limit];
    let mut end = None; // of the last line that certainly belongs to the key
    let mut seen_key = false;
    let mut foreign = 0;
    for (n_lines, line) in Lines::from(text, body).take(MAX_LINES).enumerate() {
        let bytes = &text[line.start..line.end];
        if let Some(at) = position(bytes, b"---- END ").or_else(|| position(bytes, b"-----END ")) {
            seen_key |= longest_run(&bytes[..at]) >= min_run;
            // A footer far below belongs to the header only if what lies between is a key.
            return (seen_key && foreign * 2 <= n_lines).then(|| line.start + footer_end(bytes, at)).or(end);
        }
        match content(bytes, line.start == body, min_run) {
            Content::Key => {
                seen_key = true;
                if foreign == 0 {
                    end = Some(line.start + bytes.trim_ascii_end().len());
                }
            }
            // Short or empty lines and headers stand before, within and at the end of a key; they extend it only once there is one.
            Content::Either if seen_key && foreign == 0 && !bytes.trim_ascii().is_empty() => {
                end = Some(line.start + bytes.trim_ascii_end().len());
            }
            Content::Either => {}
            Content::Foreign => foreign += 1,
        }
    }
    end
}

/// Stands for a line of a key.
pub const KEY_LINE: &str = "[REDACTED:private-key]";

/// Which of some lines, without whatever stands around them, can be those of a key: two or more of nothing but base64 as wide as those of
/// keys, and the shorter one below them.
pub fn key_lines(lines: &[&str]) -> Vec<bool> {
    let width = |line: &&str| {
        let bare = trim(line.as_bytes());
        if bare.iter().all(|b| is_base64(*b)) { bare.len() } else { 0 }
    };
    let widths: Vec<usize> = lines.iter().map(width).collect();
    let mut are_key = Vec::with_capacity(lines.len());
    for run in widths.chunk_by(|above, below| *above >= MIN_RUN && *below > 0) {
        let is_key = run.iter().filter(|width| **width >= MIN_RUN).count() > 1;
        are_key.extend(run.iter().map(|_| is_key));
    }
    are_key
}

/// Behind the closing dashes of a footer that starts at `at`.
fn footer_end(line: &[u8], at: usize) -> usize {
    let name = at + line[at..].iter().take_while(|b| matches!(b, b'-' | b' ')).count();
    let close = position(&line[name..], b"----").map_or(line.len(), |close| name + close);
    close + line[close..].iter().take_while(|b| **b == b'-').count()
}

/// Where the key lines begin above a footer whose header is missing: a text can be cut in the middle of a key.
fn tail_start(text: &[u8], footer: usize, name: usize, done: usize) -> Option<usize> {
    let window = &text[name..text.len().min(name + MAX_HEADER)];
    position(&window[..position(window, b"----")?], b"PRIVATE KEY")?;
    let mut start = None;
    let mut at = text[..footer].iter().rposition(|b| *b == b'\n')?;
    for _ in 0..MAX_LINES {
        if at < done {
            break;
        }
        let from = text[done..at].iter().rposition(|b| *b == b'\n').map_or(done, |feed| done + feed + 1);
        let line = &text[from..at];
        let is_first = start.is_none();
        let is_key = !line.trim_ascii().is_empty() && matches!(content(line, false, MIN_RUN), Content::Key)
            || is_first && matches!(content(line, false, MIN_RUN), Content::Either);
        if !is_key {
            break;
        }
        start = Some(from + (line.len() - line.trim_ascii_start().len()));
        if from <= done {
            break;
        }
        at = from - 1;
    }
    start.filter(|start| longest_run(&text[*start..footer]) >= MIN_RUN)
}

enum Content {
    Key,
    Either,
    Foreign,
}

/// What a line inside a block is: a line of key, something that can stand in a block, or neither.
fn content(line: &[u8], is_header_line: bool, min_run: usize) -> Content {
    let bare = trim(line);
    // A log or a search result puts its own words before the line.
    let last_word = bare.rsplit(|b| *b == b' ').next().unwrap_or(bare);
    if longest_run(if is_header_line { bare } else { last_word }) >= min_run {
        return Content::Key;
    }
    let is_field = bare.iter().position(|b| *b == b':').is_some_and(|colon| {
        bare[..colon].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-') && bare.get(colon + 1) == Some(&b' ')
    });
    let is_armor = is_field && FIELDS.iter().any(|field| bare.starts_with(field));
    if bare.iter().all(|b| is_base64(*b) || *b == b'\\') || is_armor { Content::Either } else { Content::Foreign }
}

/// Fields that may stand between the header and the key.
const FIELDS: [&[u8]; 7] = [b"Proc-Type", b"DEK-Info", b"Version", b"Comment", b"Hash", b"Charset", b"MessageID"];

/// Strips what surrounds a line of key in YAML, diffs, comments and string literals.
fn trim(line: &[u8]) -> &[u8] {
    let is_trim =
        |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'`' | b',' | b';' | b'|' | b'>' | b'*' | b'#' | b'-' | b')');
    let start = line.iter().position(|b| !is_trim(b)).unwrap_or(line.len());
    let end = line.iter().rposition(|b| !is_trim(b)).map_or(start, |last| last + 1);
    let mut bare = &line[start..end];
    // `"…\n" +`: the operator and the written line end.
    for tail in [&b"+"[..], b" ", b"\"", b"'", b"\\", b"\\n", b"\\r"] {
        bare = bare.strip_suffix(tail).unwrap_or(bare);
    }
    bare.strip_prefix(b"+").unwrap_or(bare).trim_ascii()
}

/// Length of the longest run of base64.
fn longest_run(bytes: &[u8]) -> usize {
    bytes.split(|b| !is_base64(*b)).map(<[u8]>::len).max().unwrap_or(0)
}

fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// The end of the key lines of a `PuTTY` file, with the checksum below them; `at` is the end of the line of `Private-Lines:`.
fn putty_end(text: &[u8], at: usize) -> Option<usize> {
    let mut end = None;
    for line in Lines::from(text, at).skip(1).take(MAX_LINES) {
        let bytes = trim(&text[line.start..line.end]);
        let is_key = !bytes.is_empty() && bytes.iter().all(|b| is_base64(*b));
        if is_key || bytes.starts_with(b"Private-MAC") {
            end = Some(line.start + text[line.start..line.end].trim_ascii_end().len());
        }
        if !is_key {
            break;
        }
    }
    end
}

/// Ranges of lines from a byte on, without their line feeds. The first may be part of a line.
struct Lines<'a> {
    text: &'a [u8],
    at: Option<usize>,
}

impl<'a> Lines<'a> {
    fn from(text: &'a [u8], at: usize) -> Self {
        Self { text, at: Some(at) }
    }
}

impl Iterator for Lines<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at?;
        let feed = self.text[start..].iter().position(|b| *b == b'\n').map(|length| start + length);
        #[cfg(test)]
        work::add(feed.unwrap_or(self.text.len()) - start);
        self.at = feed.map(|feed| feed + 1);
        Some(start..feed.unwrap_or(self.text.len()))
    }
}

fn position(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let found = haystack.windows(needle.len()).position(|window| window == needle);
    #[cfg(test)]
    work::add(found.unwrap_or(haystack.len()));
    found
}
