//! Records of an array on lines of their own, and the reverse.

use evalcheck_json::scan::BOM;

/// Writes each element of an array on a line, and behind it what follows the array.
#[derive(Debug, Default)]
pub(super) struct ArrayToLines {
    depth: u64,
    is_closed: bool,
    within: Within,
    /// The last byte was a backslash in a string, or a slash or star that may begin or end a comment.
    before: Option<u8>,
    /// White space that stands between tokens is kept only on a line.
    breaks_line: bool,
    spaces: Vec<u8>,
    /// The last byte of the line at hand.
    last: Option<u8>,
}

/// What the next byte is a part of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    #[default]
    Tokens,
    String(u8),
    LineComment,
    BlockComment,
}

impl ArrayToLines {
    pub(super) fn feed(&mut self, byte: u8, out: &mut Vec<u8>) {
        let before = self.before.take();
        match self.within {
            Within::Tokens if self.is_closed => {
                if self.last.is_some() || !byte.is_ascii_whitespace() {
                    self.last = Some(byte);
                    out.push(byte);
                }
            }
            Within::String(quote) => {
                let is_escaped = before == Some(b'\\');
                match byte {
                    b'\\' if !is_escaped => self.before = Some(byte),
                    _ if byte == quote && !is_escaped => self.within = Within::Tokens,
                    _ => {}
                }
                match byte {
                    b'\n' => out.extend_from_slice(b"\\n"),
                    b'\r' => out.extend_from_slice(b"\\r"),
                    byte => out.push(byte),
                }
            }
            Within::LineComment if byte == b'\n' => {
                self.within = Within::Tokens;
                self.token(byte, None, out);
            }
            Within::BlockComment if byte == b'/' && before == Some(b'*') => self.within = Within::Tokens,
            Within::LineComment | Within::BlockComment => self.before = Some(byte),
            Within::Tokens => self.token(byte, before, out),
        }
    }

    fn token(&mut self, byte: u8, before: Option<u8>, out: &mut Vec<u8>) {
        if before == Some(b'/') {
            match byte {
                b'/' => return self.within = Within::LineComment,
                b'*' => return self.within = Within::BlockComment,
                _ => self.push(b'/', out),
            }
        }
        match byte {
            b'/' => self.before = Some(byte),
            b'#' => self.within = Within::LineComment,
            b' ' | b'\t' if self.breaks_line => {}
            b' ' | b'\t' => self.spaces.push(byte),
            b'\n' | b'\r' => {
                self.breaks_line = true;
                self.spaces.clear();
            }
            // What stands before the array is a byte order mark.
            _ if self.depth == 0 => self.depth = u64::from(byte == b'['),
            b',' if self.depth == 1 => self.end_line(out),
            b']' if self.depth == 1 => {
                self.end_line(out);
                self.is_closed = true;
            }
            byte => {
                match byte {
                    b'"' | b'\'' => self.within = Within::String(byte),
                    b'[' | b'{' => self.depth += 1,
                    b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                self.push(byte, out);
            }
        }
    }

    /// Adds a byte of an element, and the white space before it.
    fn push(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.last {
            Some(b',') if self.breaks_line => out.push(b' '),
            Some(_) if !self.breaks_line => out.extend_from_slice(&self.spaces),
            _ => {}
        }
        self.spaces.clear();
        self.breaks_line = false;
        self.last = Some(byte);
        out.push(byte);
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        if self.last.take().is_some() {
            out.push(b'\n');
        }
        self.spaces.clear();
        self.breaks_line = false;
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.is_closed {
            self.end_line(out);
        }
    }
}

/// Writes an array, or each line as an element of one, under a key of an object.
#[derive(Debug)]
pub(super) struct InObject {
    /// What begins the object, until it is written.
    opening: Vec<u8>,
    /// What ends it.
    closing: &'static [u8],
    is_of_lines: bool,
    /// White space that may be the end of the file, or of a line.
    spaces: Vec<u8>,
    /// The first bytes, while they may be a byte order mark.
    mark: Option<Vec<u8>>,
    /// A line break came since the last byte that is not white space.
    breaks_line: bool,
}

impl InObject {
    pub(super) fn of_array(key: &str) -> Self {
        Self::new(format!("{{\"{key}\": "), b"}", false)
    }

    pub(super) fn of_lines(key: &str) -> Self {
        Self::new(format!("{{\"{key}\": [\n"), b"\n]}\n", true)
    }

    fn new(opening: String, closing: &'static [u8], is_of_lines: bool) -> Self {
        Self {
            opening: opening.into_bytes(),
            closing,
            is_of_lines,
            spaces: Vec::new(),
            mark: Some(Vec::new()),
            breaks_line: false,
        }
    }

    pub(super) fn feed(&mut self, byte: u8, out: &mut Vec<u8>) {
        let Some(mut first) = self.mark.take() else { return self.next(byte, out) };
        first.push(byte);
        if first.len() < BOM.len() && BOM.starts_with(&first) {
            self.mark = Some(first);
        } else {
            self.begin(&first, out);
        }
    }

    fn begin(&mut self, first: &[u8], out: &mut Vec<u8>) {
        for &byte in first.strip_prefix(BOM).unwrap_or(first) {
            self.next(byte, out);
        }
    }

    fn next(&mut self, byte: u8, out: &mut Vec<u8>) {
        if byte.is_ascii_whitespace() {
            self.breaks_line |= byte == b'\n';
            self.spaces.push(byte);
            return;
        }
        if !self.opening.is_empty() {
            // White space before the first byte says nothing.
            out.append(&mut self.opening);
        } else if self.is_of_lines && self.breaks_line {
            out.extend_from_slice(b",\n");
        } else {
            out.extend_from_slice(&self.spaces);
        }
        self.spaces.clear();
        self.breaks_line = false;
        out.push(byte);
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        let first = self.mark.take().unwrap_or_default();
        self.begin(&first, out);
        out.append(&mut self.opening);
        out.extend_from_slice(self.closing);
        if !self.is_of_lines {
            out.append(&mut self.spaces);
        }
    }
}
