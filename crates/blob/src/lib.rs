//! Reads a `Blob` or a `File` of JavaScript in bounded memory. The worker and the JavaScript API share it.
//!
//! - [`Chunks`]: the bulk, in order, as a stream through one reused buffer.
//! - [`SyncSource`]: here and there, as `Read + Seek`, where a worker's `FileReaderSync` is at hand.
//! - [`Stamp`]: whether the file is still the one that was handed over.
//! - [`Macrotask`]: lets the event loop take its turn, and with it the messages that wait.
//!
//! What a browser does with a file that changes differs: an error, new bytes without an error, or no bytes without an
//! error. So everything that is read is compared with what was asked for, and a difference is an error in words.

mod chunks;
mod macrotask;
mod stamp;
mod sync_source;

pub use chunks::Chunks;
pub use macrotask::Macrotask;
pub use stamp::Stamp;
pub use sync_source::{SyncSource, sought};

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Blob;

/// The size of a blob in bytes.
pub fn size(blob: &Blob) -> u64 {
    to_u64(blob.size())
}

/// The bytes `from..to` of a blob, as a blob; nothing is read by this.
///
/// # Errors
/// What the browser throws, in words for the person.
pub fn slice(blob: &Blob, from: u64, to: u64) -> Result<Blob, String> {
    blob.slice_with_f64_and_f64(to_f64(from), to_f64(to)).map_err(|error| in_words(&error))
}

/// What a browser threw while it read, in words for the person.
pub fn in_words(error: &JsValue) -> String {
    let text = |key: &str| js_sys::Reflect::get(error, &key.into()).ok().and_then(|value| value.as_string());
    let name = if error.is_object() { text("name") } else { None };
    match name.as_deref() {
        Some("NotReadableError") => {
            "the file cannot be read any more: it was changed, moved or deleted, or its disk is gone"
                .to_owned()
        }
        Some("NotFoundError") => "the file is not there any more: it was moved or deleted".to_owned(),
        Some("SecurityError" | "NotAllowedError") => {
            "the browser does not allow this file to be read".to_owned()
        }
        _ => {
            let message = text("message").filter(|message| !message.is_empty());
            let said = message.or(name).or_else(|| error.as_string());
            format!("the browser could not read the file ({})", said.as_deref().unwrap_or("no reason given"))
        }
    }
}

#[wasm_bindgen]
extern "C" {
    // It is a property of a window, of a worker and of Node's global object alike. Asked for once: a check looks at the clock
    // thousands of times.
    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: Option<web_sys::Performance>;
}

/// Milliseconds on a clock that only goes forward.
pub fn now() -> f64 {
    PERFORMANCE
        .with(|performance| performance.as_ref().map_or_else(js_sys::Date::now, web_sys::Performance::now))
}

/// A number of JavaScript as an offset or a size.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are whole numbers below 2^53; the cast saturates what is not"
)]
pub const fn to_u64(number: f64) -> u64 {
    number as u64
}

/// An offset or a size as a number of JavaScript.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
pub const fn to_f64(number: u64) -> f64 {
    number as f64
}
