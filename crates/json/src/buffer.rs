//! The bytes that were read and not yet checked.

use crate::scan::PADDING;

/// A buffer that a driver fills at its end and a checker empties at its start. Nothing is allocated once it has its
/// size; what is left over moves to the front.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// Room for `room` bytes behind those that are held.
    pub fn space(&mut self, room: usize) -> &mut [u8] {
        if self.bytes.len() < self.end + room + PADDING {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let wanted = self.end + room + PADDING;
            if self.bytes.len() < wanted {
                // Not doubled: a long line would cost twice its size. A quarter more keeps copying linear.
                let size = wanted.max(self.bytes.len() + self.bytes.len() / 4);
                self.bytes.reserve_exact(size - self.bytes.len());
                self.bytes.resize(size, 0);
            }
        }
        &mut self.bytes[self.end..self.end + room]
    }

    /// Counts the first `n` bytes of the space as read.
    pub fn advance(&mut self, n: usize) {
        self.end = (self.end + n).min(self.bytes.len().saturating_sub(PADDING));
    }

    /// The bytes that are held, and whatever stands in the memory behind them (at least [`PADDING`] bytes).
    pub fn with_padding(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// What [`Buffer::with_padding`] gives, with at least `room` bytes more behind the padding, which anyone may write to, and
    /// their place.
    pub fn with_spare(&mut self, room: usize) -> (&mut [u8], usize) {
        let spare = self.end + PADDING;
        if self.bytes.len() < spare + room {
            self.bytes.resize(spare + room, 0);
        }
        (&mut self.bytes[self.start..], spare - self.start)
    }

    /// The bytes that are held.
    pub fn held(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Drops the first `n` bytes that are held.
    pub fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
    }
}
