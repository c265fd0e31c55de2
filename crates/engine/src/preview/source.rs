//! The bytes of the dataset from an offset on, whether it is the file or an entry of a ZIP.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use crate::archive::{Archive, Entry};
use crate::check::Check;
use crate::check::state::CheckState;
use crate::read_position::{PIECE, ReadPosition, Shorter};
use evalcheck_records::Reader;
use evalcheck_records::convert::Decoders;

/// Shows parts of a dataset ([`Check::view`]).
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

impl Check {
    /// A view of the dataset, which it reads again through `source`. Works at any time, as far as the check has come.
    pub fn view<'a, R: Read + Seek>(&'a mut self, source: &'a mut R) -> View<'a, R> {
        let packing = match self.archive.as_deref().and_then(|opened| opened.dataset()) {
            Some(entry) => Packing::Entry(entry),
            None => Packing::Plain(self.file.size),
        };
        let archive = self.archive.as_deref().and_then(|opened| opened.archive.as_ref());
        let (reader, location) = (&*self.checker, &mut self.reader);
        View { source, packing, archive, reader, location, decoders: |_| None }
    }
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
