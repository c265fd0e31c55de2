//! The command and other ways to check the same files: processor time on one core. All have to find the same bad records.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use super::native;
use super::table::median;
use crate::process::{built_program, cargo, output, say, timed};
use crate::{npm, python};

/// The rivals in Python, by what they are called and their script in `benches/rivals/python`.
const IN_PYTHON: &[(&str, &str)] = &[
    ("msgspec", "with_msgspec.py"),
    ("orjson, jsonschema-rs", "with_jsonschema_rs.py"),
    ("pydantic", "with_pydantic.py"),
    ("DuckDB read_json", "with_duckdb.py"),
];

/// The rivals in JavaScript, with their script in `benches/rivals/node`.
const IN_NODE: &[(&str, &str)] = &[("ajv", "with_ajv.mjs"), ("Zod 4", "with_zod4.mjs")];

/// What is measured against the rivals.
const EVALCHECK: &str = "evalcheck";

/// One way to check a file.
struct Way {
    name: &'static str,
    /// The program and its first arguments.
    command: Vec<OsString>,
}

/// All that is needed to measure.
struct Field {
    ways: Vec<Way>,
    /// A Python, which starts each program and takes its time.
    python: PathBuf,
    evalcheck: PathBuf,
}

/// What a way found in a file.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    records: u64,
    /// The lines of the bad records, from 1.
    bad: Vec<u64>,
}

/// What one run of a way took and found.
struct Run {
    seconds: f64,
    found: Found,
}

/// A file of one format, and what was measured with it.
struct Race {
    format: String,
    bytes: u64,
    records: u64,
    bad: u64,
    laps: Vec<Lap>,
}

/// What was measured of one way.
struct Lap {
    name: &'static str,
    /// Processor time of each run.
    seconds: Vec<f64>,
    /// The same for a file of one record, the least of the runs: what the start takes.
    start: f64,
}

/// Measures all ways in turn, prints a table, and writes `target/bench/rivals.json`. Returns for each run the processor time of the
/// best rival by that of evalcheck, with the file where this is least.
pub(super) fn measure(evalcheck: PathBuf, files: &[Value], runs: u32) -> Result<Value> {
    let field = Field::prepare(evalcheck)?;
    let mut races = Vec::new();
    for file in files {
        races.push(field.race(file, runs)?);
    }
    for race in &races {
        print!("{}", race.to_table());
    }
    let path = super::folder().join("rivals.json");
    let all = json!({
        "machine": super::summary::machine(),
        "runs": runs,
        "formats": races.iter().map(Race::to_json).collect::<Vec<_>>(),
    });
    fs::write(&path, serde_json::to_string_pretty(&all)?)?;
    say(format!("wrote {}", path.display()));
    let ratios = races.iter().map(Race::ratios).collect::<Result<Vec<_>>>()?;
    let least =
        ratios.into_iter().min_by(|a, b| median(a).unwrap_or(0.0).total_cmp(&median(b).unwrap_or(0.0)));
    Ok(least.context("there is no file")?.into_iter().map(|ratio| json!({ "ratio": ratio })).collect())
}

impl Field {
    /// Builds and installs all ways.
    fn prepare(evalcheck: PathBuf) -> Result<Self> {
        let sources = super::scripts().join("rivals");
        npm::install_locked(&super::scripts())?;
        let requirements = sources.join("python").join("requirements.txt");
        let python = python::environment("rivals", &requirements, "the rivals")?;
        let program = timed("compiling the rival in Rust", || compiled(&sources.join("rust")))?;
        let node: PathBuf = npm::node()?.get_program().into();
        let mut ways = vec![
            Way { name: EVALCHECK, command: vec![evalcheck.clone().into()] },
            Way { name: "jsonschema, serde_json", command: vec![program.into()] },
        ];
        let scripts = |language, interpreter: &PathBuf, all: &[(&'static str, &str)]| -> Vec<Way> {
            let folder = sources.join(language);
            let way = |&(name, script): &(&'static str, &str)| Way {
                name,
                command: vec![interpreter.clone().into(), folder.join(script).into()],
            };
            all.iter().map(way).collect()
        };
        ways.extend(scripts("python", &python, IN_PYTHON));
        ways.extend(scripts("node", &node, IN_NODE));
        Ok(Self { ways, python, evalcheck })
    }

    /// Has all ways check a file, so many times in turn, and compares what they find.
    fn race(&self, file: &Value, runs: u32) -> Result<Race> {
        let path = Path::new(native::cached(file)?);
        let format = file["format"].as_str().context("the data has no format")?;
        let number = |key: &str| file[key].as_u64().with_context(|| format!("the data has no {key}"));
        let schema = schema(&self.evalcheck, file)?;
        let first = super::rivals_folder().join(format!("{format}-first.jsonl"));
        fs::write(&first, first_line(path)?)?;
        let (records, bad) = (number("records")?, number("bad")?);
        let race = |way: &Way| Lap { name: way.name, seconds: Vec::new(), start: f64::INFINITY };
        let mut laps: Vec<Lap> = self.ways.iter().map(race).collect();
        let mut expected = None;
        say(format!("{format}: {} ways, {runs} runs of each, in turn ...", self.ways.len()));
        for run in 0..runs as usize {
            // Each is first as often as the others.
            for at in (0..laps.len()).map(|at| (at + run) % self.ways.len()) {
                let way = &self.ways[at];
                let start = self.run(way, format, &first, &schema)?;
                let Run { seconds, found } = self.run(way, format, path, &schema)?;
                laps[at].start = laps[at].start.min(start.seconds);
                laps[at].seconds.push(seconds);
                let (first_way, expected) = expected.get_or_insert_with(|| (way.name, found.clone()));
                found
                    .agrees(expected)
                    .with_context(|| format!("{format}: {} and {first_way} differ", way.name))?;
                let counts = (found.records, found.bad.len() as u64);
                ensure!(
                    counts == (records, bad),
                    "{format}: {} found {} of {} records bad, {bad} of {records} are",
                    way.name,
                    counts.1,
                    counts.0
                );
            }
        }
        Ok(Race { format: format.to_owned(), bytes: number("bytes")?, records, bad, laps })
    }

    /// Runs a way once.
    fn run(&self, way: &Way, format: &str, file: &Path, schema: &Path) -> Result<Run> {
        let mut command = Command::new(&self.python);
        command.arg(super::scripts().join("rivals").join("measure.py")).args(&way.command);
        let is_evalcheck = way.name == EVALCHECK;
        if is_evalcheck {
            command.args(native::CHECK).arg("--isolated").arg(file);
        } else {
            command.arg(format).arg(file).arg(schema);
        }
        let took: Value = serde_json::from_str(&output(&mut command)?).context("measure.py wrote no JSON")?;
        let status = took["status"].as_i64();
        // 1: there are errors in the file, as intended.
        ensure!(status == Some(0) || is_evalcheck && status == Some(1), "{} failed ({status:?})", way.name);
        if took["pinned"] != json!(true) {
            say("NOTE: this system binds no program to a core, and the rivals may use several");
        }
        let printed = took["output"].as_str().unwrap_or_default();
        let printed: Value =
            serde_json::from_str(printed).with_context(|| format!("{} printed no JSON", way.name))?;
        let found = if is_evalcheck { Found::of_report(&printed) } else { Found::of_rival(&printed) };
        let found = found.with_context(|| format!("{} printed something else", way.name))?;
        Ok(Run { seconds: took["seconds"].as_f64().context("there is no time")?, found })
    }
}

impl Found {
    /// From a report of evalcheck, which lists all of its errors.
    fn of_report(report: &Value) -> Option<Self> {
        if report["truncated"] != json!(false) {
            return None;
        }
        // Those in no record are about the file: that it has more records than the system takes.
        let is_of_record = |finding: &&Value| finding["severity"] == "error" && !finding["record"].is_null();
        let errors = report["findings"].as_array()?.iter().filter(is_of_record);
        let mut bad = errors.map(|finding| finding["line"].as_u64()).collect::<Option<Vec<_>>>()?;
        bad.sort_unstable();
        bad.dedup();
        Some(Self { records: report["counts"]["records"].as_u64()?, bad })
    }

    /// From what a rival prints.
    fn of_rival(printed: &Value) -> Option<Self> {
        let bad = printed["bad"].as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<_>>>()?;
        Some(Self { records: printed["records"].as_u64()?, bad })
    }

    /// Fails where another way found something else, and says in which lines.
    fn agrees(&self, other: &Self) -> Result<()> {
        let only_in = |one: &Self, other: &Self| -> Vec<u64> {
            one.bad.iter().filter(|line| !other.bad.contains(line)).take(10).copied().collect()
        };
        ensure!(
            self == other,
            "{} and {} records; bad by the first alone: lines {:?}, by the second alone: {:?}",
            self.records,
            other.records,
            only_in(self, other),
            only_in(other, self)
        );
        Ok(())
    }
}

impl Race {
    /// For each run the time of the rival that is the best of all runs by that of evalcheck.
    fn ratios(&self) -> Result<Vec<f64>> {
        let (rivals, evalcheck): (Vec<_>, Vec<_>) = self.laps.iter().partition(|lap| lap.name != EVALCHECK);
        let best = rivals.into_iter().min_by(|a, b| a.median().total_cmp(&b.median()));
        let (best, evalcheck) = best.zip(evalcheck.into_iter().next()).context("there is no rival")?;
        Ok(best.ratios(evalcheck))
    }

    /// A line for each way, the fastest first.
    fn to_table(&self) -> String {
        let mut laps: Vec<&Lap> = self.laps.iter().collect();
        laps.sort_by(|a, b| a.median().total_cmp(&b.median()));
        let evalcheck = self.laps.iter().find(|lap| lap.name == EVALCHECK);
        let mib = self.bytes >> 20;
        let mut text =
            format!("{}, {mib} MiB: {} records, {} of them bad\n", self.format, self.records, self.bad);
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {:<24} {:>8} {:>8} {:>8}", "", "seconds", "start", "ratio");
        for lap in laps {
            let ratio = evalcheck.and_then(|evalcheck| median(&lap.ratios(evalcheck))).unwrap_or(f64::NAN);
            let _ =
                writeln!(text, "  {:<24} {:>8.3} {:>8.3} {ratio:>8.2}", lap.name, lap.median(), lap.start);
        }
        text
    }

    fn to_json(&self) -> Value {
        let of = |lap: &Lap| {
            let about = json!({ "median": lap.median(), "seconds": lap.seconds, "start": lap.start });
            (lap.name.to_owned(), about)
        };
        json!({
            "format": self.format,
            "bytes": self.bytes,
            "records": self.records,
            "bad": self.bad,
            "ways": self.laps.iter().map(of).collect::<Map<_, _>>(),
        })
    }
}

impl Lap {
    fn median(&self) -> f64 {
        median(&self.seconds).unwrap_or(f64::NAN)
    }

    /// How many times as long this takes as another way, run by run.
    fn ratios(&self, other: &Self) -> Vec<f64> {
        self.seconds.iter().zip(&other.seconds).map(|(own, other)| own / other).collect()
    }
}

/// Writes the JSON Schema of a file's format, and returns its path.
pub(super) fn schema(evalcheck: &Path, file: &Value) -> Result<PathBuf> {
    let folder = super::rivals_folder();
    fs::create_dir_all(&folder)?;
    let format = file["format"].as_str().context("the data has no format")?;
    let version = file["version"].as_str();
    let mut command = Command::new(evalcheck);
    command.args(["schema", format]).args(version.iter().flat_map(|version| ["--version", version]));
    let path = folder.join(format!("{format}.schema.json"));
    fs::write(&path, output(&mut command)?)?;
    Ok(path)
}

/// Compiles the crate in `source`, which is a workspace of its own, and returns its program.
fn compiled(source: &Path) -> Result<PathBuf> {
    let mut build = cargo();
    build
        .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(source.join("Cargo.toml"));
    build.arg("--target-dir").arg(super::rivals_folder().join("rust"));
    built_program(&mut build, "evalcheck-rival")
}

/// The first line of a file.
fn first_line(file: &Path) -> Result<String> {
    let mut line = String::new();
    BufReader::new(fs::File::open(file)?).read_line(&mut line)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lap(name: &'static str, seconds: &[f64]) -> Lap {
        Lap { name, seconds: seconds.to_vec(), start: 0.0 }
    }

    #[test]
    fn the_best_of_the_rivals_counts() {
        let laps = vec![lap(EVALCHECK, &[1.0, 2.0]), lap("slow", &[9.0, 2.0]), lap("fast", &[4.0, 6.0])];
        let race = Race { format: "f".to_owned(), bytes: 1 << 20, records: 2, bad: 1, laps };
        assert_eq!(race.ratios().unwrap(), [4.0, 3.0]);
        let table = race.to_table();
        let order: Vec<_> = table.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(order, [EVALCHECK, "fast", "slow"], "{table}");
    }

    #[test]
    fn a_record_with_several_errors_is_one_bad_record_and_a_warning_makes_none() {
        let finding =
            |line: u64, severity: &str| json!({ "line": line, "record": line, "severity": severity });
        let of_file = json!({ "line": null, "record": null, "severity": "error" });
        let report = json!({
            "truncated": false,
            "counts": { "records": 9 },
            "findings": [finding(7, "error"), finding(2, "error"), finding(7, "error"), finding(3, "warning"), of_file],
        });
        let found = Found::of_report(&report).unwrap();
        assert_eq!(found, Found::of_rival(&json!({ "records": 9, "bad": [2, 7] })).unwrap());
        assert_eq!(Found::of_report(&json!({ "truncated": true })), None);
    }

    #[test]
    fn a_way_that_finds_something_else_is_told_by_its_lines() {
        let found = |bad: &[u64]| Found { records: 9, bad: bad.to_vec() };
        assert!(found(&[2, 7]).agrees(&found(&[2, 7])).is_ok());
        let error = found(&[2, 7]).agrees(&found(&[7, 8])).unwrap_err().to_string();
        assert!(error.contains("alone: lines [2]") && error.contains("alone: [8]"), "{error}");
    }
}
