//! Names in code that is not read as code: in attributes, in arguments of macros and in the macros' own bodies.
//!
//! Knows Rust's comments, literals and brackets, and nothing of what a name means.

/// What a name stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// An attribute.
    Attribute,
    /// The arguments of a macro.
    Macro,
    /// The body of a macro.
    Body,
    /// A text that a macro may take for a format.
    Format,
}

/// A name as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) name: &'a str,
    /// Its line, from 1.
    pub(crate) line: u32,
    pub(crate) within: Within,
    /// The name in front of `::`, empty where something else stands there; none without `::`.
    pub(crate) path: Option<&'a str>,
    /// Whether a dot stands in front.
    pub(crate) is_member: bool,
}

/// Attributes whose words are no names of definitions.
const PLAIN: [&str; 10] = ["allow", "cfg", "deny", "deprecated", "derive", "doc", "expect", "feature", "forbid", "warn"];

/// Keys of attributes whose texts are no names of definitions.
const TITLES: [&str; 9] = ["about", "alias", "doc", "feature", "help", "message", "name", "rename", "rename_all"];

/// Finds the names in the attributes and macros of a file of Rust.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { text, at: 0, line: 1, open: Vec::new(), before: "", before_path: None, found: Vec::new() };
    reader.read();
    reader.found
}

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open<'a> {
    /// What stands in it, where that is not read as code.
    within: Option<Within>,
    /// The name of its attribute, once it is known.
    attribute: &'a str,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    open: Vec<Open<'a>>,
    /// The sign or name before, blanks and comments aside; of signs that belong together the last ones.
    before: &'a str,
    /// What stood in front of `::`, where that is `before`.
    before_path: Option<&'a str>,
    found: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        while let Some(first) = self.rest().chars().next() {
            let rest = self.rest();
            let length = match first {
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => block_comment(rest),
                '"' => self.literal(literal(rest, 1)),
                'r' | 'b' | 'c' if raw_start(rest).is_some() => self.literal(raw_start(rest).unwrap_or((1, 0))),
                '\'' => quote(rest),
                '(' | '[' | '{' => {
                    let open = self.opened();
                    self.open.push(open);
                    self.sign(1)
                }
                ')' | ']' | '}' => {
                    self.open.pop();
                    self.sign(1)
                }
                _ if is_name_start(first) => self.name(),
                _ if first.is_whitespace() => first.len_utf8(),
                _ if first.is_ascii_digit() => rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => {
                    self.before_path = Some(if self.before.starts_with(is_name_start) { self.before } else { "" });
                    self.before = "::";
                    2
                }
                '.' if rest.starts_with("..") => self.sign(2),
                '!' if rest.starts_with("!=") => self.sign(2),
                first => self.sign(first.len_utf8()),
            };
            let length = length.clamp(1, rest.len());
            self.line += rest.as_bytes()[..length].iter().filter(|byte| **byte == b'\n').count() as u32;
            self.at += length;
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn within(&self) -> Option<Within> {
        self.open.last().and_then(|open| open.within)
    }

    fn sign(&mut self, length: usize) -> usize {
        // `#!` and `name!` are one.
        let joined =
            if self.rest().starts_with('!') && self.text[..self.at].ends_with(self.before) { self.before.len() } else { 0 };
        self.before = &self.text[self.at - joined..self.at + length];
        self.before_path = None;
        length
    }

    /// What a bracket that opens here holds.
    fn opened(&self) -> Open<'a> {
        let around = self.open.last().copied();
        let inherited = around.filter(|open| open.within.is_some());
        let is_attribute = self.rest().starts_with('[') && matches!(self.before, "#" | "#!");
        let within = match inherited.and_then(|open| open.within) {
            Some(Within::Body) => Some(Within::Body),
            _ if is_attribute => Some(Within::Attribute),
            Some(within) => Some(within),
            None if self.before == MACRO_NAME => Some(Within::Body),
            None if self.before.len() > 1 && self.before.ends_with('!') => Some(Within::Macro),
            None => None,
        };
        let attribute = inherited.filter(|_| !is_attribute).map_or("", |open| open.attribute);
        Open { within, attribute }
    }

    fn name(&mut self) -> usize {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = &rest[..length];
        let path = self.before_path.take();
        let is_defined = self.before == "macro_rules!";
        let behind = rest[length..].trim_start();
        if let Some(within) = self.within() {
            // `key: value` and `key = value` name nothing of ours; `$name` is the macro's own.
            let is_key =
                behind.starts_with(':') && !behind.starts_with("::") || behind.starts_with('=') && !behind.starts_with("==");
            // Of an attribute's own path the last name.
            let is_first = within == Within::Attribute && self.attribute().is_empty();
            if let Some(open) = self.open.last_mut().filter(|_| is_first && !behind.starts_with("::")) {
                open.attribute = name;
            }
            let is_plain = is_first || within == Within::Attribute && PLAIN.contains(&self.attribute());
            if !is_key && !is_plain && self.before != "$" {
                let is_member = self.before == ".";
                self.found.push(Token { name, line: self.line, within, path, is_member });
            }
        }
        self.before = if is_defined { MACRO_NAME } else { name };
        length
    }

    fn attribute(&self) -> &'a str {
        self.open.last().map_or("", |open| open.attribute)
    }

    /// A literal, with how long it and its quotes are; in attributes and formats it may hold names.
    fn literal(&mut self, (length, quotes): (usize, usize)) -> usize {
        let rest = self.rest();
        let length = length.min(rest.len());
        let whole = &rest[..length];
        let body = whole.get(quotes..).and_then(|body| body.rfind('"').map(|end| &body[..end])).unwrap_or_default();
        match self.within() {
            Some(Within::Attribute) if !PLAIN.contains(&self.attribute()) && !TITLES.contains(&self.key()) => {
                self.add_path(body);
            }
            Some(Within::Macro | Within::Body) => {
                for part in body.split('{').skip(1) {
                    let name = &part[..part.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(part.len())];
                    if name.starts_with(is_name_start) && part[name.len()..].starts_with(['}', ':']) {
                        self.found.push(Token { name, line: self.line, within: Within::Format, path: None, is_member: false });
                    }
                }
            }
            _ => {}
        }
        self.before = "\"";
        self.before_path = None;
        length
    }

    /// The name in front of `=` that stands before here.
    fn key(&self) -> &'a str {
        let before = self.text[..self.at].trim_end();
        let Some(before) = before.strip_suffix('=') else { return "" };
        let before = before.trim_end();
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
        before.get(start..).unwrap_or_default()
    }

    /// Adds the last name of a text that is a path and nothing else.
    fn add_path(&mut self, text: &'a str) {
        let is_path =
            text.split("::").all(|part| part.starts_with(is_name_start) && part.chars().all(|c| c.is_alphanumeric() || c == '_'));
        if is_path {
            let (path, name) = text.rsplit_once("::").map_or((None, text), |(path, name)| (path.rsplit("::").next(), name));
            self.found.push(Token { name, line: self.line, within: Within::Attribute, path, is_member: false });
        }
    }
}

/// What stands before the brackets of a macro's body, in place of its name.
const MACRO_NAME: &str = "macro_rules! name";

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// How long a comment with others in it is.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(found) = text[at..].find(['*', '/']) {
        at += found;
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// How long a literal is, and what stands in front of its text.
fn literal(text: &str, start: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return (at + 1, start),
            _ => at += 1,
        }
    }
    (text.len(), start)
}

/// The same for one that begins with letters: `r#"…"#`, `b"…"`, `c"…"`.
fn raw_start(text: &str) -> Option<(usize, usize)> {
    let letters = text.find(|c: char| !matches!(c, 'r' | 'b' | 'c')).filter(|n| (1..=2).contains(n))?;
    let hashes = text[letters..].bytes().take_while(|byte| *byte == b'#').count();
    let start = letters + hashes + 1;
    if !text[letters + hashes..].starts_with('"') {
        return None;
    }
    if !text[..letters].contains('r') {
        return (hashes == 0).then(|| literal(text, start));
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some((text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()), start))
}

/// How long a character or a lifetime is.
fn quote(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = at + escaped.len_utf8();
            text[from..].find('\'').map_or(1, |end| from + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}
