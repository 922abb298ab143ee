//! What members of JSON are read into: whatever their type, they cost no more than themselves, and what stands before a fault is kept.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The most elements of a list that are held at once: notes, spans. Lists of any length are read by [`Each`].
const MAX_ELEMENTS: usize = 64;

/// The same of members whose names can be any.
const MAX_PAIRS: usize = 16;

/// The members by which the text of an object is known, where a tool gives more than a text.
const TEXT_KEYS: [&str; 2] = ["text", "value"];

/// A text. A number is read as one, and of an object the text that it holds; all else is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text(pub(super) String);

/// A line, a column or an index; what is not a number is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Number(pub(super) u32);

/// Whether something is so; what is neither true nor false is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flag(pub(super) bool);

/// An object; any other value has no members.
#[derive(Debug, Clone, Default)]
pub(super) struct Object<T>(pub(super) T);

/// The first elements of a list; what is not a list is empty.
#[derive(Debug, Clone)]
pub(super) struct List<T>(pub(super) Vec<T>);

/// The first members of an object whose names can be any; what is not an object has none.
#[derive(Debug, Clone)]
pub(super) struct Pairs<T>(pub(super) Vec<(String, T)>);

/// An object that takes in its members one after the other, so that those before a fault stay.
pub(super) trait Fill {
    /// Takes in the value of this name; whether it knows the name, else the value is skipped.
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error>;
}

/// Reads an object into one that is there; any other value is skipped.
pub(super) struct InPlace<'t, T>(pub(super) &'t mut T);

/// Reads a list of any length and gives out its elements as they come; what is not a list is skipped.
pub(super) struct Each<T, F>(F, PhantomData<T>);

/// The same of objects that take in their members: one with a fault is given out as well, and so is one without a list.
pub(super) struct EachFilled<T, F>(F, PhantomData<T>);

impl<T, F: FnMut(T)> Each<T, F> {
    pub(super) fn new(give: F) -> Self {
        Self(give, PhantomData)
    }
}

impl<T, F: FnMut(T)> EachFilled<T, F> {
    pub(super) fn new(give: F) -> Self {
        Self(give, PhantomData)
    }
}

/// Makes a value of whatever JSON there is; what it does not expect is skipped.
trait Take<'de>: Sized {
    type Value: Default;
    fn text(self, _: &str) -> Self::Value {
        Self::Value::default()
    }
    fn number(self, _: f64) -> Self::Value {
        Self::Value::default()
    }
    fn flag(self, _: bool) -> Self::Value {
        Self::Value::default()
    }
    fn elements<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::Value::default())
    }
    fn members<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::Value::default())
    }
}

struct Any<T>(T);

impl<'de, T: Take<'de>> Visitor<'de> for Any<T> {
    type Value = T::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }
    fn visit_str<E>(self, text: &str) -> Result<T::Value, E> {
        Ok(self.0.text(text))
    }
    fn visit_u64<E>(self, number: u64) -> Result<T::Value, E> {
        Ok(self.0.number(number as f64))
    }
    fn visit_i64<E>(self, number: i64) -> Result<T::Value, E> {
        Ok(self.0.number(number as f64))
    }
    fn visit_f64<E>(self, number: f64) -> Result<T::Value, E> {
        Ok(self.0.number(number))
    }
    fn visit_bool<E>(self, flag: bool) -> Result<T::Value, E> {
        Ok(self.0.flag(flag))
    }
    fn visit_unit<E>(self) -> Result<T::Value, E> {
        Ok(T::Value::default())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<T::Value, A::Error> {
        self.0.elements(elements)
    }
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T::Value, A::Error> {
        self.0.members(members)
    }
}

impl<'de> Take<'de> for PhantomData<Text> {
    type Value = Text;
    fn text(self, text: &str) -> Text {
        Text(text.to_owned())
    }
    fn number(self, number: f64) -> Text {
        Text(number.to_string())
    }
    fn members<A: MapAccess<'de>>(self, mut members: A) -> Result<Text, A::Error> {
        let mut found = Text::default();
        while let Some(name) = members.next_key::<Text>()? {
            if TEXT_KEYS.contains(&name.0.as_str()) {
                found = members.next_value()?;
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

impl Take<'_> for PhantomData<Number> {
    type Value = Number;
    fn text(self, text: &str) -> Number {
        Number(text.parse().unwrap_or_default())
    }
    fn number(self, number: f64) -> Number {
        Number(number as u32)
    }
}

impl Take<'_> for PhantomData<Flag> {
    type Value = Flag;
    fn flag(self, flag: bool) -> Flag {
        Flag(flag)
    }
}

impl<'de, T: Deserialize<'de> + Default> Take<'de> for PhantomData<Object<T>> {
    type Value = Object<T>;
    fn members<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

impl<'de, T: Deserialize<'de> + Default> Take<'de> for PhantomData<List<T>> {
    type Value = List<T>;
    fn elements<A: SeqAccess<'de>>(self, elements: A) -> Result<List<T>, A::Error> {
        let mut list = List::default();
        let keep = |element: T| {
            if list.0.len() < MAX_ELEMENTS {
                list.0.push(element);
            }
        };
        Each::new(keep).elements(elements)?;
        Ok(list)
    }
}

impl<'de, T: Deserialize<'de> + Default> Take<'de> for PhantomData<Pairs<T>> {
    type Value = Pairs<T>;
    fn members<A: MapAccess<'de>>(self, mut members: A) -> Result<Pairs<T>, A::Error> {
        let mut pairs = Pairs::default();
        while let Some((Text(name), value)) = members.next_entry()? {
            if pairs.0.len() < MAX_PAIRS {
                pairs.0.push((name, value));
            }
        }
        Ok(pairs)
    }
}

impl<'de, T: Fill> Take<'de> for InPlace<'_, T> {
    type Value = ();
    fn members<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Text(name)) = members.next_key()? {
            if !self.0.member(&name, &mut members)? {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Take<'de> for Each<T, F> {
    type Value = ();
    fn elements<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

impl<'de, T: Fill + Default, F: FnMut(T)> Take<'de> for EachFilled<T, F> {
    type Value = ();
    fn elements<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        loop {
            let mut element = T::default();
            let read = elements.next_element_seed(InPlace(&mut element));
            if matches!(read, Ok(None)) {
                return Ok(());
            }
            (self.0)(element);
            read?;
        }
    }
    fn members<A: MapAccess<'de>>(mut self, members: A) -> Result<(), A::Error> {
        let mut element = T::default();
        let read = InPlace(&mut element).members(members);
        (self.0)(element);
        read
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

macro_rules! read_leniently {
    ($([$($bound:tt)*] $type:ty),*) => {
        $(impl<'de $($bound)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Any(PhantomData::<Self>))
            }
        })*
    };
}

read_leniently!(
    [] Text,
    [] Number,
    [] Flag,
    [, T: Deserialize<'de> + Default] Object<T>,
    [, T: Deserialize<'de> + Default] List<T>,
    [, T: Deserialize<'de> + Default] Pairs<T>
);

macro_rules! read_in_place {
    ($([$($bound:tt)*] $type:ty),*) => {
        $(impl<'de, $($bound)*> DeserializeSeed<'de> for $type {
            type Value = ();
            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.deserialize_any(Any(self))
            }
        })*
    };
}

read_in_place!(
    [T: Fill] InPlace<'_, T>,
    [T: Deserialize<'de>, F: FnMut(T)] Each<T, F>,
    [T: Fill + Default, F: FnMut(T)] EachFilled<T, F>
);
