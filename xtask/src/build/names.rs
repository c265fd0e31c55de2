//! Names by content: a browser may keep a file for ever if its name contains a hash of the content.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The length of a hash in a name, in hexadecimal digits.
const DIGITS: usize = 16;

/// All files below a folder, sorted, with their paths in it; `/` separates the parts.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is a module of WebAssembly.
pub(super) fn is_wasm(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "wasm")
}

/// Copies a folder with its whole content.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("there is no {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A hash of the names and the contents of files.
pub(super) fn hash_of(files: &[(String, PathBuf)]) -> Result<String> {
    let mut hash = Sha256::new();
    for (name, file) in files {
        let content = fs::read(file)?;
        // Lengths first, so that different sets of files never give the same sequence of bytes.
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    Ok(short_hex(&hash.finalize()))
}

/// Writes a file into a folder, under a name with the hash of its content; returns the name.
pub(super) fn write_hashed(folder: &Path, stem: &str, ending: &str, content: &[u8]) -> Result<String> {
    let name = format!("{stem}-{}.{ending}", short_hex(&Sha256::digest(content)));
    fs::write(folder.join(&name), content).with_context(|| format!("cannot write {name}"))?;
    Ok(name)
}

/// Whether a path contains a hash, in the name of the file or of a folder.
pub(super) fn is_hashed(path: &str) -> bool {
    path.split(['/', '.', '_', '-'])
        .skip(1)
        .any(|part| part.len() == DIGITS && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A hash in the form of content security policies and of the attribute `integrity`.
pub(super) fn integrity(content: impl AsRef<[u8]>) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(content)))
}

/// The first 64 bits in hexadecimal digits.
fn short_hex(hash: &[u8]) -> String {
    let first = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_by_all_that_is_in_it() {
        let folder = std::env::temp_dir().join(format!("evalcheck-names-{}", std::process::id()));
        fs::create_dir_all(folder.join("snippets")).unwrap();
        let hash_with = |name: &str, content: &str| {
            fs::write(folder.join(name), content).unwrap();
            let hash = hash_of(&files_below(&folder).unwrap()).unwrap();
            fs::remove_file(folder.join(name)).unwrap();
            hash
        };
        let first = hash_with("a.js", "b");
        assert_eq!(first.len(), 16);
        assert_eq!(first, hash_with("a.js", "b"));
        for (name, content) in [("a.js", "c"), ("b.js", "b"), ("snippets/a.js", "b"), ("a", ".jsb")] {
            assert_ne!(first, hash_with(name, content), "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_with_a_hash_are_told_from_others() {
        for path in [
            "base-1f2e3d4c5b6a7988.css",
            "page-1f2e3d4c5b6a7988_bg.wasm",
            "worker-1f2e3d4c5b6a7988/worker.js",
        ] {
            assert!(is_hashed(path), "{path}");
        }
        for path in ["index.html", "icons/maskable-512.png", "sw.js", "1f2e3d4c5b6a7988", "a-deadbeef.js"] {
            assert!(!is_hashed(path), "{path}");
        }
    }
}
