//! Cargo's commands over all packages of a workspace, or over one that belongs to none.
//!
//! Must not know manifests: `project.rs` says where packages are built.

use super::compiled::tests_that_compile;
use crate::check::{Check, Narrow, What};

/// What compiles everything, goes on after what does not compile, and says it in JSON.
const ALL: [&str; 4] = ["--workspace", "--all-targets", "--keep-going", "--message-format=json"];

/// The checks of what is built in a folder: packages of these names.
pub(super) fn checks(folder: &str, packages: Vec<String>) -> [Check; 3] {
    let all = |command: &'static str| [&["cargo", command], &ALL[..]].concat();
    // Cargo compiles all tests before it runs the first.
    let narrow = Some(Narrow { packages, rule: tests_that_compile });
    let test = Check::new(What::Test, folder, "cargo", &["cargo", "test", "--workspace", "--no-fail-fast"]);
    [
        Check::new(What::Build, folder, "cargo", &all("check")),
        Check::new(What::Lint, folder, "clippy", &all("clippy")),
        Check { narrow, ..test },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGE;
    use crate::check::lines;

    const PACKAGE: &str = "[package]\nname = \"a\"\n";

    fn tests(manifests: &[(&str, &str)]) -> String {
        lines(&LANGUAGE, manifests, &[]).lines().filter_map(|line| line.strip_prefix("test: ")).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_workspace_is_checked_as_a_whole() {
        let manifests = [("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"), ("crates/a/Cargo.toml", PACKAGE)];
        let all = "\
build: cargo check --workspace --all-targets --keep-going --message-format=json
lint: cargo clippy --workspace --all-targets --keep-going --message-format=json
test: cargo test --workspace --no-fail-fast
";
        assert_eq!(lines(&LANGUAGE, &manifests, &[]), all);
        assert_eq!(lines(&LANGUAGE, &[("Cargo.toml", PACKAGE)], &[]), all);
    }

    #[test]
    fn packages_that_no_workspace_has_are_checked_by_themselves() {
        let test = "cargo test --workspace --no-fail-fast";
        let root = "[workspace]\nmembers = [\"a\"]\nexclude = [\"tools\"]\n[package]\nname = \"root\"\n";
        let inner = "[workspace]\n[package]\nname = \"fuzz\"\n";
        let manifests = [
            ("Cargo.toml", root),
            ("a/Cargo.toml", PACKAGE),
            ("a/fuzz/Cargo.toml", inner),
            ("tools/x/Cargo.toml", PACKAGE),
            ("tools/y/Cargo.toml", "[package]\nname = \"y\"\nworkspace = \"../..\"\n"),
        ];
        assert_eq!(tests(&manifests), format!("{test}; cd a/fuzz && {test}; cd tools/x && {test}"));
        assert_eq!(tests(&[("a/Cargo.toml", PACKAGE), ("b/Cargo.toml", PACKAGE)]), format!("cd a && {test}; cd b && {test}"));
    }

    #[test]
    fn packages_of_a_fuzzer_are_not_checked() {
        let fuzz = |marked: &str| format!("[package]\nname = \"fuzz\"\n[package.metadata]\ncargo-fuzz = {marked}\n[workspace]\n");
        let of = |marked: &str| tests(&[("Cargo.toml", PACKAGE), ("fuzz/Cargo.toml", &fuzz(marked))]);
        assert_eq!(of("true"), "cargo test --workspace --no-fail-fast");
        assert_eq!(of("false"), "cargo test --workspace --no-fail-fast; cd fuzz && cargo test --workspace --no-fail-fast");
    }

    #[test]
    fn what_holds_no_package_is_not_checked() {
        for nothing in ["", "[workspace]\nmembers = []\n", "[package", "package = 1\n"] {
            assert_eq!(lines(&LANGUAGE, &[("Cargo.toml", nothing)], &[]), "", "{nothing}");
        }
    }
}
