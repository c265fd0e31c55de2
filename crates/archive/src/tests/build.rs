//! Builds archives record by record, so that each field can be wrong.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    missing_docs,
    reason = "shared with the fuzz targets and an example"
)]

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// One entry, with all fields of its two headers.
#[derive(Clone)]
pub struct Part {
    pub name: Vec<u8>,
    pub local_name: Option<Vec<u8>>,
    pub flags: u16,
    pub local_flags: Option<u16>,
    pub method: u16,
    pub local_method: Option<u16>,
    /// The version that a reader needs.
    pub needs: u16,
    pub local_needs: Option<u16>,
    /// In the upper byte, the system that wrote it: 0 is DOS, 3 is Unix, 19 is macOS.
    pub made_by: u16,
    pub crc: u32,
    pub size: u64,
    pub compressed_size: u64,
    /// The compressed and the plain size in the 32-bit fields, if they differ from the sizes.
    pub sizes: Option<[u32; 2]>,
    pub local_sizes: Option<[u32; 2]>,
    pub data: Vec<u8>,
    pub attributes: u32,
    pub central_extra: Vec<u8>,
    pub local_extra: Vec<u8>,
    pub comment: Vec<u8>,
    /// Bytes written after the data.
    pub after: Vec<u8>,
    /// Uses the local header of the part with this number, and writes none.
    pub same_place_as: Option<usize>,
    /// Whether the directory omits it.
    pub unlisted: bool,
    /// Whether the sizes and the checksum are zero in the local header.
    pub zero_local: bool,
    /// Added to the offset of the local header in the directory.
    pub shift: i64,
}

pub fn crc(data: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    crc.sum()
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn stored(name: &str, data: &[u8]) -> Part {
    Part {
        name: name.as_bytes().to_vec(),
        local_name: None,
        flags: if name.is_ascii() { 0 } else { 1 << 11 },
        local_flags: None,
        method: 0,
        local_method: None,
        needs: 20,
        local_needs: None,
        made_by: 0x0314,
        crc: crc(data),
        size: data.len() as u64,
        compressed_size: data.len() as u64,
        sizes: None,
        local_sizes: None,
        data: data.to_vec(),
        attributes: 0o100_644 << 16,
        central_extra: Vec::new(),
        local_extra: Vec::new(),
        comment: Vec::new(),
        after: Vec::new(),
        same_place_as: None,
        unlisted: false,
        zero_local: false,
        shift: 0,
    }
}

pub fn deflated(name: &str, data: &[u8]) -> Part {
    let compressed = deflate(data);
    Part { method: 8, compressed_size: compressed.len() as u64, data: compressed, ..stored(name, data) }
}

/// A samples.jsonl, the first entry of most tests.
pub fn samples() -> Part {
    deflated("samples.jsonl", b"{\"input\":{\"messages\":[]}}\n")
}

/// An archive, with all fields of its end.
#[derive(Default)]
pub struct Build {
    pub prefix: Vec<u8>,
    /// Whether offsets count from the start of the file, not of the archive.
    pub offsets_know_prefix: bool,
    pub before_directory: Vec<u8>,
    pub after_directory: Vec<u8>,
    pub comment: Vec<u8>,
    pub suffix: Vec<u8>,
    pub zip64: bool,
    pub disk: u16,
    pub count: Option<u16>,
}

fn small(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Build {
    pub fn pack(&self, parts: &[Part]) -> Vec<u8> {
        let mut out = self.prefix.clone();
        let base = if self.offsets_know_prefix { 0 } else { out.len() as u64 };
        let mut places = Vec::new();
        for part in parts {
            if let Some(other) = part.same_place_as {
                places.push(places[other]);
                continue;
            }
            places.push(out.len() as u64);
            part.write_local(&mut out);
        }
        out.extend(&self.before_directory);
        let start = out.len() as u64;
        let listed: Vec<_> = parts.iter().zip(&places).filter(|(part, _)| !part.unlisted).collect();
        for (part, location) in &listed {
            part.write_central(&mut out, location.wrapping_sub(base).wrapping_add_signed(part.shift));
        }
        let size = out.len() as u64 - start;
        out.extend(&self.after_directory);
        self.write_end(&mut out, listed.len() as u64, size, start - base);
        out.extend(&self.suffix);
        out
    }

    fn write_end(&self, out: &mut Vec<u8>, count: u64, size: u64, offset: u64) {
        let mut end = End::new(count, size, offset);
        if self.zip64 {
            let at = out.len() - if self.offsets_know_prefix { 0 } else { self.prefix.len() };
            End64::new(count, size, offset).write(out);
            write_locator(at as u64, out);
            end = End::full();
        } else if let Some(count) = self.count {
            end.count_here = count;
            end.count = count;
        }
        end.disk = self.disk;
        end.directory_disk = self.disk;
        end.comment.clone_from(&self.comment);
        end.write(out);
    }
}

/// The end-of-directory record.
#[derive(Clone)]
pub struct End {
    pub disk: u16,
    pub directory_disk: u16,
    pub count_here: u16,
    pub count: u16,
    pub size: u32,
    pub offset: u32,
    pub comment: Vec<u8>,
    pub comment_length: Option<u16>,
}

impl End {
    pub fn new(count: u64, size: u64, offset: u64) -> Self {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        Self {
            disk: 0,
            directory_disk: 0,
            count_here: count,
            count,
            size: small(size),
            offset: small(offset),
            comment: Vec::new(),
            comment_length: None,
        }
    }

    /// An end record that refers to the 64-bit record for everything.
    pub fn full() -> Self {
        Self::new(u64::MAX, u64::MAX, u64::MAX)
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(b"PK\x05\x06");
        for value in [self.disk, self.directory_disk, self.count_here, self.count] {
            out.extend(value.to_le_bytes());
        }
        out.extend(self.size.to_le_bytes());
        out.extend(self.offset.to_le_bytes());
        let length = u16::try_from(self.comment.len()).unwrap();
        out.extend(self.comment_length.unwrap_or(length).to_le_bytes());
        out.extend(&self.comment);
    }
}

/// The 64-bit end-of-directory record.
#[derive(Clone)]
pub struct End64 {
    pub needs: u16,
    pub count_here: u64,
    pub count: u64,
    pub size: u64,
    pub offset: u64,
    /// The data after its fields.
    pub data: Vec<u8>,
}

impl End64 {
    pub fn new(count: u64, size: u64, offset: u64) -> Self {
        Self { needs: 45, count_here: count, count, size, offset, data: Vec::new() }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(b"PK\x06\x06");
        out.extend((44 + self.data.len() as u64).to_le_bytes());
        out.extend([45, 0]);
        out.extend(self.needs.to_le_bytes());
        out.extend([0; 8]);
        for value in [self.count_here, self.count, self.size, self.offset] {
            out.extend(value.to_le_bytes());
        }
        out.extend(&self.data);
    }
}

/// The record with the offset of the 64-bit end-of-directory record.
pub fn write_locator(at: u64, out: &mut Vec<u8>) {
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend(at.to_le_bytes());
    out.extend(1u32.to_le_bytes());
}

impl Part {
    /// The local header, the data, and the bytes after it.
    pub fn local(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_local(&mut out);
        out
    }

    /// The record of the directory.
    pub fn central(&self, location: u64) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_central(&mut out, location);
        out
    }

    fn write_local(&self, out: &mut Vec<u8>) {
        let name = self.local_name.as_ref().unwrap_or(&self.name);
        let (crc, size, compressed) =
            if self.zero_local { (0, 0, 0) } else { (self.crc, self.size, self.compressed_size) };
        out.extend(b"PK\x03\x04");
        out.extend(self.local_needs.unwrap_or(self.needs).to_le_bytes());
        out.extend(self.local_flags.unwrap_or(self.flags).to_le_bytes());
        out.extend(self.local_method.unwrap_or(self.method).to_le_bytes());
        out.extend([0, 0, 0x21, 0x58]);
        out.extend(crc.to_le_bytes());
        let [compressed, size] = self.local_sizes.unwrap_or(if self.local_extra.starts_with(&[1, 0]) {
            [u32::MAX; 2]
        } else {
            [small(compressed), small(size)]
        });
        out.extend(compressed.to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        out.extend(u16::try_from(self.local_extra.len()).unwrap().to_le_bytes());
        out.extend(name);
        out.extend(&self.local_extra);
        out.extend(&self.data);
        out.extend(&self.after);
    }

    fn write_central(&self, out: &mut Vec<u8>, location: u64) {
        out.extend(b"PK\x01\x02");
        for value in [self.made_by, self.needs, self.flags, self.method] {
            out.extend(value.to_le_bytes());
        }
        out.extend([0, 0, 0x21, 0x58]);
        out.extend(self.crc.to_le_bytes());
        let [compressed, size] = self.sizes.unwrap_or(if self.central_extra.starts_with(&[1, 0]) {
            [u32::MAX; 2]
        } else {
            [small(self.compressed_size), small(self.size)]
        });
        out.extend(compressed.to_le_bytes());
        out.extend(size.to_le_bytes());
        for length in [self.name.len(), self.central_extra.len(), self.comment.len()] {
            out.extend(u16::try_from(length).unwrap().to_le_bytes());
        }
        out.extend([0; 4]);
        out.extend(self.attributes.to_le_bytes());
        out.extend(small(location).to_le_bytes());
        out.extend(&self.name);
        out.extend(&self.central_extra);
        out.extend(&self.comment);
    }
}

pub fn pack(parts: &[Part]) -> Vec<u8> {
    Build::default().pack(parts)
}

/// A 64-bit extra field with both sizes.
pub fn zip64_sizes(part: &Part) -> Vec<u8> {
    zip64_field(&[part.size, part.compressed_size])
}

/// A 64-bit extra field with these values.
pub fn zip64_field(values: &[u64]) -> Vec<u8> {
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    extra_field(1, &values)
}

/// An extra field.
pub fn extra_field(id: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&id.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
}
