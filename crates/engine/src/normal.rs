//! The forms of Unicode text in which names are compared: normal forms, and small letters.
//!
//! The tables for this are a fifth of the engine as a browser loads it, and every browser has them already. So a driver
//! may lend the engine its own functions ([`provide`]), and build it without the feature `unicode-tables`.

use std::sync::OnceLock;

/// A normal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Characters composed.
    Nfc,
    /// Characters composed, and those that are only another way to write one replaced by it.
    Nfkc,
}

/// Ways to write a text in a form.
#[derive(Debug, Clone, Copy)]
pub struct Ways {
    /// In a normal form.
    pub normalize: fn(&str, Form) -> String,
    /// In small letters.
    pub lowercase: fn(&str) -> String,
}

static PROVIDED: OnceLock<Ways> = OnceLock::new();

/// Lets the engine write text in these ways from now on. Only the first call counts.
///
/// To be called before the first check: without it, an engine that was built without `unicode-tables` compares names as
/// they stand.
pub fn provide(ways: Ways) {
    let _ = PROVIDED.set(ways);
}

/// The text in NFC.
pub(crate) fn nfc(text: &str) -> String {
    in_form(text, Form::Nfc)
}

/// The text in NFKC.
pub(crate) fn nfkc(text: &str) -> String {
    in_form(text, Form::Nfkc)
}

/// The text in small letters.
pub(crate) fn lowercase(text: &str) -> String {
    match PROVIDED.get() {
        _ if text.is_ascii() => text.to_ascii_lowercase(),
        Some(ways) => (ways.lowercase)(text),
        None => lowercase_by_table(text),
    }
}

fn in_form(text: &str, form: Form) -> String {
    match PROVIDED.get() {
        Some(ways) => (ways.normalize)(text, form),
        None => by_table(text, form),
    }
}

#[cfg(feature = "unicode-tables")]
fn by_table(text: &str, form: Form) -> String {
    use unicode_normalization::UnicodeNormalization;

    match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfkc => text.nfkc().collect(),
    }
}

#[cfg(feature = "unicode-tables")]
fn lowercase_by_table(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(not(feature = "unicode-tables"))]
fn lowercase_by_table(text: &str) -> String {
    text.to_ascii_lowercase()
}

#[cfg(not(feature = "unicode-tables"))]
fn by_table(text: &str, _: Form) -> String {
    text.to_owned()
}
