//! ZIP archives: their entries, the agreement of programs about them, and the contents of the entries.
//!
//! [`Archive::open`] reads the directory and the local headers once and reports all their problems. The caller then reads
//! the bytes at [`Entry::data`] and pushes them through an [`Inflater`]. [`write()`] writes an archive.
//!
//! The checks cover everything that programs disagree about: which end record counts, duplicates, overlaps, bytes that belong to no entry,
//! and differences between the directory and the local headers. Declared sizes and counts are never trusted for memory or work; see
//! [`MAX_ENTRIES`] and the other limits.
//!
//! No code here belongs to one format. The format declares which entry is the dataset, and which references to other files exist.
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
mod byte_count;
mod contents;
mod directory;
mod end;
mod entry;
mod entry_check;
mod extra;
mod fix;
mod inflate;
mod layout;
mod limits;
mod log;
mod mentions;
pub mod names;
mod problem;
mod read;
mod references;
mod rewrite;
mod source;
#[cfg(test)]
mod tests;
mod write;

use std::io::{Read, Seek};
use std::rc::Rc;

use evalcheck_core::finding::Finding;
use evalcheck_core::rule::{AnyProblem, Rule};

use log::Log;
use problem::EndProblem;

pub use attachments::{Attachments, FileContents};
pub use byte_count::ByteCount;
pub use contents::{AttachmentCheck, ContentProblem};
pub use entry::{Entry, Method};
pub use flate2::Crc;
pub use inflate::{DataProblem, Inflater, Step};
pub use limits::*;
pub use problem::EntryProblem;
pub use read::{Broken, Contents, ReadError};
pub use references::{FIRST_RECORDS, MissingFile, MissingFiles, References};
pub use rewrite::{EditContents, NewData, Part, packed, read_dataset, rewrite};
pub use source::SourceProblem;
pub use write::write;

/// The rules of all archives, whatever the format of the dataset.
pub static RULES: &[&[Rule]] = &[
    SourceProblem::RULES,
    EndProblem::RULES,
    problem::DirectoryProblem::RULES,
    layout::LayoutProblem::RULES,
    names::NameProblem::RULES,
    EntryProblem::RULES,
    DataProblem::RULES,
    ContentProblem::RULES,
];

/// The result of [`Archive::open`].
#[derive(Debug)]
pub struct Opened {
    /// The archive; `None` if its directory cannot be read, or can be read in more than one way.
    pub archive: Option<Archive>,
    /// The findings: first those of the whole archive, then those of entries, in the order of the directory. Without an
    /// archive, at least one is an error.
    pub findings: Vec<Finding>,
}

/// A ZIP whose directory was read.
#[derive(Debug, Default)]
pub struct Archive {
    entries: Vec<Entry>,
    top_folder: Option<Rc<str>>,
    /// The directory, from which a new archive is written.
    directory: Vec<u8>,
    comment: Vec<u8>,
    writing: fix::Writing,
}

impl Archive {
    /// Reads the directory and the local headers of a ZIP of `size` bytes. Problems are findings.
    ///
    /// Reads at most [`MAX_DIRECTORY_BYTES`] and some KiB for each entry, forwards, and in large pieces if entries are small.
    pub fn open<R: Read + Seek>(source: &mut R, size: u64) -> Opened {
        let mut log = Log::default();
        let mut archive = match Self::read(source, size, &mut log) {
            Ok(archive) => Some(archive),
            Err(problem) => {
                log.whole(problem);
                None
            }
        };
        let mut findings = log.into_findings();
        if let Some(archive) = &mut archive {
            archive.writing = fix::add(&mut findings, &archive.entries);
        }
        Opened { archive, findings }
    }

    fn read<R: Read + Seek>(source: &mut R, size: u64, log: &mut Log) -> Result<Self, AnyProblem> {
        let mut source = source::Source::new(source, size);
        let end = end::find(&mut source)?;
        for problem in &end.problems {
            log.whole(problem.clone());
        }
        let mut listed = directory::read(end.directory(), end.count, end.base)?;
        names::check(&listed, log);
        let top_folder = names::strip_top_folder(&mut listed);
        let is_encrypted = |entry: &Entry| entry.encrypted && !entry.symlink && !entry.ignored;
        let mut encrypted = Some(listed.iter().filter(|listed| is_encrypted(&listed.entry)).count());
        for (index, listed) in listed.iter_mut().enumerate() {
            entry_check::check(index, listed, &mut encrypted, log);
        }
        layout::check(&mut source, &end, &mut listed, log)?;
        let mut directory = end.bytes;
        let comment = directory.split_off(directory.len() - end.comment);
        let entries = listed.into_iter().map(entry::Listed::into_entry).collect();
        Ok(Self { top_folder, entries, directory, comment, writing: fix::Writing::default() })
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether the archive can be rewritten without a loss, so that a fix may do that. If false, a finding says why.
    pub fn is_rewritable(&self) -> bool {
        self.writing == fix::Writing::KeepsAll
    }

    /// The single top folder that was stripped, without a slash.
    pub fn top_folder(&self) -> Option<&str> {
        self.top_folder.as_deref()
    }
}
