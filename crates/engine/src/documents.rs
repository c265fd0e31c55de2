//! The documents that are made from the catalogue: FORMATS.md and RULES.md.
//!
//! `cargo xtask generate` writes them, by the example `documents` of this crate; nothing of a page or a worker links
//! this module. What they say is derived from what the checker itself works with, so that they cannot lag behind it.

mod applies;
mod columns;
mod examples;
mod formats;
mod markdown;
mod rules;
mod schemas;

pub use applies::{applies, is_general};
pub use examples::is_dataset;

/// Every document: the name of its file, and its text.
///
/// ```
/// let documents = evalcheck_engine::documents::all();
/// assert!(documents.iter().any(|(name, text)| *name == "RULES.md" && text.contains("shape/missing-key")));
/// ```
pub fn all() -> Vec<(&'static str, String)> {
    vec![("FORMATS.md", formats::document()), ("RULES.md", rules::document())]
}

/// The first lines of every document: a generated file says so, and how to change it.
const GENERATED: &str =
    "<!-- Written by `cargo xtask generate` from the engine's catalogue. Change that, not this. -->\n\n";
