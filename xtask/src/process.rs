//! Runs other programs, with messages about them.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Writes a message to standard error; standard output is for results.
pub(crate) fn say(message: impl AsRef<str>) {
    eprintln!("evalcheck: {}", message.as_ref());
}

/// Does something slow, with a message before it and its duration after it.
pub(crate) fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    say(format!("{what} ..."));
    let start = Instant::now();
    let done = work();
    let outcome = if done.is_ok() { "done" } else { "failed" };
    say(format!("{what}: {outcome} after {}", seconds(start.elapsed())));
    done
}

/// `0.4 s`, `12.0 s`, `3 min 5 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    if whole >= 60 {
        format!("{} min {} s", whole / 60, whole % 60)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// The variable with the target folder of cargo, if it is not the checkout's own.
pub(crate) const TARGET_VARIABLE: &str = "EVALCHECK_TARGET";

/// The target folder of cargo.
pub(crate) fn target() -> PathBuf {
    std::env::var_os(TARGET_VARIABLE).map_or_else(|| crate::root().join("target"), PathBuf::from)
}

/// The cargo that started this task, which keeps a toolchain chosen by `cargo +x`.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::root());
    if std::env::var_os(TARGET_VARIABLE).is_some() {
        command.env("CARGO_TARGET_DIR", target());
    }
    command
}

thread_local! {
    /// The time for which cargo has compiled, or waited to, for the work of this thread.
    static COMPILING: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The time spent compiling since the last call.
pub(crate) fn time_compiling() -> Duration {
    COMPILING.take()
}

fn add_compiling(time: Duration) {
    COMPILING.set(COMPILING.get() + time);
}

/// The times in cargo's lines such as ``Finished `dev` profile [unoptimized] target(s) in 1m 02s``.
fn finished(output: &str) -> Duration {
    let lines = output.lines().filter(|line| line.trim_start().starts_with("Finished `"));
    let times = lines.filter_map(|line| line.rsplit_once("target(s) in ")).map(|(_, time)| {
        time.split_whitespace().fold(0.0, |sum, part| {
            let number = |unit| part.strip_suffix(unit).and_then(|number| number.parse::<f64>().ok());
            sum + number('m').map_or_else(|| number('s').unwrap_or_default(), |minutes| minutes * 60.0)
        })
    });
    Duration::from_secs_f64(times.sum())
}

/// Runs a command and shows its output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("could not start {}", name(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", name(command));
    }
    Ok(())
}

/// Runs a command and returns its standard output; errors contain its standard error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("could not start {}", name(command)))?;
    if !output.status.success() {
        bail!(
            "{} failed ({}): {}",
            name(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} did not write UTF-8", name(command)))
}

/// Runs a command and returns its output, standard output and standard error interleaved.
pub(crate) fn capture(command: &mut Command) -> Result<(ExitStatus, String)> {
    let (mut reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("could not start {}", name(command)))?;
    // The command holds writing ends as well; the reader ends when all of them are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let output = String::from_utf8_lossy(&bytes).into_owned();
    add_compiling(finished(&output));
    Ok((child.wait()?, output))
}

/// Runs a `cargo build`, shows its messages and returns all files it built.
pub(crate) fn built_files(build: &mut Command) -> Result<Vec<PathBuf>> {
    let start = Instant::now();
    let finished = build
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("could not start cargo")?;
    add_compiling(start.elapsed());
    ensure!(finished.status.success(), "{} failed", name(build));
    let mut files = Vec::new();
    for line in finished.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let message: serde_json::Value = serde_json::from_slice(line).context("cargo did not write JSON")?;
        if message["reason"] == "compiler-artifact" {
            let names = message["filenames"].as_array().into_iter().flatten();
            files.extend(names.filter_map(|file| file.as_str()).map(PathBuf::from));
        }
    }
    Ok(files)
}

/// The packages whose tests are run. All builds for tests select the same packages: cargo compiles the crates once for every set of
/// features of their dependencies, and the sets depend on the selected packages.
pub(crate) const TESTED: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// Builds the `evalcheck` command for long tests and for counting its instructions, and returns its path. It is optimised nearly like a
/// released one, and its code is generated on all cores.
pub(crate) fn fast_command() -> Result<PathBuf> {
    fast_program("evalcheck-cli", "--bin", "evalcheck")
}

/// Builds an example of a package as [`fast_command`] is built, and returns its path.
pub(crate) fn fast_example(package: &str, example: &str) -> Result<PathBuf> {
    fast_program(package, "--example", example)
}

fn fast_program(package: &str, kind: &str, name: &str) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--profile", "ci", "--package", package, kind, name]);
    built_program(&mut build, name)
}

/// Builds the `evalcheck` command as for a release, and returns its path.
pub(crate) fn release_command() -> Result<PathBuf> {
    release_command_for(None)
}

/// As [`release_command`], for another target than this machine's.
pub(crate) fn release_command_for(target: Option<&str>) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--package", "evalcheck-cli", "--bin", "evalcheck"]);
    build.args(target.iter().flat_map(|target| ["--target", target]));
    match target {
        Some(target) => built_file(&mut build, &program_for(target)),
        None => built_program(&mut build, "evalcheck"),
    }
}

/// Builds the `evalcheck` command with its tests in Rust, and returns its path. `cargo build` would compile the crates again, without the
/// features that only tests need.
pub(crate) fn dev_command() -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["test", "--quiet", "--no-run"]).args(TESTED).args(["--test", "it"]);
    built_program(&mut build, "evalcheck")
}

/// Builds an example of the selected packages, and returns its path.
pub(crate) fn built_example(packages: &[&str], example: &str) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet"]).args(packages).args(["--example", example]);
    built_program(&mut build, example)
}

/// The name of the file of the `evalcheck` command on a target.
pub(crate) fn program_for(target: &str) -> String {
    format!("evalcheck{}", if target.contains("windows") { ".exe" } else { "" })
}

/// Runs a `cargo build`, and returns the program of this name.
pub(crate) fn built_program(build: &mut Command, name: &str) -> Result<PathBuf> {
    built_file(build, &format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs a `cargo build`, and returns the file of this name.
pub(crate) fn built_file(build: &mut Command, name: &str) -> Result<PathBuf> {
    let found =
        built_files(build)?.into_iter().find(|file| file.file_name().is_some_and(|file| file == name));
    found.with_context(|| format!("cargo built no {name}"))
}

/// The command as a person would type it, for messages.
pub(crate) fn name(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_how_long_it_compiles() {
        let output = "   Compiling a\n    Finished `test` profile [optimized + debuginfo] target(s) in 1m 02s\n\
            Finished `dev` is not one\n    Finished `ci` profile [optimized] target(s) in 0.50s\n";
        assert_eq!(finished(output), Duration::from_millis(62_500));
    }

    #[test]
    fn times_are_readable() {
        assert_eq!(seconds(Duration::from_millis(440)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 5 s");
    }
}
