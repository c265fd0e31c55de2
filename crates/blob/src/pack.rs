//! Packs files into a ZIP.

use std::collections::BTreeSet;

use evalcheck_engine::archive::{NewData, Part, packed};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::Blob;

use crate::fix::{deflated, joined};

/// Builds a ZIP, one file after another. The browser keeps their compressed data.
#[derive(Debug, Default)]
pub struct Packer {
    /// The names in lower case, because some file systems ignore case.
    names: BTreeSet<String>,
    files: Vec<(String, NewData)>,
    data: Array,
}

impl Packer {
    /// Adds a file under its path, or under a numbered path if the path is taken.
    pub fn add(&mut self, path: &str, (data, new): (Blob, NewData)) {
        let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
        let numbered = |number: u32| match (number, extension) {
            (1, _) => path.to_owned(),
            (number, "") => format!("{stem} ({number})"),
            (number, extension) => format!("{stem} ({number}).{extension}"),
        };
        let mut paths = (1..=u32::MAX).map(numbered);
        if let Some(path) = paths.find(|path| self.names.insert(path.to_lowercase())) {
            self.files.push((path, new));
            self.data.push(&data);
        }
    }

    /// Compresses a file for [`add`](Self::add).
    ///
    /// # Errors
    /// A message for the user: the file cannot be read.
    pub async fn compress(file: &Blob) -> Result<(Blob, NewData), String> {
        deflated(file).await
    }

    /// Returns the ZIP.
    ///
    /// # Errors
    /// The browser's error, for the user.
    pub fn finish(&self) -> Result<Blob, String> {
        let parts = Array::new();
        let mut data = self.data.iter();
        for part in packed(self.files.iter().map(|(path, data)| (path.as_str(), *data))) {
            match part {
                Part::New(bytes) => parts.push(&Uint8Array::from(bytes.as_slice())),
                _ => parts.push(&data.next().unwrap_or(JsValue::UNDEFINED)),
            };
        }
        joined(&parts)
    }
}
