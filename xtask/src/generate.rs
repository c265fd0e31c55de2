//! `generate`: the files that are generated from the engine's catalogue and from the types that cross a boundary.
//!
//! The crates write them themselves: `cargo run -p evalcheck-docs --example documents -- FOLDER`. So xtask depends on no other crate,
//! and works even if one does not compile.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{TESTED, built_example, output, say};

/// The folder that contains only generated files.
const ONLY_GENERATED: &str = "docs/rules";

/// Options of generating.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write nothing; fail when a file is not as it would be written
    #[arg(long)]
    pub(crate) check: bool,
}

/// Writes or checks the generated files in the root of the repository.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = crate::root();
    let made = std::env::temp_dir().join(format!("evalcheck-documents-{}", std::process::id()));
    std::fs::create_dir_all(&made)?;
    // In a separate build: the crate that describes the types changes the order of keys in every JSON that the same build writes.
    let of_types = ["--package", "evalcheck-wire", "--features", "types"];
    let write = |packages: &[&str], example| {
        output(Command::new(built_example(packages, example)?).arg(&made)).map(drop)
    };
    let written = write(&TESTED, "documents").and_then(|()| write(&of_types, "types"));
    let done = written.and_then(|()| compare(&made, &root, options.check));
    std::fs::remove_dir_all(&made).context("cannot clean up")?;
    done
}

/// The files in a folder and its subfolders.
fn files_under(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

fn compare(made: &Path, root: &Path, check: bool) -> Result<()> {
    let mut stale = Vec::new();
    let mut files = 0;
    for path in files_under(made)? {
        let name = path.strip_prefix(made)?;
        let new = std::fs::read_to_string(&path)?;
        let old = std::fs::read_to_string(root.join(name)).unwrap_or_default().replace("\r\n", "\n");
        files += 1;
        if new == old {
            continue;
        }
        let file = name.display();
        if check {
            stale.push(format!("{file} from line {} on", first_difference(&old, &new)));
        } else {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(root))?;
            std::fs::write(path, new)?;
            say(format!("wrote {file}"));
        }
    }
    for path in files_under(&root.join(ONLY_GENERATED)).unwrap_or_default() {
        let name = path.strip_prefix(root)?;
        if made.join(name).exists() {
            continue;
        }
        if check {
            stale.push(format!("{}, which nothing writes any more", name.display()));
        } else {
            std::fs::remove_file(&path)?;
            say(format!("removed {}", name.display()));
        }
    }
    ensure!(files > 0, "no file was written");
    if !stale.is_empty() {
        bail!("not as they would be written: {}; run `cargo xtask generate`", stale.join(", "));
    }
    Ok(())
}

/// The first line, from 1, in which two texts differ.
fn first_difference(old: &str, new: &str) -> usize {
    old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_is_found_and_named() {
        let folder = std::env::temp_dir().join(format!("evalcheck-generate-{}", std::process::id()));
        let (made, root) = (folder.join("made"), folder.join("root"));
        std::fs::create_dir_all(&made).unwrap();
        std::fs::create_dir_all(&root).unwrap();
        assert!(compare(&made, &root, true).is_err(), "nothing made is an error");

        std::fs::write(made.join("RULES.md"), "one\ntwo\n").unwrap();
        std::fs::write(root.join("RULES.md"), "one\nthree\n").unwrap();
        let error = compare(&made, &root, true).unwrap_err().to_string();
        assert!(error.contains("RULES.md from line 2 on"), "{error}");
        compare(&made, &root, false).unwrap();
        compare(&made, &root, true).unwrap();

        let page = root.join(ONLY_GENERATED).join("old.md");
        std::fs::create_dir_all(page.parent().unwrap()).unwrap();
        std::fs::write(&page, "").unwrap();
        let error = compare(&made, &root, true).unwrap_err().to_string();
        assert!(error.contains("old.md, which nothing writes any more"), "{error}");
        compare(&made, &root, false).unwrap();
        assert!(!page.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
