//! Reads plain values of JavaScript (what a structured clone or `JSON.parse` gives) as Rust types, and writes them.
//!
//! `serde-wasm-bindgen` does so too, and explains what does not fit. The page has nobody to explain it to: a message that
//! does not fit comes from another version of itself. Without the explanations, and with the fields of a struct asked for
//! one after the other instead of compared by name, its wasm is 8 kB smaller (Brotli).
//!
//! What is read: `bool`, numbers, `String`, `Option` (of `null` and `undefined`), `Vec`, maps with strings as keys, structs,
//! and enums that are tagged from the outside. Keys that a struct does not know are passed over.

#![forbid(unsafe_code)]

mod write;

use std::cell::RefCell;
use std::fmt::Display;

use js_sys::{Array, Object, Reflect};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use wasm_bindgen::{JsCast, JsValue};

pub use write::{parsed, write, write_text};

/// Reads a value; `None` when it is not of this type.
///
/// ```text
/// let progress: Option<Progress> = evalcheck_plain::read(&message);
/// ```
pub fn read<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    T::deserialize(Plain(value.clone())).ok()
}

/// It is not of this type.
#[derive(Debug)]
struct Other;

impl Display for Other {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not of this type")
    }
}

impl std::error::Error for Other {}

impl de::Error for Other {
    // What it would say is not even put together.
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

struct Plain(JsValue);

impl Plain {
    /// A whole number that a `u64` can be made of without loss.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "it was compared before"
    )]
    fn whole(&self) -> Result<u64, Other> {
        const LARGEST: f64 = (1_u64 << 53) as f64;
        let number = self.0.as_f64().filter(|n| *n >= 0.0 && *n <= LARGEST && n.fract() == 0.0);
        number.map(|number| number as u64).ok_or(Other)
    }

    fn text(&self) -> Result<String, Other> {
        self.0.as_string().ok_or(Other)
    }

    fn object(self) -> Result<Object, Other> {
        if self.0.is_object() { Ok(self.0.unchecked_into()) } else { Err(Other) }
    }
}

impl<'de> de::Deserializer<'de> for Plain {
    type Error = Other;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Other> {
        Err(Other)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_bool(self.0.as_bool().ok_or(Other)?)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_f64(self.0.as_f64().ok_or(Other)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        if self.0.is_null() || self.0.is_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        let items: Array = self.0.dyn_into().map_err(|_| Other)?;
        visitor.visit_seq(Items { next: 0, items })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        let object = self.object()?;
        let keys = Items { next: 0, items: Object::keys(&object) };
        visitor.visit_map(Entries { object, keys, value: JsValue::UNDEFINED })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Other> {
        visitor.visit_seq(Fields { object: self.object()?, fields })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Other> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Other> {
        let (name, content) = if let Some(name) = self.0.as_string() {
            (name, JsValue::UNDEFINED)
        } else {
            let object = self.object()?;
            let name = Object::keys(&object).get(0);
            let content = Reflect::get(&object, &name).map_err(|_| Other)?;
            (name.as_string().ok_or(Other)?, content)
        };
        let index = variants.iter().position(|variant| *variant == name).ok_or(Other)?;
        let index = u32::try_from(index).map_err(|_| Other)?;
        visitor.visit_enum(Variant { index, content: Plain(content) })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Other> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

struct Items {
    next: u32,
    items: Array,
}

impl Items {
    fn take(&mut self) -> Option<JsValue> {
        let at = self.next;
        self.next += 1;
        (at < self.items.length()).then(|| self.items.get(at))
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Other;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Other> {
        self.take().map(|item| seed.deserialize(Plain(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        // Not trusted further than this.
        Some(self.items.length().saturating_sub(self.next).min(1 << 12) as usize)
    }
}

/// The fields of a struct, in its own order. One that is not there is `None`, which is what a default is made of, and an
/// error where there is no default.
struct Fields {
    object: Object,
    fields: &'static [&'static str],
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Other;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Other> {
        let Some((field, rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        let value = Reflect::get(&self.object, &key(field)).map_err(|_| Other)?;
        if value.is_undefined() { Ok(None) } else { seed.deserialize(Plain(value)).map(Some) }
    }
}

struct Entries {
    object: Object,
    keys: Items,
    value: JsValue,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Other;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Other> {
        let Some(key) = self.keys.take() else { return Ok(None) };
        self.value = Reflect::get(&self.object, &key).map_err(|_| Other)?;
        seed.deserialize(Plain(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Other> {
        seed.deserialize(Plain(std::mem::take(&mut self.value)))
    }
}

struct Variant {
    index: u32,
    content: Plain,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Other;
    type Variant = Plain;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Plain), Other> {
        let index: de::value::U32Deserializer<Other> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self.content))
    }
}

impl<'de> VariantAccess<'de> for Plain {
    type Error = Other;

    fn unit_variant(self) -> Result<(), Other> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Other> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Other> {
        de::Deserializer::deserialize_seq(self, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Other> {
        de::Deserializer::deserialize_struct(self, "", fields, visitor)
    }
}

/// The name of a field as a string of JavaScript, made once.
fn key(field: &'static str) -> JsValue {
    thread_local! {
        static KEYS: RefCell<Vec<(&'static str, JsValue)>> = const { RefCell::new(Vec::new()) };
    }
    KEYS.with_borrow_mut(|keys| {
        // By its place, which is faster than by what it says; the same name may be here twice.
        if let Some((_, key)) = keys.iter().find(|(known, _)| std::ptr::eq(*known, field)) {
            return key.clone();
        }
        let key = JsValue::from_str(field);
        keys.push((field, key.clone()));
        key
    })
}
