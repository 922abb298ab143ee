//! Which tests a feature needs, where nobody says so: those that the repository has.
//!
//! Judges paths alone.

use super::TestType;

/// Words of a path that say that a test puts parts together.
const INTEGRATION_WORDS: [&str; 9] =
    ["integration", "integrationtest", "integrationtests", "e2e", "acceptance", "functional", "smoke", "system", "it"];
/// Words of a path that say that a test is of one part.
const UNIT_WORDS: [&str; 3] = ["unit", "unittest", "unittests"];
/// Words of a file's name that say that it tests the file beside it or of the same name.
const BESIDE_WORDS: [&str; 4] = ["test", "tests", "spec", "specs"];
/// The folder of programs that test a package from outside.
const OUTSIDE_FOLDER: &str = "tests";
/// The share of a sort of tests from which it is a habit of the repository and no exception: a fourth.
const HABIT_PARTS: usize = 4;

/// How many files with tests a repository has, by sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Those that test one part.
    pub n_unit: usize,
    /// Those that put parts together.
    pub n_integration: usize,
}

impl TestFiles {
    /// Counts a file that holds tests, by its path. It puts parts together where a word of the path says so (`integration`, `e2e`, ...), or
    /// where it lies in a folder `tests` and neither a word of the path says `unit` nor its name that it is the test of another file.
    pub fn add(&mut self, path: &str) {
        if is_integration(path) {
            self.n_integration += 1;
        } else {
            self.n_unit += 1;
        }
    }

    /// The tests that a feature needs: the sort of which there are more (unit where there are as many, or none at all), and both where the
    /// other sort makes at least a fourth of all.
    pub fn test_type(self) -> TestType {
        let less = self.n_unit.min(self.n_integration);
        if less > 0 && less.saturating_mul(HABIT_PARTS) >= self.n_unit.saturating_add(self.n_integration) {
            TestType::Both
        } else if self.n_integration > self.n_unit {
            TestType::Integration
        } else {
            TestType::Unit
        }
    }
}

fn is_integration(path: &str) -> bool {
    let path = path.to_lowercase();
    let has = |text: &str, words: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    if has(&path, &UNIT_WORDS) {
        return false;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    has(&path, &INTEGRATION_WORDS) || (folder.split('/').any(|part| part == OUTSIDE_FOLDER) && !has(name, &BESIDE_WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_its_tests_are() {
        for (path, n_integration) in [
            ("internal/auth/login_test.go", 0),
            ("src/lib.rs", 0),
            ("src/login.test.ts", 0),
            ("tests/login.test.ts", 0),
            ("tests/unit/login.py", 0),
            ("test/integration/login_test.go", 1),
            ("auth/login_integration_test.go", 1),
            ("e2e/login.spec.ts", 1),
            ("tests/cli.rs", 1),
            ("crates/a/tests/all/main.rs", 1),
            ("src/it/java/A.java", 1),
            ("src/items/limit.test.ts", 0),
        ] {
            let mut files = TestFiles::default();
            files.add(path);
            assert_eq!(files.n_integration, n_integration, "{path}");
        }
    }

    #[test]
    fn the_habit_of_the_repository_decides() {
        use TestType::{Both, Integration, Unit};
        for (n_unit, n_integration, test_type) in [
            (0, 0, Unit),
            (5, 0, Unit),
            (0, 1, Integration),
            (3, 1, Both),
            (1, 3, Both),
            (4, 1, Unit),
            (1, 4, Integration),
            (2, 2, Both),
        ] {
            assert_eq!(TestFiles { n_unit, n_integration }.test_type(), test_type, "{n_unit} {n_integration}");
        }
    }
}
