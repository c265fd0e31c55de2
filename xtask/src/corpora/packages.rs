//! Suites of JSON, CSV and text in packages of npm and crates.io, and the tests that run the engine on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::build::copy_folder;
use crate::npm;
use crate::process::{TESTED, capture, cargo, output, timed};
use crate::python;

/// A suite, and the package that contains it.
struct Package {
    /// The folder of the suite in target/corpora.
    suite: &'static str,
    source: Source,
    name: &'static str,
    version: &'static str,
    /// The required folder of the package.
    folder: &'static str,
}

enum Source {
    Npm,
    Crate,
    /// A source distribution of the Python Package Index.
    Python,
}

const PACKAGES: [Package; 4] = [
    // JSONTestSuite byte for byte: packages of npm contain it as strings, without the files that are not UTF-8.
    Package {
        suite: "json",
        source: Source::Crate,
        name: "justjson",
        version: "0.3.0",
        folder: "tests/JSONTestSuite",
    },
    Package { suite: "csv", source: Source::Npm, name: "csv-spectrum", version: "2.0.0", folder: "" },
    Package { suite: "strings", source: Source::Npm, name: "blns", version: "2.0.4", folder: "resources" },
    // The official JSON-Schema-Test-Suite.
    Package {
        suite: "schema",
        source: Source::Python,
        name: "jsonschema",
        version: "4.25.1",
        folder: "json",
    },
];

/// The variable with the folder of the suites, for the tests.
const VARIABLE: &str = "EVALCHECK_CORPORA";

/// Fetches missing packages and runs the tests; returns true if they pass.
pub(super) fn run() -> Result<bool> {
    fetch()?;
    let (passed, output) = test()?;
    print!("{output}");
    Ok(passed)
}

/// Fetches the missing packages.
pub(crate) fn fetch() -> Result<()> {
    for package in PACKAGES {
        let folder = super::folder(package.suite);
        let stamp = folder.join(".fetched");
        let wanted = format!("{} {}", package.name, package.version);
        if fs::read_to_string(&stamp).is_ok_and(|fetched| fetched == wanted) {
            continue;
        }
        timed(&format!("fetching {wanted} (a few seconds, once)"), || {
            let _ = fs::remove_dir_all(&folder);
            copy_folder(&package.unpack()?.join(package.folder), &folder)
        })?;
        fs::write(&stamp, wanted)?;
    }
    Ok(())
}

/// Runs the tests, and returns whether they passed, and their output.
pub(crate) fn test() -> Result<(bool, String)> {
    let run = |arguments: &[&str]| {
        let mut test = cargo();
        test.arg("test").args(TESTED).args(arguments).arg("--ignored");
        capture(test.env(VARIABLE, super::folder("")).env("CARGO_TERM_COLOR", "never"))
    };
    let (engine, mut output) = run(&["--test", "it", "corpora::", "--"])?;
    let (schema, more) = run(&["--test", "suite", "--", "--nocapture"])?;
    output.push_str(&more);
    Ok((engine.success() && schema.success(), output))
}

impl Package {
    /// Fetches the package, and returns the folder of its files.
    fn unpack(&self) -> Result<PathBuf> {
        let Self { name, version, .. } = self;
        let folder = super::folder("packages").join(name);
        match self.source {
            Source::Npm => {
                npm::install_package(&folder, &format!("{name}@{version}"))?;
                Ok(folder.join("node_modules").join(name))
            }
            Source::Python => {
                let python = python::system().context("there is no Python")?;
                fs::create_dir_all(&folder)?;
                let wanted = format!("{name}=={version}");
                let source =
                    ["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", "."];
                output(Command::new(&python).current_dir(&folder).args(source).arg(wanted))?;
                let packed = format!("{name}-{version}.tar.gz");
                output(Command::new(&python).current_dir(&folder).args(["-m", "tarfile", "-e", &packed]))?;
                Ok(folder.join(format!("{name}-{version}")))
            }
            Source::Crate => {
                // Cargo reports the path of a package that another one depends on.
                let dependent = format!(
                    "[package]\nname = \"corpora\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
                     [dependencies]\n{name} = \"={version}\"\n"
                );
                fs::create_dir_all(folder.join("src"))?;
                fs::write(folder.join("Cargo.toml"), dependent)?;
                fs::write(folder.join("src").join("lib.rs"), "")?;
                let metadata = output(cargo().current_dir(&folder).args([
                    "metadata",
                    "--quiet",
                    "--format-version",
                    "1",
                ]))?;
                let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
                let mut all = metadata["packages"].as_array().into_iter().flatten();
                let found = all.find(|found| found["name"] == *name);
                let manifest = found.and_then(|found| found["manifest_path"].as_str());
                let unpacked = manifest.and_then(|manifest| Path::new(manifest).parent());
                unpacked.map(Path::to_path_buf).with_context(|| format!("cargo does not say where {name} is"))
            }
        }
    }
}
