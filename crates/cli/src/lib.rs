//! The `evalcheck` command, as a library: [`run`] is the whole command, for the executable and for packages of other languages.
//!
//! Exit status: 0 when no file has an error, 1 when a file has an error (with `--strict`: or a warning), 2 when the arguments are wrong
//! or an output cannot be written, 3 when a file could not be checked to its end. Reasons are written to standard error. A file that
//! can be read and is broken has findings in its report.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

pub mod api;
mod args;
mod catalogue;
mod check;
mod compare;
mod diff;
mod encoding;
mod files;
mod filter;
mod find;
mod fix;
mod input;
mod listing;
mod loaded;
mod manual;
mod outputs;
mod printer;
mod query;
mod replace;
mod rules;
mod schema;
mod stats;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use evalcheck_wire::report::Finding;

use crate::args::{Args, Command, FailOn, Output};
use crate::check::Dataset;
use crate::filter::Filter;
use crate::outputs::Outputs;

/// The exit status. With several files the largest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    NotChecked = 3,
}

/// Runs the command with its arguments, the first of which is the name of the program, and returns the exit status. Writes to
/// standard output and standard error.
///
/// Ends the process when the arguments are wrong or ask for help, and when Ctrl-C interrupts the writing of a file.
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
        Command::Check(options) => check_all(options, args, status),
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
        Command::Formats => printer::page(&catalogue::formats(&evalcheck_engine::catalogue::catalogue())),
        Command::Explain { code, format } => {
            let catalogue = evalcheck_engine::catalogue::catalogue();
            let page = catalogue::explain(&catalogue, code.as_deref(), format.as_deref());
            print_page(page, code.as_deref().unwrap_or_default(), status)
        }
        Command::Completions { shell } => printer::page(&manual::completions(*shell)),
        Command::Man { command } => print_page(manual::page(command.as_deref()), "man", status),
        Command::Schema(options) => print_page(schema::text(options), &options.format, status),
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

/// Checks files and writes their reports.
fn check_all(options: &args::Check, args: &Args, status: &mut Status) -> io::Result<()> {
    let files = files::expand(&options.files);
    let refusal = |output: Output| output.refusal(files.len(), options.filter.is_some());
    if let Some(why) = options.outputs().find_map(refusal) {
        print_error("--output", &why);
        *status = Status::Usage;
        return Ok(());
    }
    let filter = match &options.filter {
        None => None,
        Some(text) => {
            let Some(query) = query::parse(text) else {
                *status = Status::Usage;
                return Ok(());
            };
            Some(Filter { text: text.clone(), query, most: options.most_findings() })
        }
    };
    let mut outputs = match Outputs::open(options, args) {
        Ok(outputs) => outputs,
        Err((path, error)) => {
            print_error(&path.to_string_lossy(), &error.to_string());
            *status = Status::Usage;
            return Ok(());
        }
    };
    let mut applied = options.fix.then_some(0);
    for found in files {
        let checked = found.and_then(|path| {
            if let Some(applied) = &mut applied {
                *applied += fix::in_place(&path, options).map_err(|error| (path.clone(), error))?;
            }
            // What was fixed is UTF-8.
            let encoding = options.reading.encoding.filter(|_| applied.is_none());
            let input = encoding::open(&path, encoding, options.check_options())
                .map_err(|error| (path.clone(), error))?;
            Ok((path, input))
        });
        match checked {
            Ok((path, input)) => {
                check_one(&path, input, options, filter.as_ref(), &mut outputs, status)?;
            }
            Err((path, error)) => {
                print_error(&path.to_string_lossy(), &input::describe(&error));
                outputs.add_unread()?;
                *status = Status::NotChecked;
            }
        }
    }
    if !outputs.finish(applied.map(|fixes| ("Applied", fixes)))? {
        *status = (*status).max(Status::Usage);
    }
    Ok(())
}

/// Checks one file and writes its report. The status is set first, so that it is valid if writing fails.
fn check_one(
    path: &Path,
    input: input::Input,
    options: &args::Check,
    filter: Option<&Filter>,
    outputs: &mut Outputs,
    status: &mut Status,
) -> io::Result<()> {
    let file = path.to_string_lossy();
    let mut dataset = Dataset::open(input, options.check_options());
    if options.outputs().any(|output| output == Output::Html) {
        dataset.prepare_page();
    }
    let filtered = match filter.map(|filter| dataset.filter(filter)).transpose() {
        Ok(filtered) => filtered,
        Err(error) => {
            print_error(&file, &error.message);
            *status = (*status).max(Status::Usage);
            return outputs.add_unread();
        }
    };
    let selected = options.rules.fixes(true);
    let mut pages = outputs.of_file(&file);
    let (mut fails, mut loses) = (false, false);
    let mut note = |findings: &[Finding]| {
        for finding in findings.iter().filter(|finding| selected.selects(&finding.code)) {
            fails |= options.fails(finding);
            loses |= finding.loss.is_some();
        }
    };
    let show = |findings: &[Finding], dataset: &mut Dataset| {
        note(findings);
        pages.findings(findings, dataset)
    };
    let outcome = check::check(dataset, filtered, options.streams().then_some(show));
    if let Ok(outcome) = &outcome {
        note(&outcome.report.findings);
    }
    if outcome.is_err() && fails {
        *status = (*status).max(Status::Findings);
    }
    let mut outcome = outcome?;
    let file_status = match &outcome.read_error {
        Some(why) => {
            print_error(&file, why);
            Status::NotChecked
        }
        None if !outcome.report.checked => Status::NotChecked,
        None if options.fails_counts(&rules::counts(&outcome.counts, &selected))
            || (loses && options.fail_on == FailOn::Loss) =>
        {
            Status::Findings
        }
        None => Status::Clean,
    };
    *status = (*status).max(file_status);
    pages.end(&mut outcome)
}

/// Writes a line to standard error. When that fails, there is no place left to report it.
fn print_error(about: &str, message: &str) {
    let _ = writeln!(io::stderr(), "evalcheck: {}: {message}", evalcheck_wire::text::one_line(about));
}
