//! An entry of a ZIP, as the directory describes it.

use std::ops::Range;
use std::rc::Rc;

/// The flags of encrypted data, of strong encryption, and of a masked local header.
pub(crate) const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// The data is a difference to the data of another file.
pub(crate) const PATCH: u16 = 1 << 5;
/// The name is UTF-8.
pub(crate) const UTF8: u16 = 1 << 11;

/// An entry of a ZIP.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, most of them bits of the directory")]
pub struct Entry {
    /// The name as text, as in the directory (the Info-ZIP Unicode name if there is a valid one).
    pub name: Rc<str>,
    /// The name in Unicode NFC.
    pub nfc: Rc<str>,
    /// The offset of its record in the directory.
    pub(crate) record: usize,
    /// The number of bytes of [`Entry::nfc`] that are the single top folder.
    pub(crate) stripped: usize,
    /// Whether the name was UTF-8 (ASCII included); otherwise it was read as code page 437.
    pub utf8: bool,
    /// The bytes of the name, if they differ from those of [`Entry::name`].
    pub(crate) raw_name: Option<Box<[u8]>>,
    /// The size of the contents in bytes, according to the directory. Not trusted for memory.
    pub size: u64,
    /// The size of the data in the archive in bytes.
    pub compressed_size: u64,
    /// The compression method of the data.
    pub method: Method,
    /// The CRC-32 of the contents, according to the directory.
    pub crc32: u32,
    /// The general purpose flags of the directory.
    pub flags: u16,
    /// The offset of the local header in the file.
    pub header: u64,
    /// The bytes of its data in the file; `None` if it has no sound data (no local header, headers that disagree, an overlap
    /// with another entry). A finding says why.
    pub data: Option<Range<u64>>,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// Whether the data is encrypted.
    pub encrypted: bool,
    /// Whether it is a symbolic link.
    pub symlink: bool,
    /// Whether loaders ignore the entry: it is under `__MACOSX/`, or its base name begins with `._`.
    pub ignored: bool,
    /// Whether it is a file that operating systems leave in folders (`.DS_Store`, `Thumbs.db`, `desktop.ini`). Loaders see such files, so
    /// they count when the top folder is stripped, but they need not be referenced.
    pub system_file: bool,
}

impl Entry {
    /// The path from the root of the dataset: [`Entry::nfc`] without the single top folder.
    pub fn path(&self) -> &str {
        self.nfc.get(self.stripped..).unwrap_or_default()
    }

    /// The single top folder, with a slash; empty without one.
    pub fn top_folder(&self) -> &str {
        self.nfc.get(..self.stripped).unwrap_or_default()
    }

    /// The part of the path after the last `/`.
    pub fn base_name(&self) -> &str {
        self.path().rsplit('/').next().unwrap_or_default()
    }

    /// The bytes of the name in the directory.
    pub fn raw_name(&self) -> &[u8] {
        self.raw_name.as_deref().unwrap_or(self.name.as_bytes())
    }

    /// Whether the directory marks the name as UTF-8. Other names are in any encoding; most are ASCII.
    pub fn is_marked_utf8(&self) -> bool {
        self.flags & UTF8 != 0
    }

    /// Whether the contents can be inflated: it is a plain file with sound data, not encrypted, and of a known method. If it is false for a
    /// file, a finding says why.
    pub fn is_readable(&self) -> bool {
        self.data.is_some()
            && !self.encrypted
            && !self.symlink
            && !self.is_dir
            && matches!(self.method, Method::Stored | Method::Deflate)
    }

    /// Whether it is a file that a loader sees: neither a folder nor ignored.
    pub fn is_file(&self) -> bool {
        !self.is_dir && !self.ignored
    }
}

/// The compression method of an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// No compression.
    #[default]
    Stored,
    /// Deflate.
    Deflate,
    /// A method that loaders do not read, by its number.
    Other(u16),
}

impl Method {
    pub(crate) const fn from_number(number: u16) -> Self {
        match number {
            0 => Self::Stored,
            8 => Self::Deflate,
            other => Self::Other(other),
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = match *self {
            Self::Stored => return f.write_str("stored"),
            Self::Deflate => return f.write_str("deflate"),
            Self::Other(number) => number,
        };
        let name = match number {
            1 => "Shrink",
            2..=5 => "Reduce",
            6 => "Implode",
            9 => "Deflate64",
            10 => "PKWARE DCL Implode",
            12 => "BZIP2",
            14 => "LZMA",
            16 => "IBM z/OS CMPSC",
            18 => "IBM TERSE",
            19 => "IBM LZ77",
            20 | 93 => "Zstandard",
            94 => "MP3",
            95 => "XZ",
            96 => "JPEG",
            97 => "WavPack",
            98 => "PPMd",
            99 => "AES encryption",
            _ => return write!(f, "an unknown method (number {number})"),
        };
        write!(f, "{name} (method {number})")
    }
}

/// An entry while the archive is opened.
pub(crate) struct Listed {
    pub(crate) entry: Entry,
    /// The range of the name in [`End::bytes`]. The local header has to repeat these bytes.
    pub(crate) name: Range<usize>,
    /// Whether its data may be read.
    pub(crate) sound: bool,
    /// Its kind by its attributes, if they say that it is not a file.
    pub(crate) marked: Option<&'static str>,
    /// The version, times ten, that a reader needs.
    pub(crate) needs: u16,
    /// The first byte of the name that is not UTF-8, if the name is marked as UTF-8.
    pub(crate) bad_utf8: Option<usize>,
    /// The name for readers that do not know the field with the name in Unicode, if it differs from that one.
    pub(crate) plain_name: Option<Box<[u8]>>,
}

impl Listed {
    pub(crate) fn into_entry(mut self) -> Entry {
        if !self.sound {
            self.entry.data = None;
        }
        self.entry
    }
}

/// The end of a message that applies to this many other entries.
pub(crate) fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "; the same is true of 1 other entry".to_owned(),
        n => format!("; the same is true of {n} other entries"),
    }
}
