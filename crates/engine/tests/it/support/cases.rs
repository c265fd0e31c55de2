//! The golden cases of the repository, and checks that index their findings.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::worker::CheckOptions;

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The check of a file, read to its end, with an index of its findings.
pub fn indexed(data: &[u8], name: &str, options: CheckOptions) -> Check {
    let file = FileInfo { name: name.to_owned(), size: data.len() as u64 };
    let mut check = Check::open(&mut Cursor::new(data), file, options);
    check.index_findings();
    let mut source = data;
    while check.read_piece(&mut source, 1 << 16) {}
    check
}
