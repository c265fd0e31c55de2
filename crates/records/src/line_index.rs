//! A sparse index of the lines: it finds any line by reading a little.

/// The maximum number of lines that are kept; they take 512 KiB.
const MOST: usize = 1 << 15;

/// The offsets of lines: at most one for each `stride` lines. If there are too many, every second one is dropped, so memory is bounded for
/// any file.
///
/// ```
/// use evalcheck_records::line_index::LineIndex;
/// let mut index = LineIndex::default();
/// for line in 1..=1_000_000_u64 {
///     index.note(line, (line - 1) * 10);
/// }
/// let (line, offset) = index.before(777_777);
/// assert!(line <= 777_777 && 777_777 - line < 64);
/// assert_eq!(offset, (line - 1) * 10);
/// ```
#[derive(Debug, Clone)]
pub struct LineIndex {
    /// Lines and their offsets, in order.
    lines: Vec<(u64, u64)>,
    stride: u64,
    /// The lowest line that is kept next.
    next: u64,
}

impl Default for LineIndex {
    fn default() -> Self {
        Self { lines: Vec::new(), stride: 1, next: 1 }
    }
}

impl LineIndex {
    /// Notes the offset of a line. Called in order, for each line that is not skipped with [`crate::Reader::skip`].
    #[inline]
    pub fn note(&mut self, line: u64, offset: u64) {
        if line >= self.next {
            self.mark(line, offset);
        }
    }

    #[cold]
    fn mark(&mut self, line: u64, offset: u64) {
        self.lines.push((line, offset));
        if self.lines.len() == MOST {
            let mut index = 0;
            self.lines.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
        let last = self.lines.last().map_or(0, |(line, _)| *line);
        self.next = last + self.stride;
    }

    /// The last line in the index that is not after this one, and its offset; line 1 at 0 if there is none.
    pub fn before(&self, line: u64) -> (u64, u64) {
        let later = self.lines.partition_point(|(known, _)| *known <= line);
        later.checked_sub(1).map_or((1, 0), |index| self.lines[index])
    }
}
