//! Small text files, and the texts of errors.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a whole text into memory: a configuration, a baseline, a plan. It may have at most `most` MiB.
///
/// # Errors
/// It cannot be read, or is longer.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take((most << 20) + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most << 20 {
        return Err(io::Error::other(format!("longer than {most} MiB: is it another file?")));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not UTF-8"))
}

/// The message for an error, for the user.
pub(crate) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder; pass its files, or pack it into a ZIP".to_owned(),
        _ => error.to_string(),
    }
}
