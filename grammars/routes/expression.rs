//! Paths that are regular expressions: `r"^users/(?P<id>[0-9]+)/$"`.

/// The most bytes of one.
const MAX_BYTES: usize = 512;

/// The path that a regular expression in quotes means, with its groups as parts; nothing where it may mean several.
pub(super) fn expression(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['r', 'R']);
    let quote = text.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    let body = text.strip_prefix(quote)?.strip_suffix(quote)?;
    if body.len() > MAX_BYTES || body.contains(['\n', quote]) {
        return None;
    }
    let body = body.strip_prefix('^').unwrap_or(body);
    let mut rest = body.strip_suffix('$').unwrap_or(body);
    let mut path = String::new();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '(' => {
                let (inside, behind) = group(rest)?;
                path.push_str(part(inside)?);
                rest = behind;
            }
            '\\' => {
                let escaped = rest.chars().next().filter(|c| "-./_".contains(*c))?;
                path.push(escaped);
                rest = &rest[1..];
            }
            // A slash at the end says nothing.
            '?' if rest.is_empty() && path.ends_with('/') => {}
            c if c.is_alphanumeric() || "-_/.@~".contains(c) => path.push(c),
            _ => return None,
        }
        if rest.starts_with(['*', '+', '{']) || rest.starts_with('?') && !path.ends_with('/') {
            return None;
        }
    }
    Some(path)
}

/// What stands in a group that was opened, and what stands behind it.
fn group(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut is_class, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ']' => is_class = false,
            '[' => is_class = true,
            '(' if !is_class => depth += 1,
            ')' if !is_class && depth == 0 => return Some((&text[..at], &text[at + 1..])),
            ')' if !is_class => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a rule says several ones, of which a text has to fit one.
fn has_alternatives(rule: &str) -> bool {
    let (mut is_class, mut is_escaped) = (false, false);
    rule.chars().any(|c| {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            ']' => is_class = false,
            '[' => is_class = true,
            _ => return c == '|' && !is_class,
        }
        false
    })
}

/// What a group means in a path: one part, or any number of them.
fn part(inside: &str) -> Option<&'static str> {
    let rule = match inside.strip_prefix("?P<") {
        Some(named) => named.split_once('>')?.1,
        None if inside.starts_with('?') => return None,
        None => inside,
    };
    // One of some words, or a word, is not any part.
    let is_word = !rule.is_empty() && rule.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    if is_word || has_alternatives(rule) {
        return None;
    }
    Some(if [".*", ".+"].contains(&rule) { "<path:rest>" } else { "<part>" })
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn a_regular_expression_means_a_path_where_it_means_one() {
        let cases = [
            (r#"r"^users/(?P<id>[0-9)]+)/$""#, Some("users/<part>/")),
            (r"r'^feed/?$'", Some("feed/")),
            (r#""^a\-b/(\d+)/c""#, Some("a-b/<part>/c")),
            (r#"r"^files/(?P<rest>.*)$""#, Some("files/<path:rest>")),
            (r#"r"^""#, Some("")),
            (r#"r"^(?:a|b)/""#, None),
            (r#"r"^a|b/""#, None),
            (r#"r"^export/(?P<fmt>json|xml)/""#, None),
            (r#"r"^export/((json|xml))/""#, None),
            (r#"r"^export/(json)/""#, None),
            (r#"r"^pick/([a|b\]|]+\|x*)/""#, Some("pick/<part>/")),
            (r#"r"^a/(x)?/b""#, None),
            (r#"r"^ab?/""#, None),
            (r#"r"^a\d/""#, None),
            (r#"r"^(é""#, None),
            ("PATTERN", None),
            (r#"r"a" + "b""#, None),
        ];
        for (text, expected) in cases {
            assert_eq!(expression(text).as_deref(), expected, "{text}");
        }
    }
}
