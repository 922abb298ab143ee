//! How a repository is built, linted and tested: commands that manifests prove.
//!
//! Pure: nothing here runs one.

use crate::run::{at_root, word};

/// A command that says what is wrong with a part of the repository.
#[derive(Debug, Clone)]
pub struct Check {
    /// What it is for.
    pub what: What,
    /// The folder to run it in, from the root of the repository; empty for the root.
    pub folder: String,
    /// The program and its arguments: words, never a line for a shell.
    pub command: Vec<String>,
    /// The tool that must be installed for it: the program itself, or one that the program calls.
    pub needs: &'static str,
    /// How what it writes is to be read.
    pub streams: Streams,
    /// How a command that tests several packages leaves out those that do not compile, where one of them keeps it from testing the others.
    pub narrow: Option<Narrow>,
    /// What must have been installed in the repository for it, where that can be seen.
    pub install: Option<Install>,
}

/// What puts packages into the repository that a command needs.
#[derive(Debug, Clone)]
pub struct Install {
    /// The command, for a shell at the root of the repository.
    pub command: String,
    /// Files and folders of which one stands in the folder of the check or above it where that was done.
    pub shows: &'static [&'static str],
}

/// Narrows a command that tests several packages to those that compile.
#[derive(Debug, Clone)]
pub struct Narrow {
    /// The names of the packages, in order.
    pub packages: Vec<String>,
    /// Reads what a check of the same program in the same folder wrote that failed, line by line; nothing where all that is tested compiles,
    /// or where the text does not tell.
    pub(crate) rule: fn(packages: &[String], lines: &mut dyn Iterator<Item = Vec<u8>>) -> Option<Narrowed>,
}

/// What is left of a command where packages do not compile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Narrowed {
    /// The program and its arguments; empty where no package is left.
    pub command: Vec<String>,
    /// The packages whose tests are not run: they do not compile, or what they need does not. In order.
    pub without: Vec<String>,
    /// The packages whose tests are not run since nothing is known of them. In order.
    pub unknown: Vec<String>,
}

impl Narrow {
    /// What is left of the command, by the lines of a check of the same program in the same folder that failed; nothing where it stays as it is.
    pub fn by(&self, lines: &mut dyn Iterator<Item = Vec<u8>>) -> Option<Narrowed> {
        (self.rule)(&self.packages, lines)
    }
}

/// What a check is for, in the order in which checks are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// It compiles, or checks types.
    Build,
    /// It looks for what is suspicious in code that compiles.
    Lint,
    /// It runs tests.
    Test,
}

/// How the two texts that a command writes belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Streams {
    /// Lines of both belong to each other in the order in which they were written: test results here, what they are of there.
    Joined,
    /// Standard output is one document, which nothing may be mixed into.
    Apart,
}

impl What {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Build, Self::Lint, Self::Test];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Lint => "lint",
            Self::Test => "test",
        }
    }
}

impl Check {
    /// A command that writes lines.
    pub(crate) fn new(what: What, folder: &str, needs: &'static str, command: &[&str]) -> Self {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Self { what, folder: folder.to_owned(), command, needs, streams: Streams::Joined, narrow: None, install: None }
    }

    /// The same command, where it writes a document.
    pub(crate) fn document(self) -> Self {
        Self { streams: Streams::Apart, ..self }
    }

    /// The program.
    pub fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    /// The command for a shell at the root of the repository.
    pub fn line(&self) -> String {
        at_root(&self.folder, &self.command.iter().map(|part| word(part)).collect::<Vec<_>>().join(" "))
    }
}

/// The checks of a repository of these manifests and other files, one a line, in order.
#[cfg(test)]
pub(crate) fn lines(language: &crate::Language, manifests: &[(&str, &str)], others: &[&str]) -> String {
    let mut manifests: Vec<crate::project::Manifest<'_>> =
        manifests.iter().map(|(path, text)| crate::project::Manifest { path, text }).collect();
    manifests.sort_by_key(|manifest| manifest.path);
    let exists = |path: &str| others.contains(&path) || manifests.iter().any(|manifest| manifest.path == path);
    let mut checks = (language.project.load)(&manifests, &exists).checks(&exists);
    checks.sort_by_cached_key(|check| (check.what, check.folder.clone(), check.command.clone()));
    checks.iter().fold(String::new(), |lines, check| lines + check.what.name() + ": " + &check.line() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_a_line_for_a_shell_at_the_root() {
        let line = |folder: &str| Check::new(What::Test, folder, "go", &["go", "test", "./..."]).line();
        assert_eq!(line(""), "go test ./...");
        assert_eq!(line("it's mine"), r"cd 'it'\''s mine' && go test ./...");
        assert_eq!(line("-x"), "cd ./-x && go test ./...");
    }
}
