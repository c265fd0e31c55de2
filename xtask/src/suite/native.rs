//! The steps that run cargo: formatting, lints, documentation, tests in Rust, fuzz targets, instructions.

use std::process::Command;

use anyhow::Result;

use super::count::Count;
use super::step::Suite;
use super::{Outcome, counted, plain};
use crate::process::{TESTED, cargo, say};
use crate::tools::{self, WASM_TARGET};
use crate::{corpora, fuzz, generate, guard};

/// The crates that are compiled differently for wasm than natively.
const WITH_CODE_FOR_WASM: [&str; 2] = ["evalcheck-core", "evalcheck-json"];

/// The release of `cargo-deny` to install.
const CARGO_DENY: &str = "0.20.2";

/// The feature with the descriptions of the types that cross a boundary.
const TYPES: [&str; 2] = ["--features", "evalcheck-wire/types"];

/// The duration of each fuzz target in seconds.
const SECONDS_OF_FUZZING: u64 = 8;

pub(super) fn fmt(_: Suite) -> Result<Outcome> {
    plain(cargo().args(["fmt", "--all", "--check", "--", "--color", "never"]))
}

/// All crates natively, including those that run as wasm: only a few lines are compiled for wasm alone.
pub(super) fn clippy(_: Suite) -> Result<Outcome> {
    plain(cargo().args(["clippy", "--workspace", "--all-targets"]).args(TYPES).args(["--", "-D", "warnings"]))
}

pub(super) fn clippy_wasm(_: Suite) -> Result<Outcome> {
    tools::wasm_target()?;
    let mut clippy = cargo();
    clippy.args(["clippy", "--target", WASM_TARGET]);
    for package in WITH_CODE_FOR_WASM {
        clippy.args(["--package", package]);
    }
    plain(clippy.args(["--", "-D", "warnings"]))
}

/// Uses the files that clippy has compiled.
pub(super) fn doc(_: Suite) -> Result<Outcome> {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps"]).args(TYPES);
    plain(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

pub(super) fn generated(_: Suite) -> Result<Outcome> {
    generate::run(&generate::Options { check: true })?;
    Ok(Outcome::of(true, String::new()))
}

pub(super) fn deny(_: Suite) -> Result<Outcome> {
    let program = match tools::from_crates("cargo-deny", CARGO_DENY, "two minutes") {
        Ok(program) => program,
        Err(error) => return Ok(Outcome::skipped(&format!("there is no cargo-deny: {error:#}"))),
    };
    let deny = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.current_dir(crate::root()).args(["--workspace"]).args(arguments);
        command
    };
    let rules = plain(&mut deny(&["check", "licenses", "bans", "sources"]))?;
    // The advisory database is on GitHub, which some machines cannot reach.
    if !plain(&mut deny(&["fetch", "db"]))?.passed {
        say("NOTE: the advisory database cannot be fetched, and dependencies are NOT compared with it");
        return Ok(rules);
    }
    let advisories = plain(&mut deny(&["check", "--disable-fetch", "advisories"]))?;
    Ok(Outcome::of(rules.passed && advisories.passed, rules.output + &advisories.output))
}

pub(super) fn test(suite: Suite) -> Result<Outcome> {
    let mut command = cargo();
    command.arg("test").args(TESTED).arg("--no-fail-fast");
    let crates = plain(suite.tell(&mut command))?;
    // Its dependencies are already compiled with the features with which it runs.
    let xtask = plain(cargo().args(["test", "--package", "xtask"]))?;
    let output = crates.output + &xtask.output;
    let tests = Count::from_cargo(&output);
    counted(Outcome { tests, ..Outcome::of(crates.passed && xtask.passed, output) })
}

pub(super) fn fuzzed(_: Suite) -> Result<Outcome> {
    let Some(fuzz::Outcome { passed, text }) = fuzz::step(SECONDS_OF_FUZZING)? else {
        return Ok(Outcome::skipped("there is no C++ compiler, and the fuzz targets are NOT run"));
    };
    Ok(Outcome::of(passed, text))
}

pub(super) fn instructions(_: Suite) -> Result<Outcome> {
    let Some(compared) = guard::instructions_step()? else {
        return Ok(Outcome::skipped("valgrind is not installed, and the speed of the engine is NOT guarded"));
    };
    Ok(Outcome::of(compared.passed, compared.text))
}

pub(super) fn corpora(_: Suite) -> Result<Outcome> {
    if let Err(error) = corpora::packages::fetch() {
        let why = format!("the suites cannot be fetched, and NOTHING is compared with them: {error:#}");
        return Ok(Outcome::skipped(&why));
    }
    let (passed, output) = corpora::packages::test()?;
    let tests = Count::from_cargo(&output);
    counted(Outcome { tests, ..Outcome::of(passed, output) })
}
