//! Unicode normal forms.
//!
//! In a browser they come from `String.prototype.normalize`, because the tables would be a fifth of the engine's download.
//! Everywhere else they come from the crate `unicode-normalization`. No other code of the engine depends on its target.

/// The text in NFC: with composed characters.
pub fn nfc(text: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    return js_sys::JsString::from(text).normalize("NFC").into();
    #[cfg(not(target_arch = "wasm32"))]
    return unicode_normalization::UnicodeNormalization::nfc(text).collect();
}

/// The text in NFKC: with composed characters, and with compatibility characters (`ﬁ`, `①`) replaced by their plain forms.
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
