//! `serve`: the page on this machine.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Result, ensure};

use crate::build;
use crate::process::say;
use crate::server::{Place, Site};

/// The number of ports after the requested one that are tried.
const MORE_PORTS: u16 = 20;

/// The inputs of a build.
const WATCHED: [&str; 5] = ["index.html", "Cargo.toml", "src", "www", "crates"];

/// The interval at which the sources are checked.
const PERIOD: Duration = Duration::from_millis(500);

/// Options of serving.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The port on 127.0.0.1; if it is taken, the next free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build again whenever a source file changes; the page has no service worker then
    #[arg(long, conflicts_with = "no_build")]
    watch: bool,
    /// Serve the existing dist/
    #[arg(long)]
    no_build: bool,
    /// Serve below this path instead of at the root, as a project's pages on a shared host are
    #[arg(long, default_value = "/")]
    base: String,
    /// Build fast instead of small
    #[arg(long)]
    dev: bool,
}

/// Builds and serves the page.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.base.is_ascii(), "the base path has to be plain ASCII");
    if !options.no_build {
        build::page(options.dev)?;
    }
    let dist = build::dist();
    ensure!(dist.join("index.html").is_file(), "dist/ holds no page yet: run `cargo xtask build`");
    let place = Place { base: &options.base, port: options.port, more_ports: MORE_PORTS, ..Place::ANY };
    let site = Site::start(&dist, place)?;
    say("serving dist/ until Ctrl-C at");
    println!("{}", site.url());
    if options.watch {
        watch(options.dev)?;
    }
    site.wait();
    Ok(())
}

/// Builds the page again whenever a source changes.
fn watch(dev: bool) -> Result<()> {
    build::without_service_worker(&build::dist())?;
    let mut built = newest()?;
    loop {
        std::thread::sleep(PERIOD);
        let changed = newest()?;
        if changed <= built {
            continue;
        }
        built = changed;
        match build::page(dev).and_then(|()| build::without_service_worker(&build::dist())) {
            Ok(()) => say("built: reload the page"),
            // The next change may fix it.
            Err(error) => say(format!("error: {error:#}")),
        }
    }
}

/// The time at which a source was last changed.
fn newest() -> Result<SystemTime> {
    let root = crate::root();
    WATCHED.iter().try_fold(SystemTime::UNIX_EPOCH, |newest, name| Ok(newest.max(changed(&root.join(name))?)))
}

/// The time at which a file, or anything in a folder, was last changed.
fn changed(path: &Path) -> Result<SystemTime> {
    // An editor may remove a file for a moment.
    let Ok(metadata) = path.metadata() else { return Ok(SystemTime::UNIX_EPOCH) };
    let own = metadata.modified()?;
    // Separate sites and projects, with their own packages.
    let unused = ["www/examples", "crates/js/pkg", "crates/js/tests"];
    if !metadata.is_dir() || unused.iter().any(|unused| path.ends_with(unused)) {
        return Ok(own);
    }
    std::fs::read_dir(path)?.try_fold(own, |newest, entry| Ok(newest.max(changed(&entry?.path())?)))
}
