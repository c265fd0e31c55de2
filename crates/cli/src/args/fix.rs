//! The arguments of `fix`.

use std::path::PathBuf;

use evalcheck_wire::worker::CheckOptions;

use super::check::{Caps, Check, Rules};
use super::help::FIX_HELP;
use super::reading::{Files, Reading};
use crate::settings::Settings;

#[derive(Debug, Clone, clap::Args)]
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

    #[command(flatten)]
    pub(crate) rules: Rules,

    #[command(flatten)]
    pub(crate) caps: Caps,

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
        Self {
            files: check.files.clone(),
            output: None,
            overwrite: false,
            in_place: false,
            diff: true,
            not_safe: check.not_safe,
            rules: check.rules.clone(),
            caps: check.caps.clone(),
            drop_invalid: false,
            rejects: None,
            reading: check.reading.clone(),
        }
    }

    /// The same with the options of a configuration, where the arguments have none.
    pub(crate) fn with(&self, settings: &Settings) -> Self {
        let mut fix = self.clone();
        fix.reading = self.reading.with(settings);
        fix.rules = self.rules.with(settings);
        fix.caps = self.caps.with(settings);
        fix
    }

    /// How what is left is checked.
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            max_findings_per_code: self.caps.max_findings,
            all: self.caps.all,
            ..self.reading.check_options()
        }
    }
}
