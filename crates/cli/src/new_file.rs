//! The files that the command writes. Each is written to a temporary file beside it, and renamed once it is complete, so that an
//! interrupt, a kill or a full disk keeps the previous file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// Temporary files that an interrupt has to remove.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The exit status, in shells, of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// The prefix of the names of temporary files. They are hidden, so that no check of the folder reads them.
const PREFIX: &str = ".evalcheck-";

/// A file that is being written. If it is dropped before it is complete, no file remains.
pub(crate) struct NewFile(Target);

enum Target {
    Beside {
        path: PathBuf,
        new: NamedTempFile,
        _registered: Registered,
    },
    /// A pipe or a device, which has no content to keep.
    Directly(File),
}

/// A temporary file while it exists.
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        temporary().retain(|path| *path != self.0);
    }
}

impl NewFile {
    /// Begins a file. An existing one keeps its mode, and as far as the system allows, its owner, group and extended attributes. A link
    /// is kept, and its target is replaced.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let existing = fs::metadata(path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            return OpenOptions::new().write(true).open(path).map(Target::Directly).map(Self);
        }
        if existing.as_ref().is_some_and(|existing| existing.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let path = followed(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::metadata(folder)?;
        let mut builder = Builder::new();
        builder.prefix(PREFIX);
        // As for any new file, the umask of the process applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Locked while the file is created, so that no interrupt comes before its name is registered.
        let mut temporary = temporary();
        // An error would contain the name of the temporary file, which means nothing to the user.
        let new = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        temporary.push(new.path().to_owned());
        drop(temporary);
        let registered = Registered(new.path().to_owned());
        if let Some(existing) = existing {
            #[cfg(unix)]
            keep_owner(&path, &existing, new.as_file());
            new.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self(Target::Beside { path, new, _registered: registered }))
    }

    /// Another handle to write with.
    ///
    /// # Errors
    /// The system has none left.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file().try_clone()
    }

    /// Renames the file to its final name, after syncing it to disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Beside { path, new, _registered } => {
                new.as_file().sync_all()?;
                new.persist(path).map(drop).map_err(|error| error.error)
            }
            Target::Directly(_) => Ok(()),
        }
    }

    fn file(&self) -> &File {
        match &self.0 {
            Target::Beside { new, .. } => new.as_file(),
            Target::Directly(file) => file,
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Writes a whole file.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Copies `content` to a file.
///
/// # Errors
/// It cannot be read or written.
pub(crate) fn copy(path: &Path, content: &mut impl Read) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    io::copy(&mut BufReader::with_capacity(1 << 18, content), &mut file)?;
    file.finish()
}

/// Copies the owner, the group and the extended attributes of a replaced file to the new one. Only the superuser can change owners, and
/// not every file system has attributes: failures are ignored.
#[cfg(unix)]
fn keep_owner(path: &Path, existing: &fs::Metadata, new: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    use xattr::FileExt;

    let _ = fchown(new, None, Some(existing.gid()));
    let _ = fchown(new, Some(existing.uid()), None);
    for name in xattr::list(path).into_iter().flatten() {
        if let Ok(Some(value)) = xattr::get(path, &name) {
            let _ = new.set_xattr(&name, &value);
        }
    }
}

/// The file that a path leads to by links, even if it does not exist yet.
pub(crate) fn followed(path: &Path) -> PathBuf {
    if let Ok(file) = fs::canonicalize(path) {
        return file;
    }
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C and the signals that end a program remove the temporary files. If no handler can be set, they end the program as before.
/// A program that uses this crate as a library keeps its own handlers.
pub(crate) fn remove_when_interrupted() {
    let _ = ctrlc::set_handler(|| {
        for path in temporary().drain(..) {
            let _ = fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}
