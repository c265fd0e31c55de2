//! The theme, and where it is remembered.

use web_sys::Storage;

use crate::state::Theme;

/// `index.html` reads the same key before the first paint.
const KEY: &str = "evalcheck-theme";

/// The theme that was chosen the last time.
pub(crate) fn remembered() -> Theme {
    let word = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    word.map_or(Theme::Auto, |word| Theme::from_word(&word))
}

/// Shows the page in a theme. Without storage it is not remembered.
pub(super) fn apply(theme: Theme) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        let _ = match theme {
            Theme::Auto => root.remove_attribute("data-theme"),
            Theme::Light | Theme::Dark => root.set_attribute("data-theme", theme.as_str()),
        };
    }
    if let Some(storage) = storage() {
        let _ = storage.set_item(KEY, theme.as_str());
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
