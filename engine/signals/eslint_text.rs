//! What `ESLint` writes by default: the path of a file alone on a line, and below it `  10:17  error  message  rule`.
//!
//! Must not take a list in prose for it: place, grade and message stand in columns.

use super::input::Line;
use super::{Diagnostic, LineReader, Place, Report, Severity};

/// Who says it.
const TOOL: &str = "eslint";

/// What stands between columns, at least.
const GAP: &str = "  ";

/// How the last line begins and what it counts.
const SUM: [&str; 2] = ["✖ ", "problem"];

/// The most bytes of a path; anything longer is not taken for a path.
const MAX_PATH_BYTES: usize = 1 << 10;

/// Reads it.
#[derive(Default)]
pub(super) struct EslintText {
    /// The last line that could be the path of a file.
    path: String,
}

impl LineReader for EslintText {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if !self.path.is_empty()
            && let Some(found) = complaint(text, &self.path)
        {
            report.diagnostic(found);
            return true;
        }
        self.path.clear();
        if is_path(text) {
            text.clone_into(&mut self.path);
        }
        let is_sum = text.strip_prefix(SUM[0]).and_then(|rest| rest.split_once(' '));
        if is_sum.is_some_and(|(number, what)| number.parse::<u32>().is_ok() && what.starts_with(SUM[1])) {
            report.understood();
            return true;
        }
        false
    }

    fn end(&mut self, _: &mut Report) {
        self.path.clear();
    }
}

/// Whether a line may be a path and nothing else.
fn is_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(_, extension)| extension.chars().all(char::is_alphanumeric));
    has_extension && text.len() <= MAX_PATH_BYTES && !name.ends_with('.') && !text.starts_with(char::is_whitespace)
}

/// `  10:17  error  Message here  rule-name`.
fn complaint(text: &str, path: &str) -> Option<Diagnostic> {
    let inner = text.strip_prefix(GAP)?.trim_start();
    let (position, rest) = inner.split_once(GAP)?;
    let (line, column) = position.split_once(':')?;
    let (grade, rest) = rest.trim_start().split_once(GAP)?;
    let severity = match grade {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let rest = rest.trim_start();
    // A fault of the parser has no rule.
    let is_rule = |(_, rule): &(&str, &str)| !rule.is_empty() && !rule.contains(char::is_whitespace);
    let (message, code) = rest.rsplit_once(GAP).filter(is_rule).unwrap_or((rest, ""));
    Some(Diagnostic {
        tool: TOOL.to_owned(),
        severity,
        code: code.to_owned(),
        place: Some(Place::at(path, line.parse().ok()?, column.parse().ok()?)),
        message: message.trim_end().to_owned(),
        ..Diagnostic::default()
    })
}
