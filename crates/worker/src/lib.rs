//! The Web Worker of the evalcheck page. It reads a `File`, drives the engine, and posts what there is to tell.
//!
//! The page posts `{ command, file?, size?, lastModified? }`, the worker posts `{ event, buffer? }`; `command` and
//! `event` are the enums of [`evalcheck_wire::worker`]. `size` and `lastModified` are those of the file when it was
//! dropped; without them they are taken when the command arrives.
//!
//! `commands` answers, `check` is the loop that reads and checks, `pace` when it tells how far it is; `port` turns values
//! into messages and back, `watch` tells the page when the engine dies.

mod check;
mod commands;
mod pace;
mod port;
mod watch;

use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

/// Starts to listen. `worker.js` then says `Event::Ready`.
#[wasm_bindgen(start)]
pub fn start() {
    watch::start();
    evalcheck_engine::scan::hashes::bring_randomness(js_sys::Math::random().to_bits());
    let desk = commands::Desk::default();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        match port::Letter::read(&event.data()) {
            Ok(letter) => desk.handle(letter),
            // Only a page of another version writes what this worker cannot read.
            Err(why) => watch::died(&format!("The worker did not understand a message: {why}")),
        }
    });
    port::scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}
