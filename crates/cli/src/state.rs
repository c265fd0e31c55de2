//! The state of a JSONL file that grows (`check --state`): the part of the file at the last check.
//!
//! A file counts as appended to if it is longer, or has not been modified, and the bytes at its beginning and those before its former end
//! are the same. A change in the middle of a longer file is not detected.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use evalcheck_engine::formats::KeyedHash;
use evalcheck_engine::parts::{self, Part};
use evalcheck_wire::plan::PlannedDataset;
use evalcheck_wire::worker::CheckOptions;

use crate::check::Dataset;
use crate::file_again::FileAgain;
use crate::parts::make;
use crate::{new_file, print_error};

/// The number of bytes at the beginning and before the end that are compared.
const COMPARED: u64 = 64 << 10;

/// The part of a file, to be stored after the check has read all of it.
#[derive(Debug)]
pub(crate) struct Kept {
    path: PathBuf,
    /// The part as bytes.
    part: Vec<u8>,
}

impl Kept {
    /// Makes a check skip the known lines of its file, and reads the added ones. `None` if no state can be stored: then the check reads
    /// all lines, and the reason is on standard error.
    pub(crate) fn prepare(
        path: &Path,
        dataset: &mut Dataset,
        options: &CheckOptions,
        jobs: usize,
    ) -> Option<Self> {
        let Some(file) = dataset.file_again().cloned() else {
            print_error("--state", "only of a file can it be known whether it was added to");
            return None;
        };
        match part(path, &file, dataset, options, jobs) {
            Ok(Some(part)) => {
                let kept = Self { path: path.to_owned(), part: part.to_bytes() };
                dataset.pass_over(part.into_found());
                Some(kept)
            }
            Ok(None) => {
                print_error(
                    "--state",
                    "all is read: only JSONL can be checked from where it ended before, and not for --output html",
                );
                None
            }
            // The check reports the problem of the file.
            Err(_) => None,
        }
    }

    /// Stores the part.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self) -> io::Result<()> {
        new_file::write(&self.path, &self.part)
    }
}

/// The part of the whole file; `None` if its check cannot be cut.
fn part(
    path: &Path,
    file: &FileAgain,
    dataset: &Dataset,
    options: &CheckOptions,
    jobs: usize,
) -> io::Result<Option<Part>> {
    let size = file.size();
    let marks = marks(file, size)?;
    let state = file.state().map_or_else(|| marks.clone(), |changed| format!("{marks} {changed}"));
    let planned = parts::plan(dataset.check(), "", Some(state), options, size).dataset;
    if planned.lines.is_none() {
        return Ok(None);
    }
    let known = known(path, file, &planned).unwrap_or_else(|| Part::unread(planned.clone(), (0, 0)));
    let added = make(file, &planned, (known.range().1, size), jobs).map_err(io::Error::other)?;
    known.merge(added).map(Some).map_err(io::Error::other)
}

/// The stored part of the file, if the file was only appended to since.
fn known(path: &Path, file: &FileAgain, planned: &PlannedDataset) -> Option<Part> {
    let kept = Part::from_bytes(&fs::read(path).ok()?).ok()?;
    let was = kept.dataset();
    let is_added_to = if was.size < planned.size {
        was.state.as_ref()?.starts_with(&marks(file, was.size).ok()?)
    } else {
        was.state == planned.state
    };
    if is_added_to { kept.of_longer(planned) } else { None }
}

/// Hashes of the bytes at the beginning and at the end of the first `size` bytes.
fn marks(file: &FileAgain, size: u64) -> io::Result<String> {
    let mut opened = file.open()?;
    let mut mark = |start: u64, end: u64| -> io::Result<u64> {
        let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(0)];
        opened.read_exact_at(start, &mut bytes)?;
        Ok(KeyedHash::of_all_runs().hash(&bytes))
    };
    let first = mark(0, size.min(COMPARED))?;
    let last = mark(size.saturating_sub(COMPARED), size)?;
    Ok(format!("first {first:016x} last {last:016x}"))
}
