//! The `evalcheck` command.
//!
//! Exit status: 0 when no file has an error, 1 when one has (with `--strict`: an error or a warning), 2 when a file
//! could not be checked or the arguments are wrong. A file that cannot be read is told on standard error; a file that
//! is read and found broken is a finding in the report.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")
)]

mod args;
mod check;
mod help;
mod input;
mod output;
mod schema;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::args::{Args, Command};

/// What a run comes to; the larger one wins where there are several files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean = 0,
    Findings = 1,
    NotChecked = 2,
}

fn main() -> ExitCode {
    let args = Args::of_process();
    let mut status = Status::Clean;
    match run(&args, &mut status) {
        Ok(()) => {}
        // Whoever reads has seen enough (`evalcheck ... | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => {
            complain("standard output", &error.to_string());
            status = Status::NotChecked;
        }
    }
    ExitCode::from(status as u8)
}

/// Does what the arguments say; `status` stands also when writing fails half way.
fn run(args: &Args, status: &mut Status) -> io::Result<()> {
    match &args.command {
        Command::Check(options) => {
            let mut printer = output::Printer::new(options);
            for path in &options.files {
                check_one(path, options, &mut printer, status)?;
            }
            printer.finish()
        }
        Command::Formats => output::page(&help::formats(&evalcheck_engine::catalogue::catalogue())),
        Command::Explain { code } => {
            let catalogue = evalcheck_engine::catalogue::catalogue();
            let page = help::explain(&catalogue, code.as_deref());
            page_or_complaint(page, code.as_deref().unwrap_or_default(), status)
        }
        Command::Schema(wanted) => page_or_complaint(schema::text(wanted), &wanted.format, status),
    }
}

/// Writes a text, or says why there is none.
fn page_or_complaint(page: Result<String, String>, about: &str, status: &mut Status) -> io::Result<()> {
    match page {
        Ok(text) => output::page(&text),
        Err(message) => {
            complain(about, &message);
            *status = Status::NotChecked;
            Ok(())
        }
    }
}

/// The status is set before anything is written, so that it stands whether or not there is still a reader.
fn check_one(
    path: &Path,
    options: &args::Check,
    printer: &mut output::Printer,
    status: &mut Status,
) -> io::Result<()> {
    let given = path.to_string_lossy();
    let input = match input::Input::open(path) {
        Ok(input) => input,
        Err(error) => {
            complain(&given, &input::in_words(&error));
            *status = Status::NotChecked;
            return Ok(());
        }
    };
    let outcome = check::check(input, options.check_options());
    // A broken file is a finding; only a file that could not be read to its end has the status of one not checked.
    let this = match &outcome.unreadable {
        Some(why) => {
            complain(&given, why);
            Status::NotChecked
        }
        None if !outcome.report.valid => Status::Findings,
        None if options.strict && outcome.report.counts.warnings > 0 => Status::Findings,
        None => Status::Clean,
    };
    *status = (*status).max(this);
    printer.report(&given, &outcome.report)
}

/// A line on standard error. That it cannot be written is nothing that could be told anywhere.
fn complain(about: &str, message: &str) {
    let _ = writeln!(io::stderr(), "evalcheck: {}: {message}", evalcheck_wire::text::one_line(about));
}
