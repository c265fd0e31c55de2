//! A sparse index of the lines: it finds any line by reading a little.

/// The most offsets that are kept, which take 512 KiB.
const MOST: usize = 1 << 16;

/// The offsets of every `stride`-th line. When there are too many, every second offset is dropped, so memory is bounded
/// for any file.
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
    /// Offset of line `1 + i * stride`.
    offsets: Vec<u64>,
    stride: u64,
    /// The next line for which the offset is kept.
    next: u64,
}

impl Default for LineIndex {
    fn default() -> Self {
        Self { offsets: Vec::new(), stride: 1, next: 1 }
    }
}

impl LineIndex {
    /// Notes where a line begins. To be called for each line, in order.
    #[inline]
    pub fn note(&mut self, line: u64, offset: u64) {
        if line == self.next {
            self.mark(offset);
        }
    }

    #[cold]
    fn mark(&mut self, offset: u64) {
        self.offsets.push(offset);
        if self.offsets.len() == MOST {
            let mut location = 0;
            self.offsets.retain(|_| {
                location += 1;
                location % 2 == 1
            });
            self.stride *= 2;
        }
        self.next = 1 + self.offsets.len() as u64 * self.stride;
    }

    /// The last indexed line that is not after this one, and its offset; line 1 at 0 when no line is indexed.
    pub fn before(&self, line: u64) -> (u64, u64) {
        let location =
            (line.saturating_sub(1) / self.stride).min((self.offsets.len() as u64).saturating_sub(1));
        let offset = usize::try_from(location).ok().and_then(|location| self.offsets.get(location));
        match offset {
            Some(&offset) => (1 + location * self.stride, offset),
            None => (1, 0),
        }
    }
}
