//! `stats`: statistics of whole datasets.

use std::io::{self, BufWriter, Write};

use evalcheck_engine::purpose::Purpose;
use evalcheck_render::{json, overview, text};
use evalcheck_wire::worker::CheckOptions;
use tempfile::SpooledTempFile;

use crate::args::{self, StatsOutput};
use crate::check::check_for;
use crate::input::Input;
use crate::texts;
use crate::{Status, ahead, files, print_error, printer};

/// Runs the command. The status is that of `check`.
pub(crate) fn run(options: &args::Stats) -> io::Result<Status> {
    let Some(files) = files::expand(&options.files, &options.reading, &[]) else { return Ok(Status::Usage) };
    let files = files.noted();
    if options.output == StatsOutput::Json && files.len() > 1 {
        print_error("--output json", &format!("JSON is the report of one file, not of {}", files.len()));
        return Ok(Status::Usage);
    }
    let (out, coloured) = printer::standard_output();
    let mut out = Output { out: BufWriter::new(out), coloured, form: options.output, is_first: true };
    let jobs = options.jobs.unwrap_or_else(ahead::cores).get();
    let mut status = Status::Clean;
    for found in files {
        status = status.max(match found.and_then(|dataset| dataset.open(&options.reading)) {
            Ok((dataset, input, reading)) => {
                one(&dataset.path.to_string_lossy(), input, options.check_options(&reading), jobs, &mut out)?
            }
            Err((path, error)) => {
                out.out.flush()?;
                print_error(&path.to_string_lossy(), &texts::describe(&error));
                Status::NotChecked
            }
        });
    }
    out.out.flush()?;
    Ok(status)
}

/// Writes the statistics of a file. Up to `jobs` threads read a large one.
fn one(
    file: &str,
    mut input: Input,
    options: CheckOptions,
    jobs: usize,
    out: &mut Output,
) -> io::Result<Status> {
    let mut purpose = Purpose::<SpooledTempFile>::overview();
    let report = match check_for(&mut input, options, &mut purpose, jobs) {
        Ok(report) => report,
        Err(error) => {
            out.out.flush()?;
            print_error(file, &error.to_string());
            return Ok(Status::NotChecked);
        }
    };
    if out.form == StatsOutput::Json {
        json::write_report(&mut out.out, &report)?;
    } else {
        if !std::mem::take(&mut out.is_first) {
            writeln!(out.out)?;
        }
        for line in overview::overview_lines(&report, file, printer::width_of_output()) {
            printer::write_line(&mut out.out, &line, out.coloured)?;
        }
        writeln!(out.out)?;
        printer::write_line(&mut out.out, &text::verdict_line(&report, file), out.coloured)?;
    }
    Ok(Status::of(report.verdict()))
}

/// Writes statistics.
struct Output {
    out: BufWriter<Box<dyn Write>>,
    coloured: bool,
    form: StatsOutput,
    /// Whether no file was written yet.
    is_first: bool,
}
