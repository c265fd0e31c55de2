//! The browsers of the tests. On Debian, as root, they are installed if they are missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::debian::install;
use crate::process::output;

/// Names on the path.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// The variable with the path of the Chromium or Chrome to use, instead of the one that is found.
pub(crate) const VARIABLE: &str = "EVALCHECK_CHROMIUM";

/// The variable with the path of the Firefox to use.
pub(crate) const FIREFOX_VARIABLE: &str = "EVALCHECK_FIREFOX";

/// Firefox; installs it if that needs no permission. `None` if there is none.
pub(crate) fn firefox() -> Option<PathBuf> {
    let find = || {
        let named = std::env::var_os(FIREFOX_VARIABLE).map(PathBuf::from);
        let on_path = ["firefox-esr", "firefox"].into_iter().filter_map(|name| which::which(name).ok());
        let of_macos = PathBuf::from("/Applications/Firefox.app/Contents/MacOS/firefox");
        named.into_iter().chain(on_path).chain([of_macos]).find(|path| path.is_file() && works(path))
    };
    // If the package has another name, the installation fails, and the tests run without Firefox.
    find().or_else(|| install("firefox-esr").is_ok_and(|installed| installed).then(find).flatten())
}

/// Chromium or Chrome; installs Chromium if that needs no permission.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return works(&path)
            .then(|| path.clone())
            .with_context(|| format!("{VARIABLE}: {} does not start", path.display()));
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    if install("chromium")?
        && let Some(found) = find()
    {
        return Ok(found);
    }
    bail!("the tests need a browser: install Chromium or Google Chrome, or set {VARIABLE} to its path");
}

fn find() -> Option<PathBuf> {
    let on_path = NAMES.iter().filter_map(|name| which::which(name).ok());
    on_path.chain(usual_places()).find(|path| works(path))
}

/// The places where installers put it without adding it to the path.
fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    if cfg!(target_os = "macos") {
        let applications = [
            Some(PathBuf::from("/Applications")),
            std::env::home_dir().map(|home| home.join("Applications")),
        ];
        for folder in applications.into_iter().flatten() {
            places.push(folder.join("Google Chrome.app/Contents/MacOS/Google Chrome"));
            places.push(folder.join("Chromium.app/Contents/MacOS/Chromium"));
        }
    } else if cfg!(windows) {
        for variable in ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"] {
            if let Some(folder) = std::env::var_os(variable).map(PathBuf::from) {
                places.push(folder.join(r"Google\Chrome\Application\chrome.exe"));
                places.push(folder.join(r"Chromium\Application\chrome.exe"));
            }
        }
    }
    places
}

/// Whether it starts: on some systems, `chromium` is a script that only prints how to install it.
fn works(path: &Path) -> bool {
    // On Windows, asking for the version opens a window instead.
    if cfg!(windows) { path.is_file() } else { output(Command::new(path).arg("--version")).is_ok() }
}
