//! Keyboard shortcuts: listens for them, and moves the focus.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, HtmlElement, KeyboardEvent, KeyboardEventInit};
use yew::Callback;

use crate::state::{Action, Direction, Focus, Key, Place, Shortcut};

/// The shown list.
const LIST: &str = "main .virtual-list";

/// The keys that currently have an effect.
pub(super) type BoundKeys = Rc<RefCell<Vec<Shortcut>>>;

/// Listens on the document, so that the focus does not matter.
pub(super) fn listen(bound: &BoundKeys, dispatch: &Callback<Action>) -> Option<EventListener> {
    let (bound, dispatch, document) = (Rc::clone(bound), dispatch.clone(), document()?);
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        // The action may bind other keys.
        let key = key_of(event, &bound.borrow());
        if let Some(key) = key {
            event.prevent_default();
            dispatch.emit(Action::Key(key, focused_pane()));
        }
    }))
}

fn key_of(event: &KeyboardEvent, bound: &[Shortcut]) -> Option<Key> {
    if event.default_prevented() || event.is_composing() || event.alt_key() || is_in_field(event) {
        return None;
    }
    let has_control = event.ctrl_key() || event.meta_key();
    let pressed = event.key();
    let is_pressed = |key: &&str| match key.strip_prefix("Ctrl+") {
        Some(key) => has_control && !event.shift_key() && key == pressed,
        None => !has_control && *key == pressed,
    };
    let key = bound.iter().find(|shortcut| shortcut.keys.iter().any(is_pressed))?.does;
    // Only movements repeat while a key is held down.
    (!event.repeat() || matches!(key, Key::Row(_) | Key::GoOn(_))).then_some(key)
}

/// Returns true if the target accepts text.
fn is_in_field(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches("input, textarea, select, [contenteditable]").unwrap_or(false))
}

/// The pane that has the focus.
fn focused_pane() -> Focus {
    let focused = document().and_then(|document| document.active_element());
    match focused.and_then(|focused| focused.closest(".detail-pane").ok().flatten()) {
        Some(_) => Focus::Details,
        None => Focus::List,
    }
}

/// Moves the focus, after the page has rendered its target.
pub(super) fn move_focus(place: Place) {
    let selector = match place {
        Place::List => LIST,
        Place::Details => ".detail-body",
        Place::FilterField => "[data-testid=filter-field]",
        Place::NumberField => ".list-toolbar input",
    };
    Timeout::new(0, move || {
        if let Some(element) = find(selector) {
            let _ = element.focus();
        }
    })
    .forget();
}

/// Selects the next or previous row of the shown list, as its own keys do.
pub(super) fn move_in_list(direction: Direction) {
    let Some(list) = find(LIST) else { return };
    let init = KeyboardEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_key(match direction {
        Direction::Next => "ArrowDown",
        Direction::Previous => "ArrowUp",
    });
    if let Ok(event) = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init) {
        let _ = list.focus();
        let _ = list.dispatch_event(&event);
    }
}

/// Moves the focus from a tab to another one, and shows that one.
pub(crate) fn move_in_tabs(event: &KeyboardEvent) {
    let tab = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(tab) = tab.filter(|tab| tab.get_attribute("role").as_deref() == Some("tab")) else { return };
    let Some(list) = tab.parent_element() else { return };
    let to = match event.key().as_str() {
        "ArrowRight" => tab.next_element_sibling().or_else(|| list.first_element_child()),
        "ArrowLeft" => tab.previous_element_sibling().or_else(|| list.last_element_child()),
        "Home" => list.first_element_child(),
        "End" => list.last_element_child(),
        _ => return,
    };
    event.prevent_default();
    if let Some(to) = to.and_then(|to| to.dyn_into::<HtmlElement>().ok()) {
        let _ = to.focus();
        to.click();
    }
}

fn find(selector: &str) -> Option<HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}
