//! Who serves a route, by the text that names it.

use super::text::{bracketed, is_dotted, last_part, listed};
use crate::facts::Method;

/// What a handler is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named<'a> {
    /// Something with a name, the last part of it.
    By(&'a str),
    /// A function in place, or something that is put together in a way that is not understood.
    Here,
}

/// Calls that give out the one thing they are given.
const VIEWS: [&str; 1] = ["as_view"];

/// What an expression gives that is a handler; nothing where it can be none.
pub(super) fn handler(text: &str) -> Option<Named<'_>> {
    let text = text.trim();
    if is_function(text) {
        return Some(Named::Here);
    }
    if is_dotted(text) {
        return (!["None", "null", "undefined", "nil", "true", "false", "self"].contains(&text))
            .then_some(Named::By(last_part(text)));
    }
    let open = text.find('(')?;
    let callee = text[..open].trim();
    if !is_dotted(callee) {
        return callee.is_empty().then_some(Named::Here);
    }
    let Some(inside) = bracketed(&text[open..]) else { return Some(Named::Here) };
    if let Some((class, _)) = callee.rsplit_once('.').filter(|(_, word)| VIEWS.contains(word)) {
        return Some(Named::By(last_part(class)));
    }
    match listed(inside).as_slice() {
        // A function that makes the handler.
        [] => Some(Named::By(last_part(callee))),
        // Something around one.
        [(_, only)] if !only.starts_with(['"', '\'', '`']) => handler(only).or(Some(Named::Here)),
        _ => Some(Named::Here),
    }
}

/// Whether an expression is a function in place.
pub(super) fn is_function(text: &str) -> bool {
    let arrow = || text.split_once("=>").is_some_and(|(parameters, _)| is_list(parameters.trim()));
    ["func(", "func (", "function", "async ", "async(", "lambda", "|", "move |"].iter().any(|word| text.starts_with(word))
        || arrow()
}

/// Whether a text is a name, or brackets around parameters.
fn is_list(text: &str) -> bool {
    is_dotted(text) || text.starts_with('(') && (text.ends_with(')') || text.contains("):"))
}

/// The handlers of several methods, as in `get(a).post(b)` and `web::get().to(a)`.
pub(super) fn by_method(text: &str) -> Vec<(Method, &str)> {
    let (mut handlers, mut rest, mut last) = (Vec::new(), text, None);
    while let Some(open) = rest.find('(') {
        let word = last_part(rest[..open].trim());
        let Some(inside) = bracketed(&rest[open..]) else { break };
        let only = listed(inside).first().map(|(_, first)| *first);
        let method = if word == "any" { Some(Method::Any) } else { Method::named(word) };
        match (method, only) {
            (Some(method), Some(handler)) => handlers.push((method, handler)),
            (Some(method), None) => last = Some(method),
            (None, Some(handler)) if word == "to" => handlers.push((last.take().unwrap_or(Method::Any), handler)),
            _ => {}
        }
        let end = inside.as_ptr() as usize - rest.as_ptr() as usize + inside.len();
        rest = rest.get(end..).and_then(|rest| rest.split_once(')')).map_or("", |(_, rest)| rest);
    }
    handlers
}
