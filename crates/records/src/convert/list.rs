//! Converts an array to lines, and an array or lines to a list in an object.

use evalcheck_json::scan::BOM;
use evalcheck_json::tokens::{TokenKind, Tokens, Within};

/// The position of the next token.
#[derive(Debug, Default, PartialEq, Eq)]
enum Place {
    /// Before the first array, or in an array.
    #[default]
    Array,
    /// After an array, and another may follow.
    Between,
    /// After the arrays.
    Behind,
}

/// Writes each element of an array, or of consecutive arrays, on a line, and then the text after them.
#[derive(Debug, Default)]
pub(super) struct ArrayToLines {
    depth: u64,
    first_only: bool,
    place: Place,
    /// The token in which the bytes so far end.
    within: Within,
    /// The last few bytes, until the next ones decide their token.
    held: Vec<u8>,
    /// Whether the white space since the last token has a line break, and is dropped.
    breaks_line: bool,
    spaces: Vec<u8>,
    /// The last byte of the current line.
    last: Option<u8>,
}

impl ArrayToLines {
    pub(super) fn new(first_only: bool) -> Self {
        Self { first_only, ..Self::default() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(bytes);
        let at = self.tokens(Tokens::resume(&held, self.within).partial(), &held, out);
        held.drain(..at);
        self.held = held;
    }

    /// Writes the tokens of `bytes`. Returns the offset from which more bytes are needed.
    fn tokens(&mut self, mut tokens: Tokens<'_>, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let mut at = tokens.at();
        while self.place != Place::Behind
            && let Some(token) = tokens.next()
        {
            if self.place == Place::Between && !is_before_array(&token.kind) {
                self.place = Place::Behind;
                break;
            }
            self.token(&token.kind, &bytes[token.span], out);
            at = tokens.at();
        }
        self.within = tokens.within();
        if self.place != Place::Behind {
            return at;
        }
        // The text after the array is kept unchanged.
        for byte in &bytes[at..] {
            if self.last.is_some() || !byte.is_ascii_whitespace() {
                self.last = Some(*byte);
                out.push(*byte);
            }
        }
        bytes.len()
    }

    fn token(&mut self, kind: &TokenKind, text: &[u8], out: &mut Vec<u8>) {
        match kind {
            TokenKind::Comment { .. } => {}
            TokenKind::Space => {
                self.breaks_line |= text.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                self.spaces.extend_from_slice(if self.breaks_line { b"" } else { text });
            }
            // A byte order mark may come before the array.
            _ if self.depth == 0 => {
                if text == b"[" {
                    (self.depth, self.place) = (1, Place::Array);
                }
            }
            TokenKind::Punctuation(b',') if self.depth == 1 => self.end_line(out),
            TokenKind::Punctuation(b']') if self.depth == 1 => {
                self.end_line(out);
                self.depth = 0;
                self.place = if self.first_only { Place::Behind } else { Place::Between };
            }
            TokenKind::Punctuation(byte) => {
                match byte {
                    b'[' | b'{' => self.depth += 1,
                    b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                self.push(text, out);
            }
            TokenKind::String { .. } => {
                for line in text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
                    match line {
                        [before @ .., b'\n'] => self.push(&[before, b"\\n"].concat(), out),
                        [before @ .., b'\r'] => self.push(&[before, b"\\r"].concat(), out),
                        _ => self.push(line, out),
                    }
                }
            }
            TokenKind::Word | TokenKind::Number | TokenKind::Other => self.push(text, out),
        }
    }

    /// Writes a token of an element, and the white space before it.
    fn push(&mut self, token: &[u8], out: &mut Vec<u8>) {
        match self.last {
            Some(b',') if self.breaks_line => out.push(b' '),
            Some(_) if !self.breaks_line => out.extend_from_slice(&self.spaces),
            _ => {}
        }
        self.spaces.clear();
        self.breaks_line = false;
        self.last = token.last().copied();
        out.extend_from_slice(token);
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        if self.last.take().is_some() {
            out.push(b'\n');
        }
        self.spaces.clear();
        self.breaks_line = false;
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        self.tokens(Tokens::resume(&held, self.within), &held, out);
        if self.place == Place::Array {
            self.end_line(out);
        }
    }
}

/// Whether a token can be between two arrays, or begins one.
fn is_before_array(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Space | TokenKind::Comment { .. } | TokenKind::Punctuation(b',' | b'['))
}

/// Writes an array, or the lines as elements of an array, under a key of an object.
#[derive(Debug)]
pub(super) struct InObject {
    /// The beginning of the object, until it is written.
    opening: Vec<u8>,
    /// The end of the object.
    closing: &'static [u8],
    is_of_lines: bool,
    /// White space that may be the end of the file, or of a line.
    spaces: Vec<u8>,
    /// The first bytes, while they may be a byte order mark.
    mark: Option<Vec<u8>>,
    /// Whether a line break followed the last byte that is not white space.
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
            // White space before the first byte is dropped.
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
