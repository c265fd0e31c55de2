//! The worker: one script, and the engine's wasm and the catalogue beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{html, imports, is_wasm};
use crate::process::{built_files, cargo, output, timed};
use crate::tools::{self, WASM_TARGET};

const PACKAGE: &str = "evalcheck-worker";
const NAME: &str = "evalcheck_worker";
/// The script that the page starts, and the module that it hands over; `www/boot/boot.js` knows these names.
pub(super) const SCRIPT: &str = "worker.js";
pub(super) const ENGINE: &str = "engine.wasm";
pub(super) const CATALOGUE: &str = "catalogue.json";

/// Builds the worker into a folder below `staging` that has no final name yet.
pub(super) fn build(staging: &Path, release: bool) -> Result<PathBuf> {
    let wasm = compile(release)?;
    let folder = staging.join("worker");
    let bound = staging.join("worker-bound");
    fs::create_dir_all(&folder)?;
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    // No modules: the page starts any number of workers from the text of one script.
    bindgen.args(["--target", "no-modules", "--no-typescript", "--out-name", NAME, "--out-dir"]).arg(&bound);
    if release {
        bindgen.args(["--remove-name-section", "--remove-producers-section"]);
    }
    output(bindgen.arg(wasm))?;
    fs::rename(bound.join(format!("{NAME}_bg.wasm")), folder.join(ENGINE))?;

    let source = crate::root().join("crates").join("worker");
    let own = |name: &str| -> Result<String> {
        let path = source.join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(html::without_comments(&text))
    };
    let mut glue = fs::read_to_string(bound.join(format!("{NAME}.js")))?;
    if release {
        glue = imports::shorten(&folder.join(ENGINE), &glue)?;
    }
    ensure!(
        glue.contains("wasm_bindgen"),
        "wasm-bindgen wrote no script that can be put together with others"
    );
    let script = [own("watch.js")?, html::without_comments(&glue), own("worker.js")?].join("\n");
    fs::write(folder.join(SCRIPT), script + "\n")?;
    fs::remove_dir_all(bound)?;
    fs::write(folder.join(CATALOGUE), catalogue()?)?;
    Ok(folder)
}

/// The formats and rules in the words for people, as JSON: the engine of the worker is built without them.
fn catalogue() -> Result<String> {
    timed("writing the catalogue", || {
        output(cargo().args(["run", "--quiet", "--package", "evalcheck-engine", "--bin", "catalogue"]))
    })
}

/// Compiles the worker's crate and gives the path of its wasm file.
fn compile(release: bool) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", PACKAGE, "--lib", "--target", WASM_TARGET]).env_remove("RUSTFLAGS");
    if release {
        build.arg("--release");
    }
    let files = timed("compiling the worker", || built_files(&mut build, NAME))?;
    let artifact = files.into_iter().find(|file| is_wasm(file));
    artifact.context("cargo built no wasm file for the worker: its library needs the crate type cdylib")
}
