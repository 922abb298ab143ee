//! Macros that give what their argument holds: `macro_rules! tri { ($e:expr) => { match $e { Ok(v) => v, Err(e) => return Err(e) } }; }`.

/// The variants of what may go wrong, or be there later, that hold what is wanted.
const HELD: [&str; 3] = ["Ok", "Ready", "Some"];

/// The most words of a definition that are looked at.
const MAX_WORDS: usize = 256;

/// Whether each rule of a macro matches its first argument and gives what one of these variants holds, or leads to another rule.
pub(super) fn takes_out(definition: &str) -> bool {
    let words = words(definition);
    let ["macro_rules", "!", name, rest @ ..] = words.as_slice() else { return false };
    let (mut rest, mut any) = (inside(rest), false);
    while let Some(pattern) = group(rest) {
        let ["=>", after @ ..] = &rest[pattern.len()..] else { return false };
        let Some(body) = group(after) else { return false };
        let leads_on = matches!(unwrapped(body), [called, "!", ..] if called == name);
        if !leads_on && !takes_first(pattern, unwrapped(body)) {
            return false;
        }
        any |= !leads_on;
        rest = after[body.len()..].strip_prefix(&[";"]).unwrap_or(&after[body.len()..]);
    }
    any
}

/// Whether what a rule gives is a `match` of its first argument whose first arm gives what a variant holds.
fn takes_first(pattern: &[&str], body: &[&str]) -> bool {
    let (["$", first, ..], ["match", "$", matched, arms @ ..]) = (inside(pattern), body) else { return false };
    let arms = inside(arms);
    let n_path = arms.iter().take_while(|word| !matches!(**word, "=>" | "," | "(" | "{")).count();
    let Some(variant) = n_path.checked_sub(1).map(|last| arms[last]) else { return false };
    let ["(", held, ")", "=>", taken, after @ ..] = &arms[n_path..] else { return false };
    let is_all = after.first().is_none_or(|word| *word == ",");
    is_all && first == matched && HELD.contains(&variant) && held == taken
}

/// What stands in brackets of which there may be several.
fn unwrapped<'a, 'w>(mut words: &'a [&'w str]) -> &'a [&'w str] {
    while group(words).is_some_and(|all| all.len() == words.len()) {
        words = inside(words);
    }
    words
}

/// The brackets that words begin with, and all between them.
fn group<'a, 'w>(words: &'a [&'w str]) -> Option<&'a [&'w str]> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then(|| &words[..=at]);
        }
    }
    None
}

/// What stands between the brackets that words begin with.
fn inside<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    group(words).map_or(&[], |all| &all[1..all.len() - 1])
}

/// Words and signs, without comments; nothing of a long definition.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if found.len() == MAX_WORDS {
            return Vec::new();
        }
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("=>") || rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}
