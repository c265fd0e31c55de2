//! Writes fixed files into folders that were opened with a handle.

use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DomException, File, FilePropertyBag};

use super::download::write_into;
use super::files::{FileHandle, Files};
use crate::state::{FileKey, NotWritten};

/// Bytes that are copied at a time.
const PIECE: f64 = 4_194_304.0;

/// Writes a file into the folder from which `original` was opened, under its path. Writes nothing if the file on disk changed since it was
/// opened or last written. Before the first write, a copy of the original replaces it in the page.
pub(super) async fn write(
    files: Rc<Files>,
    original: FileKey,
    content: FileKey,
    path: &str,
) -> Result<(), NotWritten> {
    let failed = |error: &JsValue| NotWritten::Failed(in_words(error));
    let gone = || NotWritten::Failed("the page does not have it any more".to_owned());
    let before = files.get(original).ok_or_else(gone)?;
    let (folder, path) = path.split_once('/').ok_or_else(gone)?;
    let folder = files.folder_of(original, folder).ok_or_else(gone)?;
    if !folder.may_write().await {
        return Err(NotWritten::Failed("the browser was not allowed to write into the folder".to_owned()));
    }
    let handle = folder.find(path).await.map_err(|error| failed(&error))?;
    let now = handle.read().await.map_err(|error| failed(&error))?;
    let (size, modified_ms) = before.written.unwrap_or((before.size, before.modified_ms));
    if now.size().total_cmp(&size).is_ne() || now.last_modified().total_cmp(&modified_ms).is_ne() {
        return Err(NotWritten::Changed);
    }
    if before.written.is_none() {
        let copy = copied(&before).await.map_err(|error| failed(&error))?;
        files.replace(original, copy);
    }
    let new = files.get(content).ok_or_else(gone)?;
    write_into(&new.file, &handle).await.map_err(|error| failed(&error))?;
    let written = handle.read().await.map_err(|error| failed(&error))?;
    files.note_written(original, (written.size(), written.last_modified()));
    if content != original {
        // The fixed file consisted of slices of the original on disk, which can no longer be read.
        let parts = Array::of1(&written);
        files.replace(content, named(&parts, &new).map_err(|error| failed(&error))?);
    }
    Ok(())
}

/// Copies the bytes of a file. The browser keeps the copy, on disk if it is large.
async fn copied(original: &FileHandle) -> Result<File, JsValue> {
    let parts = Array::new();
    let mut at = 0.0;
    while at < original.size {
        let end = (at + PIECE).min(original.size);
        let bytes = bytes_of(&original.file, at, end).await?;
        let part = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::new(&bytes)))?;
        parts.push(&part);
        at = end;
    }
    let copy = named(&parts, original)?;
    if copy.size().total_cmp(&original.size).is_ne() {
        return Err("the file has another size than when it was opened".into());
    }
    // A browser without room for the copy reports it only when the copy is read.
    bytes_of(&copy, (copy.size() - 1.0).max(0.0), copy.size()).await?;
    Ok(copy)
}

async fn bytes_of(file: &File, from: f64, to: f64) -> Result<JsValue, JsValue> {
    JsFuture::from(file.slice_with_f64_and_f64(from, to)?.array_buffer()).await
}

/// Creates a file from parts, with the name and the time of another file.
fn named(parts: &Array, as_before: &FileHandle) -> Result<File, JsValue> {
    let options = FilePropertyBag::new();
    options.set_last_modified(as_before.modified_ms);
    File::new_with_blob_sequence_and_options(parts, &as_before.file.name(), &options)
}

/// An error of the browser, for the user.
fn in_words(error: &JsValue) -> String {
    let message = error.dyn_ref::<DomException>().map(DomException::message);
    message.or_else(|| error.as_string()).unwrap_or_else(|| "the browser gave no reason".to_owned())
}
