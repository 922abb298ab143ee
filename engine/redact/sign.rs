//! Finds what joins a name to its value: a sign, a bracket, a blank, the end of a tag.

use super::literal::{quote_at, skip_blanks};
use super::place::{Before, Format, Holds};
use std::ops::Range;

/// How a value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `=`, `:`, `=>` and the like.
    Assigned,
    /// `(` or `,` before a literal.
    Argument,
    /// `--name value`.
    Flag,
    /// `<name>value`.
    Element,
    /// A blank, or `is`.
    Spoken,
}

/// Where a value starts and how it is tied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sign {
    pub(super) at: usize,
    pub(super) link: Link,
    /// Whether the name itself is quoted: `("password", "…")`.
    pub(super) is_quoted_name: bool,
}

/// How far from its name a value may start, and how far a type may push the equals sign: `: Option<&'static str> = `.
const MAX_AHEAD: usize = 192;
const MAX_TYPE: usize = 56;
/// Marks that may close a name: `\"]`.
const MAX_CLOSERS: usize = 6;

/// Signs of assignment and comparison, the longer ones first.
const SIGNS: [&[u8]; 20] = [
    b"<<<",
    b"===",
    b"!==",
    b"||=",
    b"??=",
    b":=",
    b"=>",
    b"==",
    b"!=",
    b"?=",
    b"+=",
    b"->",
    b"~>",
    b"\\u003d",
    b"=",
    b":",
    b"%3D",
    b"%3d",
    "：".as_bytes(),
    "→".as_bytes(),
];

/// What follows the name in `name`.
pub(super) fn sign_after(text: &[u8], name: Range<usize>, before: Before<'_>, holds: Holds) -> Option<Sign> {
    let limit = text.len().min(name.end + MAX_AHEAD);
    let feed = text[name.end..limit].iter().position(|b| *b == b'\n').map_or(limit, |length| name.end + length);
    let is_tag = matches!(before.last(), Some(b'<')) || before.last() == Some(b':') && before.bytes().contains(&b'<');
    let (mut at, is_closed, is_bracketed) = closers(text, name.end, feed);
    let is_quoted_name = is_closed && matches!(before.last(), Some(b'"' | b'\'' | b'`' | b';' | b'-' | b'/' | b'.' | b':'));
    if before.bytes().ends_with(b"$(")
        || (before.last() == Some(b'/') && before.bytes().iter().rev().take(MAX_CLOSERS * 8).any(|b| *b == b'@'))
    {
        // `$(pwd)` runs a command, `@scope/password` is a package.
        return None;
    }
    let gap = at;
    at = skip_blanks(text, at, feed);
    while text[at..feed].starts_with(NO_BREAK) {
        at = skip_blanks(text, at + NO_BREAK.len(), feed);
    }
    if at == feed {
        return below(text, name, before, feed);
    }
    let sign = |at: usize, link: Link| Some(Sign { at: skip_blanks(text, at, feed), link, is_quoted_name });
    if is_tag {
        // `<password>`, `<password type="plain">`.
        let close = text[at..feed].iter().position(|b| *b == b'>').map(|length| at + length)?;
        return (text.get(close - 1) != Some(&b'/')).then_some(Sign { at: close + 1, link: Link::Element, is_quoted_name });
    }
    let rest = &text[at..feed];
    if let Some(skip) = typed(rest) {
        return sign(at + skip, Link::Assigned);
    }
    // `${PASSWORD:?is missing}`
    if before.bytes().ends_with(b"${") {
        match rest {
            // Robot Framework: `${PASSWORD}    …`.
            [b'}', b' ', b' ' | b'\t', ..] | [b'}', b'\t', ..] if before.is_head() || before.bytes() == b"${" => {
                return sign(at + 1, Link::Assigned);
            }
            [b':', b'?', ..] => return None,
            // `${PASSWORD:-default}`
            [b':', b'-' | b'=' | b'+', ..] => return sign(at + 2, Link::Assigned),
            _ => {}
        }
    }
    if let Some(found) = SIGNS.iter().find(|sign| rest.starts_with(sign)) {
        let after = at + found.len();
        // `password::reset` is a path, `:password:` a role; `password: ` a setting.
        let is_path = *found == b":" && text.get(after) == Some(&b':');
        // `**Password:** …`
        let marks = ["** ", "__ ", "* "].iter().find(|marks| text[after..feed].starts_with(marks.as_bytes()));
        return if is_path { None } else { sign(after + marks.map_or(0, |marks| marks.len()), Link::Assigned) };
    }
    // `foo(process.env.DB_PASSWORD || "…")`
    if rest.starts_with(b"|| ") || rest.starts_with(b"?? ") {
        return argument(text, at + 3, feed, is_quoted_name);
    }
    // `key, err := hex.DecodeString("…")`
    if let Some(skip) =
        RESULTS.iter().find(|result| rest.starts_with(result)).map(|result| result.len()).filter(|_| !is_quoted_name)
    {
        return sign(at + skip, Link::Assigned);
    }
    match *rest.first()? {
        b'>' if is_quoted_name => Some(Sign { at: at + 1, link: Link::Element, is_quoted_name }),
        b'<' if before.last() == Some(b'>') && rest.starts_with(b"</") => {
            element_after(text, at, limit).map(|at| Sign { at, link: Link::Element, is_quoted_name })
        }
        b'{' if is_bracketed => argument(text, at + 1, feed, is_quoted_name),
        b'(' if !is_quoted_name => argument(text, at + 1, feed, is_quoted_name),
        // `{password, "…"}`
        b',' if before.last() == Some(b'{') && !is_quoted_name => argument(text, at + 1, feed, is_quoted_name),
        b',' if is_quoted_name && is_setter(before) => sign(at + 1, Link::Assigned),
        b',' if is_quoted_name => argument(text, at + 1, feed, is_quoted_name),
        b'|' if before.last() == Some(b' ') && before.bytes().contains(&b'|') => sign(at + 1, Link::Assigned),
        _ if at == gap || is_quoted_name => None,
        _ if text[name.start..].starts_with(b"-") => Some(Sign { at, link: Link::Flag, is_quoted_name }),
        b'-' | b'+' | b'*' | b'/' | b'&' | b')' | b']' => None,
        // `$password eq '…'`
        _ if rest.starts_with(b"eq ") || rest.starts_with(b"ne ") => argument(text, at + 3, feed, is_quoted_name),
        // `Add LdapPassword to keystone2`: that is where it goes.
        _ if rest.starts_with(b"to ") && before.is_handed_on() => None,
        _ if [&b"is "[..], b"is: ", b"was ", b"to "].iter().any(|word| rest.starts_with(word)) => {
            let word = rest.iter().position(|b| *b == b' ').unwrap_or_default();
            spoken(text, at + word, feed, is_quoted_name, holds)
        }
        // Tcl: `set pass "…"`.
        _ if before.bytes().trim_ascii() == b"set" && quote_at(text, at).is_some() => sign(at, Link::Assigned),
        // `bindpw value` in a file in which a blank parts the two.
        _ if holds == Holds::Lines(Format::Blank) && !before.is_text() => Some(Sign { at, link: Link::Assigned, is_quoted_name }),
        // Two backticks are one mark of reStructuredText.
        _ if rest.starts_with(b"``") && rest.get(2).is_some_and(u8::is_ascii_alphanumeric) => {
            Some(Sign { at: at + 1, link: Link::Spoken, is_quoted_name })
        }
        _ => Some(Sign { at, link: Link::Spoken, is_quoted_name }),
    }
}

/// A blank at which a line does not break, as web pages have it.
const NO_BREAK: &[u8] = b"\xc2\xa0";

/// The value on the next line: an item behind one that is a flag, and the value of a key of YAML behind `?`.
fn below(text: &[u8], name: Range<usize>, before: Before<'_>, feed: usize) -> Option<Sign> {
    let limit = text.len().min(feed + MAX_AHEAD);
    let head = before.bytes().trim_ascii();
    let start = skip_blanks(text, (feed + 1).min(limit), limit);
    let is_flag = text[name.start..].starts_with(b"--") && matches!(head, b"-" | b"- \"" | b"- '");
    let mark: &[u8] = match head {
        b"?" => b": ",
        _ if is_flag => b"- ",
        _ => return None,
    };
    let link = if is_flag { Link::Flag } else { Link::Assigned };
    let at = skip_blanks(text, start + mark.len(), limit);
    (text[start..limit].starts_with(mark) && at < limit && text[at] != b'-').then_some(Sign { at, link, is_quoted_name: false })
}

/// What stands between a name and the call that gives it its value, with whether that failed.
const RESULTS: [&[u8]; 6] = [b", err := ", b", _ := ", b", ok := ", b", err = ", b", _ = ", b", ok = "];

/// Functions that give a name its value.
const SETTERS: [&[u8]; 9] = [
    b"define",
    b"setenv",
    b"putenv",
    b"Setenv",
    b"setProperty",
    b"set_var",
    b"setdefault",
    b"update_option",
    b"SetEnvironmentVariable",
];

/// Whether a function that gives a name its value was called right before.
fn is_setter(before: Before<'_>) -> bool {
    let call = before.bytes().trim_ascii_end();
    let call = call.strip_suffix(b"\"").or_else(|| call.strip_suffix(b"'")).unwrap_or(call).trim_ascii_end();
    call.strip_suffix(b"(").is_some_and(|call| SETTERS.iter().any(|setter| call.trim_ascii_end().ends_with(setter)))
}

/// `password is …`, `password is: …`: says that what follows is the value.
fn spoken(text: &[u8], at: usize, feed: usize, is_quoted_name: bool, holds: Holds) -> Option<Sign> {
    let at = skip_blanks(text, at, feed);
    let link = if holds == Holds::Code { Link::Spoken } else { Link::Assigned };
    (holds != Holds::Code || quote_at(text, at).is_none()).then_some(Sign { at, link, is_quoted_name })
}

/// Behind the marks that close a name; whether a quote is among them, and whether a round bracket.
fn closers(text: &[u8], from: usize, limit: usize) -> (usize, bool, bool) {
    let (mut at, mut is_quoted, mut is_bracketed) = (from, false, false);
    for _ in 0..MAX_CLOSERS {
        match text.get(at).filter(|_| at < limit) {
            Some(b'\\' | b'"' | b'\'' | b'`') => {
                is_quoted |= text[at] != b'\\';
                at += 1;
            }
            Some(b')' | b']') => {
                is_bracketed |= text[at] == b')';
                at += 1;
            }
            // `{{password}}`, `**password**:`.
            Some(b'*') if text.get(at + 1).is_some_and(|b| matches!(b, b'*' | b':' | b' ')) => at += 1,
            Some(b'&') => match quote_at(text, at) {
                Some((_, length)) => {
                    is_quoted = true;
                    at += length;
                }
                None => break,
            },
            _ => break,
        }
    }
    (at, is_quoted, is_bracketed)
}

/// Behind the equals sign that follows a type.
fn typed(rest: &[u8]) -> Option<usize> {
    // `: [u8; 32] = `
    let mut depth = 0_usize;
    let mut is_type = |b: &u8| {
        depth = match b {
            b'[' => depth + 1,
            b']' => depth.saturating_sub(1),
            _ => depth,
        };
        b.is_ascii_alphanumeric() || b": &'<>_?|.[]*".contains(b) || depth > 0 && *b == b';'
    };
    let length = rest.iter().take(MAX_TYPE).take_while(|b| is_type(b)).count();
    let sign = rest[..length.min(rest.len())].len();
    // The blank before the sign is part of the run.
    let is_sign = sign > 1
        && rest.get(sign) == Some(&b'=')
        && rest[sign - 1] == b' '
        && !matches!(rest.get(sign + 1), Some(b'=' | b'>' | b'~'));
    (is_sign && rest.first() != Some(&b'=')).then_some(sign + 1)
}

/// A literal behind a bracket or a comma: what is not quoted there is a variable.
fn argument(text: &[u8], at: usize, limit: usize, is_quoted_name: bool) -> Option<Sign> {
    let at = skip_blanks(text, at, limit);
    let at = if text[at..].starts_with(b"<<\"") { at + 2 } else { at };
    super::literal::literal_at(text, at).map(|_| Sign { at, link: Link::Argument, is_quoted_name })
}

/// `<key>password</key> <string>…`: behind the tag that opens next.
fn element_after(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    let close = at + text[at..limit].iter().position(|b| *b == b'>')? + 1;
    let open = close + text[close..limit].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let is_open = text.get(open) == Some(&b'<') && text.get(open + 1).is_some_and(u8::is_ascii_alphabetic);
    is_open.then(|| text[open..limit].iter().position(|b| *b == b'>').map(|length| open + length + 1)).flatten()
}
