//! Asks for confirmation before the page is left.

use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Reflect;

/// Makes the browser ask with its own message, as long as the listener exists. A page that never listens can be restored faster.
pub(super) fn guard() -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    let window = web_sys::window()?;
    Some(EventListener::new_with_options(&window, "beforeunload", options, |event| {
        event.prevent_default();
        // For browsers that ignore the line above.
        let _ = Reflect::set(event, &"returnValue".into(), &true.into());
    }))
}
