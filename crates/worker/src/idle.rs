//! What the worker does while there is no file: it gets ready.

use std::rc::Rc;

use evalcheck_blob::{Macrotask, now};
use evalcheck_engine::warm;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use crate::commands::Desk;
use crate::port::get;

/// Milliseconds that the engine runs on its examples before it is warm.
const ENOUGH: f64 = 200.0;

/// Milliseconds that it inflates.
const ENOUGH_INFLATED: f64 = 40.0;

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
}

/// Runs the engine on the examples until it is warm or there is something to do, and starts helpers. WebAssembly that
/// has run is optimised by the browser meanwhile, on another thread: a first file is then read as fast as a second one.
pub(crate) async fn get_ready(desk: Rc<Desk>, examples: Vec<Example>, deflated: Vec<u8>) {
    let mut examples = examples.iter().cycle();
    let mut check = || {
        if let Some(Example { format, name, content }) = examples.next() {
            warm::run(format, name, content);
        }
    };
    if repeat(&desk, ENOUGH, &mut check).await
        && repeat(&desk, ENOUGH_INFLATED, &mut || warm::inflate(&deflated)).await
    {
        desk.start_helpers();
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
