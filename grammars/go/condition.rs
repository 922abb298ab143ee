//! Whether a file is left out of a plain build for Linux: by the end of its name, by a `//go:build` line, or by older `// +build` lines.
//!
//! Must not guess: architectures and cgo differ from machine to machine and stay unknown.

/// Operating systems that names and conditions can name.
const SYSTEMS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];

/// Words that differ between machines of one system; so do versions of architectures, such as `amd64.v3`.
const UNKNOWN: [&str; 16] = [
    "386", "amd64", "arm", "arm64", "cgo", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "sparc64", "wasm",
];

/// Words that hold on Linux with the usual tool.
const TRUE: [&str; 3] = ["linux", "unix", "gc"];

/// Deepest nesting that is looked at.
const MAX_NESTING: usize = 16;

/// Whether a file is left out.
pub(super) fn is_left_out(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".go").trim_end_matches("_test");
    // Without anything in front, the name of a system is a plain name.
    let mut ends = name.split('_').skip(1).collect::<Vec<_>>().into_iter().rev();
    let last = ends.next().unwrap_or_default();
    let system = if UNKNOWN.contains(&last) { ends.next().unwrap_or_default() } else { last };
    SYSTEMS.contains(&system) && word(system) == Some(false) || holds(text) == Some(false)
}

/// Whether the condition above the package clause holds; none where there is no condition or nothing decides it.
fn holds(text: &str) -> Option<bool> {
    let head = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("//"));
    let mut older = None;
    for line in head {
        if let Some(condition) = line.strip_prefix("//go:build ") {
            let mut rest = tokens(condition).into_iter().peekable();
            return any(&mut rest, MAX_NESTING);
        }
        if let Some(options) = line.trim_start_matches('/').trim_start().strip_prefix("+build ") {
            let option = |option: &str| option.split(',').map(|part| negated(part)).reduce(both).flatten();
            let line = options.split_whitespace().map(option).reduce(either).flatten();
            older = Some(older.map_or(line, |above| both(above, line)));
        }
    }
    older.flatten()
}

type Tokens<'a> = std::iter::Peekable<std::vec::IntoIter<&'a str>>;

fn tokens(condition: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = condition.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let end = match first {
            '&' | '|' => 2,
            first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        // A single `&` before a longer character.
        let Some(token) = rest.get(..end) else { break };
        tokens.push(token);
        rest = rest[end..].trim_start();
    }
    tokens
}

fn any(rest: &mut Tokens<'_>, nesting: usize) -> Option<bool> {
    let mut value = all(rest, nesting);
    while rest.next_if_eq(&"||").is_some() {
        value = either(value, all(rest, nesting));
    }
    value
}

fn all(rest: &mut Tokens<'_>, nesting: usize) -> Option<bool> {
    let mut value = not(rest, nesting);
    while rest.next_if_eq(&"&&").is_some() {
        value = both(value, not(rest, nesting));
    }
    value
}

fn not(rest: &mut Tokens<'_>, nesting: usize) -> Option<bool> {
    let nesting = nesting.checked_sub(1)?;
    match rest.next()? {
        "!" => not(rest, nesting).map(|held| !held),
        "(" => {
            let value = any(rest, nesting);
            rest.next_if_eq(&")")?;
            value
        }
        token => word(token),
    }
}

/// A word of an older line, with its sign.
fn negated(part: &str) -> Option<bool> {
    part.strip_prefix('!').map_or_else(|| word(part), |part| word(part).map(|held| !held))
}

fn word(word: &str) -> Option<bool> {
    if UNKNOWN.contains(&word) || UNKNOWN.iter().any(|known| word.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))) {
        return None;
    }
    // A word that is nobody's is a tag that only a flag sets.
    Some(TRUE.contains(&word) || word.starts_with("go1."))
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    both(left.map(|held| !held), right.map(|held| !held)).map(|held| !held)
}

#[cfg(test)]
mod tests {
    use super::{holds, is_left_out};

    #[test]
    fn the_name_of_a_file_ends_with_its_system() {
        for (path, expected) in [
            ("a/lock_windows.go", true),
            ("a/lock_windows_amd64_test.go", true),
            ("a/lock_linux.go", false),
            ("a/lock_linux_arm64.go", false),
            ("a/lock_arm64.go", false),
            ("windows.go", false),
            ("a/open_unix.go", false),
            ("a/windows_lock.go", false),
        ] {
            assert_eq!(is_left_out(path, "package a\n"), expected, "{path}");
        }
    }

    #[test]
    fn a_condition_holds_where_nothing_but_the_system_decides_it() {
        for (condition, expected) in [
            ("//go:build !linux", Some(false)),
            ("//go:build linux && (amd64 || arm64)", None),
            ("//go:build windows && amd64", Some(false)),
            ("//go:build (darwin || linux) && !go1.99x && go1.25", Some(false)),
            ("//go:build darwin || unix", Some(true)),
            ("//go:build !cgo", None),
            ("//go:build integration", Some(false)),
            ("// Copyright.\n\n//go:build !integration\n// +build windows", Some(true)),
            ("// +build linux,!race darwin\n// +build go1.2", Some(true)),
            ("// +build windows\n// +build amd64", Some(false)),
            ("//go:build ((linux", None),
            ("//go:build &é", None),
            ("//go:build ", None),
            ("package a\n//go:build windows", None),
        ] {
            assert_eq!(holds(condition), expected, "{condition}");
        }
    }
}
