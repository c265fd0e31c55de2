//! Remembers how texts of records are shown.

use crate::state::TextMode;

/// The key under which the browser keeps it, and the value for texts that are rendered.
const KEY: &str = "evalcheck-texts";
const RENDERED: &str = "rendered";

/// How texts were shown when the page was used last.
pub(crate) fn stored() -> TextMode {
    let stored = super::storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    if stored.as_deref() == Some(RENDERED) { TextMode::Rendered } else { TextMode::Source }
}

/// Stores how texts are shown, if the browser has storage.
pub(super) fn store(mode: TextMode) {
    if let Some(storage) = super::storage() {
        let _ = match mode {
            TextMode::Rendered => storage.set_item(KEY, RENDERED),
            TextMode::Source => storage.remove_item(KEY),
        };
    }
}
