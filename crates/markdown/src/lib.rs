//! Markdown of records as trees. A separate WebAssembly module, because it is large and only loaded when a user first asks for it.
//!
//! `tree` builds the tree of one text from the events of `pulldown-cmark`, `math` makes LaTeX between brackets visible to it, `marks` keeps
//! the marks of the text.

mod marks;
mod math;
mod tree;

use evalcheck_wire::markdown::{Document, Packed, Rendered, SourceText};
use wasm_bindgen::prelude::*;

/// The maximum number of elements for all texts of a record. A browser draws this many without a noticeable pause.
const MAX_ELEMENTS: usize = 1_500;

/// Renders packed texts (see [`SourceText`]); returns their trees as packed [`Rendered`]s.
///
/// # Errors
/// The bytes are not packed texts of this version.
#[wasm_bindgen]
pub fn render(texts: &[u8]) -> Result<Vec<u8>, String> {
    let texts: Vec<SourceText> =
        Packed::from_bytes(texts.to_vec()).read().ok_or("the texts are of another version")?;
    Ok(Packed::new(&rendered(&texts)).as_bytes().to_vec())
}

/// Returns the trees of the texts of a record.
pub fn rendered(texts: &[SourceText]) -> Vec<Rendered> {
    // A turn is drawn either whole or folded, so each has its own limit.
    let (mut whole, mut folded) = (MAX_ELEMENTS, MAX_ELEMENTS);
    let render = |source: &SourceText| Rendered {
        whole: tree::document(&source.text, &source.marks, &mut whole),
        folded: source
            .fold
            .and_then(|end| source.text.get(..end))
            .map(|beginning| tree::document(beginning, &source.marks, &mut folded)),
    };
    texts.iter().map(render).collect()
}

/// Returns the tree of one text.
pub fn document(text: &str) -> Document {
    tree::document(text, &[], &mut MAX_ELEMENTS.clone())
}
