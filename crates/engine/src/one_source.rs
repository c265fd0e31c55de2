//! One type for all that bytes are read from: what reads is compiled once, and not for each driver and for the warm-up again.

use std::io::{Read, Seek};

/// What can be read from any place on.
pub(crate) trait Source: Read + Seek {}

impl<R: Read + Seek> Source for R {}

/// Any source as the one type that is read from; a reference to the result is such a source as well.
pub(crate) fn erased<R: Read + Seek>(source: &mut R) -> &mut dyn Source {
    source
}
