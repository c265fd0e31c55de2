//! Compiled files that later runs use: with `EVALCHECK_TARGET` they are kept outside of the checkout.
//!
//! Cargo never removes files that it compiled for another version of a dependency or for another checkout. It reads the fingerprint of
//! every unit that it uses. So after a run, the units whose fingerprint was not read since the run before are removed.
//!
//! It also mistakes the crates of another checkout for those of this one if the files of this one are older. So the first run of another
//! checkout compiles them again, and only one run is active at a time.

use std::collections::HashSet;
use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::process::{TARGET_VARIABLE, say, target};

/// The folder of a profile's fingerprints, one folder for each unit.
const FINGERPRINTS: &str = ".fingerprint";

/// The folders of a profile whose entries have the hash of their unit in their names.
const BY_HASH: [&str; 4] = [FINGERPRINTS, "deps", "build", "examples"];

/// Written by the first run that keeps compiled files.
const STAMP: &str = ".kept";

/// Locked by every run.
const LOCK: &str = ".run";

/// The file with the name of the checkout whose crates are compiled there.
const CHECKOUT: &str = ".checkout";

/// Prefixes of the names of the crates of this repository.
const OWN: [&str; 2] = ["evalcheck", "xtask-"];

/// The compiled dependencies of a run.
pub(super) struct Kept {
    /// A description of the compiled files at the beginning.
    pub(super) at_start: &'static str,
    /// The lock, if they are kept outside of the checkout.
    lock: Option<File>,
}

impl Kept {
    /// Prepares a run. Waits for another one in the same folder.
    pub(super) fn open() -> Result<Self> {
        if std::env::var_os(TARGET_VARIABLE).is_none() {
            return Ok(Self { at_start: "those in the checkout's target folder", lock: None });
        }
        let folder = target();
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(LOCK)).context("cannot write to the folder of dependencies")?;
        if lock.try_lock().is_err() {
            say(format!("waiting for another run that uses {}", folder.display()));
            lock.lock()?;
        }
        belong_to(&folder, &crate::root())?;
        let at_start = if folder.join(STAMP).exists() { "kept from an earlier run" } else { "none kept" };
        Ok(Self { at_start, lock: Some(lock) })
    }

    /// Removes the files that this run has not used.
    pub(super) fn prune(self) {
        if self.lock.is_none() {
            return;
        }
        let folder = target();
        let message = match prune_in(&folder) {
            Ok(0) => return,
            Ok(removed) => format!("removed {removed} unused files and folders from {}", folder.display()),
            Err(error) => format!("NOTE: unused files are kept in {}: {error:#}", folder.display()),
        };
        say(message);
    }
}

/// Makes cargo compile the crates of this repository again if another checkout has compiled them.
fn belong_to(folder: &Path, checkout: &Path) -> Result<()> {
    let (file, name) = (folder.join(CHECKOUT), checkout.display().to_string());
    if fs::read_to_string(&file).is_ok_and(|known| known == name) {
        return Ok(());
    }
    for profile in profiles(folder)? {
        let of_crate = |entry: &PathBuf| {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            OWN.iter().any(|own| name.starts_with(own))
        };
        for entry in entries(&profile.join(FINGERPRINTS))?.iter().filter(|entry| of_crate(entry)) {
            remove(entry)?;
        }
    }
    Ok(fs::write(file, name)?)
}

/// Removes files that were not used since the call before, and returns the number of files and folders removed.
fn prune_in(folder: &Path) -> Result<usize> {
    let mut removed = 0;
    let stamp = folder.join(STAMP);
    let can_tell = stamp.exists() && tells_reads(&stamp)?;
    for profile in profiles(folder)? {
        let mut used = HashSet::new();
        for unit in entries(&profile.join(FINGERPRINTS))? {
            let (hash, files) = (hash_in(&unit), entries(&unit)?);
            if files.iter().any(|file| was_read(file)) {
                used.extend(hash);
            }
            for file in files {
                mark(&file)?;
            }
        }
        for entry in BY_HASH.iter().flat_map(|name| entries(&profile.join(name)).unwrap_or_default()) {
            if can_tell && hash_in(&entry).is_some_and(|hash| !used.contains(&hash)) {
                remove(&entry)?;
                removed += 1;
            }
        }
    }
    fs::write(&stamp, "a run of the suite keeps this folder small\n")?;
    mark(&stamp)?;
    Ok(removed)
}

/// Whether the file system records access times, which can be disabled. The run before has marked the file.
fn tells_reads(file: &Path) -> Result<bool> {
    fs::read(file)?;
    Ok(was_read(file))
}

fn was_read(file: &Path) -> bool {
    let accessed = fs::metadata(file).and_then(|metadata| metadata.accessed());
    accessed.is_ok_and(|accessed| accessed > SystemTime::UNIX_EPOCH)
}

/// Sets the time of the last access to one that is earlier than any real access.
fn mark(file: &Path) -> Result<()> {
    let times = FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH);
    let marked = File::open(file).and_then(|file| file.set_times(times));
    marked.with_context(|| format!("cannot mark {}", file.display()))
}

fn remove(entry: &Path) -> Result<()> {
    let removed = if entry.is_dir() { fs::remove_dir_all(entry) } else { fs::remove_file(entry) };
    removed.with_context(|| format!("cannot remove {}", entry.display()))
}

/// The folders of profiles, at most four levels down: `debug`, `wasm32-unknown-unknown/release`.
fn profiles(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        if folder.join(FINGERPRINTS).is_dir() {
            found.push(folder);
        } else if depth < 4 && folder.is_dir() {
            open.extend(
                entries(&folder)?.into_iter().filter(|entry| entry.is_dir()).map(|entry| (entry, depth + 1)),
            );
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// The hash of cargo in `libserde-0123456789abcdef.rlib`.
fn hash_in(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let parts = name.rsplit('-').filter_map(|part| part.split('.').next());
    let mut hashes =
        parts.filter(|part| part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hashes.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(profile: &Path, name: &str) {
        let fingerprint = profile.join(FINGERPRINTS).join(name);
        fs::create_dir_all(&fingerprint).unwrap();
        fs::write(fingerprint.join("lib"), "hash").unwrap();
        fs::create_dir_all(profile.join("deps")).unwrap();
        fs::write(profile.join("deps").join(format!("lib{name}.rlib")), "code").unwrap();
    }

    #[test]
    fn what_was_not_read_since_the_last_time_is_removed() {
        let folder = std::env::temp_dir().join(format!("evalcheck-kept-{}", std::process::id()));
        let profile = folder.join("wasm32-unknown-unknown").join("release");
        let (used, unused) = ("used-0123456789abcdef", "unused-00000000000000ff");
        unit(&profile, used);
        unit(&profile, unused);
        fs::write(profile.join("deps").join("program"), "code").unwrap();
        assert_eq!(prune_in(&folder).unwrap(), 0, "nobody knows what was used before the first time");
        fs::read(profile.join(FINGERPRINTS).join(used).join("lib")).unwrap();
        // If the file system does not record access times, nothing is removed.
        let expected = if tells_reads(&folder.join(STAMP)).unwrap() { 2 } else { 0 };
        assert_eq!(prune_in(&folder).unwrap(), expected);
        assert!(profile.join("deps").join(format!("lib{used}.rlib")).exists());
        assert!(profile.join("deps").join("program").exists());
        assert_eq!(profile.join("deps").join(format!("lib{unused}.rlib")).exists(), expected == 0);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_crates_of_another_checkout_are_compiled_anew() {
        let folder = std::env::temp_dir().join(format!("evalcheck-checkout-{}", std::process::id()));
        let profile = folder.join("debug");
        let (own, other) = ("evalcheck-core-0123456789abcdef", "serde-0123456789abcdef");
        unit(&profile, own);
        unit(&profile, other);
        let is_kept = |name| profile.join(FINGERPRINTS).join(name).exists();
        belong_to(&folder, Path::new("a")).unwrap();
        assert!(!is_kept(own) && is_kept(other));
        unit(&profile, own);
        belong_to(&folder, Path::new("a")).unwrap();
        assert!(is_kept(own));
        belong_to(&folder, Path::new("b")).unwrap();
        assert!(!is_kept(own) && is_kept(other));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_hash_of_a_unit_is_in_the_names_of_its_files() {
        let hash = |name: &str| hash_in(Path::new(name));
        for name in
            ["a-b-0123456789abcdef", "lib-0123456789abcdef.rlib", "a-0123456789abcdef.a.0-cgu.0.rcgu.o"]
        {
            assert_eq!(hash(name).as_deref(), Some("0123456789abcdef"), "{name}");
        }
        assert_eq!(hash("evalcheck.d"), None);
        assert_eq!(hash("evalcheck-cli"), None);
    }
}
