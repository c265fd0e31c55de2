//! Replaces a file at once, and leaves nothing behind when it is interrupted.

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The temporary file that an interrupt has to remove.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The exit status of a program that an interrupt ends, in shells.
const INTERRUPTED: i32 = 130;

/// Replaces a file: the new one is complete on the disk before it takes the name, and has the same mode. Ctrl-C and the
/// signals that end a program remove the temporary file.
pub(crate) fn replace(path: &Path, result: &mut impl Read) -> io::Result<()> {
    remove_when_interrupted();
    exchange(path, result)
}

/// As [`replace`], and leaves signals to the program that calls it.
pub(crate) fn exchange(path: &Path, result: &mut impl Read) -> io::Result<()> {
    // The file that a link points to.
    let path = fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    // Held while the file is made, so that no interrupt comes between the file and its name here.
    let mut temporary = temporary();
    let mut new = NamedTempFile::new_in(folder)?;
    *temporary = Some(new.path().to_owned());
    drop(temporary);
    let replaced = write(&path, result, &mut new)
        .and_then(|()| new.persist(&path).map(drop).map_err(|error| error.error));
    *self::temporary() = None;
    replaced
}

fn write(path: &Path, result: &mut impl Read, new: &mut NamedTempFile) -> io::Result<()> {
    io::copy(&mut BufReader::with_capacity(1 << 18, result), new)?;
    new.as_file().set_permissions(fs::metadata(path)?.permissions())?;
    new.as_file().sync_all()
}

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on. Where no handler can be set, an interrupt ends the program as before.
fn remove_when_interrupted() {
    let _ = ctrlc::set_handler(|| {
        if let Some(path) = temporary().take() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}
