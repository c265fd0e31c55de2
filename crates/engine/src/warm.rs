//! Running the engine on examples, so that a compiler that watches what runs (a browser's) has done its best work by the
//! time a file is dropped.

use std::io::Cursor;

use evalcheck_wire::worker::CheckOptions;

use crate::job::{FileInfo, Job};

/// Checks a small dataset whose report nobody wants.
///
/// ```
/// evalcheck_engine::warm::run("juryarena", "minimal.jsonl", b"{}");
/// ```
pub fn run(format: &str, name: &str, bytes: &[u8]) {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions { format: Some(format.to_owned()), ..CheckOptions::default() };
    let mut job = Job::open(&mut Cursor::new(bytes), file, options);
    job.read_all(bytes, bytes.len());
    let _ = job.report();
}
