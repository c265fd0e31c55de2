//! The text of a record that may continue on further lines.

use evalcheck_records::MAX_RECORD;

/// The lines of a record that could not be read; the last one may turn out not to be part of it.
#[derive(Debug)]
pub(crate) struct ContinuedText {
    /// The lines, with a line feed between them.
    pub(crate) text: Vec<u8>,
    /// The offset of each further line in the dataset, and the length of `text` before it.
    lines: Vec<(u64, usize)>,
}

impl ContinuedText {
    /// The first line.
    pub(crate) fn new(line: &[u8]) -> Self {
        Self { text: line.to_vec(), lines: Vec::new() }
    }

    /// Adds a line that begins at a byte of the dataset.
    pub(crate) fn push(&mut self, line: &[u8], offset: u64) {
        if self.text.len() + line.len() < MAX_RECORD {
            self.lines.push((offset, self.text.len()));
            self.text.push(b'\n');
            self.text.extend_from_slice(line);
        }
    }

    /// Removes the lines that begin at a byte of the dataset or after it. Returns whether any further line is left.
    pub(crate) fn end_at(&mut self, end: u64) -> bool {
        let kept = self.lines.partition_point(|(offset, _)| *offset < end);
        if let Some((_, length)) = self.lines.get(kept) {
            self.text.truncate(*length);
        }
        self.lines.truncate(kept);
        kept > 0
    }
}
