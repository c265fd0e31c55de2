//! Asks before the page is left.

use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Reflect;

/// Has the browser ask, in its own words, as long as it exists. A page that never listens can be restored faster.
pub(super) fn guard() -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    let window = web_sys::window()?;
    Some(EventListener::new_with_options(&window, "beforeunload", options, |event| {
        event.prevent_default();
        // For browsers that do not heed the line above.
        let _ = Reflect::set(event, &"returnValue".into(), &true.into());
    }))
}
