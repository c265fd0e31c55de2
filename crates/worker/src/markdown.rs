//! Renders the texts of a record as trees of Markdown, in a separate module.

use evalcheck_wire::markdown::{Packed, Rendered, SourceText};
use wasm_bindgen::prelude::*;

use crate::modules::{self, Module, text_of};

#[wasm_bindgen]
extern "C" {
    /// Renders packed texts in the loaded module. Throws if the module fails; the engine continues.
    #[wasm_bindgen(js_namespace = markdown_module, js_name = render, catch)]
    fn render_in_module(texts: &[u8]) -> Result<Vec<u8>, JsValue>;
}

/// Renders texts.
///
/// # Errors
/// The reason for the user.
pub(crate) async fn render(texts: &Packed<Vec<SourceText>>) -> Result<Packed<Vec<Rendered>>, String> {
    modules::load(Module::Markdown).await?;
    match render_in_module(texts.as_bytes()) {
        Ok(rendered) => Ok(Packed::from_bytes(rendered)),
        Err(error) => Err(format!("Markdown could not be rendered: {}.", text_of(&error))),
    }
}
