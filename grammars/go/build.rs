//! Which Go files a build for Linux on a usual machine leaves out, by their names and their `//go:build` lines, and which tags the others need.
//!
//! Must not guess: tags that the platform does not decide stay unknown, and an unknown line leaves nothing out.

use crate::run::word;

/// The most tags of a constraint that are tried.
const MAX_TAGS: usize = 8;

/// Tags that no flag of tags is meant to give: what is not to be built, and what flags of their own switch on.
const NEVER_GIVEN: [&str; 4] = ["ignore", "race", "msan", "asan"];

/// Operating systems that file names and constraints name.
const SYSTEMS: [&str; 16] = [
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
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
];

/// Processors that file names and constraints name.
const PROCESSORS: [&str; 17] = [
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc", "ppc64", "ppc64le", "riscv64",
    "s390x", "sparc64", "wasm", "zos",
];

/// Tags that hold: the platform, and the compiler that everyone uses.
const HELD: [&str; 4] = ["linux", "amd64", "unix", "gc"];

/// Lines at the top of a file among which the constraint stands.
const HEAD_LINES: usize = 80;

/// Deepest nesting of a constraint that is read.
const MAX_NESTING: usize = 16;

/// Whether a file takes no part in a build for Linux.
pub(super) fn is_left_out(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".go").trim_end_matches("_test");
    // A name alone is not a constraint: `linux.go` is built everywhere.
    let parts: Vec<&str> = name.split('_').skip(1).collect();
    let by_name = match parts.as_slice() {
        [.., system, processor] if SYSTEMS.contains(system) && PROCESSORS.contains(processor) => {
            !HELD.contains(system) || !HELD.contains(processor)
        }
        [.., last] if SYSTEMS.contains(last) || PROCESSORS.contains(last) => !HELD.contains(last),
        _ => false,
    };
    by_name || constraint(text).and_then(|line| Reader { rest: line, given: None }.either(MAX_NESTING)) == Some(false)
}

/// The flag with the tags that a file needs to be built: the first one that is enough, or all that its constraint names where these are.
pub(super) fn tags(text: &str) -> Option<String> {
    let line = constraint(text)?;
    let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let is_open = |word: &&str| !word.is_empty() && !is_known(word) && !NEVER_GIVEN.contains(word);
    let mut named: Vec<&str> = line.split(|c: char| !is_tag(c)).filter(is_open).take(MAX_TAGS).collect();
    named.dedup();
    let holds = |given: &[&str]| Reader { rest: line, given: Some(given) }.either(MAX_NESTING) == Some(true);
    if holds(&[]) {
        return None;
    }
    let one = named.iter().find(|tag| holds(&[tag])).map(|tag| (*tag).to_owned());
    let tags = one.or_else(|| holds(&named).then(|| named.join(",")))?;
    Some(format!("-tags={}", word(&tags)))
}

/// Whether the platform decides a tag.
fn is_known(tag: &str) -> bool {
    SYSTEMS.contains(&tag) || PROCESSORS.contains(&tag) || HELD.contains(&tag)
}

fn constraint(text: &str) -> Option<&str> {
    let head = text.lines().take(HEAD_LINES).map(str::trim);
    let head = head.take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with(['/', '*']));
    head.into_iter().find_map(|line| line.strip_prefix("//go:build "))
}

/// Reads a constraint: `a && (b || !c)`. What it cannot read is unknown.
struct Reader<'a, 'g> {
    rest: &'a str,
    /// The tags that are given beside those of the platform; others stay unknown where this is not said.
    given: Option<&'g [&'g str]>,
}

impl Reader<'_, '_> {
    fn either(&mut self, nesting: usize) -> Option<bool> {
        let mut held = self.both(nesting);
        while self.takes("||") {
            let other = self.both(nesting);
            held = match (held, other) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        held
    }

    fn both(&mut self, nesting: usize) -> Option<bool> {
        let mut held = self.single(nesting);
        while self.takes("&&") {
            let other = self.single(nesting);
            held = match (held, other) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        held
    }

    fn single(&mut self, nesting: usize) -> Option<bool> {
        let nesting = nesting.checked_sub(1)?;
        if self.takes("!") {
            return self.single(nesting).map(|held| !held);
        }
        if self.takes("(") {
            let held = self.either(nesting);
            self.takes(")");
            return held;
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(end);
        self.rest = rest;
        if is_known(tag) {
            return Some(HELD.contains(&tag));
        }
        self.given.map(|given| given.contains(&tag) || tag == "cgo" || tag.starts_with("go1."))
    }

    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{is_left_out, tags};

    #[test]
    fn names_and_constraints_say_what_linux_leaves_out() {
        for (path, text, expected) in [
            ("a/file_windows.go", "", true),
            ("a/file_linux_arm64_test.go", "", true),
            ("a/file_linux.go", "", false),
            ("a/windows.go", "", false),
            ("a/file_unix.go", "", false),
            ("a/x.go", "// Copyright\n\n//go:build windows || (darwin && !cgo)\n\npackage a\n", true),
            ("a/x.go", "//go:build !linux\npackage a\n", true),
            ("a/x.go", "//go:build linux && integration\npackage a\n", false),
            ("a/x.go", "//go:build integration\npackage a\n", false),
            ("a/x.go", "package a\n//go:build windows\n", false),
            ("a/x.go", "//go:build !!((((\n", false),
        ] {
            assert_eq!(is_left_out(path, text), expected, "{path} {text}");
        }
    }

    #[test]
    fn the_tags_that_a_file_needs_are_given_and_no_others() {
        let of = |line: &str| tags(&format!("// Copyright\n\n//go:build {line}\n\npackage a\n")).unwrap_or_default();
        assert_eq!(of("integration"), "-tags=integration");
        assert_eq!(of("integration || e2e"), "-tags=integration");
        assert_eq!(of("integration && acceptance && linux"), "-tags=integration,acceptance");
        assert_eq!(of("(unit || e2e) && !race"), "-tags=unit");
        for none in ["linux", "!integration", "windows && integration", "go1.21", "ignore", "a && !a", "!!(((("] {
            assert_eq!(of(none), "", "{none}");
        }
        assert_eq!(tags("package a\n"), None);
    }
}
