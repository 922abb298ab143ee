//! Values as they are written into settings: in the order in which people write them, as JSON.

use super::edit::line_end;
use serde_json::Value;

/// A value that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    Text(String),
    Number(u32),
    True,
    List(Vec<Form>),
    Object(Vec<(&'static str, Form)>),
}

impl Form {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(Self::text).collect())
    }

    /// In lines, where `indent` says how far the line begins that it stands in; else in one.
    pub(super) fn written(&self, style: &Style, indent: Option<&str>) -> String {
        let items: Vec<String> = match self {
            Self::Text(text) => return quoted(text),
            Self::Number(number) => return number.to_string(),
            Self::True => return "true".to_owned(),
            // A list of words stays in its line.
            Self::List(list) if list.iter().all(|form| matches!(form, Self::Text(_))) => {
                let words: Vec<String> = list.iter().map(|form| form.written(style, None)).collect();
                return format!("[{}]", words.join(style.after(",")));
            }
            Self::List(list) => list.iter().map(|form| form.written(style, style.deeper(indent).as_deref())).collect(),
            Self::Object(fields) => {
                let inner = style.deeper(indent);
                fields.iter().map(|(name, form)| style.field(name, form, inner.as_deref())).collect()
            }
        };
        let (open, close) = if matches!(self, Self::List(_)) { ('[', ']') } else { ('{', '}') };
        match (indent, style.deeper(indent)) {
            (Some(indent), Some(inner)) if !items.is_empty() => {
                let end = style.line_end;
                let between = format!(",{end}{inner}");
                format!("{open}{end}{inner}{}{end}{indent}{close}", items.join(&between))
            }
            _ => format!("{open}{}{close}", items.join(style.after(","))),
        }
    }
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// How a file is written.
#[derive(Debug, Clone)]
pub(super) struct Style {
    pub(super) line_end: &'static str,
    /// What a level is indented by.
    pub(super) unit: String,
    /// Whether all of it stands in one line.
    pub(super) is_inline: bool,
    /// Whether a blank follows commas and colons within a line.
    pub(super) is_spaced: bool,
}

impl Style {
    /// Of a file that is not there.
    pub(super) fn usual(text: &str) -> Self {
        Self { line_end: line_end(text), unit: "  ".to_owned(), is_inline: false, is_spaced: true }
    }

    /// A comma or colon with what follows it in a line.
    pub(super) fn after(&self, sign: &'static str) -> &'static str {
        match (sign, self.is_spaced) {
            (",", true) => ", ",
            (",", false) => ",",
            (_, true) => ": ",
            (_, false) => ":",
        }
    }

    fn deeper(&self, indent: Option<&str>) -> Option<String> {
        indent.map(|indent| format!("{indent}{}", self.unit))
    }

    /// A field of an object.
    pub(super) fn field(&self, name: &str, form: &Form, indent: Option<&str>) -> String {
        format!("{}{}{}", quoted(name), self.after(":"), form.written(self, indent))
    }
}
