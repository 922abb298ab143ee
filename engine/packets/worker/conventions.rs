//! Which files can be tests of which by where they stand and what they are called: what a packet may name without a plan that says so.
//!
//! What is derived and what is checked follow the same rule, so that no packet of ours is refused. Must not know facts: whoever checks a
//! packet has none.

use activate_grammars::{Language, language_of};
use index::extract::is_test_folder;

/// Parts of names and folders that say test beside those that a language knows: those of tests of whole programs, and benchmarks.
const MARKS: [&str; 3] = [".bench.", ".cy.", ".e2e."];
const FOLDERS: [&str; 5] = ["benches", "cypress", "e2e", "integration", "spec"];

/// The folder that a package keeps its code in.
const SOURCES: &str = "src";

/// Whether a path says that it is a test.
pub(super) fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let by_folder = folders.split('/').any(|folder| is_test_folder(folder) || FOLDERS.contains(&folder));
    let by_language = language(path).is_some_and(|language| (language.is_test_path)(path));
    by_language || language(path).is_some() && (by_folder || MARKS.iter().any(|mark| name.contains(mark)))
}

/// Whether one file can test another: a test of the same language, wherever it stands; or code of its own package, in languages whose code may
/// hold tests. What is no code can be tested in any language, and a test is its own.
pub(super) fn may_test(test: &str, file: &str) -> bool {
    if test == file {
        return true;
    }
    let (Some(of_test), of_file) = (language(test), language(file)) else { return false };
    match of_file {
        Some(_) if is_own_test(file) => false,
        Some(of_file) if of_file.name == of_test.name => {
            is_test(test) || of_test.has_tests_within && package(test) == package(file)
        }
        Some(_) => false,
        None => is_test(test),
    }
}

/// Whether facts take a file for a test, which then has no other.
fn is_own_test(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    language(path).is_some_and(|language| (language.is_test_path)(path)) || folders.split('/').any(is_test_folder)
}

fn language(path: &str) -> Option<&'static Language> {
    language_of(path).map(|(_, language)| language)
}

/// The folder of a file, or the outermost on its way that keeps the code of a package.
fn package(path: &str) -> &str {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut at = 0;
    for part in folder.split('/') {
        at += part.len();
        if part == SOURCES {
            return &folder[..at];
        }
        at += 1;
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_of_the_language_and_looks_like_one_or_stands_in_the_package() {
        for (test, file, expected) in [
            ("internal/auth/login_test.go", "internal/auth/login.go", true),
            ("cmd/server/routes_test.go", "internal/auth/login.go", true),
            ("internal/auth/keys.go", "internal/auth/login.go", false),
            ("internal/billing/report.go", "internal/auth/login.go", false),
            ("src/login.test.ts", "internal/auth/login.go", false),
            ("src/login.test.ts", "src/login.tsx", true),
            ("e2e/login.ts", "src/login.ts", true),
            ("lib/pay.ts", "src/login.ts", false),
            ("src/fixtures/users.test.ts", "src/fixtures/users.json", true),
            ("src/users.ts", "src/fixtures/users.json", false),
            ("crates/auth/src/keys.rs", "crates/auth/src/login/mod.rs", true),
            ("crates/auth/tests/api.rs", "crates/auth/src/login/mod.rs", true),
            ("crates/pay/src/lib.rs", "crates/auth/src/login/mod.rs", false),
            // A test is its own test and has no other.
            ("internal/auth/login_test.go", "internal/auth/login_test.go", true),
            ("internal/auth/keys_test.go", "internal/auth/login_test.go", false),
            ("tests/run.sh", "src/login.ts", false),
            ("/etc/passwd", "src/login.ts", false),
        ] {
            assert_eq!(may_test(test, file), expected, "{test} of {file}");
        }
    }
}
