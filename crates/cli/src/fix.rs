//! `fix`: applies the fixes of findings, round by round, and writes the result.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use evalcheck_engine::fix::{EditPlan, Rounds, Selection, write_fixed};
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::rejects::Rejects;
use evalcheck_render::text::{self, LineKind};
use evalcheck_wire::report::{Finding, Report};
use tempfile::SpooledTempFile;

use crate::args::Fix;
use crate::check;
use crate::diff::{self, EntryNames};
use crate::input::{self, Input};
use crate::printer::how_to_list_all;
use crate::{Status, print_error, replace};

/// The findings that are left and listed at most.
const MOST_LISTED: usize = 10_000;

/// A dataset after a check.
struct Checked {
    input: Input,
    report: Report,
    /// The first findings; the report lists none.
    findings: Vec<Finding>,
    /// The fixes that are to be applied, and the records with errors where they are wanted.
    purpose: Purpose<SpooledTempFile>,
}

/// Runs the command.
pub(crate) fn run(options: &Fix) -> io::Result<Status> {
    let file = options.file.to_string_lossy();
    let fail = |error: &io::Error| {
        print_error(&file, &input::describe(error));
        Ok(Status::NotChecked)
    };
    if options.in_place && options.file.as_os_str() == "-" {
        return fail(&io::Error::other("standard input cannot be replaced: leave --in-place out"));
    }
    if let Some(rejects) = &options.rejects {
        let is_same = |other: &Path| {
            fs::canonicalize(rejects)
                .is_ok_and(|path| fs::canonicalize(other).is_ok_and(|other| other == path))
        };
        if is_same(&options.file)
            || options.output.as_deref().is_some_and(|output| output == rejects || is_same(output))
        {
            return fail(&io::Error::other(
                "--rejects needs a file of its own: it would replace the dataset",
            ));
        }
    }
    let done = Input::open(&options.file).and_then(|mut original| {
        let before = if options.diff { Some(original.copy()?) } else { None };
        Ok((before, fixed(original, options)?))
    });
    match done {
        Ok((before, (checked, fixes, names))) => {
            let before = before.map(|input| diff::Before { input, names });
            finish(before, checked, fixes, options)
        }
        Err(error) => fail(&error),
    }
}

/// The dataset with all selected fixes applied, how many there were, and what became of the entries of a ZIP.
fn fixed(original: Input, options: &Fix) -> io::Result<(Checked, u64, EntryNames)> {
    let mut checked = check_once(original, options)?;
    let mut rounds = Rounds::default();
    let mut names = EntryNames::default();
    while let Some(plan) = rounds.next(checked.purpose.plan()) {
        let entry = checked.report.file.entry.as_deref();
        names.follow(plan.entries().iter());
        let next = rewritten(&mut checked.input, &plan, entry)?;
        checked = check_once(next, options)?;
    }
    Ok((checked, rounds.fixes(), names))
}

/// Checks a dataset, and plans the fixes that are to be applied.
fn check_once(mut input: Input, options: &Fix) -> io::Result<Checked> {
    let mut purpose = Purpose::fix(Selection {
        not_safe: options.not_safe,
        select: options.select.clone(),
        ignore: options.ignore.clone(),
    });
    if options.drop_invalid || options.rejects.is_some() {
        purpose = purpose.with_rejects(Input::temporary());
    }
    let mut findings = Vec::new();
    let report = check::check_for(&mut input, options.check_options(), &mut purpose, |found| {
        let most = if options.all { usize::MAX } else { MOST_LISTED };
        findings.extend(found.into_iter().take(most - findings.len()));
    })?;
    Ok(Checked { input, report, findings, purpose })
}

/// A copy of a dataset with a plan applied; `entry` is the dataset in a ZIP.
fn rewritten(input: &mut Input, plan: &EditPlan, entry: Option<&str>) -> io::Result<Input> {
    let mut next = Input::temporary();
    let mut buffered = BufWriter::with_capacity(1 << 18, &mut next);
    write_fixed(plan, entry, input, &mut buffered, &mut Input::temporary())?;
    buffered.flush()?;
    drop(buffered);
    Input::of_temporary(input.info.name.clone(), next)
}

/// Writes the result where it is wanted, and what is left to standard error.
fn finish(before: Option<diff::Before>, checked: Checked, fixes: u64, options: &Fix) -> io::Result<Status> {
    let Checked { mut input, report, findings, mut purpose } = checked;
    let entry = report.file.entry.as_deref();
    let rejected = purpose.rejects().map_or(0, Rejects::records);
    if options.drop_invalid && report.counts.valid == 0 && rejected > 0 {
        let why = "no record is valid, so that none would be left: nothing was written";
        print_error(&options.file.to_string_lossy(), why);
        return Ok(Status::Findings);
    }
    let mut written = (|| {
        if let Some(path) = &options.rejects {
            let mut out = BufWriter::new(File::create(path)?);
            purpose.write_rejects(&mut input, entry, &mut out)?;
            out.flush()?;
        }
        let mut result = if options.drop_invalid && rejected > 0 {
            let (plan, _) = purpose.removal(&mut input, entry)?;
            rewritten(&mut input, &plan, entry)?
        } else {
            input
        };
        match before {
            Some(mut before) => diff::write(&mut before, &mut result, entry, &options.file.to_string_lossy()),
            None => write_result(&mut result, options),
        }
    })();
    // The reader of standard output may have stopped.
    if let Err(error) = &written
        && error.kind() == io::ErrorKind::BrokenPipe
    {
        written = Ok(());
    }
    if let Err(error) = written {
        let out = options.output.as_ref().unwrap_or(&options.file).to_string_lossy();
        print_error(&out, &input::describe(&error));
        return Ok(Status::NotChecked);
    }
    let mut err = BufWriter::new(io::stderr().lock());
    for finding in &findings {
        writeln!(err, "{}", text::first_line(finding, &report.file.name, None).text)?;
        for line in text::help_lines(finding) {
            writeln!(err, "{}", line.text)?;
        }
    }
    for line in text::last_lines(&report, None, findings.len() as u64) {
        writeln!(err, "{}", line.text)?;
        if matches!(line.kind, LineKind::Omission) {
            writeln!(err, "{}", how_to_list_all().text)?;
        }
    }
    let left = report.counts.errors + report.counts.warnings;
    writeln!(
        err,
        "{fixes} {} applied, {left} {} left",
        if fixes == 1 { "fix" } else { "fixes" },
        if left == 1 { "error or warning" } else { "errors and warnings" }
    )?;
    err.flush()?;
    let dropped = purpose.rejects().filter(|_| options.drop_invalid).map_or(0, Rejects::errors);
    let is_valid = report.checked && report.counts.errors == dropped;
    Ok(if is_valid { Status::Clean } else { Status::Findings })
}

/// Writes the dataset.
fn write_result(result: &mut Input, options: &Fix) -> io::Result<()> {
    result.rewind()?;
    let path = if options.in_place { Some(&options.file) } else { options.output.as_ref() };
    let Some(path) = path else {
        let mut out = io::stdout().lock();
        io::copy(result, &mut out)?;
        return out.flush();
    };
    // The output may be the input under any name.
    if path.is_file() {
        replace::replace(path, result)
    } else {
        io::copy(result, &mut File::create(path)?).map(drop)
    }
}
