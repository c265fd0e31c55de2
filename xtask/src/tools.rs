//! Tools for builds and checks, besides cargo: the compiler's target for wasm, `wasm-opt`, and programs of crates.io. Missing ones are
//! installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;

use crate::npm;
use crate::process::{cargo, output, run, say, timed};

/// The npm package `binaryen` to install, and the oldest `wasm-opt` in the path that is used.
const BINARYEN: &str = "132.0.0";
const OLDEST_WASM_OPT: u32 = 123;

/// The target of the page, the worker and the JavaScript API.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A separate folder in the user's cache: `$XDG_CACHE_HOME/evalcheck`, or the equivalent of the platform.
pub(crate) fn cache() -> Result<PathBuf> {
    let base = etcetera::choose_base_strategy().context("found no home folder to keep tools in")?;
    Ok(base.cache_dir().join("evalcheck"))
}

/// Installs the standard library for wasm if rustup has not done so from rust-toolchain.toml.
pub(crate) fn wasm_target() -> Result<()> {
    let libraries =
        output(Command::new(rustc()).args(["--print", "target-libdir", "--target", WASM_TARGET]))?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    let Ok(rustup) = which::which("rustup") else {
        bail!(
            "this Rust has no {WASM_TARGET} target and there is no rustup to add it: \
             install Rust by rustup (https://rustup.rs), or your distribution's package of that target"
        );
    };
    timed(&format!("installing the {WASM_TARGET} target (about half a minute)"), || {
        run(Command::new(rustup).args(["target", "add", WASM_TARGET]).current_dir(crate::root()))
    })
}

/// `wasm-opt`; `None` if it cannot be installed, which only costs size and some speed.
pub(crate) fn wasm_opt() -> Option<WasmOpt> {
    if let Ok(path) = which::which("wasm-opt")
        && version_of(&path).is_some_and(|version| version >= OLDEST_WASM_OPT)
    {
        return Some(WasmOpt { program: path, script: None });
    }
    match binaryen() {
        Ok(found) => Some(found),
        Err(error) => {
            say(format!("NOTE: no wasm-opt, the build goes on without it and is larger: {error:#}"));
            None
        }
    }
}

/// `wasm-opt`: a program, or a script for Node.
#[derive(Debug)]
pub(crate) struct WasmOpt {
    program: PathBuf,
    script: Option<PathBuf>,
}

impl WasmOpt {
    /// A command to add arguments to.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.script);
        command
    }
}

fn binaryen() -> Result<WasmOpt> {
    let node = npm::node()?.get_program().into();
    let folder = cache()?.join(format!("binaryen-{BINARYEN}"));
    let script = folder.join("node_modules").join("binaryen").join("bin").join("wasm-opt");
    if !script.is_file() {
        timed(
            &format!(
                "installing wasm-opt (npm package binaryen {BINARYEN}, about 100 MB; half a minute, once)"
            ),
            || npm::install_package(&folder, &format!("binaryen@{BINARYEN}")),
        )?;
    }
    Ok(WasmOpt { program: node, script: Some(script) })
}

/// A program of crates.io, in this version; installed if it is missing. Unoptimized: it compiles in a third of the time.
pub(crate) fn from_crates(name: &str, version: &str, how_long: &str) -> Result<PathBuf> {
    if let Ok(found) = which::which(name) {
        return Ok(found);
    }
    let folder = cache()?.join(format!("{name}-{version}"));
    let program = folder.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        timed(&format!("installing {name} {version} ({how_long}, once)"), || {
            run(cargo()
                .args(["install", "--quiet", "--debug", "--locked", name, "--version", version, "--root"])
                .arg(&folder))
        })?;
    }
    Ok(program)
}

/// The compiler that cargo would use.
fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The default target of the compiler.
pub(crate) fn host() -> Result<String> {
    let version = output(Command::new(rustc()).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say for which target it builds")
}

/// The version in `wasm-opt version 132 (version_132)`.
fn version_of(program: &Path) -> Option<u32> {
    version_in(&output(Command::new(program).arg("--version")).ok()?)
}

fn version_in(text: &str) -> Option<u32> {
    text.split_whitespace().find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_wasm_opt_is_a_number() {
        assert_eq!(version_in("wasm-opt version 132 (version_132)\n"), Some(132));
        assert_eq!(version_in("wasm-opt version 116\n"), Some(116));
        assert_eq!(version_in("no version at all"), None);
    }
}
