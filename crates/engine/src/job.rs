//! One check of one file, from its bytes to its report, without any input or output of its own.
//!
//! ```text
//! let mut job = Job::open(&mut source, file, options);
//! while let Some(wanted) = job.wanted() {          // bytes wanted.start.. of the file, as many as you like
//!     let space = job.space(1 << 20);              // at least one byte of room
//!     let n = read(at wanted.start, space);        // a driver keeps its stream while wanted.start follows on
//!     if n == 0 { job.read_failed("…") } else { job.advance(n) }
//! }
//! let report = job.report();
//! ```

use std::io::{Read, Seek};
use std::ops::Range;

use evalcheck_wire::report::Report;
use evalcheck_wire::view::{Attachment, Lines, Record};
use evalcheck_wire::worker::{CheckOptions, Progress};

/// The file that is checked, as it was when it was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// Its name, without a folder.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}

/// One check of one file.
#[derive(Debug)]
pub struct Job {}

#[allow(
    unused_variables,
    clippy::todo,
    clippy::needless_pass_by_value,
    clippy::unused_self,
    reason = "skeleton"
)]
impl Job {
    /// Looks at the file (its first bytes; of a ZIP its directory) and makes ready. Never fails: what can't be read
    /// is a finding, and a report with `checked: false`.
    ///
    /// `source` is used for these few reads only; the bulk comes through [`Job::space`] and [`Job::advance`].
    pub fn open<R: Read + Seek>(source: &mut R, file: FileInfo, options: CheckOptions) -> Self {
        todo!()
    }

    /// The bytes of the file that are wanted next, from `start` on; `None` when all was read. The start moves with
    /// each [`Job::advance`]; it may jump (from one entry of a ZIP to the next).
    pub fn wanted(&self) -> Option<Range<u64>> {
        todo!()
    }

    /// Room for the bytes at `wanted().start`: at least one byte, at most `most` and never more than is wanted.
    pub fn space(&mut self, most: usize) -> &mut [u8] {
        todo!()
    }

    /// Takes the first `n` bytes of the space as read, and checks what is whole now.
    pub fn advance(&mut self, n: usize) {
        todo!()
    }

    /// The bytes at `wanted().start` cannot be had. The finding says that nothing was checked from there on;
    /// afterwards nothing is wanted.
    pub fn read_failed(&mut self, why: &str) {
        todo!()
    }

    /// The person stopped the check. As [`Job::read_failed`], with its own finding.
    pub fn cancel(&mut self) {
        todo!()
    }

    /// How far it is; cheap.
    pub fn progress(&self) -> Progress {
        todo!()
    }

    /// The findings from number `from` on that are kept so far (at most `most`), in the order in which they were
    /// found; for showing the first ones early.
    pub fn findings_since(&self, from: usize, most: usize) -> Vec<evalcheck_wire::report::Finding> {
        todo!()
    }

    /// The report on what was read; complete when nothing is wanted any more.
    pub fn report(&self) -> Report {
        todo!()
    }

    /// Lines `from..from + count` (from 1) for a list, with the worst severity of each. Reads the few bytes that it
    /// needs through `source`. Works at any time, as far as the check has come.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn lines<R: Read + Seek>(&mut self, source: &mut R, from: u64, count: u32) -> std::io::Result<Lines> {
        todo!()
    }

    /// The record at a line in full; `None` when the dataset has no such line.
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn record<R: Read + Seek>(&mut self, source: &mut R, line: u64) -> std::io::Result<Option<Record>> {
        todo!()
    }

    /// Reads an attachment of the archive for showing, at most `most` bytes of it.
    ///
    /// # Errors
    /// What is wrong with the entry, in words for the person.
    pub fn attachment<R: Read + Seek>(
        &mut self,
        source: &mut R,
        entry: &str,
        most: usize,
    ) -> Result<(Attachment, Vec<u8>), String> {
        todo!()
    }
}

/// All formats and rules, for selectors and help.
#[allow(clippy::todo, reason = "skeleton")]
pub fn catalogue() -> evalcheck_wire::catalogue::Catalogue {
    todo!()
}
