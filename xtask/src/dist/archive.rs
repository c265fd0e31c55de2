//! A reproducible archive: nothing depends on the time, the place and the user that made it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tar archive, compressed by gzip.
    TarGz,
    /// A ZIP archive.
    Zip,
}

impl Kind {
    /// The format that users of a target can unpack.
    pub(super) fn of(target: &str) -> Self {
        if target.contains("windows") { Self::Zip } else { Self::TarGz }
    }

    /// The extension of such files.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::TarGz => ".tar.gz",
            Self::Zip => ".zip",
        }
    }
}

/// Files in one folder, sorted by name.
pub(super) struct Archive {
    stem: String,
    files: BTreeMap<String, File>,
}

struct File {
    content: Vec<u8>,
    is_program: bool,
}

/// The time of all files in a tar archive: midnight of 1 January 1980, which is also the first that a ZIP can have.
const TIME: u64 = 315_532_800;

impl File {
    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

impl Archive {
    /// An empty archive. `stem` is its name without the extension, and the folder in it.
    pub(super) fn new(stem: &str) -> Self {
        Self { stem: stem.to_owned(), files: BTreeMap::new() }
    }

    /// Adds a file; `/` separates the folders in its name.
    pub(super) fn add(&mut self, name: &str, content: Vec<u8>) {
        self.files.insert(format!("{}/{name}", self.stem), File { content, is_program: false });
    }

    /// Adds an executable file.
    pub(super) fn add_program(&mut self, name: &str, content: Vec<u8>) {
        self.files.insert(format!("{}/{name}", self.stem), File { content, is_program: true });
    }

    /// Writes the archive into a folder.
    pub(super) fn write(&self, folder: &Path, kind: Kind) -> Result<()> {
        let name = format!("{}{}", self.stem, kind.ending());
        let bytes = match kind {
            Kind::TarGz => self.tar_gz(),
            Kind::Zip => self.zip(),
        };
        let bytes = bytes.with_context(|| format!("cannot pack {name}"))?;
        fs::write(folder.join(&name), bytes).with_context(|| format!("cannot write {name}"))
    }

    fn tar_gz(&self) -> Result<Vec<u8>> {
        // `GzEncoder` writes no time and no name by itself.
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::new(6)));
        for (name, file) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(file.content.len() as u64);
            header.set_mode(file.mode());
            header.set_mtime(TIME);
            header.set_uid(0);
            header.set_gid(0);
            tar.append_data(&mut header, name, file.content.as_slice())?;
        }
        Ok(tar.into_inner()?.finish()?)
    }

    fn zip(&self) -> Result<Vec<u8>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, file) in &self.files {
            // The default time is 1 January 1980.
            let options = SimpleFileOptions::default()
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(file.mode());
            zip.start_file(name, options)?;
            zip.write_all(&file.content)?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// The same files, added in one order or the other.
    fn example(reversed: bool) -> Archive {
        let mut files = vec![("README.md", "read"), ("man/man1/a.1", "manual"), ("completions/_a", "")];
        if reversed {
            files.reverse();
        }
        let mut archive = Archive::new("a-1.0.0");
        for (name, content) in files {
            archive.add(name, content.into());
        }
        archive.add_program("a", b"program".to_vec());
        archive
    }

    #[test]
    fn the_same_files_make_the_same_archive() {
        assert_eq!(example(false).tar_gz().unwrap(), example(true).tar_gz().unwrap());
        assert_eq!(example(false).zip().unwrap(), example(true).zip().unwrap());
    }

    #[test]
    fn a_tar_archive_is_sorted_and_owned_by_nobody_in_particular() {
        let bytes = example(false).tar_gz().unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), TIME);
            found.push((
                entry.path().unwrap().to_string_lossy().into_owned(),
                header.mode().unwrap(),
                content,
            ));
        }
        let expected = [
            ("a-1.0.0/README.md", 0o644, "read"),
            ("a-1.0.0/a", 0o755, "program"),
            ("a-1.0.0/completions/_a", 0o644, ""),
            ("a-1.0.0/man/man1/a.1", 0o644, "manual"),
        ];
        let expected = expected.map(|(name, mode, content)| (name.to_owned(), mode, content.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_zip_has_the_same_files() {
        let bytes = example(false).zip().unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(zip.len(), 4);
        let mut program = zip.by_name("a-1.0.0/a").unwrap();
        assert_eq!(program.unix_mode().unwrap() & 0o777, 0o755);
        assert_eq!(program.last_modified().unwrap().year(), 1980);
        let mut content = String::new();
        program.read_to_string(&mut content).unwrap();
        assert_eq!(content, "program");
    }
}
