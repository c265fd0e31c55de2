//! A program for the test of archives against real readers (`tests/archives`). `write FOLDER` writes archives that programs read
//! differently, with a folder for each family. `families` prints the names of these folders. `read` takes paths of archives from standard
//! input, and prints a line for each archive with what we read from it.

#[path = "../src/tests/build.rs"]
mod build;
#[path = "../src/tests/constructions/mod.rs"]
mod constructions;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use evalcheck_archive::Archive;

/// The maximum number of bytes that are read from an entry.
const MOST: usize = 64 << 20;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder)),
        ["families"] => {
            let mut out = io::stdout().lock();
            constructions::FAMILIES.iter().try_for_each(|(name, _)| writeln!(out, "{name}"))
        }
        ["read"] => {
            let mut out = io::stdout().lock();
            io::stdin().lines().try_for_each(|path| writeln!(out, "{}", read(Path::new(&path?))))
        }
        _ => Err(io::Error::other("`write FOLDER`, `families`, or `read` with paths on standard input")),
    }
}

fn write(folder: &Path) -> io::Result<()> {
    for construction in constructions::all() {
        let folder = folder.join(construction.family);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(construction.name + ".zip"), construction.bytes)?;
    }
    Ok(())
}

/// `NAME=CONTENTS` of each file, in hexadecimal digits; for several files of one name, the last. Or `!` and the reason.
fn read(path: &Path) -> String {
    files(path).unwrap_or_else(|error| format!("!{}", error.to_string().replace('\n', " ")))
}

fn files(path: &Path) -> io::Result<String> {
    let mut source = File::open(path)?;
    let size = source.metadata()?.len();
    let opened = Archive::open(&mut source, size);
    let archive = opened.archive.ok_or_else(|| io::Error::other("no archive"))?;
    let mut files = BTreeMap::new();
    for entry in archive.entries().iter().filter(|entry| !entry.is_dir) {
        let contents =
            entry.read_start(&mut source, MOST).map_err(|error| io::Error::other(error.to_string()))?;
        files.insert(entry.name.clone(), contents);
    }
    let pairs = files.iter().map(|(name, contents)| format!("{}={}", hex(name.as_bytes()), hex(contents)));
    Ok(pairs.collect::<Vec<_>>().join(" "))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
