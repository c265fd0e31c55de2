//! `fix`: applies the fixes of findings, round by round, and writes the result.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use evalcheck_archive::EditContents;
use evalcheck_engine::fix::{EditPlan, MOST_ROUNDS, Selection, copy_fixed};
use evalcheck_engine::rejects::Rejects;
use evalcheck_render::text::{self, LineKind};
use evalcheck_wire::report::{EntryEdit, Finding, Report};
use tempfile::SpooledTempFile;

use crate::args::Fix;
use crate::check::{self, Dataset};
use crate::diff::{self, EntryNames};
use crate::input::{self, Input, of_dataset};
use crate::printer::how_to_list_all;
use crate::{Status, print_error, replace};

/// The findings that are left and listed at most.
const MOST_LISTED: usize = 10_000;

/// A dataset after a check.
struct Checked {
    input: Input,
    report: Report,
    plan: EditPlan,
    /// The first findings; the report lists none.
    findings: Vec<Finding>,
    rejects: Rejects<SpooledTempFile>,
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
    let mut fixes = 0;
    let mut names = EntryNames::default();
    for _ in 0..MOST_ROUNDS {
        if checked.plan.is_empty() {
            break;
        }
        fixes += checked.plan.fixes();
        let mut input = checked.input;
        let plan = std::mem::take(&mut checked.plan);
        let archive = plan.changes_archive(&checked.report).then(|| ArchiveChanges {
            entries: plan.entries(),
            contents: checked.report.file.entry.as_deref().filter(|_| plan.has_edits()),
        });
        names.follow(archive.iter().flat_map(|archive| &archive.entries));
        let next = rewritten(&mut input, archive, &mut |source, sink| {
            copy_fixed(&plan, &mut { source }, &mut { sink })
        })?;
        checked = check_once(Input::of_temporary(input.info.name, next)?, options)?;
    }
    Ok((checked, fixes, names))
}

/// Checks a dataset, and plans the fixes that are to be applied.
fn check_once(input: Input, options: &Fix) -> io::Result<Checked> {
    let selection = Selection {
        not_safe: options.not_safe,
        select: options.select.clone(),
        ignore: options.ignore.clone(),
    };
    let mut plan = EditPlan::default();
    let mut findings = Vec::new();
    let mut rejects = Rejects::new(Input::temporary());
    let keeps_rejects = options.drop_invalid || options.rejects.is_some();
    let mut take = |found: &[Finding]| {
        if keeps_rejects {
            rejects.note(found);
        }
        for finding in found {
            if let Some(fix) = selection.fix_of(finding) {
                plan.add(fix);
            }
            if options.all || findings.len() < MOST_LISTED {
                findings.push(finding.clone());
            }
        }
    };
    let show = |found: &[Finding], _: &mut Dataset| {
        take(found);
        Ok(())
    };
    let mut outcome = check::check(input, options.check_options(), true, Some(show))?;
    take(&std::mem::take(&mut outcome.report.findings));
    if let Some(why) = outcome.read_error {
        return Err(io::Error::other(why));
    }
    if keeps_rejects {
        rejects.locate(outcome.dataset.check());
    }
    Ok(Checked { input: outcome.dataset.into_input()?, report: outcome.report, plan, findings, rejects })
}

/// What is changed in a ZIP: its entries, and the one whose contents are changed.
struct ArchiveChanges<'a> {
    entries: Vec<EntryEdit>,
    contents: Option<&'a str>,
}

/// A copy of a dataset, changed by `edit`; of a ZIP with these changes.
fn rewritten(
    input: &mut Input,
    archive: Option<ArchiveChanges<'_>>,
    edit: EditContents<'_>,
) -> io::Result<SpooledTempFile> {
    let mut next = Input::temporary();
    input.rewind()?;
    let mut buffered = BufWriter::with_capacity(1 << 18, &mut next);
    if let Some(ArchiveChanges { entries, contents }) = archive {
        let contents = contents.map(|entry| (entry, edit));
        evalcheck_archive::rewrite(input, &mut buffered, &mut Input::temporary(), &entries, contents)?;
    } else {
        edit(input, &mut buffered)?;
    }
    buffered.flush()?;
    drop(buffered);
    Ok(next)
}

/// Writes the result where it is wanted, and what is left to standard error.
fn finish(before: Option<diff::Before>, checked: Checked, fixes: u64, options: &Fix) -> io::Result<Status> {
    let Checked { mut input, report, findings, mut rejects, .. } = checked;
    if options.drop_invalid && report.counts.valid == 0 && !rejects.is_empty() {
        let why = "no record is valid, so that none would be left: nothing was written";
        print_error(&options.file.to_string_lossy(), why);
        return Ok(Status::Findings);
    }
    let entry = report.file.entry.as_deref();
    let mut written = (|| {
        if let Some(path) = &options.rejects {
            let mut out = BufWriter::new(File::create(path)?);
            of_dataset(&mut input, entry, |source| rejects.write(source, &mut out))?;
            out.flush()?;
        }
        let mut result = if options.drop_invalid && !rejects.is_empty() {
            let archive = entry.map(|entry| ArchiveChanges { entries: Vec::new(), contents: Some(entry) });
            let edits = of_dataset(&mut input, entry, |source| rejects.removal(source))?;
            let mut plan = EditPlan::default();
            plan.add(&evalcheck_wire::report::Fix::safe("Leave out the invalid records", edits));
            let without = rewritten(&mut input, archive, &mut |source, sink| {
                copy_fixed(&plan, &mut { source }, &mut { sink })
            })?;
            Input::of_temporary(input.info.name.clone(), without)?
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
    let dropped = if options.drop_invalid { rejects.errors() } else { 0 };
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
