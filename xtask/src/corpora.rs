//! `corpora`: fetches public test suites by the ordinary clients, and holds the checks to them. None of their files is in the
//! repository.

mod archives;
pub(crate) mod packages;

use std::path::PathBuf;

use anyhow::{Result, ensure};

/// Holds the checks to a suite; true where they pass.
type Suite = fn() -> Result<bool>;

/// The suites, each with what it is.
const SUITES: &[(&str, Suite)] = &[
    ("ZIP archives of CPython, Go, the zip crate and adm-zip", archives::run),
    ("JSONTestSuite, csv-spectrum, the big list of naughty strings", packages::run),
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

/// Where a suite is kept.
fn folder(suite: &str) -> PathBuf {
    crate::root().join("target").join("corpora").join(suite)
}
