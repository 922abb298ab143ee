//! JSON in the texts of tools: lines that are a value, values among other lines, and where a fault is.

use super::Report;
use super::input::{Input, Line};
use super::lenient::{EachFilled, Fill, InPlace};
use serde::de::{Deserialize, DeserializeSeed as _, IgnoredAny, MapAccess};
use serde_json::de::StrRead;

/// Why nothing or not all could be read.
const CUT: &str = "the JSON ends too early; what stands before is kept";
const NO_VALUE: &str = "there is no JSON value";

/// What a text says of the JSON value with which it begins.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The names in the object, or in the first of an array of objects.
    pub(super) names: Vec<String>,
    /// Whether the text ends before the value does.
    pub(super) is_cut: bool,
}

/// Looks into the value with which a text begins, if one does.
pub(super) fn keys(text: &str) -> Keys {
    let mut names = Names::default();
    let start = text.trim_start_matches([' ', '\t']);
    if !is_start(start) {
        return Keys::default();
    }
    let mut json = serde_json::Deserializer::from_str(start);
    let read = if start.starts_with('{') {
        InPlace(&mut names).deserialize(&mut json)
    } else {
        let mut first = None;
        let read = EachFilled::new(|element: Names| _ = first.get_or_insert(element)).deserialize(&mut json);
        names = first.unwrap_or_default();
        read
    };
    Keys { names: names.0, is_cut: read.is_err_and(|fault| fault.is_eof()) }
}

/// Reads a line that is one value; a fault is said with its place.
pub(super) fn read_line<'de, T: Deserialize<'de>>(line: &'de Line, report: &mut Report) -> Option<T> {
    serde_json::from_str(&line.text).inspect_err(|fault| say(fault, line.number, 0, report)).ok()
}

/// Says what is wrong with JSON whose first line stands there, behind so many bytes.
pub(super) fn say(fault: &serde_json::Error, first_line: u32, n_before: usize, report: &mut Report) {
    let n_before = if fault.line() > 1 { 0 } else { n_before };
    let line = first_line.saturating_add(fault.line().saturating_sub(1) as u32);
    let column = (n_before + fault.column()).max(1) as u32;
    let message = fault.to_string();
    let why = match message.rsplit_once(" at line ") {
        _ if fault.is_eof() => CUT.to_owned(),
        Some((what, _)) => format!("no valid JSON: {what}; what stands before is kept"),
        None => format!("no valid JSON: {message}; what stands before is kept"),
    };
    report.unreadable(line, column, why);
}

/// Reads the next value of a text, and those that follow as long as `goes_on` says so of the text from there. Lines before each are
/// skipped, and what follows the last is given back.
pub(super) fn read_values(
    input: &mut Input<'_>,
    report: &mut Report,
    goes_on: fn(&str) -> bool,
    mut read: impl FnMut(&mut serde_json::Deserializer<StrRead<'_>>, &mut Report) -> serde_json::Result<()>,
) {
    let text = input.rest();
    let mut position = Position { at: 0, line: input.n_lines().saturating_add(1), start_of_line: 0 };
    let mut start = start_of_value(&text);
    if start.is_none() {
        report.unreadable(position.line, 1, NO_VALUE);
        position.at = text.len();
    }
    while let Some(n_between) = start {
        position.advance(&text, n_between);
        let value = &text[position.at..];
        // The first pass finds the end, which a reader that stops at a fault of its own would not reach.
        let mut passes = serde_json::Deserializer::from_str(value).into_iter::<IgnoredAny>();
        let broken = passes.next().and_then(Result::err);
        let fault = read(&mut serde_json::Deserializer::from_str(value), report).err();
        if let Some(fault) = fault.as_ref().or(broken.as_ref()) {
            say(fault, position.line, position.at - position.start_of_line, report);
        }
        // Behind a broken value nobody knows what is inside and what outside: it goes on with the next line.
        let n_read = broken.map_or(passes.byte_offset(), |fault| end_of_line(value, fault.line().max(1)));
        position.advance(&text, n_read);
        let rest = &text[position.at..];
        start = start_of_value(rest).filter(|n_between| goes_on(&rest[*n_between..]));
    }
    input.give_back(text, position.at);
}

/// Where reading stands in a text.
struct Position {
    at: usize,
    line: u32,
    start_of_line: usize,
}

impl Position {
    fn advance(&mut self, text: &str, n_bytes: usize) {
        let passed = &text[self.at..self.at + n_bytes];
        let n_lines = passed.bytes().filter(|byte| *byte == b'\n').count();
        self.line = self.line.saturating_add(n_lines as u32);
        self.start_of_line = passed.rfind('\n').map_or(self.start_of_line, |last| self.at + last + 1);
        self.at += n_bytes;
    }
}

/// How many bytes stand before the first line that begins a JSON value.
fn start_of_value(text: &str) -> Option<usize> {
    let mut rest = text;
    loop {
        let line = rest.trim_start_matches([' ', '\t']);
        if is_start(line) {
            return Some(text.len() - line.len());
        }
        rest = line.split_once('\n')?.1;
    }
}

/// Whether a text begins with an object or an array of objects. Others, such as `[1/4]` and `[INFO]`, are words in brackets.
fn is_start(text: &str) -> bool {
    let after = |bracket: char| text.strip_prefix(bracket).map(str::trim_start);
    let is_object = after('{').is_some_and(|inside| inside.is_empty() || inside.starts_with(['"', '}']));
    is_object || after('[').is_some_and(|inside| inside.is_empty() || inside.starts_with(['{', ']']))
}

/// How many bytes the first so many lines have.
fn end_of_line(text: &str, n_lines: usize) -> usize {
    text.split_inclusive('\n').take(n_lines).map(str::len).sum()
}

/// The names of an object alone.
#[derive(Default)]
struct Names(Vec<String>);

impl Fill for Names {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, _: &mut A) -> Result<bool, A::Error> {
        self.0.push(name.to_owned());
        Ok(false)
    }
}
