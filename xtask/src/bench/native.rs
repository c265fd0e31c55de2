//! The speed of the command, what statistics cost, and what a second thread gains.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::process::{capture, name};

/// As many findings of a code as the page keeps.
const MOST_FINDINGS: &str = "5000";

/// A check.
pub(super) const CHECK: &[&str] =
    &["check", "--output", "json", "--max-findings", MOST_FINDINGS, "--jobs", "1"];

/// The same on two threads.
const CHECK_ON_TWO: &[&str] = &["check", "--output", "json", "--max-findings", MOST_FINDINGS, "--jobs", "2"];

/// A check that counts statistics.
const STATS: &[&str] = &["stats", "--output", "json"];

/// GB of a file per second of processor time, for each run. The file is one as `data.mjs` describes it.
pub(super) fn per_core(program: &Path, file: &Value, runs: u32) -> Result<Value> {
    let path = cached(file)?;
    let bytes = file["bytes"].as_f64().context("the data has no size")?;
    let run = |_| Ok(json!({ "gb_per_cpu_second": bytes / cpu_seconds(program, CHECK, path)? / 1e9 }));
    Ok(Value::Array((0..runs).map(run).collect::<Result<_>>()?))
}

/// Processor time of a check with statistics by that of one without, for each run.
pub(super) fn overview_by_check(program: &Path, file: &Value, runs: u32) -> Result<Value> {
    let path = cached(file)?;
    let seconds = |command| cpu_seconds(program, command, path);
    let run = |_| Ok(json!({ "ratio": seconds(STATS)? / seconds(CHECK)? }));
    Ok(Value::Array((0..runs).map(run).collect::<Result<_>>()?))
}

/// Time of a check on one thread by that on two, for each run.
pub(super) fn two_jobs_by_one(program: &Path, file: &Value, runs: u32) -> Result<Value> {
    let path = cached(file)?;
    let seconds = |command| {
        let start = Instant::now();
        cpu_seconds(program, command, path)?;
        anyhow::Ok(start.elapsed().as_secs_f64())
    };
    let run = |_| Ok(json!({ "ratio": seconds(CHECK)? / seconds(CHECK_ON_TWO)? }));
    Ok(Value::Array((0..runs).map(run).collect::<Result<_>>()?))
}

/// The path of a file, which is read once, so that it is in the page cache.
pub(super) fn cached(file: &Value) -> Result<&str> {
    let path = file["path"].as_str().context("the data has no path")?;
    std::io::copy(&mut std::fs::File::open(path)?, &mut std::io::sink())?;
    Ok(path)
}

/// Processor time of one run of a command for a file, of all threads, in the system too.
fn cpu_seconds(program: &Path, command: &[&str], file: &str) -> Result<f64> {
    // The shell's `times` reports the processor time of its children.
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$0\" \"$@\" >/dev/null; code=$?; times; exit $code"]).arg(program);
    shell.args(command).arg(file);
    let (status, text) = capture(&mut shell)?;
    // 1: there are errors in the file, as intended.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} failed ({status}): {text}", name(&shell));
    }
    of_children(&text).with_context(|| format!("the shell's `times` said {text:?}"))
}

/// The second line of `times`: `0m1.230s 0m0.450s`, user and system time of the children.
fn of_children(times: &str) -> Option<f64> {
    let line = times.lines().nth(1)?;
    let seconds = line.split_whitespace().map(|time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    });
    let sum = seconds.collect::<Option<Vec<_>>>()?.iter().sum::<f64>();
    (sum > 0.0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_from_the_shell() {
        let dash = "0m0.010000s 0m0.000000s\n0m1.250000s 1m0.500000s\n";
        assert_eq!(of_children(dash), Some(61.75));
        assert_eq!(of_children("0m0,010s 0m0,000s\n0m1,250s 0m0,250s\n"), Some(1.5));
        assert_eq!(of_children("nothing of the kind"), None);
    }
}
