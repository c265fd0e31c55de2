//! What the worker does while there is no file: it gets ready.

use std::io::Cursor;
use std::rc::Rc;

use evalcheck_blob::{Macrotask, now};
use evalcheck_engine::digest::Digester;
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_engine::warm;
use evalcheck_wire::worker::{CheckOptions, Event};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use crate::commands::Desk;
use crate::port::{self, get};

/// Milliseconds that the engine runs on its examples before it is warm.
const ENOUGH: f64 = 120.0;

/// Bytes of an example whose lines are repeated: of a few lines what is done for each of them is hardly seen beside what is
/// done once for a file.
const REPEATED: usize = 16 << 10;

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
        let mut content =
            content.as_string().map_or_else(|| Uint8Array::new(&content).to_vec(), String::into_bytes);
        let name = get(example, "name").as_string()?;
        if name.ends_with(".jsonl") && content.ends_with(b"\n") {
            content = content.repeat(REPEATED.div_ceil(content.len()));
        }
        Some(Self { format: get(example, "format").as_string()?, name, content })
    }

    /// Checks it, and once more as a check does that is helped; writes the report as it would be posted.
    fn check(&self) {
        let Self { format, name, content } = self;
        warm::run(format, name, content);
        let file = FileInfo { name: name.clone(), size: content.len() as u64 };
        let options = CheckOptions { format: Some(format.clone()), ..CheckOptions::default() };
        let mut source = Cursor::new(content);
        let mut open = || Job::open(&mut source, file.clone(), options.clone());
        let (mut job, digested) = (open(), open());
        if let Ok(Some(mut digester)) = Digester::open(&mut source, digested) {
            digester.space(content.len())[..content.len()].copy_from_slice(content);
            digester.advance(content.len());
            digester.end_stretch();
            job.take_digest(digester.digest(), &mut source);
            port::write(&Event::Report { job: 0, report: job.report(), elapsed_ms: 0.0 });
        }
    }
}

/// Runs the engine on the examples until it is warm or there is something to do, and starts helpers. WebAssembly that
/// has run is optimised by the browser meanwhile, on another thread: a first file is then read as fast as a second one.
pub(crate) async fn get_ready(desk: Rc<Desk>, examples: Vec<Example>, deflated: Vec<u8>) {
    let mut examples = examples.iter().cycle();
    let mut check = || {
        if let Some(example) = examples.next() {
            example.check();
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
