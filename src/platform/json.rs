//! Values of Rust as JavaScript has them, and back, by way of JSON: one text crosses between wasm and JavaScript many times
//! faster than a value for every field of a large report.

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// The value as objects, arrays and strings of JavaScript.
pub(super) fn to_js<T: Serialize>(value: &T) -> Option<JsValue> {
    JSON::parse(&serde_json::to_string(value).ok()?).ok()
}

/// Reads what [`to_js`] writes; `None` for a value of another shape.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    // The text is no string where there is no JSON for the value, as for `undefined`.
    let text = JSON::stringify(value).ok()?.as_string()?;
    serde_json::from_str(&text).ok()
}
