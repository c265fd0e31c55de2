//! The golden cases of `tests/cases`, see `golden.rs`.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::loaded::LoadedRecord;
use evalcheck_engine::rejects::Rejects;
use evalcheck_wire::report::Report;
use evalcheck_wire::worker::CheckOptions;
use similar::TextDiff;
use zip::write::SimpleFileOptions;

use crate::recipe::Recipe;

/// A file and how it is checked.
pub(crate) struct Case {
    /// `juryarena/missing-role`
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) options: CheckOptions,
    pub(crate) file_name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) recipe: Option<Recipe>,
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut cases: Vec<Case> = folders(&root)
        .iter()
        .flat_map(|format| folders(format).into_iter().map(|folder| Case::from_folder(format, folder)))
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!cases.is_empty(), "there are no cases in {}", root.display());
    cases
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).unwrap_or_else(|error| panic!("{}: {error}", of.display()));
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

impl Case {
    pub(crate) fn is_zip(&self) -> bool {
        Path::new(&self.file_name).extension().is_some_and(|extension| extension == "zip")
    }

    fn from_folder(format: &Path, folder: PathBuf) -> Self {
        let format = format.file_name().unwrap().to_str().unwrap();
        let name = format!("{format}/{}", folder.file_name().unwrap().to_str().unwrap());
        let mut options =
            CheckOptions { format: (format != "auto").then(|| format.to_owned()), ..CheckOptions::default() };
        if let Ok(text) = fs::read_to_string(folder.join("options.json")) {
            options =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: options.json: {error}"));
        }
        let inputs: Vec<PathBuf> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.file_name().unwrap().to_str().unwrap().split('.').next() == Some("input"))
            .collect();
        let [input] = inputs.as_slice() else {
            panic!("{name}: exactly one input is wanted, found {inputs:?}")
        };
        let recipe = input.ends_with("input.recipe.json").then(|| {
            let text = fs::read_to_string(input).unwrap();
            Recipe::read(&text).unwrap_or_else(|error| panic!("{name}: input.recipe.json: {error}"))
        });
        let (file_name, bytes) = if let Some(recipe) = &recipe {
            (recipe.name.clone(), recipe.make())
        } else if input.is_dir() {
            ("input.zip".to_owned(), pack(input))
        } else {
            (input.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(input).unwrap())
        };
        Self { name, folder, options, file_name, bytes, recipe }
    }

    /// Checks the input in pieces of a size.
    pub(crate) fn check(&self, piece: usize) -> Report {
        let mut check = self.open();
        self.read(&mut check, piece);
        check.report()
    }

    /// The report, and what the system makes of each record.
    pub(crate) fn load(&self) -> (Report, Vec<LoadedRecord>) {
        let mut check = self.open();
        check.keep_loaded();
        self.read(&mut check, 1 << 20);
        (check.report(), check.take_loaded())
    }

    /// The report, and the records with errors.
    pub(crate) fn rejects(&self) -> (Report, Rejects) {
        let mut check = self.open_with(CheckOptions { all: true, ..self.options.clone() });
        check.keep_invalid_records();
        self.read(&mut check, 1 << 20);
        let mut rejects = Rejects::default();
        rejects.locate(&check);
        (check.report(), rejects)
    }

    fn open(&self) -> Check {
        self.open_with(self.options.clone())
    }

    fn open_with(&self, options: CheckOptions) -> Check {
        let info = FileInfo { name: self.file_name.clone(), size: self.bytes.len() as u64 };
        Check::open(&mut Cursor::new(&self.bytes), info, options)
    }

    fn read(&self, check: &mut Check, piece: usize) {
        while let Some(wanted) = check.next_range() {
            let from = usize::try_from(wanted.start).unwrap();
            let to = usize::try_from(wanted.end).unwrap();
            let bytes =
                self.bytes.get(from..to).unwrap_or_else(|| panic!("{}: {wanted:?} is wanted", self.name));
            let space = check.buffer(piece);
            assert!(
                (1..=piece).contains(&space.len()) && space.len() <= bytes.len(),
                "{}: room for {} bytes where {piece} were offered and {} are left",
                self.name,
                space.len(),
                bytes.len()
            );
            let length = space.len();
            space.copy_from_slice(&bytes[..length]);
            check.commit(length);
        }
    }

    /// The bytes that places of the report count in.
    pub(crate) fn dataset(&self, report: &Report) -> Vec<u8> {
        let Some(entry) = &report.file.entry else { return self.bytes.clone() };
        if let Some(recipe) = &self.recipe {
            return recipe.entry(entry).unwrap_or_else(|| panic!("{}: the recipe has no {entry}", self.name));
        }
        let mut archive = zip::ZipArchive::new(Cursor::new(&self.bytes)).unwrap();
        let mut bytes = Vec::new();
        match archive.by_name(entry) {
            Ok(mut entry) => entry.read_to_end(&mut bytes).map(|_| bytes).unwrap(),
            // Nothing in it has a place.
            Err(zip::result::ZipError::UnsupportedArchive(_)) => bytes,
            Err(error) => panic!("{}: {error}", self.name),
        }
    }

    pub(crate) fn compare(&self, file: &str, actual: &str, update: bool, failures: &mut Vec<String>) {
        let path = self.folder.join(file);
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected == actual {
            return;
        }
        if update {
            fs::write(&path, actual).unwrap();
        } else {
            failures.push(format!("{}/{file}\n{}", self.name, diff(&expected, actual)));
        }
    }

    /// The same for a file of bytes, which is not there when nothing is expected.
    pub(crate) fn compare_bytes(
        &self,
        file: &str,
        actual: Option<&Vec<u8>>,
        update: bool,
        failures: &mut Vec<String>,
    ) {
        let path = self.folder.join(file);
        let expected = fs::read(&path).ok();
        if expected.as_ref() == actual {
            return;
        }
        match actual {
            Some(actual) if update => fs::write(&path, actual).unwrap(),
            None if update => fs::remove_file(&path).unwrap(),
            _ => {
                let text = |bytes: Option<&Vec<u8>>| {
                    bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
                };
                let difference = diff(&text(expected.as_ref()), &text(actual));
                failures.push(format!("{}/{file}\n{difference}", self.name));
            }
        }
    }
}

pub(crate) fn diff(expected: &str, actual: &str) -> String {
    TextDiff::from_lines(expected, actual)
        .unified_diff()
        .context_radius(2)
        .header("expected", "actual")
        .to_string()
}

/// Packs a folder to a ZIP that is always the same: entries by name, no times.
fn pack(folder: &Path) -> Vec<u8> {
    let mut files = Vec::new();
    collect(folder, "", &mut files);
    files.sort();
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, path) in files {
        writer.start_file(name, options).unwrap();
        writer.write_all(&fs::read(path).unwrap()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else {
            files.push((name, path));
        }
    }
}
