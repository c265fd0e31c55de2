//! What the fast tier found in a stretch of a file, for a check that goes on elsewhere.
//!
//! A check is one sequence: ids are compared with those before, findings have numbers, a header governs what follows.
//! Most of its time goes into the fast tier, though, which looks at each record by itself. So a [`Digester`] runs that
//! tier over a stretch of the file, on another thread, and writes down what came of it: of a clean record its length and
//! what the rules want to see of it ([`DatasetRules::abridge`]), of any other its bytes.
//! [`crate::job::Job::take_digest`] puts that in the place of the bytes. The report cannot differ, because everything
//! that is said is still said by the one check, in order; where a record is wanted after all (the one before it did not
//! end, its id was met before), the job reads it.
//!
//! Stretches may begin and end anywhere: what a stretch has of its first and its last record is written down as bytes.

mod lines;
mod rows;

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

use crate::explain::Origin;
use crate::job::Job;
use crate::records::Records;
use crate::rules::dataset_rules::{Accepted, DatasetRules};
use crate::scan::buffer::Buffer;
use crate::scan::digest::Writer;
pub use crate::scan::digest::{Item, Reader};
use lines::Lines;
use rows::Rows;

/// The most bytes that are looked at for the header of a dataset before its stretches are digested.
const MOST_OF_HEADER: u64 = 1 << 20;

/// Digests stretches of one file.
#[derive(Debug)]
pub struct Digester {
    reading: Reading,
    stretch: Stretch,
    digest: Digest,
}

/// How the records stand in the file.
#[derive(Debug)]
enum Reading {
    Lines(Lines),
    Rows(Rows),
}

/// The stretch at hand.
#[derive(Debug)]
struct Stretch {
    /// A check that has read the header: its format and its rules.
    checker: Box<dyn Records>,
    buffer: Buffer,
    /// The first record that begins in it was come to.
    is_begun: bool,
}

impl Stretch {
    /// Writes down what is held as it is; what comes next begins anywhere.
    fn end(&mut self, digest: &mut Digest) {
        digest.writer.raw(self.buffer.held());
        self.buffer.consume(self.buffer.held().len());
        self.is_begun = false;
    }
}

impl Digester {
    /// Makes ready for the same file and the same options as the check's. `None` where its bytes are no records that can
    /// be looked at one by one: in an archive, a document, and while there is no end to the header.
    ///
    /// # Errors
    /// The source's own.
    pub fn open<R: Read + Seek>(source: &mut R, mut job: Job) -> std::io::Result<Option<Self>> {
        while !job.is_past_header() {
            let Some(Range { start, .. }) = job.wanted().filter(|wanted| wanted.start < MOST_OF_HEADER)
            else {
                return Ok(None);
            };
            if !job.has_lines_or_rows() {
                return Ok(None);
            }
            source.seek(SeekFrom::Start(start))?;
            match source.read(job.space(4096))? {
                0 => return Ok(None),
                n => job.advance(n),
            }
        }
        let checker = job.into_checker();
        let reading = match (&checker.session().table, checker.shape_of_lines()) {
            (Some(table), _) => Reading::Rows(Rows::new(Rc::clone(table))),
            (None, Some(shape)) => Reading::Lines(Lines::new(shape)),
            (None, None) => return Ok(None),
        };
        let stretch = Stretch { checker, buffer: Buffer::default(), is_begun: false };
        Ok(Some(Self { reading, stretch, digest: Digest::default() }))
    }

    /// Room for the bytes of the stretch that come next.
    pub fn space(&mut self, room: usize) -> &mut [u8] {
        self.stretch.buffer.space(room)
    }

    /// Takes `n` bytes of the space as read, and digests the records that are whole now.
    pub fn advance(&mut self, n: usize) {
        self.stretch.buffer.advance(n);
        match &mut self.reading {
            Reading::Lines(lines) => lines.digest(n, &mut self.stretch, &mut self.digest),
            Reading::Rows(rows) => rows.digest(&mut self.stretch, &mut self.digest),
        }
    }

    /// The stretch is at its end; the next bytes are those of another.
    pub fn end_stretch(&mut self) {
        self.stretch.end(&mut self.digest);
    }

    /// Bytes at the end of those that were read which are in no digest yet: they are part of a record.
    pub fn left(&self) -> usize {
        self.stretch.buffer.held().len()
    }

    /// What was digested since the last call. The caller gives it back empty, so that its memory is used again.
    pub fn digest(&mut self) -> &mut Vec<u8> {
        &mut self.digest.writer.bytes
    }
}

/// What was digested.
#[derive(Debug, Default)]
struct Digest {
    writer: Writer,
    /// The strings of the record at hand that the rules want to see.
    strings: Vec<(u8, Range<usize>)>,
}

impl Digest {
    /// A record, so many bytes behind those `raw` that are to go before it, when the rules have nothing to say of it by
    /// itself. False otherwise; then nothing was written.
    #[inline]
    fn record(&mut self, found: &Found<'_>, rules: &mut dyn DatasetRules, raw: &[u8]) -> bool {
        let Found { bytes, start, strings, length, breaks } = *found;
        self.strings.clear();
        if !strings.is_empty() {
            let origin = Origin { offset: 0, line: 1, column: 1, record: 0 };
            let record = Accepted { bytes, start, strings, origin, list: 0, attachments: None };
            if !rules.abridge(&record, &mut self.strings) {
                return false;
            }
        }
        self.writer.raw(raw);
        self.writer.record(length, breaks, &self.strings, bytes);
        true
    }
}

/// A record that the fast tier found clean.
struct Found<'a> {
    /// What the strings point into, and where the record begins in it; see [`Accepted`].
    bytes: &'a [u8],
    start: usize,
    strings: &'a [(u8, Range<usize>)],
    /// Bytes of it in the dataset, its line break included.
    length: usize,
    /// Places of line breaks within it, counted from its start.
    breaks: &'a [usize],
}

/// How much is read with a record of a digest that is wanted after all. To read it takes as long as to check a thousand more,
/// so where such records are many, those between them are read and checked as well.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Where the last one was, and how many bytes were read with it.
    last: u64,
    more: u64,
}

/// The most bytes that are read with a record, and the least when it is not the record alone.
const MOST_MORE: u64 = 256 << 10;
const LEAST_MORE: u64 = 4 << 10;

impl Wanted {
    /// The bytes that are to be read behind a record which begins at `at` of the dataset.
    pub(crate) fn behind(&mut self, at: u64) -> u64 {
        let is_near = at.saturating_sub(self.last) <= 4 * self.more.max(LEAST_MORE);
        self.more = if is_near { (2 * self.more).clamp(LEAST_MORE, MOST_MORE) } else { 0 };
        self.last = at;
        self.more
    }
}
