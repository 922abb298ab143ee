//! Passages of one file under one header and between one pair of fences, with a short line for each gap.

use super::super::pieces::{Block, Entry, Piece};
use redact::{PacketWriter, Safe, Trust};
use tokens::Tokens;

/// The line for what is left out between two passages. With numbers before every line of code, no line of a file can be taken for it.
const GAP: &str = "...\n";
/// An upper bound for its tokens.
pub(super) const GAP_TOKENS: Tokens = Tokens(2);

/// An upper bound for the tokens of these entries, which stand file by file in the order of their lines.
pub(super) fn tokens(entries: &[Entry]) -> Tokens {
    let of_file = |file: &[Entry]| {
        let block = header_of(file).map_or(0, |block| block.tokens.0);
        let mut next = 0;
        let passages = file.iter().map(|entry| {
            let (openings, _) = openings(entry, &mut next);
            entry.tokens() + GAP_TOKENS + openings.map(|(.., tokens)| *tokens + GAP_TOKENS).sum()
        });
        Tokens(block) + passages.sum()
    };
    files(entries).map(of_file).sum()
}

/// The lines around a passage that are shown before it, behind the line `next`, and where it begins; `next` is the line behind it then.
fn openings<'e>(entry: &'e Entry, next: &mut u32) -> (impl Iterator<Item = &'e (u32, Safe, Tokens)> + use<'e>, u32) {
    let (first, last) = entry.lines().unwrap_or_default();
    let from = std::mem::replace(next, last + 1);
    let openings = entry.block.as_ref().map(|block| block.openings.as_slice()).unwrap_or_default();
    (openings.iter().filter(move |(line, ..)| *line >= from && *line < first), first)
}

/// What stands above the passages of a file: what is said of the one that enters first.
fn header_of(file: &[Entry]) -> Option<&Block> {
    file.iter().min_by_key(|entry| entry.turn).and_then(|entry| entry.block.as_ref())
}

/// Appends entries to a text: all passages between one pair of fences, where lines have numbers and none can pass for a header; else each file
/// between its own.
pub(super) fn write(entries: &[Entry], writer: &mut PacketWriter) {
    let is_numbered = entries.iter().filter_map(|entry| entry.block.as_ref()).all(|block| block.is_numbered);
    let mut open: Option<Trust> = None;
    for file in files(entries) {
        let Some(block) = header_of(file) else {
            // What is not a passage, such as a summary, is shown as it is.
            for entry in file {
                entry.write(writer);
            }
            continue;
        };
        let lines = || file.iter().filter_map(Entry::lines);
        let openings = file.first().into_iter().flat_map(|entry| openings(entry, &mut 0).0).map(|(line, ..)| *line);
        let first = lines().map(|(first, _)| first).chain(openings).min().unwrap_or_default();
        let last = lines().map(|(_, last)| last).max().unwrap_or_default();
        let pieces = [&block.path, &Safe::number(first), &Safe::number(last), &block.reason];
        let header = Safe::format("{}:{}-{} ({})", &pieces);
        if open.is_some_and(|trust| !is_numbered || trust != block.trust) {
            writer.close_fence();
            open = None;
        }
        if !is_numbered {
            writer.line(&header);
        }
        if open.is_none() {
            writer.open_fence(block.trust);
            open = Some(block.trust);
        }
        if is_numbered {
            writer.line(&header);
        }
        let (mut next, mut behind) = (0, 0);
        for entry in file {
            write_passage(entry, &mut next, behind, writer);
            // Where all of a passage is shown, the blank lines behind it are known to be that.
            behind = entry.block.as_ref().filter(|_| !entry.is_shrunk()).map_or(0, |block| block.whole.1 + 1);
        }
    }
    if open.is_some() {
        writer.close_fence();
    }
}

/// Appends one passage; `next` is the line behind the last one that is shown, 0 before the first, and `behind` the first that is not of the passage
/// before.
fn write_passage(entry: &Entry, next: &mut u32, behind: u32, writer: &mut PacketWriter) {
    let mut at = *next;
    let (openings, first) = openings(entry, next);
    for (line, text, _) in openings {
        gap(at, *line, writer);
        writer.more(text);
        at = line + 1;
    }
    let is_next = behind > 0 && entry.block.as_ref().is_some_and(|block| block.whole.0 == behind) && first - at <= GAP_TOKENS.0;
    if is_next {
        (at..first).for_each(|_| writer.more(&Safe::fixed("\n")));
    } else {
        gap(at, first, writer);
    }
    for piece in entry.pieces() {
        if let Piece::Fenced(_, text) = piece {
            writer.more(text);
        }
    }
}

fn gap(next: u32, line: u32, writer: &mut PacketWriter) {
    if next > 0 && line > next {
        writer.more(&Safe::fixed(GAP));
    }
}

/// The entries of each file.
fn files(entries: &[Entry]) -> impl Iterator<Item = &[Entry]> {
    entries.chunk_by(|one, other| one.block.is_some() && other.block.is_some() && one.about.path == other.about.path)
}
