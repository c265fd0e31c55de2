//! `build`: the page in `dist/`.
//!
//! `index.html` names the sources of the files that it loads. A build compiles the page and the worker to WebAssembly, gives all
//! immutable files names with a hash, and writes the content security policy and the service worker. The files of the worker share a
//! folder with a hash, so that a browser never pairs the script of one version with the engine of another.

mod html;
mod names;
mod package;
mod packed;
mod policy;
mod seal;
mod single;
mod split;
mod tags;
mod wasm;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use self::names::{hash_of, is_wasm};
use crate::process::{say, seconds};

pub(crate) use self::names::{copy_folder, files_below};
pub(crate) use self::package::{javascript_api, tested_javascript_api};
pub(crate) use self::seal::{SINGLE_FILE, seal, without_service_worker};

/// The worker's script and the engine that it runs; `www/boot/boot.js` knows these names.
const WORKER_SCRIPT: &str = "worker.js";
const ENGINE: &str = "engine.wasm";
/// The rest of the engine, if it is split.
const REST: &str = "rest.wasm";
/// The rest of the page's own module, if it is split.
const PAGE_REST: &str = "page-rest.wasm";
/// The rules with their pages, which the page shows on demand.
const RULES: &str = "rules.json";

/// Files that are copied into `dist/` under a fixed name.
const COPIED: [(&str, &str); 7] = [
    ("www/manifest.webmanifest", "manifest.webmanifest"),
    ("www/icons/icon-192.png", "icons/icon-192.png"),
    ("www/icons/icon-512.png", "icons/icon-512.png"),
    ("www/icons/maskable-512.png", "icons/maskable-512.png"),
    ("www/embed/embed.js", "embed.js"),
    ("www/embed/embed.d.ts", "embed.d.ts"),
    ("crates/js/types.d.ts", "types.d.ts"),
];

/// Options of a build.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Build fast instead of small: no optimisation, debug information
    #[arg(long)]
    dev: bool,
    /// Also write the page as one HTML file that works from disk [default: dist/evalcheck.html]
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "clap's way to say: an option with or without a value")]
    single_file: Option<Option<PathBuf>>,
}

/// Builds the page.
pub(crate) fn run(options: &Options) -> Result<()> {
    page(options.dev)?;
    match &options.single_file {
        Some(path) => single_file(path.as_deref()),
        None => Ok(()),
    }
}

/// Writes the page in `dist/` as one file; without a path, beside the page.
pub(crate) fn single_file(path: Option<&Path>) -> Result<()> {
    let dist = dist();
    let path = path.map_or_else(|| dist.join(SINGLE_FILE), Path::to_path_buf);
    let page = single::pack(&dist)?;
    fs::write(&path, &page).with_context(|| format!("cannot write {}", path.display()))?;
    say(format!("wrote {}, {} kB", path.display(), page.len().div_ceil(1000)));
    Ok(())
}

/// The folder of the built page.
pub(crate) fn dist() -> PathBuf {
    crate::root().join("dist")
}

/// The variable with the folder for the page, when Trunk runs `cargo xtask trunk`.
const TRUNK_FOLDER: &str = "TRUNK_STAGING_DIR";

/// Builds the page for Trunk, whose hook calls this: see `Trunk.toml`. Without a service worker, so that a reload shows the latest build.
pub(crate) fn for_trunk() -> Result<()> {
    let folder = std::env::var_os(TRUNK_FOLDER);
    let folder =
        folder.with_context(|| format!("{TRUNK_FOLDER} is not set: Trunk sets it, run `trunk serve`"))?;
    let folder = PathBuf::from(folder);
    page_in(&folder, true)?;
    without_service_worker(&folder)
}

/// Builds the page into `dist/`.
pub(crate) fn page(dev: bool) -> Result<()> {
    page_in(&dist(), dev)
}

/// Builds the page into a folder, and replaces its content.
fn page_in(dist: &Path, dev: bool) -> Result<()> {
    let start = Instant::now();
    let root = crate::root();
    let modules = wasm::modules(!dev)?;

    // Only now is the earlier page removed: a build that fails keeps it.
    if dist.exists() {
        fs::remove_dir_all(dist).with_context(|| format!("cannot remove the earlier {}", dist.display()))?;
    }
    let worker = dist.join("worker");
    fs::create_dir_all(&worker)?;
    let script = html::worker_script(&root, &modules.worker, &modules.on_demand)?;
    fs::write(worker.join(WORKER_SCRIPT), script)?;
    fs::copy(&modules.worker.wasm, worker.join(ENGINE))?;
    if !dev {
        for part in split::split_engine(&worker)? {
            modules.optimize(&worker.join(part))?;
        }
        let rest = worker.join(PAGE_REST);
        split::split_page(&modules.page.wasm, &rest)?;
        modules.optimize(&modules.page.wasm)?;
        modules.optimize(&rest)?;
    }
    for module in &modules.on_demand {
        fs::copy(&module.wasm, worker.join(module.file_name()))?;
    }
    fs::copy(root.join("crates/engine/src").join(RULES), worker.join(RULES)).context("there are no rules")?;
    let folder = format!("worker-{}", hash_of(&files_below(&worker)?)?);
    fs::rename(worker, dist.join(&folder))?;

    fs::create_dir_all(dist.join("icons"))?;
    for (source, name) in COPIED {
        fs::copy(root.join(source), dist.join(name)).with_context(|| format!("cannot copy {source}"))?;
    }

    let index = fs::read_to_string(root.join("index.html")).context("there is no index.html")?;
    let index = html::with_sources(&index, &root, dist)?;
    let index = html::with_module(&index, &modules.page, dist)?;
    let index = html::finish(&index, &loaded(dist, &folder)?)?;
    packed::write_packed(dist)?;
    fs::write(dist.join("index.html"), index)?;
    seal(dist)?;
    let name = dist.file_name().unwrap_or_default().to_string_lossy();
    say(format!("built {name}/ in {}: {}", seconds(start.elapsed()), sizes(dist)?));
    Ok(())
}

/// The files that the page loads by script, and their sizes.
fn loaded(dist: &Path, folder: &str) -> Result<html::Loaded> {
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    let worker = dist.join(folder);
    let page = files_below(dist)?.into_iter().filter(|(name, path)| is_wasm(path) && !name.contains('/'));
    Ok(html::Loaded {
        worker: format!("./{folder}/{WORKER_SCRIPT}"),
        bytes: page.map(|(_, path)| size(path)).sum::<u64>()
            + size(worker.join(WORKER_SCRIPT))
            + size(worker.join(ENGINE)),
        rest_bytes: [REST, PAGE_REST, RULES].map(|name| size(worker.join(name))).iter().sum(),
    })
}

/// The wasm files of a built page and their sizes.
fn sizes(dist: &Path) -> Result<String> {
    let mut found = Vec::new();
    for (name, path) in files_below(dist)? {
        if is_wasm(&path) {
            found.push(format!("{name} {} kB", fs::metadata(&path)?.len().div_ceil(1000)));
        }
    }
    Ok(found.join(", "))
}
