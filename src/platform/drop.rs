//! Files dropped or pasted anywhere on the page.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event};
use yew::{AttrValue, Callback};

use super::files::Files;
use crate::state::{Action, DropTarget};

const EVENTS: [&str; 5] = ["dragenter", "dragover", "dragleave", "drop", "paste"];

/// The attribute of the card of a missing file that can be added. Its value is the name of the entry.
const ADDED_AS: &str = "data-added-as";

/// Listens until it is dropped.
pub(super) struct DropListener {
    _listeners: Vec<EventListener>,
}

impl DropListener {
    /// Starts to listen.
    pub(super) fn new(files: &Rc<Files>, dispatch: &Callback<Action>) -> Self {
        let Some(window) = web_sys::window() else { return Self { _listeners: Vec::new() } };
        let listen = |name: &'static str| {
            let (files, dispatch) = (Rc::clone(files), dispatch.clone());
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, name, options, move |event| {
                if let Some(action) = handle(event, &files, &dispatch) {
                    dispatch.emit(action);
                }
            })
        };
        Self { _listeners: EVENTS.map(listen).into() }
    }
}

fn handle(event: &Event, files: &Rc<Files>, dispatch: &Callback<Action>) -> Option<Action> {
    match event.type_().as_str() {
        "dragenter" => {
            dragged_files(event)?;
            event.prevent_default();
            let target = if card(event).is_some() { DropTarget::Card } else { DropTarget::Page };
            Some(Action::DragOver(Some(target)))
        }
        "dragover" => {
            // Without this, the browser would open the file in place of the page.
            let transfer = dragged_files(event)?;
            event.prevent_default();
            transfer.set_drop_effect("copy");
            None
        }
        "dragleave" => {
            // Every element that is left sends this event; only leaving the window has no related target.
            let left_window = event.dyn_ref::<DragEvent>()?.related_target().is_none();
            left_window.then_some(Action::DragOver(None))
        }
        "drop" => {
            let transfer = dragged_files(event);
            if transfer.is_some() || !is_text_field(event) {
                // Otherwise the browser would follow a dropped link.
                event.prevent_default();
            }
            let opened = transfer.and_then(|transfer| match card(event) {
                Some(entry) => Some(files.add_dropped(&transfer, entry)),
                None => files.open_transfer(&transfer, dispatch),
            });
            opened.or(Some(Action::DragOver(None)))
        }
        "paste" if !is_text_field(event) => {
            let transfer = event.dyn_ref::<ClipboardEvent>()?.clipboard_data()?;
            let action = files.open_transfer(&transfer, dispatch)?;
            event.prevent_default();
            Some(action)
        }
        _ => None,
    }
}

/// The dragged files; `None` if text or a link is dragged.
fn dragged_files(event: &Event) -> Option<DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().includes(&"Files".into(), 0).then_some(transfer)
}

/// The name of the entry for a file that is dropped here, on the card of a missing file.
fn card(event: &Event) -> Option<AttrValue> {
    let card = target(event)?.closest(&format!("[{ADDED_AS}]")).ok()??;
    card.get_attribute(ADDED_AS).map(AttrValue::from)
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Returns true if the target of the event accepts text.
fn is_text_field(event: &Event) -> bool {
    target(event).is_some_and(|element| element.matches("input, textarea, select").unwrap_or(false))
}
