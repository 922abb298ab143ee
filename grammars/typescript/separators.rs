//! Signatures that begin with type parameters on a line of their own: the grammar takes the `<` for a comparison with the line above.
//!
//! The language itself ends the member before at the line break. Must not judge whether the place is inside an interface: the parser does.

/// White space in front of lines that begin with `<`, where the code above could end a member.
pub(super) fn missing(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut may_end = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        let indent = line.len() - line.trim_start().len();
        if may_end && indent > 0 && code.starts_with('<') {
            found.push(start + indent - 1);
        }
        let is_comment = code.starts_with("//") || code.starts_with("/*") || code.starts_with('*');
        if !code.is_empty() && !is_comment {
            may_end = code.ends_with([')', '>', ']', '}', '\'', '"']) || code.ends_with(|c: char| c.is_alphanumeric());
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn a_line_of_type_parameters_follows_what_can_end() {
        let text = "interface I {\n  <A>(a: A): B\n\n  // next\n  <C>(c: C): D;\n  <E>(\n    e: E\n  ): F\n  <G>(g: G): H\n}\n";
        let places: Vec<&str> = missing(text).into_iter().map(|at| text[at + 1..].lines().next().unwrap_or_default()).collect();
        assert_eq!(places, ["<C>(c: C): D;", "<G>(g: G): H"]);
    }
}
