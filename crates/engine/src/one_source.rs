//! One type for all that bytes are read from: what reads is compiled once, and not for each driver and for the warm-up again.

use std::io::{Read, Result, Seek, SeekFrom};

/// What of [`Read`] and [`Seek`] is needed. A `dyn Read` would bring every method of theirs for every driver, used or not.
trait Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;

    fn seek(&mut self, to: SeekFrom) -> Result<u64>;
}

impl<R: Read + Seek> Bytes for R {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        Read::read(self, buffer)
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        Seek::seek(self, to)
    }
}

/// Any source.
pub(crate) struct Source<'a>(&'a mut dyn Bytes);

/// Any source as the one type that is read from.
pub(crate) fn erased<R: Read + Seek>(source: &mut R) -> Source<'_> {
    Source(source)
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.0.seek(to)
    }
}
