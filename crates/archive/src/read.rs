//! Reads an entry: its beginning, for previews and to recognize its type, or all of it, to rewrite it.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use evalcheck_core::rule::AnyProblem;

use crate::entry::Entry;
use crate::inflate::Inflater;

/// The number of bytes that are read, and inflated, at once.
const PIECE: usize = 64 << 10;

/// The reason why the contents of an entry cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The entry cannot be read ([`Entry::is_readable`]).
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

/// An error that is caused by the bytes of an archive, inside an [`io::Error`]: a check of the archive has findings that say why.
#[derive(Debug)]
pub struct Broken(pub(crate) String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

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

/// The contents of an entry as a stream. It ends with an error if the data is damaged, or differs from the directory.
#[derive(Debug)]
pub struct Contents<'a, R> {
    source: &'a mut R,
    inflater: Inflater,
    left: Range<u64>,
    input: Vec<u8>,
    taken: usize,
    done: bool,
}

impl<'a, R: Read + Seek> Contents<'a, R> {
    /// The contents of an entry of this archive.
    ///
    /// # Errors
    /// The entry is not readable.
    pub fn new(entry: &Entry, source: &'a mut R) -> io::Result<Self> {
        let left = entry.data.clone().filter(|_| entry.is_readable());
        let left = left.ok_or_else(|| io::Error::other(Broken(ReadError::Unreadable.to_string())))?;
        let inflater = Inflater::new(entry);
        Ok(Self { source, inflater, left, input: Vec::new(), taken: 0, done: false })
    }
}

impl<R: Read + Seek> Read for Contents<'_, R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while !self.done && !output.is_empty() {
            if self.taken == self.input.len() && !self.left.is_empty() {
                let length = usize::try_from(self.left.end - self.left.start).unwrap_or(PIECE).min(PIECE);
                self.input.resize(length, 0);
                self.source.seek(SeekFrom::Start(self.left.start))?;
                self.source.read_exact(&mut self.input)?;
                self.left.start += length as u64;
                self.taken = 0;
            }
            let input = self.input.get(self.taken..).unwrap_or_default();
            let step = self
                .inflater
                .push(input, output)
                .map_err(|problem| io::Error::other(Broken(problem.message())))?;
            self.taken += step.consumed;
            self.done = step.done;
            if step.produced > 0 {
                return Ok(step.produced);
            }
        }
        Ok(0)
    }
}
