//! The bytes of an entry, pushed through: inflated, counted, checked.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::{Entry, MAX_ENTRY_INFLATED, MAX_RATIO, MAX_TOTAL_INFLATED, Method, RATIO_FLOOR};
use crate::rules::{Bytes, Zip};
use evalcheck_core::rule::AnyProblem;

/// What one [`Inflater::push`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// How many bytes of the input were taken.
    pub consumed: usize,
    /// How many bytes of the output were written.
    pub produced: usize,
    /// True when the entry is complete, and its size and checksum are right.
    pub done: bool,
}

/// How much may be inflated. The [`Default`] are the constants of [`super`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// See [`MAX_ENTRY_INFLATED`].
    pub entry: u64,
    /// See [`MAX_TOTAL_INFLATED`].
    pub total: u64,
    /// See [`MAX_RATIO`].
    pub ratio: u64,
    /// See [`RATIO_FLOOR`].
    pub ratio_floor: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry: MAX_ENTRY_INFLATED,
            total: MAX_TOTAL_INFLATED,
            ratio: MAX_RATIO,
            ratio_floor: RATIO_FLOOR,
        }
    }
}

/// Turns the data of an entry into its contents, piece by piece.
///
/// Give it the bytes of [`Entry::data`] in order. Call [`Inflater::push`] until it says `done` or fails, also with
/// an empty input when all was given: contents may still be to come, and what is wrong with them is only said after
/// they were handed out.
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
    /// Made when first needed, and then used for every entry: it holds the window of 32 KiB.
    deflate: Option<Box<Decompress>>,
    done: bool,
    failed: Option<Zip>,
}

impl Inflater {
    /// For the data of an entry. One that can't be read ([`Entry::is_readable`]) fails at the first push.
    pub fn new(entry: &Entry) -> Self {
        Self::with_limits(entry, Limits::default())
    }

    /// With other limits.
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

    /// Begins another entry. Nothing is allocated, and the limit on the whole goes on counting.
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
            Some(Zip::Encrypted)
        } else if entry.symlink {
            Some(Zip::Symlink)
        } else if let Method::Other(_) = entry.method {
            Some(Zip::UnsupportedMethod { method: entry.method.to_string() })
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

    /// How many bytes of the entry's contents came out so far.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Takes bytes of the data from the front of `input` and writes contents to the front of `out`. Bytes beyond
    /// the entry's data are not taken. Nothing is allocated.
    ///
    /// # Errors
    /// A problem of the group `zip/`, to be told with the entry's name: damaged data, a wrong size or checksum, a
    /// bomb. Every later push fails likewise, until [`Inflater::restart`].
    pub fn push(&mut self, input: &[u8], out: &mut [u8]) -> Result<Step, AnyProblem> {
        if let Some(problem) = &self.failed {
            return Err(problem.clone().into());
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
                // What came out before is part of the contents; the failure is told at the next call.
                if step.produced > 0 { Ok(step) } else { Err(problem.into()) }
            }
        }
    }

    fn advance(&mut self, input: &[u8], out: &mut [u8], step: &mut Step) -> Result<bool, Zip> {
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
            Ended::TooLong => Err(Zip::SizeMismatch {
                declared: Bytes(self.size),
                found: format!("more than {}", Bytes(self.produced)),
            }),
            Ended::Early => Err(Zip::BrokenData { why: format!("it ends after {}", Bytes(self.produced)) }),
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

    fn inflate(&mut self, input: &[u8], out: &mut [u8], step: &mut Step) -> Result<Ended, Zip> {
        // One byte more than the entry should have shows that it has more, and no more than one is wanted.
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
            Err(_) => Err(Zip::BrokenData {
                why: format!("it is no deflate stream after {}", Bytes(self.produced + step.produced as u64)),
            }),
            Ok(Status::StreamEnd) => Ok(Ended::Yes),
            Ok(_) => {
                let all_given = self.consumed + step.consumed as u64 == self.compressed_size;
                let stuck = step.produced == 0 && step.consumed == 0 && !out.is_empty();
                Ok(if all_given && stuck { Ended::Early } else { Ended::No })
            }
        }
    }

    fn check_limits(&self) -> Result<(), Zip> {
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
        Err(Zip::Bomb { limit })
    }

    fn check_end(&self) -> Result<(), Zip> {
        let trailing = self.compressed_size - self.consumed;
        let found = self.crc.sum();
        if self.produced != self.size {
            Err(Zip::SizeMismatch { declared: Bytes(self.size), found: Bytes(self.produced).to_string() })
        } else if trailing > 0 {
            Err(Zip::BrokenData { why: format!("it goes on for {} after its end", Bytes(trailing)) })
        } else if found != self.crc32 {
            Err(Zip::CrcMismatch { declared: self.crc32, found })
        } else {
            Ok(())
        }
    }
}

/// Whether the data has come to its end.
enum Ended {
    No,
    Yes,
    /// There is more of it than the directory says.
    TooLong,
    /// It was all given, and the contents are not complete.
    Early,
}

fn clamp(available: u64, wanted: usize) -> usize {
    usize::try_from(available).unwrap_or(usize::MAX).min(wanted)
}
