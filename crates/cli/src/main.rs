//! The `evalcheck` command.
//!
//! Exit status: 0 when no file has an error, 1 when a file has an error (with `--strict`: or a warning), 2 when a file
//! cannot be read or the arguments are wrong. Read errors are written to standard error. A file that can be read and is
//! broken has findings in its report.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod args;
mod catalogue;
mod check;
mod diff;
mod fix;
mod input;
mod loaded;
mod printer;
mod replace;
mod schema;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use evalcheck_wire::report::Finding;

use crate::args::{Args, Command};
use crate::check::Dataset;

/// The exit status. With several files the largest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean = 0,
    Findings = 1,
    NotChecked = 2,
}

fn main() -> ExitCode {
    let args = Args::from_process();
    let mut status = Status::Clean;
    match run(&args, &mut status) {
        Ok(()) => {}
        // The reader has stopped (`evalcheck ... | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => {
            print_error("standard output", &error.to_string());
            status = Status::NotChecked;
        }
    }
    ExitCode::from(status as u8)
}

/// Runs a command. `status` is an argument because it is valid even if writing fails.
fn run(args: &Args, status: &mut Status) -> io::Result<()> {
    match &args.command {
        Command::Check(options) => {
            let mut printer = printer::Printer::new(options);
            for path in &options.files {
                check_one(path, options, &mut printer, status)?;
            }
            printer.finish()
        }
        Command::Fix(options) => {
            *status = fix::run(options)?;
            Ok(())
        }
        Command::Loaded(options) => {
            *status = loaded::run(options)?;
            Ok(())
        }
        Command::Formats => printer::page(&catalogue::formats(&evalcheck_engine::catalogue::catalogue())),
        Command::Explain { code, format } => {
            let catalogue = evalcheck_engine::catalogue::catalogue();
            let page = catalogue::explain(&catalogue, code.as_deref(), format.as_deref());
            print_page(page, code.as_deref().unwrap_or_default(), status)
        }
        Command::Schema(options) => print_page(schema::text(options), &options.format, status),
    }
}

/// Writes a text, or its error message.
fn print_page(page: Result<String, String>, about: &str, status: &mut Status) -> io::Result<()> {
    match page {
        Ok(text) => printer::page(&text),
        Err(message) => {
            print_error(about, &message);
            *status = Status::NotChecked;
            Ok(())
        }
    }
}

/// Checks one file and writes its report. The status is set first, so that it is valid if writing fails.
fn check_one(
    path: &Path,
    options: &args::Check,
    printer: &mut printer::Printer,
    status: &mut Status,
) -> io::Result<()> {
    let file = path.to_string_lossy();
    let input = match input::Input::open(path) {
        Ok(input) => input,
        Err(error) => {
            print_error(&file, &input::describe(&error));
            *status = Status::NotChecked;
            return Ok(());
        }
    };
    let name = input.info.name.clone();
    let mut pages = printer.of_file(&file, &name);
    let mut has_findings = false;
    let show = |findings: &[Finding], dataset: &mut Dataset| {
        has_findings |= findings.iter().any(|finding| options.fails(finding));
        pages.findings(findings, dataset)
    };
    let outcome = check::check(input, options.check_options(), options.output.streams().then_some(show));
    if outcome.is_err() && has_findings {
        *status = (*status).max(Status::Findings);
    }
    let mut outcome = outcome?;
    let file_status = match &outcome.read_error {
        Some(why) => {
            print_error(&file, why);
            Status::NotChecked
        }
        None if options.fails_report(&outcome.report) => Status::Findings,
        None => Status::Clean,
    };
    *status = (*status).max(file_status);
    pages.end(&mut outcome)
}

/// Writes a line to standard error. When that fails, there is no place left to report it.
fn print_error(about: &str, message: &str) {
    let _ = writeln!(io::stderr(), "evalcheck: {}: {message}", evalcheck_wire::text::one_line(about));
}
