//! Whether a line can be the continuation of a record that the line before did not end.

use crate::scan::MAX_DEPTH;

/// Follows brackets and strings through bytes that may be JSON.
#[derive(Debug, Clone, Default)]
pub struct Brackets {
    /// One bit a level: set for an array. The innermost is bit 0.
    arrays: u128,
    depth: usize,
    /// The last byte that is not white space, outside of strings; `"` stands for a string.
    last: u8,
    /// Nested deeper than the bits reach, or closed by the wrong kind.
    lost: bool,
}

impl Brackets {
    /// Reads a line. A string that is open at its end is taken as closed: JSON strings do not go over lines.
    pub fn feed(&mut self, line: &[u8]) {
        let mut in_string = false;
        let mut escaped = false;
        for &byte in line {
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' => continue,
                b'"' => in_string = true,
                b'{' | b'[' => self.open(byte == b'['),
                b'}' | b']' => self.close(byte == b']'),
                _ => {}
            }
            self.last = byte;
        }
    }

    fn open(&mut self, array: bool) {
        self.lost |= self.depth == MAX_DEPTH;
        self.arrays = self.arrays << 1 | u128::from(array);
        self.depth += 1;
    }

    fn close(&mut self, array: bool) {
        self.lost |= self.depth == 0 || (self.arrays & 1 == 1) != array;
        self.arrays >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Every bracket is closed, or they do not match.
    pub fn done(&self) -> bool {
        self.depth == 0 || self.lost
    }

    /// True when JSON, or JSON with comments, may go on with this byte.
    pub fn may_go_on_with(&self, byte: u8) -> bool {
        let in_array = self.arrays & 1 == 1;
        match (self.last, byte) {
            (_, b'/' | b'#') => true,
            (b'{', _) => matches!(byte, b'"' | b'}'),
            (b',', _) if !in_array => matches!(byte, b'"' | b'}'),
            (b',' | b'[' | b':', _) => !matches!(byte, b',' | b':'),
            _ => matches!(byte, b',' | b'}' | b']' | b':'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str) -> Brackets {
        let mut brackets = Brackets::default();
        brackets.feed(text.as_bytes());
        brackets
    }

    #[test]
    fn a_new_record_is_no_continuation_of_a_whole_value() {
        assert!(!after(r#"{"input":{"messages":[]}"#).may_go_on_with(b'{'));
        assert!(after(r#"{"input":{"messages":[]}"#).may_go_on_with(b'}'));
        assert!(!after("{").may_go_on_with(b'{'));
        assert!(after(r#"{"messages": ["#).may_go_on_with(b'{'));
        assert!(!after(r#"{"a": 1,"#).may_go_on_with(b'{'));
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert!(after(r#"{"a":"}\"}"}"#).done());
        assert!(!after(r#"{"a":"}""#).done());
    }

    #[test]
    fn a_million_levels_are_survived() {
        assert!(after(&"[".repeat(1_000_000)).done());
    }
}
