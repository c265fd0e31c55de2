//! Converts between messages and values.

use evalcheck_blob::FileSnapshot;
use evalcheck_wire::worker::{Command, Event, Message};
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, File};

use crate::watch;

/// A message from the page.
pub(crate) struct Request {
    pub(crate) command: Command,
    /// The file of the command, and its state when the user dropped it.
    pub(crate) file: Option<(Blob, FileSnapshot)>,
    /// Another file: an older version to compare with, or a file to add.
    pub(crate) other: Option<Blob>,
}

impl Request {
    /// Reads a posted message.
    pub(crate) fn read(data: &JsValue) -> Result<Self, String> {
        let bytes = get(data, "command").dyn_into::<Uint8Array>().map_err(|_| "there is no command")?;
        let command = Command::read(&bytes.to_vec()).ok_or("the command is of another version")?;
        let other = get(data, "other").dyn_into().ok();
        Ok(Self { command, file: read_file(data), other })
    }
}

/// Reads the file of a message, its size and its time. Missing values are taken from the file as it is now.
fn read_file(data: &JsValue) -> Option<(Blob, FileSnapshot)> {
    let file = get(data, "file").dyn_into::<Blob>().ok()?;
    let now = FileSnapshot::of(&file);
    let size = get(data, "size").as_f64().map_or(now.size, evalcheck_blob::to_u64);
    let modified = get(data, "lastModified").as_f64().or(now.modified);
    Some((file, FileSnapshot { size, modified }))
}

/// The value of a key, or `undefined`.
pub(crate) fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

/// The global scope of the worker.
pub(crate) fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Posts an event.
pub(crate) fn post(event: &Event) {
    send(event, None, None);
}

/// Posts an event with a file.
pub(crate) fn post_file(event: &Event, file: &File) {
    send(event, None, Some(file));
}

/// Posts an event, and transfers a buffer with it.
pub(crate) fn post_with(event: &Event, bytes: &[u8]) {
    send(event, Some(Uint8Array::from(bytes)), None);
}

fn send(event: &Event, bytes: Option<Uint8Array>, file: Option<&File>) {
    let message = Object::new();
    let mut written = Reflect::set(&message, &"name".into(), &event.name().into())
        .and_then(|_| Reflect::set(&message, &"event".into(), &Uint8Array::from(&*event.write())));
    if let Some(file) = file {
        written = written.and_then(|_| Reflect::set(&message, &"file".into(), file));
    }
    let sent = if let Some(bytes) = bytes {
        let buffer = bytes.buffer();
        written = written.and_then(|_| Reflect::set(&message, &"buffer".into(), &buffer));
        written.and_then(|_| scope().post_message_with_transfer(&message, &Array::of1(&buffer)))
    } else {
        written.and_then(|_| scope().post_message(&message))
    };
    if let Err(error) = sent {
        watch::died(&format!("An event could not be posted: {error:?}"));
    }
}
