//! Regular expressions for the searches of the page. A separate module, because it is a third of the engine's size and is loaded only if
//! a query has one.

mod without_anchors;

use regex::bytes::{Regex, RegexBuilder};
use wasm_bindgen::prelude::*;

pub use without_anchors::without_anchors;

/// A compiled regular expression.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// See [`without_anchors`].
    within: Option<Regex>,
}

#[wasm_bindgen]
impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// The reason why it cannot be parsed, for the user.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str, ignores_case: bool) -> Result<Pattern, String> {
        let regex = RegexBuilder::new(pattern).case_insensitive(ignores_case).build();
        let regex = regex.map_err(|error| reason(&error.to_string()))?;
        let within = without_anchors(pattern, ignores_case).and_then(|within| Regex::new(&within).ok());
        Ok(Self { regex, within })
    }

    /// Returns false if a UTF-8 text has no match, and no part between non-word characters that would match by itself.
    #[wasm_bindgen(js_name = mayBeIn)]
    pub fn may_be_in(&self, text: &[u8]) -> bool {
        self.within.as_ref().is_none_or(|within| within.is_match(text))
    }

    /// The first match in a UTF-8 text: its first byte in the upper 32 bits, the byte after it in the lower.
    pub fn find(&self, text: &[u8]) -> Option<u64> {
        let found = self.regex.find(text)?;
        Some((found.start() as u64) << 32 | found.end() as u64)
    }
}

/// The sentence of an error, which may quote the expression on lines before it.
fn reason(error: &str) -> String {
    let last = error.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, ignores_case: bool, text: &str) -> Option<(u64, u64)> {
        let found = Pattern::new(pattern, ignores_case).ok()?.find(text.as_bytes())?;
        Some((found >> 32, found & u64::from(u32::MAX)))
    }

    #[test]
    fn the_first_match_is_found_in_bytes() {
        assert_eq!(find("b+", false, "äbbc b"), Some((2, 4)));
        assert_eq!(find("GRÜSSE|grüße", true, "die GRÜSSE"), Some((4, 11)));
        assert_eq!(find(r"^\w+$", false, "東京"), Some((0, 6)));
        assert_eq!(find(r"\d{3}", false, "12"), None);
        assert_eq!(find("", false, "x"), Some((0, 0)));
    }

    #[test]
    fn an_error_is_one_sentence() {
        assert_eq!(Pattern::new("(", false).map(|_| ()), Err("unclosed group".to_owned()));
        let huge = Pattern::new(r"\w{1000}{1000}", false).map(|_| ());
        assert!(huge.is_err_and(|why| why.contains("size limit")), "its size has a limit");
    }
}
