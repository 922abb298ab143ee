//! The checks that wait to be run: without those that need packages that are not installed, and narrowed by what the first of their folder says.

use super::run::{End, Ran};
use index::checks::{Check, Install, Narrowed, What};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

/// The most bytes of a line that is looked at: messages of compilers with all their notes have a few thousand.
const MAX_LINE_BYTES: u64 = 4 << 20;
/// The most packages that are named in a message.
const MAX_NAMED: usize = 8;

/// The checks that wait.
pub(super) struct Waiting {
    checks: VecDeque<Check>,
    /// Folders and programs of which a check that builds or lints has ended.
    ended: BTreeSet<(String, String)>,
}

/// Checks that cannot be run since what they need is not installed, by the command that installs it.
pub(super) type Uninstalled = BTreeMap<String, Vec<Check>>;

impl Waiting {
    /// The checks that can be run; `folder_of` gives the folder of one on the disk.
    pub(super) fn new(checks: &[Check], folder_of: impl Fn(&Check) -> std::path::PathBuf) -> (Self, Uninstalled) {
        let mut uninstalled = Uninstalled::new();
        let mut waiting = Self { checks: VecDeque::new(), ended: BTreeSet::new() };
        for check in checks {
            match &check.install {
                Some(install) if !is_installed(install, &folder_of(check)) => {
                    uninstalled.entry(install.command.clone()).or_default().push(check.clone());
                }
                _ => waiting.checks.push_back(check.clone()),
            }
        }
        (waiting, uninstalled)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.checks.len()
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Option<Check> {
        self.checks.pop_front()
    }

    /// Narrows what waits by what a check wrote, where it is the first of its folder and program that builds or lints and ended by itself. Says
    /// what is left out.
    pub(super) fn narrow_by(&mut self, check: &Check, ran: &mut Ran) -> Vec<String> {
        let (What::Build | What::Lint, End::Exit(code)) = (check.what, ran.end) else { return Vec::new() };
        let is_first = self.ended.insert((check.folder.clone(), check.program().to_owned()));
        let output = ran.outputs.first_mut().filter(|_| is_first && code != 0);
        let Some(output) = output else { return Vec::new() };
        let mut left_out = Vec::new();
        self.checks.retain_mut(|other| {
            let is_same = other.folder == check.folder && other.program() == check.program();
            let Some(narrow) = other.narrow.as_ref().filter(|_| is_same) else { return true };
            let narrowed = output.text().ok().and_then(|text| narrow.by(&mut short_lines(BufReader::new(text))));
            let Some(narrowed) = narrowed else { return true };
            left_out.push(not_tested(&other.line(), &narrowed));
            other.command = narrowed.command;
            !other.command.is_empty()
        });
        left_out
    }
}

/// Whether what a check in this folder needs was installed, there or above.
fn is_installed(install: &Install, folder: &Path) -> bool {
    folder.ancestors().any(|folder| install.shows.iter().any(|name| folder.join(name).exists()))
}

/// The lines of a text, without those that are too long.
fn short_lines(mut text: impl BufRead) -> impl Iterator<Item = Vec<u8>> {
    std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            let n_read = text.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).ok()?;
            if n_read == 0 {
                return None;
            }
            if line.ends_with(b"\n") || (n_read as u64) < MAX_LINE_BYTES {
                return Some(line);
            }
            text.skip_until(b'\n').ok()?;
        }
    })
}

/// That tests are left out, and of which packages.
fn not_tested(line: &str, narrowed: &Narrowed) -> String {
    let what = if narrowed.command.is_empty() {
        format!("`{line}` was not run: no package compiles with its tests; ")
    } else {
        format!("`{line}` was left without the tests of these packages, since ")
    };
    let broken = format!("they, or packages that they need, do not compile: {}", named(&narrowed.without));
    let unknown = if narrowed.unknown.is_empty() {
        String::new()
    } else {
        format!("; packages that the compiler did not mention are not tested either: {}", named(&narrowed.unknown))
    };
    what + &broken + &unknown
}

/// The first few of some packages.
fn named(packages: &[String]) -> String {
    let named = packages.iter().take(MAX_NAMED).map(|package| format!("`{package}`")).collect::<Vec<_>>().join(", ");
    if packages.len() > MAX_NAMED { format!("{named} and {} more", packages.len() - MAX_NAMED) } else { named }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_too_long_are_skipped_and_those_behind_them_are_not() {
        let long = |n_more: usize| "x".repeat(MAX_LINE_BYTES as usize + n_more);
        let text = format!("first\n{}\nsecond\n{}\n\n{}", long(0), long(7 << 20), long(1));
        let lines: Vec<Vec<u8>> = short_lines(text.as_bytes()).collect();
        assert_eq!(lines, [&b"first\n"[..], b"second\n", b"\n"]);
        assert_eq!(short_lines(&b"a\nb"[..]).collect::<Vec<_>>(), [&b"a\n"[..], b"b"]);
    }
}
