//! The arguments.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use evalcheck_wire::worker::CheckOptions;

/// The name that lets the content decide.
const AUTO: &str = "auto";

/// Checks evaluation datasets for language models (JSONL, ZIP) and names every line that fails.
///
/// Nothing leaves this machine.
#[derive(Debug, Parser)]
#[command(name = "evalcheck", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  evalcheck check samples.jsonl
  evalcheck check --format juryarena --strict dataset.zip
  evalcheck check --output json *.jsonl > reports.json
  generate-samples | evalcheck check -
  evalcheck explain shape/missing-key";

const CHECK_HELP: &str = "\
Text output has one line for each finding: `line N: PATH: MESSAGE` for an error, with `warning: ` or
`info: ` before MESSAGE otherwise, and one last line with the verdict. With several files each line
begins with the file as it was given.

JSON output is one report (report v1) for one file, and an array of reports for several.

Exit status:
  0  no error
  1  at least one error (with --strict: or warning); a broken archive and an empty file are errors
  2  a file could not be read, or the arguments are wrong; standard error says why";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check files and list every finding
    Check(Check),
    /// List the formats that files can be checked against
    Formats,
    /// Say what a rule means, with an example; without a code, list all rules
    Explain {
        /// The code of a finding, such as `shape/missing-key`
        code: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// Files to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The format to check against; `auto` goes by the content
    #[arg(long, default_value = AUTO, value_parser = format_ids())]
    pub(crate) format: String,

    /// How to write the result
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub(crate) output: Output,

    /// Let warnings fail the check too
    #[arg(long)]
    pub(crate) strict: bool,

    /// List at most N findings for each code; counts stay exact
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// A line for each finding
    Text,
    /// Report v1
    Json,
}

impl Check {
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            format: (self.format != AUTO).then(|| self.format.clone()),
            max_findings_per_code: self.max_findings,
            ..CheckOptions::default()
        }
    }
}

/// `auto` and the formats of the catalogue.
fn format_ids() -> PossibleValuesParser {
    let ids = evalcheck_engine::job::catalogue().formats.into_iter().map(|format| format.id);
    PossibleValuesParser::new(std::iter::once(AUTO.to_owned()).chain(ids))
}
