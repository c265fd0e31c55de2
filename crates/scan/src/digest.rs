//! What was found in a stretch of a dataset, written down for another thread: see the engine's `digest`, which says what for.
//!
//! A digest is a sequence of items. Each begins with a number of which the two lowest bits say what it is, and the others how
//! many bytes of the dataset it stands for. Behind that stand, where those bytes are written down as they are, the bytes; of a clean
//! record of which nothing is left, nothing; of another the places of line breaks in it and the strings that were left of it, the
//! number of each in front. A string is its number, its length, the byte in front of it in the record and its bytes. Numbers have
//! seven bits in each byte, the lowest first.

use std::ops::Range;

const KIND_BITS: u32 = 2;
const RAW: u64 = 0;
const CLEAN: u64 = 1;
const RECORD: u64 = 2;

/// Writes a digest.
#[derive(Debug, Default)]
pub struct Writer {
    /// The digest.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Bytes of the dataset as they are.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn raw(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.item(bytes.len(), RAW);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// A clean record of so many bytes of the dataset, its line break included; the places of line breaks within it, counted from
    /// its start; and what is left of it: the number of each string, and its range in `bytes`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn record(&mut self, length: usize, breaks: &[usize], strings: &[(u8, Range<usize>)], bytes: &[u8]) {
        if strings.is_empty() && breaks.is_empty() {
            return self.item(length, CLEAN);
        }
        self.item(length, RECORD);
        self.number(breaks.len() as u64);
        for &place in breaks {
            self.number(place as u64);
        }
        self.number(strings.len() as u64);
        for (number, range) in strings {
            self.bytes.push(*number);
            self.number(range.len() as u64);
            self.bytes.push(range.start.checked_sub(1).map_or(0, |before| bytes[before]));
            self.bytes.extend_from_slice(&bytes[range.clone()]);
        }
    }

    #[inline]
    fn item(&mut self, length: usize, kind: u64) {
        self.number((length as u64) << KIND_BITS | kind);
    }

    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }
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
///
/// ```
/// use evalcheck_scan::digest::{Item, Reader, Writer};
/// let mut writer = Writer::default();
/// writer.record(70, &[], &[(3, 1..3)], b"\"id\"");
/// let mut reader = Reader::new(&writer.bytes);
/// assert!(matches!(reader.next(), Some(Item::Record(70))));
/// let (number, place) = &reader.record.strings[0];
/// assert_eq!((*number, &reader.digest[place.clone()]), (3, &b"id"[..]));
/// assert!(reader.next().is_none());
/// ```
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

    #[cfg_attr(target_family = "wasm", inline(never))]
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
