//! The bytes of a range outside of its known lines.

use std::ops::Range;

use super::FoundLines;
use crate::numbers;
use crate::source::Source;

/// The lines of a range that a check has to read, kept so that it need not read them again. As bytes: for each piece its offset in
/// the file and its length, both in unsigned LEB128, and its bytes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct OtherLines {
    bytes: Vec<u8>,
    /// The offset of each piece in the file, and its range in `bytes`.
    pieces: Vec<(u64, Range<usize>)>,
    /// The index of the piece that was read last.
    at: usize,
    /// The number of bytes that may still be added.
    left: usize,
    /// Bytes of the file. The last one is left out: with it, the driver sees whether the file was changed.
    size: u64,
}

impl OtherLines {
    /// Takes at most `most` bytes of a file of this size.
    pub(crate) fn of_at_most(most: usize, size: u64) -> Self {
        Self { left: most, size, ..Self::default() }
    }

    /// Adds the lines that begin at `start`, without those in `found`.
    pub(crate) fn add(&mut self, start: u64, lines: &[u8], found: &[FoundLines]) {
        let mut at = start;
        for found in found {
            let clean = &found.lines().bytes;
            self.add_piece(start, lines, at..clean.start);
            at = clean.end;
        }
        self.add_piece(start, lines, at..start + lines.len() as u64);
    }

    fn add_piece(&mut self, start: u64, lines: &[u8], piece: Range<u64>) {
        let place = |byte: u64| usize::try_from(byte.saturating_sub(start)).unwrap_or(usize::MAX);
        let end = piece.end.min(self.size.saturating_sub(1));
        let Some(bytes) = lines.get(place(piece.start)..place(end)) else { return };
        if bytes.is_empty() || bytes.len() > self.left {
            return;
        }
        self.left -= bytes.len();
        for number in [piece.start, bytes.len() as u64] {
            numbers::write(&mut self.bytes, number);
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The lines as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Reads the bytes. `None` if they are malformed.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut left = &bytes[..];
        while !left.is_empty() {
            let start = numbers::read(&mut left)?;
            let length = usize::try_from(numbers::read(&mut left)?).ok()?;
            let at = bytes.len() - left.len();
            left = left.get(length..)?;
            pieces.push((start, at..at + length));
        }
        Some(Self { bytes, pieces, ..Self::default() })
    }

    /// The bytes from an offset in the file on, as far as they are kept. Offsets are requested in order.
    fn from(&mut self, place: u64) -> &[u8] {
        while let Some((start, bytes)) = self.pieces.get(self.at) {
            let Some(before) = place.checked_sub(*start) else { break };
            if let Ok(before) = usize::try_from(before)
                && before < bytes.len()
            {
                return &self.bytes[bytes.start + before..bytes.end];
            }
            self.at += 1;
        }
        &[]
    }

    /// Whether the byte at this offset in the file is kept.
    pub fn has(&mut self, place: u64) -> bool {
        !self.from(place).is_empty()
    }
}

impl Source for OtherLines {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let bytes = self.from(wanted.start);
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_at_their_places() {
        let mut others = OtherLines::of_at_most(100, 1000);
        others.add(10, b"one\ntwo\n", &[]);
        others.add(50, b"three\n", &[]);
        let mut read = OtherLines::from_bytes(others.into_bytes()).unwrap();
        assert!(!read.has(9));
        let mut buffer = [0; 3];
        assert_eq!(read.read_at(14..1000, &mut buffer), Ok(3));
        assert_eq!(&buffer, b"two");
        assert!(!read.has(18));
        assert!(read.has(55));
        assert!(!read.has(56));
    }

    #[test]
    fn too_much_and_the_last_byte_of_the_file_are_left_out() {
        let mut others = OtherLines::of_at_most(4, 20);
        others.add(0, b"too long\n", &[]);
        others.add(16, b"end\n", &[]);
        assert_eq!(others.into_bytes(), b"\x10\x03end");
    }

    #[test]
    fn what_is_cut_is_refused() {
        let mut others = OtherLines::of_at_most(100, 1000);
        others.add(10, b"one\n", &[]);
        let mut bytes = others.into_bytes();
        bytes.pop();
        assert_eq!(OtherLines::from_bytes(bytes), None);
    }
}
