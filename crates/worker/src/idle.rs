//! What the worker does while there is no file: it gets ready.

use std::rc::Rc;

use evalcheck_blob::{Chunks, Macrotask, now};
use evalcheck_engine::warm::{self, Warm};
use evalcheck_wire::worker::Event;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::Blob;

use crate::commands::Desk;
use crate::port::{self, get};

/// Milliseconds that the engine runs on its examples before helpers are started, and afterwards until it is warm. A first check of
/// a CSV of 256 MiB takes some 40 ms longer than a second one then.
const ENOUGH: f64 = 200.0;
const ENOUGH_MORE: f64 = 300.0;

/// Milliseconds that it writes reports.
const ENOUGH_WRITTEN: f64 = 20.0;

/// Milliseconds that it inflates.
const ENOUGH_INFLATED: f64 = 40.0;

/// What is read, in parts that are all the same: as many bytes as are read in one go, and once more.
const PART: u32 = 64 << 10;
const PARTS: u32 = 32;

/// Milliseconds between two looks for a command.
const STEP: f64 = 4.0;

/// An example of a format, as the catalogue has it.
pub(crate) struct Example {
    format: String,
    name: String,
    content: Vec<u8>,
}

impl Example {
    /// Reads `{ format, name, content }`.
    pub(crate) fn read(example: &JsValue) -> Option<Self> {
        let content = get(example, "content");
        let content =
            content.as_string().map_or_else(|| Uint8Array::new(&content).to_vec(), String::into_bytes);
        Some(Self {
            format: get(example, "format").as_string()?,
            name: get(example, "name").as_string()?,
            content,
        })
    }

    /// Writes its report as it would be posted.
    fn write(&self) {
        let report = warm::check(&self.format, &self.name, &self.content);
        port::write(&Event::Report { job: 0, report, elapsed_ms: 0.0 });
    }
}

/// Runs the engine on the examples until it is warm or there is something to do, and starts helpers. WebAssembly that
/// has run is optimised by the browser meanwhile, on another thread: a first file is then read as fast as a second one.
pub(crate) async fn get_ready(desk: Rc<Desk>, examples: Vec<Example>, deflated: Vec<u8>) {
    let (mut new, mut all) = (examples.iter(), examples.iter().cycle());
    let (mut warm, mut next) = (Vec::new(), 0);
    let mut run = || {
        if let Some(Example { format, name, content }) = new.next() {
            warm.extend(Warm::new(format, name, content));
        } else if let Some(one) = warm.get_mut(next) {
            one.run();
            next = (next + 1) % warm.len();
        }
    };
    if repeat(&desk, ENOUGH, &mut run).await
        && repeat(&desk, ENOUGH_WRITTEN, &mut || all.next().map_or((), Example::write)).await
        && repeat(&desk, ENOUGH_INFLATED, &mut || warm::inflate(&deflated)).await
    {
        desk.start_helpers();
        read().await;
        repeat(&desk, ENOUGH_MORE, &mut run).await;
    }
}

/// Reads something as a file is read. The buffer is kept for the file.
pub(crate) async fn read() {
    let parts = Array::new_with_length(PARTS);
    let part = Uint8Array::new_with_length(PART).into();
    let blob = Blob::new_with_u8_array_sequence(&parts.fill(&part, 0, PARTS));
    let Ok(blob) = blob else { return };
    let size = u64::from(PARTS * PART);
    let mut chunks = Chunks::new(blob, size);
    let mut at = 0;
    while at < size
        && let Ok(bytes) = chunks.read(at..size, u32::MAX).await
    {
        at += u64::from(bytes.length());
    }
}

/// Does something again and again for so many milliseconds. False when a file came in between.
async fn repeat(desk: &Desk, enough: f64, what: &mut dyn FnMut()) -> bool {
    let Ok(turn) = Macrotask::new() else { return false };
    let mut spent = 0.0;
    while spent < enough {
        let started = now();
        while now() - started < STEP {
            what();
        }
        spent += now() - started;
        turn.turn().await;
        if desk.is_busy() {
            return false;
        }
    }
    true
}
