//! The Web Worker: commands in, events out.

use std::cell::RefCell;
use std::rc::Rc;

use evalcheck_report::view::Attachment;
use evalcheck_wire::question::Answer;
use evalcheck_wire::worker::{Assembly, Command, Event, Message};
use gloo_events::EventListener;
use js_sys::{ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, MessageEvent, Worker};
use yew::prelude::{AttrValue, Callback};

use super::attachment::{self, ObjectUrls};
use super::boot;
use super::files::{FileHandle, Files};
use crate::state::{Action, AttachmentBody};

/// A worker that is running or starting. Dropping it terminates it.
pub(super) struct WorkerHandle(Rc<RefCell<Option<Running>>>);

struct Running {
    worker: Worker,
    _listeners: [EventListener; 3],
}

impl WorkerHandle {
    /// Starts a worker. Its events, and a failure to start, go to `dispatch`.
    pub(super) fn start(dispatch: &Callback<Action>, files: &Rc<Files>, urls: &Rc<ObjectUrls>) -> Self {
        let slot = Rc::new(RefCell::new(None));
        let (waiting, dispatch) = (Rc::downgrade(&slot), dispatch.clone());
        let (files, urls) = (Rc::clone(files), Rc::clone(urls));
        spawn_local(async move {
            let started =
                boot::start_worker().await.map(|worker| Running::new(worker, &dispatch, &files, &urls));
            // The handle was dropped while the worker was starting.
            let Some(slot) = waiting.upgrade() else { return };
            match started {
                Ok(running) => *slot.borrow_mut() = Some(running),
                Err(why) => dispatch.emit(Action::WorkerFailed(why)),
            }
        });
        Self(slot)
    }

    /// Posts a command with its file, and another file that it needs.
    pub(super) fn post(
        &self,
        command: &Command,
        file: Option<&FileHandle>,
        other: Option<&FileHandle>,
    ) -> Result<(), AttrValue> {
        let send = |worker: &Worker| -> Result<(), JsValue> {
            let message = Object::new();
            Reflect::set(&message, &"name".into(), &command.name().into())?;
            Reflect::set(&message, &"command".into(), &Uint8Array::from(&*command.write()))?;
            if let Some(handle) = file {
                Reflect::set(&message, &"file".into(), &handle.file)?;
                Reflect::set(&message, &"size".into(), &handle.size.into())?;
                Reflect::set(&message, &"lastModified".into(), &handle.modified_ms.into())?;
            }
            if let Some(other) = other {
                Reflect::set(&message, &"other".into(), &other.file)?;
            }
            worker.post_message(&message)
        };
        match &*self.0.borrow() {
            Some(running) => send(&running.worker).map_err(|_| "a message could not be sent to it".into()),
            None => Err("it has not started yet".into()),
        }
    }
}

impl Running {
    /// Listens to a new worker, before it can have posted anything.
    fn new(worker: Worker, dispatch: &Callback<Action>, files: &Rc<Files>, urls: &Rc<ObjectUrls>) -> Self {
        let on_message = {
            let (dispatch, files, urls) = (dispatch.clone(), Rc::clone(files), Rc::clone(urls));
            let assembly = RefCell::new(Assembly::default());
            EventListener::new(&worker, "message", move |event| {
                if let Some(message) = event.dyn_ref::<MessageEvent>()
                    && let Some(action) = read(&message.data(), &mut assembly.borrow_mut(), &files, &urls)
                {
                    dispatch.emit(action);
                }
            })
        };
        let on_error = {
            let dispatch = dispatch.clone();
            EventListener::new(&worker, "error", move |event| {
                // An error without a message means that the browser refused the script.
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
        Self { worker, _listeners: [on_message, on_error, on_message_error] }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// Converts a message to an action; `None` for an incomplete part of a report.
fn read(data: &JsValue, assembly: &mut Assembly, files: &Files, urls: &ObjectUrls) -> Option<Action> {
    Some(match event_of(data) {
        None => Action::WorkerFailed("it sent a message that this page does not know".into()),
        Some(Event::Answer { request, result: Ok(Answer::Attachment(attachment)) }) => {
            let body = body(&attachment, data, urls);
            Action::AttachmentLoaded { request, attachment, body }
        }
        Some(Event::Fixed { id, fixes }) => {
            let file = get(data, "file").dyn_into().ok()?;
            Action::FileChanged { id, dataset: files.add_beside(file), fixes }
        }
        Some(Event::Exported { id }) => {
            let file = get(data, "file").dyn_into().ok()?;
            Action::Exported { id, dataset: files.add_beside(file) }
        }
        Some(event) => Action::Worker(Box::new(assembly.take(event)?)),
    })
}

fn event_of(data: &JsValue) -> Option<Event> {
    if get(data, "name").as_string()? == "died" {
        return Some(died(data));
    }
    Event::read(&get(data, "event").dyn_into::<Uint8Array>().ok()?.to_vec())
}

/// Reads the message of `watch.js` about a dead engine.
fn died(data: &JsValue) -> Event {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole numbers from 0, which the engine noted"
    )]
    let number = |key| get(data, key).as_f64().map(|number| number as u64);
    Event::Died {
        id: number("id").and_then(|id| id.try_into().ok()),
        message: get(data, "message").as_string().unwrap_or_default(),
        checked_bytes: number("bytes").unwrap_or_default(),
        line: number("line").unwrap_or_default(),
    }
}

/// The value of a key, or `undefined`.
fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

fn body(attachment: &Attachment, data: &JsValue, urls: &ObjectUrls) -> AttachmentBody {
    let buffer = get(data, "buffer").dyn_into::<ArrayBuffer>();
    buffer.map_or(AttachmentBody::None, |buffer| attachment::body(attachment, &buffer, urls))
}
