//! Modules that are loaded when they are first used; see `modules.js`.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_namespace = modules)]
extern "C" {
    #[wasm_bindgen(js_name = load, catch)]
    async fn load_by_name(name: &str) -> Result<(), JsValue>;
}

/// A WebAssembly module.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Module {
    /// `evalcheck-regex`.
    Regex,
    /// `evalcheck-markdown`.
    Markdown,
    /// `evalcheck-schema`.
    Schema,
}

/// Loads a module.
///
/// # Errors
/// Why it cannot be loaded, for the user.
pub(crate) async fn load(module: Module) -> Result<(), String> {
    let (name, noun) = match module {
        Module::Regex => ("regex", "Regular expressions"),
        Module::Markdown => ("markdown", "The module for Markdown"),
        Module::Schema => ("schema", "The module for schemas"),
    };
    load_by_name(name).await.map_err(|error| format!("{noun} could not be loaded: {}.", text_of(&error)))
}

/// The message of a JavaScript error.
pub(crate) fn text_of(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.or_else(|| error.as_string()).unwrap_or_default()
}
