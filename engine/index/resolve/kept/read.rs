//! Reads a value from lists of numbers. Damaged lists lead to an error, never to more memory than they themselves take.

use super::{ListsRef, N_LISTS, Names, Unfit};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use std::str;

/// A value from its lists, of which it may be the beginning.
pub(in super::super) fn from_lists<'a, T: Deserialize<'a>>(lists: ListsRef<'a>) -> Result<T, Unfit> {
    T::deserialize(&mut Reader { lists, places: [0; N_LISTS], n_text: 0, names: None })
}

struct Reader<'a> {
    lists: ListsRef<'a>,
    /// The next number of each list.
    places: [usize; N_LISTS],
    /// Bytes of texts that were read.
    n_text: usize,
    /// What the next number names.
    names: Option<Names>,
}

fn unfit(what: &str) -> Unfit {
    de::Error::custom(what)
}

impl<'a> Reader<'a> {
    fn number(&mut self, names: Names) -> Result<u32, Unfit> {
        let place = &mut self.places[names as usize];
        let number = self.lists.numbers[names as usize].get(*place).ok_or_else(|| unfit("a list ends too early"))?;
        *place += 1;
        Ok(*number)
    }

    fn next(&mut self) -> Result<u32, Unfit> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.lists.rest.split_first().ok_or_else(|| unfit("the numbers end too early"))?;
            self.lists.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return u32::try_from(number).map_err(|_| unfit("a number of more than 32 bits"));
            }
            shift += 7;
            if shift > u32::BITS {
                return Err(unfit("a number of more than 32 bits"));
            }
        }
    }

    /// A length of what has at least a number or some text for each element.
    fn length(&mut self) -> Result<usize, Unfit> {
        let length = self.next()? as usize;
        let lists = self.lists.numbers.iter().zip(self.places);
        let left = self.lists.rest.len() + lists.map(|(list, place)| list.len() - place).sum::<usize>();
        if length > left { Err(unfit("a list is longer than what there is")) } else { Ok(length) }
    }

    fn text(&mut self) -> Result<&'a str, Unfit> {
        let end = self.next().map(|length| self.n_text.saturating_add(length as usize))?;
        let bytes = self.lists.text.get(self.n_text..end).ok_or_else(|| unfit("a text ends too early"))?;
        self.n_text = end;
        str::from_utf8(bytes).map_err(|_| unfit("a text is not UTF-8"))
    }
}

/// What a type asks for that says itself what it is.
macro_rules! numbers {
    ($($ask:ident => $visit:ident,)*) => {
        $(fn $ask<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
            let number = self.next()?;
            visitor.$visit(number.try_into().map_err(|_| unfit("a number is too large"))?)
        })*
    };
}

impl<'a> Deserializer<'a> for &mut Reader<'a> {
    type Error = Unfit;

    numbers! {
        deserialize_u8 => visit_u8,
        deserialize_u16 => visit_u16,
        deserialize_u64 => visit_u64,
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'a>>(self, _: V) -> Result<V::Value, Unfit> {
        Err(unfit("lists do not say what they hold"))
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.next()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => Err(unfit("neither yes nor no")),
        }
    }

    fn deserialize_u32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let number = match self.names {
            Some(names) => self.number(names)?,
            None => self.next()?,
        };
        visitor.visit_u32(number)
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.next()? {
            0 => visitor.visit_none(),
            1 => visitor.visit_some(self),
            _ => Err(unfit("neither something nor nothing")),
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, name: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        let around = std::mem::replace(&mut self.names, Names::of(name));
        let value = visitor.visit_newtype_struct(&mut *self)?;
        self.names = around;
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let left = self.length()?;
        visitor.visit_seq(Elements { reader: self, left })
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, left: usize, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_seq(Elements { reader: self, left })
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(self, _: &'static str, left: usize, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_seq(Elements { reader: self, left })
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let left = self.length()?;
        visitor.visit_map(Elements { reader: self, left })
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_seq(Elements { reader: self, left: fields.len() })
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'a>>
        i8 i16 i32 i64 f32 f64 char bytes byte_buf identifier ignored_any
    }
}

/// So many elements or entries, one after the other.
struct Elements<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
}

impl<'a> de::SeqAccess<'a> for Elements<'_, 'a> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'a> de::MapAccess<'a> for Elements<'_, 'a> {
    type Error = Unfit;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Unfit> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Unfit> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'a> de::EnumAccess<'a> for &mut Reader<'a> {
    type Error = Unfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self), Unfit> {
        let index = self.next()?;
        let variant: de::value::U32Deserializer<Unfit> = index.into_deserializer();
        Ok((seed.deserialize(variant)?, self))
    }
}

impl<'a> de::VariantAccess<'a> for &mut Reader<'a> {
    type Error = Unfit;

    fn unit_variant(self) -> Result<(), Unfit> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Unfit> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'a>>(self, left: usize, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_seq(Elements { reader: self, left })
    }

    fn struct_variant<V: Visitor<'a>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_seq(Elements { reader: self, left: fields.len() })
    }
}
