//! The files that the arguments name: of a folder, the datasets in it.

use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// What the name of a dataset in a folder ends with. A file that is named itself may have any name.
const EXTENSIONS: [&str; 5] = ["jsonl", "ndjson", "json", "csv", "zip"];

/// A file to check, or why there is none.
pub(crate) type Found = Result<PathBuf, (PathBuf, io::Error)>;

/// The files that are meant by these paths. Of a folder these are all files in it and its folders whose name ends as that of a dataset, in the
/// order of their paths; without hidden ones, and without those that a `.gitignore` names.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Found> {
    paths
        .iter()
        .flat_map(|path| if path.is_dir() { in_folder(path) } else { vec![Ok(path.clone())] })
        .collect()
}

fn in_folder(folder: &Path) -> Vec<Found> {
    let is_dataset = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
    };
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
    let why = format!("no file in this folder ends with .{}", EXTENSIONS.join(", ."));
    vec![Err((folder.to_owned(), io::Error::other(why)))]
}
