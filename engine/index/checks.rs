//! What can be run in a repository to say what is wrong with it: the checks of all languages, in order and within bounds.
//!
//! Must not run one, nor know a language: manifests prove what there is.

use super::extract::{EXAMPLE_FOLDERS, TEST_FOLDERS, VENDOR_FOLDERS};
use super::resolve::load_projects;
pub use activate_grammars::check::{Check, Install, Narrowed, Streams, What};
use activate_grammars::project::Manifest;
use error::Problem;

/// The stage of these problems.
const STAGE: &str = "checks";
/// The most checks of one kind: nobody waits for more builds.
const MAX_OF_A_KIND: usize = 64;
/// The most manifests that are read: the largest repositories have some thousand packages.
const MAX_MANIFESTS: usize = 20_000;
/// The most bytes of a manifest: those of large workspaces have some ten thousand.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;
/// The most folders that are named in a message.
const MAX_NAMED: usize = 3;

/// The checks of a repository.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// In the order in which they are run: by what they are for, what the code is about before its examples, then by folder.
    pub list: Vec<Check>,
    /// What was left out.
    pub problems: Vec<Problem>,
}

/// The manifests among the files of a repository, in the order of paths, and what is too much of them. Those near to the root go first.
pub fn manifests<'p>(paths: &[&'p str], problems: &mut Vec<Problem>) -> Vec<&'p str> {
    let mut found: Vec<&str> = paths.iter().copied().filter(|path| activate_grammars::is_manifest(path)).collect();
    if found.len() > MAX_MANIFESTS {
        let n_left = found.len() - MAX_MANIFESTS;
        problems
            .push(Problem::new(STAGE, format!("{n_left} of {} manifests were not read, those deepest in folders", found.len())));
        found.sort_by_key(|path| (path.matches('/').count(), *path));
        found.truncate(MAX_MANIFESTS);
        found.sort_unstable();
    }
    found
}

/// The checks that manifests prove; they come as path and text in the order of paths, and `paths` are all files in that order.
pub fn checks(paths: &[&str], manifests: &[(&str, String)]) -> Checks {
    let exists = |path: &str| paths.binary_search(&path).is_ok();
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let mut found = Checks::default();
    for project in load_projects(&manifests, &exists) {
        found.list.extend(project.checks(&exists));
        let unread = project.problems().iter().map(|(path, why)| Problem::at(STAGE, path, format!("manifest not used: {why}")));
        found.problems.extend(unread);
        found.problems.extend(project.unchecked().iter().map(|(path, why)| Problem::at(STAGE, path, (*why).to_owned())));
    }
    found
        .list
        .sort_by_cached_key(|check| (check.what, is_in(check, &EXAMPLE_FOLDERS), check.folder.clone(), check.command.clone()));
    found.set_aside();
    found.limit();
    found
}

/// Whether a check is run in a folder of one of these names, or below.
fn is_in(check: &Check, names: &[&str]) -> bool {
    check.folder.split('/').any(|name| names.contains(&name))
}

impl Checks {
    /// Leaves out what only stands there for tests, or belongs to others.
    fn set_aside(&mut self) {
        let is_aside = |check: &mut Check| is_in(check, &TEST_FOLDERS) || is_in(check, &VENDOR_FOLDERS);
        let aside: Vec<Check> = self.list.extract_if(.., is_aside).collect();
        let mut folders: Vec<&str> = aside.iter().map(|check| check.folder.as_str()).collect();
        folders.sort_unstable();
        folders.dedup();
        if !folders.is_empty() {
            let named = folders.iter().take(MAX_NAMED).map(|folder| format!("`{folder}`")).collect::<Vec<_>>().join(", ");
            let more = if folders.len() > MAX_NAMED { format!(" and {} more", folders.len() - MAX_NAMED) } else { String::new() };
            let message = format!("data of tests and code of others are not checked: {named}{more}");
            self.problems.push(Problem::new(STAGE, message));
        }
    }

    /// Leaves out what is too much, those last in order.
    fn limit(&mut self) {
        for what in What::ALL {
            let n_all = self.list.iter().filter(|check| check.what == what).count();
            if n_all > MAX_OF_A_KIND {
                let mut n_before = 0;
                self.list.retain(|check| {
                    n_before += usize::from(check.what == what);
                    check.what != what || n_before <= MAX_OF_A_KIND
                });
                let (name, n_left) = (what.name(), n_all - MAX_OF_A_KIND);
                let message = format!(
                    "{n_left} of {n_all} commands to {name} are left out: there are too many; `--exclude` leaves out folders"
                );
                self.problems.push(Problem::new(STAGE, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checks of a repository of these files: a path and a text each.
    fn of(files: &[(String, &str)]) -> Checks {
        let mut files = files.to_vec();
        files.sort();
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let mut problems = Vec::new();
        let wanted = manifests(&paths, &mut problems);
        let text =
            |path: &str| files.iter().find(|(name, _)| name == path).map(|(_, text)| (*text).to_owned()).unwrap_or_default();
        let read: Vec<(&str, String)> = wanted.iter().map(|path| (*path, text(path))).collect();
        let mut found = checks(&paths, &read);
        found.problems.splice(0..0, problems);
        found
    }

    fn messages(checks: &Checks) -> Vec<&str> {
        checks.problems.iter().map(|problem| problem.message.as_str()).collect()
    }

    #[test]
    fn checks_of_all_languages_stand_in_the_order_in_which_they_are_run() {
        let package = r#"{"scripts": {"test": "node --test"}}"#;
        let files = [
            ("web/package.json", package),
            ("examples/package.json", package),
            ("go.mod", "module a\n"),
            ("cli/Cargo.toml", "[package]\nname = \"cli\"\n"),
        ];
        let found = of(&files.map(|(path, text)| (path.to_owned(), text)));
        let list: Vec<String> =
            found.list.iter().map(|check| format!("{} {} {}", check.what.name(), check.folder, check.needs)).collect();
        let expected = [
            "build  go",
            "build cli cargo",
            "lint  go",
            "lint cli clippy",
            "test  go",
            "test cli cargo",
            "test web npm",
            "test examples npm",
        ];
        assert_eq!(list, expected);
        assert_eq!(messages(&found), [""; 0]);
        let script = "plugins { id 'com.android.application' }";
        let android = of(&[("app/build.gradle".to_owned(), script), ("app/wear/build.gradle".to_owned(), script)]);
        assert!(android.list.is_empty());
        let why = "no command is given for what it builds for Android, where each build variant has tasks of its own";
        assert_eq!(messages(&android), [why]);
        let none = of(&[("README.md".to_owned(), "")]);
        assert!(none.list.is_empty() && none.problems.is_empty(), "{none:?}");
    }

    #[test]
    fn data_of_tests_is_set_aside_and_a_broken_manifest_is_named() {
        let module = "module a\n";
        let files = [("go.mod", module), ("testdata/x/go.mod", module), ("third_party/y/go.mod", module), ("Cargo.toml", "[")];
        let found = of(&files.map(|(path, text)| (path.to_owned(), text)));
        assert!(found.list.iter().all(|check| check.folder.is_empty()) && found.list.len() == 3);
        let [unread, aside] = messages(&found)[..] else { panic!("{:?}", found.problems) };
        assert!(unread.starts_with("manifest not used: "), "{unread}");
        assert_eq!(aside, "data of tests and code of others are not checked: `testdata/x`, `third_party/y`");
    }

    #[test]
    fn of_very_many_packages_the_first_are_checked_and_the_rest_is_counted() {
        let files: Vec<(String, &str)> = (0..3_000).map(|number| (format!("m{number:04}/go.mod"), "module a\n")).collect();
        let found = of(&files);
        assert_eq!(found.list.len(), 3 * MAX_OF_A_KIND);
        assert!(found.list.iter().all(|check| check.folder.as_str() < "m0064"));
        assert!(messages(&found)[0].starts_with("2936 of 3000 commands to build are left out"));
        assert_eq!(found.problems.len(), 3);
    }
}
