//! Writes archives.

use std::io::{self, Cursor, Read, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A ZIP of files: their paths, with `/` between folders, and their contents. The same files give the same bytes.
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

/// Writes an archive again with the contents of one entry changed by `edit`. All others are copied as they are compressed.
///
/// # Errors
/// Those of reading and writing, and an archive that the `zip` crate does not read.
pub fn rewrite<R: Read + Seek, W: Write + Seek>(
    source: &mut R,
    sink: &mut W,
    entry: &str,
    edit: &mut dyn FnMut(&mut dyn Read, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut archive = ZipArchive::new(source)?;
    let mut writer = ZipWriter::new(sink);
    for index in 0..archive.len() {
        if archive.by_index_raw(index)?.name()? != entry {
            writer.raw_copy_file(archive.by_index_raw(index)?)?;
            continue;
        }
        let mut file = archive.by_index(index)?;
        writer.start_file(entry, file.options())?;
        edit(&mut file, &mut writer)?;
    }
    writer.finish()?;
    Ok(())
}

/// Reads the contents of one entry.
///
/// # Errors
/// As [`rewrite`]; there is no such entry.
pub fn with_entry<R: Read + Seek>(
    source: &mut R,
    entry: &str,
    read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    read(&mut ZipArchive::new(source)?.by_name(entry)?)
}
