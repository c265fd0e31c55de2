//! Reads a blob in order.

use std::ops::Range;

use js_sys::{ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::{in_words, slice};

/// The size of the buffer, and the number of bytes that one read waits for. Larger than the 64 KiB that browsers deliver by default, so
/// there are fewer wake-ups; small enough that memory does not matter.
const CHUNK: u32 = 1 << 20;

// web-sys has no `read` with `min`, and its `getReader` cannot fail, although it does in browsers without byte streams.
#[wasm_bindgen]
extern "C" {
    type Stream;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_byob_reader(this: &Stream, options: &JsValue) -> Result<Reader, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_default_reader(this: &Stream) -> Result<Reader, JsValue>;

    type Reader;

    // Return promises, because an `async` function starts the call only when it is awaited.
    #[wasm_bindgen(method, catch, js_name = read)]
    fn read_into(this: &Reader, view: &Uint8Array, options: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<js_sys::Promise, JsValue>;

    type ReadResult;

    #[wasm_bindgen(method, getter)]
    fn value(this: &ReadResult) -> Option<Uint8Array>;
}

/// A gap of fewer bytes than this is read and dropped; for a larger one a new stream is opened. Opening a stream takes as
/// long as reading a megabyte, and the entries of a ZIP are close to each other.
const MAX_GAP: u64 = 1 << 20;

/// Reads a blob in order and prefetches the next bytes. Reads elsewhere are possible, but open a new stream.
///
/// ```text
/// let mut reader = BlobReader::new(blob, size);
/// let bytes = reader.read(0..size, u32::MAX).await?;   // at least one byte, valid until the next read
/// ```
#[derive(Debug)]
pub struct BlobReader {
    blob: Blob,
    size: u64,
    /// The buffer of the last bytes, free at the next read. Each read transfers a buffer to the browser and gets it back as a new object.
    buffer: Option<ArrayBuffer>,
    /// A second buffer, free if no read is pending.
    spare: Option<ArrayBuffer>,
    stream: Option<Open>,
    /// Bytes that were read but not requested yet.
    held: Option<Held>,
    /// The end of the last read without a stream.
    alone_to: u64,
}

/// An open stream from an offset in the blob to its end.
struct Open {
    /// Kept while a read is pending: Chromium 156 collects a stream that only a pending read refers to, and that read never completes (seen
    /// with a file of 4 GiB).
    reader: Reader,
    /// Whether the reader fills our buffer ("bring your own buffer").
    byob: bool,
    /// Offset in the blob of the next byte.
    at: u64,
    /// The pending read of the next byte, if it was started.
    ahead: Option<JsFuture>,
}

/// Bytes of the blob from an offset on.
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

impl BlobReader {
    /// Creates a reader for a blob that had `size` bytes when the check started. Reads nothing yet.
    pub const fn new(blob: Blob, size: u64) -> Self {
        Self { blob, size, buffer: None, spare: None, stream: None, held: None, alone_to: 0 }
    }

    /// Changes the end of the range to read. Keeps the buffers, because dropped buffers stay in memory for long.
    pub fn end_at(&mut self, end: u64) {
        self.size = end;
        (self.stream, self.held) = (None, None);
    }

    /// Reads at least one byte from `wanted.start` on, none beyond `wanted.end`, and at most about `most` if the browser lets us choose.
    /// The view is valid until the next read, or until the reader is dropped.
    ///
    /// # Errors
    /// A message for the user: the browser's error, or that the blob has fewer bytes than before.
    pub async fn read(&mut self, wanted: Range<u64>, most: u32) -> Result<Uint8Array, String> {
        loop {
            if let Some(bytes) = self.take_held(&wanted) {
                return Ok(bytes);
            }
            let is_near = |open: &Open| is_near(open.at, wanted.start);
            let open = match self.stream.take().filter(is_near) {
                Some(open) => open,
                None => open(&self.blob, wanted.start..self.size)?,
            };
            self.held = Some(self.next(open, most, wanted.end).await?);
        }
    }

    /// Like [`BlobReader::read`], but reads bytes far from the previous ones without a stream, which is cheaper for a few bytes.
    ///
    /// # Errors
    /// As [`BlobReader::read`].
    pub async fn read_few(&mut self, wanted: Range<u64>) -> Result<Uint8Array, String> {
        let at = self.held.as_ref().map(|held| held.at).or(self.stream.as_ref().map(|open| open.at));
        let length = wanted.end - wanted.start;
        let follows = at.is_some_and(|at| is_near(at, wanted.start)) || is_near(self.alone_to, wanted.start);
        if follows || length > u64::from(CHUNK) {
            return self.read(wanted, u32::MAX).await;
        }
        (self.stream, self.held) = (None, None);
        let read = slice(&self.blob, wanted.start, wanted.end)?.array_buffer();
        let bytes = JsFuture::from(read).await.map_err(|error| in_words(&error))?;
        let bytes = Uint8Array::new(&bytes);
        if u64::from(bytes.length()) != length {
            return Err(self.ends_at(wanted.start + u64::from(bytes.length())));
        }
        self.alone_to = wanted.end;
        Ok(bytes)
    }

    fn ends_at(&self, at: u64) -> String {
        format!("the file ends at byte {at}, {} bytes were expected: it was shortened or deleted", self.size)
    }

    /// Returns the wanted bytes that are held. Drops the bytes before them.
    fn take_held(&mut self, wanted: &Range<u64>) -> Option<Uint8Array> {
        let Held { at, bytes } = self.held.take()?;
        let length = bytes.length();
        let from = u32::try_from(wanted.start.checked_sub(at)?).ok().filter(|from| *from < length)?;
        let to = u32::try_from(wanted.end - at).unwrap_or(u32::MAX).min(length);
        if to < length {
            self.held = Some(Held { at: at + u64::from(to), bytes: bytes.subarray(to, length) });
        }
        Some(bytes.subarray(from, to))
    }

    /// Reads the next bytes of the stream, and starts to read the bytes after them if some before `until` are wanted.
    async fn next(&mut self, mut open: Open, most: u32, until: u64) -> Result<Held, String> {
        let at = open.at;
        let left = self.size.saturating_sub(at);
        let reading = match open.ahead.take() {
            Some(reading) => reading,
            None => open.begin(self.buffer.take(), most, left)?,
        };
        // When the read failed, this drops the stream.
        let chunk = reading.await.map_err(|error| in_words(&error))?.unchecked_into::<ReadResult>().value();
        // The last result may hold bytes as well, so only the bytes decide whether the stream has ended.
        let Some(bytes) = chunk.filter(|bytes| bytes.length() > 0) else {
            return Err(self.ends_at(at));
        };
        let length = u64::from(bytes.length());
        if length > left {
            return Err("the browser gave more bytes than were asked for; the file has grown".to_owned());
        }
        open.at += length;
        let free = self.buffer.take().or(self.spare.take());
        if open.byob {
            self.buffer = Some(bytes.buffer().unchecked_into());
        }
        if open.at < until {
            open.ahead = Some(open.begin(free, CHUNK, left - length)?);
        } else {
            self.spare = free;
        }
        self.stream = Some(open);
        Ok(Held { at, bytes })
    }
}

/// Whether a read at `at` is near enough to continue to `start`.
fn is_near(at: u64, start: u64) -> bool {
    at <= start && start - at < MAX_GAP
}

impl Open {
    /// Starts a read of about `most` bytes, of the `left` remaining ones, into this buffer if the reader takes one.
    fn begin(&self, buffer: Option<ArrayBuffer>, most: u32, left: u64) -> Result<JsFuture, String> {
        let reading = if self.byob {
            let length = most.clamp(1, CHUNK).min(u32::try_from(left).unwrap_or(u32::MAX).max(1));
            let buffer = buffer.filter(|buffer| buffer.byte_length() == CHUNK);
            let buffer = buffer.unwrap_or_else(|| ArrayBuffer::new(CHUNK));
            let view = Uint8Array::new_with_byte_offset_and_length(&buffer, 0, length);
            self.reader.read_into(&view, &option("min", &length.into()))
        } else {
            self.reader.read()
        };
        // Created at once, so that a read that fails and is never awaited does not cause an unhandled rejection.
        reading.map(JsFuture::from).map_err(|error| in_words(&error))
    }
}

impl Drop for Open {
    /// Cancels the stream, so that the browser stops reading ahead.
    fn drop(&mut self) {
        if let Ok(promise) = self.reader.cancel() {
            // A failed stream rejects this; the failure is already known.
            wasm_bindgen_futures::spawn_local(async move {
                let _ = JsFuture::from(promise).await;
            });
        }
    }
}

/// Opens a stream over a range of the blob, with our own buffer if the browser supports that.
fn open(blob: &Blob, range: Range<u64>) -> Result<Open, String> {
    let part = slice(blob, range.start, range.end)?;
    let method = Reflect::get(&part, &"stream".into()).map_err(|error| in_words(&error))?;
    let method: js_sys::Function = method
        .dyn_into()
        .map_err(|_| "this browser has no Blob.stream(); a newer one is needed".to_owned())?;
    let stream: Stream = method.call0(&part).map(JsCast::unchecked_into).map_err(|error| in_words(&error))?;
    let (reader, own_buffer) = match stream.get_byob_reader(&option("mode", &"byob".into())) {
        Ok(reader) => (reader, true),
        Err(_) => (stream.get_default_reader().map_err(|error| in_words(&error))?, false),
    };
    Ok(Open { reader, byob: own_buffer, at: range.start, ahead: None })
}

/// `{ key: value }`
fn option(key: &str, value: &JsValue) -> JsValue {
    let object = Object::new();
    // Setting a key of a fresh object does not fail.
    let _ = Reflect::set(&object, &key.into(), value);
    object.into()
}
