//! The buffer of bytes that were read but not yet checked.

use crate::scan::PADDING;

/// A buffer that a driver fills at its end and a reader empties at its start. The rest moves to the front, so that nothing
/// is allocated once the buffer has reached its size.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// Returns space for `room` bytes after the held ones.
    pub fn space(&mut self, room: usize) -> &mut [u8] {
        if self.bytes.len() < self.end + room + PADDING {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let wanted = self.end + room + PADDING;
            if self.bytes.len() < wanted {
                // Grows by a quarter: copying stays linear, and a long line does not cost twice its size.
                let size = wanted.max(self.bytes.len() + self.bytes.len() / 4);
                self.bytes.reserve_exact(size - self.bytes.len());
                self.bytes.resize(size, 0);
            }
        }
        &mut self.bytes[self.end..self.end + room]
    }

    /// Adds the first `n` bytes of the space to the held ones.
    pub fn advance(&mut self, n: usize) {
        self.end = (self.end + n).min(self.bytes.len().saturating_sub(PADDING));
    }

    /// The held bytes, followed by at least [`PADDING`] bytes of any value.
    pub fn with_padding(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// [`Buffer::with_padding`] with at least `room` more bytes after the padding, for the caller to write to, and the offset of these
    /// bytes.
    pub fn with_spare(&mut self, room: usize) -> (&mut [u8], usize) {
        let spare = self.end + PADDING;
        if self.bytes.len() < spare + room {
            self.bytes.resize(spare + room, 0);
        }
        (&mut self.bytes[self.start..], spare - self.start)
    }

    /// The held bytes.
    pub fn held(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Removes the first `n` held bytes.
    pub fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
    }
}
