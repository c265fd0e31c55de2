//! Node.js, and packages from npm.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::run;

/// npm, by its full path: on Windows it is a script that cannot be started otherwise.
fn npm() -> Result<Command> {
    Ok(Command::new(which::which("npm").context("there is no npm (install Node.js 20 or newer)")?))
}

/// Node.js.
pub(crate) fn node() -> Result<Command> {
    Ok(Command::new(which::which("node").context("there is no Node.js (install Node.js 20 or newer)")?))
}

/// Packs the package in `package`, which its `prepack` builds, into a tarball in `folder`.
pub(crate) fn pack(package: &Path, folder: &Path) -> Result<()> {
    run(npm()?
        .args(["pack", "--loglevel=error", "--pack-destination"])
        .arg(folder)
        .current_dir(package)
        // Its output would be mistaken for that of this command.
        .stdout(std::process::Stdio::null()))
}

/// Installs one package, with its version, into `folder`.
pub(crate) fn install_package(folder: &Path, package: &str) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    run(npm()?
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
        .arg(folder)
        .arg(package))
}

/// Installs the packages of the lock file in `folder`, unless that has been done.
pub(crate) fn install_locked(folder: &Path) -> Result<()> {
    let lock = std::fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    let stamp = folder.join("node_modules").join(".installed-from-lock");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(npm()?
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(folder)
        // Tests use the installed browser.
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))?;
    std::fs::write(stamp, lock).context("cannot note that the packages are installed")
}
