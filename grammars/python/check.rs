//! Tools that a manifest configures or depends on, each over the folder of the manifest.
//!
//! Must not know manifests: `project.rs` says which tools they name.

use super::project::Package;
use crate::check::{Check, What};
use crate::project::join;

/// A tool that checks a package.
struct Tool {
    name: &'static str,
    what: What,
    call: &'static [&'static str],
    is_document: bool,
    /// Files that configure it.
    configs: &'static [&'static str],
}

const ALL: [Tool; 5] = [
    Tool {
        name: "mypy",
        what: What::Build,
        call: &["mypy", "--no-error-summary", "--no-pretty", "--show-column-numbers", "."],
        is_document: false,
        configs: &["mypy.ini", ".mypy.ini"],
    },
    Tool { name: "pyright", what: What::Build, call: &["pyright"], is_document: false, configs: &["pyrightconfig.json"] },
    Tool {
        name: "ruff",
        what: What::Lint,
        call: &["ruff", "check", "--output-format", "sarif", "."],
        is_document: true,
        configs: &["ruff.toml", ".ruff.toml"],
    },
    Tool { name: "flake8", what: What::Lint, call: &["flake8"], is_document: false, configs: &[".flake8"] },
    Tool {
        name: "pytest",
        what: What::Test,
        call: &["pytest", "-q", "--color=no", "--tb=short"],
        is_document: false,
        configs: &["pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"],
    },
];

/// The checks of a package.
pub(super) fn checks(package: &Package, exists: &dyn Fn(&str) -> bool) -> Vec<Check> {
    let is_there = |file: &&str| join(&package.folder, file).is_some_and(|path| exists(&path));
    let is_used = |tool: &&Tool| package.tools.contains(tool.name) || tool.configs.iter().any(&is_there);
    let made = ALL.iter().filter(is_used).map(|tool| {
        // Where the project says what is checked, a folder in its place would check something else.
        let call = tool.call.strip_suffix(&["."]).filter(|_| tool.name == "mypy" && package.lists_typed).unwrap_or(tool.call);
        let check = Check::new(tool.what, &package.folder, tool.name, call);
        if tool.is_document { check.document() } else { check }
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGE;
    use crate::check::lines;

    #[test]
    fn tools_run_where_a_manifest_names_them() {
        let project = "[project]\nname = \"a\"\ndependencies = [\"requests\"]\n[dependency-groups]\ndev = [\"pytest>=8\", \"mypy\"]\n\
                       [tool.ruff]\nline-length = 100\n";
        let all = "build: mypy --no-error-summary --no-pretty --show-column-numbers .\n\
                   lint: ruff check --output-format sarif .\ntest: pytest -q --color=no --tb=short\n";
        assert_eq!(lines(&LANGUAGE, &[("pyproject.toml", project)], &[]), all);
        let listed = "build: mypy --no-error-summary --no-pretty --show-column-numbers\n";
        assert_eq!(lines(&LANGUAGE, &[("pyproject.toml", "[tool.mypy]\nfiles = [\"src\"]\n")], &[]), listed);
        assert_eq!(lines(&LANGUAGE, &[("mypy.ini", "[mypy]\npackages = a\n")], &["mypy.ini"]), listed);
        assert_eq!(lines(&LANGUAGE, &[("a/setup.cfg", "[flake8]\nmax-line-length = 100\n")], &[]), "lint: cd a && flake8\n");
        assert_eq!(
            lines(&LANGUAGE, &[("pyproject.toml", "[project]\nname = \"a\"\n")], &["pyrightconfig.json"]),
            "build: pyright\n"
        );
    }
}
