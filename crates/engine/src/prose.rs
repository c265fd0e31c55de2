//! What only documents, help and pages show: the pages of rules, examples, what a field is for.
//!
//! It is declared beside what it is about, and an engine that is built without the feature `documents` leaves it out. The
//! worker is such a one: it checks, and the page gets the catalogue as a file of its own.

/// The text, or nothing in an engine without documents.
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(feature = "documents") { text } else { "" }
}

/// The list, or nothing in an engine without documents.
pub(crate) const fn only_shown<T>(list: &'static [T]) -> &'static [T] {
    if cfg!(feature = "documents") { list } else { &[] }
}
