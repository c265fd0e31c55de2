//! The programs that a build needs: found where they are, installed where they are not.
//!
//! Each one is installed into a folder named after it and its version, so that checkouts which want different versions
//! do not fight, and removing the folder undoes everything.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;

use crate::npm;
use crate::process::{cargo, output, run, say, timed};

/// Trunk as we install it, the oldest rustc (minor version) that compiles it, and what older compilers get.
const TRUNK: &str = "0.22.0-beta.1";
const TRUNK_NEEDS_RUSTC_MINOR: u32 = 90;
const TRUNK_FOR_OLDER_RUSTC: &str = "0.21.14";

/// Binaryen as we install it (the npm package carries `wasm-opt`), and the oldest that will do when it is there already.
const BINARYEN: &str = "132.0.0";
const OLDEST_WASM_OPT: u32 = 123;

/// The target of the page, the worker and the JavaScript API.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A folder of our own in the user's cache: `$XDG_CACHE_HOME/evalcheck`, or what the platform uses instead.
pub(crate) fn cache() -> Result<PathBuf> {
    let base = etcetera::choose_base_strategy().context("found no home folder to keep tools in")?;
    Ok(base.cache_dir().join("evalcheck"))
}

/// Installs the standard library for wasm when rustup has not done so from rust-toolchain.toml.
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

/// Trunk, from the path or from our folder.
pub(crate) fn trunk() -> Result<PathBuf> {
    if let Ok(path) = which::which("trunk")
        && let Some(version) = version_of(&path)
    {
        if trunk_fits(&version) {
            return Ok(path);
        }
        say(format!("Trunk {version} is installed, which is not one of ours"));
    }
    let version = if rustc_minor()? >= TRUNK_NEEDS_RUSTC_MINOR { TRUNK } else { TRUNK_FOR_OLDER_RUSTC };
    cargo_install("trunk", "trunk", version, "5 to 10 minutes, once")
}

/// Any 0.22, and the 0.21 that we know: the keys of Trunk.toml and its hooks are the same in these.
fn trunk_fits(version: &str) -> bool {
    version == TRUNK_FOR_OLDER_RUSTC || version.starts_with("0.22.")
}

/// The wasm-bindgen command of exactly the version that the crates are compiled against: any other refuses to work.
pub(crate) fn wasm_bindgen() -> Result<PathBuf> {
    let id = output(cargo().args(["pkgid", "wasm-bindgen"]))?;
    let wanted = id.trim().rsplit(['@', '#']).next().unwrap_or_default().to_owned();
    if let Ok(path) = which::which("wasm-bindgen")
        && version_of(&path).as_deref() == Some(wanted.as_str())
    {
        return Ok(path);
    }
    cargo_install("wasm-bindgen-cli", "wasm-bindgen", &wanted, "1 to 3 minutes, once")
}

/// How to start `wasm-opt`; `None` where it cannot be had, which only costs size and some speed.
pub(crate) fn wasm_opt() -> Option<WasmOpt> {
    if let Ok(path) = which::which("wasm-opt")
        && let Some(version) = version_of(&path)
        && version.parse::<u32>().is_ok_and(|version| version >= OLDEST_WASM_OPT)
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

/// `PATH` with the folders of these programs first.
pub(crate) fn path_with(programs: &[&Path]) -> Result<OsString> {
    let ours = programs.iter().filter_map(|program| program.parent()).map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(ours.chain(std::env::split_paths(&path)))
        .context("a folder in PATH has a separator in its name")
}

/// The compiler that cargo would use.
fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn rustc_minor() -> Result<u32> {
    let text = output(Command::new(rustc()).arg("--version"))?;
    minor_version(&text).with_context(|| format!("cannot read the compiler's version from {text:?}"))
}

fn minor_version(rustc_version: &str) -> Option<u32> {
    rustc_version.split(' ').nth(1)?.split('.').nth(1)?.parse().ok()
}

/// The version in `name 1.2.3` or `name version 132 (version_132)`.
fn version_of(program: &Path) -> Option<String> {
    let text = output(Command::new(program).arg("--version")).ok()?;
    version_in(&text).map(str::to_owned)
}

fn version_in(text: &str) -> Option<&str> {
    let version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    // Trunk 0.22 writes `trunk-0.22.0`, earlier ones `trunk 0.21.14`.
    text.lines().next()?.split(' ').map(|word| word.strip_prefix("trunk-").unwrap_or(word)).find(version)
}

fn cargo_install(package: &str, program: &str, version: &str, duration: &str) -> Result<PathBuf> {
    let folder = cache()?.join(format!("{package}-{version}"));
    let path = folder.join("bin").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    if version_of(&path).as_deref() != Some(version) {
        timed(&format!("installing {package} {version} ({duration})"), || {
            // Elsewhere than the workspace: its .cargo/config.toml and toolchain are not meant for tools.
            std::fs::create_dir_all(&folder)?;
            install(package, version, &folder, true).or_else(|error| {
                say(format!("{error:#}; trying again without its own lock file"));
                install(package, version, &folder, false)
            })
        })?;
    }
    Ok(path)
}

/// `locked`: with the versions of the package's own lock file. They are the ones its authors tested, but a registry
/// that keeps not everything may lack one of them.
fn install(package: &str, version: &str, folder: &Path, locked: bool) -> Result<()> {
    let mut install = cargo();
    install
        .current_dir(folder)
        .args(["install", "--force", package, "--version", version, "--root"])
        .arg(folder);
    if locked {
        install.arg("--locked");
    }
    // To a person cargo shows a bar; in a log it would be hundreds of lines.
    if !std::io::stderr().is_terminal() {
        install.arg("--quiet");
    }
    run(&mut install)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_say() {
        assert_eq!(version_in("trunk-0.22.0-beta.1\n"), Some("0.22.0-beta.1"));
        assert_eq!(version_in("trunk 0.21.14\n"), Some("0.21.14"));
        assert_eq!(version_in("wasm-bindgen 0.2.130\n"), Some("0.2.130"));
        assert_eq!(version_in("wasm-opt version 132 (version_132)\n"), Some("132"));
        assert_eq!(version_in("no version at all"), None);
        assert_eq!(minor_version("rustc 1.95.0 (59807616e 2026-04-14)"), Some(95));
    }

    #[test]
    fn only_the_trunks_that_read_our_configuration_are_used() {
        assert!(trunk_fits(TRUNK) && trunk_fits(TRUNK_FOR_OLDER_RUSTC) && trunk_fits("0.22.1"));
        assert!(!trunk_fits("0.20.3") && !trunk_fits("0.23.0") && !trunk_fits("0.21.1"));
    }
}
