//! The title of the page, which the browser shows on its tab.

/// The title.
pub(super) fn get() -> String {
    web_sys::window()
        .and_then(|window| window.document())
        .map(|document| document.title())
        .unwrap_or_default()
}

/// Changes the title.
pub(super) fn set(title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}
