//! Cuts a program into tokens, each with its place.

use super::ast::{Place, Syntax};
use super::mistake::Mistake;
use std::iter::Peekable;
use std::str::Chars;

/// The smallest part of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word that begins with a small letter.
    Word(String),
    /// A word that begins with a capital letter or with `_` and goes on.
    Variable(String),
    /// `_` alone.
    Anything,
    Text(String),
    /// `/name`, without the slash.
    Name(String),
    /// Without a sign in front.
    Number(u32),
    /// `0.6`, as it is written.
    Decimal(String),
    /// `fn:name` of Mangle, without `fn:`.
    Function(String),
    /// `:name` of Mangle, without the first colon.
    Builtin(String),
    /// Any other, as it is written.
    Sign(&'static str),
    End,
}

/// Signs, the longer ones first.
const SIGNS: [&str; 22] =
    [":-", "?-", "!=", "<=", ">=", "==", "(", ")", ",", ".", "<", ">", "=", "+", "-", "*", "/", "%", "!", ";", "?", ":"];

/// Signs that only Mangle has: `[` and the like are read so that it can be said what is not supported.
const MANGLE_SIGNS: [&str; 6] = ["|>", "[", "]", "{", "}", "@"];

/// Letters of a word at most.
const MAX_WORD: usize = 128;

/// What an escape stands for.
const ESCAPES: [(char, char); 6] = [('n', '\n'), ('t', '\t'), ('r', '\r'), ('"', '"'), ('\\', '\\'), ('0', '\0')];

pub(super) struct Lexer<'t> {
    rest: Peekable<Chars<'t>>,
    place: Place,
    pub(super) syntax: Syntax,
    /// Whether a value was read last: a slash behind it divides.
    is_behind_value: bool,
}

impl<'t> Lexer<'t> {
    /// The tokens of a text that begins at a place.
    pub(super) fn new(text: &'t str, place: Place, syntax: Syntax) -> Self {
        Self { rest: text.chars().peekable(), place, syntax, is_behind_value: false }
    }

    fn is_mangle(&self) -> bool {
        self.syntax == Syntax::Mangle
    }

    fn next_char(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        if next == '\n' {
            self.place = Place { line: self.place.line.saturating_add(1), column: 1, ..self.place };
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    /// Passes over blanks and comments: `#` or `//` up to the end of the line.
    fn skip(&mut self) {
        loop {
            let mut ahead = self.rest.clone();
            let is_comment = match (ahead.next(), ahead.next()) {
                (Some(blank), _) if blank.is_whitespace() => {
                    self.next_char();
                    continue;
                }
                (Some('#'), _) | (Some('/'), Some('/')) => true,
                _ => false,
            };
            if !is_comment {
                return;
            }
            while self.rest.peek().is_some_and(|next| *next != '\n') {
                self.next_char();
            }
        }
    }

    /// The next token; behind the last one it is the end again and again.
    pub(super) fn next(&mut self) -> Result<(Token, Place), Mistake> {
        self.skip();
        let place = self.place;
        let token = self.token(place)?;
        self.is_behind_value = matches!(
            token,
            Token::Variable(_) | Token::Anything | Token::Number(_) | Token::Decimal(_) | Token::Name(_) | Token::Sign(")")
        );
        Ok((token, place))
    }

    fn token(&mut self, place: Place) -> Result<Token, Mistake> {
        let Some(first) = self.rest.peek().copied() else { return Ok(Token::End) };
        if first == '"' || first == '\'' && self.is_mangle() {
            return self.text(place, first);
        }
        if first.is_ascii_digit() {
            return self.number(place);
        }
        if first.is_alphabetic() || first == '_' {
            let word = self.word(is_word);
            if word.chars().count() > MAX_WORD {
                return Err(Mistake::new(place, format!("a word of more than {MAX_WORD} letters")));
            }
            let mut ahead = self.rest.clone();
            if self.is_mangle() && word == "fn" && ahead.next() == Some(':') && ahead.next().is_some_and(is_word) {
                self.next_char();
                return Ok(Token::Function(self.word(|next| is_word(next) || next == ':')));
            }
            return Ok(match first {
                '_' if word == "_" => Token::Anything,
                '_' => Token::Variable(word),
                _ if first.is_uppercase() => Token::Variable(word),
                _ => Token::Word(word),
            });
        }
        let mut ahead = self.rest.clone();
        ahead.next();
        if first == '/' && !self.is_behind_value && ahead.peek().is_some_and(|next| is_word(*next)) {
            self.next_char();
            return Ok(Token::Name(self.name()));
        }
        let second = ahead.next();
        if self.is_mangle() {
            match first {
                ':' if second.is_some_and(char::is_lowercase) => {
                    self.next_char();
                    return Ok(Token::Builtin(self.word(|next| is_word(next) || next == ':')));
                }
                '⟸' => {
                    self.next_char();
                    return Ok(Token::Sign(":-"));
                }
                '`' => return Err(Mistake::new(place, "texts between backticks are not supported: write \"..\"")),
                _ => {}
            }
        }
        let is_here = |sign: &&&str| {
            let mut letters = sign.chars();
            letters.next() == Some(first) && letters.next().is_none_or(|letter| Some(letter) == second)
        };
        let signs = SIGNS.iter().chain(MANGLE_SIGNS.iter().filter(|_| self.is_mangle()));
        let sign = signs.into_iter().find(is_here).copied();
        let sign = sign.ok_or_else(|| Mistake::new(place, format!("`{}` has no meaning here", shown(&first.to_string()))))?;
        for _ in sign.chars() {
            self.next_char();
        }
        Ok(Token::Sign(sign))
    }

    fn word(&mut self, goes_on: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(next) = self.rest.peek().copied().filter(|next| goes_on(*next)) {
            word.push(next);
            self.next_char();
        }
        word
    }

    /// A number, with or without a decimal point.
    fn number(&mut self, place: Place) -> Result<Token, Mistake> {
        let mut digits = self.word(|next| next.is_ascii_digit());
        let mut ahead = self.rest.clone();
        if ahead.next() == Some('.') && ahead.next().is_some_and(|next| next.is_ascii_digit()) {
            self.next_char();
            digits.push('.');
            digits.push_str(&self.word(|next| next.is_ascii_digit()));
            return Ok(Token::Decimal(digits));
        }
        digits.parse().map(Token::Number).map_err(|_| too_large(place, &digits))
    }

    /// What stands behind the slash of a name. Those of Mangle have parts: `/a/b.c`.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(next) = self.rest.peek().copied() {
            let mut ahead = self.rest.clone();
            ahead.next();
            let joins = matches!(next, '/' | '.' | '~' | '%') && self.is_mangle() && ahead.next().is_some_and(is_word);
            if !(is_word(next) || next == '-' || joins) {
                break;
            }
            name.push(next);
            self.next_char();
        }
        name
    }

    fn text(&mut self, place: Place, quote: char) -> Result<Token, Mistake> {
        self.next_char();
        let mut text = String::new();
        loop {
            let at = self.place;
            match self.next_char() {
                Some(end) if end == quote => return Ok(Token::Text(text)),
                Some('\\') => {
                    let escape = self.next_char();
                    let meant = ESCAPES.iter().find(|(written, _)| Some(*written) == escape).map(|(_, meant)| *meant);
                    let meant = meant.or(escape.filter(|escape| *escape == quote));
                    text.push(meant.ok_or_else(|| Mistake::new(at, "an escape that is none of \\n \\t \\r \\\" \\\\ \\0"))?);
                }
                Some('\n') | None => return Err(Mistake::new(place, format!("the text has no closing `{quote}` on its line"))),
                Some(letter) => text.push(letter),
            }
        }
    }
}

/// Whether a text ends with a whole statement, or with a mistake that more text would not mend.
pub fn is_whole(text: &str, syntax: Syntax) -> bool {
    let mut lexer = Lexer::new(text, Place::first(0), syntax);
    let mut is_whole = true;
    loop {
        match lexer.next() {
            Ok((Token::End, _)) => return is_whole,
            Ok((token, _)) => is_whole = token == Token::Sign("."),
            Err(_) => return true,
        }
    }
}

/// The mistake of a number that is none here.
pub(super) fn too_large(place: Place, digits: &str) -> Mistake {
    Mistake::new(place, format!("the number {} does not fit into 32 bits", shown(digits)))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A piece of a program as it is shown in a message: without control characters. Whoever shows the message masks it first and cuts it then.
pub(super) fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|letter| if letter.is_control() { letter.escape_default().collect::<Vec<_>>() } else { vec![letter] })
        .collect()
}
