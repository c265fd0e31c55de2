//! `fix`: applies the fixes of findings, round by round, and writes the result.

use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::path::Path;

use evalcheck_archive::Broken;
use evalcheck_engine::fix::Rounds;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::rejects::Rejects;
use evalcheck_report::{Report, Verdict};
use evalcheck_wire::options::Options;
use tempfile::SpooledTempFile;

use crate::args::{self, Args, Fix};
use crate::check::{self, Dataset, Show};
use crate::diff::{self, EntryNames};
use crate::files::{self, Found};
use crate::input::Input;
use crate::new_file::NewFile;
use crate::printer::Printer;
use crate::rewritten::rewritten;
use crate::rules::Policy;
use crate::{Status, decoded, new_file, print_error, replaced, texts};

/// Options of fixing a dataset.
pub(crate) struct Wanted<'o> {
    pub(crate) options: &'o Options,
    /// Whether unsafe fixes are applied.
    pub(crate) not_safe: bool,
    /// Whether to collect the records that are still invalid.
    pub(crate) rejects: bool,
}

/// A dataset with all selected fixes applied.
pub(crate) struct Fixed {
    pub(crate) input: Input,
    report: Report,
    /// The purpose, with the records that are still invalid if they are collected.
    purpose: Purpose<SpooledTempFile>,
    /// The number of fixes applied.
    pub(crate) fixes: u64,
    /// The changes of the entries of a ZIP.
    names: EntryNames,
}

/// Runs the command.
pub(crate) fn run(options: &Fix, args: &Args) -> io::Result<Status> {
    let written: Vec<&Path> =
        options.rejects.as_deref().into_iter().chain(options.output.as_deref()).collect();
    let Some(files::Expanded { files, skipped, .. }) =
        files::expand(&options.files, &options.reading, &written)
    else {
        return Ok(Status::Usage);
    };
    if let Some(why) = contradiction(options, &files) {
        print_error("fix", why);
        return Ok(Status::Usage);
    }
    let inputs =
        files.iter().flatten().map(|dataset| &*dataset.path).chain(options.reading.config.as_deref());
    if !replaced::prepare_dataset(&written, inputs) {
        return Ok(Status::Usage);
    }
    if let Some((path, why)) =
        options.rejects.as_deref().and_then(|path| Some((path, replaced::dataset(path)?)))
    {
        print_error(&path.to_string_lossy(), &why);
        return Ok(Status::Usage);
    }
    if options.in_place {
        new_file::remove_when_interrupted();
    }
    let mut printer = Printer::of_rest(args);
    printer.add_skipped(skipped.len() as u64);
    let (mut applied, mut status) = (0, Status::Clean);
    for found in files {
        let done = found.and_then(|dataset| match fix(&dataset, options, &mut printer) {
            Ok(done) => Ok(done),
            Err(error) => Err((dataset.path, error)),
        });
        match done {
            Ok((count, of_file)) => {
                applied += count;
                status = status.max(of_file);
            }
            Err((path, error)) => {
                printer.add_unread()?;
                print_error(&path.to_string_lossy(), &texts::describe(&error));
                status = Status::NotChecked;
            }
        }
    }
    let what = if shows_diff_only(options) { "Would apply" } else { "Applied" };
    printer.finish(Some((what, applied)))?;
    if shows_diff_only(options) && !options.diff && applied > 0 {
        print_error("fix", "nothing was written: add --in-place, or --output with a file");
    }
    Ok(status)
}

/// Applies fixes to a file and replaces it; returns their number.
pub(crate) fn in_place(dataset: &files::Dataset, options: &args::Check) -> io::Result<u64> {
    let path = &*dataset.path;
    if is_stream(path) {
        return Err(io::Error::other("standard input cannot be replaced: leave --fix out"));
    }
    dataset.check_in_place()?;
    let wanted = Wanted { options: &options.reading.options, not_safe: options.not_safe, rejects: false };
    let mut fixed = fixed(Input::open(path)?, &wanted)?;
    if fixed.fixes > 0 {
        fixed.input.rewind()?;
        new_file::remove_when_interrupted();
        new_file::copy(path, &mut fixed.input)?;
    }
    Ok(fixed.fixes)
}

fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns true if the findings of the dataset describe the error.
fn is_of_archive(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Broken>)
}

/// The contradiction between the arguments, if any.
fn contradiction(options: &Fix, files: &[Found]) -> Option<&'static str> {
    if options.in_place && options.files.paths.iter().any(|file| is_stream(file)) {
        return Some("standard input cannot be replaced: leave --in-place out");
    }
    if files.len() > 1 && !options.in_place && !options.diff {
        return Some(
            "several files need --in-place or --diff: their results would be written one after another",
        );
    }
    (options.rejects.is_some() && files.len() > 1)
        .then_some("--rejects is for one file: the records of the last would replace those of the others")
}

/// Returns true if the changes are shown, and no dataset is written.
fn shows_diff_only(options: &Fix) -> bool {
    options.diff || (options.output.is_none() && !options.in_place && io::stdout().is_terminal())
}

/// Fixes a file, writes the result, and lists the remaining findings. Returns the number of fixes applied.
fn fix(dataset: &files::Dataset, options: &Fix, printer: &mut Printer) -> io::Result<(u64, Status)> {
    let (path, options) = (&*dataset.path, &options.with(&dataset.settings));
    let file = dataset.shown();
    if options.in_place {
        dataset.check_in_place()?;
    }
    let mut original = Input::open(path)?;
    dataset.rename(&mut original);
    let before = if shows_diff_only(options) { Some(original.copy()?) } else { None };
    let rejects = options.drop_invalid || options.rejects.is_some();
    let wanted = Wanted { options: &options.reading.options, not_safe: options.not_safe, rejects };
    let policy = Policy::new(options.reading.options.fixes(true), &dataset.settings);
    let mut fixed = match fixed(original, &wanted) {
        Err(error) if is_of_archive(&error) && !is_stream(path) => {
            print_error(&file, &error.to_string());
            list(Input::open(path)?, dataset, options, &policy, printer)?;
            return Ok((0, Status::NotChecked));
        }
        fixed => fixed?,
    };
    let rejected = fixed.purpose.rejects().map_or(0, Rejects::records);
    if options.drop_invalid && fixed.report.counts.valid == 0 && rejected > 0 {
        print_error(&file, "no record is valid, so that none would be left: nothing was written");
        return Ok((0, Status::Findings));
    }
    match write(&mut fixed, before, [path, Path::new(&*file)], options) {
        // The reader of standard output has stopped.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let out = options.output.as_deref().unwrap_or(path).to_string_lossy();
            print_error(&out, &format!("{error}: name another file, or add --overwrite"));
            return Ok((0, Status::Usage));
        }
        // The findings, which are listed next, describe the error.
        Err(error) if is_of_archive(&error) => {}
        Err(error) => {
            let out = options.output.as_deref().unwrap_or(path).to_string_lossy();
            print_error(&out, &texts::describe(&error));
            return Ok((0, Status::Usage));
        }
        Ok(()) => {}
    }
    let dropped = fixed.purpose.rejects().filter(|_| options.drop_invalid).map_or(0, Rejects::errors);
    let status = match fixed.report.verdict() {
        Verdict::Invalid if fixed.report.counts.errors == dropped => Status::Clean,
        verdict => Status::of(verdict),
    };
    list(fixed.input, dataset, options, &policy, printer)?;
    Ok((fixed.fixes, status))
}

/// Lists the remaining findings as `check` does.
fn list(
    input: Input,
    dataset: &files::Dataset,
    options: &Fix,
    policy: &Policy,
    printer: &mut Printer,
) -> io::Result<()> {
    let file = dataset.shown();
    let mut page = printer.of_file(&file, policy, None);
    let mut outcome = check::check(
        Dataset::open(input, options.reading.options.check()),
        None,
        Some(Show::AtOnce(|findings: &[_], dataset: &mut _| page.findings(findings, dataset))),
    )?;
    outcome.counts = policy.counts(&outcome.counts);
    outcome.report.notes.extend(dataset.note());
    page.end(&mut outcome)
}

/// Checks a dataset and applies the fixes, until there are none.
pub(crate) fn fixed(original: Input, wanted: &Wanted<'_>) -> io::Result<Fixed> {
    let (mut rounds, mut names) = (Rounds::default(), EntryNames::default());
    let mut input = decoded::to_utf8(original, wanted.options)?;
    // From here on it is UTF-8.
    let conversions = u64::from(input.encoding.take().is_some());
    loop {
        let mut purpose = Purpose::fix(wanted.options.fixes(wanted.not_safe), Input::temporary());
        if wanted.rejects {
            purpose = purpose.with_rejects(Input::temporary());
        }
        let report = check::check_for(&mut input, wanted.options.check(), &mut purpose, 1)?;
        let Some(mut plan) = purpose.plan().and_then(|plan| rounds.next(plan)) else {
            return Ok(Fixed { input, report, purpose, fixes: conversions + rounds.fixes(), names });
        };
        names.follow(plan.entries().iter());
        input = rewritten(&mut input, &mut plan, report.file.entry.as_deref())?;
    }
}

/// Writes the rejected records, and the dataset or its changes since `before`.
fn write(
    fixed: &mut Fixed,
    before: Option<Input>,
    [path, shown]: [&Path; 2],
    options: &Fix,
) -> io::Result<()> {
    let entry = fixed.report.file.entry.as_deref();
    if let Some(path) = &options.rejects {
        let mut out = BufWriter::new(NewFile::create(path)?);
        fixed.purpose.write_rejects(&mut fixed.input, entry, &mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
    }
    let mut without_invalid = None;
    if options.drop_invalid && fixed.purpose.rejects().is_some_and(|rejects| rejects.records() > 0) {
        let (mut plan, _) = fixed.purpose.removal(&mut fixed.input, entry, Input::temporary())?;
        without_invalid = Some(rewritten(&mut fixed.input, &mut plan, entry)?);
    }
    let is_changed = fixed.fixes > 0 || without_invalid.is_some();
    let result = without_invalid.as_mut().unwrap_or(&mut fixed.input);
    if let Some(input) = before {
        let mut before = diff::Before { input, names: std::mem::take(&mut fixed.names) };
        return diff::write(&mut before, result, entry, &shown.to_string_lossy());
    }
    result.rewind()?;
    match options.output.as_deref().or(options.in_place.then_some(path)) {
        None => {
            let mut out = io::stdout().lock();
            io::copy(result, &mut out)?;
            out.flush()
        }
        Some(path) if options.in_place && !is_changed && path.is_file() => Ok(()),
        Some(path) => {
            replaced::allow(path, options.in_place || options.overwrite, result)?;
            result.rewind()?;
            new_file::copy(path, result)
        }
    }
}
