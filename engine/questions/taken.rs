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
    /// A sign. What stands in `${…}` of a text has parentheses around it.
    Sign(u8),
    /// `=` alone, which gives a value.
    Gives,
    /// `=>`
    Arrow,
}

/// What may stand in front of a regular expression, besides the start of a line. `</` ends an element.
const BEFORE_REGEX: &[u8] = b"(,=:[!&|?{};+-*%>~^";

/// What stands in front of parentheses behind which a statement begins.
const HEADS: [&str; 4] = ["for", "if", "while", "with"];

/// Names that stand for a place in a list.
const INDEXES: [&str; 6] = ["i", "idx", "index", "j", "k", "n"];

/// What is taken without a dot.
#[derive(Debug, Default)]
pub(crate) struct Taken<'a> {
    /// The names, each with its line from 1.
    pub(crate) names: Vec<(u32, &'a str)>,
    /// Whether a text or comment has no end: what stands behind its start is not known.
    pub(crate) is_open: bool,
}

/// Finds what is taken. Where a member is taken by a name that is computed, every text may be that name.
pub(crate) fn taken(text: &str) -> Taken<'_> {
    let (pieces, is_open) = Reader::new(text).read();
    let code = Code::new(&pieces);
    let mut names = Vec::new();
    // Where the last pattern ends: what stands in it was looked at.
    let mut end_of_pattern = 0;
    let mut is_computed = false;
    for (at, (line, this)) in pieces.iter().enumerate() {
        match this {
            Piece::Sign(b'[') => match code.member(at) {
                Some(Piece::Text(name)) => names.push((*line, name)),
                Some(Piece::Name(name)) => {
                    is_computed |= !name.starts_with(|c: char| c.is_ascii_digit()) && !INDEXES.contains(&name);
                }
                Some(_) => is_computed = true,
                None => {}
            },
            Piece::Sign(b'{') if at >= end_of_pattern => {
                let Some(end) = code.pattern(at) else { continue };
                end_of_pattern = end;
                for (inside, (line, this)) in pieces.iter().enumerate().take(end).skip(at + 1) {
                    let is_first = matches!(code.piece(inside - 1), Some(Piece::Sign(b'{' | b',')));
                    let is_key = matches!(code.piece(inside + 1), Some(Piece::Sign(b',' | b'}' | b':') | Piece::Gives));
                    if let (true, Piece::Name(name) | Piece::Text(name)) = (is_first && is_key, this) {
                        names.push((*line, *name));
                    }
                }
            }
            _ => {}
        }
    }
    if is_computed {
        names.extend(
            pieces.iter().filter_map(|(line, piece)| if let Piece::Text(name) = piece { Some((*line, *name)) } else { None }),
        );
    }
    names.sort_unstable();
    names.dedup();
    Taken { names, is_open }
}

/// Of a bracket that opens, what stands around it.
#[derive(Debug, Clone, Copy, Default)]
struct Bracket {
    /// Where it closes.
    end: Option<usize>,
    /// The bracket around it.
    around: Option<usize>,
    /// The outermost of the `[` around it, with none of another kind between; else itself.
    outer: usize,
}

/// Pieces with their brackets.
struct Code<'p, 'a> {
    pieces: &'p [(u32, Piece<'a>)],
    /// The brackets that open, by their places.
    brackets: Vec<Bracket>,
    /// Whether a piece is the `:` of `a ? b : c`.
    is_else: Vec<bool>,
}

impl<'p, 'a> Code<'p, 'a> {
    fn new(pieces: &'p [(u32, Piece<'a>)]) -> Self {
        let mut code = Self { pieces, brackets: vec![Bracket::default(); pieces.len()], is_else: vec![false; pieces.len()] };
        // Each with how many `?` wait for their `:` in it.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut n_asked = 0;
        for (at, (_, piece)) in pieces.iter().enumerate() {
            match piece {
                Piece::Sign(b'(' | b'[' | b'{') => {
                    let around = open.last().map(|(around, _)| *around);
                    let list = around.filter(|around| code.piece(*around) == Some(Piece::Sign(b'[')));
                    code.brackets[at] = Bracket { end: None, around, outer: list.map_or(at, |list| code.brackets[list].outer) };
                    open.push((at, n_asked));
                    n_asked = 0;
                }
                Piece::Sign(b')' | b']' | b'}') => {
                    if let Some((start, n_before)) = open.pop() {
                        code.brackets[start].end = Some(at);
                        n_asked = n_before;
                    }
                }
                Piece::Sign(b'?') => {
                    let is_other = |piece| matches!(piece, Some(Piece::Sign(b'?' | b'.' | b':' | b',' | b')') | Piece::Gives));
                    let is_second = at > 0 && code.piece(at - 1) == Some(Piece::Sign(b'?'));
                    n_asked += usize::from(!is_second && !is_other(code.piece(at + 1)));
                }
                Piece::Sign(b':') if n_asked > 0 => {
                    n_asked -= 1;
                    code.is_else[at] = true;
                }
                Piece::Sign(b',' | b';') => n_asked = 0,
                _ => {}
            }
        }
        code
    }

    fn piece(&self, at: usize) -> Option<Piece<'a>> {
        self.pieces.get(at).map(|(_, piece)| *piece)
    }

    /// The last piece between brackets that take a member; a text only where it stands alone.
    fn member(&self, at: usize) -> Option<Piece<'a>> {
        let before = at.checked_sub(1).and_then(|before| self.piece(before));
        let end = self.brackets[at].end.filter(|end| *end > at + 1)?;
        if !matches!(before, Some(Piece::Name(_) | Piece::Text(_) | Piece::Sign(b')' | b']' | b'.' | b'!'))) {
            return None;
        }
        self.piece(end - 1).map(|last| match last {
            Piece::Text(_) if end != at + 2 => Piece::Sign(b'+'),
            last => last,
        })
    }

    /// Where a pattern ends that begins here: what is declared, given a value, or a parameter.
    fn pattern(&self, at: usize) -> Option<usize> {
        let end = self.brackets[at].end?;
        let outer = self.brackets[at].outer;
        let behind = self.piece(self.brackets[outer].end? + 1);
        let before = outer.checked_sub(1).and_then(|before| self.piece(before));
        if matches!(before, Some(Piece::Name("const" | "let" | "var")))
            || behind == Some(Piece::Gives)
            || self.piece(end + 1) == Some(Piece::Gives)
        {
            return Some(end);
        }
        if !matches!(before, Some(Piece::Sign(b'(' | b',' | b'.'))) {
            return None;
        }
        // The parentheses around it are those of parameters where a body or the type of what they give follows.
        let around = self.brackets[outer].around.filter(|open| self.piece(*open) == Some(Piece::Sign(b'(')));
        let close = around.and_then(|open| self.brackets[open].end);
        let is_parameter = close.is_some_and(|close| match self.piece(close + 1) {
            Some(Piece::Arrow | Piece::Sign(b'{')) => true,
            Some(Piece::Sign(b':')) => !self.is_else[close + 1],
            _ => false,
        });
        (behind == Some(Piece::Sign(b':')) || is_parameter).then_some(end)
    }
}

/// What is open while a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    /// Parentheses, and whether a statement begins behind them.
    Parentheses(bool),
    /// `${` in a text.
    Hole,
}

/// Reads the pieces of a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    pieces: Vec<(u32, Piece<'a>)>,
    open: Vec<Open>,
    /// Whether the last parentheses that closed have a statement behind them.
    is_head: bool,
    /// Up to where no regular expression ends.
    no_regex: usize,
    /// Up to where no text in `"` ends, and none in `'`.
    no_text: [usize; 2],
    is_open: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            pieces: Vec::new(),
            open: Vec::new(),
            is_head: false,
            no_regex: 0,
            no_text: [0; 2],
            is_open: false,
        }
    }

    /// The pieces, each with its line, and whether a text or comment has no end.
    fn read(mut self) -> (Vec<(u32, Piece<'a>)>, bool) {
        while let Some(first) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            match first {
                _ if rest.starts_with("//") => self.go(rest.find('\n').unwrap_or(rest.len())),
                _ if rest.starts_with("/*") => {
                    let end = rest[2..].find("*/");
                    self.is_open |= end.is_none();
                    self.go(end.map_or(rest.len(), |end| end + 4));
                }
                '/' if self.at >= self.no_regex && self.is_regex(rest) => {
                    if let Some(length) = regex(rest) {
                        self.add(length, Piece::Text(""));
                    } else {
                        self.no_regex = self.at + rest.find('\n').unwrap_or(rest.len());
                        self.go(1);
                    }
                }
                '"' | '\'' if self.at >= self.no_text[usize::from(first == '\'')] => {
                    if let Some(length) = quoted(rest, first) {
                        self.add(length, Piece::Text(&rest[1..length - 1]));
                    } else {
                        self.no_text[usize::from(first == '\'')] = self.at + rest.find('\n').unwrap_or(rest.len());
                        self.go(1);
                    }
                }
                '`' => self.template(true),
                '}' => self.close_brace(),
                _ if is_letter(first) => {
                    let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
                    self.add(length, Piece::Name(&rest[..length]));
                }
                _ if rest.starts_with("=>") => self.add(2, Piece::Arrow),
                _ if rest.starts_with("==") => self.add(2 + usize::from(rest.starts_with("===")), Piece::Sign(b'~')),
                '=' => self.add(1, Piece::Gives),
                _ if first.is_ascii_punctuation() => self.sign(first as u8),
                _ => self.go(first.len_utf8()),
            }
        }
        let is_open = self.is_open || self.open.contains(&Open::Hole);
        (self.pieces, is_open)
    }

    /// Goes on behind so many bytes.
    fn go(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count() as u32;
        self.at += length;
    }

    fn add(&mut self, length: usize, piece: Piece<'a>) {
        self.pieces.push((self.line, piece));
        self.go(length);
    }

    fn before(&self, n: usize) -> Option<Piece<'a>> {
        self.pieces.len().checked_sub(n).and_then(|at| self.pieces.get(at)).map(|(_, piece)| *piece)
    }

    fn sign(&mut self, sign: u8) {
        match sign {
            b'{' => self.open.push(Open::Brace),
            b'(' => {
                let is_head = matches!(self.before(1), Some(Piece::Name(name)) if HEADS.contains(&name));
                self.open.push(Open::Parentheses(is_head && self.before(2) != Some(Piece::Sign(b'.'))));
            }
            b')' => {
                self.is_head = false;
                if let Some(Open::Parentheses(is_head)) = self.open.last() {
                    self.is_head = *is_head;
                    self.open.pop();
                }
            }
            _ => {}
        }
        self.add(1, Piece::Sign(sign));
    }

    /// `}`, behind which a text may go on.
    fn close_brace(&mut self) {
        while let Some(open) = self.open.pop() {
            match open {
                Open::Brace => break,
                Open::Hole => return self.template(false),
                Open::Parentheses(_) => {}
            }
        }
        self.add(1, Piece::Sign(b'}'));
    }

    /// A text between backticks from its start or from the end of `${…}` on, up to its end or the next `${`.
    fn template(&mut self, is_start: bool) {
        let rest = &self.text[self.at..];
        if !is_start {
            self.pieces.push((self.line, Piece::Sign(b')')));
            self.is_head = false;
        }
        let mut is_escaped = false;
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'`' if is_start => return self.add(at + 1, Piece::Text(&rest[1..at])),
                b'`' => return self.go(at + 1),
                b'$' if rest[at..].starts_with("${") => {
                    self.go(at + 2);
                    self.pieces.push((self.line, Piece::Sign(b'(')));
                    return self.open.push(Open::Hole);
                }
                _ => {}
            }
        }
        self.is_open = true;
        self.go(rest.len());
    }

    /// Whether a `/` may begin a regular expression.
    fn is_regex(&self, rest: &str) -> bool {
        match self.before(1) {
            None | Some(Piece::Gives | Piece::Arrow | Piece::Name("return" | "typeof" | "case")) => true,
            Some(Piece::Sign(b')')) => self.is_head,
            // `<A b={c} />`
            Some(Piece::Sign(b'}')) => !rest.starts_with("/>"),
            Some(Piece::Sign(sign)) => BEFORE_REGEX.contains(&sign),
            Some(Piece::Name(_) | Piece::Text(_)) => false,
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

/// The length of a regular expression; none where the line has no end of one.
fn regex(rest: &str) -> Option<usize> {
    let (mut is_escaped, mut in_set) = (false, false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_set = true,
            ']' => in_set = false,
            '/' if !in_set => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a text in quotes; none where its line has no end of it.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !is_escaped => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::taken;

    fn names(text: &str) -> Vec<&str> {
        taken(text).names.into_iter().map(|(_, name)| name).collect()
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
            "const [{ find }] = await Promise.all(x);",
            "const [[a], { find }] = pair;",
            "f(([{ find }]) => find());",
            "rows.map(({ find }): number => find());",
            "const o = { go({ find }): void {} };",
            "console.log(`a ${r[\"find\"]()} b ${`${c}`}`);",
            "if (x) /`/.test(s); const { find } = rows;",
            "<p a={b} />don't<b>{r[\"find\"]()}</b>",
            "const key = \"find\"; r[key]();",
            "for (const key of [\"find\"]) { r[a + key.b]; }",
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
            "const all = [{ find }, { find }];",
            "`const { find } = ${f({ find })} [{ find }]`",
            "const key = \"find\"; r[i]; r[n - 1]; r[0]; r[a.length - 1];",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        assert_eq!(taken("\nconst {\n  a: { find },\n} = rows;\n").names, [(3, "a"), (3, "find")]);
    }
    #[test]
    fn a_text_without_an_end_is_told() {
        for (text, is_open) in [
            ("`a ${b} c`", false),
            ("don't", false),
            ("`a ${b", true),
            ("`a ${b} c", true),
            ("const a = `;", true),
            ("/* a", true),
        ] {
            assert_eq!(taken(text).is_open, is_open, "{text}");
        }
    }

    #[test]
    fn long_lines_are_read_once() {
        for part in ["/[", "'\\", "`${", "[{", "a[", "a?(", "(/\\/"] {
            taken(&part.repeat(200_000));
        }
    }
}
