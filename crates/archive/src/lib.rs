//! ZIP archives: what they hold, whether every reader sees the same in them, and the bytes of their entries.
//!
//! [`Archive::open`] reads the directory and the local headers once and says all that is wrong with the archive as
//! such. The bytes of an entry are then read from [`Entry::data`] by whoever drives the engine and pushed through an
//! [`Inflater`]; nothing here reads contents.
//!
//! What decides between readers is checked: which end record counts, duplicates, overlaps, bytes that belong to no
//! entry, and whether the directory and the local headers say the same. Declared sizes and counts are never trusted
//! for memory or work: see the limits below.
//!
//! ```
//! use std::io::Cursor;
//! use evalcheck_archive::Archive;
//!
//! let bytes = b"not a ZIP";
//! let opened = Archive::open(&mut Cursor::new(bytes), bytes.len() as u64);
//! assert!(opened.archive.is_none());
//! assert_eq!(opened.findings[0].problem.rule().code, "zip/not-a-zip");
//! ```

mod attachments;
mod dataset;
mod directory;
mod end;
mod extra;
mod inflate;
mod layout;
mod names;
pub mod rules;
mod source;
#[cfg(test)]
mod tests;

use std::io::{Read, Seek};
use std::ops::Range;
use std::rc::Rc;

use crate::rules::{Bytes, Zip};
use evalcheck_core::finding::{Finding, Location};

pub use attachments::{AttachmentCheck, Attachments, RefProblem};
pub use inflate::{Inflater, Limits, Step};

/// The most entries that are read. An entry costs some 300 bytes of memory here, and a dataset has at most 50,000
/// samples: this leaves four files for each.
pub const MAX_ENTRIES: u64 = 200_000;

/// The largest directory that is read, in bytes: it is held in memory while the archive is opened. 200,000 entries
/// with names of 200 bytes fit.
pub const MAX_DIRECTORY_BYTES: u64 = 64 << 20;

/// The most bytes that are looked through for hidden entries between the listed ones (and before the first). Where
/// there is more, the finding about bytes that belong to no entry still names all of them.
pub const MAX_GAP_SCAN: u64 = 16 << 20;

/// The most bytes that one entry may inflate to: about half a minute of work in a browser. A larger dataset is
/// better dropped as a bare `.jsonl`.
pub const MAX_ENTRY_INFLATED: u64 = 16 << 30;

/// The most bytes that one [`Inflater`] inflates over all entries it is used for: about two minutes of work.
pub const MAX_TOTAL_INFLATED: u64 = 64 << 30;

/// How many times its compressed size an entry may inflate to, once it is past [`RATIO_FLOOR`]. JSON Lines come to 5
/// to 50; deflate itself ends at 1,032, which only made-up data reaches.
pub const MAX_RATIO: u64 = 200;

/// Below this many inflated bytes (two seconds of work) no ratio is held against an entry: generated test data
/// compresses without measure and harms nobody.
pub const RATIO_FLOOR: u64 = 1 << 30;

/// What [`Archive::open`] came to.
#[derive(Debug)]
pub struct Opened {
    /// The archive; `None` when its directory can't be read, or can be read in more than one way.
    pub archive: Option<Archive>,
    /// What is wrong with the archive, in the order of its directory; what concerns the whole comes first. There is
    /// at least one error when there is no archive.
    pub findings: Vec<Finding>,
}

/// A ZIP whose directory was read.
#[derive(Debug)]
pub struct Archive {
    entries: Vec<Entry>,
    top_folder: Option<Rc<str>>,
}

/// An entry of a ZIP.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, most of them bits of the directory")]
pub struct Entry {
    /// The name as text, as it stands in the directory (the Info-ZIP Unicode name where there is a valid one).
    pub name: Rc<str>,
    /// The name in Unicode NFC.
    pub nfc: Rc<str>,
    /// How many bytes of [`Entry::nfc`] the single top folder takes.
    stripped: usize,
    /// True when the name was UTF-8 (ASCII included); otherwise it was read as code page 437.
    pub utf8: bool,
    /// The bytes of the name, where they are not those of [`Entry::name`].
    raw_name: Option<Box<[u8]>>,
    /// Size of the contents in bytes, as the directory says. Not to be trusted for memory.
    pub size: u64,
    /// Size of the data in the archive in bytes.
    pub compressed_size: u64,
    /// How the data is compressed.
    pub method: Method,
    /// CRC-32 of the contents, as the directory says.
    pub crc32: u32,
    /// The general purpose flags of the directory.
    pub flags: u16,
    /// Where the local header begins, in bytes from the start of the file.
    pub header: u64,
    /// Where the data lies in the file; `None` when there is no sound data for it (no local header, headers that
    /// disagree, an overlap with another entry). A finding said why.
    pub data: Option<Range<u64>>,
    /// True for a folder.
    pub is_dir: bool,
    /// True when the data is encrypted.
    pub encrypted: bool,
    /// True for a symbolic link.
    pub symlink: bool,
    /// True for what loaders pass over: entries under `__MACOSX/`, and base names that begin with `._`.
    pub ignored: bool,
    /// True for litter of operating systems (`.DS_Store`, `Thumbs.db`, `desktop.ini`). Loaders see it as a file, so
    /// it counts where folders are stripped; it is just not worth a warning that nothing references it.
    pub litter: bool,
}

impl Entry {
    /// The path from the root of the dataset: [`Entry::nfc`] without the single top folder.
    pub fn path(&self) -> &str {
        self.nfc.get(self.stripped..).unwrap_or_default()
    }

    /// The part of the path after the last `/`.
    pub fn base_name(&self) -> &str {
        self.path().rsplit('/').next().unwrap_or_default()
    }

    /// The bytes of the name in the directory.
    pub fn raw_name(&self) -> &[u8] {
        self.raw_name.as_deref().unwrap_or(self.name.as_bytes())
    }

    /// True when the contents can be inflated: a plain file with sound data, not encrypted, of a known method.
    /// Where it is false for a file, a finding said why.
    pub fn is_readable(&self) -> bool {
        self.data.is_some()
            && !self.encrypted
            && !self.symlink
            && !self.is_dir
            && matches!(self.method, Method::Stored | Method::Deflate)
    }

    /// True for a file that a loader sees: no folder, not passed over.
    pub fn is_file(&self) -> bool {
        !self.is_dir && !self.ignored
    }
}

/// How an entry is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Not at all.
    Stored,
    /// Deflate.
    Deflate,
    /// Something that loaders do not read; the number of the method.
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

impl Archive {
    /// Reads the directory and the local headers of a ZIP of `size` bytes. Never panics; what is wrong is a finding.
    ///
    /// Reads at most [`MAX_DIRECTORY_BYTES`] and some KiB for each entry, forwards and in large pieces where the
    /// entries are small.
    pub fn open<R: Read + Seek>(source: &mut R, size: u64) -> Opened {
        let mut log = Log::default();
        let archive = match Self::read(source, size, &mut log) {
            Ok(archive) => Some(archive),
            Err(problem) => {
                log.whole(problem);
                None
            }
        };
        Opened { archive, findings: log.into_findings() }
    }

    fn read<R: Read + Seek>(source: &mut R, size: u64, log: &mut Log) -> Result<Self, Zip> {
        let mut source = source::Source::new(source, size);
        let end = end::find(&mut source)?;
        if end.after > 0 {
            log.whole(Zip::DataAfterEnd { bytes: Bytes(end.after) });
        }
        let mut listed = directory::read(&end)?;
        names::examine(&listed, log);
        let top_folder = names::strip_top_folder(&mut listed);
        for (index, listed) in listed.iter_mut().enumerate() {
            examine_entry(index, listed, log);
        }
        layout::check(&mut source, &end, &mut listed, log)?;
        Ok(Self { top_folder, entries: listed.into_iter().map(directory::Listed::into_entry).collect() })
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The single top folder that was stripped, without a slash.
    pub fn top_folder(&self) -> Option<&str> {
        self.top_folder.as_deref()
    }
}

/// Findings while they are made, each with the entry it is about, so that they end up in the order of the directory
/// whatever the order of the checks.
#[derive(Default)]
struct Log(Vec<(Option<usize>, Finding)>);

impl Log {
    fn whole(&mut self, problem: Zip) {
        self.0.push((None, Finding::new(problem, Location::file())));
    }

    fn entry(&mut self, index: usize, entry: &Entry, problem: Zip) {
        self.0.push((Some(index), Finding::new(problem, Location::entry(entry.name.clone()))));
    }

    fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.0;
        findings.sort_by_key(|(index, _)| *index);
        findings.into_iter().map(|(_, finding)| finding).collect()
    }
}

/// What an entry says of itself that makes it unreadable. Not asked of entries that every loader passes over.
fn examine_entry(index: usize, listed: &mut directory::Listed, log: &mut Log) {
    let entry = &listed.entry;
    if entry.ignored {
        return;
    }
    if entry.symlink {
        log.entry(index, entry, Zip::Symlink);
    } else if entry.encrypted {
        // The method of an AES entry is 99, which needs no finding of its own.
        log.entry(index, entry, Zip::Encrypted);
    } else if let Method::Other(_) = entry.method {
        log.entry(index, entry, Zip::UnsupportedMethod { method: entry.method.to_string() });
    } else if entry.method == Method::Stored && entry.size != entry.compressed_size {
        let (declared, found) = (Bytes(entry.size), Bytes(entry.compressed_size).to_string());
        log.entry(index, entry, Zip::SizeMismatch { declared, found });
        listed.sound = false;
    }
    if !entry.is_dir && evalcheck_core::content::extension(entry.base_name()).as_deref() == Some("zip") {
        log.entry(index, entry, Zip::NestedArchive);
    }
}
