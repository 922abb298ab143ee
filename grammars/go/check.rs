//! The go command over all packages of a module.
//!
//! Must not know manifests: `project.rs` says where modules are.

use crate::check::{Check, What};

/// The checks of the module in a folder.
pub(super) fn checks(folder: &str) -> [Check; 3] {
    // Where a module has one program alone, a build without the flag would leave it in the folder.
    let build = ["go", "build", "-o", "/dev/null", "./..."];
    [
        Check::new(What::Build, folder, "go", &build),
        Check::new(What::Lint, folder, "go", &["go", "vet", "./..."]),
        Check::new(What::Test, folder, "go", &["go", "test", "-json", "./..."]),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGE;
    use crate::check::lines;

    const MODULE: &str = "module example.com/a\n";

    /// The folders of modules that are checked.
    fn folders(manifests: &[(&str, &str)]) -> Vec<String> {
        let all = lines(&LANGUAGE, manifests, &[]);
        let builds = all.lines().filter_map(|line| line.strip_prefix("build: ")?.strip_suffix("go build -o /dev/null ./..."));
        builds.map(|start| start.trim_start_matches("cd ").trim_end_matches(" && ").to_owned()).collect()
    }

    #[test]
    fn a_module_is_built_vetted_and_tested() {
        let all = "build: go build -o /dev/null ./...\nlint: go vet ./...\ntest: go test -json ./...\n";
        assert_eq!(lines(&LANGUAGE, &[("go.mod", MODULE)], &[]), all);
        assert_eq!(lines(&LANGUAGE, &[("vendor.mod", MODULE)], &[]), "");
        assert_eq!(lines(&LANGUAGE, &[("go.mod", "")], &[]), "");
    }

    #[test]
    fn modules_are_checked_one_by_one_where_the_go_command_works() {
        let vendored = ("vendor/example.com/b/go.mod", MODULE);
        assert_eq!(folders(&[("go.mod", MODULE), ("tools/go.mod", MODULE), vendored]), ["", "tools"]);
        let work = ("go.work", "go 1.22\nuse (\n\t.\n\t./a\n)\n");
        assert_eq!(folders(&[work, ("go.mod", MODULE), ("a/go.mod", MODULE), ("b/go.mod", MODULE)]), ["", "a"]);
        let inner = ("x/go.work", "use ./a\n");
        assert_eq!(folders(&[inner, ("x/a/go.mod", MODULE), ("x/b/go.mod", MODULE), ("y/go.mod", MODULE)]), ["x/a", "y"]);
    }
}
