//! Stretches of JSONL.

use super::{Digest, Found, Stretch};
use crate::records::lines::MAX_LINE;
use crate::scan;
use crate::session::Session;
use crate::shape::Shape;

/// Digests lines, behind the header.
#[derive(Debug)]
pub(super) struct Lines {
    shape: &'static Shape,
}

impl Lines {
    /// For lines of a shape.
    pub(super) fn new(shape: &'static Shape) -> Self {
        Self { shape }
    }

    /// Digests the lines that are whole, of which the last `n` bytes are new.
    pub(super) fn digest(&self, n: usize, stretch: &mut Stretch, digest: &mut Digest) {
        let Stretch { checker, buffer, is_begun } = stretch;
        let held = buffer.held();
        let fresh = held.len() - n.min(held.len());
        let Some(last) = memchr::memrchr(b'\n', &held[fresh..]).map(|place| fresh + place) else { return };
        let mut start = 0;
        if !*is_begun {
            start = memchr::memchr(b'\n', held).map_or(0, |newline| newline + 1);
            digest.writer.raw(&held[..start]);
            *is_begun = true;
        }
        let Session { scratch, rules, format, .. } = checker.session_mut();
        scan::begin_piece(held.get(start..=last).unwrap_or_default(), scratch);
        // Lines that are not clean, one after the other.
        let mut doubtful = start;
        while start <= last {
            let bytes = buffer.with_padding();
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
                let newline = memchr::memchr(b'\n', &held[start..]);
                start = newline.map_or(last + 1, |newline| start + newline + 1);
            }
        }
        scan::end_piece(scratch);
        digest.writer.raw(&held[doubtful..start]);
        buffer.consume(start);
    }
}
