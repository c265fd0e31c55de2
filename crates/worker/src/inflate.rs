//! A deflated dataset is inflated by a helper, while the check goes on with what came out of it.
//!
//! The check posts `{ inflate: { file, size, lastModified, from, to } }`: bytes of the file that are a deflate stream. The
//! helper posts `{ inflated, consumed, ended }`, and `{ taken }` brings it the buffer back. There are [`MOST`] buffers, so
//! that a helper is never further ahead than that, whatever comes out of a stream.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::ops::Range;
use std::task::{Poll, Waker};

use evalcheck_blob::{Chunks, Stamp, to_f64, to_u64};
use evalcheck_engine::archive::RawInflater;
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::port::{self, get, scope};

/// The key under which a buffer comes back.
pub(crate) const TAKEN: &str = "taken";

/// Smaller streams are inflated before a helper is of use.
pub(crate) const LEAST: u64 = 1 << 20;

/// Bytes of a buffer.
const BUFFER: usize = 256 << 10;

/// Bytes of the stream that are inflated in one go.
const INPUT: u32 = 128 << 10;

/// Buffers on their way.
const MOST: u32 = 6;

/// What is to be inflated.
pub(crate) struct Deflated {
    pub(crate) file: Blob,
    pub(crate) stamp: Stamp,
    /// Where in the file the stream is.
    pub(crate) bytes: Range<u64>,
}

impl Deflated {
    /// As a message.
    pub(crate) fn to_message(&self) -> Result<JsValue, JsValue> {
        let inflate = port::file_message(&self.file, self.stamp)?;
        Reflect::set(&inflate, &"from".into(), &to_f64(self.bytes.start).into())?;
        Reflect::set(&inflate, &"to".into(), &to_f64(self.bytes.end).into())?;
        let message = Object::new();
        Reflect::set(&message, &"inflate".into(), &inflate)?;
        Ok(message.into())
    }

    pub(crate) fn read(inflate: &JsValue) -> Option<Self> {
        let (file, stamp) = port::file(inflate)?;
        let place = |key| get(inflate, key).as_f64().map(to_u64);
        Some(Self { file, stamp, bytes: place("from")?..place("to")? })
    }
}

/// What came of some bytes of the stream.
pub(crate) struct Inflated {
    /// The contents.
    pub(crate) contents: Uint8Array,
    /// How many bytes of the stream they are.
    pub(crate) consumed: u64,
    /// The stream ends here.
    pub(crate) ended: bool,
}

impl Inflated {
    pub(crate) fn read(data: &JsValue) -> Option<Self> {
        let contents = get(data, "inflated").dyn_into::<Uint8Array>().ok()?;
        let consumed = to_u64(get(data, "consumed").as_f64()?);
        Some(Self { contents, consumed, ended: get(data, "ended").is_truthy() })
    }

    fn post(&self) -> Result<(), JsValue> {
        let message = Object::new();
        Reflect::set(&message, &"inflated".into(), &self.contents)?;
        Reflect::set(&message, &"consumed".into(), &to_f64(self.consumed).into())?;
        Reflect::set(&message, &"ended".into(), &self.ended.into())?;
        scope().post_message_with_transfer(&message, &Array::of1(&self.contents.buffer()))
    }
}

/// The message that brings a buffer back, and what is transferred with it.
pub(crate) fn taken(buffer: &ArrayBuffer) -> Result<(JsValue, JsValue), JsValue> {
    let message = Object::new();
    Reflect::set(&message, &TAKEN.into(), buffer)?;
    Ok((message.into(), Array::of1(buffer).into()))
}

/// A helper's buffers that can be filled.
#[derive(Default)]
pub(crate) struct Buffers {
    free: RefCell<Vec<ArrayBuffer>>,
    /// How many were made.
    made: Cell<u32>,
    waiting: RefCell<Option<Waker>>,
}

impl Buffers {
    /// Begins with a stream. Of those of the last one some may never have come back.
    pub(crate) fn begin(&self) {
        self.made.set(u32::try_from(self.free.borrow().len()).unwrap_or(MOST));
    }

    /// One comes back.
    pub(crate) fn give_back(&self, buffer: ArrayBuffer) {
        // One for more than usual is not kept.
        if buffer.byte_length() as usize == BUFFER {
            self.free.borrow_mut().push(buffer);
        }
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// One for so many bytes, at once, however many are on their way.
    pub(crate) fn for_bytes(&self, length: usize) -> ArrayBuffer {
        let free = if length <= BUFFER { self.free.borrow_mut().pop() } else { None };
        free.unwrap_or_else(|| ArrayBuffer::new(u32::try_from(length.max(BUFFER)).unwrap_or(u32::MAX)))
    }

    /// Waits for one.
    async fn next(&self) -> ArrayBuffer {
        poll_fn(|context| {
            if let Some(buffer) = self.free.borrow_mut().pop() {
                return Poll::Ready(buffer);
            }
            if self.made.get() < MOST {
                self.made.set(self.made.get() + 1);
                return Poll::Ready(ArrayBuffer::new(u32::try_from(BUFFER).unwrap_or(u32::MAX)));
            }
            self.waiting.replace(Some(context.waker().clone()));
            Poll::Pending
        })
        .await
    }
}

/// Inflates a stream to its end. What is wrong with it, or with the file, the check finds itself, and says.
pub(crate) async fn inflate(deflated: Deflated, buffers: &Buffers) -> Result<(), String> {
    let Deflated { file, stamp, bytes } = deflated;
    let mut chunks = Chunks::new(file, stamp.size);
    chunks.end_at(bytes.end);
    let mut inflater = RawInflater::new();
    let mut input = vec![0; INPUT as usize];
    let mut output = vec![0; BUFFER];
    // What there is of the output, and the bytes of the stream that it came of.
    let (mut filled, mut consumed) = (0, 0);
    let mut at = bytes.start;
    loop {
        let is_read = at < bytes.end;
        let chunk = if is_read {
            chunks.read(at..bytes.end, u32::MAX).await?
        } else {
            Uint8Array::new_with_length(0)
        };
        at += u64::from(chunk.length());
        let mut from = 0;
        loop {
            let to = chunk.length().min(from + INPUT);
            let mut piece = &mut input[..(to - from) as usize];
            chunk.subarray(from, to).copy_to(piece);
            from = to;
            loop {
                let step = inflater.push(piece, &mut output[filled..]).ok_or("it is no deflate stream")?;
                filled += step.produced;
                consumed += step.consumed as u64;
                piece = &mut piece[step.consumed..];
                if filled == output.len() || step.ended {
                    post(&output[..filled], consumed, step.ended, buffers).await?;
                    (filled, consumed) = (0, 0);
                }
                if step.ended {
                    return Ok(());
                }
                if step.produced == 0 && step.consumed == 0 {
                    break;
                }
            }
            if from == chunk.length() {
                break;
            }
        }
        if !is_read {
            return Err("the stream does not end".to_owned());
        }
    }
}

async fn post(contents: &[u8], consumed: u64, ended: bool, buffers: &Buffers) -> Result<(), String> {
    let buffer = buffers.next().await;
    let length = u32::try_from(contents.len()).unwrap_or(u32::MAX);
    let view = Uint8Array::new_with_byte_offset_and_length(&buffer, 0, length);
    view.copy_from(contents);
    Inflated { contents: view, consumed, ended }.post().map_err(|error| format!("{error:?}"))
}
