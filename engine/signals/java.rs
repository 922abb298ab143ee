//! Stack traces of Java and of what else runs on its machine: frames, causes, and the errors of a program outside of all tests.
//!
//! A frame names a class and a file without its folder: the package of the class is the folder. Must not take a mention of an error for one:
//! it is known by its frames alone.

use super::failure::Failure;
use super::frames::add;
use super::input::Line;
use super::report::{MAX_FRAMES, MAX_NOTES};
use super::{Diagnostic, Frame, LineReader, Note, Place, Report, Severity};
use std::mem;

/// Who says it.
const TOOL: &str = "java";

/// What begins a frame, and how the files end that frames name.
const AT: &str = "at ";
const SOURCES: [&str; 5] = [".java", ".kt", ".kts", ".scala", ".groovy"];
/// What frames name that have no file.
const NOWHERE: [&str; 3] = ["Native Method", "Unknown Source", "<generated>"];
/// What loggers write behind a frame: the archive of its class.
const ARCHIVES: [&str; 2] = [" [", " ~["];

/// What the program says before an error that ends a thread.
const THREAD: &str = "Exception in thread \"";
/// What stands before another error of one chain, and what stands for frames that the error around it has too.
const CAUSE: &str = "Caused by:";
const SUPPRESSED: &str = "Suppressed:";
const MORE: &str = "... ";
const CIRCLE: &str = "[CIRCULAR REFERENCE";
/// What names of errors end with.
const ERRORS: [&str; 4] = ["Exception", "Error", "Throwable", "Failure"];

/// How functions of Java itself begin, and modules that are its own.
const RUNTIME: [&str; 4] = ["java.", "jdk.", "sun.", "com.sun.proxy."];
const RUNTIME_MODULES: [&str; 2] = ["java.", "jdk."];
/// How functions of runners of tests begin: they call tests.
const RUNNERS: [&str; 7] =
    ["org.junit.", "junit.", "org.testng.", "org.gradle.", "org.apache.maven.", "worker.org.gradle.", "org.spockframework."];
/// How functions of libraries begin that check something for a test, or run it.
const LIBRARIES: [&str; 11] = [
    "org.opentest4j.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "com.google.common.truth.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "org.codehaus.groovy.",
    "org.springframework.",
];

/// What is said of frames without an error above them.
const NO_HEAD: &str = "frames without an error";
/// The fewest frames that are some without a head: who names one place can write it alike.
const MIN_FRAMES: usize = 2;

/// The most errors of a chain, frames of one of them, and lines of a message.
const MAX_CHAIN: usize = 8;
const MAX_PART_FRAMES: usize = 1_024;
const MAX_MESSAGE_LINES: usize = 60;
/// The most lines of a message outside of tests: what stands between an error and its frames may be of others.
const MAX_LINES_BETWEEN: usize = 20;

/// `at app//org.example.Till.add(Till.java:11)`: a frame, and whether it is one of Java itself.
pub(super) fn frame(line: &str) -> Option<(Frame, bool)> {
    let (written, behind) = line.trim().strip_prefix(AT)?.split_once('(')?;
    let (source, archive) = behind.rsplit_once(')')?;
    let is_archive = archive.is_empty() || ARCHIVES.iter().any(|start| archive.starts_with(start));
    let (file, number) = source.split_once(':').map_or((source, 0), |(file, number)| (file, number.parse().unwrap_or(0)));
    let is_file = is_file(file);
    let (modules, function) = written.rsplit_once('/').unwrap_or(("", written));
    let is_of_name = |c: char| c.is_alphanumeric() || "._$<>-".contains(c) || c == ' ' && !file.ends_with(SOURCES[0]);
    let is_named = function.contains('.') && function.chars().all(is_of_name) && !function.starts_with('.');
    if !is_archive || !(is_file || NOWHERE.contains(&source)) || !is_named {
        return None;
    }
    let is_runtime = RUNTIME.iter().any(|start| function.starts_with(start))
        || RUNTIME_MODULES.iter().any(|start| modules.rsplit('/').next().is_some_and(|module| module.starts_with(start)));
    let class = function.rsplit_once('.').map_or("", |(class, _)| class);
    let place = is_file.then(|| in_package(class, file, number));
    Some((Frame { function: function.to_owned(), place, is_built: false }, is_runtime))
}

/// The place of a line of a file that has a class of this name.
pub(super) fn in_package(class: &str, file: &str, line: u32) -> Place {
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    Place::at(file, line, 0).within(&package.replace('.', "/"))
}

/// The place of the file that a class is in by its name: `org.example.Till$Drawer` is in `Till.java`.
pub(super) fn of_class(class: &str, line: u32) -> Option<Place> {
    let name = class.rsplit('.').next()?.split('$').next()?;
    let is_class = name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_class.then(|| in_package(class, &format!("{name}{}", SOURCES[0]), line))
}

/// An error of a chain.
#[derive(Debug, Default)]
struct Part {
    message: Vec<String>,
    /// Innermost first, as they are written, without those of Java itself.
    frames: Vec<Frame>,
    /// Whether a frame was read.
    has_frames: bool,
    /// How far what was suppressed is indented: it is no cause.
    beside: Option<usize>,
}

/// What a line is to the errors above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A part of them.
    Inside,
    /// Nothing of them, or an empty line behind which a cause may stand.
    Blank,
    /// Nothing of them.
    Outside,
}

/// An error with its causes, as it is written.
#[derive(Debug, Default)]
pub(super) struct Chain {
    parts: Vec<Part>,
}

impl Chain {
    /// Begins with the line that names an error.
    pub(super) fn new(message: &str) -> Self {
        Self { parts: vec![Part { message: vec![message.trim().to_owned()], ..Part::default() }] }
    }

    /// Whether a frame was read.
    pub(super) fn has_frames(&self) -> bool {
        self.parts.iter().any(|part| part.has_frames)
    }

    /// Reads a line below the first.
    pub(super) fn line(&mut self, text: &str) -> Step {
        let inner = text.trim();
        let indent = text.len() - text.trim_start().len();
        let Some(last) = self.parts.last_mut() else { return Step::Outside };
        if let Some((frame, is_runtime)) = frame(inner) {
            last.has_frames = true;
            if !is_runtime && last.frames.len() < MAX_PART_FRAMES {
                last.frames.push(frame);
            }
        } else if let Some(message) = inner.strip_prefix(CAUSE) {
            let beside = last.beside.filter(|around| indent >= *around);
            self.begin(message, beside);
        } else if let Some(message) = inner.strip_prefix(SUPPRESSED) {
            let beside = last.beside.map_or(indent, |around| around.min(indent));
            self.begin(message, Some(beside));
        } else if inner.starts_with(MORE) && inner.split(' ').nth(1).is_some_and(|number| number.parse::<u32>().is_ok())
            || inner.starts_with(CIRCLE)
        {
            last.has_frames = true;
        } else if last.has_frames {
            return if inner.is_empty() { Step::Blank } else { Step::Outside };
        } else if last.message.len() < MAX_MESSAGE_LINES {
            last.message.push(text.trim_end().to_owned());
        }
        Step::Inside
    }

    fn begin(&mut self, message: &str, beside: Option<usize>) {
        if self.parts.len() == MAX_CHAIN {
            // The first ended the program, the last began it.
            self.parts.remove(1);
        }
        self.parts.push(Part { message: vec![message.trim().to_owned()], beside, ..Part::default() });
    }

    /// What is said of a test that ended with it: frames of what began it come first.
    pub(super) fn failure(self) -> Failure {
        let mut failure = Failure { is_known: true, ..Failure::default() };
        let parts: Vec<Part> = self.parts.into_iter().filter(|part| part.beside.is_none()).collect();
        let messages: Vec<String> = parts.iter().map(Part::said).filter(|said| !said.is_empty()).collect();
        failure.message = messages.join(&format!("\n{CAUSE} "));
        for part in parts.into_iter().rev() {
            failure.place = failure.place.take().or_else(|| part.place());
            for frame in without_runner(part.frames).into_iter().take(MAX_FRAMES.saturating_sub(failure.frames.len())) {
                add(&mut failure.frames, frame);
            }
        }
        failure
    }

    /// What is said of a program that it ended or that wrote it.
    fn diagnostic(self, severity: Severity) -> Option<Diagnostic> {
        let mut parts = self.parts.into_iter().filter(|part| part.beside.is_none());
        let first = parts.next()?;
        let (message, place) = (first.said(), first.place());
        let mut notes: Vec<Note> = Vec::new();
        let mut frames = without_runner(first.frames);
        for part in parts {
            notes.push(Note { message: format!("{CAUSE} {}", part.said()), place: part.place() });
            frames.extend(without_runner(part.frames));
        }
        for frame in
            frames.iter().filter(|frame| frame.place.is_some() && frame.place != place && !is_of_library(&frame.function))
        {
            if !notes.iter().any(|note| note.place == frame.place) {
                notes.push(Note { message: frame.function.clone(), place: frame.place.clone() });
            }
        }
        notes.truncate(MAX_NOTES);
        let message = if message.is_empty() { NO_HEAD.to_owned() } else { message };
        Some(Diagnostic { tool: TOOL.to_owned(), severity, place, message, notes, frames, ..Diagnostic::default() })
    }
}

impl Part {
    /// What it says.
    fn said(&self) -> String {
        self.message.join("\n").trim().to_owned()
    }

    /// The innermost frame that is not one of a library that everybody has, as far as its name says.
    fn place(&self) -> Option<Place> {
        let placed = || self.frames.iter().filter(|frame| frame.place.is_some());
        let own = placed().find(|frame| !is_of_library(&frame.function));
        own.or_else(|| placed().next()).and_then(|frame| frame.place.clone())
    }
}

fn is_of_library(function: &str) -> bool {
    RUNNERS.iter().chain(&LIBRARIES).any(|start| function.starts_with(start))
}

/// Frames without those of the runner that called the test, where there are others.
fn without_runner(mut frames: Vec<Frame>) -> Vec<Frame> {
    let is_own = |frame: &Frame| !RUNNERS.iter().any(|start| frame.function.starts_with(start));
    if let Some(last) = frames.iter().rposition(is_own) {
        frames.truncate(last + 1);
    }
    frames.truncate(MAX_FRAMES);
    frames
}

/// What a text says that is an error with its frames, as reports of tests have it.
pub(super) fn failure(text: &str) -> Option<Failure> {
    let mut lines = text.trim_start().lines();
    let mut chain = Chain::new(lines.next()?);
    let is_known = lines.all(|line| chain.line(line) != Step::Outside || !chain.has_frames()) && chain.has_frames();
    is_known.then(|| chain.failure())
}

/// An error that a line names, and how bad it is that it does.
fn head(text: &str) -> Option<(&str, Severity)> {
    if let Some((_, message)) = text.split_once(THREAD).and_then(|(_, rest)| rest.split_once("\" ")) {
        return Some((message, Severity::Error));
    }
    let mut at = 0;
    for word in text.split(' ') {
        // Within a line of a log only a name with its package is one.
        let name = word.strip_suffix(':').unwrap_or(word);
        if is_error(name) && (at == 0 || name.contains('.')) {
            return Some((&text[at..], if at == 0 { Severity::Error } else { Severity::Warning }));
        }
        at += word.len() + 1;
    }
    None
}

/// Whether a word is the name of an error: `java.lang.IllegalStateException`.
fn is_error(word: &str) -> bool {
    ERRORS.iter().any(|end| word.ends_with(end)) && is_names(word)
}

/// Whether a word is made of names with dots between.
pub(super) fn is_names(word: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    word.split('.').all(|part| part.starts_with(is_first) && part.chars().all(|c| c.is_alphanumeric() || "_$".contains(c)))
}

/// Whether a word is the name of a class, with its package or without.
pub(super) fn is_class(word: &str) -> bool {
    is_names(word) && word.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase))
}

/// Whether a word is the name of a file as frames have it.
pub(super) fn is_file(word: &str) -> bool {
    SOURCES.iter().any(|end| word.len() > end.len() && word.ends_with(end)) && !word.contains([' ', '/', '\\'])
}

/// Reads them.
#[derive(Debug, Default)]
pub(super) struct Java {
    /// The line that may name the error, what stands below it, and how bad it is.
    said: Option<(Vec<String>, Severity)>,
    open: Option<(Chain, Severity)>,
}

impl LineReader for Java {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some((chain, _)) = &mut self.open {
            match chain.line(text) {
                Step::Inside => return true,
                Step::Blank => return false,
                Step::Outside => self.end(report),
            }
        }
        if let Some(head) = head(text) {
            self.said = Some((vec![head.0.to_owned()], head.1));
            return false;
        }
        if frame(text).is_some() {
            let (said, severity) = self.said.take().unwrap_or_else(|| (vec![String::new()], Severity::Note));
            let mut chain = Chain::new(said.first().map_or("", String::as_str));
            for line in said.iter().skip(1).map(String::as_str).chain([text]) {
                chain.line(line);
            }
            self.open = Some((chain, severity));
            return true;
        }
        // Within a line of a log it may be a mention, which frames of another one follow.
        self.said.take_if(|(said, severity)| said.len() > MAX_LINES_BETWEEN || *severity != Severity::Error);
        if let Some((said, _)) = &mut self.said {
            said.push(text.to_owned());
        }
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.said = None;
        let Some((chain, severity)) = mem::take(&mut self.open) else { return };
        let n_frames: usize = chain.parts.iter().map(|part| part.frames.len()).sum();
        if severity == Severity::Note && n_frames < MIN_FRAMES {
            return;
        }
        if let Some(found) = chain.diagnostic(severity) {
            report.diagnostic(found);
        }
    }
}
