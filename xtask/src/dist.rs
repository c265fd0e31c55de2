//! `dist`: the files of a release, in `target/dist/`.
//!
//! An archive of the command for each target, the npm package, the built page, and their checksums. The workflow of a release
//! (.github/workflows/release.yml) calls this on each of its machines, so that everything is built in the same way as here.

mod archive;
mod contents;
mod version;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use self::archive::{Archive, Kind};
use crate::build::{self, files_below};
use crate::process::{dev_command, release_command_for, say};
use crate::{npm, tools};

/// The checksums of the files, in the format of `sha256sum -c`.
const SUMS: &str = "SHA256SUMS";

/// Options of a release.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Build the command for this target, and nothing else
    #[arg(long, value_name = "TARGET", conflicts_with = "only")]
    target: Option<String>,
    /// Build only this part (may be repeated)
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// The tag of the release, such as v1.2.0: CHANGELOG.md has to have it, and the repository has to be that of the manifests
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
}

/// A part of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The archive of the command for this machine
    Command,
    /// The npm package
    Npm,
    /// The built page, as an archive
    Page,
}

/// Builds the parts of a release.
pub(crate) fn run(options: &Options) -> Result<()> {
    let version = version::checked(options.tag.as_deref())?;
    let folder = folder();
    fs::create_dir_all(&folder)?;
    let is_wanted = |part| match &options.target {
        Some(_) => part == Part::Command,
        None => options.only.is_empty() || options.only.contains(&part),
    };
    if is_wanted(Part::Command) {
        command(&version, options.target.as_deref(), &folder)?;
    }
    if is_wanted(Part::Npm) {
        npm::pack(&crate::root().join("crates").join("js"), &folder)?;
    }
    if is_wanted(Part::Page) {
        page(&version, &folder)?;
    }
    write_sums(&folder, &version)?;
    say(format!("target/dist/ holds {}", in_words(&of_version(&folder, &version)?)));
    Ok(())
}

/// The folder for the files of a release.
fn folder() -> PathBuf {
    crate::root().join("target").join("dist")
}

/// The name of the archive of the command for a target, without its ending.
fn stem(version: &str, target: &str) -> String {
    format!("evalcheck-{version}-{target}")
}

/// Builds the command for a target, or for this machine, and packs it.
fn command(version: &str, target: Option<&str>, folder: &Path) -> Result<()> {
    let host = tools::host()?;
    let program = release_command_for(target)?;
    let target = target.unwrap_or(&host);
    // A program for another machine cannot print its options.
    let speaker = if target == host { program.clone() } else { dev_command()? };
    pack_command(version, target, &program, &speaker, folder)
}

/// Packs the command `program` for a target. `speaker` is the command for this machine, which writes its manual and its completions.
fn pack_command(version: &str, target: &str, program: &Path, speaker: &Path, folder: &Path) -> Result<()> {
    let mut archive = Archive::new(&stem(version, target));
    contents::add(&mut archive, target, program, speaker)?;
    archive.write(folder, Kind::of(target))
}

/// Packs a command that was built for tests as the release for a target, with checksums. It is written into a folder named after its
/// version, like the releases of a repository; the previous content of the folder is removed. Returns the version.
pub(crate) fn stand_in(program: &Path, target: &str, releases: &Path) -> Result<String> {
    let version = version::checked(None)?;
    if releases.exists() {
        fs::remove_dir_all(releases).with_context(|| format!("cannot remove {}", releases.display()))?;
    }
    let folder = releases.join(format!("v{version}"));
    fs::create_dir_all(&folder)?;
    pack_command(&version, target, program, program, &folder)?;
    write_sums(&folder, &version)?;
    Ok(version)
}

/// Builds the page in both its forms, and packs it.
fn page(version: &str, folder: &Path) -> Result<()> {
    build::page(false)?;
    build::single_file(None)?;
    let mut archive = Archive::new(&stem(version, "page"));
    for (name, path) in files_below(&build::dist())? {
        archive.add(&name, fs::read(path)?);
    }
    archive.write(folder, Kind::TarGz)
}

/// The files in a folder that belong to a version, sorted.
fn of_version(folder: &Path, version: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for (name, _) in files_below(folder)? {
        // The next character is not a further digit of the version.
        let rest = name.strip_prefix("evalcheck-").and_then(|rest| rest.strip_prefix(version));
        if rest.is_some_and(|rest| rest.starts_with(['-', '.']) && !rest.contains('/')) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Writes the checksums of all files of a version in a folder.
fn write_sums(folder: &Path, version: &str) -> Result<()> {
    let mut sums = String::new();
    for name in of_version(folder, version)? {
        for byte in Sha256::digest(fs::read(folder.join(&name))?) {
            write!(sums, "{byte:02x}")?;
        }
        writeln!(sums, "  {name}")?;
    }
    fs::write(folder.join(SUMS), sums).with_context(|| format!("cannot write {SUMS}"))
}

fn in_words(names: &[String]) -> String {
    names.iter().map(String::as_str).chain([SUMS]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_of_the_files_of_one_version() {
        let folder = std::env::temp_dir().join(format!("evalcheck-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["evalcheck-1.2.0.tgz", "evalcheck-1.2.0-a.zip", "evalcheck-1.2.01.tgz", "notes.txt"] {
            fs::write(folder.join(name), "abc").unwrap();
        }
        write_sums(&folder, "1.2.0").unwrap();
        let sums = fs::read_to_string(folder.join(SUMS)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums, format!("{of_abc}  evalcheck-1.2.0-a.zip\n{of_abc}  evalcheck-1.2.0.tgz\n"));
    }

    /// `cargo binstall` has to find the archives that `dist` writes.
    #[test]
    fn binstall_knows_the_names_of_the_archives() {
        let crates = version::packages().unwrap();
        let package = crates.iter().find(|package| package["name"] == "evalcheck-cli").unwrap();
        let binstall = &package["metadata"]["binstall"];
        for (target, program) in
            [("x86_64-unknown-linux-musl", "evalcheck"), ("aarch64-pc-windows-msvc", "evalcheck.exe")]
        {
            let suffix = Kind::of(target).ending();
            let (format, ending) = if suffix == ".zip" { ("zip", ".exe") } else { ("tgz", "") };
            let of_target = &binstall["overrides"][target];
            let found = |key: &str| of_target[key].as_str().or(binstall[key].as_str()).unwrap().to_owned();
            let filled = |template: String| {
                [
                    ("{ repo }", "R"),
                    ("{ version }", "1.2.0"),
                    ("{ target }", target),
                    ("{ bin }", "evalcheck"),
                    ("{ binary-ext }", ending),
                ]
                .iter()
                .fold(template, |text, (name, value)| text.replace(name, value))
            };
            let stem = stem("1.2.0", target);
            assert_eq!(filled(found("pkg-url")), format!("R/releases/download/v1.2.0/{stem}{suffix}"));
            assert_eq!(filled(found("bin-dir")), format!("{stem}/{program}"));
            assert_eq!(found("pkg-fmt"), format);
        }
    }
}
