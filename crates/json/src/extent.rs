//! Finds the end of a value in bytes that arrive in pieces.

use crate::nesting::Nesting;

/// The state of a search for the end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// It ends before this byte, counted from its start.
    Ends(usize),
    /// More bytes are needed.
    More,
    /// Its brackets do not match: the end cannot be found.
    Lost,
}

/// Follows the brackets and strings of a value. Each byte is read once.
#[derive(Debug, Clone, Default)]
pub struct EndFinder {
    at: usize,
    nesting: Nesting,
    in_string: bool,
}

impl EndFinder {
    /// Continues the search. `value` holds the value from its start, or from the position where [`EndFinder::forget`] cut it, as far as it
    /// has arrived.
    pub fn find(&mut self, value: &[u8]) -> Extent {
        loop {
            if self.in_string {
                match self.string(value) {
                    Some(()) if self.nesting.depth() == 0 => return Extent::Ends(self.at),
                    Some(()) => {}
                    None => return Extent::More,
                }
                continue;
            }
            let Some(&byte) = value.get(self.at) else { return Extent::More };
            match byte {
                b'"' => {
                    self.in_string = true;
                    self.at += 1;
                }
                b'{' | b'[' => {
                    self.nesting.open(byte == b'[');
                    self.at += 1;
                }
                b'}' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' if self.nesting.depth() == 0 => {
                    return Extent::Ends(self.at);
                }
                b'}' | b']' => {
                    if !self.nesting.close(byte == b']') {
                        return Extent::Lost;
                    }
                    self.at += 1;
                    if self.nesting.depth() == 0 {
                        return Extent::Ends(self.at);
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// Continues to the end of a string: its closing quote, or a line break, which a string cannot contain.
    fn string(&mut self, value: &[u8]) -> Option<()> {
        loop {
            let Some(place) = memchr::memchr3(b'"', b'\\', b'\n', value.get(self.at..)?) else {
                self.at = value.len();
                return None;
            };
            let found = self.at + place;
            match value[found] {
                b'\\' => {
                    // The escaped character may not have arrived.
                    if found + 1 >= value.len() {
                        self.at = found;
                        return None;
                    }
                    // A line break is never escaped.
                    self.at = found + if value[found + 1] == b'\n' { 1 } else { 2 };
                }
                b'"' => {
                    self.in_string = false;
                    self.at = found + 1;
                    return Some(());
                }
                _ => {
                    self.in_string = false;
                    self.at = found;
                    return Some(());
                }
            }
        }
    }

    /// Discards the bytes that were read, and returns their number. The next call continues after them.
    pub fn forget(&mut self) -> usize {
        std::mem::take(&mut self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Extent {
        let whole = EndFinder::default().find(text.as_bytes());
        let mut finder = EndFinder::default();
        for end in 0..=text.len() {
            let found = finder.find(&text.as_bytes()[..end]);
            if found != Extent::More {
                assert_eq!(found, whole, "{text} up to {end}");
                return whole;
            }
        }
        assert_eq!(whole, Extent::More);
        whole
    }

    #[test]
    fn values_end_where_their_brackets_do() {
        assert_eq!(find(r#"{"a":[1,"]}"]} ,"#), Extent::Ends(14));
        assert_eq!(find(r#""a\"b",1"#), Extent::Ends(6));
        assert_eq!(find("12,"), Extent::Ends(2));
        assert_eq!(find("null]"), Extent::Ends(4));
        assert_eq!(find("{\"a\": \"cut\n}, "), Extent::Ends(12));
        assert_eq!(find(r#"{"a":[1}"#), Extent::Lost);
        assert_eq!(find(r#"{"a":"b\"#), Extent::More);
        assert_eq!(find(&"[".repeat(1_000_000)), Extent::More);
    }
}
