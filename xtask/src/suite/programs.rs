//! The steps that run tests in Node on the command and on the JavaScript API: other implementations, hostile files, consumers.

use std::collections::BTreeMap;

use anyhow::Result;

use super::loaders;
use super::step::Suite;
use super::{COMMAND_VARIABLE, Outcome, command, node_tests};
use crate::process::{TESTED, built_example};
use crate::{browser, build, npm, python};

/// The variable with the Pythons that have the packages of `tests/loaders/requirements-NAME.txt`: a JSON object from names to paths.
const PYTHONS_VARIABLE: &str = "EVALCHECK_PYTHONS";

/// The variable with the path of the program that renders Markdown.
const MARKDOWN_VARIABLE: &str = "EVALCHECK_MARKDOWN";

pub(super) fn oracle(suite: Suite) -> Result<Outcome> {
    let folder = crate::root().join("tests").join("oracle");
    npm::install_locked(&folder)?;
    let mut node = npm::node()?;
    node.current_dir(&folder).env(COMMAND_VARIABLE, command(suite)?);
    node_tests(suite.tell(&mut node), &[])
}

pub(super) fn loaders(suite: Suite) -> Result<Outcome> {
    if python::system().is_none() {
        return Ok(Outcome::skipped(
            "there is no Python, and verdicts are NOT compared with the systems' loaders",
        ));
    }
    let folder = crate::root().join("tests").join("loaders");
    let tried = loaders::tried(suite, &folder)?;
    let mut pythons = BTreeMap::new();
    for (name, path) in tried.environments() {
        pythons.insert(name, python::environment(&format!("loaders-{name}"), path, name)?);
    }
    // Its tests skip themselves where it cannot be installed.
    let promptfoo =
        if tried.has("promptfoo") { npm::install_locked(&folder.join("promptfoo")) } else { Ok(()) };
    let mut node = npm::node()?;
    node.current_dir(&folder)
        .env(COMMAND_VARIABLE, command(suite)?)
        .env(PYTHONS_VARIABLE, serde_json::to_string(&pythons)?);
    println!("  systems: {}", tried.systems.join(", "));
    let tests = tried.tests();
    let outcome = node_tests(suite.tell(&mut node), &tests.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok(match promptfoo {
        Err(error) if outcome.passed => {
            let why =
                format!("promptfoo cannot be installed, and verdicts are NOT compared with it: {error:#}");
            Outcome { skipped: Some(why), ..outcome }
        }
        _ => outcome,
    })
}

pub(super) fn archives(suite: Suite) -> Result<Outcome> {
    let mut node = crate::archives::tests(&command(suite)?)?;
    let outcome = node_tests(suite.tell(&mut node), &["archives.test.js"])?;
    crate::archives::show_counts(&outcome.output);
    Ok(outcome)
}

pub(super) fn linear(suite: Suite) -> Result<Outcome> {
    if which::which("valgrind").is_err() {
        return Ok(Outcome::skipped("valgrind is not installed, and hostile files are NOT tried"));
    }
    let mut node = npm::node()?;
    node.current_dir(crate::root().join("tests").join("linear"))
        .env(COMMAND_VARIABLE, command(suite)?)
        .env(MARKDOWN_VARIABLE, built_example(&TESTED, "render")?);
    node_tests(suite.tell(&mut node), &[])
}

pub(super) fn api(_: Suite) -> Result<Outcome> {
    build::tested_javascript_api()?;
    let tests =
        ["tests/api.test.mjs", "tests/load.test.mjs", "tests/schema.test.mjs", "tests/worker.test.mjs"];
    node_tests(npm::node()?.current_dir(crate::root().join("crates").join("js")), &tests)
}

pub(super) fn packages(suite: Suite) -> Result<Outcome> {
    let Ok(mut node) = npm::node() else {
        return Ok(Outcome::skipped("there is no Node.js, and the npm package is NOT tried in projects"));
    };
    build::tested_javascript_api()?;
    let folder = crate::root().join("crates").join("js").join("tests").join("consumers");
    npm::install_locked(&folder)?;
    node.current_dir(&folder).env(COMMAND_VARIABLE, command(suite)?);
    let chromium = browser::chromium();
    if let Ok(chromium) = &chromium {
        node.env(browser::VARIABLE, chromium);
    }
    let files = [
        "--test-concurrency=1",
        "package.test.mjs",
        "readme.test.mjs",
        "browser.test.mjs",
        "consumers.test.mjs",
    ];
    let outcome = node_tests(suite.tell(&mut node), &files)?;
    Ok(match chromium {
        Err(error) if outcome.passed => {
            let why = format!("there is no browser, and the built pages are NOT tried: {error:#}");
            Outcome { skipped: Some(why), ..outcome }
        }
        _ => outcome,
    })
}
