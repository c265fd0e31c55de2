//! Builds, serves and tests evalcheck. `cargo xtask help` lists the commands.
//!
//! Missing tools are installed into a separate folder in the user's cache and never into the system (the one exception is browsers for
//! the tests, on Debian and as root). Meanwhile a line shows what is being done and how long it takes.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod archives;
mod bench;
mod browser;
mod build;
mod corpora;
mod debian;
mod dist;
mod examples;
mod fuzz;
mod generate;
mod guard;
mod npm;
mod process;
mod python;
mod repairs;
mod screenshots;
mod serve;
mod server;
mod soak;
mod suite;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Text below the list of commands.
const FIRST_DAY: &str = "\
On the first day:
  cargo xtask serve                build the page and serve it; the last line says where
  cargo xtask serve --watch --dev  the same while you work on it: builds fast, and again on every change
  cargo xtask test                 everything that CI checks
  cargo xtask test --list          its steps; `--only STEP` runs one
  cargo xtask generate             after a change to a format or a rule

You need Rust by rustup and Node.js 20 or newer. Other tools are installed when they are first needed, into a folder of their
own in your cache. The browser tests need Chromium and, to run in it as well, Firefox.";

/// Builds, serves and tests evalcheck.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = FIRST_DAY)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing, build the page and serve it on 127.0.0.1
    Serve(serve::Options),
    /// Build the page into dist/, ready for any path of any static host
    Build(build::Options),
    /// Run every check: format, lints, tests, documentation, the page in a browser
    Test(suite::Options),
    /// Measure speed, memory and size against their bounds; writes target/bench/summary.json
    Bench(bench::Options),
    /// Compare instruction counts and compressed sizes with benches/bounds.json, or renew the bounds
    Guard(guard::Options),
    /// Run the fuzz targets: generated inputs against other readers, one tier against the other
    Fuzz(fuzz::Options),
    /// Spoil 20,000 valid datasets, repair them, and compare their records
    Repairs(repairs::Options),
    /// Run the checks on public test suites, which are fetched to target/corpora/
    Corpora,
    /// Drop a thousand datasets on the built page, and compare its memory with that after a hundred
    Soak(soak::Options),
    /// Write the files that are made from the engine's catalogue and the types: RULES.md, docs/rules, FORMATS.md, report.schema.json, types.d.ts, _generated.py
    Generate(generate::Options),
    /// Write the screenshots of README.md, from the page in dist/, which is built if it is missing
    Screenshots,
    /// Write sw.js and _headers of a built page again, after a file in its folder was changed by hand
    Seal {
        /// The folder of the built page
        folder: PathBuf,
    },
    /// Build the page for Trunk, which calls this after its own build: see Trunk.toml
    #[command(hide = true)]
    Trunk,
    /// Build the JavaScript API into crates/js/pkg/, as `npm run build` there does
    Js,
    /// Build the files of a release into target/dist/, as far as this machine can
    Dist(dist::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Serve(options) => serve::run(&options),
        Command::Build(options) => build::run(&options),
        Command::Test(options) => return suite::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Guard(options) => guard::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Repairs(options) => repairs::run(&options),
        Command::Corpora => corpora::run(),
        Command::Soak(options) => soak::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Screenshots => screenshots::run(),
        Command::Seal { folder } => build::seal(&folder),
        Command::Trunk => build::for_trunk(),
        Command::Js => build::javascript_api(true),
        Command::Dist(options) => dist::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace. Cargo's variable is read at run time, because several checkouts may share a target folder.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands in a document, on their own lines or in backquotes.
    fn commands(document: &str) -> Vec<String> {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        // In a workflow, a line is a step.
        let lines = text.lines().map(|line| line.trim_start().trim_start_matches("- run: "));
        let lines = lines.filter(|line| line.starts_with("cargo xtask "));
        let quoted =
            text.split('`').filter(|quoted| quoted.starts_with("cargo xtask ") && !quoted.contains('\n'));
        lines.chain(quoted).map(str::to_owned).collect()
    }

    #[test]
    fn the_commands_of_the_documentation_are_understood() {
        let workflows = [".github/workflows/release.yml", ".github/workflows/pages.yml"];
        for document in ["README.md", "CONTRIBUTING.md", "docs/hosting.md"].into_iter().chain(workflows) {
            let commands = commands(document);
            assert!(!commands.is_empty(), "{document} shows no command");
            for command in commands {
                let words = command.split_ascii_whitespace().skip(1);
                assert!(Arguments::try_parse_from(words).is_ok(), "{document}: {command}");
            }
        }
    }
}
