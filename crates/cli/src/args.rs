//! The arguments.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use evalcheck_engine::formats::{self, FORMATS, Format};
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
  evalcheck explain shape/missing-key
  evalcheck schema juryarena > juryarena.schema.json";

const CHECK_HELP: &str = "\
Text output has one line for each finding: `line N: PATH: MESSAGE` for an error, with `warning: ` or
`info: ` before MESSAGE otherwise, and one last line with the verdict. With several files each line
begins with the file as it was given.

JSON output is one report (report v1) for one file, and an array of reports for several.

Exit status:
  0  no error
  1  at least one error (with --strict: or warning); a broken archive and an empty file are errors
  2  a file could not be read, or the arguments are wrong; standard error says why";

const SCHEMA_HELP: &str = "\
The schema describes one record; for a format that is one JSON document, the whole file. It holds what is an
error of the record's shape. What spans records, the text itself and archives is not in it: use `check`.";

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
    /// Write the shape of a format's records as JSON Schema (draft 7)
    Schema(Schema),
}

#[derive(Debug, clap::Args)]
#[command(after_help = SCHEMA_HELP)]
pub(crate) struct Schema {
    /// The format
    #[arg(value_parser = PossibleValuesParser::new(ids()))]
    pub(crate) format: String,

    /// The version of the format; without it the usual one
    #[arg(long, value_name = "V")]
    pub(crate) version: Option<String>,
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

    /// The version of the format, where it has several; without it the content decides
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,

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
            version: self.format_version.clone(),
            max_findings_per_code: self.max_findings,
        }
    }
}

impl Args {
    /// The arguments of this process. What is wrong with them is told on standard error, and the process ends.
    pub(crate) fn of_process() -> Self {
        let args = Self::parse();
        if let Err(why) = args.versions_exist() {
            Self::command().error(ErrorKind::InvalidValue, why).exit();
        }
        args
    }

    /// A version is one of the format that is asked for.
    fn versions_exist(&self) -> Result<(), String> {
        let (Command::Check(Check { format, format_version: Some(version), .. })
        | Command::Schema(Schema { format, version: Some(version) })) = &self.command
        else {
            return Ok(());
        };
        match formats::by_id(format).map(Format::versions) {
            None => Err("a version needs a format: give --format too".to_owned()),
            Some(versions) if versions.is_empty() => Err(format!("{format} has no versions")),
            Some(versions) if !versions.contains(&version.as_str()) => {
                Err(format!("{format} has no version {version}; it has {}", versions.join(", ")))
            }
            Some(_) => Ok(()),
        }
    }
}

/// The formats of the catalogue.
fn ids() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.id)
}

/// `auto` and the formats of the catalogue.
fn format_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(AUTO).chain(ids()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(args: &[&str]) -> Option<String> {
        let args = Args::try_parse_from([&["evalcheck"], args].concat()).unwrap();
        args.versions_exist().err()
    }

    #[test]
    fn the_arguments_are_declared_soundly() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_version_is_one_of_the_format() {
        assert_eq!(refusal(&["check", "a.jsonl"]), None);
        assert!(refusal(&["check", "a.jsonl", "--format-version", "1"]).unwrap().contains("give --format"));
        for format in FORMATS {
            let versions = format.versions();
            for version in &versions {
                assert_eq!(
                    refusal(&["check", "a", "--format", format.id, "--format-version", version]),
                    None
                );
                assert_eq!(refusal(&["schema", format.id, "--version", version]), None);
            }
            let why = refusal(&["schema", format.id, "--version", "no such"]).unwrap();
            assert!(versions.iter().all(|version| why.contains(version)), "{why}");
        }
    }
}
