//! Drops and pastes anywhere on the page.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event};
use yew::Callback;

use super::files::Files;
use crate::state::Action;

/// Listens as long as it is kept.
pub(super) struct Drops {
    _listeners: Vec<EventListener>,
}

impl Drops {
    /// Begins to listen. A browser without a window (a test) has nothing to listen to.
    pub(super) fn listen(files: &Rc<Files>, dispatch: &Callback<Action>) -> Self {
        let Some(window) = web_sys::window() else { return Self { _listeners: Vec::new() } };
        let on = |name: &'static str, heard: Box<dyn FnMut(&Event)>| {
            EventListener::new_with_options(
                &window,
                name,
                EventListenerOptions::enable_prevent_default(),
                heard,
            )
        };

        let over = dispatch.clone();
        let enter = on(
            "dragenter",
            Box::new(move |event| {
                if files_of(event).is_some() {
                    event.prevent_default();
                    over.emit(Action::DragOver(true));
                }
            }),
        );
        // Without this the browser would open the file in place of the page.
        let hover = on(
            "dragover",
            Box::new(|event| {
                if let Some(transfer) = files_of(event) {
                    event.prevent_default();
                    transfer.set_drop_effect("copy");
                }
            }),
        );
        let out = dispatch.clone();
        let leave = on(
            "dragleave",
            Box::new(move |event| {
                // It goes off for every element that is left; only the window's edge leads to none.
                let left = event.dyn_ref::<DragEvent>().is_some_and(|drag| drag.related_target().is_none());
                if left {
                    out.emit(Action::DragOver(false));
                }
            }),
        );
        let (dropped, shelf) = (dispatch.clone(), Rc::clone(files));
        let drop = on(
            "drop",
            Box::new(move |event| {
                dropped.emit(Action::DragOver(false));
                if !is_typing(event) {
                    // A link that is dropped would be followed.
                    event.prevent_default();
                }
                let Some(transfer) = files_of(event) else { return };
                event.prevent_default();
                if let Some(action) = shelf.take_from_transfer(&transfer, &dropped) {
                    dropped.emit(action);
                }
            }),
        );
        let (pasted, shelf) = (dispatch.clone(), Rc::clone(files));
        let paste = on(
            "paste",
            Box::new(move |event| {
                if is_typing(event) {
                    return;
                }
                let transfer = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
                if let Some(action) =
                    transfer.and_then(|transfer| shelf.take_from_transfer(&transfer, &pasted))
                {
                    event.prevent_default();
                    pasted.emit(action);
                }
            }),
        );
        Self { _listeners: vec![enter, hover, leave, drop, paste] }
    }
}

/// What is dragged, where it is files: text and links that are dragged about on the page are none of ours.
fn files_of(event: &Event) -> Option<DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().includes(&"Files".into(), 0).then_some(transfer)
}

/// True when the event belongs to a field that takes text itself.
fn is_typing(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.matches("input, textarea, select").unwrap_or(false))
}
