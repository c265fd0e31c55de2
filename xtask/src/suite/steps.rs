//! The steps of `test`, from quick to slow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::Outcome;
use super::count::Count;
use super::release::{release, workflows};
use crate::process::{TESTED, capture, cargo, output, release_command, say, tested_command};
use crate::server::{Place, Site};
use crate::tools::WASM_TARGET;
use crate::{browser, build, corpora, examples, fuzz, generate, guard, npm, python, tools};

/// One step.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// It may run at the same time as others beside it: it measures no time, and most of it is on one core.
    pub(super) beside: bool,
    pub(super) run: fn() -> Result<Outcome>,
}

impl Step {
    const fn new(name: &'static str, about: &'static str, run: fn() -> Result<Outcome>) -> Self {
        Self { name, about, beside: false, run }
    }

    const fn beside(self) -> Self {
        Self { beside: true, ..self }
    }
}

/// All steps, in their order: what is quick comes first, then what runs beside others, with what takes longest (where tools are
/// installed too) first.
pub(super) const STEPS: &[Step] = &[
    Step::new("lock", "Cargo.lock fits the manifests", lock),
    Step::new("fmt", "formatting", fmt),
    Step::new("clippy", "lints of the native crates", clippy),
    Step::new("clippy-wasm", "lints of the page, the worker and the JavaScript API", clippy_wasm),
    Step::new("doc", "documentation without warnings", doc),
    Step::new("generate", "generated files are up to date", generated),
    Step::new("workflows", "workflows, the action and its scripts: zizmor, ShellCheck", workflows),
    Step::new("deny", "licences, sources and advisories of the dependencies", deny).beside(),
    Step::new("test", "unit, golden and documentation tests", test).beside(),
    Step::new("build", "the page as it is released", page).beside(),
    Step::new("fuzz", "generated inputs against other readers, for a minute", fuzzed).beside(),
    Step::new("instructions", "the command keeps its bounds of instructions", instructions).beside(),
    Step::new("linear", "time in proportion to the bytes, whatever they hold", linear).beside(),
    Step::new("loaders", "verdicts against the systems' own loaders", loaders).beside(),
    Step::new(
        "python",
        "the Python package, from its wheel and its source distribution",
        super::wheels::step,
    )
    .beside(),
    Step::new("archives", "ZIPs against the readers and writers of others", archives).beside(),
    Step::new("api", "the JavaScript API in Node", api).beside(),
    Step::new("release", "the release archive, the GitHub Action, the snippets of docs/ci.md", release)
        .beside(),
    Step::new("packages", "the npm package in projects that use it", packages).beside(),
    Step::new("oracle", "messages, paths and order against Zod 3", oracle).beside(),
    Step::new("corpora", "public suites of JSON, CSV and text", corpora).beside(),
    Step::new("scale", "the recipes of docs/scale.md (needs `python`)", super::wheels::scale_step),
    Step::new(
        "engines",
        "those for Ray and PySpark, where EVALCHECK_ENGINES names a Python that has them (needs `python`)",
        super::wheels::engines_step,
    ),
    Step::new("size", "the built page keeps its bounds of size (needs `build`)", size),
    Step::new("examples", "the example sites of the embed, built for `browser`", example_sites),
    Step::new("browser", "the built page in Chromium (needs `build` and `examples`)", in_browser),
    Step::new("firefox", "the built page in Firefox (needs `build`)", in_firefox),
    Step::new("trunk", "the page that Trunk builds, where a Trunk is in PATH", trunk),
    Step::new("lighthouse", "what Lighthouse says of the built page (needs `build`)", lighthouse),
];

/// The crates that are only used as wasm. Those of their tests that need no browser run natively.
const WASM_PACKAGES: [&str; 3] = ["evalcheck-page", "evalcheck-worker", "evalcheck-js"];

/// The release of `cargo-deny` that is installed.
const CARGO_DENY: &str = "0.20.2";

/// How long each fuzz target runs.
const SECONDS_OF_FUZZING: u64 = 8;

/// Names the `evalcheck` command to tests that are not in Rust.
pub(super) const COMMAND_VARIABLE: &str = "EVALCHECK_CLI";

/// Names the Pythons with the packages of `tests/loaders/requirements-NAME.txt` to them: a JSON object from names to paths.
const PYTHONS_VARIABLE: &str = "EVALCHECK_PYTHONS";

/// Names this program to them, which seals a second version of the page.
const XTASK_VARIABLE: &str = "EVALCHECK_XTASK";

/// The path below which browser tests find the page: not the root, so that addresses that are not relative fail.
const BASE: &str = "/some/where/";

fn lock() -> Result<Outcome> {
    // Its output, a long document about all packages, is dropped.
    output(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    Ok(Outcome::of(true, String::new()))
}

fn fmt() -> Result<Outcome> {
    plain(cargo().args(["fmt", "--all", "--check", "--", "--color", "never"]))
}

fn deny() -> Result<Outcome> {
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
    // The database of advisories is on GitHub, which some machines do not reach.
    if !plain(&mut deny(&["fetch", "db"]))?.passed {
        say("NOTE: the advisory database cannot be fetched, and dependencies are NOT compared with it");
        return Ok(rules);
    }
    let advisories = plain(&mut deny(&["check", "--disable-fetch", "advisories"]))?;
    Ok(Outcome::of(rules.passed && advisories.passed, rules.output + &advisories.output))
}

fn clippy() -> Result<Outcome> {
    plain(native(cargo().args(["clippy", "--all-targets"])).args(["--", "-D", "warnings"]))
}

fn clippy_wasm() -> Result<Outcome> {
    tools::wasm_target()?;
    plain(wasm(cargo().args(["clippy", "--all-targets"])).args(["--", "-D", "warnings"]))
}

/// Each crate for the target for which clippy has checked its dependencies.
fn doc() -> Result<Outcome> {
    tools::wasm_target()?;
    let doc = |chosen: fn(&mut Command) -> &mut Command| {
        plain(chosen(cargo().args(["doc", "--no-deps"])).env("RUSTDOCFLAGS", "-D warnings"))
    };
    let (native, wasm) = (doc(native)?, doc(wasm)?);
    Ok(Outcome::of(native.passed && wasm.passed, native.output + &wasm.output))
}

/// All crates but those that are only used as wasm, and what only describes types.
fn native(command: &mut Command) -> &mut Command {
    command.args(["--workspace", "--features", "evalcheck-wire/types"]);
    WASM_PACKAGES.iter().fold(command, |command, package| command.args(["--exclude", package]))
}

/// The crates that are only used as wasm.
fn wasm(command: &mut Command) -> &mut Command {
    command.args(["--target", WASM_TARGET]);
    WASM_PACKAGES.iter().fold(command, |command, package| command.args(["--package", package]))
}

fn generated() -> Result<Outcome> {
    generate::run(&generate::Options { check: true })?;
    Ok(Outcome::of(true, String::new()))
}

fn test() -> Result<Outcome> {
    let mut command = cargo();
    command.arg("test").args(TESTED).arg("--no-fail-fast");
    let crates = plain(&mut command)?;
    // In the profile in which it runs: its dependencies are compiled already.
    let xtask = plain(cargo().args(["test", "--package", "xtask", "--profile", "dev"]))?;
    let output = crates.output + &xtask.output;
    let tests = Count::from_cargo(&output);
    counted(Outcome { tests, ..Outcome::of(crates.passed && xtask.passed, output) })
}

fn oracle() -> Result<Outcome> {
    let folder = crate::root().join("tests").join("oracle");
    npm::install_locked(&folder)?;
    node_tests(npm::node()?.current_dir(&folder).env(COMMAND_VARIABLE, tested_command()?), &[])
}

fn loaders() -> Result<Outcome> {
    if python::system().is_none() {
        return Ok(Outcome::skipped(
            "there is no Python, and verdicts are NOT compared with the systems' loaders",
        ));
    }
    let folder = crate::root().join("tests").join("loaders");
    let mut pythons = BTreeMap::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.strip_prefix("requirements-").and_then(|name| name.strip_suffix(".txt"));
        if let Some(name) = name {
            let python = python::environment(&format!("loaders-{name}"), &path, name)?;
            pythons.insert(name.to_owned(), python);
        }
    }
    let mut node = npm::node()?;
    node.current_dir(&folder)
        .env(COMMAND_VARIABLE, tested_command()?)
        .env(PYTHONS_VARIABLE, serde_json::to_string(&pythons)?);
    node_tests(&mut node, &[])
}

fn archives() -> Result<Outcome> {
    let outcome = node_tests(&mut crate::archives::tests()?, &["archives.test.js"])?;
    crate::archives::show_counts(&outcome.output);
    Ok(outcome)
}

fn corpora() -> Result<Outcome> {
    if let Err(error) = corpora::packages::fetch() {
        let why = format!("the suites cannot be fetched, and NOTHING is compared with them: {error:#}");
        return Ok(Outcome::skipped(&why));
    }
    let (passed, output) = corpora::packages::test()?;
    let tests = Count::from_cargo(&output);
    counted(Outcome { tests, ..Outcome::of(passed, output) })
}

fn api() -> Result<Outcome> {
    build::tested_javascript_api()?;
    let tests = ["tests/api.test.mjs", "tests/load.test.mjs", "tests/worker.test.mjs"];
    node_tests(npm::node()?.current_dir(crate::root().join("crates").join("js")), &tests)
}

fn packages() -> Result<Outcome> {
    let Ok(mut node) = npm::node() else {
        return Ok(Outcome::skipped("there is no Node.js, and the npm package is NOT tried in projects"));
    };
    build::tested_javascript_api()?;
    let folder = crate::root().join("crates").join("js").join("tests").join("consumers");
    npm::install_locked(&folder)?;
    node.current_dir(&folder).env(COMMAND_VARIABLE, tested_command()?);
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
    let outcome = node_tests(&mut node, &files)?;
    Ok(match chromium {
        Err(error) if outcome.passed => {
            let why = format!("there is no browser, and the built pages are NOT tried: {error:#}");
            Outcome { skipped: Some(why), ..outcome }
        }
        _ => outcome,
    })
}

fn instructions() -> Result<Outcome> {
    let Some(compared) = guard::instructions_step()? else {
        return Ok(Outcome::skipped("valgrind is not installed, and the speed of the engine is NOT guarded"));
    };
    Ok(Outcome::of(compared.passed, compared.text))
}

fn linear() -> Result<Outcome> {
    if which::which("valgrind").is_err() {
        return Ok(Outcome::skipped("valgrind is not installed, and hostile files are NOT tried"));
    }
    let folder = crate::root().join("tests").join("linear");
    node_tests(npm::node()?.current_dir(&folder).env(COMMAND_VARIABLE, release_command()?), &[])
}

fn fuzzed() -> Result<Outcome> {
    let Some(fuzz::Outcome { passed, text }) = fuzz::step(SECONDS_OF_FUZZING)? else {
        return Ok(Outcome::skipped("there is no C++ compiler, and the fuzz targets are NOT run"));
    };
    Ok(Outcome::of(passed, text))
}

fn size() -> Result<Outcome> {
    let compared = guard::size_step()?;
    Ok(Outcome::of(compared.passed, compared.text))
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
        return Ok(Outcome::skipped("there is no Firefox, and the page is NOT tested in it"));
    };
    let folder = crate::root().join("tests").join("firefox");
    npm::install_locked(&folder)?;
    let site = Site::start(&built_page()?, Place { base: BASE, ..Place::ANY })?;
    let mut command = npm::node()?;
    command.current_dir(&folder).env(browser::FIREFOX_VARIABLE, firefox).env("EVALCHECK_URL", site.url());
    node_tests(&mut command, &[])
}

fn lighthouse() -> Result<Outcome> {
    let folder = crate::root().join("tests").join("lighthouse");
    let dist = built_page()?;
    npm::install_locked(&folder)?;
    let plain = Site::start(&dist, Place::ANY)?;
    let compressing = Site::start(&dist, Place { compressed: true, ..Place::ANY })?;
    let mut command = npm::node()?;
    command
        .current_dir(&folder)
        .env(browser::VARIABLE, browser::chromium()?)
        .env("EVALCHECK_URL", plain.url())
        .env("EVALCHECK_COMPRESSED_URL", compressing.url());
    node_tests(&mut command, &[])
}

fn example_sites() -> Result<Outcome> {
    let built = examples::build()?;
    Ok(match built.missing {
        Some(why) => Outcome::skipped(&why),
        None => Outcome::of(true, format!("built {}\n", built.sites.join(", "))),
    })
}

fn in_browser() -> Result<Outcome> {
    playwright(&built_page()?, &[])
}

/// What Trunk builds is the page, and checks a file. Few who work on evalcheck have Trunk, so it is not installed.
fn trunk() -> Result<Outcome> {
    let mut command = Command::new("trunk");
    command.current_dir(crate::root()).arg("build").env_remove("NO_COLOR");
    if Command::new("trunk").arg("--version").output().is_err() {
        return Ok(Outcome::optional("there is no Trunk in PATH, and Trunk.toml is NOT tried"));
    }
    let built = plain(&mut command)?;
    if !built.passed {
        return Ok(built);
    }
    playwright(&crate::root().join("target").join("trunk"), &["check.spec.ts"])
}

/// Runs the browser tests, or some of them, on the page in a folder.
fn playwright(dist: &Path, files: &[&str]) -> Result<Outcome> {
    let root = crate::root();
    let folder = root.join("tests").join("browser");
    npm::install_locked(&folder)?;
    let chromium = browser::chromium()?;
    let site = Site::start(dist, Place { base: BASE, ..Place::ANY })?;
    let playwright = folder.join("node_modules").join("@playwright").join("test").join("cli.js");
    let mut command = npm::node()?;
    let report = root.join("target").join("browser").join("report.json");
    // Otherwise a run that writes none would count as the one before.
    let _ = std::fs::remove_file(&report);
    command
        .arg(playwright)
        .args(["test", "--reporter=list,json"])
        .args(files)
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report)
        .current_dir(&folder)
        .env(browser::VARIABLE, chromium)
        .env(COMMAND_VARIABLE, tested_command()?)
        .env(XTASK_VARIABLE, std::env::current_exe()?)
        .env("EVALCHECK_URL", site.url())
        // With both set, Node writes a warning in every worker.
        .env("FORCE_COLOR", "0")
        .env_remove("NO_COLOR");
    let outcome = plain(&mut command)?;
    let tests = match std::fs::read_to_string(&report) {
        Ok(report) => Count::from_playwright(&report)?,
        // No test ran; its output says why.
        Err(_) => Count::default(),
    };
    counted(Outcome { tests, ..outcome })
}

/// Runs tests with Node's test runner.
pub(super) fn node_tests(node: &mut Command, files: &[&str]) -> Result<Outcome> {
    let outcome = plain(node.args(["--test", "--test-reporter=tap"]).args(files))?;
    let tests = Count::from_tap(&outcome.output);
    counted(Outcome { tests, ..outcome })
}

/// The outcome of tests: a run that passes without a single test is a mistake.
pub(super) fn counted(outcome: Outcome) -> Result<Outcome> {
    ensure!(!outcome.passed || outcome.tests.passed > 0, "no test ran:\n{}", outcome.output);
    Ok(outcome)
}

/// A command that passes or fails by its exit status.
pub(super) fn plain(command: &mut Command) -> Result<Outcome> {
    let (status, output) = capture(command.env("CARGO_TERM_COLOR", "never"))?;
    Ok(Outcome::of(status.success(), output))
}
