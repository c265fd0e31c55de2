//! Sizes and positions of elements. They are set on the style object, because a `style` attribute would need a content security policy that
//! allows inline styles.

use crate::state::Split;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};
use yew::prelude::*;

/// A scrolling element.
#[derive(Clone, PartialEq)]
pub(crate) struct Viewport(HtmlElement);

impl Viewport {
    /// The element of a node reference, once it is rendered.
    pub(crate) fn of(node: &NodeRef) -> Option<Self> {
        node.cast::<HtmlElement>().map(Self)
    }

    /// Its height, in CSS pixels.
    pub(crate) fn height(&self) -> f64 {
        f64::from(self.0.client_height())
    }

    /// The height of its rows, which the styles define as `--row` in CSS pixels.
    pub(crate) fn row_height(&self) -> f64 {
        let styles = web_sys::window().and_then(|window| window.get_computed_style(&self.0).ok().flatten());
        let height = styles.and_then(|styles| styles.get_property_value("--row").ok());
        height.and_then(|height| height.trim().strip_suffix("px")?.parse().ok()).unwrap_or_default()
    }

    /// Its `scrollTop`, in CSS pixels.
    pub(crate) fn scroll(&self) -> f64 {
        f64::from(self.0.scroll_top())
    }

    /// Sets its `scrollTop`, in CSS pixels.
    pub(crate) fn set_scroll(&self, to: f64) {
        self.0.set_scroll_top(pixels(to));
    }
}

/// Sets the height of an element, in CSS pixels.
pub(crate) fn set_height(node: &NodeRef, height: f64) {
    set(node, "height", &format!("{}px", pixels(height)));
}

/// Moves an element down, in CSS pixels.
pub(crate) fn set_offset(node: &NodeRef, offset: f64) {
    set(node, "transform", &format!("translateY({}px)", pixels(offset)));
}

/// Moves a rectangle of a drawing vertically, in the units of the drawing.
pub(crate) fn set_rows(node: &NodeRef, from: u64, end: u64) {
    if let Some(element) = node.cast::<Element>() {
        let _ = element.set_attribute("y", &from.to_string());
        let _ = element.set_attribute("height", &end.saturating_sub(from).max(1).to_string());
    }
}

/// Scrolls to the top of the page.
pub(super) fn scroll_to_top() {
    if let Some(window) = web_sys::window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// The maximum width, in CSS pixels, at which the styles show one pane at a time.
const NARROW: f64 = 860.0;

/// Returns true if lists and details are not side by side.
pub(super) fn is_narrow() -> bool {
    let width = web_sys::window().and_then(|window| window.inner_width().ok()?.as_f64());
    width.is_some_and(|width| width <= NARROW)
}

/// Scrolls to the panes of a narrow frame. Elsewhere, the details cover a narrow screen.
pub(super) fn show_panes() {
    let Some(window) = web_sys::window() else { return };
    let panes = window
        .document()
        .and_then(|document| document.query_selector("[data-embed] .workspace").ok().flatten());
    if let Some(panes) = panes.filter(|_| is_narrow()) {
        // `scrollIntoView` would scroll the host page of a frame as well.
        window.scroll_by_with_x_and_y(0.0, panes.get_bounding_client_rect().top());
    }
}

fn set(node: &NodeRef, property: &str, value: &str) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.style().set_property(property, value);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and no element is that tall")]
fn pixels(length: f64) -> i32 {
    length.round() as i32
}

/// Reports changes of the size of an element, as long as it exists.
pub(crate) struct ViewportObserver {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl ViewportObserver {
    /// Observes an element of a component. `callback` is first called immediately.
    pub(crate) fn of_node(node: &NodeRef, callback: impl FnMut() + 'static) -> Option<Self> {
        Self::of_element(&node.cast::<Element>()?, callback)
    }

    /// Observes any element.
    pub(super) fn of_element(element: &Element, callback: impl FnMut() + 'static) -> Option<Self> {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self { observer, _callback: callback })
    }
}

impl Drop for ViewportObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// The storage key for the share of the width that the lists have.
const SPLIT: &str = "evalcheck-list-percent";

/// The stored division of the width between lists and details.
pub(crate) fn stored_split() -> Split {
    let stored = super::storage().and_then(|storage| storage.get_item(SPLIT).ok().flatten());
    let percent = stored.and_then(|percent| percent.parse::<u8>().ok());
    percent.map_or_else(Split::default, Split::of_list)
}

/// Stores the division of the width, if the browser has storage.
pub(super) fn store_split(split: Split) {
    if let Some(storage) = super::storage() {
        let _ = storage.set_item(SPLIT, &split.list_percent().to_string());
    }
}

/// Divides the width between lists and details.
pub(super) fn apply_split(split: Split) {
    let percent = f64::from(split.list_percent());
    let root = super::document_root().and_then(|root| root.dyn_into::<HtmlElement>().ok());
    if let Some(root) = root {
        let lists = format!("{}fr", percent / (100.0 - percent));
        let _ = root.style().set_property("--lists", &lists);
    }
}

/// Directs the movements of the pointer to the pressed element.
pub(crate) fn capture_pointer(event: &PointerEvent) {
    event.prevent_default();
    if let Some(element) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// The horizontal position of a captured pointer within the parent of its element, in percent.
pub(crate) fn dragged_to(event: &PointerEvent) -> Option<u8> {
    let element = event.target()?.dyn_into::<HtmlElement>().ok()?;
    if !element.has_pointer_capture(event.pointer_id()) {
        return None;
    }
    let shape = element.parent_element()?.get_bounding_client_rect();
    let part = (f64::from(event.client_x()) - shape.left()) / shape.width().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 100")]
    let percent = (part.clamp(0.0, 1.0) * 100.0).round() as u8;
    Some(percent)
}
