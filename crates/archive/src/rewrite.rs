//! Rewrites an archive: renames entries, omits entries, adds one, replaces the dataset, and copies the compressed data of the others.
//!
//! The `zip` crate could do this too, but would be a sixth of the engine that browsers load.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use evalcheck_core::finding::Finding;
use evalcheck_report::EntryEdit;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::Archive;
use crate::directory::RECORD_LENGTH;
use crate::entry::{Entry, Method, UTF8};
use crate::extra;
use crate::fix::Writing;
use crate::layout::SIZES_FOLLOW;
use crate::read::{Broken, Contents};
use crate::source::{CENTRAL, END, LOCAL, LittleEndian};

/// New contents of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewData {
    /// Whether they are compressed by deflate; otherwise they are stored.
    pub deflated: bool,
    /// Their CRC-32.
    pub crc32: u32,
    /// Their size in bytes.
    pub size: u64,
    /// The size of their data in the archive.
    pub compressed_size: u64,
}

/// A part of a new archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Bytes of the old archive.
    Copied(Range<u64>),
    /// Headers.
    New(Vec<u8>),
    /// The data of the new contents.
    Data,
    /// The data of the added entry.
    Added,
}

/// Versions, times ten, that a reader needs: for deflate and folders, and for 64-bit sizes.
const PLAIN: u16 = 20;
const LARGE: u16 = 45;

/// The record in the directory of an added entry: version 2.0, with the date 1 January 1980, which means no date in ZIP.
const NEW_RECORD: [u8; RECORD_LENGTH] = {
    let mut record = [0; RECORD_LENGTH];
    record[4] = 20;
    record[14] = 1 << 5 | 1;
    record
};

/// The parts of an archive of new files: their paths, with `/` between folders, and their data, which are the [`Part::Data`] in the same
/// order. The same files give the same archive.
pub fn packed<'a>(files: impl IntoIterator<Item = (&'a str, NewData)>) -> Vec<Part> {
    let mut writer = Writer::default();
    for (path, data) in files {
        writer.entry(&NEW_RECORD, &Entry::default(), path.as_bytes(), true, Some((data, Part::Data)));
    }
    writer.finish(&[])
}

impl Archive {
    /// The parts of the rewritten archive, in order. One entry may have new contents, and one may be added, by its name. Of several entries
    /// with one name, the last is written.
    pub fn rewritten(
        &self,
        edits: &[EntryEdit],
        contents: Option<(&Entry, NewData)>,
        added: Option<(&str, NewData)>,
    ) -> Vec<Part> {
        let edits: BTreeMap<&str, Option<&str>> =
            edits.iter().map(|edit| (edit.entry.as_str(), edit.rename.as_deref())).collect();
        // The edit of an entry: its new name, or `Some(None)` to remove it.
        let renamed = |entry: &Entry| edits.get(&*entry.name).copied();
        let staying = || {
            self.entries.iter().enumerate().filter_map(|(index, entry)| {
                let name = renamed(entry)
                    .map_or_else(|| Some(entry.name.to_string()), |name| name.map(str::to_owned))?;
                Some((name, index, entry))
            })
        };
        let last: BTreeMap<String, usize> = staying().map(|(name, index, _)| (name, index)).collect();
        let mut writer = Writer::default();
        for (name, index, entry) in staying() {
            if last.get(&name) != Some(&index) {
                continue;
            }
            let new =
                contents.filter(|(of, _)| of.header == entry.header).map(|(_, data)| (data, Part::Data));
            let is_renamed = renamed(entry).is_some();
            let name = if is_renamed { name.as_bytes() } else { self.raw_name(entry) };
            writer.entry(self.record(entry), entry, name, is_renamed, new);
        }
        if let Some((name, data)) = added {
            writer.entry(&NEW_RECORD, &Entry::default(), name.as_bytes(), true, Some((data, Part::Added)));
        }
        writer.finish(&self.comment)
    }

    /// The record of an entry in the directory.
    fn record(&self, entry: &Entry) -> &[u8] {
        self.directory.get(entry.record..).unwrap_or_default()
    }

    /// The name in the directory.
    fn raw_name(&self, entry: &Entry) -> &[u8] {
        let record = self.record(entry);
        record.get(RECORD_LENGTH..RECORD_LENGTH + usize::from(record.u16_at(28))).unwrap_or_default()
    }
}

/// The new archive so far.
#[derive(Default)]
struct Writer {
    parts: Vec<Part>,
    /// Its size.
    at: u64,
    directory: Vec<u8>,
    count: u64,
}

impl Writer {
    fn new_bytes(&mut self, bytes: Vec<u8>) {
        self.at += bytes.len() as u64;
        self.parts.push(Part::New(bytes));
    }

    fn entry(
        &mut self,
        record: &[u8],
        entry: &Entry,
        name: &[u8],
        is_renamed: bool,
        new: Option<(NewData, Part)>,
    ) {
        let data = entry.data.clone().unwrap_or_default();
        let old = NewData {
            deflated: entry.method == Method::Deflate,
            crc32: entry.crc32,
            size: entry.size,
            compressed_size: entry.compressed_size,
        };
        let NewData { deflated, crc32, size, compressed_size } = new.as_ref().map_or(old, |(data, _)| *data);
        let method = match (&new, deflated) {
            (None, _) => record.u16_at(10),
            (Some(_), true) => 8,
            (Some(_), false) => 0,
        };
        let header = self.at;
        let full = u64::from(u32::MAX);
        let is_large = size.max(compressed_size).max(header) >= full;
        let needed = match entry.method {
            Method::Other(_) => record.u16_at(6),
            _ if is_large => LARGE,
            _ => PLAIN,
        };
        let mut flags = record.u16_at(8) & !SIZES_FOLLOW;
        if is_renamed {
            flags = if name.is_ascii() { flags & !UTF8 } else { flags | UTF8 };
        }
        let name_length = usize::from(record.u16_at(28));
        let extra_length = usize::from(record.u16_at(30));
        let rest = record.get(RECORD_LENGTH + name_length..).unwrap_or_default();
        let (old_extra, rest) = rest.split_at(extra_length.min(rest.len()));
        let comment = rest.get(..usize::from(record.u16_at(32)).min(rest.len())).unwrap_or_default();
        // Local headers may also have times to the second, which the directory does not have; they are not copied.
        let is_name = |id| id == extra::UNICODE_NAME && !is_renamed;
        let mut local_extra = extra::filtered(old_extra, is_name);
        let mut central_extra = extra::filtered(old_extra, |id| {
            id != extra::SIZES_64 && (id != extra::UNICODE_NAME || is_name(id))
        });
        let (mut small_sizes, mut small_header) = ([compressed_size, size], header);
        if is_large {
            let sizes = [size, compressed_size];
            local_extra.extend(large_field(&sizes));
            central_extra.extend(large_field(&[size, compressed_size, header]));
            (small_sizes, small_header) = ([full, full], full);
        }
        let [small_compressed, small_size] = small_sizes;
        // Both headers have the same fields from the flags to the length of the name.
        let mut common = Vec::with_capacity(24);
        put16(&mut common, flags);
        put16(&mut common, method);
        common.extend_from_slice(record.get(12..16).unwrap_or(&[0; 4]));
        put32(&mut common, crc32.into());
        put32(&mut common, small_compressed);
        put32(&mut common, small_size);
        put16(&mut common, length(name));

        let mut local = LOCAL.to_vec();
        put16(&mut local, needed);
        local.extend_from_slice(&common);
        put16(&mut local, length(&local_extra));
        local.extend_from_slice(name);
        local.extend_from_slice(&local_extra);
        self.new_bytes(local);
        self.at += compressed_size;
        self.parts.push(new.map_or(Part::Copied(data), |(_, part)| part));

        let directory = &mut self.directory;
        directory.extend_from_slice(CENTRAL);
        put16(directory, record.u16_at(4));
        put16(directory, needed);
        directory.extend_from_slice(&common);
        put16(directory, length(&central_extra));
        put16(directory, length(comment));
        put16(directory, 0);
        directory.extend_from_slice(record.get(36..42).unwrap_or(&[0; 6]));
        put32(directory, small_header);
        directory.extend_from_slice(name);
        directory.extend_from_slice(&central_extra);
        directory.extend_from_slice(comment);
        self.count += 1;
    }

    fn finish(mut self, comment: &[u8]) -> Vec<Part> {
        let (start, size) = (self.at, self.directory.len() as u64);
        let mut end = std::mem::take(&mut self.directory);
        let is_large = self.count >= u64::from(u16::MAX) || start.max(size) >= u64::from(u32::MAX);
        if is_large {
            end.extend_from_slice(b"PK\x06\x06");
            put64(&mut end, 44);
            put16(&mut end, LARGE);
            put16(&mut end, LARGE);
            put32(&mut end, 0);
            put32(&mut end, 0);
            for value in [self.count, self.count, size, start] {
                put64(&mut end, value);
            }
            end.extend_from_slice(b"PK\x06\x07");
            put32(&mut end, 0);
            put64(&mut end, start + size);
            put32(&mut end, 1);
        }
        let or_full = |value: u64| if is_large { u64::from(u32::MAX) } else { value };
        let count = u16::try_from(self.count).ok().filter(|_| !is_large).unwrap_or(u16::MAX);
        end.extend_from_slice(END);
        put32(&mut end, 0);
        put16(&mut end, count);
        put16(&mut end, count);
        put32(&mut end, or_full(size));
        put32(&mut end, or_full(start));
        put16(&mut end, length(comment));
        end.extend_from_slice(comment);
        self.new_bytes(end);
        self.parts
    }
}

fn large_field(values: &[u64]) -> Vec<u8> {
    let mut field = Vec::new();
    put16(&mut field, extra::SIZES_64);
    put16(&mut field, u16::try_from(values.len() * 8).unwrap_or_default());
    for value in values {
        put64(&mut field, *value);
    }
    field
}

/// All lengths come from 16-bit fields, except for those of new names, which come from the paths of an archive.
fn length(bytes: &[u8]) -> u16 {
    u16::try_from(bytes.len()).unwrap_or(u16::MAX)
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Reads a dataset from its start: the file, or an entry of the file if it is a ZIP.
///
/// # Errors
/// The errors of `source` and `read`; an archive that cannot be read or has no such entry.
pub fn read_dataset<R: Read + Seek, T>(
    source: &mut R,
    entry: Option<&str>,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    source.rewind()?;
    match entry {
        Some(entry) => {
            let archive = Archive::of(source)?;
            read(&mut Contents::new(archive.last_named(entry)?, source)?)
        }
        None => read(source),
    }
}

/// Copies the contents of an entry, with changes.
pub type EditContents<'a> = &'a mut dyn FnMut(&mut dyn Read, &mut dyn Write) -> io::Result<()>;

/// Rewrites an archive, with edits of entries and new contents of one entry. `scratch` is empty, and temporarily holds the data of the new
/// contents.
///
/// # Errors
/// The errors of reading and writing; an archive that cannot be read or has no such entry.
pub fn rewrite<R: Read + Seek, S: Read + Write + Seek>(
    source: &mut R,
    sink: &mut impl Write,
    scratch: &mut S,
    edits: &[EntryEdit],
    contents: Option<(&str, EditContents<'_>)>,
) -> io::Result<()> {
    let archive = Archive::of(source)?;
    if archive.writing == Writing::Impossible {
        return Err(io::Error::other(Broken(
            "the ZIP cannot be written anew; the findings say why".to_owned(),
        )));
    }
    let mut new = None;
    if let Some((name, edit)) = contents {
        let entry = archive.last_named(name)?;
        let mut contents = Contents::new(entry, source)?;
        new = Some((entry, deflate(scratch, &mut |sink| edit(&mut contents, sink))?));
        scratch.seek(SeekFrom::Start(0))?;
    }
    for part in archive.rewritten(edits, new, None) {
        match part {
            Part::New(bytes) => sink.write_all(&bytes)?,
            Part::Data => drop(io::copy(scratch, sink)?),
            // Nothing is added.
            Part::Added => {}
            Part::Copied(range) => {
                source.seek(SeekFrom::Start(range.start))?;
                let wanted = range.end - range.start;
                if io::copy(&mut source.by_ref().take(wanted), sink)? != wanted {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
    }
    Ok(())
}

/// Compresses data and writes it to a sink.
fn deflate(
    sink: &mut impl Write,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NewData> {
    let packed = Counted { inner: sink, crc: None, size: 0 };
    let encoder = DeflateEncoder::new(packed, Compression::default());
    let mut encoder = Counted { inner: encoder, crc: Some(flate2::Crc::new()), size: 0 };
    write(&mut encoder)?;
    let Counted { inner, crc, size } = encoder;
    let crc32 = crc.map_or(0, |crc| crc.sum());
    Ok(NewData { deflated: true, crc32, size, compressed_size: inner.finish()?.size })
}

impl Archive {
    /// Opens an archive whose findings are known.
    ///
    /// # Errors
    /// The first of its findings, if it cannot be read.
    pub fn of<R: Read + Seek>(source: &mut R) -> io::Result<Self> {
        let size = source.seek(SeekFrom::End(0))?;
        let opened = Self::open(source, size);
        let why = opened.findings.first().map_or_else(String::new, Finding::message);
        opened.archive.ok_or_else(|| io::Error::other(why))
    }

    /// The last entry with this name, which is the one that counts.
    ///
    /// # Errors
    /// No entry has this name.
    pub fn last_named(&self, name: &str) -> io::Result<&Entry> {
        let entry = self.entries.iter().rfind(|entry| &*entry.name == name);
        entry.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Counts the bytes that are written, and computes their checksum.
struct Counted<W> {
    inner: W,
    crc: Option<flate2::Crc>,
    size: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        if let Some(crc) = &mut self.crc {
            crc.update(bytes.get(..n).unwrap_or_default());
        }
        self.size += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
