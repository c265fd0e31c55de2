//! The official JSON-Schema-Test-Suite: all required tests of all drafts. `cargo xtask corpora` fetches it, from the source distribution of the Python package
//! `jsonschema`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use evalcheck_schema::Schema;
use evalcheck_wire::user_schema::{RecordText, SchemaFile, Validate};
use serde_json::Value;

/// The variable with the folder of public suites.
const FOLDER: &str = "EVALCHECK_CORPORA";

/// Drafts with their folders and the addresses of their meta-schemas.
const DRAFTS: [(&str, &str); 5] = [
    ("draft4", "http://json-schema.org/draft-04/schema#"),
    ("draft6", "http://json-schema.org/draft-06/schema#"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
    ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
];

#[test]
#[ignore = "needs the suite, which `cargo xtask corpora` fetches"]
fn required_tests_pass() {
    let folder = std::env::var_os(FOLDER).unwrap_or_else(|| panic!("{FOLDER} is not set"));
    let folder = PathBuf::from(folder).join("schema");
    let mut wrong = Vec::new();
    for (draft, meta_schema) in DRAFTS {
        let remotes = remotes(&folder.join("remotes"), draft);
        let mut tests = 0;
        for path in files(&folder.join("tests").join(draft)) {
            let groups: Vec<Value> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            for group in &groups {
                let mut schema = group["schema"].clone();
                if let Some(schema) = schema.as_object_mut() {
                    schema.entry("$schema").or_insert_with(|| meta_schema.into());
                }
                let file = SchemaFile { name: "schema.json".to_owned(), text: schema.to_string() };
                let given: Vec<SchemaFile> = [file].into_iter().chain(remotes.clone()).collect();
                let schema = Schema::of_instance(&given, false);
                for test in group["tests"].as_array().unwrap() {
                    tests += 1;
                    let name = format!(
                        "{draft}/{}: {}: {}",
                        path.file_stem().unwrap().display(),
                        group["description"],
                        test["description"]
                    );
                    let expected = test["valid"].as_bool().unwrap();
                    let text = test["data"].to_string();
                    match &schema {
                        Err(error) => wrong.push(format!("{name}: {error:?}")),
                        Ok(schema) => {
                            let is_valid = schema.is_valid(text.as_bytes(), RecordText::Json);
                            let violations = schema.violations(&text, RecordText::Json);
                            if is_valid != expected || violations.is_empty() != expected {
                                wrong.push(format!("{name}: {is_valid}, {violations:?}"));
                            }
                        }
                    }
                }
            }
        }
        println!("{draft}: {tests} tests");
        assert!(tests > 500, "{draft}: only {tests} tests in {}", folder.display());
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The files of a folder, without its folders: those are optional tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The schemas that tests refer to by their address, without those of other drafts.
fn remotes(folder: &Path, draft: &str) -> Vec<SchemaFile> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let is_of_another =
                DRAFTS.iter().any(|(other, _)| *other != draft && name.starts_with(&format!("{other}/")));
            if path.is_dir() {
                folders.push(path);
            } else if !is_of_another {
                let text = fs::read_to_string(&path).unwrap();
                // A remote schema for later drafts, whose definitions earlier ones do not know.
                if text.contains("\"$defs\"") && ["draft4", "draft6", "draft7"].contains(&draft) {
                    continue;
                }
                found.push(SchemaFile { name: format!("http://localhost:1234/{name}"), text });
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
