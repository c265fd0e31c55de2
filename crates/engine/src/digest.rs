//! What the fast tier found in a stretch of a file, for a check that goes on elsewhere.
//!
//! A check is one sequence: ids are compared with those before, findings have numbers, a header governs what follows.
//! Most of its time goes into the fast tier, though, which looks at each line by itself. So a [`Digester`] runs that
//! tier over a stretch of the file, on another thread, and writes down what came of it: of a clean line in which no rule
//! wants to see a value its length, of any other its bytes. [`crate::job::Job::take_digest`] puts that in the place of the
//! bytes. The report cannot differ, because everything that is said is still said by the one check, in order; where a line
//! of which only the length is known is wanted after all (one before it did not end), the job reads it.
//!
//! Stretches may begin and end anywhere: what a stretch has of its first and its last line is written down as bytes.
//! For formats whose rules want to see something of every record a digest is no shorter than the file, and two workers are
//! slower than one ([`crate::job::Job::gains_by_helpers`]; to pass on the values alone was no better).

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use crate::formats::TextPolicy;
use crate::job::Job;
use crate::one_source::{Source, erased};
use crate::records::lines::MAX_LINE;
use crate::scan::buffer::Buffer;
use crate::scan::{self, Scratch};
use crate::shape::Shape;

/// The most bytes that are looked at for the header of a dataset before its stretches are digested.
const MOST_OF_HEADER: u64 = 1 << 20;

// A digest is a sequence of items. Each begins with a number of which the lowest bit says what it is, and the others how
// many bytes of the dataset it stands for.
const RAW: u64 = 0;
const CLEAN: u64 = 1;

/// Digests stretches of one file.
#[derive(Debug)]
pub struct Digester {
    shape: &'static Shape,
    texts: TextPolicy,
    scratch: Scratch,
    buffer: Buffer,
    /// The stretch is still in the line that it began in.
    in_first_line: bool,
    digest: Vec<u8>,
}

impl Digester {
    /// Makes ready for the same file and the same options as the check's. `None` where its bytes are no lines that can
    /// be looked at one by one: in an archive, a CSV, a document, and while there is no end to the header.
    ///
    /// # Errors
    /// The source's own.
    pub fn open<R: Read + Seek>(source: &mut R, job: Job) -> std::io::Result<Option<Self>> {
        Self::open_erased(erased(source), job)
    }

    fn open_erased(source: &mut dyn Source, mut job: Job) -> std::io::Result<Option<Self>> {
        while job.digestible().is_none() {
            let Some(Range { start, .. }) = job.wanted().filter(|wanted| wanted.start < MOST_OF_HEADER)
            else {
                return Ok(None);
            };
            if !job.has_lines() {
                return Ok(None);
            }
            source.seek(SeekFrom::Start(start))?;
            match source.read(job.space(4096))? {
                0 => return Ok(None),
                n => job.advance(n),
            }
        }
        Ok(job.digestible().map(|(shape, texts)| Self {
            shape,
            texts,
            scratch: Scratch::default(),
            buffer: Buffer::default(),
            in_first_line: true,
            digest: Vec::new(),
        }))
    }

    /// Room for the bytes of the stretch that come next.
    pub fn space(&mut self, room: usize) -> &mut [u8] {
        self.buffer.space(room)
    }

    /// Takes `n` bytes of the space as read, and digests the lines that are whole now.
    pub fn advance(&mut self, n: usize) {
        self.buffer.advance(n);
        let held = self.buffer.held();
        let fresh = held.len() - n.min(held.len());
        let Some(last) = memchr::memrchr(b'\n', &held[fresh..]).map(|place| fresh + place) else { return };
        let mut start = 0;
        if self.in_first_line {
            start = memchr::memchr(b'\n', held).map_or(0, |newline| newline + 1);
            raw(&mut self.digest, &held[..start]);
            self.in_first_line = false;
        }
        scan::begin_piece(held.get(start..=last).unwrap_or_default(), &mut self.scratch);
        // Lines that are not clean, one after the other.
        let mut doubtful = start;
        while start <= last {
            let bytes = self.buffer.with_padding();
            let end = scan::line(bytes, start, self.shape, self.texts, &mut self.scratch);
            let held = self.buffer.held();
            let says_nothing = |end: &usize| self.scratch.captures.is_empty() && end - start <= MAX_LINE;
            if let Some(end) = end.map(|end| end + 1).ok().filter(says_nothing) {
                raw(&mut self.digest, &held[doubtful..start]);
                number(&mut self.digest, ((end - start) as u64) << 1 | CLEAN);
                start = end;
                doubtful = end;
            } else {
                let newline = memchr::memchr(b'\n', &held[start..]);
                start = newline.map_or(last + 1, |newline| start + newline + 1);
            }
        }
        scan::end_piece(&mut self.scratch);
        raw(&mut self.digest, &self.buffer.held()[doubtful..start]);
        self.buffer.consume(start);
    }

    /// The stretch is at its end; the next bytes are those of another.
    pub fn end_stretch(&mut self) {
        raw(&mut self.digest, self.buffer.held());
        self.buffer.consume(self.buffer.held().len());
        self.in_first_line = true;
    }

    /// What was digested since the last call. The caller gives it back empty, so that its memory is used again.
    pub fn digest(&mut self) -> &mut Vec<u8> {
        &mut self.digest
    }
}

fn raw(out: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.is_empty() {
        number(out, (bytes.len() as u64) << 1 | RAW);
        out.extend_from_slice(bytes);
    }
}

/// A number in as few bytes as it needs, seven bits in each, the lowest first.
fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// One item of a digest.
#[derive(Debug)]
pub enum Item<'a> {
    /// Bytes of the dataset as they are.
    Raw(&'a [u8]),
    /// A clean line of so many bytes, its line break included, in which no rule wants to see a value.
    Clean(u64),
}

/// Reads a digest.
#[derive(Debug)]
pub struct Reader<'a> {
    digest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// From its start.
    pub fn new(digest: &'a [u8]) -> Self {
        Self { digest, at: 0 }
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.digest.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        let head = self.number()?;
        let length = head >> 1;
        if head & 1 == CLEAN {
            return Some(Item::Clean(length));
        }
        let from = self.at;
        self.at += usize::try_from(length).ok()?;
        self.digest.get(from..self.at).map(Item::Raw)
    }
}
