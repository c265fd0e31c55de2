//! Reports the death of the engine to the page; see `watch.js`.

use evalcheck_blob::to_f64;
use evalcheck_wire::worker::{CheckId, Progress};
use wasm_bindgen::prelude::*;

// A global object, not a module: the worker is one script without imports.
#[wasm_bindgen(js_namespace = watch)]
extern "C" {
    #[wasm_bindgen(js_name = note)]
    fn note_place(id: f64, bytes: f64, line: f64);

    /// Posts `Event::Died` with the last noted position, and ends the worker. Further calls do nothing.
    pub(crate) fn died(message: &str);
}

/// Reports panics from now on. (`watch.js` itself detects a trap without a panic.)
pub(crate) fn start() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        web_sys::console::error_1(&text.as_str().into());
        died(&text);
    }));
}

/// Notes the progress of a check.
pub(crate) fn note(id: CheckId, progress: &Progress) {
    note_place(f64::from(id), to_f64(progress.bytes), to_f64(progress.lines));
}

/// Notes that no check is running.
pub(crate) fn note_rest() {
    note_place(-1.0, 0.0, 0.0);
}
