//! The steps on the built page: its build, its size, and tests in browsers.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::count::Count;
use super::step::Suite;
use super::summary::of_playwright;
use super::{COMMAND_VARIABLE, Outcome, command, counted, node_tests, plain};
use crate::server::{Place, Site};
use crate::{browser, build, examples, guard, npm};

/// The variable with the path of this program, which seals a second version of the page in browser tests.
const XTASK_VARIABLE: &str = "EVALCHECK_XTASK";

/// The path below which browser tests find the page: not the root, so that absolute addresses fail.
const BASE: &str = "/some/where/";

/// The arguments of Playwright that exclude tests with this tag from the quick suite.
const NOT_QUICK: [&str; 2] = ["--grep-invert", "@full"];

/// The arguments that select the test in Firefox of the quick suite.
const FIRST_CHECK: [&str; 2] = ["--test-name-pattern=the hosted page checks$", "firefox.test.mjs"];

pub(super) fn build(_: Suite) -> Result<Outcome> {
    build::page(false)?;
    build::single_file(None)?;
    Ok(Outcome::of(true, String::new()))
}

/// The folder of the built page, in both its forms.
fn built_page() -> Result<PathBuf> {
    let dist = build::dist();
    for page in ["index.html", build::SINGLE_FILE] {
        ensure!(dist.join(page).is_file(), "dist/ holds no {page}: run the step `build` before");
    }
    Ok(dist)
}

pub(super) fn size(_: Suite) -> Result<Outcome> {
    let compared = guard::size_step()?;
    Ok(Outcome::of(compared.passed, compared.text))
}

pub(super) fn in_firefox(suite: Suite) -> Result<Outcome> {
    let Some(firefox) = browser::firefox() else {
        return Ok(Outcome::skipped("there is no Firefox, and the page is NOT tested in it"));
    };
    let folder = crate::root().join("tests").join("firefox");
    npm::install_locked(&folder)?;
    let served = Site::start(&built_page()?, Place { base: BASE, ..Place::ANY })?;
    let mut command = npm::node()?;
    command.current_dir(&folder).env(browser::FIREFOX_VARIABLE, firefox).env("EVALCHECK_URL", served.url());
    let arguments: &[&str] = if suite == Suite::Quick { &FIRST_CHECK } else { &[] };
    node_tests(&mut command, arguments)
}

pub(super) fn lighthouse(_: Suite) -> Result<Outcome> {
    let folder = crate::root().join("tests").join("lighthouse");
    let dist = built_page()?;
    npm::install_locked(&folder)?;
    let site = Site::start(&dist, Place::ANY)?;
    let mut command = npm::node()?;
    command
        .current_dir(&folder)
        .env(browser::VARIABLE, browser::chromium()?)
        .env("EVALCHECK_URL", site.url());
    node_tests(&mut command, &[])
}

pub(super) fn example_sites(_: Suite) -> Result<Outcome> {
    let built = examples::build()?;
    Ok(match built.missing {
        Some(why) => Outcome::skipped(&why),
        None => Outcome::of(true, format!("built {}\n", built.sites.join(", "))),
    })
}

pub(super) fn in_browser(suite: Suite) -> Result<Outcome> {
    let arguments: &[&str] = if suite == Suite::Quick { &NOT_QUICK } else { &[] };
    playwright(suite, &built_page()?, arguments)
}

/// The output of Trunk is the page, and it checks a file. Few developers of evalcheck have Trunk, so it is not installed.
pub(super) fn trunk(suite: Suite) -> Result<Outcome> {
    let mut command = Command::new("trunk");
    command.current_dir(crate::root()).arg("build").env_remove("NO_COLOR");
    if Command::new("trunk").arg("--version").output().is_err() {
        return Ok(Outcome::optional("there is no Trunk in PATH, and Trunk.toml is NOT tried"));
    }
    let built = plain(&mut command)?;
    if !built.passed {
        return Ok(built);
    }
    playwright(suite, &crate::root().join("target").join("trunk"), &["check.spec.ts"])
}

/// Runs the browser tests, or some of them, on the page in a folder.
fn playwright(suite: Suite, dist: &Path, arguments: &[&str]) -> Result<Outcome> {
    let root = crate::root();
    let folder = root.join("tests").join("browser");
    npm::install_locked(&folder)?;
    let chromium = browser::chromium()?;
    let served = Site::start(dist, Place { base: BASE, ..Place::ANY })?;
    let playwright = folder.join("node_modules").join("@playwright").join("test").join("cli.js");
    let mut node = npm::node()?;
    let report = root.join("target").join("browser").join("report.json");
    // Otherwise the report of an earlier run would count if a run writes none.
    let _ = std::fs::remove_file(&report);
    node.arg(playwright)
        .args(["test", "--reporter=list,json"])
        .args(arguments)
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report)
        .current_dir(&folder)
        .env(browser::VARIABLE, chromium)
        .env(COMMAND_VARIABLE, command(suite)?)
        .env(XTASK_VARIABLE, std::env::current_exe()?)
        .env("EVALCHECK_URL", served.url())
        // If both are set, Node writes a warning in every worker.
        .env("FORCE_COLOR", "0")
        .env_remove("NO_COLOR");
    let mut outcome = plain(suite.tell(&mut node))?;
    // Without a report no test ran; the output contains the reason.
    if let Ok(report) = std::fs::read_to_string(&report) {
        let report = serde_json::from_str(&report).context("Playwright's report is not JSON")?;
        outcome.tests = Count::from_playwright(&report)?;
        outcome.tests_by_time = of_playwright(&report);
    }
    counted(outcome)
}
