//! Detects that a file has changed since the check started.

use js_sys::ArrayBuffer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use crate::{in_words, size, slice};

/// Size and modification time of a file when the check started.
///
/// Some browsers read a changed file without an error. The modification time reveals the change if the browser keeps it up to date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileSnapshot {
    /// Size in bytes.
    pub size: u64,
    /// Milliseconds since 1970; `None` for a blob that is not a file.
    pub modified: Option<f64>,
}

impl FileSnapshot {
    /// Size and time as the browser reports them now.
    pub fn of(blob: &Blob) -> Self {
        Self { size: size(blob), modified: blob.dyn_ref::<File>().map(File::last_modified) }
    }

    /// How the file differs now, for the user; `None` if it does not.
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

    /// Compares the file with the snapshot, and reads its last byte again.
    ///
    /// A `File` that was posted to a worker keeps its old size and time even if the file changes on disk, and a stream continues over a
    /// changed file. But some browsers compare the file with its old state whenever a new read starts.
    ///
    /// # Errors
    /// How the file differs now, for the user.
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
