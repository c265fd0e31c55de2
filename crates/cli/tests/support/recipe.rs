//! Inputs that are described instead of committed: large ones, files with bytes that no editor shows, and archives with headers that are
//! wrong on purpose, which no ordinary program writes.

use std::io::Write;

use serde::Deserialize;

/// `input.recipe.json`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recipe {
    /// The name under which the file is checked.
    pub(crate) name: String,
    /// The bytes of a file.
    #[serde(default)]
    bytes: Vec<Piece>,
    /// Or an archive.
    zip: Option<Zip>,
}

/// Some bytes: text, or hexadecimal digits with any spaces between them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    #[serde(default)]
    text: String,
    #[serde(default)]
    hex: String,
    /// The number of repetitions.
    #[serde(default = "once")]
    times: usize,
}

const fn once() -> usize {
    1
}

/// An archive. Unspecified values are correct.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Zip {
    entries: Vec<Entry>,
    /// Bytes before the first entry; offsets count from the start of the file.
    #[serde(default)]
    before: Vec<Piece>,
    /// Bytes between the last entry and the directory.
    #[serde(default)]
    before_directory: Vec<Piece>,
    /// Bytes after the end.
    #[serde(default)]
    after: Vec<Piece>,
    /// The comment at the end.
    #[serde(default)]
    comment: Vec<Piece>,
    #[serde(default)]
    end: End,
    /// The file is truncated after this many bytes.
    cut: Option<usize>,
}

/// The values of the end-of-directory record.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct End {
    disk: u16,
    entries: Option<u16>,
    directory_size: Option<u32>,
    directory_offset: Option<u32>,
}

/// An entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    name: Vec<Piece>,
    #[serde(default)]
    content: Vec<Piece>,
    /// Whether it is compressed with deflate; otherwise it is stored.
    #[serde(default)]
    deflate: bool,
    /// Whether sizes and CRC-32 are after the data, as programs write that cannot seek back.
    #[serde(default)]
    descriptor: bool,
    /// Bytes before its header.
    #[serde(default)]
    before: Vec<Piece>,
    /// Values of its own header that differ.
    #[serde(default)]
    local: Header,
    /// Values of the directory that differ.
    #[serde(default)]
    central: Header,
    /// Whether the directory omits it.
    #[serde(default)]
    unlisted: bool,
    /// The number of the entry that the directory points to instead; then it has no bytes of its own.
    same_as: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Header {
    name: Option<Vec<Piece>>,
    flags: Option<u16>,
    method: Option<u16>,
    crc: Option<u32>,
    compressed: Option<u32>,
    size: Option<u32>,
    /// Offset of the entry's own header.
    offset: Option<u32>,
    /// Unix mode, 0o120777 = 41471 for a symbolic link.
    mode: Option<u16>,
    /// The version that a reader needs, times ten.
    needs: Option<u8>,
}

/// Flag: sizes and CRC-32 are after the data.
const DESCRIPTOR: u16 = 1 << 3;

/// Flag: the name is UTF-8.
const UTF8: u16 = 1 << 11;

impl Recipe {
    pub(crate) fn read(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The file.
    pub(crate) fn make(&self) -> Vec<u8> {
        let mut out = concat(&self.bytes);
        if let Some(zip) = &self.zip {
            zip.write(&mut out);
        }
        out
    }

    /// The content of the last entry with this name.
    pub(crate) fn entry(&self, name: &str) -> Option<Vec<u8>> {
        let entries = &self.zip.as_ref()?.entries;
        entries
            .iter()
            .rev()
            .find(|entry| concat(&entry.name) == name.as_bytes())
            .map(|entry| concat(&entry.content))
    }
}

fn concat(pieces: &[Piece]) -> Vec<u8> {
    pieces
        .iter()
        .flat_map(|piece| [piece.text.as_bytes(), &unhex(&piece.hex)].concat().repeat(piece.times))
        .collect()
}

fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter(|c| *c != ' ').map(|c| c.to_digit(16).unwrap()).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).unwrap()).collect()
}

/// A number of the archive; recipes keep it small.
fn u32_of(length: usize) -> u32 {
    u32::try_from(length).unwrap()
}

fn u16_of(length: usize) -> u16 {
    u16::try_from(length).unwrap()
}

impl Zip {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(concat(&self.before));
        let offsets: Vec<u32> = self.entries.iter().map(|entry| entry.write(out)).collect();
        out.extend(concat(&self.before_directory));
        let start = out.len();
        let listed: Vec<_> = self.entries.iter().zip(&offsets).filter(|(entry, _)| !entry.unlisted).collect();
        for (entry, offset) in &listed {
            let (source, offset) =
                entry.same_as.map_or((*entry, **offset), |at| (&self.entries[at], offsets[at]));
            entry.list(source, offset, out);
        }
        let size = u32_of(out.len() - start);
        let count = self.end.entries.unwrap_or(u16_of(listed.len()));
        let comment = concat(&self.comment);
        out.extend(b"PK\x05\x06");
        for number in [self.end.disk, self.end.disk, count, count] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.end.directory_size.unwrap_or(size).to_le_bytes());
        out.extend(self.end.directory_offset.unwrap_or(u32_of(start)).to_le_bytes());
        out.extend(u16_of(comment.len()).to_le_bytes());
        out.extend(comment);
        out.extend(concat(&self.after));
        out.truncate(self.cut.unwrap_or(usize::MAX));
    }
}

impl Entry {
    fn packed(&self) -> Vec<u8> {
        let content = concat(&self.content);
        if !self.deflate {
            return content;
        }
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&content).unwrap();
        encoder.finish().unwrap()
    }

    /// Writes header and data; returns the header's offset.
    fn write(&self, out: &mut Vec<u8>) -> u32 {
        out.extend(concat(&self.before));
        let offset = u32_of(out.len());
        if self.same_as.is_some() {
            return offset;
        }
        let name = self.local.name.as_ref().map_or_else(|| concat(&self.name), |name| concat(name));
        out.extend(b"PK\x03\x04");
        self.local.write(self, self.descriptor, out);
        out.extend(u16_of(name.len()).to_le_bytes());
        out.extend([0, 0]);
        out.extend(name);
        out.extend(self.packed());
        if self.descriptor {
            out.extend(b"PK\x07\x08");
            out.extend(self.sums(&Header::default()));
        }
        offset
    }

    /// Writes the line of the directory; `source` has the data.
    fn list(&self, source: &Self, offset: u32, out: &mut Vec<u8>) {
        let name = self.central.name.as_ref().map_or_else(|| concat(&self.name), |name| concat(name));
        // Made on Unix, so that the mode is used.
        out.extend(b"PK\x01\x02\x14\x03");
        self.central.write(source, false, out);
        out.extend(u16_of(name.len()).to_le_bytes());
        out.extend([0; 8]);
        out.extend((u32::from(self.central.mode.unwrap_or(0o100_644)) << 16).to_le_bytes());
        out.extend(self.central.offset.unwrap_or(offset).to_le_bytes());
        out.extend(name);
    }

    fn sums(&self, header: &Header) -> Vec<u8> {
        let content = concat(&self.content);
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        let sums = [
            header.crc.unwrap_or(crc.sum()),
            header.compressed.unwrap_or(u32_of(self.packed().len())),
            header.size.unwrap_or(u32_of(content.len())),
        ];
        sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }
}

impl Header {
    /// Writes the fields that both headers share: version, flags, method, time, sums.
    fn write(&self, source: &Entry, sums_later: bool, out: &mut Vec<u8>) {
        out.extend([self.needs.unwrap_or(20), 0]);
        let flags = UTF8 | if source.descriptor { DESCRIPTOR } else { 0 };
        out.extend(self.flags.unwrap_or(flags).to_le_bytes());
        out.extend(self.method.unwrap_or(if source.deflate { 8 } else { 0 }).to_le_bytes());
        // The first day that a ZIP can name.
        out.extend(b"\0\0\x21\0");
        if sums_later { out.extend([0; 12]) } else { out.extend(source.sums(self)) }
    }
}
