//! How systems cut a file into lines.

/// What cuts a file into lines. All end a line at `\n` or `\r\n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineReader {
    /// Nothing else ends a line, and a blank line holds space, tab and carriage return.
    Plain,
    /// `readline` of Node.js, then `trim()`. A lone carriage return ends a line, in recent versions U+2028 and U+2029 too.
    Node,
    /// A file of Python in text mode, then `strip()`. A lone carriage return ends a line.
    Python,
}

impl LineReader {
    /// True for a line that the system takes as blank.
    pub fn is_blank(self, line: &[u8]) -> bool {
        match line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
            None => true,
            Some(byte) if byte.is_ascii_graphic() => false,
            Some(_) => {
                std::str::from_utf8(line).is_ok_and(|text| text.chars().all(|c| self.is_white_space(c)))
            }
        }
    }

    fn is_white_space(self, c: char) -> bool {
        match self {
            Self::Plain => matches!(c, ' ' | '\t' | '\r'),
            Self::Node => (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}',
            Self::Python => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
        }
    }

    /// True when a carriage return without a line feed after it ends a line.
    pub fn ends_at_carriage_return(self) -> bool {
        self != Self::Plain
    }

    /// True when the text has a U+2028 or U+2029 that may end a line.
    #[inline]
    pub fn has_separator(self, text: &[u8]) -> bool {
        self == Self::Node && separator(text).is_some()
    }
}

/// The offset of the first U+2028 or U+2029: the bytes E2 80 A8 and E2 80 A9.
pub(crate) fn separator(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(0xe2, text).find(|&at| matches!(text[at..], [_, 0x80, 0xa8 | 0xa9, ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_those_of_trim_and_strip() {
        for (line, plain, node, python) in [
            ("", true, true, true),
            (" \t\r", true, true, true),
            ("\u{a0}\u{3000}\u{b}\u{c}", false, true, true),
            ("\u{2028}\u{2029}", false, true, true),
            ("\u{feff}", false, true, false),
            ("\u{85}", false, false, true),
            (" \u{1c}\u{1f}", false, false, true),
            ("\u{200b}", false, false, false),
            (" {}", false, false, false),
        ] {
            let blank = |lines: LineReader| lines.is_blank(line.as_bytes());
            let found = (blank(LineReader::Plain), blank(LineReader::Node), blank(LineReader::Python));
            assert_eq!(found, (plain, node, python), "{line:?}");
        }
        assert!(!LineReader::Node.is_blank(b"\xc2"), "not UTF-8");
    }

    #[test]
    fn separators_are_found_among_characters_that_begin_alike() {
        assert_eq!(separator("“a”\u{2028}b".as_bytes()), Some(7));
        assert_eq!(separator("“a”\u{2029}".as_bytes()), Some(7));
        assert_eq!(separator("“a” \u{202a}€".as_bytes()), None);
        assert!(!LineReader::Python.has_separator("\u{2028}".as_bytes()));
    }
}
