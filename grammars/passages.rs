//! Where a file is cut into passages: definitions, and runs of whole statements where a definition is long.
//!
//! The borders are those of the syntax tree; where there is none, those of blank lines and indentation. Every line is in one passage.

use crate::facts::{FileFacts, SymbolKind, Traits};

/// The most lines of a definition that stays in one passage. Nine in ten functions are shorter.
const MAX_WHOLE: u32 = 36;

/// The lines of a run of statements, at most: about what one screen shows.
const MAX_RUN: u32 = 22;

/// The most lines of a definition that joins its neighbours: constants, fields, one-line functions.
const MAX_SMALL: u32 = 3;

/// Columns that a tab stands for where indentation is compared.
const TAB: u32 = 4;

/// The line begins in the middle of something.
const INSIDE: u16 = u16::MAX;
/// Nothing is known of the line yet.
const UNKNOWN: u16 = u16::MAX - 1;

/// How deep in the tree that lies which begins each line.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// By row: the depth of the outermost node that begins there as the first on its line, [`INSIDE`] or [`UNKNOWN`].
    of_row: Vec<u16>,
    /// By row: whether a comment or an attribute ends on the row before, which belongs to what follows.
    is_below: Vec<bool>,
}

impl Levels {
    /// For a text of so many rows.
    pub(crate) fn new(n_rows: usize) -> Self {
        Self { of_row: vec![UNKNOWN; n_rows], is_below: vec![false; n_rows + 1] }
    }

    /// Notes a node that begins at (row, column) of a source and lies this deep. Outer nodes come first.
    pub(crate) fn begin(&mut self, source: &[u8], start: usize, (row, column): (usize, usize), depth: usize) {
        // Nodes of a row come from left to right: only the first of them can be the first on its line.
        if self.of_row.get(row) == Some(&UNKNOWN) {
            let line = source.get(start.saturating_sub(column)..start).unwrap_or_default();
            let is_first = line.iter().all(u8::is_ascii_whitespace);
            self.of_row[row] = if is_first { depth.min(usize::from(UNKNOWN - 1)) as u16 } else { INSIDE };
        }
    }

    /// Notes that what stands above something else ends in this row.
    pub(crate) fn end_above(&mut self, row: usize) {
        if let Some(is_below) = self.is_below.get_mut(row + 1) {
            *is_below = true;
        }
    }

    /// The levels of a text without a tree: its indentation, a line below a blank one before others.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut levels = Self::new(text.lines().count());
        let mut is_free = true;
        for (row, line) in text.lines().enumerate() {
            let rest = line.trim_start();
            let indent: u32 = line[..line.len() - rest.len()].bytes().map(|byte| if byte == b'\t' { TAB } else { 1 }).sum();
            if !rest.is_empty() && !rest.starts_with([')', ']', '}']) {
                levels.of_row[row] = (2 * indent + u32::from(!is_free)).min(u32::from(UNKNOWN - 1)) as u16;
            }
            is_free = rest.is_empty();
        }
        levels
    }

    /// The level of a line, from 1, at which a passage may begin.
    fn cut(&self, line: u32) -> Option<u16> {
        let row = line as usize - 1;
        let level = self.of_row.get(row).copied().filter(|level| *level < UNKNOWN)?;
        (!self.is_below[row]).then_some(level)
    }

    /// Adds the first lines of the passages of `from..=to`: runs of whole statements.
    fn runs(&self, from: u32, to: u32, out: &mut Vec<u32>) {
        let mut pieces = Vec::new();
        self.pieces(from, to, &mut pieces);
        let mut start = from;
        let ends = pieces.iter().skip(1).copied().chain([to.saturating_add(1)]);
        out.push(from);
        for (piece, end) in pieces.iter().copied().zip(ends) {
            // What is short and stands before or behind a long piece is not a passage of its own.
            let is_short = end > to && end - piece <= MAX_RUN / 3 || piece - start <= MAX_SMALL;
            if end - start > MAX_RUN && piece > start && !(is_short && end - start <= MAX_RUN + MAX_RUN / 2) {
                out.push(piece);
                start = piece;
            }
        }
    }

    /// Adds the first lines of pieces of at most [`MAX_RUN`] lines, cut as far out in the tree as possible.
    fn pieces(&self, from: u32, to: u32, out: &mut Vec<u32>) {
        // The ranges that are still to be cut, the next one last. Each is shorter than the one it comes from, and cuts are as many as lines.
        let mut left = vec![(from, to)];
        while let Some((from, to)) = left.pop() {
            let inside = from.saturating_add(1)..=to;
            let level = (to - from >= MAX_RUN).then(|| inside.clone().filter_map(|line| self.cut(line)).min());
            let mut starts = vec![from];
            match level {
                // Short enough.
                None => out.push(from),
                // One long literal or comment, or what no grammar could read.
                Some(None) => out.extend((from..=to).step_by(MAX_RUN as usize)),
                Some(Some(level)) => {
                    starts.extend(inside.filter(|line| self.cut(*line) == Some(level)));
                    let ends = starts.iter().skip(1).map(|next| next - 1).chain([to]);
                    let ranges: Vec<(u32, u32)> = starts.iter().copied().zip(ends).collect();
                    left.extend(ranges.into_iter().rev());
                }
            }
        }
    }
}

/// The first lines of the passages of a file with a tree.
pub(crate) fn passages(facts: &FileFacts, levels: &Levels) -> Vec<u32> {
    let n_lines = facts.n_lines;
    let mut wholes: Vec<(u32, u32)> = facts
        .symbols
        .iter()
        .filter(|symbol| !symbol.traits.has(Traits::NESTED) || symbol.kind == SymbolKind::Test)
        .filter(|symbol| symbol.kind != SymbolKind::Module && symbol.lines.1 <= n_lines)
        .map(|symbol| (symbol.doc_line.clamp(1, symbol.lines.0.max(1)), symbol.lines.1))
        .filter(|(first, last)| last.saturating_sub(*first) >= MAX_SMALL)
        .collect();
    wholes.sort_unstable_by_key(|(first, last)| (*first, std::cmp::Reverse(*last)));
    wholes.dedup();
    // What holds another definition is shown by its parts.
    let holds = |at: usize| wholes.get(at + 1).is_some_and(|next| next.0 <= wholes[at].1);
    let leaves: Vec<(u32, u32)> = (0..wholes.len()).filter(|at| !holds(*at)).map(|at| wholes[at]).collect();
    let mut out = Vec::new();
    let mut next = 1;
    let begins = |lines: std::ops::RangeInclusive<u32>| lines.into_iter().any(|line| levels.cut(line).is_some());
    for (first, last) in leaves {
        // Code on one line with the end of what stands before.
        let first = first.max(next);
        if last < first {
            continue;
        }
        let between = next..=first - 1;
        // Brackets and blank lines belong to what stands above; the line that opens what holds a definition is not a passage of its own.
        let is_closing = !out.is_empty() && !begins(between.clone());
        let is_opening = first - next <= MAX_SMALL;
        let first = if !is_closing && is_opening { next } else { first };
        if first > next && !is_closing {
            levels.runs(next, first - 1, &mut out);
        }
        if last - first < MAX_WHOLE {
            out.push(first);
        } else {
            levels.runs(first, last, &mut out);
        }
        next = last + 1;
    }
    if next <= n_lines && (out.is_empty() || begins(next..=n_lines)) {
        levels.runs(next, n_lines, &mut out);
    }
    out
}

/// The first lines of the passages of a text of which no tree is known.
pub fn passages_of_text(text: &str) -> Vec<u32> {
    let n_lines = text.lines().count() as u32;
    let mut out = Vec::new();
    if n_lines > 0 {
        Levels::of_text(text).runs(1, n_lines, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::passages_of_text;

    /// The passages of a source, each as its first and last line.
    fn ranges(path: &str, source: &str) -> Vec<(u32, u32)> {
        let firsts = match crate::language_of(path) {
            Some((_, language)) => crate::extract(language, path, source.as_bytes()).facts.passages,
            None => passages_of_text(source),
        };
        let lasts = firsts.iter().skip(1).map(|next| next - 1).chain([source.lines().count() as u32]);
        firsts.iter().copied().zip(lasts).collect()
    }

    #[test]
    fn short_definitions_are_whole_with_what_stands_above_and_small_ones_stand_together() {
        let go = "package a\n\nimport \"fmt\"\n\nconst one = 1\nconst two = 2\n\n// Sum adds.\n// It never fails.\nfunc Sum(a, b int) int {\n\tfmt.Println(a)\n\treturn a + b\n}\n\nfunc Twice(a int) int {\n\tb := a\n\treturn a + b\n}\n";
        assert_eq!(ranges("a.go", go), [(1, 7), (8, 14), (15, 18)]);
        let ts = "import { x } from './x';\n\nexport class A {\n  /** Runs. */\n  run() {\n    x();\n    return 1;\n  }\n\n  stop() {\n    x();\n    return 2;\n  }\n}\n";
        // The line that opens the class stands with its first method, the bracket that ends it with its last.
        assert_eq!(ranges("a.ts", ts), [(1, 9), (10, 14)]);
    }

    #[test]
    fn a_long_definition_is_cut_between_its_outermost_statements() {
        let block = |n: usize| format!("    if a > {n} {{\n        b += {n};\n        // That is it.\n        c(b);\n    }}\n\n");
        let rust = format!("fn long(a: u32) {{\n    let mut b = 0;\n{}}}\n", (0..12).map(block).collect::<Vec<_>>().concat());
        let cut = ranges("a.rs", &rust);
        assert!(cut.len() > 2 && cut.iter().all(|(first, last)| last - first < 34), "{cut:?}");
        for (first, _) in &cut[1..] {
            let line = rust.lines().nth(*first as usize - 1).unwrap_or_default();
            assert!(line.starts_with("    if a >"), "{first}: {line}");
        }
        // Every line is in one passage.
        assert_eq!((cut[0].0, cut[cut.len() - 1].1), (1, rust.lines().count() as u32));
        assert!(cut.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
    }

    #[test]
    fn a_text_without_a_tree_is_cut_at_blank_lines_and_the_least_indentation() {
        let body = |name: &str| format!("def {name}():\n{}\n", "    work()\n".repeat(15));
        let python = ["a", "b", "c"].map(body).concat();
        assert_eq!(ranges("a.py", &python), [(1, 17), (18, 34), (35, 51)]);
        assert_eq!(ranges("long.txt", &"word\n".repeat(50)).len(), 3);
        assert_eq!(ranges("empty.txt", ""), []);
    }
}
