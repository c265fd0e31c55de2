//! The normal forms of Unicode in which names are compared.
//!
//! The tables for this are a fifth of the engine as a browser loads it, and every browser has them already. So a driver
//! may lend the engine its own function ([`provide`]), and build it without the feature `unicode-tables`.

use std::sync::OnceLock;

/// A normal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Characters composed.
    Nfc,
    /// Characters composed, and those that are only another way to write one replaced by it.
    Nfkc,
}

/// Writes a text in a normal form.
pub type Normalize = fn(&str, Form) -> String;

static PROVIDED: OnceLock<Normalize> = OnceLock::new();

/// Lets the engine normalise by this function from now on. Only the first call counts.
///
/// To be called before the first check: without it, an engine that was built without `unicode-tables` compares names as
/// they stand.
pub fn provide(normalize: Normalize) {
    let _ = PROVIDED.set(normalize);
}

/// The text in NFC.
pub(crate) fn nfc(text: &str) -> String {
    in_form(text, Form::Nfc)
}

/// The text in NFKC.
pub(crate) fn nfkc(text: &str) -> String {
    in_form(text, Form::Nfkc)
}

fn in_form(text: &str, form: Form) -> String {
    match PROVIDED.get() {
        Some(normalize) => normalize(text, form),
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

#[cfg(not(feature = "unicode-tables"))]
fn by_table(text: &str, _: Form) -> String {
    text.to_owned()
}
