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

/// Reads a blob in order, and from another place on when asked for that.
///
/// ```text
/// let mut chunks = Chunks::new(blob);
/// let bytes = chunks.read(0..size, u32::MAX).await?;   // at least one byte, valid until the next read
/// ```
#[derive(Debug)]
pub struct Chunks {
    blob: Blob,
    /// The one buffer. It is handed to the browser with each read and comes back under another identity.
    buffer: Option<ArrayBuffer>,
    open: Option<Open>,
}

/// A stream over a slice of the blob.
struct Open {
    reader: Reader,
    /// Whether the reader fills our buffer.
    byob: bool,
    /// The bytes of the blob that the stream has yet to give.
    rest: Range<u64>,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("byob", &self.byob).field("rest", &self.rest).finish_non_exhaustive()
    }
}

impl Chunks {
    /// Nothing is read yet.
    pub const fn new(blob: Blob) -> Self {
        Self { blob, buffer: None, open: None }
    }

    /// Reads bytes from `wanted.start` on: at least one, none beyond `wanted.end`, and about `most` of them where the
    /// browser lets us choose. The view is valid until the next read.
    ///
    /// # Errors
    /// In words for the person: the browser's own error, or fewer bytes than the range has.
    pub async fn read(&mut self, wanted: Range<u64>, most: u32) -> Result<Uint8Array, String> {
        let follows = self.open.as_ref().is_some_and(|open| {
            open.rest.start == wanted.start && open.rest.end == wanted.end && open.rest.start < open.rest.end
        });
        if !follows {
            self.close();
            self.open = Some(open(&self.blob, wanted.clone())?);
        }
        let Some(open) = &mut self.open else { unreachable!("opened above") };
        let result = if open.byob {
            let left = u32::try_from(wanted.end - wanted.start).unwrap_or(u32::MAX);
            let length = most.clamp(1, CHUNK).min(left);
            let buffer = match self.buffer.take() {
                Some(buffer) if buffer.byte_length() == CHUNK => buffer,
                _ => ArrayBuffer::new(CHUNK),
            };
            let view = Uint8Array::new_with_byte_offset_and_length(&buffer, 0, length);
            open.reader.read_into(&view, &option("min", &length.into())).await
        } else {
            open.reader.read().await
        };
        let chunk = match result {
            Ok(result) => result.unchecked_into::<ReadResult>().value(),
            Err(error) => {
                self.open = None;
                return Err(in_words(&error));
            }
        };
        // At the end of the stream there may be bytes and the end in one result, so the bytes alone decide.
        let Some(chunk) = chunk else { return Err(self.too_short(&wanted)) };
        if open.byob {
            self.buffer = Some(chunk.buffer().unchecked_into());
        }
        let length = u64::from(chunk.length());
        if length == 0 {
            return Err(self.too_short(&wanted));
        }
        if length > wanted.end - wanted.start {
            self.close();
            return Err("the browser gave more bytes than were asked for; the file has grown".to_owned());
        }
        open.rest.start += length;
        Ok(chunk)
    }

    fn too_short(&mut self, wanted: &Range<u64>) -> String {
        self.close();
        format!(
            "the file ends at byte {}, {} bytes were expected: it was shortened or deleted",
            wanted.start, wanted.end
        )
    }

    /// Lets go of the stream, so that the browser stops reading ahead.
    fn close(&mut self) {
        if let Some(open) = self.open.take()
            && let Ok(promise) = open.reader.cancel()
        {
            // A stream that has failed refuses to be cancelled; that is known already.
            wasm_bindgen_futures::spawn_local(async move {
                let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
            });
        }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        self.close();
    }
}

/// A stream over a range of the blob, with our buffer where the browser can do that.
fn open(blob: &Blob, range: Range<u64>) -> Result<Open, String> {
    let stream = |blob: &Blob| -> Result<Stream, String> {
        let method = Reflect::get(blob, &"stream".into()).map_err(|error| in_words(&error))?;
        let method: js_sys::Function = method
            .dyn_into()
            .map_err(|_| "this browser has no Blob.stream(); a newer one is needed".to_owned())?;
        method.call0(blob).map(JsCast::unchecked_into).map_err(|error| in_words(&error))
    };
    let part = slice(blob, range.start, range.end)?;
    let bytes = stream(&part)?;
    let (reader, ours) = match bytes.get_byob_reader(&option("mode", &"byob".into())) {
        Ok(reader) => (reader, true),
        Err(_) => (bytes.get_default_reader().map_err(|error| in_words(&error))?, false),
    };
    Ok(Open { reader, byob: ours, rest: range })
}

/// `{ key: value }`
fn option(key: &str, value: &JsValue) -> JsValue {
    let object = Object::new();
    // Setting a key of a fresh object does not fail.
    let _ = Reflect::set(&object, &key.into(), value);
    object.into()
}
