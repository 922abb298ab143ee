//! `new` of an expression, which Go has since 1.26 and the grammar does not: there, `new` takes a type.

use std::ops::Range;

/// How far an argument is read to tell a type from an expression.
const MAX_READ: usize = 256;

/// Words that begin a type.
const OF_TYPES: [&str; 5] = ["chan", "func", "interface", "map", "struct"];

/// The words `new` in front of arguments that are no types. Without it the argument stands in brackets, which is an expression of its type.
pub(super) fn new_of_values(text: &str) -> Vec<Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 128;
    let bytes = text.as_bytes();
    let places = text.match_indices("new(").map(|(at, _)| at);
    let is_own = |at: &usize| !at.checked_sub(1).is_some_and(|before| is_word(&bytes[before]) || bytes[before] == b'.');
    let places = places.filter(is_own).filter(|at| {
        let argument = &bytes[at + "new(".len()..];
        is_value(argument[..argument.len().min(MAX_READ)].trim_ascii_start())
    });
    places.map(|at| at..at + "new".len()).collect()
}

/// Whether what begins here cannot be a type.
fn is_value(argument: &[u8]) -> bool {
    // A pointer, or what one leads to.
    let n_stars = argument.iter().take_while(|byte| **byte == b'*').count();
    let argument = &argument[n_stars..];
    let n_path = argument.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte) || **byte >= 128).count();
    let (path, rest) = argument.split_at(n_path);
    if OF_TYPES.iter().any(|word| word.as_bytes() == path) {
        return false;
    }
    let Some(first) = argument.first() else { return false };
    if path.is_empty() && *first != b'[' {
        // A text, a sign in front of a value, brackets around one.
        return b"\"`'+-!&^<(".contains(first);
    }
    if first.is_ascii_digit() {
        return true;
    }
    // What stands behind a name, its type arguments, or the length of a list.
    let behind = after_brackets(rest).trim_ascii_start();
    let behind = if path.is_empty() {
        let n_path = behind.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.*".contains(byte)).count();
        let (element, rest) = behind.split_at(n_path);
        if OF_TYPES.iter().any(|word| word.as_bytes() == element) { &[] } else { rest }
    } else {
        behind
    };
    behind.first().is_some_and(|byte| b"({+-/%&|^<>=*".contains(byte))
}

/// What stands behind square brackets, if it begins with such.
fn after_brackets(text: &[u8]) -> &[u8] {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { text } else { &text[at + 1..] };
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::{Range, new_of_values};

    #[test]
    fn new_of_a_value_is_told_from_new_of_a_type() {
        for value in
            ["3", "\"x\" + y", "f()", "p.F(1)", "T{1}", "T[int]{}", "[]int{1}", "[2]p.T{}", "-1", "!b", "a + b", "(x)", "a.b*c"]
        {
            assert_eq!(new_of_values(&format!("x := new({value})")), vec![Range { start: 5, end: 8 }], "{value}");
        }
        for of_type in [
            "T",
            "p.T",
            "T[int]",
            "[]int",
            "[4]byte",
            "map[string]int",
            "func() int",
            "struct{ a int }",
            "chan T",
            "*T",
            "[]struct{ a int }",
            "[]func()",
        ] {
            assert!(new_of_values(&format!("x := new({of_type})")).is_empty(), "{of_type}");
        }
        assert!(new_of_values("renew(1); a.new(1); new( ").is_empty());
    }
}
