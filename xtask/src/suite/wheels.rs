//! The steps on the Python package. The full suite tests the wheel and the source distribution, the quick one the module that cargo
//! builds with all other crates: maturin builds the package by itself, with other features of its dependencies, so that all crates are
//! compiled again. Each is installed in a separate environment outside of the repository, where `crates/py/tests` run; then the recipes
//! of docs/scale.md run with the wheel.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};

use super::count::Count;
use super::step::Suite;
use super::{COMMAND_VARIABLE, Outcome, command, counted, plain};
use crate::build::{copy_folder, files_below};
use crate::process::{TESTED, built_file, cargo, output, target};
use crate::{python, tools};

/// The variables with the folder of the files of the golden cases: for the tests in Rust, which write them, and for those in Python.
const CASES_VARIABLES: [&str; 2] = ["EVALCHECK_CASES_INTO", "EVALCHECK_CASES"];

/// The variable with the folder of the wheel, for pip in the tests.
const WHEELS_VARIABLE: &str = "EVALCHECK_WHEELS";

/// The variable with a Python that has engines that are too large to be installed for tests.
const ENGINES_VARIABLE: &str = "EVALCHECK_ENGINES";

/// The profile of both builds: the package is tested, not the engine, and optimised builds take minutes.
const PROFILE: &str = "dev";

/// The tests that also run on the source distribution: the others are about the Python sources, which are the same.
const ON_BOTH: [&str; 3] = ["test_api.py", "test_command.py", "test_threads.py"];

/// A Python environment in which one form of the package is tested.
struct Environment {
    python: PathBuf,
    /// Its folder, in which the tests run.
    folder: PathBuf,
}

/// Builds the package and tests it.
pub(super) fn step(suite: Suite) -> Result<Outcome> {
    if python::system().is_none() {
        return Ok(Outcome::skipped("there is no Python, and the Python package is NOT built and tested"));
    }
    let environment = environment("python-wheel", "requirements.txt")?;
    let tests = Tests { suite, cases: cases()?, built: folder().join("dist") };
    // Only maturin links a module for systems other than Linux.
    if suite == Suite::Quick && cfg!(target_os = "linux") {
        install_module(&environment.python)?;
        return tests.run(&environment, &[tests_folder()]);
    }
    let _ = fs::remove_dir_all(&tests.built);
    let mut wheel = maturin(&environment.python, "build", &tests.built);
    let wheel = plain(wheel.args(["--locked", "--profile", PROFILE, "--target-dir"]).arg(target()))?;
    if !wheel.passed {
        return Ok(wheel);
    }
    output(install(&environment.python).arg("--no-index").arg(only_file(&tests.built, "whl")?))?;
    let mut outcome = tests.run(&environment, &[tests_folder()])?;
    if suite == Suite::Full {
        let from_source = source_distribution(&tests.built)?;
        let again = tests.run(&from_source, &ON_BOTH.map(|file| tests_folder().join(file)))?;
        outcome.tests.add(again.tests);
        outcome.passed &= again.passed;
        outcome.output += &again.output;
    }
    Ok(outcome)
}

/// Copies the package to the package folder of this Python, with the module that is compiled like the tests in Rust.
fn install_module(python: &Path) -> Result<()> {
    let mut build = cargo();
    let module = built_file(build.args(["build", "--quiet", "--lib"]).args(TESTED), "lib_native.so")?;
    let places = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let installed =
        Path::new(output(Command::new(python).args(["-c", places]))?.trim()).join("evalcheck_datasets");
    let _ = fs::remove_dir_all(&installed);
    copy_folder(&package().join("python").join("evalcheck_datasets"), &installed)?;
    fs::copy(&module, installed.join("_native.abi3.so"))?;
    Ok(())
}

/// Builds the source distribution, and installs it in a separate environment.
fn source_distribution(built: &Path) -> Result<Environment> {
    let environment = environment("python-sdist", "requirements-source.txt")?;
    output(&mut maturin(&environment.python, "sdist", built))?;
    let source = unpacked(&environment.python, &only_file(built, "gz")?)?;
    // Uses only dependencies that the build of the wheel has fetched.
    let mut from_source = install(&environment.python);
    from_source
        .args(["--no-index", "--no-build-isolation"])
        .arg(source)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", target())
        .env("PATH", with_programs(&environment.python)?)
        .env("MATURIN_PEP517_ARGS", format!("--profile {PROFILE}"));
    output(&mut from_source)?;
    Ok(environment)
}

/// Writes the files of the golden cases into a folder.
fn cases() -> Result<PathBuf> {
    let cases = folder().join("cases");
    let _ = fs::remove_dir_all(&cases);
    fs::create_dir_all(&cases)?;
    let mut write = cargo();
    write.arg("test").args(TESTED).args(["--quiet", "--test", "golden"]).env(CASES_VARIABLES[0], &cases);
    output(&mut write)?;
    Ok(cases)
}

/// The tests of the package, and their inputs.
struct Tests {
    suite: Suite,
    cases: PathBuf,
    /// The folder of the wheel.
    built: PathBuf,
}

impl Tests {
    /// Runs the tests in some files or folders.
    fn run(&self, environment: &Environment, what: &[PathBuf]) -> Result<Outcome> {
        let mut pytest = pytest(&environment.python, &environment.folder);
        pytest
            .args(what)
            .arg("--ignore")
            .arg(tests_folder().join("scale"))
            .env(COMMAND_VARIABLE, command(self.suite)?)
            .env(CASES_VARIABLES[1], &self.cases)
            .env(WHEELS_VARIABLE, &self.built);
        let outcome = plain(self.suite.tell(&mut pytest))?;
        let tests = Count::from_pytest(&outcome.output);
        counted(Outcome { tests, ..outcome })
    }
}

/// The folder for the output of these steps.
fn folder() -> PathBuf {
    crate::root().join("target").join("python")
}

/// The package.
fn package() -> PathBuf {
    crate::root().join("crates").join("py")
}

fn tests_folder() -> PathBuf {
    package().join("tests")
}

/// Runs the recipes of docs/scale.md whose engines are installed for the tests.
pub(super) fn scale_step(suite: Suite) -> Result<Outcome> {
    if python::system().is_none() {
        return Ok(Outcome::skipped("there is no Python, and the recipes of docs/scale.md are NOT run"));
    }
    recipes(suite, &environment("python-scale", "requirements-scale.txt")?.python, "test_scale.py")
}

/// Runs the other recipes, if a Python has their engines.
pub(super) fn engines_step(suite: Suite) -> Result<Outcome> {
    let Some(python) = std::env::var_os(ENGINES_VARIABLE) else {
        return Ok(Outcome::optional(&format!(
            "{ENGINES_VARIABLE} names no Python with pytest, Ray and PySpark, and their recipes are NOT run"
        )));
    };
    let outcome = recipes(suite, Path::new(&python), "test_engines.py")?;
    Ok(Outcome { is_optional: true, ..outcome })
}

/// Runs tests of recipes with the wheel that the step `python` has built. A skipped test is reported.
fn recipes(suite: Suite, python: &Path, tests: &str) -> Result<Outcome> {
    let wheel = only_file(&folder().join("dist"), "whl").context("run the step `python` before")?;
    let folder = folder().join("scale");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let installed = folder.join("packages");
    output(install(python).args(["--no-index", "--target"]).arg(&installed).arg(wheel))?;
    let mut pytest = pytest(python, &folder);
    pytest
        .arg(tests_folder().join("scale").join(tests))
        .env("PYTHONPATH", &installed)
        .env(COMMAND_VARIABLE, command(suite)?);
    let outcome = plain(&mut pytest)?;
    let skipped = |line: &str| Some(line.strip_prefix("SKIPPED ")?.split_once(": ")?.1.to_owned());
    let skipped: Vec<_> = outcome.output.lines().filter_map(skipped).collect();
    let tests = Count::from_pytest(&outcome.output);
    if !skipped.is_empty() && tests.all() == 0 {
        return Ok(Outcome { skipped: Some(skipped.join("; ")), ..outcome });
    }
    let skipped = (!skipped.is_empty()).then(|| skipped.join("; "));
    counted(Outcome { tests, skipped, ..outcome })
}

/// Runs tests in a folder, where the sources of the package are not found.
fn pytest(python: &Path, folder: &Path) -> Command {
    let mut pytest = Command::new(python);
    pytest
        .args(["-m", "pytest", "-q", "--color=no", "--tb=short", "-rs", "-c"])
        .arg(package().join("pyproject.toml"))
        .arg("--rootdir")
        .arg(folder)
        .current_dir(folder)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    pytest
}

/// An environment with the packages of a requirements file.
fn environment(name: &str, requirements: &str) -> Result<Environment> {
    let requirements = tests_folder().join(requirements);
    let python = python::environment(name, &requirements, "what the tests of the package need")?;
    Ok(Environment { python, folder: tools::cache()?.join(name) })
}

/// A command of maturin that writes into a folder.
fn maturin(python: &Path, command: &str, into: &Path) -> Command {
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", command, "--out"]).arg(into).current_dir(package());
    maturin
}

/// Installs a package in place of the one before, without its dependencies.
fn install(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]);
    pip
}

/// The search path with the programs of an environment first: the build calls `maturin`.
fn with_programs(python: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = python.parent().context("Python is in no folder")?.to_owned();
    Ok(std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path)))?)
}

/// Unpacks a source distribution in our cache, outside of the repository, and returns its folder.
fn unpacked(python: &Path, archive: &Path) -> Result<PathBuf> {
    let folder = tools::cache()?.join("python-sources");
    let _ = fs::remove_dir_all(&folder);
    output(Command::new(python).args(["-m", "tarfile", "-e"]).arg(archive).arg(&folder))?;
    // They have the times of the archive, so cargo would not detect a change.
    let now = SystemTime::now();
    for (_, file) in files_below(&folder)? {
        File::options().write(true).open(&file)?.set_modified(now)?;
    }
    let mut folders = fs::read_dir(&folder)?;
    let only = folders.next().context("the source distribution is empty")??.path();
    ensure!(folders.next().is_none(), "the source distribution has several folders");
    Ok(only)
}

/// The only file in a folder with this extension.
fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let mut found = paths.into_iter().filter(|path| path.extension() == Some(OsStr::new(extension)));
    let file = found.next().with_context(|| format!("{} holds no .{extension}", folder.display()))?;
    ensure!(found.next().is_none(), "{} holds several .{extension}", folder.display());
    Ok(file)
}
