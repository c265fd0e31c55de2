//! The second half of a build, called by Trunk when the page is in its staging folder: the worker, wasm-opt, index.html,
//! the service worker.
//!
//! Trunk could build the worker itself, but leaves its files without a hash in their names, and so a browser could pair a
//! new page with an old worker from its cache. Here all files of the worker go into one folder whose name is
//! the hash of what is in it.

mod html;
mod imports;
mod names;
mod order;
mod policy;
mod seal;
mod single;
mod styles;
mod tags;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use self::names::{files_below, hash_of, rename_by_content};
use crate::process::{output, say};
use crate::tools;

pub(crate) use self::seal::{SINGLE_FILE, seal};
pub(crate) use self::single::pack;

/// What rustc emits for the target and for SIMD. Named one by one: with all features, wasm-opt emits what browsers refuse.
const WASM_FEATURES: &[&str] = &[
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// What makes wasm shorter once it is compressed: functions stay apart that have one caller or few (repeated beginnings and
/// ends compress, long bodies less), 5 % of the engine with the order of functions ([`order`]). Data stays in one piece instead
/// of in one for each stretch without zeros, and what is computed twice stays so, which browsers see for themselves: 1 %.
const FOR_COMPRESSION: &[&str] = &[
    "--one-caller-inline-max-function-size=1",
    "--always-inline-max-function-size=0",
    "--flexible-inline-max-function-size=0",
    "--skip-pass=memory-packing",
    "--skip-pass=local-cse",
    "--strip-debug",
    "--strip-producers",
];

/// What follows on the hash in Trunk's name of the page's wasm.
const WASM_END: &str = "_bg.wasm";

/// Does it, in the folder and with the profile that Trunk names in the environment.
pub(crate) fn run() -> Result<()> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .with_context(|| format!("{name} is not set: this command is called by Trunk, see Trunk.toml"))
    };
    let staging = PathBuf::from(variable("TRUNK_STAGING_DIR")?);
    let release = variable("TRUNK_PROFILE")? == "release";

    let folder = worker::build(&staging, release)?;
    let page = only_wasm(&staging)?;
    let glue = page.with_file_name(
        page.file_name().and_then(|name| name.to_str()).unwrap_or_default().replace(WASM_END, ".js"),
    );
    let mut renamed = Vec::new();
    if release {
        let script = fs::read_to_string(&glue).context("Trunk has written no script for the page's wasm")?;
        let script = imports::shorten(&page, &script)?;
        fs::write(&glue, html::without_comments(&script))?;
        if let Some(wasm_opt) = tools::wasm_opt() {
            // The page is asked for once, the worker runs over gigabytes.
            optimize(&wasm_opt, &page, &["-Oz"])?;
            // What the first pass leaves is shorter, by 0.3 kB of the engine compressed; a third gains nothing.
            optimize(&wasm_opt, &folder.join(worker::ENGINE), &["-O2", "-O3"])?;
        }
        renamed.push(rename_by_content(&page, WASM_END)?);
        renamed.push(rename_by_content(&glue, ".js")?);
    }
    let worker_folder = format!("worker-{}", hash_of(&files_below(&folder)?)?);
    fs::rename(&folder, staging.join(&worker_folder)).context("cannot name the worker's folder")?;

    let index = staging.join("index.html");
    let mut text = fs::read_to_string(&index).context("Trunk has written no index.html")?;
    for (before, after) in renamed {
        ensure!(text.contains(&before), "index.html does not load {before}");
        text = text.replace(&before, &after);
    }
    let text = styles::join(&staging, &text)?;
    let text = html::finish(&text, &format!("./{worker_folder}/{}", worker::SCRIPT))?;
    fs::write(&index, text).context("cannot write index.html")?;
    seal(&staging)
}

/// The one wasm file that Trunk made.
fn only_wasm(staging: &Path) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(staging)? {
        let path = entry?.path();
        if is_wasm(&path) {
            found.push(path);
        }
    }
    let [page] = &found[..] else { bail!("expected one wasm file from Trunk, found {found:?}") };
    Ok(page.clone())
}

fn is_wasm(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wasm")
}

fn optimize(wasm_opt: &tools::WasmOpt, wasm: &Path, levels: &[&str]) -> Result<()> {
    let before = fs::metadata(wasm)?.len();
    let optimized = wasm.with_extension("optimized");
    let command = &mut wasm_opt.command();
    output(
        command.args(WASM_FEATURES).args(levels).args(FOR_COMPRESSION).arg(wasm).arg("-o").arg(&optimized),
    )?;
    order::name_by_likeness(&optimized)?;
    let command = &mut wasm_opt.command();
    let in_order = ["--reorder-functions-by-name", "--strip-debug"];
    output(command.args(WASM_FEATURES).args(in_order).arg(&optimized).arg("-o").arg(&optimized))?;
    let after = fs::metadata(&optimized)?.len();
    fs::rename(&optimized, wasm)?;
    let (levels, name) = (levels.join(" "), wasm.file_name().unwrap_or_default().display());
    say(format!(
        "wasm-opt {levels}: {name} from {} kB to {} kB",
        before.div_ceil(1000),
        after.div_ceil(1000)
    ));
    Ok(())
}
