//! `--message-format=json` of cargo, for `check`, `build`, `clippy` and `test`, and `--error-format=json` of rustc: an object a line.
//!
//! Builds repeat a message for each of their targets; the report keeps one.

use super::input::Line;
use super::lenient::{Flag, List, Number, Object, Text};
use super::report::MACRO_USE;
use super::{Diagnostic, LineReader, Note, Place, Report, Severity, json, rust};
use serde::Deserialize;
use std::iter;

/// With what a line begins: what cargo says, and what the compiler says where cargo does not run it.
const OF_CARGO: [&str; 2] = ["{\"reason\":\"", "{\"reason\": \""];
const OF_RUSTC: &str = "{\"$message_type\":\"diagnostic\"";

/// The events of cargo that hold a message of the compiler; others tell of files that were built.
const MESSAGE: &str = "compiler-message\"";

/// Levels of messages that only point to further help.
const FAILURE_NOTE: &str = "failure-note";

/// Reads the lines of cargo and rustc.
pub(super) struct Cargo;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Event {
    message: Object<CompilerMessage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CompilerMessage {
    message: Text,
    level: Text,
    code: Object<Code>,
    spans: List<Object<Span>>,
    children: List<Object<Child>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Code {
    code: Text,
}

/// A help or a note. It has no children of its own.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Child {
    message: Text,
    level: Text,
    spans: List<Object<Span>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Span {
    file_name: Text,
    line_start: Number,
    line_end: Number,
    column_start: Number,
    is_primary: Flag,
    label: Text,
    suggested_replacement: Text,
    expansion: Option<Object<Box<Expansion>>>,
}

/// The macro whose expansion holds a span.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Expansion {
    /// Where the macro is used.
    span: Object<Span>,
    macro_decl_name: Text,
}

impl LineReader for Cargo {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let event = OF_CARGO.iter().find_map(|start| line.text.strip_prefix(start));
        let said = if event.is_some_and(|event| event.starts_with(MESSAGE)) {
            json::read_line::<Object<Event>>(line, report).map(|event| event.0.message)
        } else if line.text.starts_with(OF_RUSTC) {
            json::read_line(line, report)
        } else {
            if event.is_some() {
                report.understood();
            }
            return event.is_some();
        };
        if let Some(Object(said)) = said {
            report.understood();
            if said.level.0 != FAILURE_NOTE && !rust::is_count(&said.message.0) {
                report.diagnostic(diagnostic(said));
            }
        }
        true
    }

    fn end(&mut self, _: &mut Report) {}
}

fn diagnostic(said: CompilerMessage) -> Diagnostic {
    let CompilerMessage { message, level, code, spans: List(spans), children: List(children) } = said;
    let spans: Vec<Span> = spans.into_iter().map(|span| span.0).collect();
    let primary = spans.iter().find(|span| span.is_primary.0);
    let place = primary.map(Span::place);
    let mut notes = Vec::new();
    if let Some(primary) = primary {
        notes.push(Note { message: primary.label.0.clone(), place: None });
        if let Some(usage) = primary.usages().last().filter(|_| place == Some(primary.own_place())) {
            let message = format!("{MACRO_USE}{}`", usage.macro_decl_name.0);
            notes.push(Note { message, place: Some(usage.span.0.own_place()) });
        }
    }
    let children = children.iter().map(|child| &child.0).filter(|child| rust::lint(&child.message.0).is_none());
    let (helps, others): (Vec<_>, Vec<_>) = children.partition(|child| child.is_help());
    notes.extend(helps.into_iter().chain(others).map(Child::note));
    let labels = spans.iter().filter(|span| !span.is_primary.0 && !span.label.0.is_empty());
    notes.extend(labels.map(|span| Note { message: span.label.0.clone(), place: Some(span.place()) }));
    Diagnostic {
        tool: rust::tool(&code.0.code.0).to_owned(),
        severity: Severity::of(&level.0).unwrap_or_default(),
        code: code.0.code.0,
        message: message.0,
        notes,
        frames: Vec::new(),
        place,
    }
}

impl Child {
    fn is_help(&self) -> bool {
        self.level.0 == "help"
    }

    /// What it says, with what it would write instead.
    fn note(&self) -> Note {
        let mut message = if self.is_help() { format!("help: {}", self.message.0) } else { self.message.0.clone() };
        let replacements = self.spans.0.iter().map(|span| rust::in_one_line(span.0.suggested_replacement.0.lines()));
        for (number, replacement) in replacements.filter(|text| !text.is_empty()).enumerate() {
            message += if number == 0 { ": `" } else { ", `" };
            message += &replacement;
            message.push('`');
        }
        Note { message, place: self.spans.0.first().map(|span| span.0.place()) }
    }
}

impl Span {
    fn own_place(&self) -> Place {
        let place = Place::at(&self.file_name.0, self.line_start.0, self.column_start.0);
        Place { end_line: self.line_end.0.max(place.line), ..place }
    }

    /// The macros that led here, from the innermost to the outermost.
    fn usages(&self) -> impl Iterator<Item = &Expansion> {
        iter::successors(self.usage(), |inner| inner.span.0.usage())
    }

    fn usage(&self) -> Option<&Expansion> {
        self.expansion.as_ref().map(|usage| &*usage.0)
    }

    /// Where it is, or where the outermost macro is used if it is in one of a library.
    fn place(&self) -> Place {
        let own = self.own_place();
        if !rust::is_of_library(&own) {
            return own;
        }
        self.usages().last().map_or(own, |usage| usage.span.0.own_place())
    }
}
