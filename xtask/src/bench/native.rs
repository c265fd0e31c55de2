//! The command, by itself and beside a Python loop.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{Built, folder, scripts};
use crate::process::{capture, name, output, say};
use crate::python::environment;

/// As many findings of a code as the page keeps.
const MOST_FINDINGS: &str = "5000";

/// Bytes that Python gets: some seconds of its time.
const FOR_PYTHON: u64 = 32 << 20;

/// How often Python runs: it takes long, and hardly varies.
const PYTHON_RUNS: u32 = 3;

/// GB of a file for each second of processor time, for each run.
pub(super) fn per_core(built: &Built, files: &[Value], runs: u32) -> Result<Value> {
    let (path, bytes) = file(files)?;
    warm(&path)?;
    let mut samples = Vec::new();
    for _ in 0..runs {
        let ran = check(built, &path)?;
        samples.push(json!({
            "gb_per_cpu_second": per_second(bytes, ran.cpu) / 1e9,
            "gb_per_second": per_second(bytes, ran.wall) / 1e9,
        }));
    }
    Ok(json!(samples))
}

/// How many times as fast as Python, for each run.
pub(super) fn against_python(built: &Built, files: &[Value], runs: u32) -> Result<Value> {
    let (path, bytes) = file(files)?;
    let python = python()?;
    let schema = folder().join("juryarena.schema.json");
    std::fs::write(&schema, built.schema("juryarena")?.to_string())?;
    warm(&path)?;
    let mut samples = Vec::new();
    for _ in 0..runs.min(PYTHON_RUNS) {
        let ran = check(built, &path)?;
        let mut command = Command::new(&python);
        command
            .arg(scripts().join("python").join("check.py"))
            .arg(&schema)
            .arg(&path)
            .arg(FOR_PYTHON.to_string());
        let said: Value =
            serde_json::from_str(&output(&mut command)?).context("check.py wrote what is not JSON")?;
        let (read, seconds) = (said["bytes"].as_u64(), said["seconds"].as_f64());
        let (Some(read), Some(seconds)) = (read, seconds) else {
            bail!("check.py did not say how long it took")
        };
        let theirs = per_second(read, Duration::from_secs_f64(seconds));
        let ours = per_second(bytes, ran.wall);
        samples.push(json!({"speed": ours / theirs, "mb_per_second": ours / 1e6, "python_mb_per_second": theirs / 1e6}));
    }
    Ok(json!(samples))
}

fn file(files: &[Value]) -> Result<(PathBuf, u64)> {
    let file = files.first().context("no data was made")?;
    let path = file["path"].as_str().context("the data has no path")?;
    Ok((path.into(), file["bytes"].as_u64().context("the data has no size")?))
}

#[expect(clippy::cast_precision_loss, reason = "files are far smaller than 2^53 bytes")]
fn per_second(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64()
}

/// Reads a file once, so that it is in the page cache.
fn warm(path: &Path) -> Result<()> {
    std::io::copy(&mut std::fs::File::open(path)?, &mut std::io::sink())?;
    Ok(())
}

/// How long a check took.
struct Ran {
    wall: Duration,
    /// Processor time of all threads, in the system too.
    cpu: Duration,
}

fn check(built: &Built, path: &Path) -> Result<Ran> {
    let arguments = ["check", "--output", "json", "--max-findings", MOST_FINDINGS];
    let start = Instant::now();
    // The shell's `times` tells what the processes took that it has waited for.
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "\"$0\" \"$@\" >/dev/null; code=$?; times; exit $code"])
        .arg(&built.command)
        .args(arguments)
        .arg(path);
    let (status, text) = capture(&mut shell)?;
    let wall = start.elapsed();
    // 1 says that there are errors in the file, which there are.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} failed ({status}): {text}", name(&shell));
    }
    let cpu = cpu_of_children(&text).with_context(|| format!("the shell's `times` said {text:?}"))?;
    Ok(Ran { wall, cpu })
}

/// The second line of `times`: `0m1.230s 0m0.450s`, user and system time of the children.
fn cpu_of_children(times: &str) -> Option<Duration> {
    let line = times.lines().nth(1)?;
    let seconds = line.split_whitespace().map(|time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    });
    let sum = seconds.collect::<Option<Vec<_>>>()?.iter().sum::<f64>();
    (sum > 0.0).then(|| Duration::from_secs_f64(sum))
}

/// A Python with the packages of `benches/python/requirements.txt`, in an environment of its own.
fn python() -> Result<PathBuf> {
    let requirements = scripts().join("python").join("requirements.txt");
    environment("bench-python", &requirements, "jsonschema")
        .inspect_err(|_| say("NOTE: cli_vs_python is NOT MEASURED: it needs Python with venv, and PyPI"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_from_the_shell() {
        let dash = "0m0.010000s 0m0.000000s\n0m1.250000s 1m0.500000s\n";
        assert_eq!(cpu_of_children(dash), Some(Duration::from_secs_f64(61.75)));
        assert_eq!(
            cpu_of_children("0m0,010s 0m0,000s\n0m1,250s 0m0,250s\n"),
            Some(Duration::from_secs_f64(1.5))
        );
        assert_eq!(cpu_of_children("nothing of the kind"), None);
    }
}
