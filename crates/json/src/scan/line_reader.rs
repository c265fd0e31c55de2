//! How systems split a file into lines.

/// A system's way of splitting a file into lines. All end a line at `\n` or `\r\n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineReader {
    /// Nothing else ends a line, and a blank line consists of spaces, tabs and carriage returns.
    Plain,
    /// `readline` of Node.js, then `trim()`. A lone carriage return ends a line, in recent versions also U+2028 and U+2029.
    Node,
    /// `split("\n")` of JavaScript, then `trim()`: nothing else ends a line.
    Split,
    /// Python: a file in text mode, then `strip()`. A lone carriage return ends a line.
    PythonFile,
    /// Python: a file in text mode, and elsewhere `splitlines()`, which also ends a line at U+0085, U+2028 and U+2029; then `strip()`. A lone carriage
    /// return ends a line.
    Python,
}

impl LineReader {
    /// Whether the system treats a line as blank.
    pub fn is_blank(self, line: &[u8]) -> bool {
        match line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
            None => true,
            Some(byte) if byte.is_ascii_graphic() => false,
            Some(_) => {
                std::str::from_utf8(line).is_ok_and(|text| text.chars().all(|c| self.is_white_space(c)))
            }
        }
    }

    /// Whether a line of such characters alone is blank to the system.
    pub fn is_white_space(self, c: char) -> bool {
        match self {
            Self::Plain => matches!(c, ' ' | '\t' | '\r'),
            Self::Node | Self::Split => (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}',
            Self::Python | Self::PythonFile => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
        }
    }

    /// Whether a carriage return without a line feed after it ends a line.
    pub fn ends_at_carriage_return(self) -> bool {
        matches!(self, Self::Node | Self::Python | Self::PythonFile)
    }

    /// The first line separator of Unicode in a text at which the system may end a line: its offset and the character.
    #[inline]
    pub fn separator(self, text: &[u8]) -> Option<(usize, char)> {
        match self {
            Self::Plain | Self::Split | Self::PythonFile => None,
            Self::Node => separator(text, |c| c != NEXT_LINE),
            Self::Python => separator(text, |_| true),
        }
    }
}

/// A line separator for `str.splitlines()` of Python, but not for `readline` of Node.js.
const NEXT_LINE: char = '\u{85}';

/// The first U+0085, U+2028 or U+2029 that counts: the bytes C2 85, E2 80 A8 and E2 80 A9.
fn separator(text: &[u8], counts: impl Fn(char) -> bool) -> Option<(usize, char)> {
    let separators = memchr::memchr2_iter(0xc2, 0xe2, text).filter_map(|at| {
        let character = match text[at..] {
            [0xc2, 0x85, ..] => NEXT_LINE,
            [0xe2, 0x80, 0xa8, ..] => '\u{2028}',
            [0xe2, 0x80, 0xa9, ..] => '\u{2029}',
            _ => return None,
        };
        Some((at, character))
    });
    separators.into_iter().find(|(_, character)| counts(*character))
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
        let of = |reader: LineReader, text: &str| reader.separator(text.as_bytes());
        assert_eq!(of(LineReader::Node, "“a”\u{2028}b"), Some((7, '\u{2028}')));
        assert_eq!(of(LineReader::Node, "“a”\u{2029}"), Some((7, '\u{2029}')));
        assert_eq!(of(LineReader::Node, "\u{a0}“a” \u{202a}€\u{85}"), None);
        assert_eq!(of(LineReader::Python, "é\u{85}\u{2028}"), Some((2, '\u{85}')));
        assert_eq!(of(LineReader::Python, "\u{2028}"), Some((0, '\u{2028}')));
        assert_eq!(of(LineReader::Plain, "\u{2028}\u{85}"), None);
    }
}
