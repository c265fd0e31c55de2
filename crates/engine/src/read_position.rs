//! The position at which a reader stopped reading an entry of a ZIP.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use crate::archive::{Entry, Inflater};

/// Bytes read at once. Enough for a screenful of usual lines.
pub(crate) const PIECE: usize = 64 << 10;

/// The position at which a view stopped reading an entry. Deflate can be read forwards only, so a list that is scrolled down
/// continues from here, and one that jumps back begins again.
#[derive(Debug, Default)]
pub(crate) struct ReadPosition(Option<Running>);

#[derive(Debug)]
pub(crate) struct Running {
    inflater: Inflater,
    /// Offset in the file of the next compressed byte.
    packed_at: u64,
    /// Offset in the dataset of `output[0]`.
    pub(crate) output_at: u64,
    pub(crate) output: Vec<u8>,
    pub(crate) done: bool,
}

/// The file is shorter than its size.
///
/// A type, because an [`io::Error`] made of a text can write it with escapes, and brings the tables of characters for that.
#[derive(Debug)]
pub(crate) struct Shorter;

impl fmt::Display for Shorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file is shorter than it was when it was chosen")
    }
}

impl std::error::Error for Shorter {}

impl ReadPosition {
    /// The running inflater, if it is not past the offset; otherwise a new one.
    pub(crate) fn at(&mut self, entry: &Entry, offset: u64) -> &mut Running {
        if self.0.as_ref().is_some_and(|running| running.output_at > offset) {
            self.0 = None;
        }
        self.0.get_or_insert_with(|| Running {
            inflater: Inflater::new(entry),
            packed_at: entry.data.as_ref().map_or(0, |data| data.start),
            output_at: 0,
            output: Vec::new(),
            done: false,
        })
    }
}

impl Running {
    /// Inflates the next piece in place of the last.
    pub(crate) fn next<R: Read + Seek>(&mut self, source: &mut R, entry: &Entry) -> io::Result<()> {
        let end = entry.data.as_ref().map_or(0, |data| data.end);
        self.output_at += self.output.len() as u64;
        let mut packed = [0; 16 << 10];
        source.seek(SeekFrom::Start(self.packed_at))?;
        let most = usize::try_from(end - self.packed_at).unwrap_or(packed.len()).min(packed.len());
        let n = source.read(&mut packed[..most])?;
        if n == 0 && most > 0 {
            return Err(io::Error::other(Shorter));
        }
        self.output.resize(PIECE, 0);
        if let Ok(step) = self.inflater.push(&packed[..n], &mut self.output) {
            self.packed_at += step.consumed as u64;
            self.output.truncate(step.produced);
            self.done = step.done || (step.consumed == 0 && step.produced == 0);
        } else {
            // The check has reported it; the bytes before it can be shown.
            self.output.clear();
            self.done = true;
        }
        Ok(())
    }
}
