//! The steps of `test`, from quick to slow.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use super::Outcome;
use super::count::Count;
use crate::process::{built_command, capture, cargo, name, output};
use crate::server::{Place, Site};
use crate::tools::WASM_TARGET;
use crate::{browser, build, examples, generate, guard, npm, tools};

/// One step.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) run: fn() -> Result<Outcome>,
}

/// All steps, in their order.
pub(super) const STEPS: &[Step] = &[
    Step { name: "lock", about: "Cargo.lock fits the manifests", run: lock },
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "deny", about: "licences, sources and advisories of the dependencies", run: deny },
    Step { name: "clippy", about: "lints of the native crates", run: clippy },
    Step {
        name: "clippy-wasm",
        about: "lints of the page, the worker and the JavaScript API",
        run: clippy_wasm,
    },
    Step { name: "generate", about: "generated files are as the engine's catalogue has it", run: generated },
    Step { name: "test", about: "unit, golden and documentation tests", run: test },
    Step { name: "oracle", about: "messages, paths and order against Zod 3", run: oracle },
    Step { name: "api", about: "the JavaScript API in Node", run: api },
    Step {
        name: "instructions",
        about: "the command takes no more instructions than it may",
        run: instructions,
    },
    Step { name: "doc", about: "documentation without warnings", run: doc },
    Step { name: "build", about: "the page as it is released", run: page },
    Step {
        name: "size",
        about: "the built page is no larger than it may be (run `build` before)",
        run: size,
    },
    Step {
        name: "examples",
        about: "the example sites for the embed, built for `browser`",
        run: example_sites,
    },
    Step { name: "browser", about: "the built page in a browser (run `build` before)", run: in_browser },
    Step { name: "firefox", about: "the built page in Firefox (run `build` before)", run: in_firefox },
];

/// The crates that are only ever used as wasm. Their tests that need no browser run natively like any other.
const WASM_PACKAGES: [&str; 3] = ["evalcheck-page", "evalcheck-worker", "evalcheck-js"];

/// Tells tests that are not Rust where the `evalcheck` command is.
const COMMAND_VARIABLE: &str = "EVALCHECK_CLI";

/// Tells them where this program is, which makes a second version of the page.
const XTASK_VARIABLE: &str = "EVALCHECK_XTASK";

/// Where a browser test finds the page: not at the root of the host, so that an address which is not relative fails.
const BASE: &str = "/some/where/";

fn lock() -> Result<Outcome> {
    // It writes a long document about all packages, which nobody wants to see.
    output(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    Ok(Outcome::of(true, String::new()))
}

fn fmt() -> Result<Outcome> {
    plain(cargo().args(["fmt", "--all", "--check", "--", "--color", "never"]))
}

fn deny() -> Result<Outcome> {
    if which::which("cargo-deny").is_err() {
        return Ok(Outcome::skipped("cargo-deny is not installed (`cargo install --locked cargo-deny`)"));
    }
    plain(cargo().args(["deny", "--workspace", "check"]))
}

fn clippy() -> Result<Outcome> {
    let mut command = cargo();
    command.args(["clippy", "--workspace", "--all-targets"]);
    for package in WASM_PACKAGES {
        command.args(["--exclude", package]);
    }
    plain(command.args(["--", "-D", "warnings"]))
}

fn clippy_wasm() -> Result<Outcome> {
    tools::wasm_target()?;
    let mut command = cargo();
    command.args(["clippy", "--all-targets", "--target", WASM_TARGET]);
    for package in WASM_PACKAGES {
        command.args(["--package", package]);
    }
    plain(command.args(["--", "-D", "warnings"]))
}

fn generated() -> Result<Outcome> {
    generate::run(&generate::Options { check: true })?;
    Ok(Outcome::of(true, String::new()))
}

fn test() -> Result<Outcome> {
    let mut command = cargo();
    let outcome = plain(command.args(["test", "--workspace", "--no-fail-fast"]))?;
    let tests = Count::from_cargo(&outcome.output);
    ensure!(!outcome.passed || tests.passed > 0, "{} ran no test:\n{}", name(&command), outcome.output);
    Ok(Outcome { tests, ..outcome })
}

fn oracle() -> Result<Outcome> {
    let folder = crate::root().join("tests").join("oracle");
    npm::install_locked(&folder)?;
    let mut command = npm::node()?;
    command
        .args(["--test", "--test-reporter=tap"])
        .current_dir(&folder)
        .env(COMMAND_VARIABLE, built_command("test")?);
    let outcome = plain(&mut command)?;
    let tests = Count::from_tap(&outcome.output);
    ensure!(!outcome.passed || tests.passed > 0, "no test passed:\n{}", outcome.output);
    Ok(Outcome { tests, ..outcome })
}

/// Makes the package as `npm run build` there does, but not optimised, and runs its tests.
fn api() -> Result<Outcome> {
    build::javascript_api(false)?;
    let folder = crate::root().join("crates").join("js");
    let mut command = npm::node()?;
    command.args(["--test", "--test-reporter=tap", "tests/"]).current_dir(&folder);
    let outcome = plain(&mut command)?;
    let tests = Count::from_tap(&outcome.output);
    ensure!(!outcome.passed || tests.passed > 0, "no test passed:\n{}", outcome.output);
    Ok(Outcome { tests, ..outcome })
}

fn instructions() -> Result<Outcome> {
    let Some(compared) = guard::instructions_step()? else {
        return Ok(Outcome::skipped("valgrind is not installed, and the speed of the engine is NOT guarded"));
    };
    Ok(Outcome::of(compared.passed, compared.text))
}

fn size() -> Result<Outcome> {
    let compared = guard::size_step()?;
    Ok(Outcome::of(compared.passed, compared.text))
}

fn doc() -> Result<Outcome> {
    plain(cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn page() -> Result<Outcome> {
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

fn in_firefox() -> Result<Outcome> {
    let Some(firefox) = browser::firefox() else {
        return Ok(Outcome::skipped(
            "there is no Firefox (`apt-get install firefox-esr`), and the page is NOT tested in it",
        ));
    };
    let folder = crate::root().join("tests").join("firefox");
    npm::install_locked(&folder)?;
    let site = Site::start(&built_page()?, Place { base: BASE, ..Place::ANY })?;
    let mut command = npm::node()?;
    command
        .args(["--test", "--test-reporter=tap"])
        .current_dir(&folder)
        .env(browser::FIREFOX_VARIABLE, firefox)
        .env("EVALCHECK_URL", site.url());
    let outcome = plain(&mut command)?;
    let tests = Count::from_tap(&outcome.output);
    ensure!(!outcome.passed || tests.passed > 0, "no test passed:\n{}", outcome.output);
    Ok(Outcome { tests, ..outcome })
}

fn example_sites() -> Result<Outcome> {
    let built = examples::build()?;
    Ok(match built.missing {
        Some(why) => Outcome::skipped(&why),
        None => Outcome::of(true, format!("built {}\n", built.sites.join(", "))),
    })
}

fn in_browser() -> Result<Outcome> {
    let root = crate::root();
    let dist = built_page()?;
    let folder = root.join("tests").join("browser");
    npm::install_locked(&folder)?;
    let chromium = browser::chromium()?;
    let site = Site::start(&dist, Place { base: BASE, ..Place::ANY })?;
    let playwright = folder.join("node_modules").join("@playwright").join("test").join("cli.js");
    let mut command = npm::node()?;
    let report = root.join("target").join("browser").join("report.json");
    // So that a run which writes none is not counted by the one before.
    let _ = std::fs::remove_file(&report);
    command
        .arg(playwright)
        .args(["test", "--reporter=list,json"])
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report)
        .current_dir(&folder)
        .env(browser::VARIABLE, chromium)
        .env(COMMAND_VARIABLE, built_command("test")?)
        .env(XTASK_VARIABLE, std::env::current_exe()?)
        .env("EVALCHECK_URL", site.url())
        // Both set make Node complain in every worker.
        .env("FORCE_COLOR", "0")
        .env_remove("NO_COLOR");
    let outcome = plain(&mut command)?;
    let tests = match std::fs::read_to_string(&report) {
        Ok(report) => Count::from_playwright(&report)?,
        // It did not come to run a test; why is in its output.
        Err(_) => Count::default(),
    };
    ensure!(!outcome.passed || tests.passed > 0, "no browser test passed:\n{}", outcome.output);
    Ok(Outcome { tests, ..outcome })
}

/// A command that passes or fails by its exit status.
fn plain(command: &mut Command) -> Result<Outcome> {
    let (status, output) = capture(command.env("CARGO_TERM_COLOR", "never"))?;
    Ok(Outcome::of(status.success(), output))
}
