//! Applies and stores the theme.

use crate::state::Theme;

/// `www/boot/theme.js` reads the same key before the first paint.
const KEY: &str = "evalcheck-theme";

/// The stored theme.
pub(crate) fn stored() -> Theme {
    let name = super::storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    name.map_or(Theme::Auto, |name| Theme::from_name(&name))
}

/// Applies a theme to the page.
pub(super) fn apply(theme: Theme) {
    let name = (theme != Theme::Auto).then_some(theme.as_str());
    super::set_root_attribute("data-theme", name);
}

/// Stores a theme, if the browser has storage.
pub(super) fn store(theme: Theme) {
    if let Some(storage) = super::storage() {
        let _ = storage.set_item(KEY, theme.as_str());
    }
}
