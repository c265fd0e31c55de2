//! The Web Worker of the evalcheck page. It reads a `File`, drives the engine, and posts what there is to tell.
//!
//! The page posts `{ command, file?, size?, lastModified? }`, the worker posts `{ event, buffer? }`; `command` and
//! `event` are the enums of [`evalcheck_wire::worker`]. `size` and `lastModified` are those of the file when it was
//! dropped; without them they are taken when the command arrives.
//!
//! A large file is split: the worker starts others of its kind, which digest stretches of it (`evalcheck_engine::digest`)
//! or inflate it.
//!
//! Rooms: `commands` answers, `check` is the loop that reads and checks, `pace` when it tells how far it is, `team` are its
//! helpers, `helper` and `inflate` are what a helper does and `split` which part of a file is whose; `port` turns values into
//! messages and back, `watch` tells the page when the engine dies.

mod check;
mod commands;
mod helper;
mod idle;
mod inflate;
mod pace;
mod port;
mod split;
mod team;
mod watch;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

/// Starts to listen. `worker.js` then says `Event::Ready`.
#[wasm_bindgen(start)]
pub fn start() {
    watch::start();
    if port::scope().name() == helper::NAME {
        return helper::start();
    }
    evalcheck_engine::scan::hashes::bring_randomness(js_sys::Math::random().to_bits());
    let desk = Rc::new(commands::Desk::default());
    DESK.with(|here| *here.borrow_mut() = Some(Rc::clone(&desk)));
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

thread_local! {
    static DESK: RefCell<Option<Rc<commands::Desk>>> = const { RefCell::new(None) };
}

/// Gets ready for a file while there is none; called by `worker.js` with an array of examples `{ format, name, content }` and
/// a deflate stream.
#[wasm_bindgen(js_name = getReady)]
pub fn get_ready(examples: &js_sys::Array, deflated: Vec<u8>) {
    let examples = examples.iter().filter_map(|example| idle::Example::read(&example)).collect();
    if let Some(desk) = DESK.with(|desk| desk.borrow().clone()) {
        wasm_bindgen_futures::spawn_local(idle::get_ready(desk, examples, deflated));
    }
}
