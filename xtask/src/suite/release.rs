//! The steps on released files: workflows and scripts, the archive of the command, the GitHub Action, and the snippets of docs/ci.md.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::step::Suite;
use super::{COMMAND_VARIABLE, Outcome, command, node_tests, plain};
use crate::build::files_below;
use crate::server::{Place, Site};
use crate::{dist, npm, python, tools};

/// The maximum length of the release workflow in lines.
const MOST_LINES: usize = 120;

/// The release workflow keeps its maximum length, and zizmor and `ShellCheck` report nothing for workflows, action and scripts.
pub(super) fn workflows(_: Suite) -> Result<Outcome> {
    let root = crate::root();
    let workflow = std::fs::read_to_string(root.join(".github/workflows/release.yml"))?;
    let lines = workflow.lines().count();
    ensure!(lines <= MOST_LINES, "release.yml has {lines} lines, and {MOST_LINES} are the most");
    if python::system().is_none() {
        return Ok(Outcome::skipped("there is no Python, and zizmor and ShellCheck are NOT run"));
    }
    let requirements = root.join("tests").join("release").join("requirements.txt");
    let python = python::environment("workflows", &requirements, "zizmor and ShellCheck")?;
    let programs = python.parent().context("Python is in no folder")?;
    let program = |name: &str| {
        let mut command = Command::new(programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
        command.current_dir(&root);
        command
    };
    // Not the whole folder: packages of the tests have workflows too.
    let inputs = [".github", "action.yml"].iter().filter(|input| root.join(input).exists());
    let zizmor = plain(program("zizmor").args(["--offline", "--no-progress", "--color=never"]).args(inputs))?;
    let scripts = files_below(&root.join("action"))?.into_iter().map(|(_, path)| path);
    let scripts = scripts.filter(|path| path.extension().is_some_and(|extension| extension == "sh"));
    let shellcheck = plain(program("shellcheck").arg("--color=never").args(scripts).arg(".ci/run"))?;
    Ok(Outcome::of(zizmor.passed && shellcheck.passed, zizmor.output + &shellcheck.output))
}

/// The release of this machine, packed as by `cargo xtask dist` with the command of the tests, is correct; the action and the snippets of
/// docs/ci.md install it and run.
pub(super) fn release(suite: Suite) -> Result<Outcome> {
    let folder = crate::root().join("tests").join("release");
    npm::install_locked(&folder)?;
    let command = command(suite)?;
    let releases = crate::root().join("target").join("release-of-tests");
    // The action uses the program that needs no system libraries.
    let target = tools::host()?.replace("linux-gnu", "linux-musl");
    let version = dist::stand_in(&command, &target, &releases)?;
    let served = Site::start(&releases, Place::ANY)?;
    let mut node = npm::node()?;
    node.current_dir(&folder)
        .env(COMMAND_VARIABLE, command)
        .env("EVALCHECK_RELEASES", &releases)
        .env("EVALCHECK_RELEASES_URL", served.url())
        .env("EVALCHECK_RELEASE_TARGET", target)
        .env("EVALCHECK_VERSION", version);
    node_tests(&mut node, &[])
}
