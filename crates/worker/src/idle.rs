//! What the worker does while there is no file: it gets ready.

use std::rc::Rc;

use evalcheck_blob::{Macrotask, now};
use evalcheck_engine::warm;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use crate::commands::Desk;
use crate::port::get;

/// Milliseconds that the engine runs on its examples before it is warm.
const ENOUGH: f64 = 120.0;

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
pub(crate) async fn get_ready(desk: Rc<Desk>, examples: Vec<Example>) {
    let Ok(turn) = Macrotask::new() else { return };
    let mut examples = examples.iter().cycle();
    let mut spent = 0.0;
    while spent < ENOUGH {
        let started = now();
        while now() - started < STEP {
            let Some(Example { format, name, content }) = examples.next() else {
                return desk.start_helpers();
            };
            warm::run(format, name, content);
        }
        spent += now() - started;
        turn.turn().await;
        if desk.is_busy() {
            return;
        }
    }
    desk.start_helpers();
}
