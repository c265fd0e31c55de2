//! The contents of an archive.

use std::fmt::Write;
use std::io::{Cursor, Read};

/// The entries of an archive, as the `zip` crate reads them, with their contents.
pub(crate) fn listing(zip: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut out = String::new();
    for index in 0..archive.len() {
        let name = archive.by_index_raw(index).unwrap().name().unwrap().to_string();
        let mut contents = Vec::new();
        let read = archive.by_index(index).map(|mut entry| entry.read_to_end(&mut contents));
        let shown = match (read, String::from_utf8(contents)) {
            (Ok(Ok(_)), Ok(text)) if text.len() < 10_000 => text,
            (Ok(Ok(size)), _) => format!("({size} bytes)\n"),
            _ => "(not readable)\n".to_owned(),
        };
        let end = if shown.is_empty() || shown.ends_with('\n') { "" } else { "\n" };
        writeln!(out, "== {}\n{shown}{end}", name.escape_debug()).unwrap();
    }
    out.into_bytes()
}
