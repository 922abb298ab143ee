//! What is read of the texts of real tools, written out and compared; and that no text from a stranger does harm.

mod bounds;
mod diagnostics;
mod formats;
mod harm;
mod results;

use super::{Place, Report, Severity, Status, read};
use std::fmt::Write as _;

/// What is read of a text, with its format recognised.
fn report(text: impl AsRef<[u8]>) -> Report {
    let mut report = Report::default();
    read(text.as_ref(), "text", None, &mut report).unwrap();
    report
}

/// A report in its written form: a line for each diagnostic and test, with what belongs to it indented below.
fn written(report: &Report) -> String {
    let mut text = String::new();
    for diagnostic in &report.diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let head = [severity, &diagnostic.tool, &diagnostic.code, &place(diagnostic.place.as_ref())];
        line(&mut text, &head, &diagnostic.message);
        for note in &diagnostic.notes {
            line(&mut text, &["  +", &place(note.place.as_ref())], &note.message);
        }
    }
    for test in &report.tests {
        let status = if test.status == Status::Failed { "failed" } else { "skipped" };
        let name = format!("{} | {} | {}", test.runner, test.suite, test.name);
        line(&mut text, &[status, &name, &place(test.place.as_ref())], &test.message);
        for frame in &test.frames {
            line(&mut text, &["  frame", &frame.function, &place(frame.place.as_ref())], "");
        }
    }
    for (what, number) in [("passed", report.n_passed), ("left out", report.n_left_out)] {
        if number > 0 {
            writeln!(text, "{what}: {number}").unwrap();
        }
    }
    report.unreadable.iter().for_each(|part| writeln!(text, "unreadable: {part}").unwrap());
    report.silent.iter().for_each(|name| writeln!(text, "silent: {name}").unwrap());
    text
}

fn line(text: &mut String, words: &[&str], message: &str) {
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
    text.push_str(&words.join(" "));
    if !message.is_empty() {
        text.push_str(": ");
        text.push_str(&message.replace('\n', "\n      > "));
    }
    text.push('\n');
}

fn place(place: Option<&Place>) -> String {
    let Some(place) = place else { return String::new() };
    let mut text = format!("at {}:{}:{}", place.path, place.line, place.column);
    if place.end_line != place.line {
        write!(text, " to {}", place.end_line).unwrap();
    }
    if !place.folder.is_empty() {
        write!(text, " in {}", place.folder).unwrap();
    }
    text
}
