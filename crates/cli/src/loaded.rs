//! `loaded`: writes the records as the system holds them.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use evalcheck_engine::check::Check;
use evalcheck_engine::loaded::LoadedRecord;
use evalcheck_render::text;
use evalcheck_wire::text::one_line;
use evalcheck_wire::view::Loaded;

use crate::args;
use crate::check::read_next;
use crate::input::{self, Input};
use crate::{Status, print_error};

/// Runs the command.
pub(crate) fn run(options: &args::Loaded) -> io::Result<Status> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Clean;
    for path in &options.files {
        status = status.max(one(path, options, &mut out)?);
    }
    out.flush()?;
    Ok(status)
}

/// Writes the records of a file.
fn one(path: &Path, options: &args::Loaded, out: &mut impl Write) -> io::Result<Status> {
    let file = path.to_string_lossy();
    let mut input = match Input::open(path) {
        Ok(input) => input,
        Err(error) => {
            print_error(&file, &input::describe(&error));
            return Ok(Status::NotChecked);
        }
    };
    let info = input.info.clone();
    let mut check = Check::open(&mut input, info, options.check_options());
    check.keep_loaded();
    let mut read_error = input.error().map(str::to_owned);
    let mut position = None;
    while let Some(wanted) = check.next_range() {
        if let Err(why) = read_next(&mut check, &mut input, wanted, &mut position) {
            check.fail(&why);
            read_error.get_or_insert(why);
        }
        // The report only counts them.
        check.take_findings(1);
        for record in check.take_loaded() {
            write(&file, &record, out)?;
        }
    }
    if let Some(why) = read_error {
        print_error(&file, &why);
        return Ok(Status::NotChecked);
    }
    let report = check.report();
    writeln!(io::stderr(), "{}: {}", one_line(&file), text::verdict_line(&report))?;
    Ok(if report.valid { Status::Clean } else { Status::Findings })
}

/// Writes a record on a line, as JSON.
fn write(file: &str, record: &LoadedRecord, out: &mut impl Write) -> io::Result<()> {
    let (state, json, changes) = match &record.loaded {
        Loaded::Held(held) => ("held", held.to_json(), serde_json::to_string(&held.changes)?),
        Loaded::Dropped => ("dropped", "null".to_owned(), "[]".to_owned()),
        Loaded::Refused => ("refused", "null".to_owned(), "[]".to_owned()),
    };
    let (file, line) = (serde_json::to_string(file)?, record.line);
    writeln!(out, r#"{{"file":{file},"line":{line},"state":"{state}","record":{json},"changes":{changes}}}"#)
}
