//! From the bytes of one line to a message of the protocol, or to what is wrong with them.
//!
//! Takes lines of anybody: nothing here fails, and what a line costs does not depend on what it nests. Must not read or write anything.

use super::long::{BYTE_ORDER_MARK, id_of};
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId};
use serde_json::{Map, Value};
use std::io;

/// The most bytes of a line: what tools wrote is given in one, and a larger report as a path.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;
/// The most values of a message: a megabyte of `0,0,0` takes a hundred of them in memory (measured 2026-11-22).
pub(super) const MAX_VALUES: usize = 20_000;

/// The version of JSON-RPC.
const JSON_RPC: &str = "2.0";

/// What a line says.
#[derive(Debug)]
pub enum Frame {
    /// A message.
    Message(Box<ClientJsonRpcMessage>),
    /// Something that is answered with an error, to the request with this id if it has one.
    Wrong(ErrorData, Option<RequestId>),
    /// Nothing that is answered.
    Nothing,
}

impl Frame {
    /// What is said of a line that was not read since it is too long.
    pub(super) fn too_long(id: Option<RequestId>) -> Self {
        let message = format!(
            "a line has more than {MAX_LINE_BYTES} bytes and was skipped; what tools wrote can be given as the path of a file"
        );
        Self::Wrong(ErrorData::invalid_request(message, None), id)
    }

    /// What a line says, without its line feed.
    pub fn of(line: &[u8]) -> Self {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if line.trim_ascii().is_empty() {
            return Self::Nothing;
        }
        if !has_few_values(line) {
            let message = format!("a message has more than {MAX_VALUES} values and was skipped");
            return Self::Wrong(ErrorData::invalid_request(message, None), id_of(line, &mut io::empty()).ok().flatten());
        }
        // Into a tree first: the types of messages are tried one after the other, and each would read the text again.
        let Ok(value) = serde_json::from_slice::<Value>(line) else {
            return Self::Wrong(ErrorData::parse_error("a line is not JSON text, or one that nests too deep", None), None);
        };
        let Value::Object(object) = value else {
            let message = "a message is one JSON object on a line of its own; several in a list are not taken";
            return Self::Wrong(ErrorData::invalid_request(message, None), None);
        };
        Self::of_object(object)
    }

    fn of_object(object: Map<String, Value>) -> Self {
        let id = object.get("id").and_then(id);
        let wrong = |message, id| Self::Wrong(ErrorData::invalid_request(message, None), id);
        if object.get("jsonrpc").and_then(Value::as_str) != Some(JSON_RPC) {
            return wrong("`jsonrpc` must be \"2.0\"", id);
        }
        let is_reply = !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error"));
        let wants_reply = !is_reply && object.contains_key("id");
        if !is_reply && object.get("method").and_then(Value::as_str).is_none() {
            return wrong("`method` is missing or no text", id);
        }
        if wants_reply && id.is_none() {
            return wrong("`id` must be a text or a whole number", None);
        }
        match serde_json::from_value(Value::Object(object)) {
            Ok(message) => Self::Message(Box::new(message)),
            Err(_) if wants_reply => Self::Wrong(ErrorData::invalid_params("`params` do not fit this method", None), id),
            // Nobody waits for an answer to a reply or a notification.
            Err(_) => Self::Nothing,
        }
    }
}

/// The id of a request, if it is one.
fn id(value: &Value) -> Option<RequestId> {
    match value {
        Value::String(id) => Some(RequestId::String(id.as_str().into())),
        Value::Number(id) => id.as_i64().map(RequestId::Number),
        _ => None,
    }
}

/// Whether a text holds few values, whatever it is: what begins one is counted where it stands outside of strings.
pub(super) fn has_few_values(line: &[u8]) -> bool {
    let (mut n_values, mut is_in_string, mut is_escaped) = (0, false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_string => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            b',' | b'[' | b'{' if !is_in_string => n_values += 1,
            _ => {}
        }
    }
    n_values <= MAX_VALUES
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a line says: the kind of message, or code, id and words of what is wrong.
    fn said(line: &str) -> String {
        match Frame::of(line.as_bytes()) {
            Frame::Message(message) => match *message {
                ClientJsonRpcMessage::Request(_) => "request".to_owned(),
                ClientJsonRpcMessage::Notification(_) => "notification".to_owned(),
                _ => "reply".to_owned(),
            },
            Frame::Wrong(error, id) => {
                let id = id.map(|id| format!(" of {id}")).unwrap_or_default();
                format!("{}{id}: {}", error.code.0, error.message)
            }
            Frame::Nothing => String::new(),
        }
    }

    #[test]
    fn a_line_is_a_message_or_is_told_what_is_wrong_with_it() {
        for (line, says) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "request"),
            ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r", "request"),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification"),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "reply"),
            (" \r", ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#, ""),
            ("hello", "-32700: a line is not JSON text, or one that nests too deep"),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
                "-32600: a message is one JSON object on a line of its own; several in a list are not taken",
            ),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, "-32600 of 7: `jsonrpc` must be \"2.0\""),
            (r#"{"jsonrpc":"2.0","id":7}"#, "-32600 of 7: `method` is missing or no text"),
            (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, "-32600 of 7: `method` is missing or no text"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600: `id` must be a text or a whole number"),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600: `id` must be a text or a whole number"),
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#, "-32602 of 7: `params` do not fit this method"),
        ] {
            assert_eq!(said(line), says, "{line}");
        }
    }

    #[test]
    fn deep_and_crowded_lines_are_refused_before_they_cost_anything() {
        assert!(said(&"[".repeat(10_000)).starts_with("-32700"));
        assert!(said(&format!("[{}0]", "0,".repeat(MAX_VALUES))).starts_with("-32600: a message has more than 20000 values"));
        // Commas of a text are none.
        let text = ",\\\"[".repeat(MAX_VALUES);
        assert_eq!(said(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"{text}"}}}}"#)), "request");
    }

    proptest! {
        #[test]
        fn no_line_is_too_much(line in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}\",:0-9a-z\\\\ ]{0,200}") {
            let _ = Frame::of(&line);
            let _ = Frame::of(text.as_bytes());
        }
    }
}
