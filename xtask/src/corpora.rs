//! `corpora`: fetches public test suites with the ordinary clients, and runs the checks on them. None of their files is in the
//! repository.

mod archives;
pub(crate) mod packages;

use std::path::PathBuf;

use anyhow::{Result, ensure};

/// Runs the checks on a suite; returns true if they pass.
type Suite = fn() -> Result<bool>;

/// The suites, each with a description.
const SUITES: &[(&str, Suite)] = &[
    ("ZIP archives of CPython, Go, the zip crate and adm-zip", archives::run),
    ("JSONTestSuite, JSON-Schema-Test-Suite, csv-spectrum, the big list of naughty strings", packages::run),
];

/// Runs all suites.
pub(crate) fn run() -> Result<()> {
    let mut failed = Vec::new();
    for (name, suite) in SUITES {
        println!("== {name}");
        if !suite()? {
            failed.push(*name);
        }
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// The folder of a suite.
fn folder(suite: &str) -> PathBuf {
    crate::root().join("target").join("corpora").join(suite)
}
