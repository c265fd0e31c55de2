//! The golden cases of `tests/cases`, see `golden.rs`.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::diff::Differ;
use evalcheck_engine::environment::Environment;
use evalcheck_engine::formats::Layout;
use evalcheck_engine::overview::Overview;
use evalcheck_report::Report;
use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::CheckOptions;
use zip::write::SimpleFileOptions;

use super::recipe::Recipe;

/// A file and its options.
pub(crate) struct Case {
    /// `juryarena/missing-role`
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) options: CheckOptions,
    pub(crate) file_name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) recipe: Option<Recipe>,
}

/// The folders of all cases, by name.
pub(crate) fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut folders: Vec<PathBuf> = folders_in(&root).iter().flat_map(|format| folders_in(format)).collect();
    folders.sort();
    assert!(!folders.is_empty(), "there are no cases in {}", root.display());
    folders
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

/// The name of the case in a folder.
pub(crate) fn name(folder: &Path) -> String {
    let part = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    format!("{}/{}", part(folder.parent().unwrap()), part(folder))
}

impl Case {
    pub(crate) fn load(folder: &Path) -> Self {
        let name = name(folder);
        let format = name.split('/').next().filter(|format| *format != "auto");
        let by_folder = CheckOptions { format: format.map(str::to_owned), ..CheckOptions::default() };
        let options = fs::read_to_string(folder.join("options.json")).map_or(by_folder, |text| {
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: options.json: {error}"))
        });
        let mut options = options;
        options.schema = schema_files(folder);
        let inputs: Vec<PathBuf> = fs::read_dir(folder)
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
        Self { name, folder: folder.to_owned(), options, file_name, bytes, recipe }
    }

    pub(crate) fn is_zip(&self) -> bool {
        self.extension() == "zip"
    }

    /// The extension of the file name.
    pub(crate) fn extension(&self) -> &str {
        self.file_name.rsplit('.').next().unwrap()
    }

    /// Checks the input, or other bytes in its place, in pieces of a size.
    pub(crate) fn check(&self, bytes: &[u8], piece: usize) -> Report {
        self.checked(bytes, piece).report()
    }

    /// The findings by the JSON Schema that fits the records of the input, which has to accept all of them.
    pub(crate) fn findings_by_inferred_schema(&self) -> Vec<String> {
        let mut check = self.opened(&self.bytes, &self.options);
        check.observe(Overview::new(check.dataset()));
        check.read_all(&self.bytes, 1 << 20);
        let are_rows = matches!(check.dataset().variant.layout, Layout::Csv(_));
        let schema = check.observer::<Overview>().and_then(|counted| counted.to_schema("", 0, are_rows));
        let Some(text) = schema else { return Vec::new() };
        let schema = vec![SchemaFile { name: "inferred.json".to_owned(), text }];
        let format = Some(check.format().id);
        let mut check = self.opened(&self.bytes, &CheckOptions { schema, format, ..self.options.clone() });
        check.read_all(&self.bytes, 1 << 20);
        let findings = check.report().findings.into_iter();
        findings
            .filter(|finding| finding.code.starts_with("schema/"))
            .map(|found| format!("{found:?}"))
            .collect()
    }

    fn opened(&self, bytes: &[u8], options: &CheckOptions) -> Check {
        let info = FileInfo { name: self.file_name.clone(), size: bytes.len() as u64 };
        let environment = Environment { schemas: evalcheck_schema::compile, ..Environment::default() };
        Check::open_in(&environment, &mut Cursor::new(bytes), info, options.clone())
    }

    /// The finished check of the input, for queries.
    pub(crate) fn checked(&self, bytes: &[u8], piece: usize) -> Check {
        let mut check = self.opened(bytes, &self.options);
        while let Some(wanted) = check.next_range() {
            let from = usize::try_from(wanted.start).unwrap();
            let to = usize::try_from(wanted.end).unwrap();
            let bytes = bytes.get(from..to).unwrap_or_else(|| panic!("{}: {wanted:?} is wanted", self.name));
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
        check
    }

    /// The bytes to which the positions in the report refer.
    pub(crate) fn dataset(&self, report: &Report) -> Vec<u8> {
        let Some(entry) = &report.file.entry else { return self.bytes.clone() };
        if let Some(recipe) = &self.recipe {
            return recipe.entry(entry).unwrap_or_else(|| panic!("{}: the recipe has no {entry}", self.name));
        }
        let mut archive = zip::ZipArchive::new(Cursor::new(&self.bytes)).unwrap();
        let mut bytes = Vec::new();
        match archive.by_name(entry) {
            Ok(mut entry) => entry.read_to_end(&mut bytes).map(|_| bytes).unwrap(),
            // Nothing in it has a position.
            Err(zip::result::ZipError::UnsupportedArchive(_)) => bytes,
            Err(error) => panic!("{}: {error}", self.name),
        }
    }

    /// Results without the folder of the case, which is part of the path of a schema.
    pub(crate) fn without_folder(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.display()), "")
    }

    /// Compares an expected file with the actual content, and returns the difference. The file does not exist if no content is expected.
    /// With `UPDATE_EXPECT` it writes the file instead.
    pub(crate) fn compare(&self, file: &str, actual: Option<&[u8]>) -> Option<String> {
        let path = self.folder.join(file);
        let expected = fs::read(&path).ok();
        if expected.as_deref() == actual {
            return None;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            match actual {
                Some(actual) => fs::write(&path, actual).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            return None;
        }
        let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        Some(format!("{}/{file}\n{}", self.name, diff(&text(expected.as_deref()), &text(actual))))
    }
}

/// The files of the user's own schema in the folder of a case: `schema.json`, then `schema-*.json`, by their paths.
fn schema_files(folder: &Path) -> Vec<SchemaFile> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("schema"));
    paths.sort_by_key(|path| (path.file_stem() != Some("schema".as_ref()), path.clone()));
    let file = |path: &PathBuf| SchemaFile {
        name: path.to_str().unwrap().to_owned(),
        text: fs::read_to_string(path).unwrap(),
    };
    paths.iter().map(file).collect()
}

/// The differences as a unified diff.
pub(crate) fn diff(expected: &str, actual: &str) -> String {
    let mut texts = [expected.as_bytes(), actual.as_bytes()];
    let mut differ = Differ::new(["expected", "actual"]);
    let mut out = Vec::new();
    while let Some(state) = differ.advance(&mut out).unwrap() {
        differ.read(state, &mut texts[state as usize]).unwrap();
    }
    String::from_utf8(out).unwrap()
}

/// Packs a folder to a reproducible ZIP: entries by name, no times.
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
