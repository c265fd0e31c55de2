//! The keyboard focus. If rendering removes the focused element, a browser forgets the focus, and the next Tab begins at the top of the
//! page.

use evalcheck_wire::worker::CheckId;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

/// The start of a screen: the drop zone, or the heading of the results.
const START: &str = ".drop-zone, .results h1";

/// The finding in the details.
const FINDING: &str = ".finding-card";

/// The details.
const DETAILS: &str = ".detail-body";

/// The button that opens the editor.
const EDIT_BUTTON: &str = ".edit button";

/// The part of the page that the user works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Area {
    Editor,
    Details,
    Other,
}

/// Keeps the focus near its last position.
#[derive(Debug, Default)]
pub(crate) struct FocusKeeper {
    /// The element that had the focus last, and its area.
    last: Option<(Element, Area)>,
    /// The check that was shown then.
    check: Option<CheckId>,
    /// Whether the start of the screen has the focus until there are details again.
    is_stand_in: bool,
}

impl FocusKeeper {
    /// Stores the focus while this check is shown. Must be called before rendering.
    pub(crate) fn note(&mut self, check: Option<CheckId>) {
        let Some(document) = document() else { return };
        let focused = focused(&document);
        match (&focused, &self.last) {
            (Some(focused), Some((last, _))) if focused == last => return,
            // Rendering has removed the element, and does not restore it before the next action.
            (None, Some((last, _))) if !last.is_connected() => return,
            _ => {}
        }
        self.is_stand_in = false;
        self.check = check;
        self.last = focused.map(|element| {
            let is_in = |selector| element.closest(selector).is_ok_and(|found| found.is_some());
            let area = if is_in(".editor") {
                Area::Editor
            } else if is_in(DETAILS) {
                Area::Details
            } else {
                Area::Other
            };
            (element, area)
        });
    }

    /// Moves the focus if it was lost. Must be called after rendering.
    pub(crate) fn restore(&mut self, check: Option<CheckId>) {
        let Some(document) = document().filter(|document| document.has_focus().unwrap_or(false)) else {
            return;
        };
        let Some((last, area)) = self.last.clone() else { return };
        let is_lost = !last.is_connected() && focused(&document).is_none();
        if !is_lost && !self.is_stand_in {
            return;
        }
        if area == Area::Other {
            focus(&document, START);
            return;
        }
        let was_closed = area == Area::Editor && check == self.check;
        if (was_closed && focus(&document, EDIT_BUTTON)) || focus(&document, FINDING) {
            return;
        }
        let has_details = find(&document, DETAILS).is_some();
        // For another check without findings, the verdict gets the focus first.
        let is_same = check == self.check;
        if is_same && !self.is_stand_in && has_details && focus(&document, DETAILS) {
            return;
        }
        // A file that is checked again has details later.
        if is_lost && focus(&document, START) {
            self.last = find(&document, START).map(|element| (element, Area::Details));
        }
        self.is_stand_in = !has_details;
    }
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// The focused element; `None` if it is the body, which has the focus by default.
fn focused(document: &Document) -> Option<Element> {
    let body = document.body().map(Element::from);
    document.active_element().filter(|element| Some(element) != body.as_ref())
}

fn find(document: &Document, selector: &str) -> Option<Element> {
    document.query_selector(selector).ok().flatten()
}

/// Focuses an element. Returns false if it does not exist or is hidden.
fn focus(document: &Document, selector: &str) -> bool {
    let Some(element) = find(document, selector) else { return false };
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
    document.active_element().as_ref() == Some(&element)
}
