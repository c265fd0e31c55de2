//! Keyboard shortcuts: listens for them, and moves the focus.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, HtmlElement, KeyboardEvent, KeyboardEventInit};
use yew::Callback;

use crate::state::{Action, Direction, Focus, Key, Place, Shortcut};

/// The shown list.
const LIST: &str = "main .virtual-list";

/// The fields above a list.
const FIELD: &str = ":is(.list-pane, .file-pane) input[type=text]";

/// The pane in front.
const FRONT: &str = "[data-focus=details] .detail-body, [data-focus=list] .virtual-list";

/// The keys that currently have an effect.
pub(super) type BoundKeys = Rc<RefCell<Vec<Shortcut>>>;

/// Listens on the document, so that the focus does not matter.
pub(super) fn listen(bound: &BoundKeys, dispatch: &Callback<Action>) -> Option<EventListener> {
    let (bound, dispatch, document) = (Rc::clone(bound), dispatch.clone(), document()?);
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        leave_field(event);
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
    is_in(event, "input, textarea, select, [contenteditable]")
}

fn is_in(event: &Event, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches(selector).unwrap_or(false))
}

/// Returns from a field above a list to the list on Escape. If there is no list, leaves the field, because it takes all other keys.
fn leave_field(event: &KeyboardEvent) {
    if event.key() != "Escape" || event.default_prevented() || !is_in(event, FIELD) {
        return;
    }
    event.prevent_default();
    let list = find(LIST);
    let field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let _ = match list {
        Some(list) => list.focus(),
        None => field.map_or(Ok(()), |field| field.blur()),
    };
}

/// The pane that has the focus.
fn focused_pane() -> Focus {
    let focused = document().and_then(|document| document.active_element());
    match focused.and_then(|focused| focused.closest(".detail-pane").ok().flatten()) {
        Some(_) => Focus::Details,
        None => Focus::List,
    }
}

/// Moves the focus.
pub(super) fn move_focus(place: Place) {
    let target = find(match place {
        Place::List => LIST,
        Place::Details => ".detail-body",
        Place::Front => FRONT,
        Place::FilterField => "[data-testid=filter-field]",
        Place::NumberField => ".list-toolbar input",
    });
    if let Some(element) = target {
        let _ = element.focus();
    }
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
    let Some(tabs) = tab.parent_element() else { return };
    // A tab that has no room is hidden.
    let shown = |from: Option<Element>, step: fn(&Element) -> Option<Element>| {
        std::iter::successors(from, step).find(|tab| tab.client_width() > 0)
    };
    let next = |from| shown(from, Element::next_element_sibling);
    let previous = |from| shown(from, Element::previous_element_sibling);
    let (first, last) = (|| next(tabs.first_element_child()), || previous(tabs.last_element_child()));
    let to = match event.key().as_str() {
        "ArrowRight" => next(tab.next_element_sibling()).or_else(first),
        "ArrowLeft" => previous(tab.previous_element_sibling()).or_else(last),
        "Home" => first(),
        "End" => last(),
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
