//! TOML: what it holds, and edits that put a server in or take it out and leave every other byte alone.

use super::edit::{Edit, Fault, applied, line_end, line_start, shifted, without_mark};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::ops::Range;
use toml_edit::{Document, Item, Table, TableLike};

type Result<T> = std::result::Result<T, Fault>;

/// What a server is started with.
pub(super) struct Started<'s> {
    pub(super) program: &'s str,
    pub(super) arguments: &'s [String],
}

fn tree(body: &str) -> Result<Document<&str>> {
    Document::parse(body).map_err(|error| Fault::at(body, error.span().map_or(0, |span| span.start), error.message()))
}

/// What a text holds; of what is neither text nor list nor table, as it is written.
pub(super) fn value(text: &str) -> Result<Value> {
    let (_, body) = without_mark(text);
    Ok(plain(tree(body)?.as_item()))
}

fn plain(item: &Item) -> Value {
    let fields = |table: &dyn TableLike| {
        Value::Object(table.iter().map(|(name, item)| (name.to_owned(), plain(item))).collect::<Map<_, _>>())
    };
    if let Some(table) = item.as_table_like() {
        return fields(table);
    }
    if let Some(tables) = item.as_array_of_tables() {
        return Value::Array(tables.iter().map(|table| fields(table)).collect());
    }
    item.as_value().map_or(Value::Null, plain_value)
}

fn plain_value(value: &toml_edit::Value) -> Value {
    if let Some(text) = value.as_str() {
        return Value::String(text.to_owned());
    }
    if let Some(list) = value.as_array() {
        return Value::Array(list.iter().map(plain_value).collect());
    }
    match value.as_inline_table() {
        Some(table) => {
            Value::Object(table.iter().map(|(name, value)| (name.to_owned(), plain_value(value))).collect::<Map<_, _>>())
        }
        None => Value::String(value.to_string().trim().to_owned()),
    }
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// Puts a server into the table of servers; one of this name gets the program, and the arguments where it has none that `keeps` would keep.
pub(super) fn put(
    text: &str,
    servers: &str,
    name: &str,
    started: &Started<'_>,
    keeps: impl Fn(&Value) -> bool,
) -> Result<Vec<Edit>> {
    let (shift, body) = without_mark(text);
    let document = tree(body)?;
    let found = document.get(servers);
    if let Some(item) = found.filter(|item| !item.is_table_like()) {
        let at = item.span().map_or(0, |span| span.start);
        return Err(Fault::at(text, at + shift, format!("`{servers}` is not a table")));
    }
    let edits = match found.and_then(|item| item.get(name)) {
        Some(entry) => changed(text, shift, body, entry, started, keeps)?,
        None => vec![added(body, servers, name, found, started)],
    };
    let made = applied(body, &edits).unwrap_or_default();
    let is_there = |value: &Value| value[servers][name]["command"].as_str() == Some(started.program);
    if !value(&made).is_ok_and(|value| is_there(&value)) {
        let at = found.and_then(Item::span).map_or(0, |span| span.start);
        let what = format!("`{servers}` is written in a way that nothing can be put into; write `{name}` by hand");
        return Err(Fault::at(text, at + shift, what));
    }
    Ok(shifted(edits, shift))
}

/// A table at the end, or an entry of the table that stands in one line.
fn added(body: &str, servers: &str, name: &str, found: Option<&Item>, started: &Started<'_>) -> Edit {
    let (command, args) = (quoted(started.program), list(started.arguments));
    if let Some(table) = found.and_then(Item::as_inline_table) {
        let entry = format!("{name} = {{ command = {command}, args = {args} }}");
        let last = table.iter().filter_map(|(_, value)| value.span()).map(|span| span.end).max();
        let open = table.span().map_or(0, |span| span.start + 1);
        return match last {
            Some(end) => Edit::insert(end, format!(", {entry}")),
            None => Edit::insert(open, format!(" {entry}")),
        };
    }
    let end = line_end(body);
    let mut text = String::new();
    if !body.is_empty() && !body.ends_with('\n') {
        text.push_str(end);
    }
    if !body.trim().is_empty() {
        text.push_str(end);
    }
    let _ = write!(text, "[{servers}.{name}]{end}command = {command}{end}args = {args}{end}");
    Edit::insert(body.len(), text)
}

fn changed(
    text: &str,
    shift: usize,
    body: &str,
    entry: &Item,
    started: &Started<'_>,
    keeps: impl Fn(&Value) -> bool,
) -> Result<Vec<Edit>> {
    let span = |field: &str| entry.get(field).and_then(Item::span);
    let Some(command) = span("command") else {
        let at = entry.span().map_or(0, |span| span.start);
        return Err(Fault::at(
            text,
            at + shift,
            "a server of this name is there, and it is none that is started; take it out first",
        ));
    };
    let mut edits = vec![Edit::replace(body, command.clone(), quoted(started.program))];
    let args = list(started.arguments);
    match span("args") {
        Some(_) if entry.get("args").is_some_and(|args| keeps(&plain(args))) => {}
        Some(span) => edits.push(Edit::replace(body, span, args)),
        None if entry.is_inline_table() => edits.push(Edit::insert(command.end, format!(", args = {args}"))),
        None => {
            let at = line_start(body, command.start);
            edits.push(Edit::insert(at, format!("args = {args}{}", line_end(body))));
        }
    }
    edits.sort_by_key(|edit| edit.at);
    Ok(edits)
}

/// Takes a server out, with the tables below it; only one that has a table of its own.
pub(super) fn take_out(text: &str, servers: &str, name: &str) -> Result<Vec<Edit>> {
    let (shift, body) = without_mark(text);
    let document = tree(body)?;
    let Some(entry) = document.get(servers).and_then(|item| item.get(name)) else { return Ok(Vec::new()) };
    let mut parts = Vec::new();
    if let Some(table) = entry.as_table() {
        of_table(body, table, &mut parts);
    }
    parts.sort_by_key(|part| part.start);
    // The blank line that stands before it goes along.
    if let Some(first) = parts.first_mut() {
        let before = &body[..first.start];
        let end = line_end(body);
        if before.ends_with(&format!("{end}{end}")) {
            first.start -= end.len();
        }
    }
    let edits: Vec<Edit> = parts.into_iter().map(|part| Edit::replace(body, part, "")).collect();
    let mut expected = plain(document.as_item());
    if let Some(table) = expected[servers].as_object_mut() {
        table.remove(name);
    }
    let made = applied(body, &edits).and_then(|made| value(&made).ok());
    let is_empty = |value: &Value| value.as_object().is_some_and(Map::is_empty);
    if is_empty(&expected[servers]) && made.as_ref().is_some_and(|made| made.get(servers).is_none()) {
        expected.as_object_mut().map(|fields| fields.remove(servers));
    }
    if made.as_ref() != Some(&expected) || edits.is_empty() {
        let at = entry.span().map_or(0, |span| span.start);
        return Err(Fault::at(text, at + shift, format!("`{name}` cannot be taken out by itself here; take it out by hand")));
    }
    Ok(shifted(edits, shift))
}

/// The lines of a table, from its head to its last value, and those of the tables below it.
fn of_table(body: &str, table: &Table, parts: &mut Vec<Range<usize>>) {
    let own = table.iter().filter(|(_, item)| item.is_value()).filter_map(|(_, item)| item.span());
    if let Some(head) = table.span().filter(|span| body[span.clone()].starts_with('[')) {
        let end = own.map(|span| span.end).max().unwrap_or(head.end).max(head.end);
        let end = body[end..].find('\n').map_or(body.len(), |feed| end + feed + 1);
        parts.push(line_start(body, head.start)..end);
    }
    for (_, item) in table {
        if let Some(below) = item.as_table() {
            of_table(body, below, parts);
        }
    }
}
