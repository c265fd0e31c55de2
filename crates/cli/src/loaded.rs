//! `loaded`: writes the records as the system loads them.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use evalcheck_engine::check::Check;
use evalcheck_engine::loaded::LoadedRecord;
use evalcheck_engine::purpose::Purpose;
use evalcheck_render::json::InertJson;
use evalcheck_render::text;
use evalcheck_report::view::Loaded;
use serde::Deserialize;
use tempfile::SpooledTempFile;

use crate::args::{self, Args, Reading};
use crate::check::read_piece;
use crate::compilers::ENVIRONMENT;
use crate::files;
use crate::input::Input;
use crate::texts;
use crate::{Status, print_error};

/// Runs the command.
pub(crate) fn run(options: &args::Loaded, args: &Args) -> io::Result<Status> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Clean;
    let Some(files) = files::expand(&options.files, &options.reading, &[]) else { return Ok(Status::Usage) };
    let files = files.noted();
    for found in files {
        status = status.max(match found.and_then(|dataset| dataset.open(&options.reading)) {
            Ok((dataset, input, reading)) => one(&dataset.path, input, &reading, args, &mut out)?,
            Err((path, error)) => {
                print_error(&path.to_string_lossy(), &texts::describe(&error));
                Status::NotChecked
            }
        });
    }
    out.flush()?;
    Ok(status)
}

/// Writes the records of a file.
fn one(
    path: &Path,
    mut input: Input,
    reading: &Reading,
    args: &Args,
    out: &mut impl Write,
) -> io::Result<Status> {
    let file = path.to_string_lossy();
    let info = input.info.clone();
    let mut purpose = Purpose::<SpooledTempFile>::loaded();
    let open = |input: &mut Input| {
        Check::open_in(&ENVIRONMENT, input, info.clone(), purpose.options(reading.check_options()))
    };
    let mut check = open(&mut input);
    if check.needs_all_to_load() {
        let mut first = check;
        while read_piece(&mut first, &mut input) {
            first.take_findings(1);
        }
        check = open(&mut input);
        check.know_all(&first);
    }
    purpose.prepare(&mut check);
    if let Some(encoding) = input.encoding {
        check.report_conversion(encoding);
    }
    // Only at the end is it known which values of a list count.
    let mut pending = purpose.may_be_replaced(&check).then(Pending::new);
    while read_piece(&mut check, &mut input) {
        // The report only counts the findings.
        purpose.take(&mut check);
        for record in purpose.take_loaded(&mut check) {
            if let Some(pending) = &mut pending {
                pending.write(&file, &record)?;
            } else {
                input.progress.before_output();
                write(&file, &record, out)?;
            }
        }
    }
    if let Some(pending) = pending {
        pending.copy(&file, |value| purpose.is_replaced(&check, value), out)?;
    }
    if let Some(why) = input.error() {
        print_error(&file, why);
        return Ok(Status::NotChecked);
    }
    let report = check.report();
    if !args.quiet {
        writeln!(io::stderr(), "{}", text::verdict_line(&report, &file))?;
    }
    Ok(Status::of(report.verdict()))
}

/// Lines of records in a temporary file.
struct Pending {
    lines: BufWriter<SpooledTempFile>,
    /// The values of lists that contain the records, and the end of the lines of each.
    values: Vec<(usize, u64)>,
}

impl Pending {
    fn new() -> Self {
        Self { lines: BufWriter::new(Input::temporary()), values: Vec::new() }
    }

    fn write(&mut self, file: &str, record: &LoadedRecord) -> io::Result<()> {
        let mut line = Vec::new();
        write(file, record, &mut line)?;
        self.lines.write_all(&line)?;
        let start = self.values.last().map_or(0, |(_, end)| *end);
        let end = start + line.len() as u64;
        match self.values.last_mut().filter(|(value, _)| *value == record.value) {
            Some((_, last)) => *last = end,
            None => self.values.push((record.value, end)),
        }
        Ok(())
    }

    /// Copies the lines. The records of replaced values are written as dropped.
    fn copy(self, file: &str, is_replaced: impl Fn(usize) -> bool, out: &mut impl Write) -> io::Result<()> {
        let mut lines = self.lines.into_inner().map_err(io::IntoInnerError::into_error)?;
        lines.rewind()?;
        let mut lines = BufReader::with_capacity(1 << 18, lines);
        let mut start = 0;
        for (value, end) in self.values {
            let mut own = lines.by_ref().take(end - start);
            if is_replaced(value) {
                for line in own.lines() {
                    let Place { line } = serde_json::from_str(&line?)?;
                    write(file, &LoadedRecord { line, loaded: Loaded::Dropped, value }, out)?;
                }
            } else {
                io::copy(&mut own, out)?;
            }
            start = end;
        }
        Ok(())
    }
}

/// The position of a record.
#[derive(Deserialize)]
struct Place {
    line: u64,
}

/// Writes a record on a line, as JSON.
fn write(file: &str, record: &LoadedRecord, out: &mut impl Write) -> io::Result<()> {
    let (state, json, changes) = match &record.loaded {
        Loaded::Held(held) => ("held", held.to_json(), serde_json::to_string(&held.changes)?),
        Loaded::Dropped => ("dropped", "null".to_owned(), "[]".to_owned()),
        Loaded::Refused => ("refused", "null".to_owned(), "[]".to_owned()),
    };
    let (file, line) = (serde_json::to_string(file)?, record.line);
    writeln!(
        InertJson::new(out),
        r#"{{"file":{file},"line":{line},"state":"{state}","record":{json},"changes":{changes}}}"#
    )
}
