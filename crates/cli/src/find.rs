//! `find`: lists the records that match a query.

use std::io::{self, BufWriter, Write};

use evalcheck_engine::check::Check;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::{LateFindings, Search};
use evalcheck_render::json::InertJson;
use evalcheck_render::{find, text};
use evalcheck_report::Report;
use evalcheck_report::text::one_line;
use evalcheck_report::view::Hit;
use evalcheck_wire::query::{Query, QueryError};
use evalcheck_wire::worker::CheckOptions;
use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::args::{self, FindOutput};
use crate::check::read_piece;
use crate::compilers::{self, ENVIRONMENT};
use crate::input::Input;
use crate::texts;
use crate::{Status, ahead, files, print_error, printer, query};

/// A record that was found, and its file.
#[derive(Serialize)]
struct FoundRecord<'f> {
    file: &'f str,
    #[serde(flatten)]
    hit: &'f Hit,
}

/// Runs the command. The status is that of grep: whether anything was found.
pub(crate) fn run(options: &args::Find) -> io::Result<Status> {
    let Some(query) = query::parse(&options.query) else { return Ok(Status::Usage) };
    let (out, coloured) = printer::standard_output();
    let mut out = Output { out: BufWriter::new(out), coloured, form: options.output, count: options.count };
    let jobs = options.jobs.unwrap_or_else(ahead::cores).get();
    let mut status = Status::Findings;
    let Some(files) = files::expand(&options.files, &options.reading, &[]) else { return Ok(Status::Usage) };
    let files = files.noted();
    for found in files {
        let of_file = match found.and_then(|dataset| dataset.open(&options.reading)) {
            Ok((dataset, input, reading)) => {
                one(&dataset.path.to_string_lossy(), input, &query, reading.check_options(), jobs, &mut out)?
            }
            Err((path, error)) => {
                out.out.flush()?;
                print_error(&path.to_string_lossy(), &texts::describe(&error));
                Status::NotChecked
            }
        };
        // A match takes precedence over no match, and a file that was not searched over a match.
        let worst = status.max(of_file);
        status = if worst > Status::Findings { worst } else { status.min(of_file) };
    }
    out.out.flush()?;
    Ok(status)
}

/// Finds the records of a file.
fn one(
    file: &str,
    mut input: Input,
    query: &Query,
    options: CheckOptions,
    jobs: usize,
    out: &mut Output,
) -> io::Result<Status> {
    let mut count = 0;
    let searched = search(&mut input, query, options, jobs, |hit| {
        count += 1;
        out.hit(file, &hit)
    })?;
    let report = match searched {
        Ok(report) => report,
        Err(error) => {
            out.out.flush()?;
            print_error(file, &error.message);
            return Ok(Status::Usage);
        }
    };
    if out.count {
        writeln!(out.out, "{}:{count}", one_line(file))?;
    }
    if let Some(why) = not_searched(&report, &input, file) {
        out.out.flush()?;
        print_error(file, &why);
        return Ok(Status::NotChecked);
    }
    Ok(if count > 0 { Status::Clean } else { Status::Findings })
}

/// Passes all records of a dataset that match a query to `take`, and returns the report of the dataset. The inner error is that of a
/// query that does not fit its format. Up to `jobs` threads read a large file. It is read twice if the query depends on findings that are
/// known only at its end.
///
/// # Errors
/// Those of `take`.
pub(crate) fn search(
    input: &mut Input,
    query: &Query,
    options: CheckOptions,
    jobs: usize,
    mut take: impl FnMut(Hit) -> io::Result<()>,
) -> io::Result<Result<Report, QueryError>> {
    let mut purpose = Purpose::<SpooledTempFile>::search();
    let options = purpose.options(options);
    let open = |input: &mut Input| {
        let info = input.info.clone();
        Check::open_in(&ENVIRONMENT, input, info, options.clone())
    };
    let mut check = open(input);
    let mut search = match Search::new(query, check.dataset().format, compilers::compile) {
        Ok(search) => search.keep_hits(),
        Err(error) => return Ok(Err(error)),
    };
    if check.needs_late_findings(query) {
        let mut first = open(input);
        first.observe(LateFindings::default());
        while read_piece(&mut first, input) {
            purpose.take(&mut first);
        }
        if let Some(late) = first.take_observer() {
            search.note_late(late);
        }
        check.observe(search);
    } else {
        check.observe(search);
        if let Some(rules) = check.line_rules() {
            input.look_ahead(&rules, jobs);
        }
    }
    let take_hits = |check: &mut Check| check.observer_mut().map(Search::take_hits).unwrap_or_default();
    while read_piece(&mut check, input) {
        purpose.take(&mut check);
        for hit in take_hits(&mut check) {
            input.progress.before_output();
            take(hit)?;
        }
    }
    if let Err(message) = check.observer_mut().map_or(Ok(()), Search::finish) {
        return Ok(Err(QueryError { span: 0..0, message }));
    }
    take_hits(&mut check).into_iter().try_for_each(&mut take)?;
    Ok(Ok(check.report()))
}

/// The reason why a dataset was not searched to its end, if it was not.
pub(crate) fn not_searched(report: &Report, input: &Input, file: &str) -> Option<String> {
    if report.checked && !report.format.id.is_empty() {
        return None;
    }
    let why = input.error().map_or_else(|| text::verdict_line(report, file).to_string(), str::to_owned);
    Some(format!("not searched to its end: {why}"))
}

/// Writes the records that were found.
struct Output {
    out: BufWriter<Box<dyn Write>>,
    coloured: bool,
    form: FindOutput,
    /// Whether only the number of records is written.
    count: bool,
}

impl Output {
    fn hit(&mut self, file: &str, hit: &Hit) -> io::Result<()> {
        if self.count {
            return Ok(());
        }
        match self.form {
            FindOutput::Text => printer::write_line(&mut self.out, &find::hit_line(hit, file), self.coloured),
            FindOutput::Jsonl => {
                serde_json::to_writer(InertJson::new(&mut self.out), &FoundRecord { file, hit })?;
                writeln!(self.out)
            }
        }
    }
}
