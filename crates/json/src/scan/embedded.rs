//! JSON in strings.

use super::scratch::Scratch;
use super::text_policy::TextPolicy;
use super::{PADDING, element};
use crate::schema::ANY;
use crate::walk::unescape;

/// The memory for reading the JSON in a string.
#[derive(Debug, Default)]
pub(super) struct Embedded {
    /// The content of the string without escapes.
    text: Vec<u8>,
    scratch: Scratch,
}

impl Embedded {
    /// Whether the content of a string, as written, is certainly JSON.
    pub(super) fn is_json(&mut self, written: &[u8]) -> bool {
        self.text.clear();
        let mut rest = written;
        while let Some(escape) = memchr::memchr(b'\\', rest) {
            self.text.extend_from_slice(&rest[..escape]);
            let (character, length) = unescape(&rest[escape + 1..]);
            self.text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            rest = rest.get(escape + length..).unwrap_or_default();
        }
        self.text.extend_from_slice(rest);
        let length = self.text.len();
        self.text.resize(length + PADDING, 0);
        let is_space = |byte: &u8| b" \t\r\n".contains(byte);
        let start = self.text.iter().take_while(|byte| is_space(byte)).count();
        element(&self.text, start, &ANY, TextPolicy::NONE, &mut self.scratch)
            .is_ok_and(|end| self.text[end..length].iter().all(is_space))
    }
}
