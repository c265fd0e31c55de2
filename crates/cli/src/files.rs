//! The files that the arguments name: for a folder, the datasets in it; for a pattern, the files that it matches.

mod walk;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use evalcheck_render::sum;
use evalcheck_report::text::count;
use evalcheck_wire::folder::EXTENSIONS;
use evalcheck_wire::options::AUTO;
use evalcheck_wire::user_schema::SchemaFile;

use crate::args::{Files, Reading};
use crate::config::{Config, Configs};
use crate::input::Input;
use crate::known::check_version;
use crate::paths::{is_matched, located, patterns};
use crate::settings::Settings;
use crate::{decoded, links, print_error};
use walk::{InFolder, Passed, Walked, in_folder};

/// A file to read.
#[derive(Debug, Clone)]
pub(crate) struct Dataset {
    /// Its path, as the user named it.
    pub(crate) path: PathBuf,
    /// The name that the user gives to standard input.
    name: Option<PathBuf>,
    /// The options of its configuration.
    pub(crate) settings: Rc<Settings>,
    /// The target, if it is a link in a folder.
    pub(crate) target: Option<PathBuf>,
    /// The folder that the user named; for a file, its folder.
    pub(crate) folder: PathBuf,
}

impl Dataset {
    /// Opens it, with the reading options of its configuration.
    pub(crate) fn open(self, reading: &Reading) -> Result<(Self, Input, Reading), (PathBuf, io::Error)> {
        let reading = reading.with(&self.settings);
        match decoded::open(&self.path, &reading.options) {
            Ok(mut input) => {
                self.rename(&mut input);
                Ok((self, input, reading))
            }
            Err(error) => Err((self.path, error)),
        }
    }

    /// The name of the file for the user.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        self.name.as_deref().unwrap_or(&self.path).to_string_lossy()
    }

    /// Gives standard input the name that the user chose.
    pub(crate) fn rename(&self, input: &mut Input) {
        if let Some(name) = self.name.as_deref().and_then(Path::file_name) {
            input.info.name = name.to_string_lossy().into_owned();
        }
    }

    /// A note on its target.
    pub(crate) fn note(&self) -> Option<String> {
        self.target.as_ref().map(|target| format!("This is a link to {}.", target.display()))
    }

    /// Fails if writing it would change a file outside its folder.
    ///
    /// # Errors
    /// An error with the target.
    pub(crate) fn check_in_place(&self) -> io::Result<()> {
        check_in_place(&self.path, &self.folder)
    }
}

/// Fails if a file of a folder leads out of it, so that it is not replaced.
///
/// # Errors
/// An error with the target.
pub(crate) fn check_in_place(path: &Path, folder: &Path) -> io::Result<()> {
    match links::out_of(folder, path) {
        None => Ok(()),
        Some(target) => Err(io::Error::other(format!(
            "a link out of its folder, to {0}, which is not replaced: name {0} itself",
            target.display()
        ))),
    }
}

/// A file to read, or the reason why there is none.
pub(crate) type Found = Result<Dataset, (PathBuf, io::Error)>;

/// The files that arguments select.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    /// The files to read.
    pub(crate) files: Vec<Found>,
    /// Files of folders that are skipped, with the reason why they are not datasets.
    pub(crate) skipped: Vec<(PathBuf, &'static str)>,
    passed: Passed,
}

impl Expanded {
    /// Adds the files found at a path, in a folder, except those that their configuration excludes or that the run writes. With `skips`,
    /// the options for reading the files, those that are surely not datasets are skipped.
    fn add(
        &mut self,
        found: Vec<InFolder>,
        [at, folder]: [&Path; 2],
        configs: &mut Configs,
        written: &[PathBuf],
        skips: Option<&Reading>,
    ) -> Result<(), String> {
        let (files, before) = (self.files.len(), self.skipped.len());
        for found in found {
            let file = match found {
                Ok(file) => file,
                Err((path, error)) => {
                    self.files.push(Err((path.unwrap_or_else(|| at.to_owned()), error)));
                    continue;
                }
            };
            let place = located(&file.path);
            let config = configs.of(&place)?;
            let settings = config.settings(&place);
            let is_baseline = settings.baseline.as_ref().is_some_and(|path| located(path) == place);
            if config.excludes(&place) || is_baseline || written.contains(&place) {
                continue;
            }
            let why = skips.and_then(|reading| skipped(&file, reading, &config, &settings));
            let Walked { path, target, .. } = file;
            if let Some(why) = why {
                self.skipped.push((path, why));
                continue;
            }
            self.files.push(Ok(Dataset { path, name: None, settings, target, folder: folder.to_owned() }));
        }
        if self.files.len() == files {
            let why = match self.skipped.len() - before {
                0 if at.is_dir() => {
                    format!("no file in this folder ends with .{}, or begins as JSON", EXTENSIONS.join(", ."))
                }
                0 => "no dataset matches this pattern".to_owned(),
                skipped => format!(
                    "no dataset is in this folder: {} in it {} something else. Name a file to check it as it is",
                    count(skipped as u64, "file"),
                    if skipped == 1 { "is" } else { "are" },
                ),
            };
            self.files.push(Err((at.to_owned(), io::Error::other(why))));
        }
        Ok(())
    }

    /// Returns the files to read, and prints the number of skipped files to standard error. For commands without a summary line.
    pub(crate) fn noted(self) -> Vec<Found> {
        if !self.skipped.is_empty() {
            print_error("folders", &sum::skipped(self.skipped.len() as u64));
        }
        self.files
    }
}

/// The reason for skipping a file of a folder. A file that the configuration names is not skipped; if the format or a schema is given, only a file of
/// another tool is, and the schema itself.
fn skipped(file: &Walked, reading: &Reading, config: &Config, settings: &Settings) -> Option<&'static str> {
    if config.names(&located(&file.path)) {
        return None;
    }
    let options = reading.with(settings).options;
    let schema = options.schema.as_deref().unwrap_or_default();
    let is_schema = |of: &SchemaFile| {
        let has_size = fs::metadata(&file.path).is_ok_and(|file| file.len() == of.text.len() as u64);
        has_size && fs::read_to_string(&file.path).is_ok_and(|text| text == of.text)
    };
    if schema.iter().any(is_schema) {
        return Some("the schema");
    }
    let is_named = options.format.as_deref().is_some_and(|format| format != AUTO) || !schema.is_empty();
    if is_named && file.by_name.is_none() { None } else { file.something_else() }
}

/// The files that the arguments select. For a folder, these are all datasets in it and its subfolders, in the order of their paths,
/// except: hidden files, files in a `.gitignore`, excluded files, files that the run writes, and files that are surely not datasets and
/// that no pattern names.
///
/// `None` if a configuration or a pattern is invalid, which is reported on standard error, as are links that are not followed.
pub(crate) fn expand(files: &Files, reading: &Reading, written: &[&Path]) -> Option<Expanded> {
    let expanded =
        expanded(files, reading, written).map_err(|why| print_error("configuration", &why)).ok()?;
    if let Some((path, target)) = &expanded.passed.first {
        let others = match expanded.passed.count - 1 {
            0 => String::new(),
            more => {
                format!(", nor {}", if more == 1 { "another".to_owned() } else { format!("{more} others") })
            }
        };
        let why =
            format!("this link to {} is not followed{others}: name what is to be read", target.display());
        print_error(&path.to_string_lossy(), &why);
    }
    for (path, why) in expanded.skipped.iter().filter(|_| files.skipped) {
        print_error(&path.to_string_lossy(), &format!("skipped: {why}"));
    }
    Some(expanded)
}

/// As [`expand`], but returns the problem.
pub(crate) fn expanded(files: &Files, reading: &Reading, written: &[&Path]) -> Result<Expanded, String> {
    let excluded =
        patterns(&located(Path::new(".")), &files.exclude).map_err(|why| format!("--exclude: {why}"))?;
    let follows = !files.no_follow;
    let mut configs = Configs::new(reading.isolated, reading.config.clone(), follows);
    let written: Vec<PathBuf> = written.iter().map(|path| located(path)).collect();
    let mut all = Expanded::default();
    for path in &files.paths {
        if let Some(target) = links::link_in(path).filter(|_| !follows) {
            all.files.push(Err((path.clone(), io::Error::other(links::not_followed(&target)))));
        } else if path.is_dir() {
            let is_meant = |path: &Path| !is_matched(&excluded, &located(path));
            let found = in_folder(path, follows, &mut all.passed, is_meant);
            all.add(found, [path, path], &mut configs, &written, Some(reading))?;
        } else if let Some((folder, pattern)) = as_pattern(path) {
            let pattern = patterns(&located(&folder), &[pattern])?;
            let is_meant = |path: &Path| {
                let place = located(path);
                is_matched(&pattern, &place) && !is_matched(&excluded, &place)
            };
            let found = if folder.is_dir() {
                in_folder(&folder, follows, &mut all.passed, is_meant)
            } else {
                Vec::new()
            };
            all.add(found, [path, &folder], &mut configs, &written, None)?;
        } else if is_word(path) {
            let why = "no such file, and no command of this name; `evalcheck --help` lists the commands";
            all.files.push(Err((path.clone(), io::Error::other(why))));
        } else {
            let name = reading.stdin_filename.clone().filter(|_| path.as_os_str() == "-");
            let place = located(name.as_ref().unwrap_or(path));
            let settings = configs.of(&place)?.settings(&place);
            let folder = path.parent().unwrap_or(path).to_owned();
            all.files.push(Ok(Dataset { path: path.clone(), name, settings, target: None, folder }));
        }
    }
    for dataset in all.files.iter().flatten() {
        let reading = reading.with(&dataset.settings);
        check_version(&reading.options).map_err(|why| format!("of {}: {why}", dataset.path.display()))?;
    }
    Ok(all)
}

/// Returns true for a word without an extension that names no file, and may be meant as a command.
fn is_word(path: &Path) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_word = path.to_str().is_some_and(|text| text.len() > 1 && text.chars().all(is_letter));
    is_word && !path.exists()
}

/// The folder below which files may match a pattern, and the pattern from there; `None` if the path is not a pattern.
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
