//! Debian packages, which are installed if that needs no permission.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::{output, run, timed};

/// Installs a package; returns false if there is no `apt-get` that may be used.
pub(crate) fn install(package: &str) -> Result<bool> {
    let Some(apt) = apt() else { return Ok(false) };
    let apt_get = || {
        let mut command = Command::new(&apt);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    timed(&format!("installing {package} for the tests (apt-get, a minute or two, once)"), || {
        run(apt_get().args(["update", "-qq"]))?;
        run(apt_get().args(["install", "-y", "-qq", "--no-install-recommends", package]))
    })?;
    Ok(true)
}

/// `apt-get`, if it exists and may be used.
fn apt() -> Option<PathBuf> {
    let root =
        cfg!(target_os = "linux") && output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root.then(|| which::which("apt-get").ok()).flatten()
}
