//! String literals as arguments of calls: what they say once escapes are resolved.
//!
//! Reads the common escapes of C and its heirs.

/// A string literal at the start of a list of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal<'a> {
    /// The quote it stands in: `"`, `'` or a back quote.
    pub(crate) quote: char,
    /// What stands between the quotes, as written.
    pub(crate) body: &'a str,
    /// What follows, without the blanks in front.
    pub(crate) rest: &'a str,
}

impl<'a> Literal<'a> {
    /// The first argument, where it begins with a string. `holes` says whether `${...}` between back quotes is code.
    pub(crate) fn first(arguments: &'a str, holes: bool) -> Option<Self> {
        // Ruby and Lua leave brackets out.
        let text =
            arguments.strip_prefix('(').or_else(|| Some(arguments).filter(|text| text.starts_with(['"', '\''])))?.trim_start();
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let body = &text[1..];
        let raw = quote == '`' && !holes;
        let mut depth = 0_usize;
        let mut before = ' ';
        for (at, c) in body.char_indices() {
            let escaped = before == '\\' && !raw;
            if c == quote && depth == 0 && !escaped {
                return Some(Self { quote, body: &body[..at], rest: body[at + 1..].trim_start() });
            }
            if quote == '`' && holes && !escaped {
                depth += usize::from(c == '{' && (depth > 0 || before == '$'));
                depth -= usize::from(c == '}' && depth > 0);
            }
            before = if escaped { ' ' } else { c };
        }
        None
    }

    /// Whether the literal is all of the first argument.
    pub(crate) fn is_whole(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with([',', ')'])
    }
}

/// A text with its escapes resolved; nothing where one of them is not understood.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next()? {
            'n' => plain.push('\n'),
            't' => plain.push('\t'),
            'r' => plain.push('\r'),
            'b' => plain.push('\u{8}'),
            'f' => plain.push('\u{c}'),
            'v' => plain.push('\u{b}'),
            // A line that goes on.
            '\n' => {}
            // Beyond ASCII it is a byte in one language and a character in another.
            'x' => plain.push(char::from_u32(number(&mut chars, 2)?).filter(char::is_ascii)?),
            'u' => plain.push(unicode(&mut chars)?),
            'U' => plain.push(char::from_u32(number(&mut chars, 8)?)?),
            // Octal numbers, and the bell in one language.
            c if c.is_ascii_digit() || c == 'a' => return None,
            c => plain.push(c),
        }
    }
    Some(plain)
}

/// So many hexadecimal digits.
fn number(chars: &mut std::str::Chars<'_>, n_digits: usize) -> Option<u32> {
    let digits = chars.as_str().get(..n_digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    *chars = chars.as_str()[n_digits..].chars();
    u32::from_str_radix(digits, 16).ok()
}

/// `FFFF`, `{FFFFF}`, or two halves of a character as `FFFF\uFFFF`.
fn unicode(chars: &mut std::str::Chars<'_>) -> Option<char> {
    if let Some(rest) = chars.as_str().strip_prefix('{') {
        let (digits, rest) = rest.split_once('}')?;
        *chars = rest.chars();
        return char::from_u32(u32::from_str_radix(digits, 16).ok()?);
    }
    let first = number(chars, 4)?;
    if let Some(c) = char::from_u32(first) {
        return Some(c);
    }
    *chars = chars.as_str().strip_prefix("\\u")?.chars();
    let halves = [u16::try_from(first).ok()?, u16::try_from(number(chars, 4)?).ok()?];
    char::decode_utf16(halves).next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_ends_at_its_own_quote() {
        let first = |arguments, holes| Literal::first(arguments, holes).map(|literal| (literal.body, literal.rest));
        assert_eq!(first(r#"( "a \" b" , f)"#, true), Some((r#"a \" b"#, ", f)")));
        assert_eq!(first(r#"("a" + b)"#, true), Some(("a", "+ b)")));
        assert_eq!(first("(`a ${f({ b: `c` })} d`, f)", true), Some(("a ${f({ b: `c` })} d", ", f)")));
        assert_eq!(first(r"(`a\`, f)", false), Some((r"a\", ", f)")));
        for none in ["(f)", "()", "", "(\"a", "(`${a`)"] {
            assert_eq!(first(none, true), None, "{none}");
        }
    }

    #[test]
    fn escapes_are_resolved_or_the_text_is_unknown() {
        assert_eq!(unescape(r#"it\'s \"a\"\n\t\\ \x41\u00e9\u{1F600}\ud83d\ude00"#).as_deref(), Some("it's \"a\"\n\t\\ Aé😀😀"));
        assert_eq!(unescape(r"\d\`\$"), Some("d`$".to_owned()));
        for unknown in [r"\a", r"\x9", r"\xff", r"\ud83d", r"\u12", r"\101", "\\"] {
            assert_eq!(unescape(unknown), None, "{unknown}");
        }
    }
}
