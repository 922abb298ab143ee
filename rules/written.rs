//! The written form of facts, `relation("text", /name, 12).`: the one printer and the one parser.
//!
//! Used by cases, dumps and the `facts` format alike.

use std::fmt::{self, Write as _};
use std::iter::Peekable;
use std::str::Chars;

/// One fact: a relation and its columns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// A word of small letters, digits and `_` that starts with a letter.
    pub relation: String,
    /// The columns, in order.
    pub args: Vec<Value>,
}

/// A column of a fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Quoted text.
    Text(String),
    /// A word of a closed list, written after a slash: letters, digits, `_` and `-`.
    Name(String),
    /// A number with up to three decimal places.
    Number(Decimal),
}

/// A number in exact thousandths, written without trailing zeros: `100`, `66.5`, `-0.001`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i64);

impl Decimal {
    const PLACES: usize = 3;
    const ONE: u64 = 1000;

    /// The number of `value` thousandths.
    pub const fn from_thousandths(value: i64) -> Self {
        Self(value)
    }

    /// A whole number.
    pub const fn from_whole(value: i32) -> Self {
        Self(value as i64 * Self::ONE as i64)
    }

    /// How many thousandths it has.
    pub const fn thousandths(self) -> i64 {
        self.0
    }

    /// The number, if it is whole.
    pub const fn whole(self) -> Option<i64> {
        if self.0 % Self::ONE as i64 == 0 { Some(self.0 / Self::ONE as i64) } else { None }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.unsigned_abs();
        let (whole, rest) = (size / Self::ONE, size % Self::ONE);
        let sign = if self.0 < 0 { "-" } else { "" };
        if rest == 0 {
            return write!(formatter, "{sign}{whole}");
        }
        let places = format!("{rest:03}");
        write!(formatter, "{sign}{whole}.{}", places.trim_end_matches('0'))
    }
}

impl Fact {
    /// A fact of `relation` with these columns.
    pub fn new(relation: impl Into<String>, args: impl Into<Vec<Value>>) -> Self {
        Self { relation: relation.into(), args: args.into() }
    }
}

impl Value {
    /// Quoted text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A word of a closed list.
    pub fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    /// A whole number.
    pub const fn whole(value: i32) -> Self {
        Self::Number(Decimal::from_whole(value))
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.relation)?;
        for (column, value) in self.args.iter().enumerate() {
            let separator = if column == 0 { "" } else { ", " };
            write!(formatter, "{separator}{value}")?;
        }
        formatter.write_str(").")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write_quoted(formatter, text),
            Self::Name(name) => write!(formatter, "/{name}"),
            Self::Number(number) => number.fmt(formatter),
        }
    }
}

fn write_quoted(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    formatter.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(formatter, "\\{character}")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            _ if character.is_control() || reorders(character) => write!(formatter, "\\u{{{:x}}}", character as u32)?,
            _ => formatter.write_char(character)?,
        }
    }
    formatter.write_char('"')
}

/// Whether a character is invisible or changes the order of others, so that a reader could take the text for another.
const fn reorders(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Why a text is not a list of facts, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected or is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads all facts of `text`; blanks and lines are free, `#` starts a comment that ends with its line.
///
/// # Errors
///
/// The first place where the text is not a fact.
pub fn parse(text: &str) -> Result<Vec<Fact>, ParseError> {
    let mut reader = Reader { characters: text.chars().peekable(), line: 1, column: 1 };
    let mut facts = Vec::new();
    reader.skip_blanks();
    while reader.peek().is_some() {
        facts.push(reader.fact()?);
        reader.skip_blanks();
    }
    Ok(facts)
}

/// A place in a text that is read once, from front to back.
struct Reader<'a> {
    characters: Peekable<Chars<'a>>,
    line: usize,
    column: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.characters.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.characters.next()?;
        if character == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(character)
    }

    fn take_if(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(character) = self.peek().filter(|&character| accept(character)) {
            taken.push(character);
            self.next();
        }
        taken
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.peek() != Some('#') {
                return;
            }
            self.take_while(|character| character != '\n');
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, column: self.column, message: message.into() })
    }

    /// The error that something else stands where `wanted` should.
    fn expected<T>(&mut self, wanted: &str) -> Result<T, ParseError> {
        match self.peek() {
            Some(found) => self.error(format!("expected {wanted}, found {found:?}")),
            None => self.error(format!("expected {wanted}, found the end of the text")),
        }
    }

    fn fact(&mut self) -> Result<Fact, ParseError> {
        if !self.peek().is_some_and(|first| first.is_ascii_lowercase()) {
            return self.expected("a relation (a small letter)");
        }
        let relation =
            self.take_while(|character| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_');
        self.skip_blanks();
        if !self.take_if('(') {
            return self.expected("`(` after the relation");
        }
        let args = self.args()?;
        self.skip_blanks();
        if self.take_if('.') { Ok(Fact { relation, args }) } else { self.expected("`.` after the fact") }
    }

    fn args(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut args = Vec::new();
        self.skip_blanks();
        if self.take_if(')') {
            return Ok(args);
        }
        loop {
            self.skip_blanks();
            args.push(self.value()?);
            self.skip_blanks();
            if self.take_if(')') {
                return Ok(args);
            }
            if !self.take_if(',') {
                return self.expected("`,` or `)` after a column");
            }
        }
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        match self.peek() {
            Some('"') => self.text().map(Value::Text),
            Some('/') => self.name().map(Value::Name),
            Some('-' | '0'..='9') => self.number().map(Value::Number),
            _ => self.expected("a column: \"text\", /name or a number"),
        }
    }

    fn name(&mut self) -> Result<String, ParseError> {
        self.next();
        let name = self.take_while(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'));
        if name.is_empty() { self.expected("a name after `/`") } else { Ok(name) }
    }

    fn text(&mut self) -> Result<String, ParseError> {
        self.next();
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.error("the text has no closing quote"),
                Some('\n') => return self.error("the text has no closing quote on its line; write \\n for a new line"),
                Some('"') => {
                    self.next();
                    return Ok(text);
                }
                Some('\\') => {
                    self.next();
                    text.push(self.escape()?);
                }
                Some(character) => {
                    text.push(character);
                    self.next();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let plain = match self.peek() {
            Some(character @ ('"' | '\\')) => character,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(),
            _ => return self.expected("an escape: \\\", \\\\, \\n, \\r, \\t or \\u{...}"),
        };
        self.next();
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Result<char, ParseError> {
        self.next();
        if !self.take_if('{') {
            return self.expected("`{` after \\u");
        }
        let digits = self.take_while(|character| character.is_ascii_hexdigit());
        let Some(character) = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) else {
            return self.error(format!("\\u{{{digits}}} is not a character"));
        };
        if self.take_if('}') { Ok(character) } else { self.expected("`}` after the code of a character") }
    }

    fn number(&mut self) -> Result<Decimal, ParseError> {
        let negative = self.take_if('-');
        let whole = self.take_while(|character| character.is_ascii_digit());
        if whole.is_empty() {
            return self.expected("a digit after `-`");
        }
        let places = self.places();
        if places.len() > Decimal::PLACES {
            return self.error("a number has at most three decimal places");
        }
        let scaled = format!("{}{whole}{places:0<width$}", if negative { "-" } else { "" }, width = Decimal::PLACES);
        match scaled.parse() {
            Ok(thousandths) => Ok(Decimal(thousandths)),
            Err(_) => self.error("the number is too large"),
        }
    }

    /// The digits after a decimal point; none where the point ends the fact.
    fn places(&mut self) -> String {
        let mut ahead = self.characters.clone();
        let decimal = ahead.next() == Some('.') && ahead.next().is_some_and(|digit| digit.is_ascii_digit());
        if !decimal {
            return String::new();
        }
        self.next();
        self.take_while(|character| character.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<String>().prop_map(Value::Text),
            "[A-Za-z0-9_-]{1,8}".prop_map(Value::Name),
            any::<i64>().prop_map(|thousandths| Value::Number(Decimal::from_thousandths(thousandths))),
        ]
    }

    proptest! {
        #[test]
        fn every_fact_reads_back_as_it_was(facts in prop::collection::vec(
            ("[a-z][a-z0-9_]{0,8}", prop::collection::vec(value(), 0..5)).prop_map(|(relation, args)| Fact { relation, args }), 0..5,
        )) {
            let lines: Vec<String> = facts.iter().map(ToString::to_string).collect();
            let text = lines.join("\n");
            prop_assert_eq!(text.lines().count(), facts.len());
            prop_assert_eq!(parse(&text), Ok(facts));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[a-z(),.\"/\\\\{}#0-9\n -]{0,40}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn comments_and_layout_are_free() {
        let facts = parse("# all\na(\"x\\\"\\u{202e}\", # why\n  /b-c, -66.50).dream_mode( ).").unwrap();
        let written: Vec<_> = facts.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["a(\"x\\\"\\u{202e}\", /b-c, -66.5).", "dream_mode()."]);
    }

    #[test]
    fn errors_name_line_column_and_what_was_expected() {
        let check = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(check("a(1)\nb(2)."), "line 2, column 1: expected `.` after the fact, found 'b'");
        assert_eq!(check("a(\"x"), "line 1, column 5: the text has no closing quote");
        assert_eq!(check("a(/)."), "line 1, column 4: expected a name after `/`, found ')'");
        assert_eq!(check("a(1.2345)."), "line 1, column 9: a number has at most three decimal places");
        assert_eq!(check("a(99999999999999999999)."), "line 1, column 23: the number is too large");
        assert_eq!(
            check("a(\"\\q\")."),
            "line 1, column 5: expected an escape: \\\", \\\\, \\n, \\r, \\t or \\u{...}, found 'q'"
        );
        assert_eq!(check("A()."), "line 1, column 1: expected a relation (a small letter), found 'A'");
        assert_eq!(check("a(1, )."), "line 1, column 6: expected a column: \"text\", /name or a number, found ')'");
        assert_eq!(check("a(1"), "line 1, column 4: expected `,` or `)` after a column, found the end of the text");
    }
}
