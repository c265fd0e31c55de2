//! The bytes of the dataset from an offset on, whether it is the file or an entry of a ZIP.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use crate::archive::{Archive, Entry, Inflater};
use crate::check::state::CheckState;
use evalcheck_records::Reader;
use evalcheck_records::convert::Decoders;

/// Bytes read at once. Enough for a screenful of usual lines.
const PIECE: usize = 64 << 10;

/// Shows parts of a dataset. Returned by `Check::view`.
#[derive(Debug)]
pub struct View<'a, R> {
    /// The file.
    pub(crate) source: &'a mut R,
    /// Bytes of the dataset that may be read: those that were checked.
    pub(crate) packing: Packing<'a>,
    /// The archive, if the file is one.
    pub(crate) archive: Option<&'a Archive>,
    /// The check.
    pub(crate) reader: &'a dyn Reader<CheckState>,
    /// The position at which the last view stopped reading in a ZIP.
    pub(crate) location: &'a mut ReadPosition,
    /// The name of a file of no known format, which the check did not read.
    pub(crate) unknown: Option<&'a str>,
    /// The decoders of the driver.
    pub(crate) decoders: Decoders,
}

/// The location of the dataset.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Packing<'a> {
    /// The dataset is the file, which has this number of bytes.
    Plain(u64),
    /// The dataset is this entry of a ZIP.
    Entry(&'a Entry),
}

/// The position at which a view stopped reading an entry. Deflate can be read forwards only, so a list that is scrolled down
/// continues from here, and one that jumps back begins again.
#[derive(Debug, Default)]
pub(crate) struct ReadPosition(Option<Running>);

#[derive(Debug)]
struct Running {
    inflater: Inflater,
    /// Offset in the file of the next compressed byte.
    packed_at: u64,
    /// Offset in the dataset of `output[0]`.
    output_at: u64,
    output: Vec<u8>,
    done: bool,
}

impl<R> View<'_, R> {
    /// Shows records that are not UTF-8 in other encodings too, as these decoders read them.
    #[must_use]
    pub fn with_decoders(self, decoders: Decoders) -> Self {
        Self { decoders, ..self }
    }
}

impl<R: Read + Seek> View<'_, R> {
    /// Calls `each` with the bytes of the dataset from `offset` on, piece by piece, until it breaks or they end.
    pub(crate) fn read_from(
        &mut self,
        offset: u64,
        mut each: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        match self.packing {
            Packing::Plain(size) => {
                let mut at = offset;
                let mut piece = vec![0; PIECE];
                self.source.seek(SeekFrom::Start(at))?;
                while at < size {
                    let most = usize::try_from(size - at).unwrap_or(PIECE).min(PIECE);
                    let n = self.source.read(&mut piece[..most])?;
                    if n == 0 {
                        return Err(io::Error::other(Shorter));
                    }
                    at += n as u64;
                    if each(&piece[..n]).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Packing::Entry(entry) => {
                let running = self.location.at(entry, offset);
                loop {
                    let skip =
                        usize::try_from(offset.saturating_sub(running.output_at)).unwrap_or(usize::MAX);
                    if let Some(piece) = running.output.get(skip..)
                        && !piece.is_empty()
                        && each(piece).is_break()
                    {
                        return Ok(ControlFlow::Break(()));
                    }
                    if running.done {
                        return Ok(ControlFlow::Continue(()));
                    }
                    running.next(self.source, entry)?;
                }
            }
        }
    }
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
    fn at(&mut self, entry: &Entry, offset: u64) -> &mut Running {
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
    fn next<R: Read + Seek>(&mut self, source: &mut R, entry: &Entry) -> io::Result<()> {
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
