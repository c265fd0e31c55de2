//! `check`: checks files and writes their reports.

use std::io::{self, IsTerminal};
use std::path::Path;

use evalcheck_engine::parts::PartProblem;
use evalcheck_report::Finding;
use evalcheck_wire::worker::CheckOptions;

use crate::args::{self, Args, Output, in_memory};
use crate::baseline::Baselines;
use crate::check::{self, Dataset, Outcome, Show};
use crate::filter::{Filter, Filtered};
use crate::input::Input;
use crate::listing::Listing;
use crate::outputs::Outputs;
use crate::parts::Parts;
use crate::rerun::Snapshot;
use crate::rules::Policy;
use crate::state::Kept;
use crate::systems::Systems;
use crate::{Status, ahead, files, fix, links, print_error, printer, query, replaced, texts};

/// Clears a terminal.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// Checks files and writes their reports; with `--watch`, whenever one of them changes.
pub(crate) fn run(options: &args::Check, args: &Args, status: &mut Status) -> io::Result<()> {
    if options.diff {
        *status = fix::run(&args::Fix::diff_of(options), args)?;
        return Ok(());
    }
    if !options.watch {
        return check_all(options, args, None, status);
    }
    if options.files.paths.iter().any(|path| path.as_os_str() == "-") {
        print_error("--watch", "standard input is read once: name files or folders");
        *status = Status::Usage;
        return Ok(());
    }
    loop {
        let snapshot = Snapshot::of(options);
        if io::stdout().is_terminal() {
            printer::page(CLEAR)?;
        }
        check_all(options, args, None, &mut { Status::Clean })?;
        snapshot.wait(options);
    }
}

/// Checks a file whose parts contain many known lines, and writes the report.
pub(crate) fn run_with_parts(
    options: &args::Check,
    args: &Args,
    parts: Parts,
    status: &mut Status,
) -> io::Result<()> {
    check_all(options, args, Some(parts), status)
}

/// Checks files once, and writes their reports. `parts` holds the known lines of a single file.
fn check_all(
    options: &args::Check,
    args: &Args,
    mut parts: Option<Parts>,
    status: &mut Status,
) -> io::Result<()> {
    let Some(Prepared { files, filter, mut baselines, mut outputs }) = Prepared::new(options, args) else {
        *status = Status::Usage;
        return Ok(());
    };
    let mut applied = options.fix.then_some(0);
    for found in files {
        let checked = found.and_then(|dataset| {
            let mut reading = options.reading.clone();
            if let Some(applied) = &mut applied {
                match fix::in_place(&dataset, &options.with(&dataset.settings)) {
                    Ok(count) => *applied += count,
                    Err(error) => return Err((dataset.path, error)),
                }
                // A fixed file is UTF-8.
                reading.options.0.encoding = None;
            }
            dataset.open(&reading)
        });
        match checked {
            Ok((dataset, input, _)) => {
                let parts = parts.take();
                let checked = Checked { dataset, options, filter: filter.as_ref(), parts };
                checked.report(input, &mut baselines, &mut outputs, status)?;
            }
            Err((path, error)) => {
                let (file, why) = (path.to_string_lossy(), texts::describe(&error));
                outputs.add_unread(&file, &why)?;
                print_error(&file, &why);
                *status = Status::NotChecked;
            }
        }
    }
    if let Err((path, error)) = baselines.write() {
        print_error(&path.to_string_lossy(), &error.to_string());
        *status = (*status).max(Status::Usage);
    }
    if !outputs.finish(applied.map(|fixes| ("Applied", fixes)))? {
        *status = (*status).max(Status::Usage);
    }
    Ok(())
}

/// The files of a run, and all that is opened before the first of them is checked.
struct Prepared {
    files: Vec<files::Found>,
    filter: Option<Filter>,
    baselines: Baselines,
    outputs: Outputs,
}

impl Prepared {
    /// `None` if the arguments do not fit together, or something cannot be read or written: the reason is on standard error.
    fn new(options: &args::Check, args: &Args) -> Option<Self> {
        let files::Expanded { files, skipped, .. } =
            files::expand(&options.files, &options.reading, &options.written())?;
        if let Some((option, why)) = refusal(options, &files) {
            print_error(option, &why);
            return None;
        }
        let filter = match &options.filter {
            Some(text) => {
                let (query, most) = (query::parse(text)?, options.most_findings());
                Some(Filter { text: text.clone(), query, most })
            }
            None => None,
        };
        let mut written = options.written();
        written.retain(|path| options.write_baseline || options.baseline.as_deref() != Some(*path));
        let datasets = files.iter().flatten().map(|dataset| &*dataset.path);
        // A baseline is an input, unless it is to be written.
        let settings = files.iter().flatten().filter_map(|dataset| dataset.settings.baseline.as_deref());
        let baselines =
            options.baseline.as_deref().into_iter().chain(settings).filter(|_| !options.write_baseline);
        let inputs = datasets.chain(options.reading.config.as_deref()).chain(baselines);
        if !replaced::prepare(&written, inputs) {
            return None;
        }
        let baselines = open_baselines(options, &files)?;
        let mut outputs = Outputs::open(options, args)
            .map_err(|(path, error)| print_error(&path.to_string_lossy(), &error.to_string()))
            .ok()?;
        outputs.add_skipped(skipped.len() as u64);
        Some(Self { files, filter, baselines, outputs })
    }
}

/// The reason why these files cannot be checked with the options, and the option.
fn refusal(options: &args::Check, files: &[files::Found]) -> Option<(&'static str, String)> {
    if options.state.is_some() && files.len() != 1 {
        return Some(("--state", "it is kept for one file: name one".to_owned()));
    }
    let has_baseline = options.baseline.is_some()
        || files.iter().flatten().any(|dataset| dataset.settings.baseline.is_some());
    let of_several = |output: &Output| !options.systems.is_empty() && !output.is_of_several();
    if options.outputs().any(|output| of_several(&output)) {
        return Some(("--for", "a report for each format: use --output text, short or jsonl".to_owned()));
    }
    let refusal = |output: Output| output.refusal(files.len(), options.filter.is_some(), has_baseline);
    options.outputs().find_map(refusal).map(|why| ("--output", why))
}

/// Reads the baselines of files. `None` if one cannot be read, or is missing, which is reported on standard error.
fn open_baselines(options: &args::Check, files: &[files::Found]) -> Option<Baselines> {
    let datasets = files.iter().flatten();
    let paths: Vec<_> = datasets.map(|dataset| options.with(&dataset.settings).baseline).collect();
    // A baseline that the arguments name may be a pipe.
    if options.baseline.is_none()
        && let Some((path, why)) = paths
            .iter()
            .flatten()
            .find_map(|path| links::refusal(path, !options.files.no_follow).map(|why| (path, why)))
    {
        print_error(&path.to_string_lossy(), &why);
        return None;
    }
    if options.write_baseline && paths.contains(&None) {
        print_error(
            "--write-baseline",
            "to which file? Add --baseline FILE, or a baseline to the configuration.",
        );
        return None;
    }
    Baselines::open(paths.into_iter().flatten(), options.write_baseline)
        .map_err(|(path, why)| print_error(&path.to_string_lossy(), &why))
        .ok()
}

/// A file to check.
struct Checked<'c> {
    dataset: files::Dataset,
    options: &'c args::Check,
    filter: Option<&'c Filter>,
    /// The known lines of the file.
    parts: Option<Parts>,
}

impl Checked<'_> {
    /// Checks the file and writes its report. The status is set first, so that it is valid if writing fails.
    fn report(
        mut self,
        input: Input,
        baselines: &mut Baselines,
        outputs: &mut Outputs,
        status: &mut Status,
    ) -> io::Result<()> {
        let parts = self.parts.take();
        let file = self.dataset.shown();
        let options = self.options.with(&self.dataset.settings);
        let policy = options.policy(&self.dataset.settings);
        let mut dataset = Dataset::open(input, options.check_options());
        if options.outputs().any(|output| output == Output::Html) {
            dataset.prepare_page();
        }
        if let Some(systems) = Systems::of(&options, dataset.check()).filter(|_| parts.is_none()) {
            let found = systems.report(&file, dataset, &options, &policy, outputs)?;
            *status = (*status).max(found);
            return Ok(());
        }
        let filtered = match self.filter.map(|filter| dataset.filter(filter)).transpose() {
            Ok(filtered) => filtered,
            Err(error) => {
                print_error(&file, &error.message);
                *status = (*status).max(Status::Usage);
                return outputs.add_unread(&file, &error.message);
            }
        };
        let kept = match look_ahead(parts, &options, &mut dataset) {
            Ok(kept) => kept,
            Err(why) => {
                print_error(&file, &why.to_string());
                *status = Status::NotChecked;
                return outputs.add_unread(&file, &why.to_string());
            }
        };
        let mut pages = outputs.of_file(&file, &policy, in_memory(&options.reading.options));
        let mut failing = Failing { policy: &policy, fails: false, loses: false };
        let outcome = if let Some(baseline) = &options.baseline {
            let paths = [baseline, &*self.dataset.path];
            compared(paths, &options, &policy, dataset, filtered, baselines).map(|(outcome, known)| {
                pages.known(&known);
                outcome
            })
        } else {
            let show = |findings: &[Finding], dataset: &mut Dataset| {
                failing.note(findings);
                pages.findings(findings, dataset)
            };
            check::check(dataset, filtered, options.streams().then_some(Show::AtOnce(show)))
        };
        if let Ok(outcome) = &outcome {
            failing.note(&outcome.report.findings);
        }
        if outcome.is_err() && failing.fails {
            *status = (*status).max(Status::Findings);
        }
        let mut outcome = outcome?;
        outcome.report.notes.extend(self.dataset.note());
        outcome.counts = policy.counts(&outcome.counts);
        *status = (*status).max(failing.status(&outcome));
        if let Some(why) = &outcome.read_error {
            print_error(&file, why);
        } else if let Some(kept) = kept.filter(|_| outcome.report.checked)
            && let Err(error) = kept.write()
        {
            print_error("--state", &texts::describe(&error));
            *status = (*status).max(Status::Usage);
        }
        pages.end(&mut outcome)
    }
}

/// Checks a file against a baseline. The paths are those of the baseline and of the file. Returns the outcome, whose report lists the findings
/// that are not in the baseline, and the findings that are.
fn compared(
    [baseline, file]: [&Path; 2],
    options: &args::Check,
    policy: &Policy,
    dataset: Dataset,
    filtered: Option<Filtered<'_>>,
    baselines: &mut Baselines,
) -> io::Result<(Outcome, Vec<Finding>)> {
    let mut found = Baselines::listing();
    let collect = |findings: &[Finding], _: &mut Dataset| {
        let selected = findings.iter().filter(|finding| policy.selects(&finding.code));
        selected.for_each(|finding| found.add(finding));
        Ok(())
    };
    let mut outcome = check::check(dataset, filtered, Some(Show::Counting(collect)))?;
    let compared = baselines.apply(baseline, file, found, policy, &mut outcome)?;
    outcome.remarks = compared.remarks;
    let mut listing = Listing::new(options.reading.options.max_findings);
    outcome.report.findings.iter().for_each(|finding| listing.add(finding));
    outcome.report.findings = listing.kept;
    Ok((outcome, compared.known))
}

/// Finds known lines ahead of the check: from parts, from the state of an earlier check, or with threads. Returns the state to keep.
fn look_ahead(
    parts: Option<Parts>,
    options: &args::Check,
    dataset: &mut Dataset,
) -> Result<Option<Kept>, PartProblem> {
    let jobs = options.jobs.unwrap_or_else(ahead::cores).get();
    if let Some(parts) = &parts {
        parts.check_plan(dataset.check())?;
    }
    if let Some(folder) = &options.sort_ids_in {
        sort_ids(folder, parts.as_ref(), jobs, &options.check_options(), dataset)
            .map_err(|error| PartProblem::NotRead(texts::describe(&error)))?;
    }
    if let Some(parts) = parts {
        dataset.pass_over(parts.into_found());
        return Ok(None);
    }
    if let Some(path) = &options.state {
        let kept = Kept::prepare(path, dataset, &options.check_options(), jobs);
        if kept.is_some() {
            return Ok(kept);
        }
    }
    dataset.use_jobs(jobs);
    Ok(None)
}

/// Reads a dataset once before its check, which then keeps only repeated ids in memory.
fn sort_ids(
    folder: &Path,
    parts: Option<&Parts>,
    jobs: usize,
    options: &CheckOptions,
    dataset: &mut Dataset,
) -> io::Result<()> {
    let again = dataset.file_again().cloned();
    let again = again
        .ok_or_else(|| io::Error::other("--sort-ids-in reads the dataset twice: write it to a file first"))?;
    let options = CheckOptions { max_findings_per_code: Some(0), all: false, ..options.clone() };
    let mut first = Dataset::open(Input::open(again.path())?, options);
    match parts {
        Some(parts) => first.pass_over(parts.clone().into_found()),
        None => first.use_jobs(jobs),
    }
    if let Some(repeated) = first.repeated_ids(folder)? {
        dataset.remember_only(repeated, &mut first);
    }
    Ok(())
}

/// Whether findings fail the check.
struct Failing<'p> {
    policy: &'p Policy,
    fails: bool,
    /// Whether the system loses something.
    loses: bool,
}

impl Failing<'_> {
    fn note(&mut self, findings: &[Finding]) {
        for finding in findings.iter().filter_map(|finding| self.policy.listed(finding)) {
            self.fails |= self.policy.fails(&finding);
            self.loses |= finding.loss.is_some();
        }
    }

    /// The status of a file. Shown findings may not count any more, so the counts decide.
    fn status(&self, outcome: &Outcome) -> Status {
        if outcome.read_error.is_some() || !outcome.report.checked {
            Status::NotChecked
        } else if self.policy.fails_counts(&outcome.counts) || (self.loses && self.policy.fails_on_loss) {
            Status::Findings
        } else if outcome.report.format.is_fallback() && !self.policy.never_fails {
            // No build succeeds because a misspelt key hides the system.
            Status::NotChecked
        } else {
            Status::Clean
        }
    }
}
