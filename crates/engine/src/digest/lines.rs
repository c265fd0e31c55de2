//! Stretches of JSONL.

use super::{Digest, Found};
use crate::records::Records;
use crate::records::lines::MAX_LINE;
use crate::scan;
use crate::scan::buffer::Buffer;
use crate::session::Session;
use crate::shape::Shape;

/// Digests lines, behind the header.
#[derive(Debug)]
pub(super) struct Lines {
    checker: Box<dyn Records>,
    shape: &'static Shape,
    buffer: Buffer,
    /// The stretch is still in the line that it began in.
    in_first_line: bool,
}

impl Lines {
    /// By the format, the rules and the shape of a check that has read the header.
    pub(super) fn new(checker: Box<dyn Records>) -> Option<Self> {
        let shape = checker.shape_of_lines()?;
        Some(Self { checker, shape, buffer: Buffer::default(), in_first_line: true })
    }

    pub(super) fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    pub(super) fn advance(&mut self, n: usize, digest: &mut Digest) {
        self.buffer.advance(n);
        let held = self.buffer.held();
        let fresh = held.len() - n.min(held.len());
        let Some(last) = memchr::memrchr(b'\n', &held[fresh..]).map(|place| fresh + place) else { return };
        let mut start = 0;
        if self.in_first_line {
            start = memchr::memchr(b'\n', held).map_or(0, |newline| newline + 1);
            digest.raw(&held[..start]);
            self.in_first_line = false;
        }
        let Session { scratch, rules, format, .. } = self.checker.session_mut();
        scan::begin_piece(held.get(start..=last).unwrap_or_default(), scratch);
        // Lines that are not clean, one after the other.
        let mut doubtful = start;
        while start <= last {
            let bytes = self.buffer.with_padding();
            let end = scan::line(bytes, start, self.shape, format.texts, scratch).map(|end| end + 1);
            let end = end.ok().filter(|end| end - start <= MAX_LINE).filter(|end| {
                let strings = &scratch.captures;
                let found = Found { bytes, start, strings, length: end - start, breaks: &[] };
                digest.record(&found, &mut **rules, &bytes[doubtful..start])
            });
            if let Some(end) = end {
                start = end;
                doubtful = end;
            } else {
                let newline = memchr::memchr(b'\n', &self.buffer.held()[start..]);
                start = newline.map_or(last + 1, |newline| start + newline + 1);
            }
        }
        scan::end_piece(scratch);
        digest.raw(&self.buffer.held()[doubtful..start]);
        self.buffer.consume(start);
    }

    pub(super) fn left(&self) -> usize {
        self.buffer.held().len()
    }

    pub(super) fn end_stretch(&mut self, digest: &mut Digest) {
        digest.raw(self.buffer.held());
        self.buffer.consume(self.buffer.held().len());
        self.in_first_line = true;
    }
}
