//! The worker: commands in, events out.

use std::rc::Rc;

use evalcheck_wire::view::Attachment;
use evalcheck_wire::worker::{Command, Event};
use gloo_events::EventListener;
use js_sys::{ArrayBuffer, Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::{AttrValue, Callback};

use super::attachment::{self, ObjectUrls};
use super::files::Held;
use crate::state::{Action, AttachmentBody};

/// The name of the meta element whose content is the worker's address, relative to the document.
const META: &str = "meta[name='evalcheck-worker']";

/// A running worker; dropping it ends it.
pub(super) struct WorkerHandle {
    worker: Worker,
    _listeners: [EventListener; 3],
}

impl WorkerHandle {
    /// Starts one.
    pub(super) fn start(dispatch: &Callback<Action>, urls: &Rc<ObjectUrls>) -> Result<Self, AttrValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("evalcheck");
        let worker =
            Worker::new_with_options(&address()?, &options).map_err(|_| "the browser starts no worker")?;

        let on_message = {
            let (dispatch, urls) = (dispatch.clone(), Rc::clone(urls));
            EventListener::new(&worker, "message", move |event| {
                if let Some(message) = event.dyn_ref::<MessageEvent>() {
                    dispatch.emit(read(&message.data(), &urls));
                }
            })
        };
        let on_error = {
            let dispatch = dispatch.clone();
            EventListener::new(&worker, "error", move |event| {
                // An error without a message is a script that could not be loaded.
                let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
                let why = if why.is_empty() { "its script could not be loaded".to_owned() } else { why };
                dispatch.emit(Action::WorkerFailed(why.into()));
            })
        };
        let on_message_error = {
            let dispatch = dispatch.clone();
            EventListener::new(&worker, "messageerror", move |_| {
                dispatch.emit(Action::WorkerFailed("it sent a message that cannot be read".into()));
            })
        };
        Ok(Self { worker, _listeners: [on_message, on_error, on_message_error] })
    }

    /// Sends a command, with the file that it is about.
    pub(super) fn post(&self, command: &Command, file: Option<&Held>) -> Result<(), AttrValue> {
        let send = || -> Result<(), JsValue> {
            let message = Object::new();
            Reflect::set(&message, &"command".into(), &command.serialize(&Serializer::json_compatible())?)?;
            if let Some(held) = file {
                Reflect::set(&message, &"file".into(), &held.file)?;
                Reflect::set(&message, &"size".into(), &held.size.into())?;
                Reflect::set(&message, &"lastModified".into(), &held.modified_ms.into())?;
            }
            self.worker.post_message(&message)
        };
        send().map_err(|_| "a message could not be sent to it".into())
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// Where the build has put the worker.
fn address() -> Result<String, AttrValue> {
    document()
        .and_then(|document| document.query_selector(META).ok().flatten())
        .and_then(|meta| meta.get_attribute("content"))
        .filter(|address| !address.is_empty())
        .ok_or_else(|| "this page does not say where its worker is".into())
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// A message as an action.
fn read(data: &JsValue, urls: &ObjectUrls) -> Action {
    let event = Reflect::get(data, &"event".into())
        .ok()
        .and_then(|event| serde_wasm_bindgen::from_value::<Event>(event).ok());
    match event {
        None => Action::WorkerFailed("it sent a message that this page does not know".into()),
        Some(Event::Attachment { job, request, attachment: Ok(attachment) }) => {
            let body = body(&attachment, data, urls);
            Action::AttachmentRead { job, request, attachment: Ok(attachment), body }
        }
        Some(event) => Action::Worker(Box::new(event)),
    }
}

fn body(attachment: &Attachment, data: &JsValue, urls: &ObjectUrls) -> AttachmentBody {
    let buffer =
        Reflect::get(data, &"buffer".into()).ok().and_then(|buffer| buffer.dyn_into::<ArrayBuffer>().ok());
    buffer.map_or(AttachmentBody::Nothing, |buffer| attachment::body(attachment, &buffer, urls))
}
