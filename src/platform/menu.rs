//! Closes menus, which are `details` elements of the class `menu`.

use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, HtmlElement, KeyboardEvent, Node};

/// Closes a menu when one of its buttons is pressed, on Escape, and when it loses the focus.
pub(super) fn listen() -> Option<[EventListener; 3]> {
    let document = web_sys::window()?.document()?;
    let on = |event: &'static str, close: fn(&Event)| {
        // Closes the menu before the action of the button shows a dialog, which later returns the focus.
        let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
        EventListener::new_with_options(&document, event, options, close)
    };
    Some([on("click", after_press), on("keydown", after_key), on("focusout", after_focus)])
}

fn after_press(event: &Event) {
    if closest(event, ".menu-items button").is_some() && closest(event, ".stays").is_none() {
        close_and_focus(event);
    }
}

fn after_key(event: &Event) {
    let is_escape = event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "Escape");
    if is_escape && close_and_focus(event) {
        event.prevent_default();
    }
}

fn after_focus(event: &Event) {
    let Some(menu) = closest(event, ".menu") else { return };
    let next = event.dyn_ref::<FocusEvent>().and_then(FocusEvent::related_target);
    if !menu.contains(next.and_then(|next| next.dyn_into::<Node>().ok()).as_ref()) {
        let _ = menu.remove_attribute("open");
    }
}

/// Closes the menu that contains the target of an event, and focuses its button. Returns false if there is no open menu.
fn close_and_focus(event: &Event) -> bool {
    let Some(menu) = closest(event, ".menu[open]") else { return false };
    if let Some(button) = menu.first_element_child().and_then(|button| button.dyn_into::<HtmlElement>().ok())
    {
        let _ = button.focus();
    }
    let _ = menu.remove_attribute("open");
    true
}

fn closest(event: &Event, selector: &str) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest(selector).ok().flatten()
}
