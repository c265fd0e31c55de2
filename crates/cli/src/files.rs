//! The files that the arguments name: of a folder, the datasets in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use evalcheck_wire::folder::{EXTENSIONS, FIRST_BYTES, Kind, begins_as_dataset, kind_of};
use ignore::WalkBuilder;

/// A file to check, or why there is none.
pub(crate) type Found = Result<PathBuf, (PathBuf, io::Error)>;

/// The files that are meant by these paths. Of a folder these are all datasets in it and its folders, in the order of their paths; without
/// hidden ones, and without those that a `.gitignore` names.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Found> {
    paths
        .iter()
        .flat_map(|path| if path.is_dir() { in_folder(path) } else { vec![Ok(path.clone())] })
        .collect()
}

fn in_folder(folder: &Path) -> Vec<Found> {
    let walk = WalkBuilder::new(folder).sort_by_file_path(Path::cmp).build();
    let found: Vec<Found> = walk
        .filter_map(|entry| match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
                (is_file && is_dataset(entry.path())).then(|| Ok(entry.into_path()))
            }
            Err(error) => {
                let why = error.to_string();
                Some(Err((folder.to_owned(), error.into_io_error().unwrap_or_else(|| io::Error::other(why)))))
            }
        })
        .collect();
    if !found.is_empty() {
        return found;
    }
    let why = format!("no file in this folder ends with .{}, or begins as JSON", EXTENSIONS.join(", ."));
    vec![Err((folder.to_owned(), io::Error::other(why)))]
}

/// True for a file of a folder that is checked.
fn is_dataset(path: &Path) -> bool {
    match kind_of(&path.file_name().unwrap_or_default().to_string_lossy()) {
        Kind::Dataset => true,
        Kind::Other => false,
        // A named pipe could wait for its writer for ever.
        Kind::Unclear => path.is_file() && first_bytes(path).is_ok_and(|first| begins_as_dataset(&first)),
    }
}

fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(FIRST_BYTES.into()).read_to_end(&mut first)?;
    Ok(first)
}
