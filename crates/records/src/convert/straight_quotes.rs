//! Replaces other quotes around cells of a CSV by straight ones.

use crate::csv::other_quotes::end_of_quoted;

/// Writes `"` around cells in other quotes, and doubles those within. If one quote both opens and closes cells, a doubled one becomes a
/// single one. Rows end with their lines. Holds one line in memory.
#[derive(Debug)]
pub(super) struct StraightQuotes {
    pair: [char; 2],
    /// The incomplete line.
    line: Vec<u8>,
}

impl StraightQuotes {
    /// A conversion of cells between `open` and `close`.
    pub(super) fn new(open: char, close: char) -> Self {
        Self { pair: [open, close], line: Vec::new() }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end + 1);
            self.line.extend_from_slice(line);
            self.end_line(out);
            bytes = rest;
        }
        self.line.extend_from_slice(bytes);
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.end_line(out);
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let mut rest = line.as_slice();
        loop {
            if let Some(end) = end_of_quoted(rest, self.pair, b',') {
                let open_is_close = self.pair[0] == self.pair[1];
                let [open, close] = self.pair.map(char::len_utf8);
                let text = &rest[open..end - close];
                out.push(b'"');
                let mut bytes = text.iter().peekable();
                while let Some(&byte) = bytes.next() {
                    out.push(byte);
                    out.extend((byte == b'"').then_some(b'"'));
                    // If one quote both opens and closes, a doubled one is a quote of the text.
                    bytes.next_if(|next| byte == b'\'' && **next == b'\'' && open_is_close);
                }
                out.push(b'"');
                rest = &rest[end..];
            }
            let end = memchr::memchr(b',', rest).map_or(rest.len(), |comma| comma + 1);
            out.extend_from_slice(&rest[..end]);
            rest = &rest[end..];
            if rest.is_empty() {
                return;
            }
        }
    }
}
