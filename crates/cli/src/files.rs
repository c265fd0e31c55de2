//! The files that the arguments name: of a folder, the datasets in it; of a pattern, those that it matches.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use evalcheck_wire::folder::{EXTENSIONS, FIRST_BYTES, Kind, begins_as_dataset, kind_of};
use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::args::{Files, Reading, check_version};
use crate::config::{Configs, Settings};
use crate::input::Input;
use crate::{encoding, print_error};

/// A file to read.
#[derive(Debug, Clone)]
pub(crate) struct Dataset {
    /// Its path as the user named it.
    pub(crate) path: PathBuf,
    /// What its configuration says.
    pub(crate) settings: Rc<Settings>,
}

impl Dataset {
    /// Opens it, with what its configuration says of how it is read.
    pub(crate) fn open(self, reading: &Reading) -> Result<(Self, Input, Reading), (PathBuf, io::Error)> {
        let reading = reading.with(&self.settings);
        match encoding::open(&self.path, reading.encoding, reading.check_options()) {
            Ok(input) => Ok((self, input, reading)),
            Err(error) => Err((self.path, error)),
        }
    }
}

/// A file to read, or why there is none.
pub(crate) type Found = Result<Dataset, (PathBuf, io::Error)>;

/// The files that are meant by these arguments. Of a folder these are all datasets in it and its folders, in the order of their paths; without
/// hidden ones, without those that a `.gitignore` names, and without those that are excluded or are a baseline.
///
/// `None` where a configuration or a pattern is wrong, which is said on standard error.
pub(crate) fn expand(files: &Files, reading: &Reading, baseline: Option<&Path>) -> Option<Vec<Found>> {
    expanded(files, reading, baseline).map_err(|why| print_error("configuration", &why)).ok()
}

/// As [`expand`], with what is wrong.
pub(crate) fn expanded(
    files: &Files,
    reading: &Reading,
    baseline: Option<&Path>,
) -> Result<Vec<Found>, String> {
    let excluded =
        patterns(&located(Path::new(".")), &files.exclude).map_err(|why| format!("--exclude: {why}"))?;
    let mut configs = Configs::new(reading);
    let baseline = baseline.map(located);
    let mut all = Vec::new();
    for path in &files.files {
        if path.is_dir() {
            let found = in_folder(path, |path| is_dataset(path) && !is_matched(&excluded, &located(path)));
            all.extend(without_excluded(found, path, &mut configs, baseline.as_deref())?);
        } else if let Some((folder, pattern)) = as_pattern(path) {
            let pattern = patterns(&located(&folder), &[pattern])?;
            let is_meant = |path: &Path| {
                let place = located(path);
                is_matched(&pattern, &place) && !is_matched(&excluded, &place)
            };
            let found = if folder.is_dir() {
                in_folder(&folder, |path| is_meant(path) && is_dataset(path))
            } else {
                Vec::new()
            };
            all.extend(without_excluded(found, path, &mut configs, baseline.as_deref())?);
        } else {
            let place = located(path);
            let settings = configs.of(&place)?.settings(&place);
            all.push(Ok(Dataset { path: path.clone(), settings }));
        }
    }
    for dataset in all.iter().flatten() {
        let reading = reading.with(&dataset.settings);
        check_version(reading.format.as_deref(), reading.format_version.as_deref())
            .map_err(|why| format!("of {}: {why}", dataset.path.display()))?;
    }
    Ok(all)
}

/// Patterns as in a `.gitignore` of a folder.
pub(crate) fn patterns(folder: &Path, patterns: &[String]) -> Result<Gitignore, String> {
    if patterns.is_empty() {
        return Ok(Gitignore::empty());
    }
    let mut builder = GitignoreBuilder::new(folder);
    for pattern in patterns {
        builder.add_line(None, pattern).map_err(|error| error.to_string())?;
    }
    builder.build().map_err(|error| error.to_string())
}

/// True for a [`located`] file that patterns match, or that is in a folder that they match. Where it is not below their folder, those count that
/// match anywhere.
pub(crate) fn is_matched(patterns: &Gitignore, path: &Path) -> bool {
    if patterns.is_empty() {
        return false;
    }
    let below: PathBuf = match path.strip_prefix(patterns.path()) {
        Ok(below) => below.to_owned(),
        Err(_) => path.components().filter(|part| matches!(part, Component::Normal(_))).collect(),
    };
    patterns.matched_path_or_any_parents(below, false).is_ignore()
}

/// A path from the root, in a folder without links.
pub(crate) fn located(path: &Path) -> PathBuf {
    let (folder, name) = match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => (folder, name),
        _ => (path, OsStr::new("")),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    folder.map_or_else(|_| path.to_owned(), |folder| if name.is_empty() { folder } else { folder.join(name) })
}

/// What was found at a path, without what the configuration of each file excludes, and with it.
fn without_excluded(
    found: Vec<Result<PathBuf, io::Error>>,
    at: &Path,
    configs: &mut Configs,
    baseline: Option<&Path>,
) -> Result<Vec<Found>, String> {
    let mut all = Vec::new();
    for found in found {
        match found {
            Ok(path) => {
                let place = located(&path);
                let config = configs.of(&place)?;
                let settings = config.settings(&place);
                let baseline = baseline.or(settings.baseline.as_deref());
                if !config.excludes(&place) && baseline.is_none_or(|baseline| located(baseline) != place) {
                    all.push(Ok(Dataset { path, settings }));
                }
            }
            Err(error) => all.push(Err((at.to_owned(), error))),
        }
    }
    if all.is_empty() {
        let why = if at.is_dir() {
            format!("no file in this folder ends with .{}, or begins as JSON", EXTENSIONS.join(", ."))
        } else {
            "no dataset matches this pattern".to_owned()
        };
        all.push(Err((at.to_owned(), io::Error::other(why))));
    }
    Ok(all)
}

/// The folder below which files may match a pattern, and the pattern from there; `None` for a path that is none.
fn as_pattern(path: &Path) -> Option<(PathBuf, String)> {
    let is_pattern = |part: &OsStr| part.to_string_lossy().contains(['*', '?', '[', '{']);
    if path.exists() || !path.iter().any(is_pattern) {
        return None;
    }
    let folder: PathBuf = path.iter().take_while(|part| !is_pattern(part)).collect();
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let rest: Option<Vec<&str>> =
        path.iter().skip_while(|part| !is_pattern(part)).map(OsStr::to_str).collect();
    Some((folder, format!("/{}", rest?.join("/"))))
}

/// The files of a folder and its folders that are meant.
fn in_folder(folder: &Path, is_meant: impl Fn(&Path) -> bool) -> Vec<io::Result<PathBuf>> {
    let walk = WalkBuilder::new(folder).sort_by_file_path(Path::cmp).build();
    walk.filter_map(|entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
            let path = entry.path().strip_prefix("./").unwrap_or(entry.path());
            (is_file && is_meant(path)).then(|| Ok(path.to_owned()))
        }
        Err(error) => {
            let why = error.to_string();
            Some(Err(error.into_io_error().unwrap_or_else(|| io::Error::other(why))))
        }
    })
    .collect()
}
/// True for a file of a folder that is checked.
fn is_dataset(path: &Path) -> bool {
    match kind_of(&path.file_name().unwrap_or_default().to_string_lossy()) {
        Kind::Dataset => true,
        Kind::Other => false,
        // A named pipe could wait for its writer for ever.
        Kind::Unclear => path.is_file() && first_bytes(path).is_ok_and(|first| begins_as_dataset(&first)),
    }
}

fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(FIRST_BYTES.into()).read_to_end(&mut first)?;
    Ok(first)
}
