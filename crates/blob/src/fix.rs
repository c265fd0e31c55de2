//! Builds fixed files from slices of the old file and new bytes, so that the file is not held in memory.

use std::cell::RefCell;
use std::io::Write as _;

use evalcheck_engine::archive::{Crc, Entry, Method, NewData, Part};
use evalcheck_engine::check::Check;
use evalcheck_engine::fix::{Conversion, Converter, EditPlan, Patcher};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::decoder::decoder;
use crate::{BlobReader, BlobWriter, in_words, size, slice};

/// Returns the file with a plan of fixes from its check applied. Rewrites a ZIP; `added` is the contents of the entry that the plan adds to
/// it.
///
/// # Errors
/// A message for the user: the file cannot be read, or its data are damaged.
pub async fn apply_fixes(
    file: &Blob,
    check: &RefCell<Check>,
    mut plan: EditPlan,
    added: Option<&Blob>,
) -> Result<Blob, String> {
    let added = match plan.added().zip(added) {
        Some((name, contents)) => Some((name.to_owned(), contents, stored(contents).await?)),
        None => None,
    };
    let entries = plan.entries();
    let dataset = check.borrow().archive().map(|(_, dataset)| dataset.cloned());
    let Some(dataset) = dataset else { return changed(file, &mut plan).await };
    let contents = match dataset.filter(|_| plan.has_edits()) {
        Some(entry) => {
            let (data, new) = changed_entry(file, &entry, &mut plan).await?;
            Some((entry, data, new))
        }
        None => None,
    };
    let check = check.borrow();
    let Some((archive, _)) = check.archive() else { return Err("The check has ended.".to_owned()) };
    let new = contents.as_ref().map(|(entry, _, new)| (entry, *new));
    let parts = Array::new();
    let entry = added.as_ref().map(|(name, _, data)| (name.as_str(), *data));
    for part in archive.rewritten(&entries, new, entry) {
        match part {
            Part::Copied(range) => parts.push(&slice(file, range.start, range.end)?.into()),
            Part::New(bytes) => parts.push(&Uint8Array::from(bytes.as_slice())),
            Part::Data => parts.push(contents.as_ref().map_or(&JsValue::UNDEFINED, |(_, data, _)| data)),
            Part::Added => parts.push(added.as_ref().map_or(&JsValue::UNDEFINED, |(_, data, _)| data)),
        };
    }
    joined(&parts)
}

/// Plans with more edits are applied in a copy: browsers take long to read a blob of tens of thousands of slices.
const MOST_SLICES: usize = 1_000;

/// Returns a dataset with a plan applied.
async fn changed(dataset: &Blob, plan: &mut EditPlan) -> Result<Blob, String> {
    if let Some(conversion) = plan.conversion() {
        return converted(dataset, conversion).await;
    }
    let count = plan.count();
    let edits = plan.edits().map_err(|error| error.to_string())?;
    if count > MOST_SLICES {
        let mut patcher = Patcher::new(edits).map_err(|error| error.to_string())?;
        let mut out = BlobWriter::default();
        each_piece(dataset, |bytes| patcher.feed(bytes, &mut out).map_err(|error| error.to_string())).await?;
        let written = patcher.finish(&mut out).and_then(|()| out.finish());
        return written.map_err(|error| error.to_string());
    }
    let parts = Array::new();
    let mut at = 0;
    for edit in edits {
        let edit = edit.map_err(|error| error.to_string())?;
        parts.push(&slice(dataset, at, edit.start)?.into());
        parts.push(&edit.text.into());
        at = edit.end;
    }
    parts.push(&slice(dataset, at, size(dataset))?.into());
    joined(&parts)
}

/// Returns a converted dataset.
async fn converted(dataset: &Blob, conversion: &Conversion) -> Result<Blob, String> {
    let mut converter = Converter::new(conversion, decoder)?;
    let mut out = BlobWriter::default();
    let mut made = Vec::new();
    let mut write = |made: &mut Vec<u8>| {
        out.write_all(made).map_err(|error| error.to_string())?;
        made.clear();
        Ok::<(), String>(())
    };
    each_piece(dataset, |bytes| {
        converter.feed(bytes, &mut made)?;
        write(&mut made)
    })
    .await?;
    converter.finish(&mut made)?;
    write(&mut made)?;
    out.finish().map_err(|error| error.to_string())
}

/// Returns the data of an entry with a plan applied to its contents.
async fn changed_entry(file: &Blob, entry: &Entry, plan: &mut EditPlan) -> Result<(Blob, NewData), String> {
    let damaged = || "The dataset in the ZIP is damaged, so nothing was changed.".to_owned();
    let data = entry.data.clone().filter(|_| entry.is_readable()).ok_or_else(damaged)?;
    let mut contents = slice(file, data.start, data.end)?;
    if entry.method == Method::Deflate {
        let inflate = DecompressionStream::new(DEFLATE).map_err(|error| in_words(&error))?;
        contents = through(&contents, &inflate).await.map_err(|_| damaged())?;
    }
    if checksum(&contents).await? != (entry.crc32, entry.size) {
        return Err(damaged());
    }
    let new = changed(&contents, plan).await?;
    deflated(&new).await
}

/// Returns the compressed data of contents.
pub(crate) async fn deflated(contents: &Blob) -> Result<(Blob, NewData), String> {
    let (crc32, size) = checksum(contents).await?;
    // Without `CompressionStream`, the contents are stored as they are.
    let data = match CompressionStream::new(DEFLATE) {
        Ok(deflate) => Some(through(contents, &deflate).await.map_err(|error| in_words(&error))?),
        Err(_) => None,
    };
    let deflated = data.is_some();
    let data = data.unwrap_or_else(|| contents.clone());
    let compressed_size = crate::size(&data);
    Ok((data, NewData { deflated, crc32, size, compressed_size }))
}

/// Returns the data of an entry that is stored: most attachments are already compressed, and large ones are not copied.
async fn stored(contents: &Blob) -> Result<NewData, String> {
    let (crc32, size) = checksum(contents).await?;
    Ok(NewData { deflated: false, crc32, size, compressed_size: size })
}

/// Returns the CRC-32 and the size.
async fn checksum(blob: &Blob) -> Result<(u32, u64), String> {
    let mut crc = Crc::new();
    each_piece(blob, |bytes| {
        crc.update(bytes);
        Ok(())
    })
    .await?;
    Ok((crc.sum(), size(blob)))
}

/// Reads a blob piece by piece.
async fn each_piece(blob: &Blob, mut take: impl FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
    let size = size(blob);
    let mut reader = BlobReader::new(blob.clone(), size);
    let mut at = 0;
    while at < size {
        let bytes = reader.read(at..size, u32::MAX).await?.to_vec();
        at += bytes.len() as u64;
        take(&bytes)?;
    }
    Ok(())
}

pub(crate) fn joined(parts: &Array) -> Result<Blob, String> {
    Blob::new_with_blob_sequence(parts).map_err(|error| in_words(&error))
}

/// Deflate without a header, as in a ZIP.
const DEFLATE: &str = "deflate-raw";

#[wasm_bindgen]
extern "C" {
    type CompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;

    type DecompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;

    type Source;

    #[wasm_bindgen(method, catch)]
    fn stream(this: &Source) -> Result<Stream, JsValue>;

    type Stream;

    #[wasm_bindgen(method, catch, js_name = pipeThrough)]
    fn pipe_through(this: &Stream, transform: &JsValue) -> Result<JsValue, JsValue>;

    type Response;

    #[wasm_bindgen(constructor, catch)]
    fn new(body: &JsValue) -> Result<Response, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn blob(this: &Response) -> Result<JsValue, JsValue>;
}

/// Returns the output of a transform; the browser keeps it.
async fn through(blob: &Blob, transform: &JsValue) -> Result<Blob, JsValue> {
    let stream = blob.unchecked_ref::<Source>().stream()?;
    Ok(Response::new(&stream.pipe_through(transform)?)?.blob().await?.unchecked_into())
}
