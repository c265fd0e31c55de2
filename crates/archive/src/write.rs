//! Writes archives.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP of files. `files` are their paths, with `/` between folders, and their contents. The same files give the same bytes.
///
/// # Errors
/// Two files have the same path, or a path is too long.
///
/// ```
/// # use std::io::Cursor;
/// # use evalcheck_archive::Archive;
/// let bytes = evalcheck_archive::write([("data.jsonl", b"{}".as_slice())])?;
/// let opened = Archive::open(&mut Cursor::new(&bytes), bytes.len() as u64);
/// assert_eq!(opened.archive.unwrap().entries()[0].path(), "data.jsonl");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> std::io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, contents) in files {
        writer.start_file(path, options)?;
        writer.write_all(contents)?;
    }
    Ok(writer.finish()?.into_inner())
}
