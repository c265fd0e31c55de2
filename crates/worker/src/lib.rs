//! The Web Worker of the evalcheck page. It reads a `File`, drives the engine, and posts events.
//!
//! The page posts `{ name, command, file?, size?, lastModified? }`, the worker posts `{ name, event, buffer? }`; `command` and `event` are
//! the bytes of the enums of [`evalcheck_wire::worker`], `name` is the name of the command or event. `size` and `lastModified` describe the
//! file when it was dropped; without them, they are read when the command arrives.
//!
//! `command_handler` handles commands, `check` reads and checks a file, `queue` checks the files of a batch, `helpers` are further workers
//! for a large file, `ranges` are the ranges that they take, `helper` is the code of each of them, `grown` keeps the known lines of a file for when it has grown, `progress`
//! posts progress; `fix` changes files, `changes` keeps the changes, `diff` compares files, `pack` packs them, `compare` compares their
//! records, `search` finds records, `overview` counts statistics, `jobs` notes which of these three are wanted, `regex` compiles regular
//! expressions for a search, `markdown` renders texts, `schema` compiles the user's own schemas, `modules` loads the modules of these three, `port` converts between messages and
//! values, `watch` reports the death of the engine.

mod changes;
mod check;
mod command_handler;
mod compare;
mod diff;
mod findings;
mod fix;
mod grown;
mod helper;
mod helpers;
mod jobs;
mod markdown;
mod modules;
mod overview;
mod pack;
mod port;
mod progress;
mod queue;
mod ranges;
mod regex;
mod schema;
mod search;
mod systems;
mod watch;

use std::rc::Rc;

use evalcheck_engine::catalogue::catalogue;
use evalcheck_wire::worker::Event;
use wasm_bindgen::prelude::*;
use web_sys::MessageEvent;

// See `www/boot/rest.js`.
#[wasm_bindgen(js_namespace = evalcheckRest)]
extern "C" {
    #[wasm_bindgen(js_name = loadNow)]
    fn load_rest_now();
}

/// Loads the rest of the engine, and waits for it. A build that splits the engine adds calls of this before calls of the rest.
#[wasm_bindgen]
pub fn load_rest() {
    load_rest_now();
}

/// Starts to listen for commands, and posts [`Event::Ready`]; a helper listens for ranges.
#[wasm_bindgen(start)]
pub fn start() {
    watch::start();
    if helpers::is_one() {
        return helper::start();
    }
    let handler = Rc::new(command_handler::CommandHandler::default());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        match port::Request::read(&event.data()) {
            Ok(request) => handler.handle(request),
            // Only a page of another version posts a message that cannot be read.
            Err(why) => watch::died(&format!("The worker did not understand a message: {why}")),
        }
    });
    port::scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    port::post(&Event::Ready { catalogue: catalogue() });
}
