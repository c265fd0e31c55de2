//! The test archives of other ZIP readers: every problem that those readers report must be a finding.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{capture, cargo, fast_command, output, say};
use crate::{archives, debian, npm};

/// The last release of the `zip` crate whose package contains its test archives, and such a release of adm-zip.
const ZIP_CRATE: &str = "0.6.6";
const ADM_ZIP: &str = "adm-zip@0.4.4";

/// Debian packages with test archives, by the beginning and the end of their names, with a version in between.
const DEBIAN: [(&str, &str); 2] = [("libpython3.", "-testsuite"), ("golang-", "-src")];

/// Compares their results with ours; returns true if they agree.
pub(super) fn run() -> Result<bool> {
    let mut files = Vec::new();
    for (name, found) in [
        ("the zip crate", of_the_zip_crate()),
        ("adm-zip", of_adm_zip()),
        ("CPython", of_debian(DEBIAN[0])),
        ("Go", of_debian(DEBIAN[1])),
    ] {
        match found {
            Ok(found) if found.is_empty() => say(format!("NOTE: no archives of {name}")),
            Ok(found) => {
                println!("{} archives of {name}", found.len());
                files.extend(found);
            }
            Err(error) => say(format!("NOTE: no archives of {name}: {error:#}")),
        }
    }
    let list = super::folder("archives").join("files.txt");
    fs::create_dir_all(super::folder("archives"))?;
    let lines: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    fs::write(&list, lines.join("\n"))?;
    let mut node = archives::tests(&fast_command()?)?;
    node.args(["--test", "--test-reporter=tap", "corpora.test.js"]).env("EVALCHECK_CORPUS", &list);
    let (status, text) = capture(&mut node)?;
    archives::show_counts(&text);
    if !status.success() {
        println!("{text}");
    }
    Ok(status.success())
}

fn of_the_zip_crate() -> Result<Vec<PathBuf>> {
    let folder = super::folder("zip");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src").join("lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"corpus\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nzip = {{ version = \"={ZIP_CRATE}\", default-features = false }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    let metadata = output(cargo().current_dir(&folder).args(["metadata", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages
        .filter(|package| package["name"] == "zip")
        .find_map(|package| package["manifest_path"].as_str())
        .context("cargo knows no package zip")?;
    archives_below(Path::new(manifest).parent().context("it has no folder")?)
}

fn of_adm_zip() -> Result<Vec<PathBuf>> {
    let folder = super::folder("adm-zip");
    npm::install_package(&folder, ADM_ZIP)?;
    archives_below(&folder.join("node_modules").join("adm-zip"))
}

/// The archives of the latest of the packages with such names; it is installed if that needs no permission.
fn of_debian((begin, end): (&str, &str)) -> Result<Vec<PathBuf>> {
    let pattern = format!("^{}[0-9.]+{}$", begin.replace('.', "[.]"), end);
    let known = output(Command::new("apt-cache").args(["search", "--names-only", &pattern]))?;
    let version = |name: &str| -> Vec<u32> {
        let digits = name.trim_start_matches(begin).trim_end_matches(end);
        digits.split('.').filter_map(|part| part.parse().ok()).collect()
    };
    let names = known.lines().filter_map(|line| line.split(' ').next());
    let name = names.max_by_key(|name| version(name)).context("Debian's archive has no such package")?;
    let files = || output(Command::new("dpkg").args(["--listfiles", name]));
    if files().is_err() {
        debian::install(name)?;
    }
    let mut found: Vec<PathBuf> =
        files()?.lines().map(PathBuf::from).filter(|path| is_archive(path)).collect();
    found.sort();
    Ok(found)
}

fn archives_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(archives_below(&path)?);
        } else if is_archive(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zip" || extension == "jar")
}
