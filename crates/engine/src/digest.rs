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
use crate::one_source::{Source, erased};
use crate::records::Records;
use crate::rules::dataset_rules::{Accepted, DatasetRules};
use crate::scan::buffer::Buffer;
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
        digest.raw(self.buffer.held());
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
    pub fn open<R: Read + Seek>(source: &mut R, job: Job) -> std::io::Result<Option<Self>> {
        Self::open_erased(erased(source), job)
    }

    fn open_erased(mut source: Source<'_>, mut job: Job) -> std::io::Result<Option<Self>> {
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
        &mut self.digest.bytes
    }
}

// A digest is a sequence of items. Each begins with a number of which the two lowest bits say what it is, and the others how
// many bytes of the dataset it stands for.
const KIND_BITS: u32 = 2;
const RAW: u64 = 0;
const CLEAN: u64 = 1;
/// Behind it: the places of line breaks in the record and the strings that were left of it, the number of each in front. A
/// string is its number, its length, the byte in front of it in the record and its bytes.
const RECORD: u64 = 2;

/// What was digested.
#[derive(Debug, Default)]
struct Digest {
    bytes: Vec<u8>,
    /// The strings of the record at hand that the rules want to see.
    strings: Vec<(u8, Range<usize>)>,
}

impl Digest {
    /// Bytes of the dataset as they are.
    fn raw(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.item(bytes.len(), RAW);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// A record, so many bytes behind those `raw` that are to go before it, when the rules have nothing to say of it by
    /// itself. False otherwise; then nothing was written.
    #[inline]
    fn record(&mut self, found: &Found<'_>, rules: &mut dyn DatasetRules, raw: &[u8]) -> bool {
        self.strings.clear();
        if !found.strings.is_empty() {
            let origin = Origin { offset: 0, line: 1, column: 1, record: 0 };
            let Found { bytes, start, strings, .. } = *found;
            let record = Accepted { bytes, start, strings, origin, list: 0, attachments: None };
            if !rules.abridge(&record, &mut self.strings) {
                return false;
            }
        }
        self.raw(raw);
        if self.strings.is_empty() && found.breaks.is_empty() {
            self.item(found.length, CLEAN);
            return true;
        }
        self.item(found.length, RECORD);
        self.number(found.breaks.len());
        for &place in found.breaks {
            self.number(place);
        }
        self.number(self.strings.len());
        let strings = std::mem::take(&mut self.strings);
        for (number, range) in &strings {
            let before = range.start.checked_sub(1).map_or(0, |before| found.bytes[before]);
            self.bytes.push(*number);
            self.number(range.len());
            self.bytes.push(before);
            self.bytes.extend_from_slice(&found.bytes[range.clone()]);
        }
        self.strings = strings;
        true
    }

    fn item(&mut self, length: usize, kind: u64) {
        self.varint((length as u64) << KIND_BITS | kind);
    }

    fn number(&mut self, number: usize) {
        self.varint(number as u64);
    }

    /// A number in as few bytes as it needs, seven bits in each, the lowest first.
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
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

/// One item of a digest.
#[derive(Debug)]
pub enum Item<'a> {
    /// Bytes of the dataset as they are.
    Raw(&'a [u8]),
    /// A clean record of so many bytes, its line break included. What is left of it is in [`Reader::record`].
    Record(u64),
}

/// What is left of a clean record.
#[derive(Debug, Default)]
pub struct Abridged {
    /// Places of line breaks within it, counted from its start.
    pub breaks: Vec<u64>,
    /// The number of each string that its rules want to see, and its place in the digest.
    pub strings: Vec<(u8, Range<usize>)>,
}

/// Reads a digest.
#[derive(Debug)]
pub struct Reader<'a> {
    /// The digest.
    pub digest: &'a [u8],
    at: usize,
    /// Of the record that was come to last.
    pub record: Abridged,
}

impl<'a> Reader<'a> {
    /// From its start.
    pub fn new(digest: &'a [u8]) -> Self {
        Self { digest, at: 0, record: Abridged::default() }
    }

    /// Goes past records, at least so many bytes of the dataset where there are as many before the next that is there as it
    /// is. Gives how many bytes they are.
    pub fn skip_records(&mut self, least: u64) -> u64 {
        let mut skipped = 0;
        while skipped < least {
            let at = self.at;
            let Some(Item::Record(length)) = self.next() else {
                self.at = at;
                break;
            };
            skipped += length;
        }
        skipped
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.digest.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The bytes that follow, so many of them.
    #[inline]
    fn range(&mut self, length: u64) -> Option<Range<usize>> {
        let from = self.at;
        self.at = from.checked_add(usize::try_from(length).ok()?).filter(|&to| to <= self.digest.len())?;
        Some(from..self.at)
    }

    #[inline]
    fn abridged(&mut self) -> Option<()> {
        for _ in 0..self.number()? {
            let place = self.number()?;
            self.record.breaks.push(place);
        }
        for _ in 0..self.number()? {
            let number = self.byte()?;
            let length = self.number()?;
            self.byte()?;
            let range = self.range(length)?;
            self.record.strings.push((number, range));
        }
        Some(())
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        self.record.breaks.clear();
        self.record.strings.clear();
        let head = self.number()?;
        let length = head >> KIND_BITS;
        match head & ((1 << KIND_BITS) - 1) {
            RAW => {
                let range = self.range(length)?;
                self.digest.get(range).map(Item::Raw)
            }
            CLEAN => Some(Item::Record(length)),
            _ => {
                self.abridged()?;
                Some(Item::Record(length))
            }
        }
    }
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
