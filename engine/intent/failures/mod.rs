//! What fails, in the repository: diagnostics and test results of tools with the files, symbols and tests that they mean.
//!
//! Only what is sure is located: a place in the wrong file is worse than none, and what cannot be found is kept and says so.

mod built;
mod guests;
mod maps;
mod places;
mod source_map;
mod tests_named;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_java;

use activate_rules::atoms::NodeId;
use error::Problem;
use index::base::FactBase;
pub use maps::SourceMaps;
use places::Locator;
use redact::{Masker, without_masks};
use rustc_hash::{FxHashMap, FxHashSet};
use signals::place::is_installed;
use signals::{Diagnostic, Note, Place, Report, Severity, Status, TestResult};
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

/// The stage of these problems.
const STAGE: &str = "failures";
/// The most failures whose words count: what hundreds of failures have in common, the first of them say.
const MAX_FAILURES: usize = 50;
/// The most characters of a message whose words count.
const MAX_MESSAGE_CHARACTERS: usize = 1_000;

/// What fails.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failures {
    /// What tools complain about, in the order of their reports.
    pub diagnostics: Vec<LocatedDiagnostic>,
    /// Tests that failed, in the order of their reports.
    pub tests: Vec<LocatedTest>,
    /// How many tests passed.
    pub n_passed: u32,
    /// How many tests were skipped.
    pub n_skipped: u32,
    /// The built files whose source maps were used: [`Spot::map`].
    pub maps: Vec<String>,
    /// How many files are named, where none of them is known here and that looks like another project; else 0.
    pub n_strange: usize,
    /// What they say in words, as a report that an intent could hold: names of tests, and messages without their places.
    words: String,
}

/// A place of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file.
    pub file: NodeId,
    /// The line, from 1; 0 where only the file is meant, or where the file has no such line. Of a guess, that of the definition.
    pub line: u32,
    /// The innermost symbol at the line.
    pub symbol: Option<NodeId>,
    /// Whether the file has no such line: it changed since the tool ran.
    pub is_stale: bool,
    /// Whether the file is newer than what names the line, which may have moved since.
    pub may_have_moved: bool,
    /// Whether only the name of a function, or the end of a path of another version, says that it is here: the code was built, published or
    /// served.
    pub is_guess: bool,
    /// Which of [`Failures::maps`] says that it is here: the place that was named is one of a built file.
    pub map: Option<u32>,
}

/// A diagnostic with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedDiagnostic {
    /// What the tool said.
    pub diagnostic: Diagnostic,
    /// Where it is, if the repository has the place; else what the innermost frame of built code is most likely of.
    pub spot: Option<Spot>,
    /// The frames of its stack trace that lie in the repository, innermost first, each with its number among all frames.
    pub frames: Vec<(usize, Spot)>,
}

/// A failing test with its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedTest {
    /// What the runner said.
    pub result: TestResult,
    /// The tests of that name: one if it is sure, else all that it could be.
    pub tests: Vec<NodeId>,
    /// Where it failed.
    pub spot: Option<Spot>,
    /// The frames of its failure that lie in the repository, innermost first, each with its number among all frames.
    pub frames: Vec<(usize, Spot)>,
}

impl Spot {
    /// The innermost node: the symbol, or the file where no symbol stands.
    pub fn node(&self) -> NodeId {
        self.symbol.unwrap_or(self.file)
    }
}

impl Failures {
    /// Locates what tools said in a repository whose root folder is `root`; they ran in `folder` below it. Secrets that the masker knows are no
    /// words to find anything by.
    pub fn locate(masker: &Masker, base: &FactBase, root: &str, folder: &str, report: &Report) -> Self {
        Self::locate_with(masker, base, root, folder, report, &SourceMaps::default())
    }

    /// [`Failures::locate`], with the source maps of built files.
    pub fn locate_with(
        masker: &Masker,
        base: &FactBase,
        root: &str,
        folder: &str,
        report: &Report,
        maps: &SourceMaps<'_>,
    ) -> Self {
        let locator = Locator::new(base, root, folder, maps);
        maps.read(&locator, report);
        let diagnostics = report.diagnostics.iter().map(|diagnostic| {
            let frames = locator.frames(&diagnostic.frames);
            // A frame knows more than its place alone: whether that is of what was built.
            let at = diagnostic.frames.iter().position(|frame| frame.place.is_some() && frame.place == diagnostic.place);
            let of_place = || diagnostic.place.as_ref().filter(|_| at.is_none()).and_then(|place| locator.placed(place));
            let of_frame = at.and_then(|at| frames.iter().find(|(number, _)| *number == at));
            let spot = of_frame.map(|(_, spot)| *spot).or_else(of_place);
            let is_by_package = diagnostic.place.as_ref().is_some_and(Place::is_in_package);
            let is_sure = |spot: &Spot| spot.is_guess || spot.map.is_some() || is_by_package;
            let inner = frames.first().filter(|(_, inner)| spot.is_none() && is_sure(inner));
            let mut diagnostic = diagnostic.clone();
            if let Some((number, _)) = inner.filter(|_| is_by_package) {
                diagnostic.place = diagnostic.frames.get(*number).and_then(|frame| frame.place.clone());
            }
            LocatedDiagnostic { spot: spot.or_else(|| inner.map(|(_, spot)| *spot)), diagnostic, frames }
        });
        let tests = report.failed().map(|result| {
            let spot = result.place.as_ref().and_then(|place| locator.placed(place));
            let frames = locator.frames(&result.frames);
            // By its form alone a frame of a library is one of the repository.
            let is_by_package = result.place.as_ref().is_some_and(Place::is_in_package);
            let inner = frames.first().filter(|_| spot.is_none() && is_by_package);
            let mut of_place = result.clone();
            if let Some((number, _)) = inner {
                of_place.place = result.frames.get(*number).and_then(|frame| frame.place.clone());
            }
            let spot = spot.or_else(|| inner.map(|(_, spot)| *spot));
            LocatedTest { tests: tests_named::find(&locator, result, spot), result: of_place, spot, frames }
        });
        let tests: Vec<LocatedTest> = tests.collect();
        let diagnostics = merged(diagnostics);
        Self {
            words: without_masks(&masker.known().hide(&words(&diagnostics, &tests))),
            diagnostics,
            n_strange: if tests.iter().any(|test| !test.tests.is_empty() || !test.frames.is_empty()) {
                0
            } else {
                n_strange(&locator, report)
            },
            tests,
            maps: maps.used(),
            n_passed: report.n_passed,
            n_skipped: report.tests.iter().filter(|test| test.status == Status::Skipped).count() as u32,
        }
    }

    /// Says that a report is of another repository, where it names files and none of them is here.
    pub fn strange(&self, report: &Report) -> Option<Problem> {
        let sources = report.sources.join(", ");
        let number = self.n_strange;
        let message =
            format!("none of the {number} files named in {sources} is in this repository: is it a log of another project?");
        (number > 0 && !sources.is_empty()).then(|| Problem::new(STAGE, message))
    }

    /// Whether nothing fails.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty() && self.tests.is_empty()
    }

    /// Whether an error or a test fails.
    pub fn is_failing(&self) -> bool {
        !self.tests.is_empty() || self.diagnostics.iter().any(|found| found.diagnostic.severity == Severity::Error)
    }

    /// Whether what fails has a place in the repository, or what is warned of where nothing fails: then the task is known, whatever its words
    /// say.
    pub fn has_place(&self) -> bool {
        let least = if self.is_failing() { Severity::Error } else { Severity::Warning };
        let is_error =
            |found: &LocatedDiagnostic| found.diagnostic.severity <= least && (found.spot.is_some() || !found.frames.is_empty());
        let is_test = |found: &LocatedTest| !found.tests.is_empty() || found.spot.is_some() || !found.frames.is_empty();
        self.diagnostics.iter().any(is_error) || self.tests.iter().any(is_test)
    }

    /// What they say in words.
    pub(crate) fn text(&self) -> &str {
        &self.words
    }

    /// The failing tests, and the files in which something failed.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let tests = self.tests.iter().flat_map(|test| test.tests.iter().copied().chain(test.spot.map(|spot| spot.file)));
        let mut nodes: Vec<NodeId> = tests.chain(self.diagnostics.iter().filter_map(|found| Some(found.spot?.file))).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// What failures say in words, as a report that an intent could hold.
fn words(diagnostics: &[LocatedDiagnostic], tests: &[LocatedTest]) -> String {
    let mut text = String::new();
    let start_of = |message: &str| message.chars().take(MAX_MESSAGE_CHARACTERS).collect::<String>();
    for test in tests.iter().take(MAX_FAILURES) {
        let _ = writeln!(text, "--- FAIL: {}\n{}", test.result.name, start_of(&test.result.message));
    }
    let errors = diagnostics.iter().filter(|found| found.diagnostic.severity == Severity::Error);
    for found in errors.take(MAX_FAILURES) {
        // A line that only reports of builds have: what stands around it is read as such, and names in it are suspects, not targets.
        let _ = writeln!(text, "error: aborting due to\n{}", start_of(&found.diagnostic.message));
    }
    text
}

/// The fewest relative paths that make a report look like one of another project: a generated file alone does not.
const MIN_STRANGE: usize = 2;

/// How many files what fails names, where the repository has none that one of them could be; else 0. What lies below its root is of it, read
/// or not, and what was installed says nothing.
fn n_strange<'l>(locator: &Locator<'l>, report: &'l Report) -> usize {
    let of_tests =
        report.failed().flat_map(|test| test.frames.iter().filter_map(|frame| frame.place.as_ref()).chain(&test.place));
    let places = report.diagnostics.iter().filter_map(|diagnostic| diagnostic.place.as_ref()).chain(of_tests);
    let mut strange = FxHashSet::default();
    let mut n_relative = 0;
    for place in places {
        if locator.placed(place).is_some() || locator.may_be(&place.path) || locator.is_of_repository(place) {
            return 0;
        }
        let is_new = !is_installed(&place.path) && strange.insert((&place.ran_in, &place.folder, &place.path));
        n_relative += usize::from(is_new && !place.is_absolute());
    }
    if n_relative >= MIN_STRANGE { strange.len() } else { 0 }
}

/// What several tools say of one line in the same words, said once, with all of their names.
fn merged(diagnostics: impl Iterator<Item = LocatedDiagnostic>) -> Vec<LocatedDiagnostic> {
    let mut merged: Vec<LocatedDiagnostic> = Vec::new();
    let mut known: FxHashMap<(NodeId, u32, String), usize> = FxHashMap::default();
    for found in diagnostics {
        let key =
            found.spot.map(|spot| (spot.file, spot.line, found.diagnostic.message.clone())).filter(|(_, line, _)| *line > 0);
        let at = key.and_then(|key| match known.entry(key) {
            Entry::Occupied(at) => Some(*at.get()),
            Entry::Vacant(at) => {
                at.insert(merged.len());
                None
            }
        });
        let Some(first) = at.and_then(|at| merged.get_mut(at)) else {
            merged.push(found);
            continue;
        };
        let (kept, other) = (&mut first.diagnostic, found.diagnostic);
        // Two errors of one tool in one line stay two.
        let is_same_column = kept.place.as_ref().map(|place| place.column) == other.place.as_ref().map(|place| place.column);
        let is_of_tool = kept.tool.split(", ").any(|tool| tool == other.tool);
        if is_of_tool && !is_same_column {
            let other = LocatedDiagnostic { diagnostic: other, spot: found.spot, frames: found.frames };
            if !merged.contains(&other) {
                merged.push(other);
            }
            continue;
        }
        if !is_of_tool && !other.tool.is_empty() {
            kept.tool = if kept.tool.is_empty() { other.tool } else { format!("{}, {}", kept.tool, other.tool) };
        }
        kept.severity = kept.severity.min(other.severity);
        for note in other.notes {
            let line = |note: &Note| note.place.as_ref().map(|place| (place.path.clone(), place.line));
            if !kept.notes.iter().any(|known| known.message == note.message && line(known) == line(&note)) {
                kept.notes.push(note);
            }
        }
    }
    merged
}
