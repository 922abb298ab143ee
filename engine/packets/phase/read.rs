//! Reads a packet of either form back, with every rule that it breaks, each at its line or field.
//!
//! What is broken is left at its default, so that the rest can still be compared. Must not quote what a packet says: a message may be shown
//! where its text must not be.

use super::layout::{END, Field, ROWS, Row, START, TITLE};
use super::{PhasePacket, SCHEMA, Task, TestType, TypeSource, rules};
use crate::validate::Violation;
use redact::Masker;
use serde_json::error::Category;

/// The most violations that are listed; a text that is not a packet at all has one a line.
const MAX_VIOLATIONS: usize = 100;
/// The most that are kept to be put in order.
const MAX_FOUND: usize = 10_000;
/// Bytes at the beginning of a JSON text in which its form is named: it is the first field.
const MAX_FORM_BYTES: usize = 200;

/// How a packet is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As Markdown.
    Text,
    /// As JSON.
    Json,
}

/// What was read.
#[derive(Debug, Clone)]
pub struct Read<'a> {
    /// How it is encoded.
    pub form: Form,
    /// The packet, what is broken in it left at its default; none for JSON that is not a packet.
    pub packet: Option<PhasePacket>,
    /// The rules that it breaks, in the order of the packet.
    pub violations: Vec<Violation>,
    /// Whether the text holds nothing but the packet.
    pub is_whole: bool,
    /// The packet with its delimiters, without the last line feed.
    pub(super) block: &'a str,
    /// The fields that were found in a text, with the number of the line and the value in it.
    pub(super) lines: Vec<(Field, usize, &'a str)>,
}

/// Whether a text is a phase packet, right or not.
pub fn is_phase(text: &str) -> bool {
    is_text_form(text) || is_json_form(text)
}

/// The rules that a text breaks as a phase packet, in the order of the packet. Text around the delimiters is not part of it.
pub fn validate(masker: &Masker, text: &str) -> Vec<Violation> {
    read(masker, text).violations
}

/// Reads a packet.
pub fn read<'t>(masker: &Masker, text: &'t str) -> Read<'t> {
    let mut read =
        if !is_text_form(text) && text.trim_start().starts_with('{') { json(masker, text) } else { markdown(masker, text) };
    if read.violations.len() > MAX_VIOLATIONS {
        read.violations.truncate(MAX_VIOLATIONS);
        let message = "more rules are broken than are listed; mend those above and check again".to_owned();
        read.violations.push(Violation { rule: "more", place: "packet".to_owned(), message });
    }
    read
}

fn is_text_form(text: &str) -> bool {
    text.lines().any(|line| line == START || line == TITLE)
}

fn is_json_form(text: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Named {
        schema: String,
    }
    let is_ours = |schema: &str| schema.starts_with("activate.phase.");
    if !text.trim_start().starts_with('{') {
        return false;
    }
    // What is damaged further on is still a packet, if its beginning says so.
    let beginning = text.char_indices().take_while(|(at, _)| *at < MAX_FORM_BYTES).map(|(_, c)| c).collect::<String>();
    beginning.contains("\"activate.phase.") || serde_json::from_str::<Named>(text).is_ok_and(|named| is_ours(&named.schema))
}

impl Read<'_> {
    /// Where a field stands: its line, or its place in JSON; none where it is missing.
    pub(super) fn place(&self, field: Field) -> Option<String> {
        match self.form {
            Form::Json => Some(field.json_place()),
            Form::Text => self.lines.iter().find(|(one, ..)| *one == field).map(|(_, line, _)| format!("line {line}")),
        }
    }

    /// The value of a field as it stands in a line; none where it is missing.
    pub(super) fn line(&self, field: Field) -> Option<String> {
        match self.form {
            Form::Json => self.packet.as_ref().map(|packet| packet.line(field)),
            Form::Text => self.lines.iter().find(|(one, ..)| *one == field).map(|(.., value)| (*value).to_owned()),
        }
    }
}

/// Broken rules, each with the number of the line it is about.
#[derive(Default)]
struct Found(Vec<(usize, Violation)>);

impl Found {
    fn add(&mut self, number: usize, rule: &'static str, place: String, message: String) {
        if self.0.len() < MAX_FOUND {
            self.0.push((number, Violation { rule, place, message }));
        }
    }
}

/// A packet before anything is read.
fn blank() -> PhasePacket {
    PhasePacket::new(Task::default(), String::new(), TestType::default(), TypeSource::default())
}

/// The rules that the values break, each at its line or field. What is missing is said already.
fn add_rules(masker: &Masker, read: &mut Read<'_>, mut found: Found) {
    let broken = read.packet.as_ref().map(|packet| rules::broken(masker, packet)).unwrap_or_default();
    // A value that could not be read has its default, about which nothing needs to be said.
    let unread: Vec<String> = found.0.iter().map(|(_, known)| known.place.clone()).collect();
    let is_read = |field| read.place(field).is_some_and(|place| !unread.contains(&place));
    let are_all_read = Field::all().all(is_read);
    for (field, rule, message) in broken {
        // What holds between fields cannot be judged where one of them is not known.
        if !are_all_read && rules::BETWEEN_FIELDS.contains(&rule) {
            continue;
        }
        let Some(place) = read.place(field).filter(|_| is_read(field)) else { continue };
        let at = read.lines.iter().find(|(one, ..)| *one == field).map_or(0, |(_, line, _)| *line);
        found.add(at, rule, place, message);
    }
    found.0.sort_by_key(|(at, _)| *at);
    read.violations = found.0.into_iter().map(|(_, violation)| violation).collect();
}

fn json<'t>(masker: &Masker, text: &'t str) -> Read<'t> {
    let mut read = Read {
        form: Form::Json,
        packet: None,
        violations: Vec::new(),
        is_whole: true,
        block: text.strip_suffix('\n').unwrap_or(text),
        lines: Vec::new(),
    };
    match serde_json::from_str::<PhasePacket>(text) {
        Ok(packet) => {
            let mut found = Found::default();
            let mut add = |rule, place: &str, message: &str| found.add(0, rule, place.to_owned(), message.to_owned());
            if packet.schema != SCHEMA {
                add("schema", "schema", &format!("expected `{SCHEMA}`"));
            } else if packet.json().trim_end() != read.block {
                add("json-form", "packet", "expected the fields in their order, two spaces deep, none left out and nothing else");
            }
            read.packet = Some(packet);
            add_rules(masker, &mut read, found);
        }
        Err(error) => {
            let (rule, message) = json_fault(&error);
            let place = format!("line {} column {}", error.line(), error.column());
            read.violations.push(Violation { rule, place, message: message.to_owned() });
        }
    }
    read
}

/// The rule that unreadable JSON breaks. The parser's own words hold names and values of the text, so they are only looked at.
fn json_fault(error: &serde_json::Error) -> (&'static str, &'static str) {
    const SCHEMA_FILE: &str = "expected a field of engine/packets/schema/phase.schema.json";
    let words = error.to_string();
    match error.classify() {
        Category::Data if words.starts_with("unknown field") => ("unknown-field", SCHEMA_FILE),
        Category::Data if words.starts_with("missing field") => {
            ("missing-field", "a field is missing in the object that ends here")
        }
        Category::Data if words.starts_with("duplicate field") => ("duplicate-field", "the field before stands there twice"),
        Category::Data if words.starts_with("unknown variant") && words.contains("`heuristics`") => {
            ("type-source", "expected one of directive, task-master, heuristics, user")
        }
        Category::Data if words.starts_with("unknown variant") => ("test-type", "expected one of unit, integration, both"),
        Category::Data => ("value", "the value before is of another type than engine/packets/schema/phase.schema.json says"),
        Category::Syntax | Category::Eof | Category::Io => ("json", "expected JSON; it ends too early here, or this is not JSON"),
    }
}

/// Lines of a text with their numbers from one and the byte at which each begins.
fn numbered(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut at = 0;
    text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate().map(move |(number, line)| {
        let begin = at;
        at += line.len() + 1;
        (number + 1, begin, line)
    })
}

/// Where in a text the packet is, as bytes, and what is wrong with the delimiters.
fn block(text: &str, found: &mut Found) -> (usize, usize) {
    let begin = numbered(text).find(|(.., line)| bare(line) == START);
    let begin =
        begin.or_else(|| numbered(text).find(|(.., line)| bare(line) == TITLE)).map_or((1, 0), |(number, at, _)| (number, at));
    let end = numbered(text).find(|(number, _, line)| *number > begin.0 && bare(line) == END);
    let end =
        end.map_or((usize::MAX, text.strip_suffix('\n').unwrap_or(text).len()), |(number, at, line)| (number, at + line.len()));
    for (number, _, line) in numbered(text) {
        let is_outside = number < begin.0 || number > end.0;
        if is_outside && [START, END].contains(&bare(line)) {
            let message = "a delimiter outside of the packet; expected one packet in a text".to_owned();
            found.add(number, "delimiter", format!("line {number}"), message);
        }
    }
    (begin.1, end.1)
}

/// The row that a line is, which no empty line is by itself.
fn row_of(line: &str, in_history: bool) -> Option<usize> {
    if line.is_empty() {
        return None;
    }
    ROWS.iter().position(|row| match row {
        Row::Fixed(text, _) => *text == line,
        Row::Value(field) => {
            let is_other_list = match field {
                Field::ChangedFiles(_) => in_history,
                Field::PhaseHistory(_) => !in_history,
                _ => false,
            };
            let value = line.strip_prefix(field.about().label);
            !is_other_list && value.is_some_and(|value| value.is_empty() || value.starts_with(' '))
        }
    })
}

/// The empty row before the section that begins with `next`, also where the heading of the section is missing.
fn row_before(next: &str, in_history: bool) -> Option<usize> {
    let at = row_of(next, in_history)?;
    let fixed = ROWS.iter().enumerate().take(at).rev().take_while(|(_, row)| matches!(row, Row::Fixed(..)));
    fixed.filter(|(_, row)| matches!(row, Row::Fixed("", _))).map(|(at, _)| at).next()
}

/// A line without the carriage return at its end.
fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// The line of `- Phase history:`, after which phases have their status.
const HISTORY_HEADING: &str = "- Phase history:";
/// The line of `- Changed files:`, after which phases have their files.
const FILES_HEADING: &str = "- Changed files:";

fn markdown<'t>(masker: &Masker, text: &'t str) -> Read<'t> {
    let mut found = Found::default();
    let (begin, end) = block(text, &mut found);
    let block = text.get(begin..end).unwrap_or_default();
    let is_whole = begin == 0 && text.get(end..).is_some_and(|after| matches!(after, "" | "\n"));
    let n_before = text.get(..begin).unwrap_or_default().matches('\n').count();
    let mut packet = blank();
    let mut lines: Vec<(Field, usize, &str)> = Vec::new();
    let mut seen: [Option<usize>; ROWS.len()] = [None; ROWS.len()];
    let (mut cursor, mut in_history) = (0, false);
    let mut has_returns = false;
    let mut rest = numbered(block).peekable();
    while let Some((number, _, line)) = rest.next() {
        let number = n_before + number;
        let mut add = |rule, message: String| found.add(number, rule, format!("line {number}"), message);
        let has_return = bare(line).len() < line.len();
        let line = bare(line);
        if has_return && !has_returns {
            has_returns = true;
            add("line-end", "expected a line feed alone at the end of each line".to_owned());
        }
        let at = match rest.peek() {
            Some((.., next)) if line.is_empty() => row_before(bare(next), in_history),
            _ => row_of(line, in_history),
        };
        let Some((at, row)) = at.and_then(|at| Some((at, ROWS.get(at)?))) else {
            let expected = ROWS.get(cursor).map_or_else(|| "the end".to_owned(), shown);
            add("unknown-line", format!("this is not a line of a packet; expected {expected}"));
            continue;
        };
        if let Some(first) = seen.get(at).copied().flatten() {
            let rule = if matches!(row, Row::Value(_)) { "duplicate-field" } else { "structure" };
            add(rule, format!("{} stands in line {first} already", shown(row)));
            continue;
        }
        if at < cursor {
            add("order", format!("{} stands too late; its place is {}", shown(row), place_of(at)));
        }
        if let Some(seen) = seen.get_mut(at) {
            *seen = Some(number);
        }
        cursor = cursor.max(at + 1);
        match row {
            Row::Fixed(HISTORY_HEADING, _) => in_history = true,
            Row::Fixed(FILES_HEADING, _) => in_history = false,
            Row::Fixed(..) => {}
            Row::Value(field) => {
                let value = line.strip_prefix(field.about().label).unwrap_or_default();
                let value = value.strip_prefix(' ').unwrap_or_default();
                lines.push((*field, number, value));
                if value.is_empty() {
                    add("empty-field", format!("expected a value behind {}", shown(row)));
                } else if let Err((rule, message)) = packet.set_line(*field, value) {
                    add(rule, message);
                }
            }
        }
    }
    let mut after = n_before;
    for (at, row) in ROWS.iter().enumerate() {
        if let Some(number) = seen.get(at).copied().flatten() {
            after = number;
            continue;
        }
        let (rule, place) = match row {
            Row::Fixed(_, rule) => (*rule, format!("line {}", after + 1)),
            Row::Value(field) => ("missing-field", field.json_place()),
        };
        found.add(after, rule, place, format!("expected {} {}", shown(row), place_of(at)));
    }
    let mut read = Read { form: Form::Text, packet: Some(packet), violations: Vec::new(), is_whole, block, lines };
    add_rules(masker, &mut read, found);
    read
}

/// A row in a message.
fn shown(row: &Row) -> String {
    match row {
        Row::Fixed("", _) => "an empty line".to_owned(),
        Row::Fixed(line, _) => format!("`{line}`"),
        Row::Value(field) => format!("`{}`", field.about().label.trim_start()),
    }
}

/// The place of a row in a message.
fn place_of(at: usize) -> String {
    match at.checked_sub(1).and_then(|before| ROWS.get(before)) {
        Some(before) => format!("behind {}", shown(before)),
        None => "at the beginning".to_owned(),
    }
}
