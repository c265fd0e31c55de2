//! `screenshots`: the pictures of README.md in `docs/screenshots/`.

use anyhow::Result;

use crate::process::run as run_command;
use crate::server::{Place, Site};
use crate::{browser, build, npm};

/// Takes the screenshots with the browser and the Playwright of the tests.
pub(crate) fn run() -> Result<()> {
    let dist = build::dist();
    if !dist.join("index.html").is_file() {
        build::page(false)?;
    }
    let folder = crate::root().join("tests").join("browser");
    npm::install_locked(&folder)?;
    let chromium = browser::chromium()?;
    let site = Site::start(&dist, Place::ANY)?;
    run_command(
        npm::node()?
            .arg("screenshots.mjs")
            .current_dir(&folder)
            .env(browser::VARIABLE, chromium)
            .env("EVALCHECK_URL", site.url()),
    )
}
