//! What tools say: diagnostics of compilers and linters, results of tests, each format in a file of its own.
//!
//! Reads text from strangers, within bounds, and loses nothing silently. Must not know which files or tests a repository has: paths and
//! names are as the tools wrote them.

mod cargo;
mod eslint;
mod eslint_text;
mod gcc;
mod github;
mod given;
mod go_build;
mod go_build_json;
mod go_vet_json;
mod golangci;
mod input;
mod javac;
mod json;
mod lenient;
mod lsp;
mod maven;
mod pasted;
mod report;
mod rust;
mod rustc;
mod sarif;
mod tsc;

mod failure;
mod frames;
mod marks;
mod output;
mod passed;
mod prefixes;
mod sentence;

mod go_test;
mod go_test_json;
mod go_tests;
mod gradle;
mod java;
mod jest;
mod jest_json;
mod junit;
mod libtest;
mod libtest_json;
mod nextest;
mod panic;
mod pytest;
mod python;
mod surefire;
mod told;
mod vitest;

pub mod built;
pub mod place;
pub mod trace;

pub use given::given;
pub use pasted::{Pasted, pasted};
pub use report::{Report, Unreadable};

use error::{Error, ErrorKind, Result};
use input::{HEAD_BYTES, Head, Input, Line};
use prefixes::Prefixes;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::ops::RangeInclusive;

/// The most documents of a text: scripts run a linter once for each of their packages, and builds of Java write a report for each class of
/// tests, of which the largest have some thousand.
const MAX_DOCUMENTS: u32 = 4_096;
/// The most lines that are tried as the beginning of a document of several lines, since much is looked ahead for each.
const MAX_TRIES: u32 = 1_000;
/// What some line said that begins like a document, when there were too many of them.
const TOO_MANY_TRIES: &str = "too many lines begin as a document might: from here on none is looked for that has several lines";

/// The bytes in which most lines show that they begin no document.
const NEAR_BYTES: usize = 256;

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// The build fails, or must not pass.
    Error,
    /// It should be looked at.
    Warning,
    /// A remark.
    Note,
}

/// A place as a tool writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The path as written, with forward slashes: from the root of the repository, from a folder below it, or absolute. URIs are decoded.
    pub path: String,
    /// What the path may be meant from, as far as the tool says: a folder, a Go import path, or a
    /// package of Java as a folder, which the path must stand in. Empty where it does not say.
    pub folder: String,
    /// The folder below the root of the repository in which the tool ran, empty for the root; none where that is not known. See
    /// [`Report::ran_in`].
    pub ran_in: Option<String>,
    /// When it was written that something is here, in nanoseconds since 1970; none where that is not known. See [`Report::written_at`].
    pub written_ns: Option<i64>,
    /// The line, from 1; 0 where only a file is named.
    pub line: u32,
    /// The column, from 1; 0 where none is named.
    pub column: u32,
    /// The last line, where the tool names a range; else the line.
    pub end_line: u32,
}

/// Something that a compiler or a linter complains about.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Who says it: `rustc`, `clippy`, `go vet`, `tsc`, `eslint`, or the name that the report gives.
    pub tool: String,
    /// How bad it is.
    pub severity: Severity,
    /// The rule or number of the message, e.g. `E0425`, `TS2304`; empty where there is none.
    pub code: String,
    /// Where; none for what concerns a whole build.
    pub place: Option<Place>,
    /// What is wrong, without code and place.
    pub message: String,
    /// What the tool adds: notes, helps, suggestions, related places, most important first.
    pub notes: Vec<Note>,
    /// The frames of the stack trace, innermost first, where it is an error that ended a program: those of [`Diagnostic::place`] and of notes
    /// too, and those of code that was built or installed.
    #[serde(default)]
    pub frames: Vec<Frame>,
}

/// What a tool adds to a diagnostic.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Note {
    /// What it says.
    pub message: String,
    /// Where, if elsewhere.
    pub place: Option<Place>,
}

/// How a test went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Status {
    /// It passed.
    Passed,
    /// It failed, or ended in an error.
    #[default]
    Failed,
    /// It was not run.
    Skipped,
}

/// The result of a test.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestResult {
    /// Who ran it: `cargo test`, `nextest`, `go test`, `vitest`, `jest`, or the name that the report gives.
    pub runner: String,
    /// What it belongs to, as the runner says: a Go package, a binary of tests, a class. Empty where it does not say.
    pub suite: String,
    /// Its name in the runner's own form: `TestToken/empty`, `auth::tests::empty`, `login > rejects empty tokens`.
    pub name: String,
    /// Where it stands or where it failed, if the report says.
    pub place: Option<Place>,
    /// How it went.
    pub status: Status,
    /// What failed: the message of the assertion or panic, without frames.
    pub message: String,
    /// The frames of the failure, innermost first, without those of runtimes as far as the form shows it.
    pub frames: Vec<Frame>,
}

/// A frame of a stack trace.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function as written; empty where only the place is known.
    pub function: String,
    /// Where it is.
    pub place: Option<Place>,
    /// Whether that is of code that was built, published or served: its path and lines are not those of the source.
    #[serde(default)]
    pub is_built: bool,
}

impl Place {
    /// Whether the file is named by its package and its own name alone, as frames of Java have it.
    pub fn is_in_package(&self) -> bool {
        java::is_file(&self.path) && !self.is_absolute()
    }
}

impl Severity {
    /// What a tool's word means, if it is one of those that tools use.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "error" | "fatal" | "fatal error" | "error: internal compiler error" | "internal compiler error" | "failure" => {
                Some(Self::Error)
            }
            "warning" | "warn" => Some(Self::Warning),
            "note" | "info" | "information" | "help" | "hint" | "none" | "remark" | "style" => Some(Self::Note),
            _ => None,
        }
    }
}

impl Default for Severity {
    /// What does not say how bad it is counts as an error.
    fn default() -> Self {
        Self::Error
    }
}

/// A format that fills a text from the beginning of some line on: one JSON value, or XML.
struct Document {
    name: &'static str,
    /// Whether a text that begins so is of this format.
    recognise: fn(&Head) -> bool,
    /// Reads it all, and gives back to the input what follows it.
    read: fn(&mut Input<'_>, &mut Report),
}

/// Reads one line after the other. A text can be a mixture: builds write beside tests, scripts beside both.
trait LineReader {
    /// Reads a line; whether it was one of this format, so that nobody else reads it.
    fn line(&mut self, line: &Line, report: &mut Report) -> bool;
    /// Gives out what waited for further lines.
    fn end(&mut self, report: &mut Report);
}

/// A format of lines.
struct Lines {
    name: &'static str,
    reader: fn() -> Box<dyn LineReader>,
}

/// The formats that fill a text from some line on, the most particular first.
const DOCUMENTS: &[Document] = &[
    Document { name: "eslint", recognise: eslint::recognise, read: eslint::read },
    Document { name: "golangci-lint", recognise: golangci::recognise, read: golangci::read },
    Document { name: "sarif", recognise: sarif::recognise, read: sarif::read },
    Document { name: "lsp", recognise: lsp::recognise, read: lsp::read },
    Document { name: "junit", recognise: junit::recognise, read: junit::read },
    Document { name: "jest-json", recognise: jest_json::recognise, read: jest_json::read },
];

/// The formats of lines, the most particular first: the first that knows a line reads it.
const LINES: &[Lines] = &[
    Lines { name: "cargo", reader: || Box::new(cargo::Cargo) },
    Lines { name: "go-build-json", reader: || Box::<go_build_json::GoBuildJson>::default() },
    Lines { name: "go-vet-json", reader: || Box::<go_vet_json::GoVetJson>::default() },
    Lines { name: "libtest-json", reader: || Box::<libtest_json::LibtestJson>::default() },
    Lines { name: "go-test-json", reader: || Box::<go_test_json::GoTestJson>::default() },
    // Results of tests come before messages in text: what a failed test has written is its own, whatever it looks like.
    Lines { name: "nextest", reader: || Box::<nextest::Nextest>::default() },
    Lines { name: "libtest", reader: || Box::<libtest::Libtest>::default() },
    Lines { name: "go-test", reader: || Box::<go_test::GoTest>::default() },
    Lines { name: "vitest", reader: || Box::<vitest::Vitest>::default() },
    Lines { name: "jest", reader: || Box::<jest::Jest>::default() },
    Lines { name: "pytest", reader: || Box::<pytest::Pytest>::default() },
    Lines { name: "surefire", reader: || Box::<surefire::Surefire>::default() },
    Lines { name: "gradle", reader: || Box::<gradle::Gradle>::default() },
    Lines { name: "maven", reader: || Box::<maven::Maven>::default() },
    Lines { name: "javac", reader: || Box::<javac::Javac>::default() },
    Lines { name: "rustc", reader: || Box::<rustc::Rustc>::default() },
    Lines { name: "go", reader: || Box::<go_build::GoBuild>::default() },
    Lines { name: "tsc", reader: || Box::<tsc::Tsc>::default() },
    Lines { name: "eslint-text", reader: || Box::<eslint_text::EslintText>::default() },
    Lines { name: "github", reader: || Box::<github::Github>::default() },
    Lines { name: "python", reader: || Box::<python::Python>::default() },
    Lines { name: "java", reader: || Box::<java::Java>::default() },
    Lines { name: "panic", reader: || Box::<panic::Panic>::default() },
    // The most general is the last.
    Lines { name: "gcc", reader: || Box::<gcc::Gcc>::default() },
];

/// The names of all formats, for `--diagnostics-format` and `--tests-format`.
pub fn formats() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|format| format.name).chain(LINES.iter().map(|format| format.name))
}

/// Reads what a tool wrote into a report. `name` is how messages call the source, e.g. `` `build.log` ``; `format` is one of [`formats`], or
/// none to recognise it by its content.
///
/// What cannot be read is kept in the report's list with line and column, and the rest is read on.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a format that does not exist, [`ErrorKind::UnreadableFile`] where the source fails.
pub fn read(source: impl Read, name: &str, format: Option<&str>, report: &mut Report) -> Result<()> {
    read_lines(source, name, format, report, &mut Watch { ends: None, is_read: &mut |_| {} })
}

/// [`read`] for a text in memory, in the formats that are recognised by their content.
pub fn read_text(text: &str, name: &str, report: &mut Report) {
    // Memory does not fail, nor is a format named that could be none.
    if let Err(error) = read(text.as_bytes(), name, None, report) {
        report.unreadable(1, 1, error.message);
    }
}

/// Says of the number and the text of a line whether it ends what stands above it.
type Ends<'w> = dyn Fn(u32, &str) -> End + 'w;

/// What [`read_lines`] tells, and where it ends.
struct Watch<'w> {
    /// Whether a line ends what a tool wrote above it, however much of that is missing: it has the number of the line from 1 and its text.
    ends: Option<&'w Ends<'w>>,
    /// Told the numbers of the lines, from 1, that are of some format.
    is_read: &'w mut dyn FnMut(RangeInclusive<u32>),
}

/// Whether a line ends what stands above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It goes on.
    No,
    /// It ends, and the line is read as a first one.
    Above,
    /// It ends, and the line is nobody's.
    Here,
}

/// [`read`], watched.
fn read_lines(source: impl Read, name: &str, format: Option<&str>, report: &mut Report, watch: &mut Watch<'_>) -> Result<()> {
    if let Some(format) = format
        && !formats().any(|known| known == format)
    {
        let known: Vec<&str> = formats().collect();
        let message = format!("there is no format `{format}`; known are {}", known.join(", "));
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let mut source = source;
    let mut input = Input::new(&mut source);
    report.start(name);
    if let Some(document) = DOCUMENTS.iter().find(|document| format == Some(document.name)) {
        (document.read)(&mut input, report);
    }
    let wanted = LINES.iter().filter(|lines| format.is_none_or(|format| lines.name == format));
    let mut readers: Vec<Box<dyn LineReader>> = wanted.map(|lines| (lines.reader)()).collect();
    let mut prefixes = Prefixes::new(&mut input);
    let (mut n_tries, mut n_documents) = (0, 0);
    loop {
        if n_documents <= MAX_DOCUMENTS
            && let Some(document) = next_document(&mut input, format, &mut n_tries, report)
        {
            n_documents += 1;
            report.understood();
            if n_documents <= MAX_DOCUMENTS && input.has_room() {
                let first = input.n_lines().saturating_add(1);
                (document.read)(&mut input, report);
                (watch.is_read)(first..=input.n_lines());
                continue;
            }
            n_documents = MAX_DOCUMENTS + 1;
            report.unreadable(input.n_lines().saturating_add(1), 1, "the text holds more documents than are read");
        }
        let Some(line) = input.line() else { break };
        let line = prefixes.clean(line, &mut input);
        let end = watch.ends.map_or(End::No, |ends| ends(line.number, &line.text));
        if end != End::No {
            for reader in &mut readers {
                reader.end(report);
            }
        }
        if end != End::Here && readers.iter_mut().any(|reader| reader.line(&line, report)) {
            (watch.is_read)(line.number..=line.number);
        }
    }
    for reader in &mut readers {
        reader.end(report);
    }
    report.finish(&mut input);
    match input.error() {
        Some(error) => Err(Error::new(ErrorKind::UnreadableFile, format!("{name} cannot be read")).because(error)),
        None => Ok(()),
    }
}

/// The document that begins with the next line, if one does. Tools do not indent them; an indented one is a quotation.
fn next_document(
    input: &mut Input<'_>,
    format: Option<&str>,
    n_tries: &mut u32,
    report: &mut Report,
) -> Option<&'static Document> {
    let is_json = match input.next_byte()? {
        b'{' | b'[' => true,
        b'<' => false,
        _ => return None,
    };
    let mut head = Head { text: input.line_ahead().unwrap_or_default(), keys: Vec::new() };
    let mut keys = json::keys(&head.text);
    if !is_json || head.text.is_empty() || keys.is_cut {
        let near = input.text_ahead(NEAR_BYTES);
        let near_keys = json::keys(&near);
        let is_hopeless = if is_json { !near_keys.is_cut && near_keys.names.is_empty() } else { !junit::may_begin(&near) };
        if is_hopeless || *n_tries > MAX_TRIES {
            return None;
        }
        *n_tries += 1;
        if *n_tries > MAX_TRIES {
            report.unreadable(input.n_lines().saturating_add(1), 1, TOO_MANY_TRIES);
            return None;
        }
        head.text = input.text_ahead(HEAD_BYTES);
        keys = json::keys(&head.text);
    }
    head.keys = keys.names;
    let mut wanted = DOCUMENTS.iter().filter(|document| format.is_none_or(|format| document.name == format));
    wanted.find(|document| (document.recognise)(&head))
}

#[cfg(test)]
mod tests;
