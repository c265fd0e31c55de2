//! Whether a file is still the one that was handed over.

use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::size;

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
}
