//! The second half of a build, called by Trunk when the page is in its staging folder: the worker, wasm-opt, index.html.
//!
//! Trunk could build the worker itself, but leaves its files without a hash in their names, and so a browser could pair a
//! new page with an old worker from its cache. Here all files of the worker go into one folder whose name is
//! the hash of what is in it. Inside, everything keeps its plain name, and relative imports work as they are.

mod html;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use crate::process::{built_files, cargo, output, say, timed};
use crate::tools::{self, WASM_TARGET};

const WORKER_PACKAGE: &str = "evalcheck-worker";
const WORKER_NAME: &str = "evalcheck_worker";
/// The module that the page starts; stands in the worker's crate.
const LOADER: &str = "worker.js";

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

/// Does it, in the folder and with the profile that Trunk names in the environment.
pub(crate) fn run() -> Result<()> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .with_context(|| format!("{name} is not set: this command is called by Trunk, see Trunk.toml"))
    };
    let staging = PathBuf::from(variable("TRUNK_STAGING_DIR")?);
    let release = variable("TRUNK_PROFILE")? == "release";

    let folder = worker(&staging, release)?;
    let page = only_wasm(&staging)?;
    let mut renamed = None;
    if release && let Some(wasm_opt) = tools::wasm_opt() {
        // The page is asked for once, the worker runs over gigabytes.
        optimize(&wasm_opt, &page, "-Oz")?;
        optimize(&wasm_opt, &folder.join(format!("{WORKER_NAME}_bg.wasm")), "-O3")?;
        renamed = Some(rename_by_content(&page)?);
    }
    let worker_folder = format!("worker-{}", hash_of_folder(&folder)?);
    fs::rename(&folder, staging.join(&worker_folder)).context("cannot name the worker's folder")?;

    let index = staging.join("index.html");
    let mut text = fs::read_to_string(&index).context("Trunk has written no index.html")?;
    if let Some((before, after)) = renamed {
        ensure!(text.contains(&before), "index.html does not load {before}");
        text = text.replace(&before, &after);
    }
    let text = html::finish(&text, &format!("./{worker_folder}/{LOADER}"))?;
    fs::write(&index, text).context("cannot write index.html")
}

/// Builds the worker into a folder below `staging` that has no final name yet.
fn worker(staging: &Path, release: bool) -> Result<PathBuf> {
    let wasm = compile_worker(release)?;
    let folder = staging.join("worker");
    fs::create_dir_all(&folder)?;
    let mut bindgen = Command::new(tools::wasm_bindgen()?);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", WORKER_NAME, "--out-dir"]).arg(&folder);
    if release {
        bindgen.args(["--remove-name-section", "--remove-producers-section"]);
    }
    output(bindgen.arg(wasm))?;

    let source = crate::root().join("crates").join("worker");
    ensure!(source.join(LOADER).is_file(), "crates/worker has no {LOADER}, the module that the page starts");
    for entry in fs::read_dir(&source)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js")
            && let Some(name) = path.file_name()
        {
            fs::copy(&path, folder.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(folder)
}

/// Compiles the worker's crate and gives the path of its wasm file.
fn compile_worker(release: bool) -> Result<PathBuf> {
    let mut build = cargo();
    build
        .args(["build", "--package", WORKER_PACKAGE, "--lib", "--target", WASM_TARGET])
        .env_remove("RUSTFLAGS");
    if release {
        build.arg("--release");
    }
    let files = timed("compiling the worker", || built_files(&mut build, WORKER_NAME))?;
    let artifact = files.into_iter().find(|file| is_wasm(file));
    artifact.context("cargo built no wasm file for the worker: its library needs the crate type cdylib")
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

fn optimize(wasm_opt: &tools::WasmOpt, wasm: &Path, level: &str) -> Result<()> {
    let before = fs::metadata(wasm)?.len();
    let optimized = wasm.with_extension("optimized");
    output(wasm_opt.command().args(WASM_FEATURES).arg(level).arg(wasm).arg("-o").arg(&optimized))?;
    let after = fs::metadata(&optimized)?.len();
    fs::rename(&optimized, wasm)?;
    let name = wasm.file_name().unwrap_or_default().display();
    say(format!("wasm-opt {level}: {name} from {} kB to {} kB", before.div_ceil(1000), after.div_ceil(1000)));
    Ok(())
}

/// Trunk's name has the hash of what wasm-opt was given; this gives it the hash of what came out. Returns both names.
fn rename_by_content(wasm: &Path) -> Result<(String, String)> {
    let before = wasm.file_name().and_then(|name| name.to_str()).context("Trunk's file name is not UTF-8")?;
    let stem = before.strip_suffix("_bg.wasm").and_then(|name| name.rsplit_once('-')).map(|(stem, _)| stem);
    let stem = stem.with_context(|| format!("{before} is not named `<page>-<hash>_bg.wasm`"))?;
    let after = format!("{stem}-{}_bg.wasm", short_hex(&Sha256::digest(fs::read(wasm)?)));
    fs::rename(wasm, wasm.with_file_name(&after))?;
    Ok((before.to_owned(), after))
}

/// A hash of the names and the contents of all files in a folder.
fn hash_of_folder(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        let content = fs::read(&file)?;
        // Lengths first: no two folders give the same sequence of bytes.
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    Ok(short_hex(&hash.finalize()))
}

/// The first 64 bits in hexadecimal digits.
fn short_hex(hash: &[u8]) -> String {
    let first = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_named_by_all_that_is_in_it() {
        let folder = std::env::temp_dir().join(format!("evalcheck-finish-{}", std::process::id()));
        fs::create_dir_all(folder.join("snippets")).unwrap();
        let hash_with = |name: &str, content: &str| {
            fs::write(folder.join(name), content).unwrap();
            let hash = hash_of_folder(&folder).unwrap();
            fs::remove_file(folder.join(name)).unwrap();
            hash
        };
        let first = hash_with("a.js", "b");
        assert_eq!(first.len(), 16);
        assert_eq!(first, hash_with("a.js", "b"));
        for (name, content) in [("a.js", "c"), ("b.js", "b"), ("snippets/a.js", "b"), ("a", ".jsb")] {
            assert_ne!(first, hash_with(name, content), "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
