//! `serve`: the page on this machine.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, ensure};

use crate::build;
use crate::process::{run as run_command, say};
use crate::server::Site;

/// How many ports after the wanted one are tried.
const MORE_PORTS: u16 = 20;

/// What can be chosen about serving.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The port on 127.0.0.1; when it is taken, the next free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build again and reload whenever a source file changes
    #[arg(long, conflicts_with_all = ["no_build", "base"])]
    watch: bool,
    /// Serve what is in dist/ already
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
    if options.watch {
        return watch(options);
    }
    let dist = crate::root().join("dist");
    if !options.no_build {
        build::page(options.dev)?;
    }
    ensure!(dist.join("index.html").is_file(), "dist/ holds no page yet: run `cargo xtask build`");
    ensure!(options.base.is_ascii(), "the base path has to be plain ASCII");
    let site = Site::start(&dist, &options.base, options.port, MORE_PORTS)?;
    say("serving dist/ until Ctrl-C at");
    println!("{}", site.url());
    site.wait();
    Ok(())
}

/// Trunk's own server, which watches the sources.
fn watch(options: &Options) -> Result<()> {
    let port = (options.port..=options.port.saturating_add(MORE_PORTS))
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .with_context(|| format!("port {} and the {MORE_PORTS} after it are taken", options.port))?;
    let mut trunk = build::trunk("serve", options.dev)?;
    trunk.args(["--address", "127.0.0.1", "--port", &port.to_string()]);
    say("building, then serving and watching until Ctrl-C at");
    println!("http://127.0.0.1:{port}/");
    run_command(&mut trunk)
}
