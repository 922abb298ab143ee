//! How tests are run: commands for a POSIX shell that name single tests, as far as manifests prove that they exist.
//!
//! Pure: text in, text out. Titles and paths are texts of strangers and are quoted as such.

use crate::facts::{SymbolKind, Traits};

/// A file of tests, as the project that runs it is asked about it.
#[derive(Debug, Clone, Copy)]
pub struct TestFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// The file from which its tree of modules starts, in languages that have such trees and for files that are part of one.
    pub root: Option<&'a str>,
    /// What it imports, as written.
    pub imports: &'a [&'a str],
    /// Whether it defines a test that is known.
    pub has_tests: bool,
}

/// How the tests of a file are run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Runner {
    /// The folder to run in; empty for the root of the repository.
    pub folder: String,
    /// The command, up to where tests are named.
    pub command: String,
    /// How it takes the names of tests.
    pub naming: Naming,
}

/// How a command takes the names of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Naming {
    /// Not at all: it runs what it finds.
    Whole,
    /// A pattern for each level of tests within tests: `-run '^A$/^b$'`.
    Levels,
    /// Paths through modules: `-- --exact a::b`.
    Paths,
    /// One pattern over all titles from outside to inside, behind `-t`.
    Titles,
    /// The same behind `-g`.
    GrepTitles,
    /// Not at all: it runs all benchmarks that it finds, and no tests.
    BenchWhole,
    /// As paths, those of benchmarks alone.
    BenchPaths,
    /// As titles, those of benchmarks alone.
    BenchTitles,
    /// The path of the file with the names of what holds the test and of itself: `a/test_b.py::TestC::test_d`.
    Nodes,
    /// The same as one dotted name: `a.test_b.TestC.test_d`.
    Dotted,
    /// The names of classes with those of their methods: `-Dtest='a.FooTest#bar+baz'`.
    Classes,
    /// A pattern for each: `--tests 'a.FooTest.bar'`.
    Filters,
}

impl Naming {
    /// Every way, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::Whole,
        Self::Levels,
        Self::Paths,
        Self::Titles,
        Self::GrepTitles,
        Self::BenchWhole,
        Self::BenchPaths,
        Self::BenchTitles,
        Self::Nodes,
        Self::Dotted,
        Self::Classes,
        Self::Filters,
    ];

    /// Whether tests are named by the paths of their files.
    pub const fn is_by_file(self) -> bool {
        matches!(self, Self::Nodes | Self::Dotted | Self::Classes | Self::Filters)
    }

    /// Whether it is that of a command that runs benchmarks and no tests.
    pub const fn measures(self) -> bool {
        matches!(self, Self::BenchWhole | Self::BenchPaths | Self::BenchTitles)
    }
}

/// A test as its source names it.
#[derive(Debug, Clone, Default)]
pub struct TestName<'a> {
    /// The path of its file's module below the root of its tree, in the words of the language; empty for the root. Where tests are named by
    /// their files, the path of the file.
    pub module: &'a str,
    /// What holds it and itself, from outside to inside; nothing for all tests of its file.
    pub levels: Vec<Level<'a>>,
}

/// A test, or what holds one.
#[derive(Debug, Clone, Copy)]
pub struct Level<'a> {
    /// Its name or title.
    pub name: &'a str,
    /// What it is.
    pub kind: SymbolKind,
    /// Its properties.
    pub traits: Traits,
    /// How many of the same name stand before it in what holds it.
    pub n_before: usize,
}

/// Writes the end of a command that runs these tests and, as far as the tool can, no other; nothing where they cannot be named.
pub type Select = fn(Naming, &[TestName<'_>]) -> Option<String>;

/// The command that measures, where `runner` would run benchmarks as tests; nothing where no manifest proves it.
pub type Measure = fn(&Runner) -> Option<Runner>;

impl Runner {
    /// The whole command, for a shell at the root of the repository, with the end that names tests.
    pub fn line(&self, selection: &str) -> String {
        at_root(&self.folder, &format!("{}{selection}", self.command))
    }
}

/// A command of a folder, for a shell at the root of the repository.
pub(crate) fn at_root(folder: &str, command: &str) -> String {
    if folder.is_empty() { command.to_owned() } else { format!("cd {} && {command}", path(folder)) }
}

/// A text as one word of a shell: as it is where it means itself, else in quotes.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '@' | '+' | ':' | ',' | '=');
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

/// A path as one word of a shell that is never taken for a flag.
pub(crate) fn path(text: &str) -> String {
    if text.starts_with('-') { word(&format!("./{text}")) } else { word(text) }
}

/// A text in quotes for a shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A pattern that matches a text and nothing else. Letters, digits and visible ASCII stand for themselves, `other` writes the rest: what
/// cannot be seen must not stand in a command.
pub(crate) fn pattern(text: &str, other: impl Fn(char) -> String) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\^$.*+?()[]{}|".contains(c) {
            pattern.push('\\');
            pattern.push(c);
        } else if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() {
            pattern.push(c);
        } else {
            pattern.push_str(&other(c));
        }
    }
    pattern
}

/// Words in their order, each once: tests of one name can stand in several places.
pub(crate) fn unique(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for word in words {
        if !unique.contains(&word) {
            unique.push(word);
        }
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_themselves_to_a_shell() {
        assert_eq!(word("internal/auth"), "internal/auth");
        assert_eq!(word("it's; rm -rf $HOME"), r"'it'\''s; rm -rf $HOME'");
        assert_eq!(word("a\n`b`"), "'a\n`b`'");
        assert_eq!(word(""), "''");
        assert_eq!(path("--help"), "./--help");
        assert_eq!(path("-a b"), "'./-a b'");
    }

    #[test]
    fn a_command_is_for_a_shell_at_the_root() {
        let line = |folder: &str| {
            let runner = Runner { folder: folder.to_owned(), command: "go test .".to_owned(), naming: Naming::Levels };
            runner.line(" -run '^A$'")
        };
        assert_eq!(line(""), "go test . -run '^A$'");
        assert_eq!(line("my svc"), "cd 'my svc' && go test . -run '^A$'");
    }
}
