//! `bench`: speed, memory and size, mostly as ratios within one run, which mean the same on every machine.
//!
//! The scripts in `benches/` make the data, measure, and compute the numbers; this builds and serves the pages and commands to measure,
//! of this checkout and with `--against` of another revision. benches/README.md describes how each is measured.

mod against;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::process::{self, built_program, cargo, output, run as run_command, timed};
use crate::server::{Place, Site};
use crate::{browser, build, npm, python};

/// Options of the benchmarks.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only this key of the summary (may be repeated; `--list` names them, `csv_*` are those that begin so)
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// Build this revision too, measure both in turn, and print the ratio of new to old
    #[arg(long, value_name = "REV")]
    against: Option<String>,
    /// How often each way runs
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// A quarter of the data: for trying things out, not for publishing
    #[arg(long)]
    quick: bool,
    /// Measure the existing dist/
    #[arg(long)]
    no_build: bool,
    /// List the keys and their bounds
    #[arg(long)]
    list: bool,
}

/// A page and a command, if they are needed.
struct Built {
    dist: Option<PathBuf>,
    command: Option<PathBuf>,
}

/// The folder of all files that benchmarks write: data, the other ways, raw results, the summary.
fn folder() -> PathBuf {
    crate::root().join("target").join("bench")
}

fn scripts() -> PathBuf {
    crate::root().join("benches")
}

/// Node.js with a script of `benches/`.
fn script(name: &str) -> Result<Command> {
    let mut node = npm::node()?;
    node.arg(scripts().join(name)).stderr(Stdio::inherit());
    Ok(node)
}

/// Measures, prints the tables, writes `target/bench/summary.json`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let chosen: Value = serde_json::from_str(&output(script("list.mjs")?.args(&options.only))?)?;
    if options.list {
        for key in chosen["keys"].as_array().into_iter().flatten() {
            let text = |field: &str| key[field].as_str().unwrap_or_default();
            println!("{:<33} {:<8} {}", text("name"), text("bound"), text("about"));
        }
        return Ok(());
    }
    let needs = |what| chosen["needs"].as_array().is_some_and(|needs| needs.iter().any(|need| need == what));
    npm::install_locked(&scripts())?;
    fs::create_dir_all(folder())?;

    let product = Built {
        dist: needs("page").then(|| page(options.no_build)).transpose()?,
        command: needs("command").then(release_command).transpose()?,
    };
    let mut products = json!({ "product": product.to_json()? });
    if let Some(revision) = &options.against {
        let (commit, old) = against::build(revision, needs("page"), needs("command"))?;
        products["old"] = old.to_json()?;
        products["old"]["revision"] = json!(commit);
    }
    let mut plan =
        json!({ "only": options.only, "runs": options.runs, "quick": options.quick, "products": products });
    if needs("browser") {
        let ways = folder().join("ways");
        run_command(script("bundle.mjs")?.arg(&ways))?;
        plan["chromium"] = json!(browser::chromium()?);
        plan["ways"] = json!(serve(&ways)?);
    }
    if needs("command") {
        plan["python"] =
            json!(python::system().context("the command is measured by Python, and there is none")?);
    }
    if needs("rivals") {
        let requirements = scripts().join("rivals").join("python").join("requirements.txt");
        plan["python"] = json!(python::environment("rivals", &requirements, "the rivals")?);
        plan["rival"] = json!(timed("compiling the rival in Rust", rival_in_rust)?);
    }
    let path = folder().join("plan.json");
    fs::write(&path, serde_json::to_string_pretty(&plan)?)?;
    run_command(script("bench.mjs")?.arg(&path))
}

impl Built {
    /// The JSON that `bench.mjs` reads.
    fn to_json(&self) -> Result<Value> {
        let page = self.dist.as_ref().map(|dist| serve(dist)).transpose()?;
        Ok(json!({ "dist": self.dist, "page": page, "command": self.command }))
    }
}

/// Serves a folder until this process ends, and returns the address.
fn serve(folder: &Path) -> Result<String> {
    Ok(Site::start(folder, Place::ANY)?.url())
}

/// Builds the page, or uses the existing one.
fn page(is_built: bool) -> Result<PathBuf> {
    if !is_built {
        build::page(false)?;
    }
    let dist = build::dist();
    ensure!(dist.join("index.html").is_file(), "dist/ holds no page: leave out --no-build");
    Ok(dist)
}

/// The compressed sizes of a built page and of its modules in bytes: an object with `page`, `engine` and more.
pub(crate) fn brotli_sizes(dist: &Path) -> Result<Value> {
    let text = output(script("sizes.mjs")?.arg(dist))?;
    serde_json::from_str(&text).context("sizes.mjs wrote what is not JSON")
}

/// Makes the data for a purpose, or finds it. Returns the properties of each file, which `benches/records.mjs` defines for each set.
pub(crate) fn data(purpose: &str, mib: u32) -> Result<Vec<Value>> {
    let text = output(script("data.mjs")?.arg(folder().join("data")).arg(format!("{purpose}:{mib}")))?;
    let files: Vec<Vec<Value>> = serde_json::from_str(&text).context("data.mjs wrote what is not JSON")?;
    Ok(files.into_iter().flatten().collect())
}

/// Builds the `evalcheck` command as for a release, and returns its path.
pub(crate) fn release_command() -> Result<PathBuf> {
    timed("compiling the command", process::release_command)
}

/// Compiles the rival in Rust, which is a separate workspace, and returns its program.
fn rival_in_rust() -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    build.arg(scripts().join("rivals").join("rust").join("Cargo.toml"));
    build.arg("--target-dir").arg(folder().join("rival"));
    built_program(&mut build, "evalcheck-rival")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_becomes_numbers() {
        run_command(
            npm::node()
                .unwrap()
                .args(["--test", "--test-reporter=dot"])
                .arg(scripts().join("bench.test.mjs")),
        )
        .unwrap();
    }
}
