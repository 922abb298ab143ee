//! Finds texts that the parser would read in too many ways: where `a<b,` stands again and again, each `<` compares or opens arguments of a type.
//!
//! At the end of the file the parser puts together every such way that is still open, which is quadratic in their number and cannot be stopped:
//! 64 KB took 4.2 GB.

/// How many may be open at a time. Of 31,000 files of TypeScript and JavaScript none that is not a table has more than a hundred.
const MAX_OPEN: usize = 1_000;

/// Whether more places are open at a time than the parser can bear.
pub(super) fn has_too_many(text: &str) -> bool {
    most_open(text.as_bytes()) > MAX_OPEN
}

/// The most places that are open at a time.
fn most_open(text: &[u8]) -> usize {
    let (mut n_open, mut most, mut at) = (0_usize, 0, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'/' | b'"' | b'\'' | b'`' => {
                at = after_quiet(text, at);
                continue;
            }
            b'<' if opens(text, at + 1) => {
                n_open += 1;
                most = most.max(n_open);
            }
            // `=>` closes nothing.
            b'>' if text.get(at.wrapping_sub(1)) != Some(&b'=') => n_open = n_open.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    most
}

/// How far behind a `<` the end of what is compared is looked for.
const MAX_OPERAND: usize = 256;

/// Whether what follows a `<` can be the first of several types: up to a comma, or in brackets.
fn opens(text: &[u8], from: usize) -> bool {
    let limit = text.len().min(from + MAX_OPERAND);
    let mut at = from;
    while at < limit {
        match text[at] {
            b'{' | b'(' | b'[' | b',' => return true,
            b';' | b')' | b'>' | b'=' | b'&' | b'+' | b'}' => return false,
            b'/' | b'"' | b'\'' | b'`' => at = after_quiet(text, at),
            _ => at += 1,
        }
    }
    true
}

/// Behind the comment or text that begins at `at`, or behind that byte where none does.
fn after_quiet(text: &[u8], at: usize) -> usize {
    let rest = &text[at + 1..];
    let behind = |mark: &[u8]| memchr::memmem::find(rest, mark).map_or(text.len(), |found| at + 1 + found + mark.len());
    match (text[at], rest.first()) {
        (b'/', Some(b'/')) => behind(b"\n"),
        (b'/', Some(b'*')) => behind(b"*/"),
        (b'/', _) => at + 1,
        (mark, _) => {
            let mut to = 0;
            // A text of one line ends with it.
            while let Some(byte) = rest.get(to) {
                match byte {
                    b'\\' => to += 2,
                    b'\n' if mark != b'`' => return at + 1,
                    byte if *byte == mark => return at + to + 2,
                    _ => to += 1,
                }
            }
            at + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::most_open;

    #[test]
    fn what_stays_open_is_counted() {
        for (text, expected) in [
            ("x = a<b,a<b,a<b", 3),
            ("x = a<{b: 1;},a<() => b,a<\">\",a</*>*/b,", 4),
            ("const a: Map<string, Map<string, number>> = f(a < b, c)", 2),
            ("for (let i = 0; i < n; i++) { if (a < b && c < d) { e<string>() } }\n// a<b,a<b,\nlet s = 'a<b,a<b'", 0),
        ] {
            assert_eq!(most_open(text.as_bytes()), expected, "{text}");
        }
    }
}
