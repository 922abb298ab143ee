//! Writes a value to lists of numbers.

use super::{Lists, Names, Unfit};
use serde::ser::{self, Serialize, Serializer};

/// The lists of a value.
pub(in super::super) fn to_lists(value: &impl Serialize) -> Result<Lists, Unfit> {
    let mut writer = Writer { lists: Lists::default(), names: None };
    value.serialize(&mut writer)?;
    Ok(writer.lists)
}

struct Writer {
    lists: Lists,
    /// What the next number names.
    names: Option<Names>,
}

impl Writer {
    fn put(&mut self, mut number: u32) {
        while number > 0x7f {
            self.lists.rest.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.lists.rest.push(number as u8);
    }

    fn put_length(&mut self, length: Option<usize>) -> Result<(), Unfit> {
        let length = length.and_then(|length| u32::try_from(length).ok());
        self.put(length.ok_or_else(|| unfit("a list of unknown length"))?);
        Ok(())
    }
}

fn unfit(what: &str) -> Unfit {
    ser::Error::custom(what)
}

impl Serializer for &mut Writer {
    type Ok = ();
    type Error = Unfit;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), Unfit> {
        self.put(u32::from(value));
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Unfit> {
        self.put(u32::from(value));
        Ok(())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Unfit> {
        self.put(u32::from(value));
        Ok(())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unfit> {
        match self.names {
            Some(names) => self.lists.numbers[names as usize].push(value),
            None => self.put(value),
        }
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unfit> {
        self.put(u32::try_from(value).map_err(|_| unfit("a number of more than 32 bits"))?);
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Unfit> {
        self.lists.text.extend(text.as_bytes());
        self.put_length(Some(text.len()))
    }

    fn serialize_none(self) -> Result<(), Unfit> {
        self.put(0);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unfit> {
        self.put(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unfit> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unfit> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), Unfit> {
        self.put(index);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Unfit> {
        let around = std::mem::replace(&mut self.names, Names::of(name));
        value.serialize(&mut *self)?;
        self.names = around;
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        self.put(index);
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Unfit> {
        self.put_length(length)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Unfit> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Unfit> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Unfit> {
        self.put(index);
        Ok(self)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, Unfit> {
        self.put_length(length)?;
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Unfit> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Unfit> {
        self.put(index);
        Ok(self)
    }

    // The tables have none of these.

    fn serialize_i8(self, _: i8) -> Result<(), Unfit> {
        Err(unfit("a signed number"))
    }

    fn serialize_i16(self, _: i16) -> Result<(), Unfit> {
        Err(unfit("a signed number"))
    }

    fn serialize_i32(self, _: i32) -> Result<(), Unfit> {
        Err(unfit("a signed number"))
    }

    fn serialize_i64(self, _: i64) -> Result<(), Unfit> {
        Err(unfit("a signed number"))
    }

    fn serialize_f32(self, _: f32) -> Result<(), Unfit> {
        Err(unfit("a fraction"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Unfit> {
        Err(unfit("a fraction"))
    }

    fn serialize_char(self, _: char) -> Result<(), Unfit> {
        Err(unfit("a character"))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unfit> {
        Err(unfit("bytes"))
    }
}

/// Elements are written one after the other, whatever holds them.
macro_rules! elements {
    ($($of:ident :: $put:ident ($($key:ty)?),)*) => {
        $(impl ser::$of for &mut Writer {
            type Ok = ();
            type Error = Unfit;

            fn $put<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Result<(), Unfit> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Unfit> {
                Ok(())
            }
        })*
    };
}

elements! {
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(&'static str),
    SerializeStructVariant::serialize_field(&'static str),
}

impl ser::SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Unfit;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unfit> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Unfit> {
        Ok(())
    }
}
