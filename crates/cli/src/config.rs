//! The configuration: `evalcheck.toml`, or the table `tool.evalcheck` of `pyproject.toml`.
//!
//! Options apply to all files, and those in `[[files]]` to the files that its patterns match; the last match of a file takes precedence.
//! The arguments of the command override the configuration.

mod schema;
mod toml_file;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ignore::gitignore::Gitignore;
use serde::Deserialize;

use crate::links;
use crate::paths::is_matched;
use crate::settings::Settings;
use crate::texts::{describe, read_text};

pub(crate) use schema::text as schema;

/// The name of the configuration for a folder and its subfolders.
const FILE: &str = "evalcheck.toml";

/// The file of a Python project, which may contain a table with the configuration.
const PYPROJECT: &str = "pyproject.toml";

/// The longest configuration that is read, in MiB.
const MOST: u64 = 1;

/// One pattern as in a `.gitignore` in the folder of the configuration, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a pattern, or a list of patterns, is wanted")]
enum Patterns {
    One(String),
    Several(Vec<String>),
}

/// A configuration.
#[derive(Debug)]
pub(crate) struct Config {
    /// Folders and patterns of files that are not read.
    excluded: Gitignore,
    settings: Settings,
    files: Vec<(Gitignore, Settings)>,
}

/// The configurations of files.
#[derive(Debug)]
pub(crate) struct Configs {
    /// The configuration for all files, if the arguments determine it.
    of_all: Option<Rc<Config>>,
    /// A configuration for all files that is not read yet.
    wanted: Option<PathBuf>,
    /// The configurations of folders.
    of_folders: HashMap<PathBuf, Rc<Config>>,
    /// Whether the configurations of folders may be links.
    follows: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { excluded: Gitignore::empty(), settings: Settings::default(), files: Vec::new() }
    }
}

impl Config {
    /// Returns true if a [`located`](crate::paths::located) file is excluded.
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        is_matched(&self.excluded, path)
    }

    /// Returns true if a pattern of `[[files]]` matches a [`located`](crate::paths::located) file.
    pub(crate) fn names(&self, path: &Path) -> bool {
        self.files.iter().any(|(patterns, _)| is_matched(patterns, path))
    }

    /// The options for a [`located`](crate::paths::located) file.
    pub(crate) fn settings(&self, path: &Path) -> Rc<Settings> {
        let of_file = self.files.iter().filter(|(patterns, _)| is_matched(patterns, path));
        Rc::new(of_file.fold(self.settings.clone(), |settings, (_, later)| settings.and(later)))
    }
}

impl Configs {
    /// The configurations of files: none if they are isolated, the one in `wanted`, or those of folders.
    pub(crate) fn new(isolated: bool, wanted: Option<PathBuf>, follows: bool) -> Self {
        Self { of_all: isolated.then(Rc::default), wanted, of_folders: HashMap::new(), follows }
    }

    /// The configuration of a [`located`](crate::paths::located) file. For standard input, that of the working directory applies.
    ///
    /// # Errors
    /// It cannot be read, or is invalid; with the file and the position in it.
    pub(crate) fn of(&mut self, path: &Path) -> Result<Rc<Config>, String> {
        if let Some(path) = self.wanted.take() {
            let text = read_text(&path, MOST)
                .map_err(|error| format!("{}: {}", path.display(), describe(&error)))?;
            let config = if path.ends_with(PYPROJECT) {
                toml_file::of_pyproject(&path, &text)?.unwrap_or_default()
            } else {
                toml_file::config(&path, &text)?
            };
            self.of_all = Some(Rc::new(config));
        }
        if let Some(config) = &self.of_all {
            return Ok(Rc::clone(config));
        }
        self.of_folder(path.parent().unwrap_or(path))
    }

    /// The configuration of a folder: its own, or that of the nearest folder above it that has one.
    fn of_folder(&mut self, folder: &Path) -> Result<Rc<Config>, String> {
        if let Some(known) = self.of_folders.get(folder) {
            return Ok(Rc::clone(known));
        }
        let config = match (own(folder, self.follows)?, folder.parent()) {
            (Some(config), _) => Rc::new(config),
            (None, Some(parent)) => self.of_folder(parent)?,
            (None, None) => Rc::default(),
        };
        self.of_folders.insert(folder.to_owned(), Rc::clone(&config));
        Ok(config)
    }
}

/// The configuration in a folder.
fn own(folder: &Path, follows: bool) -> Result<Option<Config>, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        if let Some(why) = links::refusal(&path, follows) {
            return Err(format!("{}: {why}", path.display()));
        }
        match read_text(&path, MOST) {
            Ok(text) => Ok(Some((path, text))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(format!("{}: {}", path.display(), describe(&error))),
        }
    };
    if let Some((path, text)) = read(FILE)? {
        return toml_file::config(&path, &text).map(Some);
    }
    match read(PYPROJECT)? {
        Some((path, text)) => toml_file::of_pyproject(&path, &text),
        None => Ok(None),
    }
}
