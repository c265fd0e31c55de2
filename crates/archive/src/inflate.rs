//! Inflates the data of an entry piece by piece, and checks the size, the checksum and limits.

use evalcheck_core::rule::AnyProblem;
use flate2::{Crc, Decompress, FlushDecompress, Status};

use crate::byte_count::ByteCount;
use crate::entry::{Entry, Method};
use crate::limits::Limits;
use crate::problem::EntryProblem;

evalcheck_core::rules! {
    /// Problems of the data of an entry.
    DataProblem for Archive {
        CrcMismatch { declared: u32, found: u32 } = "zip/crc-mismatch", Error {
            summary: "The checksum of an entry does not match.",
            message: "the data is damaged: its CRC-32 is {found:08x}, but the ZIP states {declared:08x}",
            hint: "Copy or download the ZIP again, or pack the file again from its original.",
            meaning: "Each entry has a checksum of its contents. When it does not match, the bytes are not the ones that were packed.",
            invalid: "an entry with one changed byte",
            valid: "the entry packed again",
        }
        BrokenData { why: String } = "zip/broken-data", Error {
            summary: "The compressed data of an entry is damaged.",
            message: "the compressed data is damaged: {why}",
            hint: "Copy or download the ZIP again, or pack the file again from its original.",
            meaning: "The data cannot be inflated to its end, so the file is lost or incomplete.",
            invalid: "an entry with truncated compressed data",
            valid: "the entry packed again",
        }
        Bomb { limit: String } = "zip/bomb", Error {
            summary: "Decompression bomb.",
            message: "decompression stopped: {limit}",
            hint: "If the data really is this large, split the dataset into several ZIPs, or use the .jsonl by itself.",
            meaning: "A few kilobytes can inflate to terabytes and exhaust the reader. The limits count the bytes that were inflated, not the sizes that the ZIP states.",
            invalid: "10 MB of compressed zeros that inflate to 10 GB",
            valid: "a dataset whose compressed size is in proportion to its content",
        }
    }
}

/// The result of one [`Inflater::push`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The number of bytes taken from the input.
    pub consumed: usize,
    /// The number of bytes written to the output.
    pub produced: usize,
    /// Whether the entry is complete, with the right size and checksum.
    pub done: bool,
}

/// Inflates the data of an entry to its contents, piece by piece.
///
/// Push the bytes at [`Entry::data`] in order, until [`Inflater::push`] returns `done` or an error. Push an empty input
/// when there are no more bytes: contents may remain, and an error is only returned after the contents before it.
///
/// ```
/// # use evalcheck_archive::{Entry, Inflater};
/// # use evalcheck_core::rule::AnyProblem;
/// fn contents(entry: &Entry, mut data: &[u8]) -> Result<Vec<u8>, AnyProblem> {
///     let mut inflater = Inflater::new(entry);
///     let (mut contents, mut out) = (Vec::new(), vec![0; 64 << 10]);
///     loop {
///         let step = inflater.push(data, &mut out)?;
///         data = &data[step.consumed..];
///         contents.extend_from_slice(&out[..step.produced]);
///         if step.done {
///             return Ok(contents);
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Inflater {
    limits: Limits,
    method: Method,
    size: u64,
    compressed_size: u64,
    crc32: u32,
    consumed: u64,
    produced: u64,
    total_consumed: u64,
    total_produced: u64,
    crc: Crc,
    /// Created when first needed, and then reused for every entry: it holds the window of 32 KiB.
    deflate: Option<Box<Decompress>>,
    done: bool,
    failed: Option<AnyProblem>,
}

impl Inflater {
    /// An inflater for the data of an entry. If the entry is not readable ([`Entry::is_readable`]), the first push fails.
    pub fn new(entry: &Entry) -> Self {
        Self::with_limits(entry, Limits::default())
    }

    /// An inflater with other limits.
    pub fn with_limits(entry: &Entry, limits: Limits) -> Self {
        let mut inflater = Self {
            limits,
            method: Method::Stored,
            size: 0,
            compressed_size: 0,
            crc32: 0,
            consumed: 0,
            produced: 0,
            total_consumed: 0,
            total_produced: 0,
            crc: Crc::new(),
            deflate: None,
            done: false,
            failed: None,
        };
        inflater.restart(entry);
        inflater
    }

    /// Begins another entry. Allocates nothing. The bytes of all entries count for the total limit.
    pub fn restart(&mut self, entry: &Entry) {
        self.method = entry.method;
        self.size = entry.size;
        self.compressed_size = entry.compressed_size;
        self.crc32 = entry.crc32;
        self.consumed = 0;
        self.produced = 0;
        self.crc.reset();
        self.done = false;
        self.failed = if entry.encrypted {
            Some(EntryProblem::Encrypted { others: String::new() }.into())
        } else if entry.symlink {
            Some(EntryProblem::Symlink.into())
        } else if let Method::Other(_) = entry.method {
            Some(EntryProblem::UnsupportedMethod { method: entry.method.to_string() }.into())
        } else {
            None
        };
        if self.method == Method::Deflate && self.failed.is_none() {
            match &mut self.deflate {
                Some(deflate) => deflate.reset(false),
                none => *none = Some(Box::new(Decompress::new(false))),
            }
        }
    }

    /// The number of bytes of the entry's contents so far.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Takes bytes of the data from the front of `input` and writes contents to the front of `out`. Bytes beyond the entry's data are not
    /// taken. Nothing is allocated.
    ///
    /// # Errors
    /// A problem of the group `zip/`, to be reported with the entry's name: damaged data, a wrong size or checksum, a
    /// decompression bomb. Every later push fails with the same problem, until [`Inflater::restart`].
    pub fn push(&mut self, input: &[u8], out: &mut [u8]) -> Result<Step, AnyProblem> {
        if let Some(problem) = &self.failed {
            return Err(problem.clone());
        }
        let mut step = Step { consumed: 0, produced: 0, done: self.done };
        if self.done {
            return Ok(step);
        }
        let left = self.compressed_size - self.consumed;
        let input = input.get(..clamp(left, input.len())).unwrap_or_default();
        match self.advance(input, out, &mut step) {
            Ok(done) => {
                self.done = done;
                step.done = done;
                Ok(step)
            }
            Err(problem) => {
                self.failed = Some(problem.clone());
                // The bytes before the failure belong to the contents. The next call returns the failure.
                if step.produced > 0 { Ok(step) } else { Err(problem) }
            }
        }
    }

    fn advance(&mut self, input: &[u8], out: &mut [u8], step: &mut Step) -> Result<bool, AnyProblem> {
        let ended = match self.method {
            Method::Stored => self.copy(input, out, step),
            _ => self.inflate(input, out, step)?,
        };
        self.crc.update(out.get(..step.produced).unwrap_or_default());
        self.consumed += step.consumed as u64;
        self.produced += step.produced as u64;
        self.total_consumed += step.consumed as u64;
        self.total_produced += step.produced as u64;
        self.check_limits()?;
        match ended {
            Ended::No => Ok(false),
            Ended::TooLong => Err(EntryProblem::SizeMismatch {
                declared: ByteCount(self.size),
                found: format!("more than {}", ByteCount(self.produced)),
            }
            .into()),
            Ended::Early => {
                Err(DataProblem::BrokenData { why: format!("it ends after {}", ByteCount(self.produced)) }
                    .into())
            }
            Ended::Yes => self.check_end().map(|()| true),
        }
    }

    fn copy(&self, input: &[u8], out: &mut [u8], step: &mut Step) -> Ended {
        let n = clamp(self.size - self.produced, input.len().min(out.len()));
        if let (Some(to), Some(from)) = (out.get_mut(..n), input.get(..n)) {
            to.copy_from_slice(from);
        }
        step.consumed = n;
        step.produced = n;
        if self.consumed + n as u64 == self.compressed_size {
            Ended::Yes
        } else if self.produced + n as u64 == self.size {
            Ended::TooLong
        } else {
            Ended::No
        }
    }

    fn inflate(&mut self, input: &[u8], out: &mut [u8], step: &mut Step) -> Result<Ended, AnyProblem> {
        // Room for one byte more than the entry should have: that byte shows that it has more.
        let room = clamp((self.size - self.produced).saturating_add(1), out.len());
        let out = out.get_mut(..room).unwrap_or_default();
        let Some(deflate) = &mut self.deflate else { return Ok(Ended::Early) };
        let (consumed, produced) = (deflate.total_in(), deflate.total_out());
        let status = deflate.decompress(input, out, FlushDecompress::None);
        step.consumed = clamp(deflate.total_in() - consumed, input.len());
        step.produced = clamp(deflate.total_out() - produced, out.len());
        if self.produced + step.produced as u64 > self.size {
            step.produced -= 1;
            return Ok(Ended::TooLong);
        }
        match status {
            Err(_) => Err(DataProblem::BrokenData {
                why: format!(
                    "it is not a deflate stream after {}",
                    ByteCount(self.produced + step.produced as u64)
                ),
            }
            .into()),
            Ok(Status::StreamEnd) => Ok(Ended::Yes),
            Ok(_) => {
                let all_given = self.consumed + step.consumed as u64 == self.compressed_size;
                let stuck = step.produced == 0 && step.consumed == 0 && !out.is_empty();
                Ok(if all_given && stuck { Ended::Early } else { Ended::No })
            }
        }
    }

    fn check_limits(&self) -> Result<(), AnyProblem> {
        let limits = &self.limits;
        let exceeds_ratio = |produced: u64, consumed: u64| {
            produced > limits.ratio_floor && produced / limits.ratio.max(1) > consumed
        };
        let limit = if self.produced > limits.entry {
            format!("the entry holds more than {} bytes", limits.entry)
        } else if self.total_produced > limits.total {
            format!("the entries of the ZIP hold more than {} bytes together", limits.total)
        } else if exceeds_ratio(self.produced, self.consumed)
            || exceeds_ratio(self.total_produced, self.total_consumed)
        {
            format!(
                "{} bytes came out of {} compressed ones, more than {} times as many",
                self.produced, self.consumed, limits.ratio
            )
        } else {
            return Ok(());
        };
        Err(DataProblem::Bomb { limit }.into())
    }

    fn check_end(&self) -> Result<(), AnyProblem> {
        let trailing = self.compressed_size - self.consumed;
        let found = self.crc.sum();
        if self.produced != self.size {
            Err(EntryProblem::SizeMismatch {
                declared: ByteCount(self.size),
                found: ByteCount(self.produced).to_string(),
            }
            .into())
        } else if trailing > 0 {
            Err(DataProblem::BrokenData {
                why: format!("it goes on for {} after its end", ByteCount(trailing)),
            }
            .into())
        } else if found != self.crc32 {
            Err(DataProblem::CrcMismatch { declared: self.crc32, found }.into())
        } else {
            Ok(())
        }
    }
}

/// How the data has ended, if it has.
enum Ended {
    No,
    Yes,
    /// The contents are longer than the directory says.
    TooLong,
    /// The data has ended, but the contents are not complete.
    Early,
}

fn clamp(available: u64, wanted: usize) -> usize {
    usize::try_from(available).unwrap_or(usize::MAX).min(wanted)
}
