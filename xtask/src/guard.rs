//! `guard`: speed and size without a clock, for CI: instructions of the command on fixed inputs, counted by callgrind, and compressed
//! sizes of the built page. The bounds of both are in `benches/bounds.json`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};

use crate::process::{capture, fast_command, fast_example, name, output, say};
use crate::{bench, build};

/// The size of the inputs: large compared with the start of the command, small enough for callgrind.
const INPUT_MIB: u32 = 4;

/// A renewed bound is this much above today's value. Compilers differ by less.
const SLACK: f64 = 1.1;

/// The input that is also held against the schema that fits it.
const WITH_SCHEMA: &str = "plain-jsonl";

/// The groups of bounds.
const INSTRUCTIONS: &str = "instructions_per_byte";
const SIZES: &str = "brotli_kb";

/// Options of the guard.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write new bounds of instructions, from today's values
    #[arg(long)]
    renew: bool,
}

/// Compares everything, or writes new bounds.
pub(crate) fn run(options: &Options) -> Result<()> {
    let instructions = instructions()?.context("valgrind is not installed")?;
    if !options.renew {
        let (one, other) = (compare(INSTRUCTIONS, &instructions)?, size_step()?);
        print!("{}{}", one.text, other.text);
        ensure!(one.passed && other.passed, "a bound is not kept");
        return Ok(());
    }
    let mut bounds = bounds()?;
    bounds[INSTRUCTIONS] = json!(with_slack(&instructions));
    let path = bounds_path();
    std::fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&bounds)?))?;
    say(format!("wrote {}", path.display()));
    Ok(())
}

/// Values by their names.
type Values = Vec<(String, f64)>;

fn with_slack(values: &Values) -> Map<String, Value> {
    let bound = |value: f64| json!((value * SLACK * 100.0).round() / 100.0);
    values.iter().map(|(name, value)| (name.clone(), bound(*value))).collect()
}

/// The result of a comparison, as text for the user.
pub(crate) struct Comparison {
    pub(crate) passed: bool,
    pub(crate) text: String,
}

/// The step `instructions`; `None` if there is no valgrind.
pub(crate) fn instructions_step() -> Result<Option<Comparison>> {
    instructions()?.map(|values| compare(INSTRUCTIONS, &values)).transpose()
}

/// The step `size`.
pub(crate) fn size_step() -> Result<Comparison> {
    compare(SIZES, &sizes(&build::dist())?)
}

fn bounds_path() -> PathBuf {
    crate::root().join("benches").join("bounds.json")
}

fn bounds() -> Result<Value> {
    let text = std::fs::read_to_string(bounds_path()).context("there is no benches/bounds.json")?;
    serde_json::from_str(&text).context("benches/bounds.json is not JSON")
}

fn compare(group: &str, values: &Values) -> Result<Comparison> {
    let bounds = bounds()?;
    let bounds = bounds[group].as_object().with_context(|| format!("benches/bounds.json has no {group}"))?;
    Ok(judge(group, values, bounds))
}

/// Checks that every value has a bound and keeps it, and that every bound has a value.
fn judge(group: &str, values: &Values, bounds: &Map<String, Value>) -> Comparison {
    let mut passed = true;
    let mut text = String::new();
    let mut say = |ok: bool, line: String| {
        passed &= ok;
        text.push_str(if ok { "ok      " } else { "FAILED  " });
        text.push_str(&line);
        text.push('\n');
    };
    for (name, value) in values {
        match bounds.get(name).and_then(Value::as_f64) {
            Some(bound) => say(*value <= bound, format!("{group} {name}: {value:.2}, bound {bound:.2}")),
            None => say(false, format!("{group} {name}: {value:.2}, no bound: `cargo xtask guard --renew`")),
        }
    }
    for name in bounds.keys().filter(|name| !values.iter().any(|(known, _)| known == *name)) {
        say(false, format!("{group} {name}: has a bound and could not be measured"));
    }
    Comparison { passed, text }
}

/// Instructions per byte of each input; `None` if there is no valgrind.
fn instructions() -> Result<Option<Values>> {
    let Ok(valgrind) = which::which("valgrind") else { return Ok(None) };
    let (command, page) = (fast_command()?, fast_example("evalcheck-engine", "page_check")?);
    let mut values = Values::new();
    for file in bench::data("guard", INPUT_MIB)? {
        let text = |key: &str| file[key].as_str().with_context(|| format!("the data has no {key}"));
        let bytes = file["bytes"].as_f64().context("the data has no size")?;
        let (name, path) = (text("name")?, text("path")?);
        let by_command =
            count(&valgrind, Command::new(&command).args(["check", "--max-findings", "1", path]))?;
        let by_page = count(&valgrind, Command::new(&page).arg(path))?;
        values.push((name.to_owned(), by_command / bytes));
        values.push((format!("{name}, in the page"), by_page / bytes));
        if name == WITH_SCHEMA {
            let schema = output(Command::new(&command).args(["schema", "--infer", path]))?;
            let schema_path = format!("{path}.schema.json");
            std::fs::write(&schema_path, schema)?;
            let check = ["check", "--max-findings", "1", path, "--schema", &schema_path];
            let with_schema = count(&valgrind, Command::new(&command).args(check))?;
            values.push((format!("{name}, with a schema"), with_schema / bytes));
        }
    }
    Ok(Some(values))
}

/// Instructions of one check.
fn count(valgrind: &Path, check: &Command) -> Result<f64> {
    let mut counted = Command::new(valgrind);
    counted.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    counted.arg(check.get_program()).args(check.get_args());
    let (status, output) = capture(&mut counted)?;
    // 1: there are errors in the file, as intended.
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{} failed ({status}):\n{output}", name(&counted));
    }
    collected(&output).with_context(|| format!("callgrind counted nothing:\n{output}"))
}

/// The number in callgrind's closing `==123== Collected : 4567`.
fn collected(output: &str) -> Option<f64> {
    output.lines().rev().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// Compressed sizes in kB.
fn sizes(dist: &Path) -> Result<Values> {
    ensure!(dist.join("index.html").is_file(), "dist/ holds no page: run `cargo xtask build` before");
    let sizes = bench::brotli_sizes(dist)?;
    let bytes = sizes.as_object().into_iter().flatten();
    Ok(bytes.filter_map(|(name, bytes)| Some((name.clone(), bytes.as_f64()? / 1000.0))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(values: &[(&str, f64)], bounds: &Value) -> bool {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        judge("group", &values, bounds.as_object().unwrap()).passed
    }

    #[test]
    fn a_bound_is_kept_or_not() {
        assert!(judged(&[("a", 1.0), ("b", 2.0)], &json!({"a": 1.0, "b": 2.1})));
        assert!(!judged(&[("a", 1.0), ("b", 2.2)], &json!({"a": 1.0, "b": 2.1})));
        assert!(!judged(&[("a", 1.0), ("b", 2.0)], &json!({"a": 1.0})), "without a bound");
        assert!(!judged(&[("a", 1.0)], &json!({"a": 1.0, "b": 2.1})), "without a value");
    }

    #[test]
    fn callgrind_is_read_from_its_closing_lines() {
        let output = "==7== Events    : Ir\n==7== Collected : 123456\n==7==\n==7== I   refs:      123,456\n";
        assert_eq!(collected(output), Some(123_456.0));
        assert_eq!(collected("valgrind: no such program"), None);
    }
}
