//! Rust types as plain values of JavaScript: written as JSON, which the browser reads.
//!
//! One text for a whole message crosses from wasm to JavaScript once, where `serde-wasm-bindgen` crosses for every field: a
//! report of hundreds of findings takes a tenth of the time. `serde_json` would write the same text; it brings its own
//! way to write decimals and its own errors, 2 kB of wasm (Brotli), and browsers have the one and nobody reads the other.

use std::fmt::Write;

use js_sys::{JsString, Number};
use serde::Serialize;
use serde::ser::{
    self, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, Serializer,
};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::Other;

/// Gives a value as plain objects, arrays and texts. Numbers become JavaScript's, so whole ones are exact up to 2^53.
///
/// What is written: what [`read`](crate::read) reads.
///
/// # Errors
/// The value is of a type that is not written: bytes, tuples, a map whose keys are no strings.
///
/// ```text
/// worker.post_message(&evalcheck_plain::write(&command)?)?;
/// ```
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    write_text(value).and_then(parsed)
}

/// The same as JSON, for [`parsed`] on the other side of a message: a browser hands over a text faster than objects.
///
/// # Errors
/// As [`write()`].
pub fn write_text<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    match text(value) {
        Some(text) => Ok(JsValue::from_str(&text)),
        None => Err(JsValue::from_str("a value of a type that is not written")),
    }
}

/// What a text of [`write_text`] says; a value that is no text is given back as it is.
///
/// # Errors
/// The text is no JSON.
pub fn parsed(value: JsValue) -> Result<JsValue, JsValue> {
    match value.dyn_into::<JsString>() {
        Ok(text) => parse(&text),
        Err(value) => Ok(value),
    }
}

#[wasm_bindgen]
extern "C" {
    // The one of js-sys takes the text out of wasm's memory, where it would have to be brought first.
    #[wasm_bindgen(catch, js_namespace = JSON)]
    fn parse(text: &JsString) -> Result<JsValue, JsValue>;
}

fn text<T: Serialize + ?Sized>(value: &T) -> Option<String> {
    let mut writer = Writer(String::new());
    value.serialize(&mut writer).ok()?;
    Some(writer.0)
}

impl ser::Error for Other {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

struct Writer(String);

impl Writer {
    fn whole(&mut self, number: u64) -> Result<(), Other> {
        write!(self.0, "{number}").map_err(|_| Other)
    }

    fn string(&mut self, text: &str) {
        self.0.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            self.0.push_str(rest.get(..at).unwrap_or_default());
            self.escape(rest.as_bytes()[at]);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        self.0.push_str(rest);
        self.0.push('"');
    }

    fn escape(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        if byte < b' ' {
            self.0.push_str("\\u00");
            self.0.push(char::from(DIGITS[usize::from(byte >> 4)]));
            self.0.push(char::from(DIGITS[usize::from(byte & 15)]));
        } else {
            self.0.push('\\');
            self.0.push(char::from(byte));
        }
    }

    fn begin<'w>(&'w mut self, begin: &str, end: &'static str) -> Rest<'w> {
        self.0.push_str(begin);
        Rest { writer: self, is_first: true, end }
    }

    fn variant(&mut self, name: &str) {
        self.0.push('{');
        self.string(name);
        self.0.push(':');
    }
}

/// An array or an object that has begun.
struct Rest<'w> {
    writer: &'w mut Writer,
    is_first: bool,
    end: &'static str,
}

impl Rest<'_> {
    fn comma(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.writer.0.push(',');
        }
    }

    fn end(self) {
        self.writer.0.push_str(self.end);
    }
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Other;
    type SerializeSeq = Rest<'w>;
    type SerializeTuple = Impossible<(), Other>;
    type SerializeTupleStruct = Impossible<(), Other>;
    type SerializeTupleVariant = Impossible<(), Other>;
    type SerializeMap = Rest<'w>;
    type SerializeStruct = Rest<'w>;
    type SerializeStructVariant = Rest<'w>;

    fn serialize_bool(self, value: bool) -> Result<(), Other> {
        self.0.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, _: i8) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_i16(self, _: i16) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_i32(self, _: i32) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_i64(self, _: i64) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Other> {
        self.whole(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Other> {
        self.whole(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Other> {
        self.whole(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Other> {
        self.whole(value)
    }

    fn serialize_f32(self, _: f32) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Other> {
        let text = Number::from(value).to_string_with_radix(10).map_err(|_| Other)?;
        self.0.push_str(&String::from(text));
        Ok(())
    }

    fn serialize_char(self, _: char) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_str(self, text: &str) -> Result<(), Other> {
        self.string(text);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_none(self) -> Result<(), Other> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Other> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Other> {
        self.0.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Other> {
        Err(Other)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Other> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Other> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Other> {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.0.push('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Rest<'w>, Other> {
        Ok(self.begin("[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Other> {
        Err(Other)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Other> {
        Err(Other)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Other> {
        Err(Other)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Rest<'w>, Other> {
        Ok(self.begin("{", "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Rest<'w>, Other> {
        Ok(self.begin("{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Rest<'w>, Other> {
        self.variant(variant);
        Ok(self.begin("{", "}}"))
    }
}

impl SerializeSeq for Rest<'_> {
    type Ok = ();
    type Error = Other;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Other> {
        self.comma();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Other> {
        Rest::end(self);
        Ok(())
    }
}

impl SerializeMap for Rest<'_> {
    type Ok = ();
    type Error = Other;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Other> {
        self.comma();
        let at = self.writer.0.len();
        key.serialize(&mut *self.writer)?;
        if self.writer.0.as_bytes().get(at) == Some(&b'"') { Ok(()) } else { Err(Other) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Other> {
        self.writer.0.push(':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Other> {
        Rest::end(self);
        Ok(())
    }
}

/// A struct and a struct that is a variant have the same fields; what ends them [`Rest`] knows.
macro_rules! fields {
    ($($of:ident)*) => {$(
        impl $of for Rest<'_> {
            type Ok = ();
            type Error = Other;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Other> {
                self.comma();
                self.writer.string(name);
                self.writer.0.push(':');
                value.serialize(&mut *self.writer)
            }

            fn end(self) -> Result<(), Other> {
                Rest::end(self);
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Event {
        Nothing,
        Text(String),
        Whole {
            number: u64,
            small: u8,
            yes: bool,
        },
        Parts {
            list: Vec<Option<Part>>,
            empty: Vec<u32>,
            by: BTreeMap<String, u64>,
            none: BTreeMap<String, u64>,
        },
        Answer {
            answer: Result<Part, String>,
        },
    }

    #[derive(Serialize)]
    struct Part {
        text: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<Box<Part>>,
    }

    fn assert_written(event: &Event) {
        let expected = serde_json::to_string(event).unwrap();
        let written: serde_json::Value = serde_json::from_str(&text(event).unwrap()).expect(&expected);
        assert_eq!(
            written.to_string(),
            serde_json::from_str::<serde_json::Value>(&expected).unwrap().to_string()
        );
    }

    #[test]
    fn what_is_written_is_json_that_says_what_serde_json_writes() {
        let part = |text, hint| Part { text, hint };
        assert_written(&Event::Nothing);
        assert_written(&Event::Text("a \"b\" \\ c\n\u{0}\u{1f} \u{7f} é \u{2028} 😀".into()));
        assert_written(&Event::Text(String::new()));
        assert_written(&Event::Whole { number: (1 << 53) - 1, small: 0, yes: true });
        let by = BTreeMap::from([("a/b".to_owned(), 1), ("\"".to_owned(), 2)]);
        let list = vec![Some(part("\\", Some(Box::new(part("\t\r", None))))), None, Some(part("", None))];
        assert_written(&Event::Parts { list, empty: Vec::new(), by, none: BTreeMap::new() });
        assert_written(&Event::Answer { answer: Ok(part("x", None)) });
        assert_written(&Event::Answer { answer: Err("no".into()) });
    }

    #[test]
    fn what_json_has_no_keys_for_is_refused() {
        assert_eq!(text(&BTreeMap::from([(1_u32, 2_u32)])), None);
        assert_eq!(text(&(1_u32, 2_u32)), None);
    }
}
