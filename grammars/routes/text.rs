//! Arguments of calls as texts: where each begins, and what a path among them says.

/// The most bytes of arguments that are looked at.
const MAX_ARGUMENTS: usize = 16 << 10;
/// What strings stand between.
const QUOTES: [u8; 3] = [b'"', b'\'', b'`'];
/// The most bytes in front of a call that are looked at.
const MAX_BEFORE: usize = 256;
/// The most bytes of a path.
const MAX_PATH: usize = 512;
/// Stands for what is not written down in a path.
pub const HOLE: &str = "{}";

/// The arguments of a call, with the byte at which each begins in the text of all of them, which has its brackets.
pub(super) fn arguments(text: &str) -> Vec<(usize, &str)> {
    let open = usize::from(text.starts_with('('));
    listed(&text[open..]).into_iter().map(|(at, part)| (at + open, part)).collect()
}

/// What stands between commas, with the byte at which each part begins.
pub(super) fn listed(text: &str) -> Vec<(usize, &str)> {
    split(first_bytes(text, MAX_ARGUMENTS), b',').into_iter().filter(|(_, part)| !part.is_empty()).collect()
}

/// Parts of a text between separators that stand in no brackets and no string, without blanks around them. Ends where a bracket closes that
/// was not opened.
pub(super) fn split(text: &str, separator: u8) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let (mut parts, mut start, mut depth, mut at) = (Vec::new(), 0, 0_usize, 0);
    // Up to where none of each kind of quotes ends a string: what is looked for there once is not looked for again.
    let mut endless = [0_usize; QUOTES.len()];
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let end = &mut endless[QUOTES.iter().position(|of| *of == quote).unwrap_or_default()];
                if at >= *end {
                    match end_of_string(bytes, at) {
                        Ok(last) => at = last,
                        Err(none) => *end = none,
                    }
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            byte if byte == separator && depth == 0 => {
                parts.push(trimmed(text, start, at));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(trimmed(text, start, at.min(bytes.len())));
    parts
}

/// The places of a sign of a program that stand in no brackets, no string and no comment.
pub(super) fn at_top(text: &str, sign: u8) -> Vec<usize> {
    let bytes = text.as_bytes();
    let behind =
        |at: usize, end: &str| text.get(at..).and_then(|rest| rest.find(end)).map_or(bytes.len(), |n| at + n + end.len());
    let (mut places, mut depth, mut at) = (Vec::new(), 0_usize, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => behind(at, "\n"),
            b'/' if bytes[at..].starts_with(b"/*") => behind(at + 2, "*/"),
            b'"' if bytes[at..].starts_with(b"\"\"\"") => behind(at + 3, "\"\"\""),
            b'"' | b'\'' | b'`' => match end_of_string(bytes, at) {
                Ok(last) => last + 1,
                // What does not end takes what follows with it.
                Err(none) => none.max(at + 1),
            },
            byte => {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    _ if byte == sign && depth == 0 => places.push(at),
                    _ => {}
                }
                at + 1
            }
        };
    }
    places
}

fn trimmed(text: &str, start: usize, end: usize) -> (usize, &str) {
    let part = text.get(start..end).unwrap_or_default();
    (start + part.len() - part.trim_start().len(), part.trim())
}

/// The last byte of a string that begins at a byte; the byte up to which it does not end where it does not.
fn end_of_string(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            // An apostrophe in a comment, a lifetime.
            b'\n' if quote != b'`' => return Err(at),
            byte if byte == quote => return Ok(at),
            _ => {}
        }
        at += 1;
    }
    Err(bytes.len())
}

/// What stands between the brackets that a text begins with.
pub(super) fn bracketed(text: &str) -> Option<&str> {
    let inside = first_bytes(text.strip_prefix('(')?, MAX_ARGUMENTS);
    let (at, last) = split(inside, 0).pop()?;
    inside.get(at + last.len()..)?.trim_start().starts_with(')').then(|| &inside[at..at + last.len()])
}

/// The value of an argument that has a name, as `prefix="/x"` or `prefix: "/x"`.
pub(super) fn keyword<'a>(arguments: &[(usize, &'a str)], name: &str) -> Option<&'a str> {
    arguments.iter().find_map(|(_, argument)| {
        let rest = argument.strip_prefix(name)?.trim_start();
        rest.strip_prefix(['=', ':']).filter(|rest| !rest.starts_with(['=', ':'])).map(str::trim_start)
    })
}

/// The value of a member of an object in place.
pub(super) fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let inside = object.strip_prefix('{')?;
    keyword(&split(inside, b','), name)
}

/// A string literal that is all of a text: what stands between its quotes, with a hole for each part that is computed.
pub(super) fn literal(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('&');
    let quote_at = text.find(['"', '\'', '`'])?;
    let mark = &text[..quote_at];
    if mark.len() > 2 || !mark.bytes().all(|byte| b"fFrRbBuU#".contains(&byte)) {
        return None;
    }
    let rest = &text[quote_at..];
    let quote = &rest[..1];
    let body = rest.strip_prefix(quote)?;
    let (body, end) = body.split_once(quote)?;
    let is_all = end.is_empty() || mark.ends_with('#') && end == "#";
    if !is_all || body.len() > MAX_PATH || body.contains(['\\', '\n']) {
        return None;
    }
    match quote {
        "`" => holes(body, "${", "}"),
        _ if mark.contains(['f', 'F']) => holes(body, "{", "}"),
        _ => Some(body.to_owned()),
    }
}

/// A text with a hole for each stretch between two marks.
fn holes(text: &str, open: &str, close: &str) -> Option<String> {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((before, inside)) = rest.split_once(open) {
        let (_, after) = inside.split_once(close)?;
        whole.push_str(before);
        whole.push_str(HOLE);
        rest = after;
    }
    whole.push_str(rest);
    Some(whole)
}

/// What an expression is as a text, with a hole for each part that is not written down; nothing where no part is.
pub(super) fn written(text: &str) -> Option<String> {
    let pieces = split(text, b'+');
    let mut whole = String::new();
    let mut is_known = false;
    for (_, piece) in &pieces {
        if let Some(said) = literal(piece).or_else(|| formatted(piece)) {
            is_known = true;
            whole.push_str(&said);
        } else {
            whole.push_str(HOLE);
        }
    }
    (is_known && whole.len() <= MAX_PATH).then_some(whole)
}

/// A text that is put together by a pattern: `fmt.Sprintf("/a/%d", x)`, `format!("/a/{x}")`, `"/a/{}".format(x)`.
fn formatted(text: &str) -> Option<String> {
    let text = text.trim_start_matches('&');
    if let Some(rest) = text.strip_prefix("fmt.Sprintf").and_then(bracketed) {
        let pattern = literal(split(rest, b',').first()?.1)?;
        let mut parts = pattern.split('%');
        let mut whole = parts.next()?.to_owned();
        for part in parts {
            whole.push_str(HOLE);
            whole.push_str(part.get(1..)?);
        }
        return Some(whole);
    }
    if let Some(rest) = text.strip_prefix("format!").and_then(bracketed) {
        return holes(&literal(split(rest, b',').first()?.1)?, "{", "}");
    }
    let (pattern, _) = text.split_once(".format(")?;
    holes(&literal(pattern)?, "{", "}")
}

/// The path of a request: without host, query and fragment. The second says whether something unknown stands in front of it. Nothing where it
/// is no path from the root.
pub(super) fn request_path(text: &str) -> Option<(String, bool)> {
    let mut has_base = false;
    let mut path = text;
    if let Some(rest) = ["http://", "https://"].iter().find_map(|scheme| path.strip_prefix(scheme)) {
        path = &rest[rest.find('/')?..];
    } else if let Some(rest) = path.strip_prefix(HOLE) {
        has_base = true;
        path = rest;
    }
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let mut path = path[..end].to_owned();
    // What stands in front may end with the slash.
    if has_base && path.starts_with(char::is_alphabetic) && path.contains('/') {
        path.insert(0, '/');
    }
    let is_path = path.starts_with('/') && !path.starts_with("//") && !path.contains(char::is_whitespace);
    // What follows a word without a slash may be a part of it or a query.
    let is_clear = path.split('/').all(|part| part == HOLE || !part.contains(HOLE));
    (is_path && is_clear).then_some((path, has_base))
}

/// The name in front of a byte to which a value is assigned there: `r` of `r := f()`, `router` of `const router: Router = f()`.
pub(super) fn assigned(source: &str, at: usize) -> Option<&str> {
    let line = before(source, at).trim_end();
    let line = line.strip_suffix("new").or_else(|| line.strip_suffix("await")).map_or(line, str::trim_end);
    let left = line.strip_suffix(":=").or_else(|| line.strip_suffix('='))?;
    if left.ends_with(['=', '!', '<', '>', '+']) {
        return None;
    }
    let left = left.split_once(':').map_or(left, |(name, _)| name).trim_end();
    let name = left.rsplit(|c: char| c.is_whitespace() || c == ',').next()?;
    is_dotted(name).then_some(name)
}

/// The text of a line in front of a byte.
pub(super) fn before(source: &str, at: usize) -> &str {
    let text = source.get(..at).unwrap_or_default();
    let line = &text[text.rfind('\n').map_or(0, |end| end + 1)..];
    let first = (line.len().saturating_sub(MAX_BEFORE)..line.len()).find(|at| line.is_char_boundary(*at));
    first.map_or("", |at| &line[at..])
}

/// The first bytes of a text, at most so many.
pub(super) fn first_bytes(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or_default()]
}

/// Whether a text is names with dots or colons between them.
pub(super) fn is_dotted(text: &str) -> bool {
    let is_part = |part: &str| {
        part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    !text.is_empty() && text.split("::").flat_map(|part| part.split('.')).all(is_part)
}

/// The last of names with dots or colons between them.
pub(super) fn last_part(text: &str) -> &str {
    text.rsplit(['.', ':']).next().unwrap_or(text)
}
