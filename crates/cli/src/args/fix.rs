//! The arguments of `fix`.

use std::path::PathBuf;

use super::check::Check;
use super::help::FIX_HELP;
use super::reading::{Files, Reading};
use crate::settings::Settings;

#[derive(Debug, Clone, Default, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = FIX_HELP)]
pub(crate) struct Fix {
    #[command(flatten)]
    pub(crate) files: Files,

    /// Write the fixed dataset here [default: standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["in_place", "diff"])]
    pub(crate) output: Option<PathBuf>,

    /// With --output: replace another dataset
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,

    /// Replace the file by the fixed dataset
    #[arg(long, conflicts_with = "diff")]
    pub(crate) in_place: bool,

    /// Write what would change as a unified diff, and no dataset
    #[arg(long)]
    pub(crate) diff: bool,

    /// Apply fixes that lose or guess something too
    #[arg(long = "unsafe")]
    pub(crate) not_safe: bool,

    /// Leave out the records that are still invalid
    #[arg(long)]
    pub(crate) drop_invalid: bool,

    /// Write the records that are still invalid here, each with its findings, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Fix {
    /// The options of `check --diff`, as those of `fix`.
    pub(crate) fn diff_of(check: &Check) -> Self {
        let (files, reading) = (check.files.clone(), check.reading.clone());
        Self { files, reading, diff: true, not_safe: check.not_safe, ..Self::default() }
    }

    /// The same with the options of a configuration, where the arguments have none.
    pub(crate) fn with(&self, settings: &Settings) -> Self {
        Self { reading: self.reading.with(settings), ..self.clone() }
    }
}
