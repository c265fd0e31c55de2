//! Python, and packages from `PyPI`, in separate environments.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{output, timed};
use crate::tools;

/// The Python of the system; `None` if there is none.
pub(crate) fn system() -> Option<PathBuf> {
    ["python3", "python"].iter().find_map(|name| which::which(name).ok())
}

/// The Python of an environment in our cache with the packages of a requirements file, which lists all of them: nothing else is
/// installed. `what` describes them in the message during the installation.
pub(crate) fn environment(name: &str, requirements: &Path, what: &str) -> Result<PathBuf> {
    let wanted =
        std::fs::read(requirements).with_context(|| format!("there is no {}", requirements.display()))?;
    let environment = tools::cache()?.join(name);
    let python = environment.join(if cfg!(windows) { "Scripts" } else { "bin" }).join("python");
    let stamp = environment.join(".installed");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) && python.exists() {
        return Ok(python);
    }
    let system = system().context("there is no Python")?;
    timed(&format!("installing {what} for Python (once)"), || {
        output(Command::new(system).args(["-m", "venv", "--clear"]).arg(&environment))?;
        output(
            Command::new(&python)
                .args(["-m", "pip", "install", "--quiet", "--no-deps", "--requirement"])
                .arg(requirements),
        )
    })?;
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}
