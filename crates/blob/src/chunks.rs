//! The bulk of a file, in order.

use std::ops::Range;

use js_sys::{ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::{in_words, slice};

/// The room for one read, and the bytes that a read waits for: fewer wake-ups than the 64 KiB that come by themselves,
/// small enough that a file of any size needs no more memory than this.
const CHUNK: u32 = 1 << 20;

// `read` with `min` is not in web-sys, and its `getReader` cannot fail there, although it does in browsers that know no
// byte streams.
#[wasm_bindgen]
extern "C" {
    type Stream;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_byob_reader(this: &Stream, options: &JsValue) -> Result<Reader, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_default_reader(this: &Stream) -> Result<Reader, JsValue>;

    type Reader;

    #[wasm_bindgen(method, catch, js_name = read)]
    async fn read_into(this: &Reader, view: &Uint8Array, options: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn read(this: &Reader) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<js_sys::Promise, JsValue>;

    type ReadResult;

    #[wasm_bindgen(method, getter)]
    fn value(this: &ReadResult) -> Option<Uint8Array>;
}

/// How many bytes are read and dropped rather than begin another stream further on. To begin one takes the time of a
/// megabyte, and the entries of a ZIP lie close together.
const SKIPPED: u64 = 1 << 20;

/// Reads a blob in order, and from another place on when asked for that.
///
/// ```text
/// let mut chunks = Chunks::new(blob, size);
/// let bytes = chunks.read(0..size, u32::MAX).await?;   // at least one byte, valid until the next read
/// ```
#[derive(Debug)]
pub struct Chunks {
    blob: Blob,
    size: u64,
    /// The one buffer. It is handed to the browser with each read and comes back under another identity.
    buffer: Option<ArrayBuffer>,
    stream: Option<Open>,
    /// What was read and not asked for yet.
    held: Option<Held>,
}

/// A stream over a range of the blob.
struct Open {
    /// Held for as long as it is read: Chromium 156 collects a stream that nothing holds but the read that waits for it, and that
    /// read never comes back (seen with a file of 4 GiB).
    reader: Reader,
    /// Whether the reader fills our buffer.
    byob: bool,
    /// The byte of the blob that comes next.
    at: u64,
}

/// Bytes of the blob from a place on.
#[derive(Debug)]
struct Held {
    at: u64,
    bytes: Uint8Array,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("byob", &self.byob).field("at", &self.at).finish_non_exhaustive()
    }
}

impl Chunks {
    /// Over a blob that had `size` bytes when it was handed over. Nothing is read yet.
    pub const fn new(blob: Blob, size: u64) -> Self {
        Self { blob, size, buffer: None, stream: None, held: None }
    }

    /// Reads bytes from `wanted.start` on: at least one, none beyond `wanted.end`, and about `most` of them where the
    /// browser lets us choose. The view is valid until the next read, or until this is dropped.
    ///
    /// # Errors
    /// In words for the person: the browser's own error, or fewer bytes than the blob had.
    pub async fn read(&mut self, wanted: Range<u64>, most: u32) -> Result<Uint8Array, String> {
        loop {
            if let Some(bytes) = self.take(&wanted) {
                return Ok(bytes);
            }
            let is_near = |open: &Open| open.at <= wanted.start && wanted.start - open.at < SKIPPED;
            let open = match self.stream.take().filter(is_near) {
                Some(open) => open,
                None => open(&self.blob, wanted.start..self.size)?,
            };
            self.held = Some(self.next(open, most).await?);
        }
    }

    /// The wanted bytes of those that are held.
    fn take(&mut self, wanted: &Range<u64>) -> Option<Uint8Array> {
        let Held { at, bytes } = self.held.take()?;
        let length = bytes.length();
        let from = u32::try_from(wanted.start.checked_sub(at)?).ok().filter(|from| *from < length)?;
        let to = u32::try_from(wanted.end - at).unwrap_or(u32::MAX).min(length);
        if to < length {
            self.held = Some(Held { at: at + u64::from(to), bytes: bytes.subarray(to, length) });
        }
        Some(bytes.subarray(from, to))
    }

    /// Reads what comes next in the stream.
    async fn next(&mut self, mut open: Open, most: u32) -> Result<Held, String> {
        let at = open.at;
        let left = self.size.saturating_sub(at);
        let result = if open.byob {
            let length = most.clamp(1, CHUNK).min(u32::try_from(left).unwrap_or(u32::MAX).max(1));
            let buffer = match self.buffer.take() {
                Some(buffer) if buffer.byte_length() == CHUNK => buffer,
                _ => ArrayBuffer::new(CHUNK),
            };
            let view = Uint8Array::new_with_byte_offset_and_length(&buffer, 0, length);
            open.reader.read_into(&view, &option("min", &length.into())).await
        } else {
            open.reader.read().await
        };
        // A stream that failed is dropped here.
        let chunk = result.map_err(|error| in_words(&error))?.unchecked_into::<ReadResult>().value();
        // At the end of the stream there may be bytes and the end in one result, so the bytes alone decide.
        let Some(bytes) = chunk.filter(|bytes| bytes.length() > 0) else {
            return Err(format!(
                "the file ends at byte {at}, {} bytes were expected: it was shortened or deleted",
                self.size
            ));
        };
        if open.byob {
            self.buffer = Some(bytes.buffer().unchecked_into());
        }
        let length = u64::from(bytes.length());
        if length > left {
            return Err("the browser gave more bytes than were asked for; the file has grown".to_owned());
        }
        open.at += length;
        self.stream = Some(open);
        Ok(Held { at, bytes })
    }
}

impl Drop for Open {
    /// Lets go of the stream, so that the browser stops reading ahead.
    fn drop(&mut self) {
        if let Ok(promise) = self.reader.cancel() {
            // A stream that has failed refuses to be cancelled; that is known already.
            wasm_bindgen_futures::spawn_local(async move {
                let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
            });
        }
    }
}

/// A stream over a range of the blob, with our buffer where the browser can do that.
fn open(blob: &Blob, range: Range<u64>) -> Result<Open, String> {
    let part = slice(blob, range.start, range.end)?;
    let method = Reflect::get(&part, &"stream".into()).map_err(|error| in_words(&error))?;
    let method: js_sys::Function = method
        .dyn_into()
        .map_err(|_| "this browser has no Blob.stream(); a newer one is needed".to_owned())?;
    let stream: Stream = method.call0(&part).map(JsCast::unchecked_into).map_err(|error| in_words(&error))?;
    let (reader, ours) = match stream.get_byob_reader(&option("mode", &"byob".into())) {
        Ok(reader) => (reader, true),
        Err(_) => (stream.get_default_reader().map_err(|error| in_words(&error))?, false),
    };
    Ok(Open { reader, byob: ours, at: range.start })
}

/// `{ key: value }`
fn option(key: &str, value: &JsValue) -> JsValue {
    let object = Object::new();
    // Setting a key of a fresh object does not fail.
    let _ = Reflect::set(&object, &key.into(), value);
    object.into()
}
