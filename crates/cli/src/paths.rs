//! Paths of files, and patterns of paths.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns as in a `.gitignore` of a folder.
pub(crate) fn patterns(folder: &Path, patterns: &[String]) -> Result<Gitignore, String> {
    if patterns.is_empty() {
        return Ok(Gitignore::empty());
    }
    let mut builder = GitignoreBuilder::new(folder);
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(|error| error.to_string())?;
    }
    builder.build().map_err(|error| error.to_string())
}

/// Returns true if patterns match a [`located`] file or one of its folders. If the file is not below the folder of the patterns, a match
/// anywhere in the path counts.
pub(crate) fn is_matched(patterns: &Gitignore, path: &Path) -> bool {
    if patterns.is_empty() {
        return false;
    }
    let below: PathBuf = match path.strip_prefix(patterns.path()) {
        Ok(below) => below.to_owned(),
        Err(_) => path.components().filter(|part| matches!(part, Component::Normal(_))).collect(),
    };
    patterns.matched_path_or_any_parents(below, false).is_ignore()
}

/// An absolute path, whose folder contains no links.
pub(crate) fn located(path: &Path) -> PathBuf {
    let (folder, name) = match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => (folder, name),
        _ => (path, OsStr::new("")),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    folder.map_or_else(|_| path.to_owned(), |folder| if name.is_empty() { folder } else { folder.join(name) })
}
