//! What Maven says of a build: errors of the compiler in its own form, what checkers say that it runs, and why else a goal failed.
//!
//! It says everything twice, at the place and at the end. Tests are those of [`super::surefire`].

use super::gcc;
use super::input::Line;
use super::java;
use super::javac::{self, add_note, lint};
use super::{Diagnostic, LineReader, Place, Report, Severity};

/// Who says why a goal failed.
const TOOL: &str = "maven";

/// Who checks style, from Maven and by itself.
const CHECKSTYLE: &str = "checkstyle";

/// How bad a line is that Maven writes; of the rest no line is read.
const LEVELS: [(&str, Severity); 7] = [
    ("[ERROR] ", Severity::Error),
    ("[FATAL] ", Severity::Error),
    ("[WARNING] ", Severity::Warning),
    ("[WARN] ", Severity::Warning),
    ("[INFO] ", Severity::Note),
    // As logs of GitHub show it.
    ("Error:  ", Severity::Error),
    ("Warning:  ", Severity::Warning),
];
/// What stands between a path and its position.
const POSITION: &str = ":[";
/// What older compilers write before a message all the same.
const GRADES: [&str; 2] = ["error: ", "warning: "];

/// Why a goal failed, what stands behind its project and behind it, and what is said of goals whose own words say more.
const FAILED: &str = "Failed to execute goal ";
const PROJECT: &str = " on project ";
const HELP: &str = " -> [Help";
const TOLD: [&str; 4] = ["Compilation failure", "There are test failures", "There was a timeout", "You have "];
/// A file of a project that cannot be read, and what stands before its position.
const POM: &str = "pom.xml";
const NOT_READ: [&str; 2] = ["Non-parseable POM ", "Malformed POM "];
const AT_LINE: &str = " @ ";

/// The most lines that go on with a message.
const MAX_LINES: usize = 64;

/// Reads it.
#[derive(Debug, Default)]
pub(super) struct Maven {
    /// The message of the compiler that is read, and how many lines it has.
    open: Option<(Diagnostic, usize)>,
}

impl LineReader for Maven {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let level = level(text);
        // Logs of CI have levels of their own, which are taken off.
        let (severity, said) = level.unwrap_or((Severity::Error, text.trim_start()));
        let failed = || failed(said, severity).filter(|_| level.is_some());
        if let Some((found, goes_on)) = compiled(said, severity, level.is_some()).or_else(failed) {
            self.end(report);
            if goes_on {
                self.open = Some((found, 0));
            } else {
                report.diagnostic(found);
            }
            return true;
        }
        // What else is said stands below, indented, with or without the level.
        let (severity, below) = level.unwrap_or((Severity::Error, text));
        let is_below = below.starts_with(' ') && severity < Severity::Note;
        if let Some((found, n_lines)) = self.open.as_mut().filter(|_| is_below && !below.trim().is_empty()) {
            *n_lines += 1;
            if *n_lines <= MAX_LINES {
                add_note(found, below.trim());
                return true;
            }
        }
        self.end(report);
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.open.take().into_iter().for_each(|(found, _)| report.diagnostic(found));
    }
}

/// How bad a line is and what it says.
pub(super) fn level(text: &str) -> Option<(Severity, &str)> {
    LEVELS.iter().find_map(|(start, severity)| Some((*severity, text.strip_prefix(start)?)))
}

/// A message with a place, and whether more of it may stand below. Without a level only the form of Maven is one.
fn compiled(text: &str, severity: Severity, has_level: bool) -> Option<(Diagnostic, bool)> {
    if severity == Severity::Note {
        return None;
    }
    let of_maven = || {
        let (path, rest) = text.split_once(POSITION)?;
        let (position, words) = rest.split_once("] ")?;
        let (line, column) = position.split_once(',').unwrap_or((position, "0"));
        (is_source(path)).then_some((Place::at(of_drive(path), line.parse().ok()?, column.parse().ok()?), words))
    };
    let (place, words) = of_maven().or_else(|| gcc::located(text).filter(|(place, _)| has_level && is_source(&place.path)))?;
    let words = GRADES.iter().find_map(|grade| words.strip_prefix(grade)).unwrap_or(words);
    // `(blocks) NeedBraces: text`, as the plugin of checkstyle has it, and `text [NeedBraces]`, as checkstyle itself.
    let of_plugin = words.strip_prefix('(').and_then(|words| words.split_once(") ")?.1.split_once(": "));
    let of_checkstyle = || words.strip_suffix(']').and_then(|words| words.rsplit_once(" [")).map(|(words, code)| (code, words));
    let is_rule = |(code, _): &(&str, &str)| code.starts_with(char::is_uppercase) && code.chars().all(char::is_alphanumeric);
    let checked = of_plugin.filter(is_rule).or_else(|| of_checkstyle().filter(is_rule));
    let tool = if checked.is_some() { CHECKSTYLE } else { javac::TOOL };
    let (code, words) = checked.unwrap_or_else(|| lint(words));
    let found = Diagnostic {
        tool: tool.to_owned(),
        severity,
        code: code.to_owned(),
        place: Some(place),
        message: words.trim().to_owned(),
        ..Diagnostic::default()
    };
    Some((found, true))
}

fn is_source(path: &str) -> bool {
    java::is_file(path.rsplit(['/', '\\']).next().unwrap_or_default()) && !path.starts_with(' ')
}

/// A path of Windows without the slash that stands before its drive.
fn of_drive(path: &str) -> &str {
    let is_of_drive = matches!(path.as_bytes(), [b'/', drive, b':', ..] if drive.is_ascii_alphabetic());
    if is_of_drive { &path[1..] } else { path }
}

/// Why a goal failed or a project could not be read, where nothing else says it.
fn failed(text: &str, severity: Severity) -> Option<(Diagnostic, bool)> {
    let found = |place, message: &str| {
        let message = message.split(HELP).next().unwrap_or_default().trim();
        let found = Diagnostic { tool: TOOL.to_owned(), severity, place, message: message.to_owned(), ..Diagnostic::default() };
        Some((found, false))
    };
    if severity != Severity::Error {
        return None;
    }
    if let Some(start) = NOT_READ.iter().find(|start| text.starts_with(**start)) {
        let path = text[start.len()..].split(POM).next().unwrap_or_default();
        return found(Some(Place::at(&format!("{path}{POM}"), at_line(text), 0)).filter(|_| !path.contains(' ')), text);
    }
    let goal = text.strip_prefix(FAILED)?;
    let goal = goal.split_once(PROJECT).map_or(goal, |(_, goal)| goal);
    let (_, why) = goal.split_once(": ")?;
    if TOLD.iter().any(|told| why.starts_with(told)) { None } else { found(None, text) }
}

/// The line in `... @ line 27, column 15`.
fn at_line(text: &str) -> u32 {
    let position = text.rsplit_once(AT_LINE).and_then(|(_, position)| position.strip_prefix("line "));
    position.and_then(|position| position.split(',').next()?.parse().ok()).unwrap_or_default()
}
