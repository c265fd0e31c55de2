//! `bench`: how fast, how large, how much memory; as ratios within one run, so that they mean the same on every machine.
//!
//! The data and the browser are driven by the scripts in `benches/`; this builds what they measure, says what is to be
//! measured, and draws the conclusions. The built page is measured as it is, from outside.

mod keys;
mod native;
mod plan;
mod summary;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::process::{built_command, output, run as run_command, say, timed};
use crate::server::{Place, Site};
use crate::{browser, build, npm};
use keys::Key;
use plan::Sizes;

/// What can be chosen about the benchmarks.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    /// Only this key of the summary (may be repeated; `--list` names them)
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// How often each way runs
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// A quarter of the data: for trying things out, not for publishing
    #[arg(long)]
    quick: bool,
    /// How costs grow with bytes and with findings, instead of the keys
    #[arg(long)]
    grow: bool,
    /// With --grow: also a file of 4 GiB
    #[arg(long, requires = "grow")]
    huge: bool,
    /// Measure what is in dist/ already
    #[arg(long)]
    no_build: bool,
    /// List the keys and what is to be reached
    #[arg(long)]
    list: bool,
}

/// The folder of all that benchmarks write: data, the other ways, raw results, the summary.
fn folder() -> PathBuf {
    crate::root().join("target").join("bench")
}

fn scripts() -> PathBuf {
    crate::root().join("benches")
}

/// Measures, prints the table, writes `target/bench/summary.json`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let chosen = keys::choose(&options.only)?;
    if options.list {
        for key in &chosen {
            println!("{:<28} {:<10} {}", key.name, key.target.to_string(), key.about);
        }
        return Ok(());
    }
    npm::install_locked(&scripts())?;
    let chromium = browser::chromium()?;
    let built = Built::make(options.no_build)?;
    fs::create_dir_all(folder())?;
    let sizes = if options.quick { Sizes::QUICK } else { Sizes::FULL };
    say(format!("this machine: {}", summary::machine()));

    if options.grow {
        let measures = plan::growth(sizes, options.huge);
        let results = drive(&built, &chromium, &measures, options.runs)?;
        let rows = table::growth(&measures, &results["measures"]);
        fs::write(folder().join("growth.md"), &rows)?;
        print!("{rows}");
        return Ok(());
    }

    let measures = plan::of_keys(&chosen, sizes, |format| built.has_format(format));
    let mut results = if measures.is_empty() {
        json!({"measures": {}})
    } else {
        drive(&built, &chromium, &measures, options.runs)?
    };
    for key in &chosen {
        if let Some(result) = measured_here(key, &built, sizes, options.runs)? {
            results["measures"][key.measure] = result;
        }
    }
    fs::write(folder().join("results.json"), serde_json::to_string_pretty(&results)?)?;
    let lines = table::lines(&chosen, &results["measures"]);
    print!("{}", table::render(&lines));
    let path = folder().join("summary.json");
    fs::write(
        &path,
        serde_json::to_string_pretty(&summary::of(&lines, &results, options.runs, options.quick))?,
    )?;
    say(format!("wrote {}", path.display()));
    let missing = lines.iter().filter(|line| line.value.is_none()).count();
    ensure!(missing == 0, "{missing} of {} could not be measured", lines.len());
    Ok(())
}

/// What is measured without a browser.
fn measured_here(key: &Key, built: &Built, sizes: Sizes, runs: u32) -> Result<Option<Value>> {
    let failed = |error: anyhow::Error| json!({"error": format!("{error:#}")});
    Ok(match key.measure {
        "sizes" => Some(brotli_sizes(&built.dist).unwrap_or_else(failed)),
        "cli" => Some(
            native::per_core(built, &data(&["juryarena-mixed"], sizes.large)?, runs).unwrap_or_else(failed),
        ),
        "python" => Some(
            native::against_python(built, &data(&["juryarena-short"], sizes.usual)?, runs)
                .unwrap_or_else(failed),
        ),
        _ => None,
    })
}

/// Bytes of the built page and of its engine, compressed: an object with `page` and `engine`.
pub(crate) fn brotli_sizes(dist: &Path) -> Result<Value> {
    let text = output(npm::node()?.arg(scripts().join("sizes.mjs")).arg(dist))?;
    serde_json::from_str(&text).context("sizes.mjs wrote what is not JSON")
}

/// Makes data, or finds it: what is known of each file, in order.
pub(crate) fn data(names: &[&str], mib: u32) -> Result<Vec<Value>> {
    let wanted = names.iter().map(|name| format!("{name}:{mib}")).collect::<Vec<_>>();
    make_data(&wanted)
}

fn make_data(wanted: &[String]) -> Result<Vec<Value>> {
    let mut command = npm::node()?;
    command
        .arg(scripts().join("data.mjs"))
        .arg(folder().join("data"))
        .args(wanted)
        .stderr(std::process::Stdio::inherit());
    let text = output(&mut command)?;
    serde_json::from_str(&text).context("data.mjs wrote what is not JSON")
}

/// Everything built that is measured.
struct Built {
    dist: PathBuf,
    command: PathBuf,
}

impl Built {
    fn make(no_build: bool) -> Result<Self> {
        let dist = build::dist();
        if !no_build {
            build::page(false)?;
        }
        ensure!(dist.join("index.html").is_file(), "dist/ holds no page: leave out --no-build");
        Ok(Self { dist, command: release_command()? })
    }

    /// Whether the catalogue has a format.
    fn has_format(&self, id: &str) -> bool {
        self.schema(id).is_ok()
    }

    /// A format's records as JSON Schema.
    fn schema(&self, id: &str) -> Result<Value> {
        let text = output(std::process::Command::new(&self.command).args(["schema", id]))?;
        serde_json::from_str(&text).context("`evalcheck schema` wrote what is not JSON")
    }
}

/// Builds the `evalcheck` command as it is released, and says where it is.
pub(crate) fn release_command() -> Result<PathBuf> {
    timed("compiling the command", || built_command("release"))
}

/// Has the browser measure what is planned.
fn drive(built: &Built, chromium: &Path, measures: &[plan::Measure], runs: u32) -> Result<Value> {
    let wanted = measures.iter().map(plan::Measure::data).collect::<Vec<_>>();
    let files = timed("making the data, where it is not there yet", || make_data(&wanted))?;
    let ways = folder().join("ways");
    run_command(npm::node()?.arg(scripts().join("bundle.mjs")).arg(&ways))?;
    let (product, others) = (Site::start(&built.dist, Place::ANY)?, Site::start(&ways, Place::ANY)?);
    let asked =
        measures.iter().zip(&files).map(|(measure, file)| measure.to_json(file, runs)).collect::<Vec<_>>();
    let plan = json!({
        "chromium": chromium,
        "product": product.url(),
        "ways": others.url(),
        "schema": built.schema("juryarena")?,
        "measures": asked,
    });
    let (plan_path, results_path) = (folder().join("plan.json"), folder().join("browser.json"));
    fs::write(&plan_path, serde_json::to_string_pretty(&plan)?)?;
    run_command(npm::node()?.arg(scripts().join("drive.mjs")).arg(&plan_path).arg(&results_path))?;
    let text = fs::read_to_string(&results_path).context("the browser's measures were not written")?;
    let results: Value = serde_json::from_str(&text).context("the browser's measures are not JSON")?;
    if results["measures"].as_object().is_none_or(serde_json::Map::is_empty) {
        bail!("the browser measured nothing");
    }
    Ok(results)
}
