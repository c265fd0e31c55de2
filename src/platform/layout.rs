//! Sizes and places of elements. Offsets are set on the style object: an inline `style` attribute would need a
//! content security policy that allows them all.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, ResizeObserver};
use yew::prelude::*;

/// An element that scrolls.
#[derive(Clone, PartialEq)]
pub(crate) struct Viewport(HtmlElement);

impl Viewport {
    /// The element of a reference, once it is there.
    pub(crate) fn of(node: &NodeRef) -> Option<Self> {
        node.cast::<HtmlElement>().map(Self)
    }

    /// How tall it is, in CSS pixels.
    pub(crate) fn height(&self) -> f64 {
        f64::from(self.0.client_height())
    }

    /// How far it is scrolled.
    pub(crate) fn scroll(&self) -> f64 {
        f64::from(self.0.scroll_top())
    }

    /// Scrolls it.
    pub(crate) fn set_scroll(&self, to: f64) {
        self.0.set_scroll_top(pixels(to));
    }
}

/// Makes an element so tall.
pub(crate) fn set_height(node: &NodeRef, height: f64) {
    set(node, "height", &format!("{}px", pixels(height)));
}

/// Puts an element so far down.
pub(crate) fn set_offset(node: &NodeRef, offset: f64) {
    set(node, "transform", &format!("translateY({}px)", pixels(offset)));
}

/// Shows the page from its top.
pub(super) fn scroll_to_top() {
    if let Some(window) = web_sys::window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// The width up to which the styles show one pane at a time, in CSS pixels.
const NARROW: f64 = 860.0;

/// Scrolls the window to the panes, where there is room for one of them only.
pub(super) fn show_panes() {
    let Some(window) = web_sys::window() else { return };
    let width = window.inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(f64::MAX);
    let panes = window.document().and_then(|document| document.query_selector(".workspace").ok().flatten());
    if let Some(panes) = panes.filter(|_| width <= NARROW) {
        // Not `scrollIntoView`: in a frame it would scroll the page around as well.
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

/// Tells when an element changes its size, as long as it is kept.
pub(crate) struct Watch {
    observer: ResizeObserver,
    _heard: Closure<dyn FnMut()>,
}

impl Watch {
    /// Begins to watch; `heard` is also called once at the beginning.
    pub(crate) fn size(node: &NodeRef, heard: impl FnMut() + 'static) -> Option<Self> {
        Self::element(&node.cast::<Element>()?, heard)
    }

    /// The same for an element that is not one of a component.
    pub(super) fn element(element: &Element, heard: impl FnMut() + 'static) -> Option<Self> {
        let heard = Closure::<dyn FnMut()>::new(heard);
        let observer = ResizeObserver::new(heard.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self { observer, _heard: heard })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
