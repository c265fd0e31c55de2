//! `repairs`: spoils and repairs more datasets than the tests do.

use anyhow::Result;

use crate::process::{TESTED, cargo, run as show};

/// The variable with the number of files, for the test.
const FILES_VARIABLE: &str = "EVALCHECK_REPAIRS";

/// The variable with the seed of the only file, for the test.
const SEED_VARIABLE: &str = "EVALCHECK_REPAIRS_SEED";

/// Options of a run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many datasets are made
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    files: u64,
    /// Only the one that a failure names
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

/// Runs `crates/engine/tests/it/repairs.rs`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut command = cargo();
    command.arg("test").args(TESTED).args(["--test", "it", "repairs::", "--", "--nocapture"]);
    command.env(FILES_VARIABLE, options.files.to_string());
    if let Some(seed) = options.seed {
        command.env(SEED_VARIABLE, seed.to_string());
    }
    show(&mut command)
}
