//! The input of a check: a file, or a stream that is copied first.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use evalcheck_engine::ahead::AheadOfCheck;
use evalcheck_engine::check::known_lines::{FoundLines, LineRules};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::parts::FEWEST;
use evalcheck_engine::source::Source;
use tempfile::SpooledTempFile;

use crate::ahead::{self, Ahead};
use crate::file_again::{FileAgain, FileSnapshot};
use crate::progress::Progress;
use crate::texts::describe;
use crate::watch::Watch;

/// A stream of up to this many bytes is held in memory, a longer one in an unnamed temporary file.
const SPOOL_IN_MEMORY: usize = 8 << 20;

/// The number of bytes of a stream copied at once.
const SPOOL_PIECE: usize = 1 << 16;

/// A dataset with random access. It keeps the first read error for the exit status, because the engine turns read errors into findings.
pub(crate) struct Input {
    pub(crate) info: FileInfo,
    /// The encoding from which it was converted.
    pub(crate) encoding: Option<&'static str>,
    pub(crate) progress: Progress,
    source: Stored,
    error: Option<String>,
    /// Stops reading.
    pub(crate) watch: Option<Arc<Watch>>,
    /// The lines known ahead of the check, if any.
    ahead: Option<AheadOfCheck<Found>>,
}

/// Known lines in the order of the file.
type Found = Box<dyn Iterator<Item = FoundLines> + Send>;

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("info", &self.info).field("error", &self.error).finish_non_exhaustive()
    }
}

enum Stored {
    File { file: File, again: FileAgain },
    Spooled(SpooledTempFile),
    Held(Box<dyn Held>),
}

/// Bytes in memory, or another source with random access.
trait Held: Read + Seek + Send {}

impl<T: Read + Seek + Send> Held for T {}

impl Input {
    /// Opens a path; `-` is standard input.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Self::spool(evalcheck_engine::check::STANDARD_INPUT.to_owned(), io::stdin().lock(), None);
        }
        Ok(Self { progress: Progress::on_terminal(), ..Self::open_file(path, None)? })
    }

    /// Opens a path, also one named `-`.
    pub(crate) fn open_file(path: &Path, watch: Option<&Arc<Watch>>) -> io::Result<Self> {
        // Checked before it is opened: some systems open folders and some do not.
        let metadata = std::fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = File::open(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        // A named pipe (`<(...)`) or a device has no size and no random access. Files in /proc report a size of 0.
        if !metadata.is_file() || metadata.len() == 0 {
            return Self::spool(name.into_owned(), file, watch);
        }
        let opened = FileSnapshot::from(&file.metadata()?);
        let info = FileInfo { name: name.into_owned(), size: opened.size };
        let again = FileAgain::new(path, opened);
        Ok(Self { watch: watch.cloned(), ..Self::of(info, Stored::File { file, again }) })
    }

    fn of(info: FileInfo, source: Stored) -> Self {
        let progress = Progress::default();
        Self { info, encoding: None, progress, source, error: None, watch: None, ahead: None }
    }

    /// Bytes in memory, which are not copied.
    pub(crate) fn of_bytes(
        name: String,
        bytes: impl AsRef<[u8]> + Send + 'static,
        watch: Option<&Arc<Watch>>,
    ) -> Self {
        let info = FileInfo { name, size: bytes.as_ref().len() as u64 };
        Self { watch: watch.cloned(), ..Self::of(info, Stored::Held(Box::new(Cursor::new(bytes)))) }
    }

    /// A source with random access, which is not copied.
    pub(crate) fn of_random_access(
        name: String,
        mut source: impl Read + Seek + Send + 'static,
        watch: Option<&Arc<Watch>>,
    ) -> io::Result<Self> {
        let size = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        let info = FileInfo { name, size };
        Ok(Self { watch: watch.cloned(), ..Self::of(info, Stored::Held(Box::new(source))) })
    }

    /// Copies a stream.
    pub(crate) fn spool(name: String, mut stream: impl Read, watch: Option<&Arc<Watch>>) -> io::Result<Self> {
        let mut spooled = SpooledTempFile::new(SPOOL_IN_MEMORY);
        let mut size = 0;
        let mut piece = vec![0; SPOOL_PIECE];
        loop {
            fail_if_stopped(watch.map(Arc::as_ref))?;
            let read = match stream.read(&mut piece) {
                Ok(0) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            spooled.write_all(&piece[..read]).map_err(|error| not_spooled(&error))?;
            size += read as u64;
        }
        spooled.rewind()?;
        Ok(Self { watch: watch.cloned(), ..Self::of(FileInfo { name, size }, Stored::Spooled(spooled)) })
    }

    /// A dataset that was written to a temporary file.
    pub(crate) fn of_temporary(name: String, mut spooled: SpooledTempFile) -> io::Result<Self> {
        let size = spooled.seek(SeekFrom::End(0))?;
        spooled.rewind()?;
        Ok(Self::of(FileInfo { name, size }, Stored::Spooled(spooled)))
    }

    /// The same input, with the watch of another one, and progress shown as for that one.
    pub(crate) fn watched_as(self, other: &Self) -> Self {
        Self { watch: other.watch.clone(), progress: other.progress.again(), ..self }
    }

    /// A copy, in a temporary file.
    pub(crate) fn copy(&mut self) -> io::Result<Self> {
        self.rewind()?;
        let mut copy = Self::temporary();
        io::copy(&mut BufReader::with_capacity(1 << 18, &mut *self), &mut copy)?;
        self.rewind()?;
        Self::of_temporary(self.info.name.clone(), copy)
    }

    /// A temporary file for a dataset.
    pub(crate) fn temporary() -> SpooledTempFile {
        SpooledTempFile::new(SPOOL_IN_MEMORY)
    }

    /// The change of the file since it was opened, for the user; `None` if there is none.
    pub(crate) fn changed(&self) -> Option<String> {
        let Stored::File { file, again } = &self.source else { return None };
        let opened = again.opened();
        let now = match file.metadata() {
            Ok(metadata) => FileSnapshot::from(&metadata),
            Err(error) => return Some(describe(&error)),
        };
        if now == *opened {
            None
        } else if now.size == opened.size {
            Some("the file was changed while it was read".to_owned())
        } else {
            Some(format!(
                "the file was changed while it was read: {} bytes at the start, {} now",
                opened.size, now.size
            ))
        }
    }

    /// Finds known lines of a large file with `jobs` threads, ahead of a check with these rules. If that is not possible, the check reads
    /// all lines.
    pub(crate) fn look_ahead(&mut self, rules: &LineRules, jobs: usize) {
        if let Stored::File { again, .. } = &self.source
            && self.info.size >= ahead::SMALLEST
            && jobs > 1
            && let Ok(found) = Ahead::start(again, self.info.size, rules, jobs)
        {
            self.pass_over(found);
        }
    }

    /// Skips known lines, in the order of the file.
    pub(crate) fn pass_over(&mut self, found: impl Iterator<Item = FoundLines> + Send + 'static) {
        self.ahead = Some(AheadOfCheck::new(Box::new(found), FEWEST));
    }

    /// The file, to be opened again; `None` if the input is not a file.
    pub(crate) fn again(&self) -> Option<&FileAgain> {
        match &self.source {
            Stored::File { again, .. } => Some(again),
            Stored::Spooled(_) | Stored::Held(_) => None,
        }
    }

    /// Checks the next bytes. Returns false at the end.
    pub(crate) fn check_piece(&mut self, check: &mut Check, most: usize) -> bool {
        let Some(mut ahead) = self.ahead.take() else { return check.read_piece(self, most) };
        let before = check.next_range().map_or(0, |wanted| wanted.start);
        let is_read = ahead.read_piece(check, self, most);
        self.ahead = Some(ahead).filter(|_| is_read);
        if let Some(wanted) = check.next_range().filter(|wanted| wanted.start > before) {
            self.progress.at(&self.info.name, wanted.start, self.info.size);
        }
        is_read
    }

    /// The first read error, for the user.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    fn read_piece(&mut self, wanted: &Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        // The check reads at other positions too, when it is opened, and for excerpts.
        if self.stream_position().map_err(|error| describe(&error))? != wanted.start {
            self.seek(SeekFrom::Start(wanted.start)).map_err(|error| describe(&error))?;
        }
        let read = loop {
            match self.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result.map_err(|error| describe(&error))?,
            }
        };
        // The last bytes are checked only after the file is known to be unchanged.
        if (read == 0 || wanted.start + read as u64 >= wanted.end)
            && let Some(why) = self.changed()
        {
            return Err(why);
        }
        if read == 0 {
            return Err(format!(
                "the file ends at byte {}, {} bytes were expected",
                wanted.start, wanted.end
            ));
        }
        Ok(read)
    }

    fn keep_error<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.error.get_or_insert_with(|| describe(error));
        }
        result
    }
}

/// Fails if the user has stopped the work.
fn fail_if_stopped(watch: Option<&Watch>) -> io::Result<()> {
    match watch {
        Some(watch) if watch.is_stopped() => Err(io::Error::other("stopped")),
        _ => Ok(()),
    }
}

/// The error of copying a stream to a temporary file.
fn not_spooled(error: &io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    io::Error::other(format!("cannot write a temporary file in {}: {}", folder.display(), describe(error)))
}

impl Source for Input {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let result = self.read_piece(&wanted, buffer);
        match &result {
            Ok(read) => self.progress.at(&self.info.name, wanted.start + *read as u64, self.info.size),
            Err(why) => {
                self.error.get_or_insert_with(|| why.clone());
            }
        }
        result
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let source = &mut self.source;
        let result = fail_if_stopped(self.watch.as_deref()).and_then(|()| match source {
            Stored::File { file, .. } => file.read(buffer),
            Stored::Spooled(spooled) => spooled.read(buffer),
            Stored::Held(held) => held.read(buffer),
        });
        self.keep_error(result)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // A broken archive can ask for a position before the start; that is not a read error.
        match &mut self.source {
            Stored::File { file, .. } => file.seek(to),
            Stored::Spooled(spooled) => spooled.seek(to),
            Stored::Held(held) => held.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_file_that_grows_is_detected() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"{}\n").unwrap();
        let input = Input::open(file.path()).unwrap();
        assert_eq!(input.changed(), None);
        file.write_all(b"{}\n").unwrap();
        let message = input.changed().unwrap();
        assert!(message.contains("3 bytes at the start, 6 now"), "{message}");
    }

    #[test]
    fn a_stream_of_any_size_has_random_access() {
        for size in [0, 10, SPOOL_IN_MEMORY + 1] {
            let bytes = vec![7_u8; size];
            let mut input = Input::spool("x".to_owned(), bytes.as_slice(), None).unwrap();
            assert_eq!(input.info.size, size as u64);
            input.seek(SeekFrom::Start(size as u64 / 2)).unwrap();
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).unwrap();
            assert_eq!(rest.len(), size - size / 2);
        }
    }
}
