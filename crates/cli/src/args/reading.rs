//! Which datasets are read, and how.

use std::path::PathBuf;

use evalcheck_wire::options::CheckOptions;

use super::options::Given;
use crate::settings::Settings;

/// Which datasets are read.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Files {
    /// Datasets, folders with datasets, and patterns such as `'data/**/*.jsonl'`; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,

    /// Of folders and patterns: not the files that match this pattern, written as in a `.gitignore`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,

    /// Open no links: not those in folders, and no relative path that goes through one
    #[arg(long)]
    pub(crate) no_follow: bool,

    /// Name the files of folders that are skipped, because they are something else than datasets
    #[arg(long)]
    pub(crate) skipped: bool,
}

impl Files {
    /// One file.
    pub(crate) fn one(file: PathBuf) -> Self {
        Self { paths: vec![file], ..Self::default() }
    }
}

/// How a dataset is read.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) options: Given,

    /// The configuration of all files [default: the nearest evalcheck.toml or pyproject.toml of each file]
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long)]
    pub(crate) isolated: bool,

    /// The name of what is read from standard input (`-`): in the findings, for its configuration, and where the extension counts
    #[arg(long, value_name = "FILE")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

impl Reading {
    /// A check without a limit.
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions { max_findings_per_code: None, all: false, ..self.options.check() }
    }

    /// The same with the options of a configuration, where the arguments have none.
    pub(crate) fn with(&self, settings: &Settings) -> Self {
        Self { options: Given(self.options.0.clone().or(&settings.options)), ..self.clone() }
    }
}
