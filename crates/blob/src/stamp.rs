//! Whether a file is still the one that was handed over.

use js_sys::ArrayBuffer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use crate::{in_words, size, slice};

/// Size and time of a file as they were at the start. Some browsers read a changed file without an error; the time then
/// tells, where they keep it up to date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Milliseconds since 1970; `None` for a blob that is no file.
    pub modified: Option<f64>,
}

impl Stamp {
    /// Size and time as the browser gives them now.
    pub fn of(blob: &Blob) -> Self {
        Self { size: size(blob), modified: blob.dyn_ref::<File>().map(File::last_modified) }
    }

    /// How the file differs now, in words; `None` when it does not.
    pub fn changed(self, blob: &Blob) -> Option<String> {
        let now = Self::of(blob);
        if now == self {
            None
        } else if now.size == self.size {
            Some("the file was changed while it was read".to_owned())
        } else if now.size == 0 {
            Some(format!("the file was emptied or deleted while it was read; it had {} bytes", self.size))
        } else {
            Some(format!(
                "the file was changed while it was read: {} bytes at the start, {} now",
                self.size, now.size
            ))
        }
    }

    /// Asks the browser once more for the end of the file. A `File` that came by a message keeps the size and time that
    /// it had, whatever happens on the disk, and a stream goes on over a file that changes; but some browsers compare
    /// the file with what it was whenever a new read begins.
    ///
    /// # Errors
    /// How the file differs now, in words.
    pub async fn verify(self, blob: &Blob) -> Result<(), String> {
        if let Some(why) = self.changed(blob) {
            return Err(why);
        }
        let Some(last) = self.size.checked_sub(1) else { return Ok(()) };
        let read = slice(blob, last, self.size)?.array_buffer();
        let bytes = JsFuture::from(read).await.map_err(|error| in_words(&error))?;
        match bytes.dyn_into::<ArrayBuffer>() {
            Ok(bytes) if bytes.byte_length() == 1 => Ok(()),
            _ => Err("the file was shortened or deleted while it was read".to_owned()),
        }
    }
}
