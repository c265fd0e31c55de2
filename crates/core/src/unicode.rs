//! Unicode normal forms.
//!
//! In a browser they come from `String.prototype.normalize`, because the tables would be a fifth of the engine's download;
//! everywhere else from the crate `unicode-normalization`. This is the only code of the engine that depends on its target.

/// The text in NFC: characters composed.
pub fn nfc(text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::JsString::from(text).normalize("NFC").into();
    #[cfg(not(target_arch = "wasm32"))]
    return unicode_normalization::UnicodeNormalization::nfc(text).collect();
}

/// The text in NFKC: characters composed, and compatibility characters (`ﬁ`, `①`) replaced by what they stand for.
pub fn nfkc(text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::JsString::from(text).normalize("NFKC").into();
    #[cfg(not(target_arch = "wasm32"))]
    return unicode_normalization::UnicodeNormalization::nfkc(text).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms_compose_and_replace() {
        assert_eq!(nfc("e\u{301} ﬁ"), "é ﬁ");
        assert_eq!(nfkc("e\u{301} ﬁ ①"), "é fi 1");
    }
}
