//! The JSON of golangci-lint, of version 1 and 2: an object with a list of issues.

use super::input::{Head, Input};
use super::json::read_values;
use super::lenient::{Each, Fill, InPlace, List, Number, Object, Text};
use super::{Diagnostic, Note, Place, Report, Severity};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};

const NAME: &str = "golangci-lint";

/// The object.
struct Run<'r>(&'r mut Report);

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Issue {
    from_linter: Text,
    text: Text,
    severity: Text,
    pos: Object<Position>,
    line_range: Object<Range>,
    /// Of version 1.
    replacement: Object<Replacement>,
    /// Of version 2.
    suggested_fixes: List<Object<Fix>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Position {
    filename: Text,
    line: Number,
    column: Number,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Range {
    to: Number,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Replacement {
    new_lines: List<Text>,
}

/// A change, of which only the words are kept: its text is in another encoding.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Fix {
    message: Text,
}

/// What the run says of itself.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Summary {
    error: Text,
}

pub(super) fn recognise(head: &Head) -> bool {
    head.text.starts_with('{') && head.has(&["Issues"])
}

pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    read_values(input, report, |_| false, |json, report| InPlace(&mut Run(report)).deserialize(json));
}

impl Fill for Run<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "Issues" => {
                let give_out = |Object(issue): Object<Issue>| self.0.diagnostic(issue.diagnostic());
                members.next_value_seed(Each::new(give_out))?;
            }
            "Report" => {
                let message = members.next_value::<Object<Summary>>()?.0.error.0;
                if !message.is_empty() {
                    self.0.diagnostic(Diagnostic { tool: NAME.to_owned(), message, ..Diagnostic::default() });
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Issue {
    fn diagnostic(self) -> Diagnostic {
        let Object(Position { filename, line, column }) = self.pos;
        let place = Place::at(&filename.0, line.0, column.0);
        let place = Place { end_line: self.line_range.0.to.0.max(line.0), ..place };
        let lines: Vec<String> = self.replacement.0.new_lines.0.into_iter().map(|line| line.0).collect();
        let change =
            Some(lines.join("\n")).filter(|change| !change.trim().is_empty()).map(|change| format!("`{}`", change.trim()));
        let words = self.suggested_fixes.0.into_iter().map(|fix| fix.0.message.0).filter(|words| !words.is_empty());
        Diagnostic {
            tool: NAME.to_owned(),
            severity: Severity::of(&self.severity.0).unwrap_or_default(),
            code: self.from_linter.0,
            place: (!place.path.is_empty()).then_some(place),
            message: self.text.0,
            notes: change.into_iter().chain(words).map(|help| Note { message: format!("help: {help}"), place: None }).collect(),
            frames: Vec::new(),
        }
    }
}
