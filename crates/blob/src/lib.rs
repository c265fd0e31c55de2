//! Parts that the worker and the JavaScript API share: reading a `Blob` or a `File` in bounded memory, and the module of schemas.
//!
//! - [`BlobReader`]: the whole blob in order, as a stream through one reused buffer.
//! - [`BlobWriter`]: writes a blob piece by piece.
//! - [`SyncSource`]: random access as `Read + Seek`, in workers, which have `FileReaderSync`.
//! - [`drive`]: reads and checks a file to its end; [`drive_after`] skips lines that were found [`Ahead`] of the check.
//! - [`VerifiedReader`]: reads the file of a check, and verifies that it did not change.
//! - [`FileSnapshot`]: detects that the file has changed.
//! - [`decoder`]: decodes text of another encoding.
//! - [`apply_fixes`]: applies fixes to a file, using slices of it.
//! - [`Packer`]: packs files into a ZIP.
//! - [`compile_schema`]: compiles a schema of the user's own in the module that was loaded for it.
//! - [`Macrotask`]: yields to the event loop, so that waiting messages are handled.
//! - [`Throttle`]: limits how often something is done.
//!
//! Browsers differ when a file changes while it is read: they return an error, new bytes without an error, or no bytes without an error. So
//! every read is compared with the request, and a difference is an error.

mod ahead;
mod blob_reader;
mod blob_writer;
mod decoder;
mod drive;
mod file_snapshot;
mod fix;
mod macrotask;
mod pack;
mod schemas;
mod sync_source;
mod throttle;
mod verified_reader;

pub use ahead::Ahead;
pub use blob_reader::BlobReader;
pub use blob_writer::BlobWriter;
pub use decoder::decoder;
pub use drive::{drive, drive_after};
pub use file_snapshot::FileSnapshot;
pub use fix::apply_fixes;
pub use macrotask::Macrotask;
pub use pack::Packer;
pub use schemas::compile_schema;
pub use sync_source::{SyncSource, sought};
pub use throttle::Throttle;
pub use verified_reader::VerifiedReader;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Blob;

/// The size of a blob in bytes.
pub fn size(blob: &Blob) -> u64 {
    to_u64(blob.size())
}

/// The bytes `from..to` of a blob, as a blob. Reads nothing.
///
/// # Errors
/// The browser's error, for the user.
pub fn slice(blob: &Blob, from: u64, to: u64) -> Result<Blob, String> {
    blob.slice_with_f64_and_f64(to_f64(from), to_f64(to)).map_err(|error| in_words(&error))
}

/// The message of an error that the browser threw while reading, for the user.
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
    // A property of the global object in windows, workers and Node. Looked up once, because a check reads the clock thousands of times.
    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: Option<web_sys::Performance>;
}

/// Milliseconds of a monotonic clock.
pub fn now() -> f64 {
    PERFORMANCE
        .with(|performance| performance.as_ref().map_or_else(js_sys::Date::now, web_sys::Performance::now))
}

/// Converts a JavaScript number to an offset or a size.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are integers below 2^53; the cast saturates anything else"
)]
pub const fn to_u64(number: f64) -> u64 {
    number as u64
}

/// Converts an offset or a size to a JavaScript number.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
pub const fn to_f64(number: u64) -> f64 {
    number as f64
}
