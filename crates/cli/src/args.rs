//! The arguments.

mod help;
mod output;

use std::ffi::OsString;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use encoding_rs::Encoding;
use evalcheck_engine::fix::Selection;
use evalcheck_engine::formats::{self, FORMATS, Format};
use evalcheck_engine::rules;
use evalcheck_engine::suggest::nearest;
use evalcheck_wire::report::{Counts, Finding, Severity};
use evalcheck_wire::worker::CheckOptions;

use crate::encoding;

pub(crate) use output::Output;

use help::{CHECK_HELP, DIFF_HELP, EXAMPLES, FIND_HELP, FIX_HELP, LOADED_HELP, SCHEMA_HELP, STATS_HELP};

/// The value of `--format` that detects the format from the content.
const AUTO: &str = "auto";

/// Checks evaluation datasets for language models: says whether the system that
/// a dataset is made for will load it, every line that fails, why, and how to
/// fix it.
///
/// Files are JSONL, JSON, CSV, or ZIP archives with attachments. Nothing leaves
/// this machine. `evalcheck FILE...` is `evalcheck check FILE...`.
#[derive(Debug, Parser)]
#[command(name = "evalcheck", version, arg_required_else_help = true, max_term_width = 80, before_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Only findings: no verdicts and no sums
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` or `TERM=dumb` says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check files and list all findings
    Check(Check),
    /// Apply the fixes of findings, and write the fixed dataset
    Fix(Fix),
    /// Find the records that match a query
    Find(Find),
    /// Count what is in whole datasets: lengths, keys, roles, scores and more
    Stats(Stats),
    /// Compare two versions of a dataset by their records
    Diff(Diff),
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
    /// Write the completions for a shell, to be loaded by it
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page, or that of a command, for `man -l -`
    Man {
        /// A command, such as `check`
        command: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
#[command(after_help = LOADED_HELP)]
pub(crate) struct Loaded {
    /// Datasets, and folders with datasets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, clap::Args)]
#[command(after_help = FIND_HELP)]
pub(crate) struct Find {
    /// What to find, such as `'is:invalid role:assistant "I cannot"'`
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,

    /// Datasets, and folders with datasets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = FindOutput::Text)]
    pub(crate) output: FindOutput,

    /// Write the number of records that match, and not the records
    #[arg(long, conflicts_with = "output")]
    pub(crate) count: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STATS_HELP)]
pub(crate) struct Stats {
    /// Datasets, and folders with datasets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = StatsOutput::Text)]
    pub(crate) output: StatsOutput,
}

impl Stats {
    /// How a file is checked. Text has the counts of findings, and none of them.
    pub(crate) fn check_options(&self) -> CheckOptions {
        let most = if self.output == StatsOutput::Json { MAX_IN_MEMORY } else { 1 };
        CheckOptions { max_findings_per_code: Some(most), ..self.reading.check_options() }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = DIFF_HELP)]
pub(crate) struct Diff {
    /// The older version; `-` is standard input
    pub(crate) old: PathBuf,

    /// The newer version; `-` is standard input
    pub(crate) new: PathBuf,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = DiffOutput::Text)]
    pub(crate) output: DiffOutput,

    /// List at most N added, N removed and N changed records; counts stay exact
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
}

/// The form of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffOutput {
    /// Sums, the paths at which records changed with examples, added and removed records
    Text,
    /// JSON, as comparison.schema.json describes it
    Json,
}

/// The form of statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsOutput {
    /// Tables, with bars
    Text,
    /// JSON, report v1 with its `overview`
    Json,
}

/// The form of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindOutput {
    /// `FILE:LINE:` and the value around the match
    Text,
    /// JSON lines: `{"file": ..., "line": ..., "record": ..., "path": ..., "excerpt": ...}`
    Jsonl,
}

/// How a dataset is read.
#[derive(Debug, clap::Args)]
pub(crate) struct Reading {
    /// The format; `auto` detects it from the content
    #[arg(long, default_value = AUTO, value_parser = format_ids())]
    pub(crate) format: String,

    /// The version of the format [default: detected from the content]
    #[arg(long, value_name = "V")]
    pub(crate) format_version: Option<String>,

    /// The encoding of the dataset, such as `shift_jis` [default: utf-8]; `check` and `loaded` read it
    /// as that, `fix` writes it as UTF-8
    #[arg(long, value_name = "NAME", value_parser = encoding::parse)]
    pub(crate) encoding: Option<&'static Encoding>,
}

impl Reading {
    /// A check for the format that is asked for, without a limit.
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
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(after_help = CHECK_HELP)]
pub(crate) struct Check {
    /// Datasets, and folders with datasets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub(crate) output: Output,

    /// Write another output to a file too, such as `sarif=report.sarif`; may be repeated
    #[arg(long = "output-file", value_name = "FORM=FILE", value_parser = output::output_file)]
    pub(crate) output_files: Vec<(Output, PathBuf)>,

    /// With --output html: leave out whatever the dataset says; keys and line numbers stay
    #[arg(long)]
    pub(crate) without_data: bool,

    #[command(flatten)]
    pub(crate) rules: Rules,

    /// Only findings that match a query, in the language of `find`
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true, conflicts_with = "fix")]
    pub(crate) filter: Option<String>,

    /// Apply the safe fixes first, and replace the files
    #[arg(long)]
    pub(crate) fix: bool,

    /// With --fix: apply fixes that lose or guess something too
    #[arg(long = "unsafe", requires = "fix")]
    pub(crate) not_safe: bool,

    /// Treat warnings as errors in the exit status
    #[arg(long)]
    pub(crate) strict: bool,

    /// What fails the check beside errors
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Error)]
    pub(crate) fail_on: FailOn,

    #[command(flatten)]
    pub(crate) caps: Caps,
}

/// Which rules count.
#[derive(Debug, clap::Args)]
pub(crate) struct Rules {
    /// Only these rules or categories, such as `json` or `json/comment,csv`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code)]
    pub(crate) select: Vec<String>,

    /// All but these rules or categories
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code)]
    pub(crate) ignore: Vec<String>,
}

impl Rules {
    /// The fixes of these rules.
    pub(crate) fn fixes(&self, not_safe: bool) -> Selection {
        let (select, ignore) = (self.select.clone(), self.ignore.clone());
        Selection { not_safe, select, ignore, ..Selection::default() }
    }
}

/// How many findings are listed.
#[derive(Debug, clap::Args)]
pub(crate) struct Caps {
    /// List at most N findings of each rule; counts stay exact
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,

    /// List every finding, also those that follow from the same mistake as another
    #[arg(long, conflicts_with = "max_findings")]
    pub(crate) all: bool,
}

impl Caps {
    /// The most findings of each rule that are listed in an output that is held in memory; `None` for no limit.
    pub(crate) fn in_memory(&self) -> Option<u64> {
        if self.all { None } else { Some(self.max_findings.unwrap_or(MAX_IN_MEMORY)) }
    }
}

/// The value of `--select` that selects no rule.
const NO_RULE: &str = "none";

/// The code of a rule, or a category.
pub(crate) fn code(text: &str) -> Result<String, String> {
    let is_known = |code: &str| code == text || code.split('/').next() == Some(text);
    if text == NO_RULE || rules::all().any(|rule| is_known(rule.code)) {
        return Ok(text.to_owned());
    }
    Err(match nearest(text, rules::all().map(|rule| rule.code)) {
        Some(code) => {
            format!("no rule has this code or category; did you mean {code}? `evalcheck explain` lists all")
        }
        None => "no rule has this code or category; `evalcheck explain` lists all".to_owned(),
    })
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
            Severity::Warning if self.fails_on_warnings() => true,
            _ => self.fail_on == FailOn::Loss && finding.loss.is_some(),
        }
    }

    /// True for counts that fail the check.
    pub(crate) fn fails_counts(&self, counts: &Counts) -> bool {
        counts.errors > 0
            || (self.fails_on_warnings() && counts.warnings > 0)
            || (self.fail_on == FailOn::Loss && !counts.loss.is_empty())
    }

    fn fails_on_warnings(&self) -> bool {
        self.strict || self.fail_on == FailOn::Warning
    }
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = FIX_HELP)]
pub(crate) struct Fix {
    /// Datasets, and folders with datasets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

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
    /// How what is left is checked.
    pub(crate) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            max_findings_per_code: self.caps.max_findings,
            all: self.caps.all,
            ..self.reading.check_options()
        }
    }
}

/// The most findings of each rule in an output that is held in memory, unless the arguments say otherwise.
const MAX_IN_MEMORY: u64 = 10_000;

impl Check {
    /// The most findings of each rule that are listed; `None` for no limit.
    pub(crate) fn most_findings(&self) -> Option<u64> {
        if self.streams() { self.caps.max_findings } else { self.caps.in_memory() }
    }

    /// The outputs that are asked for.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = Output> {
        std::iter::once(self.output).chain(self.output_files.iter().map(|(output, _)| *output))
    }

    /// True when an output shows findings as they come.
    pub(crate) fn streams(&self) -> bool {
        self.outputs().any(Output::streams)
    }

    /// How a file is checked. A filter has to see all findings.
    pub(crate) fn check_options(&self) -> CheckOptions {
        let is_filtered = self.filter.is_some();
        CheckOptions {
            max_findings_per_code: self.most_findings().filter(|_| !is_filtered),
            all: self.caps.all || is_filtered,
            ..self.reading.check_options()
        }
    }
}

impl Args {
    /// Reads arguments, the first of which is the name of the program. Ends the process with a message when they are wrong.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let args = Self::parse_from(with_command(arguments.into_iter().collect()));
        args.color.choice().write_global();
        if let Err(why) = args.check_version() {
            Self::command().error(ErrorKind::InvalidValue, why).exit();
        }
        args
    }

    /// Fails when the requested format does not have the requested version.
    fn check_version(&self) -> Result<(), String> {
        let (format, version) = match &self.command {
            Command::Check(Check { reading, .. })
            | Command::Fix(Fix { reading, .. })
            | Command::Find(Find { reading, .. })
            | Command::Stats(Stats { reading, .. })
            | Command::Diff(Diff { reading, .. })
            | Command::Loaded(Loaded { reading, .. }) => (&reading.format, &reading.format_version),
            Command::Schema(Schema { format, version }) => (format, version),
            Command::Formats
            | Command::Explain { .. }
            | Command::Completions { .. }
            | Command::Man { .. } => {
                return Ok(());
            }
        };
        let Some(version) = version else { return Ok(()) };
        let format = formats::by_id(format).ok_or("a version needs a format: add --format")?;
        check_version(format, version)
    }
}

/// Fails when a format does not have a version.
pub(crate) fn check_version(format: &Format, version: &str) -> Result<(), String> {
    let versions = format.versions();
    if versions.is_empty() {
        return Err(format!("{} has no versions", format.id));
    }
    if !versions.contains(&version) {
        return Err(format!("{} has no version {version}; it has {}", format.id, versions.join(", ")));
    }
    Ok(())
}

/// The arguments with the command `check` in front, where the first one that is no option is not a command.
fn with_command(mut args: Vec<OsString>) -> Vec<OsString> {
    let main = Args::command();
    let is_known = |arg: &str| {
        let is_of_main = ["help", "-h", "--help", "-V", "--version"].contains(&arg);
        is_of_main || main.get_subcommands().any(|command| command.get_name() == arg)
    };
    let mut value_follows = false;
    for arg in args.iter().skip(1) {
        let arg = arg.to_string_lossy();
        if is_known(&arg) {
            return args;
        }
        let is_option = arg.starts_with('-') && arg != "-";
        if !is_option && !value_follows {
            break;
        }
        value_follows = arg == "--color";
    }
    if args.len() > 1 {
        args.insert(1, "check".into());
    }
    args
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
    fn check_is_the_command_when_none_is_named() {
        let with = |args: &str| {
            let args = with_command(args.split(' ').map(OsString::from).collect());
            args.join(&OsString::from(" ")).into_string().unwrap()
        };
        for (args, expected) in [
            ("evalcheck a.jsonl fix", "evalcheck check a.jsonl fix"),
            ("evalcheck -", "evalcheck check -"),
            ("evalcheck --format quest a", "evalcheck check --format quest a"),
            ("evalcheck a --help", "evalcheck check a --help"),
            ("evalcheck fix a", "evalcheck fix a"),
            ("evalcheck -q --color always fix a", "evalcheck -q --color always fix a"),
            ("evalcheck --help", "evalcheck --help"),
            ("evalcheck", "evalcheck"),
        ] {
            assert_eq!(with(args), expected);
        }
    }

    #[test]
    fn every_help_fits_80_columns() {
        let mut main = Args::command();
        main.build();
        for command in main.get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let longest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(longest.chars().count() <= 80, "{}: {longest}", command.get_name());
        }
        assert!(main.render_help().to_string().starts_with("Examples:"));
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
