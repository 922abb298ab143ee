//! `textDocument/publishDiagnostics` of language servers: a message, an array of them, or what went over the wire.
//!
//! A server publishes a file again with every change, so that only what came last holds.

use super::input::{Head, Input};
use super::json::{self, read_values};
use super::lenient::{Each, EachFilled, Fill, InPlace, List, Number, Object, Text};
use super::report::MAX_NOTES;
use super::{Diagnostic, Note, Place, Report, Severity, rust};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};
use std::collections::BTreeMap;

/// What the message is called.
const METHOD: &str = "publishDiagnostics";
/// Who says it if the message does not.
const NAME: &str = "lsp";

/// The most diagnostics of all files together.
const MAX_DIAGNOSTICS: usize = 20_000;

/// How a server refers to the message that it repeats as a hint at each of its places.
const REPEATED: &str = "original diagnostic";

/// What holds, by files in the order in which they were published first.
#[derive(Default)]
struct Published {
    files: Vec<Vec<Diagnostic>>,
    numbers: BTreeMap<String, usize>,
    n_diagnostics: usize,
    n_left_out: u32,
}

/// A message, as far as it was read.
#[derive(Default)]
struct Message {
    uri: String,
    diagnostics: Option<Vec<Item>>,
    n_left_out: u32,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Item {
    range: Object<Range>,
    severity: Number,
    code: Text,
    source: Text,
    message: Text,
    related_information: List<Object<Related>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Related {
    location: Object<Location>,
    message: Text,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Location {
    uri: Text,
    range: Object<Range>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Range {
    start: Object<Position>,
    end: Object<Position>,
}

/// A position from 0.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Position {
    line: Number,
    character: Number,
}

pub(super) fn recognise(head: &Head) -> bool {
    head.has(&["uri", "diagnostics"]) || head.has(&["params"]) && head.text.contains(METHOD)
}

/// Reads all messages, since a later one may take back what an earlier one says; headers and other lines between them are skipped.
pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    let mut published = Published::default();
    read_values(input, report, is_message, |json, _| EachFilled::new(|message| published.take(message)).deserialize(json));
    report.left_out(published.n_left_out);
    published.files.into_iter().flatten().for_each(|diagnostic| report.diagnostic(diagnostic));
}

/// Whether a text begins with a message of a server, of whatever kind.
fn is_message(text: &str) -> bool {
    let keys = json::keys(text).names;
    ["jsonrpc", "diagnostics"].iter().any(|name| keys.iter().any(|key| key == name))
}

impl Fill for Message {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "params" => members.next_value_seed(InPlace(self))?,
            "uri" => self.uri = members.next_value::<Text>()?.0,
            "diagnostics" => {
                let items = self.diagnostics.insert(Vec::new());
                members.next_value_seed(Each::new(|Object(item)| {
                    if items.len() < MAX_DIAGNOSTICS {
                        items.push(item);
                    } else {
                        self.n_left_out += 1;
                    }
                }))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Published {
    fn take(&mut self, message: Message) {
        let Some(items) = message.diagnostics else { return };
        self.n_left_out += message.n_left_out;
        let number = match self.numbers.get(&message.uri) {
            Some(number) => *number,
            // Most files have nothing that could be taken back.
            None if items.is_empty() => return,
            None if self.n_diagnostics == MAX_DIAGNOSTICS => {
                self.n_left_out += items.len() as u32;
                return;
            }
            None => {
                self.files.push(Vec::new());
                *self.numbers.entry(message.uri.clone()).or_insert(self.files.len() - 1)
            }
        };
        let Some(file) = self.files.get_mut(number) else { return };
        self.n_diagnostics -= file.len();
        let room = MAX_DIAGNOSTICS - self.n_diagnostics;
        self.n_left_out += items.len().saturating_sub(room) as u32;
        let items = items.into_iter().filter(|item| !item.is_repeated()).take(room);
        *file = items.map(|item| item.diagnostic(&message.uri)).collect();
        self.n_diagnostics += file.len();
    }
}

impl Item {
    /// Whether it belongs to another, which names it as well.
    fn is_repeated(&self) -> bool {
        self.related_information.0.iter().any(|related| related.0.message.0 == REPEATED)
    }

    fn diagnostic(self, uri: &str) -> Diagnostic {
        let mut lines = self.message.0.lines().map(str::trim);
        let message = lines.next().unwrap_or_default().to_owned();
        let further = lines.filter(|line| rust::lint(line).is_none()).map(|line| Note { message: line.to_owned(), place: None });
        let related = self.related_information.0.into_iter().map(|Object(related)| {
            let Location { uri, range } = related.location.0;
            Note { message: related.message.0, place: Some(range.0.place(&uri.0)) }
        });
        Diagnostic {
            notes: further.chain(related).take(MAX_NOTES).collect(),
            frames: Vec::new(),
            tool: if self.source.0.is_empty() { NAME.to_owned() } else { self.source.0 },
            severity: match self.severity.0 {
                2 => Severity::Warning,
                3 | 4 => Severity::Note,
                _ => Severity::Error,
            },
            code: self.code.0,
            place: Some(self.range.0.place(uri)),
            message,
        }
    }
}

impl Range {
    /// Lines and columns from 1. Columns count units of UTF-16, as the server does: only the source could tell what they are in letters.
    fn place(&self, uri: &str) -> Place {
        let (start, end) = (&self.start.0, &self.end.0);
        let [line, column] = [start.line, start.character].map(|number| number.0.saturating_add(1));
        // A range that ends before the first letter of a line does not hold that line.
        let end_line = end.line.0.saturating_add(u32::from(end.character.0 > 0)).max(line);
        Place { end_line, ..Place::of_uri(uri, line, column) }
    }
}
