//! `soak`: a thousand drops on the built page, after which it must use no more memory than after a hundred.

use anyhow::{Result, ensure};

use crate::process::run as run_command;
use crate::server::{Place, Site};
use crate::{browser, build, npm};

/// Options of a soak.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many datasets are dropped
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(20..))]
    drops: u32,
}

/// Runs `tests/browser/soak.spec.ts` on the page in dist/, and prints its measurements.
pub(crate) fn run(options: &Options) -> Result<()> {
    let dist = build::dist();
    ensure!(dist.join("index.html").is_file(), "dist/ holds no page: run `cargo xtask build` before");
    let folder = crate::root().join("tests").join("browser");
    npm::install_locked(&folder)?;
    let chromium = browser::chromium()?;
    let site = Site::start(&dist, Place::ANY)?;
    run_command(
        npm::node()?
            .arg(folder.join("node_modules").join("@playwright").join("test").join("cli.js"))
            .args(["test", "soak.spec.ts", "--global-timeout=0"])
            .current_dir(&folder)
            .env(browser::VARIABLE, chromium)
            .env("EVALCHECK_URL", site.url())
            .env("EVALCHECK_DROPS", options.drops.to_string()),
    )
}
