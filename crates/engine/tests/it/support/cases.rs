//! The golden cases of the repository, and checks that index their findings.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::worker::CheckOptions;

/// The input of a case.
pub struct Input {
    /// The folder of the case: a format, or `auto`.
    pub format: String,
    pub name: String,
    pub path: PathBuf,
    pub data: Vec<u8>,
}

/// The inputs that are files; others are packed from folders or made by recipes. The expected results of a case are not a dataset,
/// and the result of its fixes shows nothing that the input does not.
pub fn inputs() -> Vec<Input> {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut inputs = Vec::new();
    for format in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")) {
        for path in entries(&format).iter().flat_map(|case| entries(case)) {
            if path.is_file() && path.file_stem().is_some_and(|stem| stem == "input") {
                let text = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
                let data = std::fs::read(&path).unwrap();
                inputs.push(Input { format: text(&format), name: text(&path), path, data });
            }
        }
    }
    assert!(inputs.len() > 300, "{}", inputs.len());
    inputs
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
