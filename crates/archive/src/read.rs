//! Reads the beginning of an entry, for showing and for recognising what it is.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use evalcheck_core::rule::AnyProblem;

use crate::entry::Entry;
use crate::inflate::Inflater;

/// Bytes that are read, and inflated, at once.
const PIECE: usize = 64 << 10;

/// Why the contents of an entry cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The entry is not one that can be read ([`Entry::is_readable`]).
    Unreadable,
    /// Reading the file failed.
    Io(io::Error),
    /// The file is shorter than it was.
    Shorter,
    /// The data is damaged.
    Damaged(AnyProblem),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("This entry cannot be read; the findings say why."),
            Self::Io(error) => error.fmt(f),
            Self::Shorter => f.write_str("The file is shorter than it was when it was chosen."),
            Self::Damaged(problem) => f.write_str(&problem.message()),
        }
    }
}

impl std::error::Error for ReadError {}

impl Entry {
    /// The first bytes of the contents, at most `most`.
    ///
    /// # Errors
    /// The entry is not readable, or reading or inflating failed before these bytes were complete.
    pub fn read_start<R: Read + Seek>(&self, source: &mut R, most: usize) -> Result<Vec<u8>, ReadError> {
        let Some(data) = self.data.clone().filter(|_| self.is_readable()) else {
            return Err(ReadError::Unreadable);
        };
        let mut inflater = Inflater::new(self);
        let mut contents = Vec::new();
        let mut at = data.start;
        let mut input = vec![0; PIECE];
        let mut output = vec![0; PIECE];
        loop {
            source.seek(SeekFrom::Start(at)).map_err(ReadError::Io)?;
            let length = usize::try_from(data.end - at).unwrap_or(PIECE).min(PIECE);
            let input = input.get_mut(..length).unwrap_or_default();
            let n = source.read(input).map_err(ReadError::Io)?;
            if n == 0 && length > 0 {
                return Err(ReadError::Shorter);
            }
            let input = input.get(..n).unwrap_or_default();
            let step = inflater.push(input, &mut output).map_err(ReadError::Damaged)?;
            at += step.consumed as u64;
            let taken = step.produced.min(most - contents.len());
            contents.extend_from_slice(output.get(..taken).unwrap_or_default());
            if step.done || contents.len() == most || (step.consumed == 0 && step.produced == 0) {
                return Ok(contents);
            }
        }
    }
}
