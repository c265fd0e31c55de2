//! The arguments.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_wire::report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;

/// The value of `--format` that detects the format from the content.
const AUTO: &str = "auto";

/// Checks evaluation datasets for language models and reports every invalid line.
///
/// Files are JSONL, JSON, CSV, or ZIP archives with attachments. The content decides the format.
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
  evalcheck fix --diff samples.jsonl
  evalcheck fix --in-place samples.jsonl
  generate-samples | evalcheck check -
  evalcheck explain shape/missing-key
  evalcheck schema juryarena > juryarena.schema.json";

const CHECK_HELP: &str = "\
Text output has a line for each finding and a last line with the verdict. A finding is written as
`line N: PATH: MESSAGE`; warnings and infos have `warning: ` or `info: ` before MESSAGE. With several
files, these lines begin with the name of the file. Below a finding, indented lines say more: on a
terminal the place in the file (of the first 200 findings of a file), other places that belong to it
(`  note: ...`), and what to do (`  help: ...`).

Short output is the same without the indented lines: one line for each finding, also on a terminal.

JSON output is one report (report v1) for one file, and an array of reports for several files. It lists the
first 10,000 findings of each rule, unless --max-findings or --all says otherwise, and then says `truncated`.

JSONL output has a line {\"file\": ..., \"finding\": ...} for each finding, as they come, and for each file a
last line {\"file\": ..., \"report\": ...} whose list of findings is empty.

All outputs but JSON need the same memory however many findings there are. Beyond 10,000 of them they are listed
as they come: those that are made at the end of the dataset come last, whatever their line.

Some findings follow from one mistake outside of the records: the header states another number of samples than
every line has, or a ZIP has its attachments in another folder than every record says. Of these the first is
listed; correcting that mistake corrects all of them. The others are counted, and --all lists them too.

Exit status:
  0  no errors
  1  at least one error, or with --strict a warning, or with --fail-on loss something that the system loses
     when it loads the dataset; a broken archive or an empty file is an error
  2  a file cannot be read, or the arguments are wrong; the reason is on standard error";

const FIX_HELP: &str = "\
A fix changes the few bytes that a finding is about; the rest of the file stays as it is, byte for byte. A fix is
safe where the bytes can be read in one way only, and nothing is invented, moved or lost. Others guess or lose
something: they are applied with --unsafe, and `check --output json` says of each what it does.

The file itself is not touched, unless --in-place is given: then it is replaced at once, when the new
one is complete. What could not be fixed is listed on standard error as `check` lists it: the first 10,000
findings, or all of them with --all, which keeps them in memory.

Exit status:
  0  the fixed dataset has no errors
  1  errors are left; with --drop-invalid only such as are no single record's
  2  a file cannot be read or written, or the arguments are wrong";

const LOADED_HELP: &str = "\
Each record is a line of JSON: {\"file\": ..., \"line\": ..., \"state\": ..., \"record\": ..., \"changes\": [...]}.
The state is `held`; `dropped` where the system loads the dataset without the record; or `refused` where the record
has errors, or the header has one because of which the system refuses the dataset. Of what is held, `changes` says what was added, changed or removed, where and why. The verdict is on
standard error.

Exit status: as of `check`.";

const SCHEMA_HELP: &str = "\
The schema describes one record, or the whole file for a format that is one JSON document. It covers the
types and required keys of records. It does not cover text, archives and rules about several records: use `check`
for these.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check files and list all findings
    Check(Check),
    /// Apply the fixes of findings, and write the fixed dataset
    Fix(Fix),
    /// Show the records as the system holds them once the dataset is loaded
    Loaded(Loaded),
    /// List the known formats
    Formats,
    /// Explain a rule with an example, or list all rules
    Explain {
        /// The code of a finding, such as `shape/missing-key`
        code: Option<String>,
        /// Show the example for this format
        #[arg(long, value_parser = PossibleValuesParser::new(ids()))]
        format: Option<String>,
    },
    /// Write the JSON Schema (draft 7) of a format's records
    Schema(Schema),
}

#[derive(Debug, clap::Args)]
#[command(after_help = LOADED_HELP)]
pub(crate) struct Loaded {
    /// The datasets: JSONL, JSON, CSV or ZIP; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The format; `auto` detects it from the content
    #[arg(long, default_value = AUTO, value_parser = format_ids())]
    pub(crate) format: String,

    /// The version of the format [default: detected from the content]
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,
}

impl Loaded {
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            format: (self.format != AUTO).then(|| self.format.clone()),
            version: self.format_version.clone(),
            ..CheckOptions::default()
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = SCHEMA_HELP)]
pub(crate) struct Schema {
    /// The format
    #[arg(value_parser = PossibleValuesParser::new(ids()))]
    pub(crate) format: String,

    /// The version of the format [default: the usual one]
    #[arg(long, value_name = "V")]
    pub(crate) version: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// Files to check: JSONL, JSON, CSV or ZIP; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The format; `auto` detects it from the content
    #[arg(long, default_value = AUTO, value_parser = format_ids())]
    pub(crate) format: String,

    /// The version of the format [default: detected from the content]
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub(crate) output: Output,

    /// Treat warnings as errors in the exit status
    #[arg(long)]
    pub(crate) strict: bool,

    /// What fails the check beside errors
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Error)]
    pub(crate) fail_on: FailOn,

    /// List at most N findings of each rule; counts stay exact [default: no limit, and 10000 in JSON]
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,

    /// List every finding, those too that follow from the same mistake as another; without a limit
    #[arg(long, conflicts_with = "max_findings")]
    pub(crate) all: bool,
}

/// What fails a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// Errors only
    Error,
    /// Warnings too, as with --strict
    Warning,
    /// Lines, values and keys too that the system loses when it loads the dataset
    Loss,
}

impl Check {
    /// True for a finding that fails the check.
    pub(crate) fn fails(&self, finding: &Finding) -> bool {
        match finding.severity {
            Severity::Error => true,
            Severity::Warning if self.strict || self.fail_on == FailOn::Warning => true,
            _ => self.fail_on == FailOn::Loss && finding.loss.is_some(),
        }
    }

    /// True for a report that fails the check.
    pub(crate) fn fails_report(&self, report: &Report) -> bool {
        let warns = self.strict || self.fail_on == FailOn::Warning;
        !report.valid
            || (warns && report.counts.warnings > 0)
            || (self.fail_on == FailOn::Loss && !report.counts.loss.is_empty())
    }
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = FIX_HELP)]
pub(crate) struct Fix {
    /// The file to fix: JSONL, JSON, CSV or ZIP; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Write the fixed dataset here [default: standard output]
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["in_place", "diff"])]
    pub(crate) output: Option<PathBuf>,

    /// Replace the file by the fixed dataset
    #[arg(long, conflicts_with = "diff")]
    pub(crate) in_place: bool,

    /// Write what would change as a unified diff, and no dataset
    #[arg(long)]
    pub(crate) diff: bool,

    /// Apply fixes that lose or guess something too
    #[arg(long = "unsafe")]
    pub(crate) not_safe: bool,

    /// Only fixes of this rule or category, such as `json` or `json/comment` (may be repeated)
    #[arg(long, value_name = "CODE")]
    pub(crate) select: Vec<String>,

    /// No fixes of this rule or category (may be repeated)
    #[arg(long, value_name = "CODE")]
    pub(crate) ignore: Vec<String>,

    /// List everything that could not be fixed, not only the first 10000 findings
    #[arg(long)]
    pub(crate) all: bool,

    /// Leave out the records that are still invalid
    #[arg(long)]
    pub(crate) drop_invalid: bool,

    /// Write the records that are still invalid here, each with its findings, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// The format; `auto` detects it from the content
    #[arg(long, default_value = AUTO, value_parser = format_ids())]
    pub(crate) format: String,

    /// The version of the format [default: detected from the content]
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,
}

impl Fix {
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            format: (self.format != AUTO).then(|| self.format.clone()),
            version: self.format_version.clone(),
            // Each has its own fix.
            all: true,
            ..CheckOptions::default()
        }
    }
}

/// The most findings of each rule in a report, unless the arguments say otherwise: a report is built in memory.
const MAX_IN_REPORT: u64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Each finding with its hint; on a terminal also with the line and the place in it
    Text,
    /// One line for each finding
    Short,
    /// JSON, report v1
    Json,
    /// JSON lines: a finding on each as they come, and a last one with the report
    Jsonl,
}

impl Output {
    /// True when findings are shown as they come, so that none are kept.
    pub(crate) fn streams(self) -> bool {
        self != Self::Json
    }
}

impl Check {
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            format: (self.format != AUTO).then(|| self.format.clone()),
            version: self.format_version.clone(),
            max_findings_per_code: self.max_findings.or((!self.output.streams()).then_some(MAX_IN_REPORT)),
            all: self.all,
        }
    }
}

impl Args {
    /// Reads the arguments of this process. Ends the process with a message when they are wrong.
    pub(crate) fn from_process() -> Self {
        let args = Self::parse();
        if let Err(why) = args.check_version() {
            Self::command().error(ErrorKind::InvalidValue, why).exit();
        }
        args
    }

    /// Fails when the requested format does not have the requested version.
    fn check_version(&self) -> Result<(), String> {
        let (Command::Check(Check { format, format_version: Some(version), .. })
        | Command::Fix(Fix { format, format_version: Some(version), .. })
        | Command::Loaded(Loaded { format, format_version: Some(version), .. })
        | Command::Schema(Schema { format, version: Some(version) })) = &self.command
        else {
            return Ok(());
        };
        match formats::by_id(format).map(Format::versions) {
            None => Err("a version needs a format: add --format".to_owned()),
            Some(versions) if versions.is_empty() => Err(format!("{format} has no versions")),
            Some(versions) if !versions.contains(&version.as_str()) => {
                Err(format!("{format} has no version {version}; it has {}", versions.join(", ")))
            }
            Some(_) => Ok(()),
        }
    }
}

/// The ids of all formats.
fn ids() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.id)
}

/// `auto` and the ids of all formats.
fn format_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(AUTO).chain(ids()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version_error(args: &[&str]) -> Option<String> {
        let args = Args::try_parse_from([&["evalcheck"], args].concat()).unwrap();
        args.check_version().err()
    }

    #[test]
    fn the_declaration_is_valid() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_version_must_be_one_of_the_format() {
        assert_eq!(version_error(&["check", "a.jsonl"]), None);
        assert!(
            version_error(&["check", "a.jsonl", "--format-version", "1"]).unwrap().contains("add --format")
        );
        for format in FORMATS {
            let versions = format.versions();
            for version in &versions {
                assert_eq!(
                    version_error(&["check", "a", "--format", format.id, "--format-version", version]),
                    None
                );
                assert_eq!(version_error(&["schema", format.id, "--version", version]), None);
            }
            let why = version_error(&["schema", format.id, "--version", "no such"]).unwrap();
            assert!(versions.iter().all(|version| why.contains(version)), "{why}");
        }
    }
}
