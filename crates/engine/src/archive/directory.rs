//! The directory: parsed by the `zip` crate, with the raw records beside it for what the crate leaves out.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

use unicode_normalization::UnicodeNormalization;
use zip::read::{ArchiveOffset, Config};
use zip::unstable::read::ZipIterable;

use super::end::{CENTRAL, End};
use super::source::Fields;
use super::{Entry, MAX_ENTRIES, Method, names};
use crate::rules::Zip;

const RECORD_LENGTH: usize = 46;
const SIGNATURE: &[u8] = b"PK\x05\x05";

/// An entry while the archive is opened.
pub(super) struct Listed {
    pub(super) entry: Entry,
    /// Where the name stands in [`End::bytes`]: the bytes that the local header has to repeat.
    pub(super) name: Range<usize>,
    /// False when its data must not be read.
    pub(super) sound: bool,
}

impl Listed {
    pub(super) fn into_entry(mut self) -> Entry {
        if !self.sound {
            self.entry.data = None;
        }
        self.entry
    }
}

/// The fields of a directory record that are compared with the local header as they stand.
struct Record {
    at: usize,
    flags: u16,
    method: u16,
    name: Range<usize>,
}

pub(super) fn read(end: &End) -> Result<Vec<Listed>, Zip> {
    let records = walk(end)?;
    let found = records.len() as u64;
    if found != end.count {
        return Err(Zip::EntryCount { declared: end.count, found });
    }
    let damaged = |why: String| Zip::Damaged { why };
    let config = Config { archive_offset: ArchiveOffset::Known(end.base) };
    let view = View { start: end.start, bytes: &end.bytes, position: 0 };
    let mut directory = ZipIterable::try_new(view, config).map_err(|error| damaged(error.to_string()))?;
    if directory.len() as u64 != found {
        return Err(Zip::Ambiguous { what: "two ways of reading it find different directories".to_owned() });
    }
    let parsed = directory.files().map_err(|error| damaged(error.to_string()))?;
    let mut listed = Vec::with_capacity(records.len());
    for (record, parsed) in records.into_iter().zip(parsed) {
        let parsed = parsed.map_err(|error| damaged(format!("entry {}: {error}", listed.len() + 1)))?;
        if parsed.central_header_start() != end.start + record.at as u64 {
            return Err(Zip::Ambiguous {
                what: "two ways of reading it find different directories".to_owned(),
            });
        }
        let raw_name = parsed.name_raw();
        let name: Rc<str> = match parsed.name() {
            Ok(name) => name.as_ref().into(),
            Err(_) => String::from_utf8_lossy(raw_name).into(),
        };
        let nfc: Rc<str> = if name.is_ascii() { name.clone() } else { name.nfc().collect::<String>().into() };
        let entry = Entry {
            utf8: simdutf8::basic::from_utf8(raw_name).is_ok(),
            raw_name: (raw_name != name.as_bytes()).then(|| raw_name.into()),
            stripped: 0,
            size: parsed.size(),
            compressed_size: parsed.compressed_size(),
            method: Method::from_number(record.method),
            crc32: parsed.crc32(),
            flags: record.flags,
            header: parsed.header_start(),
            data: None,
            is_dir: parsed.is_dir(),
            encrypted: parsed.encrypted(),
            symlink: parsed.is_symlink(),
            ignored: names::is_ignored(&nfc),
            litter: names::is_litter(&nfc),
            name,
            nfc,
        };
        listed.push(Listed { entry, name: record.name, sound: true });
    }
    Ok(listed)
}

/// The records of the directory one after the other, to its end. The crate stops at the number of entries that the
/// end record names; this goes as far as its size says.
fn walk(end: &End) -> Result<Vec<Record>, Zip> {
    let damaged = |why: String| Zip::Damaged { why };
    let directory = end.bytes.get(..end.directory_size).unwrap_or_default();
    let mut records = Vec::with_capacity(directory.len() / (RECORD_LENGTH + 16));
    let mut at = 0;
    while at < directory.len() {
        let rest = directory.get(at..).unwrap_or_default();
        if rest.starts_with(SIGNATURE) && rest.len() == 6 + usize::from(rest.u16_at(4)) {
            break;
        }
        if !rest.starts_with(CENTRAL) || rest.len() < RECORD_LENGTH {
            return Err(damaged(format!("it breaks off after {} entries", records.len())));
        }
        if !matches!(rest.u16_at(34), 0 | u16::MAX) {
            return Err(Zip::MultiDisk);
        }
        let name_length = usize::from(rest.u16_at(28));
        let length =
            RECORD_LENGTH + name_length + usize::from(rest.u16_at(30)) + usize::from(rest.u16_at(32));
        if length > rest.len() {
            return Err(damaged(format!("it breaks off in entry {}", records.len() + 1)));
        }
        let name = at + RECORD_LENGTH..at + RECORD_LENGTH + name_length;
        records.push(Record { at, flags: rest.u16_at(8), method: rest.u16_at(10), name });
        if records.len() as u64 > MAX_ENTRIES {
            return Err(Zip::TooManyEntries { found: records.len() as u64, limit: MAX_ENTRIES });
        }
        at += length;
    }
    Ok(records)
}

/// The end of the file, in memory, at its place in the file. What stands before it reads as zeros: the crate looks
/// for the end record through this, and parses the directory.
struct View<'a> {
    start: u64,
    bytes: &'a [u8],
    position: u64,
}

impl Read for View<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(offset) = self.position.checked_sub(self.start) else {
            let before = usize::try_from(self.start - self.position).unwrap_or(usize::MAX).min(buffer.len());
            buffer.get_mut(..before).unwrap_or_default().fill(0);
            self.position += before as u64;
            return Ok(before);
        };
        let rest = usize::try_from(offset).ok().and_then(|offset| self.bytes.get(offset..)).unwrap_or(&[]);
        let n = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.position += n as u64;
        Ok(n)
    }
}

impl Seek for View<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => {
                self.start.checked_add(self.bytes.len() as u64).and_then(|end| end.checked_add_signed(offset))
            }
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
