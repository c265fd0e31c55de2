//! Decodes text of another encoding with the browser's `TextDecoder`.

use evalcheck_engine::fix::Decode;
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

/// The decoder of an encoding; `None` if the browser has none.
pub fn decoder(encoding: &str) -> Option<Box<dyn Decode>> {
    let options = Object::new();
    Reflect::set(&options, &"fatal".into(), &JsValue::TRUE).ok()?;
    let decoder = TextDecoder::new(encoding, &options).ok()?;
    Some(Box::new(Strict { decoder, encoding: encoding.to_owned() }))
}

/// A decoder that fails at the first bytes that are not text of its encoding. U+FFFD in their place would hide that the encoding is a
/// different one.
#[derive(Debug)]
struct Strict {
    decoder: TextDecoder,
    encoding: String,
}

impl Decode for Strict {
    fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<(), String> {
        let options = Object::new();
        let is_set = Reflect::set(&options, &"stream".into(), &JsValue::from_bool(!is_last));
        let text = is_set.and_then(|_| self.decoder.decode(bytes, &options));
        let text = text.map_err(|_| format!("The file has bytes that are not {}.", self.encoding))?;
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[wasm_bindgen]
extern "C" {
    #[derive(Debug)]
    type TextDecoder;

    #[wasm_bindgen(constructor, catch)]
    fn new(label: &str, options: &Object) -> Result<TextDecoder, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &[u8], options: &Object) -> Result<String, JsValue>;
}
