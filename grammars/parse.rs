//! Bytes to a syntax tree within limits, and the tree to facts.

use crate::facts::{FileFacts, Limit, NoteKind, Traits, Zone, ZoneKind};
use crate::passages::passages_of_text;
use crate::{Language, Level, facts::Note, lower, meter};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser};

/// Largest file that is parsed, in bytes.
pub const MAX_PARSE_BYTES: usize = 8 << 20;

/// Most words and signs of a file that is parsed: each takes 150 to 250 bytes of memory in the worst grammar (measured 2026-11-24), and no
/// file of kubernetes or TypeScript that people wrote has more than 410,000.
pub(crate) const MAX_PARSE_TOKENS: usize = 500_000;

/// Most definitions of a file that are kept; a file with more is a table. Bindings of system libraries have some ten thousand.
const MAX_SYMBOLS: usize = 50_000;

/// Deepest node that facts are taken from. Real code stays below a few hundred; nesting beyond this is data or an attack.
pub const MAX_DEPTH: usize = 1_000;

/// Parser callbacks a file may use in any case. tree-sitter calls back every hundred steps or so.
const CALLBACKS_FREE: usize = 5_000;

/// Further callbacks for each byte. Real source needs less than 0.06, junk that stays in error recovery a hundred times that.
const CALLBACKS_PER_BYTE: f64 = 0.1;

/// Bytes that the parser may ask for in any case, for each byte of the file, and at most. Of 74,000 files of kubernetes, TypeScript and Rust's
/// crates five need more, which are logs; none that people wrote needs more than 250 a byte, and none 150 MB (measured 2026-11-24).
const MEMORY_FREE: u64 = 1 << 20;
const MEMORY_PER_BYTE: u64 = 300;
const MAX_MEMORY: u64 = 400 << 20;

/// Bytes handed to the parser at a time, and how many it may read in any case and for each byte of the file: a string that never closes is read
/// to the end and again from its next sign. Real source is read 2.6 times at most, in pieces of this size.
const PIECE: usize = 4 << 10;
const READ_FREE: u64 = 1 << 20;
const READ_PER_BYTE: u64 = 16;

/// What a file yields.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Facts, worth keeping.
    pub facts: FileFacts,
    /// Stretches of comments, literals and defining names, in order, for the text index.
    pub zones: Vec<Zone>,
}

/// Extracts facts from one file of `language`. Never fails: what cannot be read is stated in [`FileFacts::limit`] and the diagnostics.
pub fn extract(language: &Language, path: &str, source: &[u8]) -> Extracted {
    let n_lines =
        source.iter().filter(|byte| **byte == b'\n').count() + usize::from(source.last().is_some_and(|byte| *byte != b'\n'));
    let unread = |limit| Extracted {
        facts: FileFacts {
            n_lines: n_lines as u32,
            limit: Some(limit),
            passages: passages_of_text(&String::from_utf8_lossy(source)),
            ..FileFacts::default()
        },
        zones: Vec::new(),
    };
    if source.len() > MAX_PARSE_BYTES || has_more_tokens(source, MAX_PARSE_TOKENS) {
        return unread(Limit::Size);
    }
    let Ok(text) = std::str::from_utf8(source) else { return unread(Limit::Encoding) };
    if (language.reading.has_too_many_readings)(text) {
        return unread(Limit::Work);
    }
    let holds_tests = (language.is_test_path)(path) || (language.is_bench_path)(path);
    let file = lower::Text { path, source: text, written: text, test_file: holds_tests, n_lines: n_lines as u32 };
    let read = match language.reading.words {
        Some(words) => Ok(crate::named::words::read(language, words, &file)),
        None => by_grammar(language, &file),
    };
    let mut extracted = match read {
        Ok(extracted) => extracted,
        Err(limit) => return unread(limit),
    };
    if extracted.facts.symbols.len() > MAX_SYMBOLS {
        return unread(Limit::Size);
    }
    if (language.reading.is_left_out)(path, text) {
        extracted.facts.symbols.iter_mut().for_each(|symbol| symbol.traits.add(Traits::OTHER_BUILD));
    }
    if let Some(flag) = language.test_flag.and_then(|flag| flag(text)) {
        extracted.facts.test_flag = Some(extracted.facts.names.push(&flag));
    }
    extracted.facts.runs_program = runs_program(language, text, &extracted.zones);
    if let Some(line) = generated_line(language, text) {
        extracted.facts.notes.insert(0, Note { kind: NoteKind::Generated, symbol: None, line });
    }
    let sources = crate::routes::sources(text);
    if !sources.is_empty() {
        extracted.facts.web.get_or_insert_default().sources = sources;
    }
    extracted
}

/// The text with the macros opened that pass items on, byte for byte in the same place; none where there are none, as in every language but Rust.
pub fn opened_text(language: &Language, path: &str, text: &str) -> Option<String> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let tree = parse(language, extension, text.as_bytes())?;
    Some(opened(language, extension, text, &tree)?.0)
}

fn opened(language: &Language, extension: &str, text: &str, tree: &tree_sitter::Tree) -> Option<(String, tree_sitter::Tree)> {
    let opened = (language.reading.opened)(text, tree, &|part: &[u8]| parse(language, extension, part))?;
    let opened = String::from_utf8(opened).ok()?;
    let other = parse(language, extension, opened.as_bytes()).filter(|other| n_errors(other) <= n_errors(tree))?;
    Some((opened, other))
}

/// What the grammar makes of a text.
fn by_grammar(language: &Language, file: &lower::Text<'_>) -> Result<Extracted, Limit> {
    let text = file.source;
    let extension = file.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let table = language.table(extension).map_err(|_| Limit::Encoding)?;
    let mut tree = parse(language, extension, text.as_bytes()).ok_or(Limit::Work)?;
    if tree.root_node().has_error()
        && let Some(mended) = mended(language, text)
        && let Some(other) = parse(language, extension, &mended)
        && damage(language, &other) < damage(language, &tree)
    {
        tree = other;
    }
    if let Some((opened, tree)) = opened(language, extension, text, &tree) {
        return Ok(lower::lower(language, table, &tree, &lower::Text { source: &opened, ..*file }));
    }
    Ok(lower::lower(language, table, &tree, file))
}

/// Whether a text has more words and signs than so many.
fn has_more_tokens(source: &[u8], most: usize) -> bool {
    if source.len() <= most {
        return false;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128;
    let mut n_tokens = 0;
    let mut was_word = false;
    for byte in source {
        let is_word = is_word(*byte);
        n_tokens += usize::from(is_word && !was_word || !is_word && !byte.is_ascii_whitespace());
        was_word = is_word;
    }
    n_tokens > most
}

/// The text with separators where the grammar wants them and without what it does not understand, byte for byte in the same place; none where
/// there is nothing to mend.
fn mended(language: &Language, text: &str) -> Option<Vec<u8>> {
    let places = (language.reading.missing_separators)(text);
    let unread = (language.reading.unread)(text);
    let mut mended = text.as_bytes().to_vec();
    for place in &places {
        mended[*place] = b';';
    }
    for range in &unread {
        let stretch = mended.get_mut(range.clone()).unwrap_or_default();
        stretch.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    (!places.is_empty() || !unread.is_empty()).then_some(mended)
}

/// How much of a tree is broken: where what is left out may be much, by how much of the text is not understood.
fn damage(language: &Language, tree: &tree_sitter::Tree) -> (usize, usize) {
    let n_errors = n_errors(tree);
    (if language.level() == Level::ByName { n_broken_bytes(tree) } else { 0 }, n_errors)
}

/// How many bytes stand in errors.
fn n_broken_bytes(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut n_bytes = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            n_bytes += node.byte_range().len();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return n_bytes;
            }
        }
    }
}

fn n_errors(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut n_errors = 0;
    loop {
        let node = cursor.node();
        n_errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return n_errors;
            }
        }
    }
}

fn parse(language: &Language, extension: &str, source: &[u8]) -> Option<tree_sitter::Tree> {
    let mut parser = Parser::new();
    parser.set_language(&(language.grammar)(extension)).ok()?;
    let n_bytes = source.len() as u64;
    let mut callbacks_left = CALLBACKS_FREE + (source.len() as f64 * CALLBACKS_PER_BYTE) as usize;
    let most_memory = (MEMORY_FREE + n_bytes * MEMORY_PER_BYTE).min(MAX_MEMORY);
    let before = meter::asked();
    let bytes_left = Cell::new(READ_FREE + n_bytes * READ_PER_BYTE);
    let mut progress = |_: &tree_sitter::ParseState| {
        callbacks_left = callbacks_left.saturating_sub(1);
        let is_over = callbacks_left == 0 || bytes_left.get() == 0 || meter::asked() - before > most_memory;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| {
        // Whoever read too much finds the end of the file until the parser gives up.
        let rest = if bytes_left.get() == 0 { &[] } else { source.get(at..).unwrap_or_default() };
        let piece = &rest[..rest.len().min(PIECE)];
        bytes_left.set(bytes_left.get().saturating_sub(piece.len() as u64));
        piece
    };
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.filter(|_| bytes_left.get() > 0)
}

fn runs_program(language: &Language, text: &str, zones: &[Zone]) -> bool {
    // Zones are in order and none lies in another: a file can have as many marks as comments.
    let is_comment = |at: usize| {
        let is_before = |zone: &Zone| {
            #[cfg(test)]
            work::add(1);
            zone.end as usize <= at
        };
        let around = zones.get(zones.partition_point(is_before));
        around.is_some_and(|zone| zone.start as usize <= at && zone.kind == ZoneKind::Comment)
    };
    language.reading.program_marks.iter().any(|mark| text.match_indices(mark).any(|(at, _)| !is_comment(at)))
}

/// Number of lines at the top in which a mark of generated code counts.
const GENERATED_HEAD_LINES: usize = 40;

fn generated_line(language: &Language, text: &str) -> Option<u32> {
    let lines = text.lines().take(GENERATED_HEAD_LINES).enumerate();
    let is_comment = |line: &str| matches!(line.trim_start().as_bytes().first(), Some(b'/' | b'*' | b'#'));
    let marked = |line: &str| language.reading.generated_marks.iter().any(|mark| line.contains(mark));
    lines.filter(|(_, line)| is_comment(line) && marked(line)).map(|(index, _)| index as u32 + 1).next()
}
