//! A file that is opened several times, and must not change.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use evalcheck_engine::source::Source;

use crate::texts::describe;

/// Size and modification time of a file. A difference means that the file was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileSnapshot {
    pub(crate) size: u64,
    modified: Option<SystemTime>,
}

impl From<&Metadata> for FileSnapshot {
    fn from(metadata: &Metadata) -> Self {
        Self { size: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// A file that was opened, to be opened again by other threads.
#[derive(Debug, Clone)]
pub(crate) struct FileAgain {
    path: PathBuf,
    opened: FileSnapshot,
}

impl FileAgain {
    /// A file that was opened in this state.
    pub(crate) fn new(path: &Path, opened: FileSnapshot) -> Self {
        Self { path: path.to_owned(), opened }
    }

    /// A file in its current state.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let opened = FileSnapshot::from(&File::open(path)?.metadata()?);
        Ok(Self::new(path, opened))
    }

    /// The state in which it was opened.
    pub(crate) fn opened(&self) -> &FileSnapshot {
        &self.opened
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub(crate) fn size(&self) -> u64 {
        self.opened.size
    }

    /// Its modification time, as a text; `None` if the system does not provide it.
    pub(crate) fn state(&self) -> Option<String> {
        let since = self.opened.modified?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("changed {}.{:09}", since.as_secs(), since.subsec_nanos()))
    }

    /// Opens it again.
    ///
    /// # Errors
    /// It cannot be opened, or is another file now.
    pub(crate) fn open(&self) -> io::Result<Reopened> {
        let file = File::open(&self.path)?;
        if FileSnapshot::from(&file.metadata()?) == self.opened {
            Ok(Reopened(file))
        } else {
            Err(io::Error::other("the file was changed"))
        }
    }
}

/// A file that was opened again, with its own position.
pub(crate) struct Reopened(File);

impl Reopened {
    /// Fills the buffer with the bytes of the file from `start` on.
    ///
    /// # Errors
    /// The file ends before that, or cannot be read.
    pub(crate) fn read_exact_at(&mut self, start: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(start))?;
        self.0.read_exact(buffer)
    }
}

impl Source for Reopened {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        self.0.seek(SeekFrom::Start(wanted.start)).map_err(|error| describe(&error))?;
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| describe(&error)),
            }
        }
    }
}
