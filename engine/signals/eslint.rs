//! `eslint -f json`: an array of files with their messages. Others write the same form.

use super::input::{Head, Input};
use super::json::read_values;
use super::lenient::{Each, EachFilled, Fill, Flag, List, Number, Object, Text};
use super::report::MAX_NOTES;
use super::{Diagnostic, Note, Place, Report, Severity};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};

/// The most messages of a file.
const MAX_MESSAGES: usize = 20_000;

/// The number of the severity of an error.
const ERROR: u32 = 2;

/// A file, as far as it was read.
#[derive(Default)]
struct File {
    path: String,
    messages: Vec<Diagnostic>,
    n_left_out: u32,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Complaint {
    rule_id: Text,
    severity: Number,
    fatal: Flag,
    message: Text,
    line: Number,
    column: Number,
    end_line: Number,
    suggestions: List<Object<Suggestion>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Suggestion {
    desc: Text,
}

pub(super) fn recognise(head: &Head) -> bool {
    head.text.starts_with('[') && head.has(&["filePath", "messages"])
}

pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    read_values(input, report, |_| false, |json, report| EachFilled::new(|file: File| file.give_out(report)).deserialize(json));
}

impl Fill for File {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "filePath" => self.path = members.next_value::<Text>()?.0,
            "messages" => members.next_value_seed(Each::new(|Object(complaint): Object<Complaint>| {
                if self.messages.len() < MAX_MESSAGES {
                    self.messages.push(complaint.diagnostic());
                } else {
                    self.n_left_out += 1;
                }
            }))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl File {
    fn give_out(self, report: &mut Report) {
        report.left_out(self.n_left_out);
        for mut diagnostic in self.messages {
            if let Some(place) = &mut diagnostic.place {
                *place = Place { end_line: place.end_line, ..Place::at(&self.path, place.line, place.column) };
            }
            report.diagnostic(diagnostic);
        }
    }
}

impl Complaint {
    /// The diagnostic, whose path is not known yet.
    fn diagnostic(self) -> Diagnostic {
        let is_error = self.fatal.0 || self.severity.0 >= ERROR;
        let helps = self.suggestions.0.into_iter().filter(|help| !help.0.desc.0.is_empty()).take(MAX_NOTES);
        Diagnostic {
            tool: "eslint".to_owned(),
            severity: if is_error { Severity::Error } else { Severity::Warning },
            code: self.rule_id.0,
            place: Some(Place {
                line: self.line.0,
                column: self.column.0,
                end_line: self.end_line.0.max(self.line.0),
                ..Place::default()
            }),
            message: self.message.0,
            notes: helps.map(|help| Note { message: format!("help: {}", help.0.desc.0), place: None }).collect(),
            frames: Vec::new(),
        }
    }
}
