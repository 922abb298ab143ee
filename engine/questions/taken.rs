//! Names in code of TypeScript and JavaScript that take a member without a dot: in patterns, as in `const { find } = rows`, and between brackets,
//! as in `rows["find"]`.
//!
//! Knows comments, literals and brackets, and nothing of what a name means.

/// A piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Name(&'a str),
    /// A text, without its quotes.
    Text(&'a str),
    Sign(u8),
    /// `=` alone, which gives a value.
    Gives,
    /// `=>`
    Arrow,
}

/// What may stand in front of a regular expression, besides the start of a line.
const BEFORE_REGEX: &[u8] = b"(,=:[!&|?{};+-*%<>~^";

/// Finds the names, each with its line from 1.
pub(crate) fn taken(text: &str) -> Vec<(u32, &str)> {
    let pieces = pieces(text);
    let brackets = brackets(&pieces);
    let piece = |at: usize| pieces.get(at).map(|(_, piece)| *piece);
    let mut found = Vec::new();
    // Where the last pattern ends: what stands in it was looked at.
    let mut end_of_pattern = 0;
    for (at, (line, this)) in pieces.iter().enumerate() {
        match this {
            Piece::Sign(b'[') => {
                let is_member = at > 0
                    && matches!(piece(at - 1), Some(Piece::Name(_) | Piece::Sign(b')' | b']' | b'.' | b'!')))
                    && piece(at + 2) == Some(Piece::Sign(b']'));
                if let (true, Some(Piece::Text(name))) = (is_member, piece(at + 1)) {
                    found.push((*line, name));
                }
            }
            Piece::Sign(b'{') if at >= end_of_pattern => {
                let Some(end) = brackets[at].end.filter(|end| is_pattern(&pieces, &brackets, at, *end)) else { continue };
                end_of_pattern = end;
                for (inside, (line, this)) in pieces.iter().enumerate().take(end).skip(at + 1) {
                    let is_first = matches!(piece(inside - 1), Some(Piece::Sign(b'{' | b',')));
                    let is_key = matches!(piece(inside + 1), Some(Piece::Sign(b',' | b'}' | b':') | Piece::Gives));
                    if let (true, Piece::Name(name) | Piece::Text(name)) = (is_first && is_key, this) {
                        found.push((*line, *name));
                    }
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether braces hold a pattern: what is declared, given a value, or a parameter.
fn is_pattern(pieces: &[(u32, Piece<'_>)], brackets: &[Bracket], at: usize, end: usize) -> bool {
    let piece = |at: usize| pieces.get(at).map(|(_, piece)| *piece);
    let before = at.checked_sub(1).and_then(piece);
    if matches!(before, Some(Piece::Name("const" | "let" | "var"))) || piece(end + 1) == Some(Piece::Gives) {
        return true;
    }
    if !matches!(before, Some(Piece::Sign(b'(' | b','))) {
        return false;
    }
    // The parentheses around it are those of parameters where a body follows.
    let around = brackets[at].around.filter(|open| piece(*open) == Some(Piece::Sign(b'(')));
    let behind = around.and_then(|open| brackets[open].end).and_then(|close| piece(close + 1));
    piece(end + 1) == Some(Piece::Sign(b':')) || matches!(behind, Some(Piece::Arrow | Piece::Sign(b'{')))
}

/// Of a bracket that opens, where it closes and the one that stands around it.
#[derive(Debug, Clone, Copy, Default)]
struct Bracket {
    end: Option<usize>,
    around: Option<usize>,
}

/// The brackets that open, by their places.
fn brackets(pieces: &[(u32, Piece<'_>)]) -> Vec<Bracket> {
    let mut brackets = vec![Bracket::default(); pieces.len()];
    let mut open = Vec::new();
    for (at, (_, piece)) in pieces.iter().enumerate() {
        match piece {
            Piece::Sign(b'(' | b'[' | b'{') => {
                brackets[at].around = open.last().copied();
                open.push(at);
            }
            Piece::Sign(b')' | b']' | b'}') => {
                if let Some(start) = open.pop() {
                    brackets[start].end = Some(at);
                }
            }
            _ => {}
        }
    }
    brackets
}

/// The pieces of a text, each with its line.
fn pieces(text: &str) -> Vec<(u32, Piece<'_>)> {
    let mut pieces: Vec<(u32, Piece<'_>)> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let before = pieces.last().map(|(_, piece)| *piece);
        let (length, piece) = match first {
            _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), None),
            _ if rest.starts_with("/*") => (rest.find("*/").map_or(rest.len(), |end| end + 2), None),
            '/' if is_regex(before) => (regex(rest), None),
            '"' | '\'' => {
                let (length, inside) = quoted(rest, first, true);
                (length, Some(Piece::Text(inside)))
            }
            '`' => {
                let (length, inside) = quoted(rest, first, false);
                (length, Some(Piece::Text(inside)))
            }
            _ if is_letter(first) => {
                let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
                (length, Some(Piece::Name(&rest[..length])))
            }
            _ if rest.starts_with("=>") => (2, Some(Piece::Arrow)),
            _ if rest.starts_with("==") => (2 + usize::from(rest.starts_with("===")), Some(Piece::Sign(b'~'))),
            '=' => (1, Some(Piece::Gives)),
            _ if first.is_ascii_punctuation() => (1, Some(Piece::Sign(first as u8))),
            _ => (first.len_utf8(), None),
        };
        pieces.extend(piece.map(|piece| (line, piece)));
        line += text[at..at + length].matches('\n').count() as u32;
        at += length;
    }
    pieces
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

fn is_regex(before: Option<Piece<'_>>) -> bool {
    match before {
        None | Some(Piece::Gives | Piece::Arrow | Piece::Name("return" | "typeof" | "case")) => true,
        Some(Piece::Sign(sign)) => BEFORE_REGEX.contains(&sign),
        Some(Piece::Name(_) | Piece::Text(_)) => false,
    }
}

/// The length of a regular expression; one sign where the line has no end of one.
fn regex(rest: &str) -> usize {
    let (mut is_escaped, mut in_set) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return 1,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_set = true,
            ']' => in_set = false,
            '/' if !in_set => return at + 1,
            _ => {}
        }
    }
    1
}

/// The length of a text in quotes, with what it holds. One of a single line ends with that.
fn quoted(rest: &str, quote: char, is_one_line: bool) -> (usize, &str) {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if is_one_line && !is_escaped => return (at, &rest[1..at]),
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return (at + c.len_utf8(), &rest[1..at]),
            _ => {}
        }
    }
    (rest.len(), &rest[1..])
}

#[cfg(test)]
mod tests {
    use super::taken;

    fn names(text: &str) -> Vec<&str> {
        taken(text).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn what_takes_a_member_without_a_dot_is_found_and_what_makes_an_object_is_not() {
        for text in [
            "const { find } = rows;",
            "let { find: other = 1 } = rows",
            "({ find } = rows);",
            "function f({ find }: Rows) {}",
            "const f = ({ find }) => find();",
            "rows.each(({ find }, n) => n);",
            "rows[\"find\"]();",
            "rows?.['find']",
            "rows()[`find`]",
            "for (const { find } of all) {}",
            "const a = /[`'/]/; const { find } = rows; `",
        ] {
            assert_eq!(names(text), ["find"], "{text}");
        }
        for text in [
            "import { find } from \"./rows\";",
            "export { find };",
            "use({ find });",
            "const a = { find, b: 1 };",
            "return { find };",
            "const all = [\"find\"];",
            "// const { find } = rows;\n/* rows['find'] */ \"const { find } = rows\"",
            "if (a) { find(); }",
            "a ? f({ find }) : b;",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        assert_eq!(taken("\nconst {\n  a: { find },\n} = rows;\n"), [(3, "a"), (3, "find")]);
    }
}
