//! The arguments.

mod check;
mod fix;
mod help;
mod options;
mod output;
mod parts;
mod reading;
mod schema;

use std::ffi::OsString;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use evalcheck_report::text::Inert;
use evalcheck_wire::worker::CheckOptions;

pub(crate) use check::{ALL, Check, in_memory};
pub(crate) use fix::Fix;
pub(crate) use output::Output;
pub(crate) use parts::{Merge, Part, Plan};
pub(crate) use reading::{Files, Reading};
pub(crate) use schema::{CONFIG, Schema};

use crate::known::ids;
use check::MAX_IN_MEMORY;
use help::{DIFF_HELP, EXAMPLES, FIND_HELP, LOADED_HELP, STATS_HELP};

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
    /// Cut the check of a large JSONL file into ranges, for several machines
    Plan(Plan),
    /// Check a range of a file, as it was planned
    Part(Part),
    /// Put the parts of a check together, and list all findings
    Merge(Merge),
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
    /// Write the JSON Schema of a format's records, of `config`, or of a dataset
    Schema(Schema),
    /// Print the version
    Version,
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
    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, clap::Args)]
#[command(after_help = FIND_HELP)]
pub(crate) struct Find {
    /// The query, such as `'is:invalid role:assistant "I cannot"'`
    #[arg(allow_hyphen_values = true)]
    pub(crate) query: String,

    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = FindOutput::Text)]
    pub(crate) output: FindOutput,

    /// Write the number of records that match, and not the records
    #[arg(long, conflicts_with = "output")]
    pub(crate) count: bool,

    /// Threads that read a large JSONL file [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = STATS_HELP)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// The form of the output
    #[arg(long, value_enum, value_name = "FORM", default_value_t = StatsOutput::Text)]
    pub(crate) output: StatsOutput,

    /// Threads that read a large JSONL file; the statistics are the same [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
}

impl Stats {
    /// How a file is checked. Text has the counts of findings, and none of them.
    pub(crate) fn check_options(&self, reading: &Reading) -> CheckOptions {
        let most = if self.output == StatsOutput::Json { MAX_IN_MEMORY } else { 1 };
        CheckOptions { max_findings_per_code: Some(most), ..reading.check_options() }
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

/// Ends the process with what is wrong with the arguments, or with help. A name of a file can be an argument by a pattern of the shell: it
/// does nothing where it is shown.
fn exit(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let lines: Vec<_> = text.split('\n').map(|line| Inert::default().text(line)).collect();
    let shown = lines.join("\n");
    if !error.use_stderr() || shown == text {
        error.exit();
    }
    let _ = io::stderr().write_all(shown.as_bytes());
    std::process::exit(error.exit_code())
}

impl Args {
    /// Reads arguments; the first one is the name of the program. Ends the process with a message when they are wrong.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let args = Self::parsed(arguments.into_iter().collect()).unwrap_or_else(|error| exit(&error));
        args.color.choice().write_global();
        args
    }

    fn parsed(arguments: Vec<OsString>) -> Result<Self, clap::Error> {
        let args = Self::try_parse_from(with_command(arguments))?;
        if let Command::Schema(schema) = &args.command {
            schema.check().map_err(|why| Self::command().error(ErrorKind::InvalidValue, why))?;
        }
        Ok(args)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn version_error(args: &[&str]) -> Option<String> {
        let args = [&["evalcheck"], args].concat().into_iter().map(OsString::from);
        Args::parsed(args.collect()).err().map(|error| error.to_string())
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
            version_error(&["check", "a.jsonl", "--format-version", "1"]).unwrap().contains("needs a format")
        );
        for format in evalcheck_engine::formats::FORMATS {
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
