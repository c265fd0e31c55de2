//! `build`: the page into `dist/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::process::{run as run_command, say, seconds};
use crate::{finish, tools};

/// What can be chosen about a build.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Build fast instead of small: no optimisation, debug information
    #[arg(long)]
    dev: bool,
    /// Also put the page together as one HTML file that works from disk [default: dist/evalcheck.html]
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

/// Puts the page in `dist/` together as one file; without a path, beside the page.
pub(crate) fn single_file(path: Option<&Path>) -> Result<()> {
    let dist = crate::root().join("dist");
    let path = path.map_or_else(|| dist.join(finish::SINGLE_FILE), Path::to_path_buf);
    let page = finish::pack(&dist)?;
    std::fs::write(&path, &page).with_context(|| format!("cannot write {}", path.display()))?;
    say(format!("wrote {}, {} kB", path.display(), page.len().div_ceil(1000)));
    Ok(())
}

/// Builds the page into `dist/`.
pub(crate) fn page(dev: bool) -> Result<()> {
    let start = Instant::now();
    let mut trunk = trunk("build", dev)?;
    say(if dev {
        "building the page and the worker, not optimised (about a minute the first time)"
    } else {
        "building the page and the worker (2 to 4 minutes the first time)"
    });
    // Cargo's progress and what the hook says are enough.
    run_command(trunk.arg("--quiet"))?;
    say(format!("built dist/ in {}: {}", seconds(start.elapsed()), sizes(&crate::root().join("dist"))?));
    Ok(())
}

/// Trunk with all that it needs, ready to be given more arguments.
pub(crate) fn trunk(command: &str, dev: bool) -> Result<Command> {
    tools::wasm_target()?;
    let trunk = tools::trunk()?;
    let wasm_bindgen = tools::wasm_bindgen()?;
    let mut build = Command::new(&trunk);
    build
        .current_dir(crate::root())
        .env("PATH", tools::path_with(&[&trunk, &wasm_bindgen])?)
        // Flags from outside would replace those of .cargo/config.toml, and the scanner would lose SIMD.
        .env_remove("RUSTFLAGS")
        // Trunk 0.21 takes this variable for a switch that has to be `true` or `false`.
        .env_remove("NO_COLOR")
        // Its stack traces bury what it says about the page.
        .env("RUST_LIB_BACKTRACE", "0")
        .args([command, "--skip-version-check"]);
    if !dev {
        build.arg("--release");
    }
    Ok(build)
}

/// The wasm files of a built page and their sizes.
fn sizes(dist: &Path) -> Result<String> {
    let mut found = Vec::new();
    let mut folders = vec![dist.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "wasm") {
                let name = path.strip_prefix(dist)?.display();
                found.push(format!("{name} {} kB", std::fs::metadata(&path)?.len().div_ceil(1000)));
            }
        }
    }
    found.sort();
    Ok(found.join(", "))
}
