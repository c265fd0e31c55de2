//! Which datasets are read, and how.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use encoding_rs::Encoding;
use evalcheck_wire::worker::CheckOptions;

use crate::encoding;
use crate::known::{AUTO, formats};
use crate::settings::Settings;

/// Which datasets are read.
#[derive(Debug, Clone, clap::Args)]
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
        Self { paths: vec![file], exclude: Vec::new(), no_follow: false, skipped: false }
    }
}

/// How a dataset is read.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Reading {
    /// The format; `auto` detects it from the content [default: auto]
    #[arg(long, value_parser = format_ids())]
    pub(crate) format: Option<String>,

    /// The version of the format [default: detected from the content]
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,

    /// The encoding of the dataset, such as `shift_jis` [default: utf-8]; `check` and `loaded` read it
    /// as that, `fix` writes it as UTF-8
    #[arg(long, value_name = "NAME", value_parser = encoding::parse)]
    pub(crate) encoding: Option<&'static Encoding>,

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
    /// A check for the format that is asked for, without a limit.
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            format: self.format.clone().filter(|format| format != AUTO),
            version: self.format_version.clone(),
            ..CheckOptions::default()
        }
    }

    /// The same with the options of a configuration, where the arguments have none. A version belongs to the format that is named with it.
    pub(crate) fn with(&self, settings: &Settings) -> Self {
        let mut reading = self.clone();
        if reading.format.is_none() {
            reading.format.clone_from(&settings.format);
            reading.format_version = reading.format_version.or_else(|| settings.format_version.clone());
        }
        reading
    }
}

fn format_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(formats())
}
