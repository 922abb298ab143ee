//! JSON in the order of its text: what a plan or a packet says, before it is known to be one.
//!
//! Nesting is as deep as `serde_json` reads, which is 128 levels.

use redact::{LongLines, Masker, Redacted, Safe};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use std::fmt;

/// A JSON value with texts of type `S`: strings as they were read, or [`Safe`] ones that may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json<S = String> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(S),
    /// An array.
    List(Vec<Json<S>>),
    /// An object: its fields in the order of the text, with those that stand there twice.
    Object(Vec<(S, Json<S>)>),
}

impl Json {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Where the text is not JSON.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The same with every text masked and escaped.
    pub fn safe(&self, masker: &Masker) -> Json<Safe> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(bool) => Json::Bool(*bool),
            Self::Number(number) => Json::Number(number.clone()),
            Self::Text(text) => Json::Text(safe(masker, text)),
            Self::List(items) => Json::List(items.iter().map(|item| item.safe(masker)).collect()),
            Self::Object(fields) => {
                Json::Object(fields.iter().map(|(name, value)| (safe(masker, name), value.safe(masker))).collect())
            }
        }
    }

    /// The text, of a string.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items, of an array; none of anything else.
    pub fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// The fields, of an object; none of anything else.
    pub fn fields(&self) -> &[(String, Self)] {
        if let Self::Object(fields) = self { fields } else { &[] }
    }

    /// The first field with this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.fields().iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The first field with one of these names.
    pub fn any(&self, names: &[&str]) -> Option<&Self> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The text that this is, or the texts that it lists.
    pub fn texts(&self) -> Vec<&str> {
        self.text().into_iter().chain(self.items().iter().filter_map(Self::text)).collect()
    }

    /// The word for what it is.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The whole of a text, masked and escaped, its lines as long as they are.
pub(super) fn safe(masker: &Masker, text: &str) -> Safe {
    all(&masker.file("", text.as_bytes()))
}

/// The whole of a redacted text.
pub(super) fn all(text: &Redacted) -> Safe {
    Safe::code(text, 1..=text.n_lines(), LongLines::Whole)
}

impl<S: Serialize> Serialize for Json<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                fields.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("a number that JSON does not have"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_in_its_order() {
        let text = r#"{"z":[1,-2,0.5,null,true],"a":{"b":"é\n"},"a":{}}"#;
        assert_eq!(serde_json::to_string(&Json::parse(text).unwrap()).unwrap(), text);
        assert_eq!(serde_json::to_string(&Json::parse(text).unwrap().safe(&Masker::knowing_nothing())).unwrap(), text);
        assert!(Json::parse(&"[".repeat(100_000)).is_err(), "depth is bounded");
    }
}
