//! `fuzz`: runs the fuzz targets of `fuzz/`, with the golden cases as their first inputs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{capture, say, target};
use crate::tools;

/// The release of `cargo-fuzz` to install.
const CARGO_FUZZ: &str = "0.13.1";

/// The targets.
pub(crate) const TARGETS: [&str; 7] = ["tiers", "json", "schema", "csv", "reports", "parts", "zip"];

/// Longer inputs are not tried: they are slower, and find nothing that shorter ones do not.
const LONGEST: usize = 2048;

/// Options of a run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these targets: tiers, json, schema, csv, reports, parts, zip
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// How many inputs each target tries at least, however long that takes
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Try the same inputs again; without it, each run tries others
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

/// The seed of the suite, which must not fail for reasons that are unrelated to a change.
const SEED_OF_SUITE: u32 = 1;

/// The result of a run.
pub(crate) struct Outcome {
    pub(crate) passed: bool,
    /// A line for each target; for a failing one, its output.
    pub(crate) text: String,
}

/// Runs the targets, and fails if one of them finds something.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(unknown) = options.targets.iter().find(|target| !TARGETS.contains(&target.as_str())) {
        bail!("there is no target {unknown}; there are {}", TARGETS.join(", "));
    }
    let chosen: Vec<&str> = if options.targets.is_empty() {
        TARGETS.to_vec()
    } else {
        options.targets.iter().map(String::as_str).collect()
    };
    let outcome = run_targets(&chosen, options)?;
    print!("{}", outcome.text);
    ensure!(outcome.passed, "a target found something; the last lines say which input it was");
    Ok(())
}

/// Runs all targets for `seconds` seconds each, with the same inputs each time; `None` if there is no C++ compiler, which libFuzzer
/// needs.
pub(crate) fn step(seconds: u64) -> Result<Option<Outcome>> {
    if ["c++", "g++", "clang++", "cl"].iter().all(|compiler| which::which(compiler).is_err()) {
        return Ok(None);
    }
    let options = Options { targets: Vec::new(), seconds, runs: None, seed: Some(SEED_OF_SUITE) };
    run_targets(&TARGETS, &options).map(Some)
}

fn run_targets(targets: &[&str], options: &Options) -> Result<Outcome> {
    let tool = tools::from_crates("cargo-fuzz", CARGO_FUZZ, "about a minute")?;
    let folder = crate::root().join("target").join("fuzz");
    write_seeds(&folder.join("seeds"))?;
    // Without a sanitizer, whose flags only a nightly compiler accepts.
    let fuzz = |command: &str| {
        let mut fuzz = Command::new(&tool);
        fuzz.current_dir(crate::root());
        fuzz.args(["fuzz", command, "--sanitizer", "none", "--target-dir"]).arg(target().join("fuzz-build"));
        fuzz
    };
    // Builds all targets at once, unless only one is selected.
    let (status, output) = capture(fuzz("build").args(if let [one] = targets { Some(one) } else { None }))?;
    ensure!(status.success(), "the fuzz targets cannot be built:\n{output}");
    let mut outcome = Outcome { passed: true, text: String::new() };
    for target in targets {
        // The findings of earlier runs are a start for others, but would change a run with a seed.
        let corpus =
            folder.join(if options.seed.is_some() { "corpus-of-seed" } else { "corpus" }).join(target);
        if options.seed.is_some() && corpus.exists() {
            fs::remove_dir_all(&corpus)?;
        }
        fs::create_dir_all(&corpus)?;
        fs::create_dir_all(folder.join("artifacts"))?;
        let mut command = fuzz("run");
        command.arg(target).arg(&corpus).arg(folder.join("seeds").join(target));
        command.args(["--", "-print_final_stats=1", "-timeout=20", &format!("-max_len={LONGEST}")]);
        command.arg(format!("-dict={}", crate::root().join("fuzz").join("tokens.dict").display()));
        command.arg(format!("-artifact_prefix={}/{target}-", folder.join("artifacts").display()));
        match options.runs {
            Some(runs) => command.arg(format!("-runs={runs}")),
            None => command.arg(format!("-max_total_time={}", options.seconds)),
        };
        if let Some(seed) = options.seed {
            command.arg(format!("-seed={seed}"));
        }
        let (status, output) = capture(&mut command)?;
        outcome.passed &= status.success();
        if status.success() {
            let inputs = executed(&output).with_context(|| output.clone())?;
            writeln!(outcome.text, "{target}: {inputs} inputs")?;
        } else {
            writeln!(outcome.text, "{target}: FAILED\n{output}")?;
        }
    }
    Ok(outcome)
}

/// The number of inputs that libFuzzer reports.
fn executed(output: &str) -> Option<u64> {
    let line = output.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

/// Writes the first inputs of the targets: the inputs of the golden cases, and the lines of them, after the bytes by which a target
/// chooses a format.
fn write_seeds(folder: &Path) -> Result<()> {
    let mut inputs = Vec::new();
    collect(&crate::root().join("tests").join("cases"), &mut inputs)?;
    inputs.sort();
    for target in TARGETS {
        let _ = fs::remove_dir_all(folder.join(target));
        fs::create_dir_all(folder.join(target))?;
    }
    let mut written = 0;
    let mut write = |target: &str, head: &[u8], rest: &[u8]| -> Result<()> {
        written += 1;
        if head.len() + rest.len() <= LONGEST {
            fs::write(folder.join(target).join(format!("{written}")), [head, rest].concat())?;
        }
        Ok(())
    };
    for path in inputs {
        let bytes = fs::read(&path)?;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        // The first byte of `reports` is the format and the extension of the file. There are less than ten formats.
        for format in 0..8u8 {
            write("reports", &[format, 0], &bytes)?;
        }
        match extension {
            "csv" => write("csv", &[], &bytes)?,
            "jsonl" | "json" => {
                for format in 0..8u8 {
                    write("tiers", &[format], &bytes)?;
                    write("parts", &[format, 100, 60], &bytes)?;
                }
                for line in bytes.split(|byte| *byte == b'\n').take(3) {
                    write("json", &[], line)?;
                    for format in 0..8u8 {
                        write("schema", &[format], line)?;
                    }
                }
            }
            _ => {}
        }
    }
    say(format!("{written} inputs to begin with, in {}", folder.display()));
    Ok(())
}

/// The input files of the golden cases.
fn collect(folder: &Path, inputs: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_input = path.file_stem().is_some_and(|stem| stem == "input");
        if path.is_dir() {
            collect(&path, inputs)?;
        } else if is_input {
            inputs.push(path);
        }
    }
    Ok(())
}
