//! JSON with comments and trailing commas: what it holds, and edits that put something in or take it out and leave every other byte alone.

use super::edit::{Edit, Fault, line_end, line_start, shifted, without_mark};
use super::form::{Form, Style};
use jsonc_parser::ast::{self, Value as Ast};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};
use std::ops::Range;

type Result<T> = std::result::Result<T, Fault>;

/// What agents read: comments and trailing commas, and nothing else that JSON has not.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// What is put into an object or a list.
pub(super) enum Item<'i> {
    /// A field of an object.
    Field(&'static str, &'i Form),
    /// An entry of a list.
    Entry(&'i Form),
}

/// The tree of a text without its mark; nothing where there are only blanks and comments.
fn tree(text: &str) -> Result<Option<Ast<'_>>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS);
    parsed.map(|parsed| parsed.value).map_err(|error| Fault::at(text, error.range().start, error.kind().to_string()))
}

/// What a text holds, of numbers their digits; of fields of one name the last, as agents read it.
pub(super) fn value(text: &str) -> Result<Option<Value>> {
    let (_, text) = without_mark(text);
    Ok(tree(text)?.as_ref().map(plain))
}

fn plain(tree: &Ast<'_>) -> Value {
    match tree {
        Ast::StringLit(text) => Value::String(text.value.to_string()),
        Ast::NumberLit(number) => Value::String(number.value.to_owned()),
        Ast::BooleanLit(is) => Value::Bool(is.value),
        Ast::NullKeyword(_) => Value::Null,
        Ast::Array(list) => Value::Array(list.elements.iter().map(plain).collect()),
        Ast::Object(object) => {
            let fields = object.properties.iter().map(|field| (field.name.as_str().to_owned(), plain(&field.value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// A step into a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'s> {
    Field(&'s str),
    Entry(usize),
}

/// The part of a tree that steps lead to.
fn part<'t, 'a>(tree: &'t Ast<'a>, steps: &[Step<'_>]) -> Option<&'t Ast<'a>> {
    steps.iter().try_fold(tree, |tree, step| match (tree, step) {
        (Ast::Object(object), Step::Field(name)) => field(object, name).map(|field| &field.value),
        (Ast::Array(list), Step::Entry(number)) => list.elements.get(*number),
        _ => None,
    })
}

fn field<'t, 'a>(object: &'t ast::Object<'a>, name: &str) -> Option<&'t ast::ObjectProp<'a>> {
    object.properties.iter().rev().find(|field| field.name.as_str() == name)
}

/// An object or a list, as bytes.
struct Container {
    /// Behind the bracket that opens it, and at the one that closes it.
    inner: Range<usize>,
    items: Vec<Range<usize>>,
}

impl Container {
    fn of(tree: &Ast<'_>) -> Option<Self> {
        let bytes = |range: jsonc_parser::common::Range| range.start..range.end;
        let items = match tree {
            Ast::Object(object) => object.properties.iter().map(|field| bytes(field.range)).collect(),
            Ast::Array(list) => list.elements.iter().map(|entry| bytes(entry.range())).collect(),
            _ => return None,
        };
        let range = bytes(tree.range());
        Some(Self { inner: range.start + 1..range.end - 1, items })
    }
}

/// Puts a field into the object that `path` leads to, or an entry into the list there; what is missing on the way is made. A field that is
/// there already gets this value.
pub(super) fn put(text: &str, path: &[&'static str], item: &Item<'_>) -> Result<Vec<Edit>> {
    let (shift, body) = without_mark(text);
    let Some(root) = tree(body)? else {
        let style = Style::usual(body);
        let whole = nested(path, item).written(&style, Some(""));
        let is_blank = body.trim().is_empty();
        let before = if is_blank || body.ends_with('\n') { "" } else { style.line_end };
        let start = if is_blank { 0 } else { body.len() };
        let edit = Edit::replace(body, start..body.len(), format!("{before}{whole}{}", style.line_end));
        return Ok(shifted(vec![edit], shift));
    };
    let style = style(body, &root);
    let mut place = &root;
    for (depth, name) in path.iter().enumerate() {
        let Ast::Object(object) = place else { return Err(no_object(text, shift, place, &path[..depth])) };
        let Some(field) = field(object, name) else {
            let form = nested(&path[depth + 1..], item);
            return Ok(shifted(put_into(body, place, &style, &Item::Field(name, &form)), shift));
        };
        place = &field.value;
    }
    let edits = match (item, place) {
        (Item::Field(name, form), Ast::Object(object)) => match field(object, name) {
            Some(field) => {
                let range = field.value.range();
                let indent = (!style.is_inline).then(|| indent_of(body, range.start));
                vec![Edit::replace(body, range.start..range.end, form.written(&style, indent))]
            }
            None => put_into(body, place, &style, item),
        },
        (Item::Entry(_), Ast::Array(_)) => put_into(body, place, &style, item),
        (Item::Entry(_), _) => {
            let what = format!("`{}` is not a list", path.join("."));
            return Err(Fault::at(text, place.range().start + shift, what));
        }
        (Item::Field(..), _) => return Err(no_object(text, shift, place, path)),
    };
    Ok(shifted(edits, shift))
}

/// Puts a value in the place of another.
pub(super) fn set(text: &str, steps: &[Step<'_>], form: &Form) -> Result<Vec<Edit>> {
    let (shift, body) = without_mark(text);
    let root = tree(body)?;
    let Some((root, place)) = root.as_ref().and_then(|root| part(root, steps).map(|place| (root, place))) else {
        return Ok(Vec::new());
    };
    let style = style(body, root);
    let range = place.range();
    let indent = (!style.is_inline).then(|| indent_of(body, range.start));
    Ok(shifted(vec![Edit::replace(body, range.start..range.end, form.written(&style, indent))], shift))
}

/// Takes out the field or entry that steps lead to.
pub(super) fn take_out(text: &str, steps: &[Step<'_>]) -> Result<Vec<Edit>> {
    let (shift, body) = without_mark(text);
    let root = tree(body)?;
    let Some((step, above)) = steps.split_last() else { return Ok(Vec::new()) };
    let Some(place) = root.as_ref().and_then(|root| part(root, above)) else { return Ok(Vec::new()) };
    let number = match (place, step) {
        (Ast::Object(object), Step::Field(name)) => object.properties.iter().rposition(|field| field.name.as_str() == *name),
        (Ast::Array(list), Step::Entry(number)) => (*number < list.elements.len()).then_some(*number),
        _ => None,
    };
    let (Some(number), Some(container)) = (number, Container::of(place)) else { return Ok(Vec::new()) };
    Ok(shifted(cut(body, &container, number), shift))
}

fn no_object(text: &str, shift: usize, place: &Ast<'_>, path: &[&str]) -> Fault {
    let what =
        if path.is_empty() { "there is no object here".to_owned() } else { format!("`{}` is not an object", path.join(".")) };
    Fault::at(text, place.range().start + shift, what)
}

/// An item within objects of these names.
fn nested(path: &[&'static str], item: &Item<'_>) -> Form {
    let inner = match item {
        Item::Field(name, form) => Form::Object(vec![(*name, (*form).clone())]),
        Item::Entry(form) => Form::List(vec![(*form).clone()]),
    };
    path.iter().rev().fold(inner, |form, name| Form::Object(vec![(name, form)]))
}

fn style(body: &str, root: &Ast<'_>) -> Style {
    let range = root.range();
    let whole = &body[range.start..range.end];
    let items = Container::of(root).map(|container| container.items).unwrap_or_default();
    let first = items.first().map(|item| indent_of(body, item.start)).filter(|indent| !indent.is_empty());
    let is_inline = !items.is_empty() && !whole.contains('\n');
    // What follows the first colon behind a name.
    let colon = items.first().and_then(|item| Some(&body[item.start + body[item.clone()].find("\":")? + 2..]));
    let is_spaced = !is_inline || colon.is_none_or(|rest| rest.starts_with(char::is_whitespace));
    Style { line_end: line_end(body), unit: first.unwrap_or("  ").to_owned(), is_inline, is_spaced }
}

/// The blanks at the beginning of the line of a byte.
fn indent_of(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn put_into(body: &str, place: &Ast<'_>, style: &Style, item: &Item<'_>) -> Vec<Edit> {
    let Some(container) = Container::of(place) else { return Vec::new() };
    let written = |indent: Option<&str>| match item {
        Item::Field(name, form) => style.field(name, form, indent),
        Item::Entry(form) => form.written(style, indent),
    };
    let end = style.line_end;
    let inner = &body[container.inner.clone()];
    let Some(last) = container.items.last() else {
        let indent = indent_of(body, container.inner.start);
        let deeper = format!("{indent}{}", style.unit);
        let filled = inner.trim_end().len();
        let start = container.inner.start + filled;
        if filled == 0 && style.is_inline {
            return vec![Edit::replace(body, container.inner.clone(), written(None))];
        }
        // Comments keep what stands behind them.
        let closes = filled == 0 || !inner[filled..].contains('\n');
        let range = if filled == 0 { container.inner.clone() } else { start..start };
        let after = if closes { format!("{end}{indent}") } else { String::new() };
        return vec![Edit::replace(body, range, format!("{end}{deeper}{}{after}", written(Some(&deeper))))];
    };
    let comma = comma_after(body, last.end, container.inner.end);
    let before_last = &body[line_start(body, last.start)..last.start];
    if !before_last.trim().is_empty() {
        return match comma {
            Some(comma) => vec![Edit::insert(comma + 1, format!("{}{},", style.after(",")[1..].to_owned(), written(None)))],
            None => vec![Edit::insert(last.end, format!("{}{}", style.after(","), written(None)))],
        };
    }
    let item = format!("{end}{before_last}{}", written(Some(before_last)));
    let start = comma.map_or(last.end, |comma| comma + 1);
    let at = rest_of_line(body, start, container.inner.end);
    match comma {
        Some(_) => vec![Edit::insert(at, format!("{item},"))],
        None if at == start => vec![Edit::insert(at, format!(",{item}"))],
        None => vec![Edit::insert(last.end, ","), Edit::insert(at, item)],
    }
}

/// The length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        let line = text.find('\n').map_or(text, |feed| &text[..feed]);
        return Some(line.trim_end_matches('\r').len());
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The comma behind a value, past blanks and comments.
fn comma_after(body: &str, mut at: usize, end: usize) -> Option<usize> {
    while at < end {
        let rest = &body[at..end];
        if rest.starts_with(',') {
            return Some(at);
        }
        at += comment(rest).or_else(|| rest.chars().next().filter(|c| c.is_whitespace()).map(char::len_utf8))?;
    }
    None
}

/// Behind the last comment of a line that begins in it.
fn rest_of_line(body: &str, start: usize, end: usize) -> usize {
    let (mut at, mut behind) = (start, start);
    while at < end {
        let rest = &body[at..end];
        match comment(rest) {
            Some(length) => {
                at += length;
                behind = at;
            }
            None if rest.starts_with([' ', '\t']) => at += 1,
            None => break,
        }
    }
    behind
}

/// Takes an item out, with its comma and, where nothing else is in them, its lines.
fn cut(body: &str, container: &Container, number: usize) -> Vec<Edit> {
    let item = &container.items[number];
    let (mut start, mut end) = (item.start, item.end);
    let mut edits = Vec::new();
    match comma_after(body, end, container.inner.end) {
        Some(comma) if body[end..comma].trim().is_empty() => end = comma + 1,
        Some(comma) => edits.push(Edit::replace(body, comma..comma + 1, "")),
        None if number > 0 => {
            let comma = comma_after(body, container.items[number - 1].end, start);
            edits.extend(comma.map(|comma| Edit::replace(body, comma..comma + 1, "")));
        }
        None => {}
    }
    let line = line_start(body, start);
    let behind = body[end..].len() - body[end..].trim_start_matches([' ', '\t']).len();
    let ends_line = body[end + behind..].starts_with(['\n', '\r']);
    if body[line..start].trim().is_empty() && line > 0 && ends_line {
        start = line - if body[..line].ends_with("\r\n") { 2 } else { 1 };
        end += behind;
    } else {
        let before = body[line..start].trim_end_matches([' ', '\t']).len();
        // The comma before may have gone already.
        if number > 0 {
            start = start.min(line + before);
        } else {
            end += behind;
        }
    }
    edits.push(Edit::replace(body, start..end, ""));
    edits.sort_by_key(|edit| edit.at);
    edits
}
