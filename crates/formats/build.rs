//! Packs the example archives: the folder `src/FORMAT/full` becomes `FORMAT-full.zip`.
//!
//! This happens at build time, so that the engine in a browser contains no code that writes archives.

use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let formats = Path::new("src");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed={}", formats.display());
    for format in fs::read_dir(formats)? {
        let format = format?;
        let folder = format.path().join("full");
        if folder.is_dir() {
            let name = format!("{}-full.zip", format.file_name().to_string_lossy());
            fs::write(out.join(name), pack(&folder)?)?;
        }
    }
    Ok(())
}

/// A ZIP of the files in a folder, the least nested first.
fn pack(folder: &Path) -> io::Result<Vec<u8>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort_by_key(|path| (path.components().count(), path.clone()));
    let mut files = Vec::new();
    for path in &paths {
        let inside = path.strip_prefix(folder).map_err(io::Error::other)?;
        files.push((inside.to_string_lossy().replace('\\', "/"), fs::read(path)?));
    }
    evalcheck_archive::write(files.iter().map(|(path, contents)| (path.as_str(), contents.as_slice())))
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
