//! Menus, which are `details` elements.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};
use yew::prelude::*;

/// Closes a menu and focuses its button; false when it is closed already.
pub(crate) fn close_menu(menu: &NodeRef) -> bool {
    let Some(menu) = menu.cast::<Element>().filter(|menu| menu.has_attribute("open")) else { return false };
    if let Some(button) = menu.first_element_child().and_then(|button| button.dyn_into::<HtmlElement>().ok())
    {
        let _ = button.focus();
    }
    let _ = menu.remove_attribute("open");
    true
}

/// Closes a menu that the focus leaves.
pub(crate) fn close_menu_without_focus(menu: &NodeRef, event: &FocusEvent) {
    let Some(menu) = menu.cast::<Element>() else { return };
    let next = event.related_target().and_then(|next| next.dyn_into::<Node>().ok());
    if !menu.contains(next.as_ref()) {
        let _ = menu.remove_attribute("open");
    }
}

/// True when an event is in an element that a selector matches.
pub(crate) fn is_in(event: &MouseEvent, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(selector).is_ok_and(|found| found.is_some()))
}
