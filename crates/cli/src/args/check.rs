//! The arguments of `check`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use evalcheck_wire::options::{CheckOptions, Options};

use clap::builder::PossibleValuesParser;

use super::help::CHECK_HELP;
use super::output::{self, Output};
use super::reading::{Files, Reading};
use crate::known;
use crate::rules::Policy;
use crate::settings::{FailOn, Settings};

/// The value of `--for` for all formats that the content may mean.
pub(crate) const ALL: &str = "all";

#[derive(Debug, Clone, Default, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Check for several formats, or for `all` that the content may mean: one line each first, then the findings of each
    #[arg(
        long = "for",
        value_name = "FORMATS",
        value_delimiter = ',',
        value_parser = systems(),
        conflicts_with_all = ["format", "format_version", "filter", "fixes", "baseline", "write_baseline", "state", "sort_ids_in"],
    )]
    pub(crate) systems: Vec<String>,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub(crate) output: Output,

    /// Write another output to a file too, such as `sarif=report.sarif`; may be repeated
    #[arg(long = "output-file", value_name = "FORM=FILE", value_parser = output::output_file)]
    pub(crate) output_files: Vec<(Output, PathBuf)>,

    /// With --output html: leave out whatever the dataset says; keys and line numbers stay
    #[arg(long)]
    pub(crate) without_data: bool,

    /// End the text with the number of findings of each rule
    #[arg(long)]
    pub(crate) statistics: bool,

    /// Only findings that match a query, in the language of `find`
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true, conflicts_with = "fix")]
    pub(crate) filter: Option<String>,

    /// Apply the safe fixes first, and replace the files
    #[arg(long, group = "fixes")]
    pub(crate) fix: bool,

    /// Write what --fix would change as a unified diff, as `fix --diff` does
    #[arg(long, group = "fixes", conflicts_with_all = ["filter", "baseline", "watch", "state"])]
    pub(crate) diff: bool,

    /// With --fix or --diff: apply fixes that lose or guess something too
    #[arg(long = "unsafe", requires = "fixes")]
    pub(crate) not_safe: bool,

    /// Treat warnings as errors in the exit status
    #[arg(long)]
    pub(crate) strict: bool,

    /// The findings that fail the check [default: error]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) fail_on: Option<FailOn>,

    /// Only findings that this file does not have; see --write-baseline
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to the baseline, so that later checks list only new ones
    #[arg(long, conflicts_with = "filter")]
    pub(crate) write_baseline: bool,

    /// Check again whenever a file changes, until it is interrupted
    #[arg(long, conflicts_with = "fix")]
    pub(crate) watch: bool,

    /// Threads that read a large JSONL file; the report is the same [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,

    /// Keep here what is known of a JSONL file that grows, so that later checks read only what was added
    #[arg(long, value_name = "STATE", conflicts_with_all = ["filter", "fix"])]
    pub(crate) state: Option<PathBuf>,

    /// Sort the ids of a JSONL file in this folder, instead of keeping them in memory, where each takes 24 to 48 bytes; the file is read
    /// twice
    #[arg(long, value_name = "FOLDER")]
    pub(crate) sort_ids_in: Option<PathBuf>,
}

/// The values of `--for`.
fn systems() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(ALL).chain(known::ids()))
}

impl Check {
    /// A check of one file with this output, and otherwise as it is without arguments.
    pub(crate) fn of(file: PathBuf, reading: Reading, output: Output) -> Self {
        Self { files: Files::one(file), reading, output, ..Self::default() }
    }

    /// The same with the options of a configuration, where the arguments have none.
    pub(crate) fn with(&self, settings: &Settings) -> Self {
        Self {
            reading: self.reading.with(settings),
            fail_on: self.fail_on.or(settings.fail_on),
            baseline: self.baseline.clone().or_else(|| settings.baseline.clone()),
            ..self.clone()
        }
    }

    /// The policy for the findings of a file.
    pub(crate) fn policy(&self, settings: &Settings) -> Policy {
        let mut policy = Policy::new(self.reading.options.fixes(true), settings);
        policy.fails_on_warnings = self.strict || self.fail_on == Some(FailOn::Warning);
        policy.fails_on_loss = self.fail_on == Some(FailOn::Loss);
        policy.never_fails = self.fail_on == Some(FailOn::Never);
        policy
    }
}

/// The most findings of each rule in an output that is held in memory, unless the arguments say otherwise.
pub(super) const MAX_IN_MEMORY: u64 = 10_000;

/// The most findings of each rule that are listed in an output that is held in memory; `None` for no limit.
pub(crate) fn in_memory(options: &Options) -> Option<u64> {
    if options.all { None } else { Some(options.max_findings.unwrap_or(MAX_IN_MEMORY)) }
}

impl Check {
    /// The most findings of each rule that are listed; `None` for no limit.
    pub(crate) fn most_findings(&self) -> Option<u64> {
        let options = &self.reading.options;
        if self.streams() { options.max_findings } else { in_memory(options) }
    }

    /// The files that are written.
    pub(crate) fn written(&self) -> Vec<&Path> {
        let outputs = self.output_files.iter().map(|(_, path)| path);
        outputs.chain(&self.state).chain(&self.baseline).map(PathBuf::as_path).collect()
    }

    /// The outputs that are asked for.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Output> {
        std::iter::once(self.output).chain(self.output_files.iter().map(|(output, _)| *output))
    }

    /// True when an output shows findings as they come.
    pub(crate) fn streams(&self) -> bool {
        self.outputs().any(Output::streams)
    }

    /// How a file is checked. A filter and a baseline have to see all findings.
    pub(crate) fn check_options(&self) -> CheckOptions {
        let needs_all = self.filter.is_some() || self.baseline.is_some();
        CheckOptions {
            max_findings_per_code: self.most_findings().filter(|_| !needs_all),
            all: self.reading.options.all || needs_all,
            ..self.reading.options.check()
        }
    }
}
