//! Stores the display mode of the texts of records.

use crate::state::TextMode;

/// The storage key, and the value for rendered texts.
const KEY: &str = "evalcheck-texts";
const RENDERED: &str = "rendered";

/// The stored display mode of texts.
pub(crate) fn stored() -> TextMode {
    let stored = super::storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    if stored.as_deref() == Some(RENDERED) { TextMode::Rendered } else { TextMode::Source }
}

/// Stores the display mode of texts, if the browser has storage.
pub(super) fn store(mode: TextMode) {
    if let Some(storage) = super::storage() {
        let _ = match mode {
            TextMode::Rendered => storage.set_item(KEY, RENDERED),
            TextMode::Source => storage.remove_item(KEY),
        };
    }
}
