//! The `evalcheck` command, as a library: [`run`] is the whole command, for the executable and for packages of other languages.
//!
//! Exit status: 0 if no file has an error, 1 if a file has an error (with `--strict`: or a warning), 2 if the arguments are invalid or an
//! output cannot be written, 3 if a file could not be checked to its end or is of no known system. Reasons are written to
//! standard error. A file that is readable but malformed has findings in its report.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod ahead;
pub mod api;
mod args;
mod baseline;
mod catalogue;
mod check;
mod check_command;
mod compare;
mod compilers;
mod config;
mod decoded;
mod diff;
mod encoding;
mod file_again;
mod files;
mod filter;
mod find;
mod fix;
mod infer;
mod input;
mod known;
mod links;
mod listing;
mod loaded;
mod manual;
mod new_file;
mod outputs;
mod part_commands;
mod parts;
mod paths;
mod printer;
mod progress;
mod query;
mod replaced;
mod rerun;
mod rewritten;
mod rules;
mod schema;
mod settings;
mod shown;
mod sorted_ids;
mod state;
mod stats;
mod systems;
mod texts;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};

use evalcheck_report::Verdict;
use evalcheck_report::text::one_line;

use crate::args::{Args, Command};

/// The exit status. With several files, the largest one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    NotChecked = 3,
}

impl Status {
    /// The status for a verdict.
    fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Valid | Verdict::Readable => Self::Clean,
            Verdict::Invalid => Self::Findings,
            Verdict::NotChecked | Verdict::Undecided => Self::NotChecked,
        }
    }
}

/// Runs the command with its arguments (the first one is the name of the program), and returns the exit status. Writes to
/// standard output and standard error.
///
/// Ends the process if the arguments are invalid or ask for help, and if Ctrl-C interrupts the writing of a file.
///
/// ```no_run
/// let status = evalcheck_cli::run(std::env::args_os());
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let args = Args::read(arguments);
    let mut status = Status::Clean;
    match run_command(&args, &mut status) {
        Ok(()) => {}
        // The reader has stopped (`evalcheck ... | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => {
            print_error("standard output", &error.to_string());
            status = status.max(Status::Usage);
        }
    }
    status as u8
}

/// Runs a command. `status` is an argument because it is valid even if writing fails.
fn run_command(args: &Args, status: &mut Status) -> io::Result<()> {
    match &args.command {
        Command::Check(options) => check_command::run(options, args, status),
        Command::Fix(options) => {
            *status = fix::run(options, args)?;
            Ok(())
        }
        Command::Find(options) => {
            *status = find::run(options)?;
            Ok(())
        }
        Command::Stats(options) => {
            *status = stats::run(options)?;
            Ok(())
        }
        Command::Diff(options) => {
            *status = compare::run(options)?;
            Ok(())
        }
        Command::Loaded(options) => {
            *status = loaded::run(options, args)?;
            Ok(())
        }
        Command::Plan(options) => {
            *status = part_commands::plan(options)?;
            Ok(())
        }
        Command::Part(options) => {
            *status = part_commands::part(options);
            Ok(())
        }
        Command::Merge(options) => part_commands::merge(options, args, status),
        Command::Formats => printer::page(&catalogue::formats(&evalcheck_engine::catalogue::catalogue())),
        Command::Version => printer::page(concat!("evalcheck ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Explain { code, format } => {
            let rules = evalcheck_engine::catalogue::rules();
            let page = catalogue::explain(&rules, code.as_deref(), format.as_deref());
            print_page(page, code.as_deref().unwrap_or_default(), status)
        }
        Command::Completions { shell } => printer::page(&manual::completions(*shell)),
        Command::Man { command } => print_page(manual::page(command.as_deref()), "man", status),
        Command::Schema(options) => match &options.infer {
            Some(path) => {
                *status = infer::run(path, &options.reading)?;
                Ok(())
            }
            None => print_page(schema::text(options), options.format.as_deref().unwrap_or_default(), status),
        },
    }
}

/// Writes a text, or its error message.
fn print_page(page: Result<String, String>, about: &str, status: &mut Status) -> io::Result<()> {
    match page {
        Ok(text) => printer::page(&text),
        Err(message) => {
            print_error(about, &message);
            *status = Status::Usage;
            Ok(())
        }
    }
}

/// Writes a line to standard error. If that fails, there is no place left to report it.
fn print_error(about: &str, message: &str) {
    let _ = writeln!(io::stderr(), "evalcheck: {}: {}", one_line(about), one_line(message));
}
