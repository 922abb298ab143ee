//! Where the parts of a JSON text stand, so that one of them can be changed and every other byte stays.
//!
//! The text must be JSON, which whoever asks has proved; of any other text the answer is some range of it.

use std::ops::Range;

/// A member of an object, or an item of a list.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The name, unescaped; empty in a list.
    pub(super) name: String,
    /// From the name to the end of the value.
    pub(super) whole: Range<usize>,
    /// The value.
    pub(super) value: Range<usize>,
}

/// An object or a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// Where its first bracket stands, and its last.
    pub(super) open: usize,
    pub(super) close: usize,
}

impl Parts {
    /// The parts of the object or list that begins at `at`, behind blanks; none of anything else.
    pub(super) fn of(text: &str, at: usize) -> Option<Self> {
        let open = blanks(text, at);
        let is_object = match text.as_bytes().get(open)? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        let mut found = Self { open, ..Self::default() };
        let mut at = blanks(text, open + 1);
        loop {
            if matches!(text.as_bytes().get(at)?, b'}' | b']') {
                found.close = at;
                return Some(found);
            }
            let start = at;
            let mut name = String::new();
            if is_object {
                let end = value_end(text, at)?;
                name = serde_json::from_str(text.get(at..end)?).ok()?;
                at = blanks(text, end);
                (text.as_bytes().get(at) == Some(&b':')).then_some(())?;
                at = blanks(text, at + 1);
            }
            let end = value_end(text, at)?;
            found.list.push(Part { name, whole: start..end, value: at..end });
            at = blanks(text, end);
            if text.as_bytes().get(at) == Some(&b',') {
                at = blanks(text, at + 1);
            }
        }
    }

    /// The member that counts where several have this name: the last, as most readers have it.
    pub(super) fn get(&self, names: &[&str]) -> Option<&Part> {
        self.list.iter().rev().find(|part| names.contains(&part.name.as_str()))
    }

    /// What stands before each part: nothing, a blank, or a line feed with the indentation.
    pub(super) fn gap<'t>(&self, text: &'t str) -> &'t str {
        let end = self.list.first().map_or(self.close, |part| part.whole.start);
        text.get(self.open + 1..end).unwrap_or_default()
    }

    /// Where another part is added, and with what before it.
    pub(super) fn addition(&self, text: &str, part: &str) -> (Range<usize>, String) {
        let gap = self.gap(text);
        match self.list.last() {
            Some(last) => (last.whole.end..last.whole.end, format!(",{gap}{part}")),
            None => (self.open + 1..self.open + 1, part.to_owned()),
        }
    }
}

/// Where the next byte that is no blank stands.
fn blanks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
}

/// Where the value that begins at `at` ends. As deep as the text: with a count, not with calls.
fn value_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, at);
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at)?;
                if depth == 0 {
                    return Some(at);
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ if depth == 0 => {
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b':' | b' ' | b'\t' | b'\r' | b'\n');
                let n_bytes = bytes.get(at..)?.iter().position(is_end).unwrap_or(bytes.len() - at);
                return (n_bytes > 0).then_some(at + n_bytes);
            }
            _ => {}
        }
        at += 1;
    }
}

fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_where_the_text_has_them() {
        let text = " {\"a\\u0062\" : [1, {\"x\": \"}]\\\"\"}] ,\"n\":null, \"n\": -1.5e3\n}";
        let parts = Parts::of(text, 0).unwrap();
        let shown: Vec<(&str, &str)> = parts.list.iter().map(|part| (part.name.as_str(), &text[part.value.clone()])).collect();
        assert_eq!(shown, [("ab", "[1, {\"x\": \"}]\\\"\"}]"), ("n", "null"), ("n", "-1.5e3")]);
        assert_eq!(parts.get(&["n"]).map(|part| &text[part.whole.clone()]), Some("\"n\": -1.5e3"));
        assert_eq!((parts.gap(text), &text[parts.close..]), ("", "}"));
        let list = Parts::of(text, parts.list[0].value.start).unwrap();
        assert_eq!(list.list.len(), 2);
        assert_eq!(Parts::of("[ ]", 0).map(|parts| (parts.list.len(), parts.close)), Some((0, 2)));
        for broken in ["", "1", "{", "[1", "{\"a\"}", "{\"a\" 1}", "[,]", "{\"a\": \"\\", "[}", "{\"a\":"] {
            let _ = Parts::of(broken, 0);
        }
    }
}
