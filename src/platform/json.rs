//! Converts between Rust values and JavaScript values via JSON: passing one text between wasm and JavaScript is many times faster than
//! passing a value for every field of a large report.

use evalcheck_render::json::write_value;
use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// Converts a value to objects, arrays and strings of JavaScript.
pub(super) fn to_js<T: Serialize>(value: &T) -> Option<JsValue> {
    let mut json = Vec::new();
    // As reports are exported: another form of JSON would compile the serializers of all types once more.
    write_value(&mut json, value).ok()?;
    JSON::parse(str::from_utf8(&json).ok()?).ok()
}

/// Reads the output of [`to_js`]; `None` for a value of another shape.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    // A value without JSON, such as `undefined`, has no text.
    let text = JSON::stringify(value).ok()?.as_string()?;
    serde_json::from_str(&text).ok()
}
