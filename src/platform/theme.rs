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

/// Shows the page in a theme.
pub(super) fn apply(theme: Theme) {
    let word = (theme != Theme::Auto).then_some(theme.as_str());
    super::mark_root("data-theme", word);
}

/// Remembers it. Without storage it is not.
pub(super) fn remember(theme: Theme) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(KEY, theme.as_str());
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
