//! What is checked: a file in place, or a stream that is set aside first.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use evalcheck_engine::check::FileInfo;
use tempfile::SpooledTempFile;

/// A stream up to this size is held in memory, a longer one in a temporary file without a name.
const SPOOL_IN_MEMORY: usize = 8 << 20;

/// A dataset that can be read at any place. It remembers the first error of reading, because the engine turns an
/// error into a finding and the exit status depends on whose fault it was.
pub(crate) struct Input {
    pub(crate) info: FileInfo,
    source: Source,
    error: Option<String>,
}

enum Source {
    File { file: File, opened: Stamp },
    Spooled(SpooledTempFile),
}

/// What tells that a file was changed.
#[derive(PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        Self { size: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Input {
    /// Opens a path, `-` being standard input.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Self::spool(evalcheck_engine::check::STANDARD_INPUT.to_owned(), io::stdin().lock());
        }
        // Before it is opened: a folder opens on some systems and not on others.
        let metadata = std::fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = File::open(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        // A pipe by name (`<(...)`) or a device has no size and no places.
        if !metadata.is_file() {
            return Self::spool(name.into_owned(), file);
        }
        let opened = Stamp::from(&file.metadata()?);
        let info = FileInfo { name: name.into_owned(), size: opened.size };
        Ok(Self { info, source: Source::File { file, opened }, error: None })
    }

    fn spool(name: String, mut stream: impl Read) -> io::Result<Self> {
        let mut spooled = SpooledTempFile::new(SPOOL_IN_MEMORY);
        let size = io::copy(&mut stream, &mut spooled)?;
        spooled.rewind()?;
        Ok(Self { info: FileInfo { name, size }, source: Source::Spooled(spooled), error: None })
    }

    /// How the file differs from what was opened, in words; `None` when it does not.
    pub(crate) fn changed(&self) -> Option<String> {
        let Source::File { file, opened } = &self.source else { return None };
        let now = match file.metadata() {
            Ok(metadata) => Stamp::from(&metadata),
            Err(error) => return Some(in_words(&error)),
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

    /// The first error of reading, in words.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    fn remember<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.error.get_or_insert_with(|| in_words(error));
        }
        result
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = match &mut self.source {
            Source::File { file, .. } => file.read(buffer),
            Source::Spooled(spooled) => spooled.read(buffer),
        };
        self.remember(result)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        // A place before the start is asked for by what a broken archive says; that is no failure to read.
        match &mut self.source {
            Source::File { file, .. } => file.seek(to),
            Source::Spooled(spooled) => spooled.seek(to),
        }
    }
}

/// An error without the number that the system's own text ends with.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => {
            "is a folder; give the files in it, or pack it to a ZIP and give that".to_owned()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_grows_is_noticed() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"{}\n").unwrap();
        let input = Input::open(file.path()).unwrap();
        assert_eq!(input.changed(), None);
        file.write_all(b"{}\n").unwrap();
        let words = input.changed().unwrap();
        assert!(words.contains("3 bytes at the start, 6 now"), "{words}");
    }

    #[test]
    fn a_stream_can_be_read_at_any_place_whatever_its_size() {
        for size in [0, 10, SPOOL_IN_MEMORY + 1] {
            let bytes = vec![7_u8; size];
            let mut input = Input::spool("x".to_owned(), bytes.as_slice()).unwrap();
            assert_eq!(input.info.size, size as u64);
            input.seek(SeekFrom::Start(size as u64 / 2)).unwrap();
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).unwrap();
            assert_eq!(rest.len(), size - size / 2);
        }
    }
}
