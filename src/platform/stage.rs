//! Where something is drawn that nobody sees.

use web_sys::Element;
use yew::create_portal;
use yew::prelude::*;

/// An element that is nowhere in the page: what is drawn there costs no style and no layout, and no script finds it.
pub(crate) struct Stage(Element);

impl Stage {
    /// An empty one.
    pub(crate) fn new() -> Option<Self> {
        web_sys::window()?.document()?.create_element("div").ok().map(Self)
    }

    /// Draws there.
    pub(crate) fn draw(&self, what: Html) -> Html {
        create_portal(what, self.0.clone())
    }
}
