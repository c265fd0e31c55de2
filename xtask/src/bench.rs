//! `bench`: speed, memory and size, mostly as ratios within one run, which mean the same on every machine.
//!
//! The scripts in `benches/` make the data and drive the browser; this builds what they measure, says what is to be measured,
//! and computes the numbers. benches/README.md says how each is measured.

mod keys;
mod native;
mod plan;
mod rivals;
mod summary;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::process::{self, output, run as run_command, say, timed};
use crate::server::{Place, Site};
use crate::{browser, build, npm};
use keys::Key;

/// What can be chosen about the benchmarks.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only this key of the summary (may be repeated; `--list` names them)
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// Only the keys that compare it with other ways to check a file
    #[arg(long, conflicts_with = "only")]
    rivals: bool,
    /// How often each way runs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// A quarter of the data: for trying things out, not for publishing
    #[arg(long)]
    quick: bool,
    /// Measure what is in dist/ already
    #[arg(long)]
    no_build: bool,
    /// List the keys and their bounds
    #[arg(long)]
    list: bool,
}

/// The folder of all that benchmarks write: data, the other ways, raw results, the summary.
fn folder() -> PathBuf {
    crate::root().join("target").join("bench")
}

/// What belongs to the rivals, in that folder.
fn rivals_folder() -> PathBuf {
    folder().join("rivals")
}

fn scripts() -> PathBuf {
    crate::root().join("benches")
}

/// Measures, prints the table, writes `target/bench/summary.json`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let chosen = if options.rivals { keys::of_rivals() } else { keys::choose(&options.only)? };
    if options.list {
        for key in &chosen {
            println!("{:<33} {:<8} {}", key.name, key.bound.to_string(), key.about);
        }
        return Ok(());
    }
    npm::install_locked(&scripts())?;
    let planned = plan::of_keys(&chosen);
    if !planned.is_empty() || chosen.iter().any(|key| key.group == "sizes") {
        if !options.no_build {
            build::page(false)?;
        }
        ensure!(build::dist().join("index.html").is_file(), "dist/ holds no page: leave out --no-build");
    }
    fs::create_dir_all(folder())?;
    say(format!("this machine: {}", summary::machine()));

    let mut results = json!({"measures": {}});
    if !planned.is_empty() {
        results = drive(&planned, options)?;
    }
    for key in &chosen {
        if let Some(result) = measured_here(key, options) {
            let failed = |error: anyhow::Error| json!({"error": format!("{error:#}")});
            results["measures"][key.group] = result.unwrap_or_else(failed);
        }
    }
    fs::write(folder().join("results.json"), serde_json::to_string_pretty(&results)?)?;
    let lines = table::lines(&chosen, &results["measures"]);
    print!("{}", table::render(&lines));
    let path = folder().join("summary.json");
    let summary = summary::of(&lines, &results, options.runs, options.quick);
    fs::write(&path, serde_json::to_string_pretty(&summary)?)?;
    say(format!("wrote {}", path.display()));
    let missing = lines.iter().filter(|line| line.value.is_none()).count();
    ensure!(missing == 0, "{missing} of {} could not be measured", lines.len());
    Ok(())
}

/// What is measured without a browser; `None` for all other keys.
fn measured_here(key: &Key, options: &Options) -> Option<Result<Value>> {
    match key.group {
        "sizes" => Some(brotli_sizes(&build::dist())),
        "cli" => Some(with_command(options, native::per_core)),
        "overview" => Some(with_command(options, native::overview_by_check)),
        "jobs" => Some(with_command(options, native::two_jobs_by_one)),
        "rivals" => Some(with_rivals(options)),
        _ => None,
    }
}

/// Measures the command and its rivals with files of two formats.
fn with_rivals(options: &Options) -> Result<Value> {
    let command = release_command()?;
    let (purpose, mib) = plan::for_the_rivals(options.quick);
    rivals::measure(command, &data(purpose, mib)?, options.runs)
}

/// Measures the command with its file, so many times.
fn with_command(options: &Options, measure: impl Fn(&Path, &Value, u32) -> Result<Value>) -> Result<Value> {
    let command = release_command()?;
    let (purpose, mib) = plan::for_the_command(options.quick);
    measure(&command, data(purpose, mib)?.first().context("no data was made")?, options.runs)
}

/// Bytes of the built page and of its engine, compressed: an object with `page`, `engine` and `embed`.
pub(crate) fn brotli_sizes(dist: &Path) -> Result<Value> {
    let text = output(npm::node()?.arg(scripts().join("sizes.mjs")).arg(dist))?;
    serde_json::from_str(&text).context("sizes.mjs wrote what is not JSON")
}

/// Makes data, or finds it: what is known of each file for a purpose, which `benches/records.mjs` says of each set.
pub(crate) fn data(purpose: &str, mib: u32) -> Result<Vec<Value>> {
    Ok(make_data(&[format!("{purpose}:{mib}")])?.into_iter().flatten().collect())
}

/// The same for several purposes, in order.
fn make_data(wanted: &[String]) -> Result<Vec<Vec<Value>>> {
    let mut command = npm::node()?;
    command
        .arg(scripts().join("data.mjs"))
        .arg(folder().join("data"))
        .args(wanted)
        .stderr(std::process::Stdio::inherit());
    let text = output(&mut command)?;
    serde_json::from_str(&text).context("data.mjs wrote what is not JSON")
}

/// Builds the `evalcheck` command as it is released, and says where it is.
pub(crate) fn release_command() -> Result<PathBuf> {
    timed("compiling the command", process::release_command)
}

/// Has the browser measure what is planned.
fn drive(planned: &[&plan::Measurement], options: &Options) -> Result<Value> {
    let chromium = browser::chromium()?;
    let wanted: Vec<_> = planned.iter().map(|it| it.data(options.quick)).collect();
    let mut files = timed("making the data, where it is not there yet", || make_data(&wanted))?;
    for (_, files) in planned.iter().zip(&mut files).filter(|(it, _)| it.wants_schema()) {
        let command = release_command()?;
        for file in files {
            file["schema"] = json!(rivals::schema(&command, file)?);
        }
    }
    let ways = folder().join("ways");
    run_command(npm::node()?.arg(scripts().join("bundle.mjs")).arg(&ways))?;
    let (product, others) = (Site::start(&build::dist(), Place::ANY)?, Site::start(&ways, Place::ANY)?);
    let asked = planned.iter().zip(&files).flat_map(|(it, files)| it.to_json(files, options.runs));
    let asked: Vec<_> = asked.collect();
    let plan = json!({
        "chromium": chromium,
        "product": product.url(),
        "ways": others.url(),
        "measures": asked,
    });
    let (plan_path, results_path) = (folder().join("plan.json"), folder().join("browser.json"));
    fs::write(&plan_path, serde_json::to_string_pretty(&plan)?)?;
    run_command(npm::node()?.arg(scripts().join("drive.mjs")).arg(&plan_path).arg(&results_path))?;
    let text = fs::read_to_string(&results_path).context("the browser's results were not written")?;
    let results: Value = serde_json::from_str(&text).context("the browser's results are not JSON")?;
    if results["measures"].as_object().is_none_or(serde_json::Map::is_empty) {
        bail!("the browser measured nothing");
    }
    Ok(results)
}
