//! Resolves the paths in a folder. Nobody named them, so a link to the system's own files, a pipe or a device is not opened.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::texts::describe;

/// Folders of the system, whose files are not data. They may contain secrets of the process, or have no end.
const SYSTEM: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Files that a walk reads beside datasets.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// The kind of a path in a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// A file; for a link, its target.
    File(Option<PathBuf>),
    /// A link to a folder.
    Folder(PathBuf),
    /// A link, while links are not followed.
    NotFollowed(PathBuf),
    /// A path that is not opened, with the reason.
    Closed(String),
}

/// The kind of a path that nobody named.
///
/// # Errors
/// The path does not exist, or a link has no target.
pub(crate) fn lead(path: &Path, follows: bool) -> io::Result<Lead> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if !kind.is_symlink() {
        return Ok(if kind.is_file() { Lead::File(None) } else { Lead::Closed(closed(kind)) });
    }
    if !follows {
        return Ok(Lead::NotFollowed(fs::read_link(path)?));
    }
    let target = fs::canonicalize(path).map_err(|error| {
        let named = fs::read_link(path).unwrap_or_default();
        io::Error::other(format!("a link to {}: {}", named.display(), describe(&error)))
    })?;
    let kind = fs::metadata(&target)?.file_type();
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok()).unwrap_or_default();
    let is_of_system = |system: &&str| target.starts_with(system) && !folder.starts_with(system);
    Ok(if SYSTEM.iter().any(is_of_system) {
        Lead::Closed(format!("a link to {}, which is opened only where it is named", target.display()))
    } else if kind.is_dir() {
        Lead::Folder(target)
    } else if kind.is_file() {
        Lead::File(Some(target))
    } else {
        Lead::Closed(format!("a link to {}: {}", target.display(), closed(kind)))
    })
}

fn closed(kind: FileType) -> String {
    #[cfg(unix)]
    use std::os::unix::fs::FileTypeExt;
    #[cfg(unix)]
    let what = match kind {
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_dir() => "a folder",
        _ => "a device",
    };
    #[cfg(not(unix))]
    let what = if kind.is_dir() { "a folder" } else { "not a file" };
    format!("{what}, which is opened only where it is named")
}

/// The reason for not opening a file that is looked up in a folder, such as a configuration; `None` if it can be opened, or does not
/// exist.
pub(crate) fn refusal(path: &Path, follows: bool) -> Option<String> {
    match lead(path, follows) {
        Ok(Lead::File(_)) | Err(_) => None,
        Ok(Lead::Folder(target)) => Some(format!("a link to the folder {}", target.display())),
        Ok(Lead::NotFollowed(target)) => Some(not_followed(&target)),
        Ok(Lead::Closed(why)) => Some(why),
    }
}

/// The message for a link that is not opened.
pub(crate) fn not_followed(target: &Path) -> String {
    format!("a link to {}, which --no-follow leaves out", target.display())
}

/// The reason for not walking a folder: one of its ignore files cannot be opened.
pub(crate) fn not_walked(folder: &Path) -> Option<String> {
    IGNORE_FILES.iter().find_map(|name| {
        let why = refusal(&folder.join(name), true)?;
        Some(format!("not read, because its {name} is {why}"))
    })
}

/// The target of the link that a relative path goes through.
pub(crate) fn link_in(path: &Path) -> Option<PathBuf> {
    if path.is_absolute() {
        return None;
    }
    path.ancestors().find_map(|part| fs::read_link(part).ok())
}

/// The target of a path, if it is not below a folder.
pub(crate) fn out_of(folder: &Path, path: &Path) -> Option<PathBuf> {
    let target = fs::canonicalize(path).ok()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = fs::canonicalize(folder).ok()?;
    (!target.starts_with(folder)).then_some(target)
}
