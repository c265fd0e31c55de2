//! Applies and stores the theme.

use crate::state::Theme;

/// `www/boot/theme.js` reads the same key.
const KEY: &str = "evalcheck-theme";

/// The theme that `www/boot/theme.js` has applied: from the address, else the stored one.
pub(crate) fn applied() -> Theme {
    let name = super::document_root().and_then(|root| root.get_attribute("data-theme"));
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
