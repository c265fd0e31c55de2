//! Checks a file for several systems: those of `--for`, or those that its content fits alike.

use std::io;

use evalcheck_engine::check::Check;
use evalcheck_render::line::{Line, Role};
use evalcheck_render::text::system_line;
use evalcheck_report::text::one_line;
use evalcheck_report::{Finding, Report, Severity};
use evalcheck_wire::worker::CheckOptions;

use crate::args::{self, ALL};
use crate::check::{Dataset, Outcome, read_piece};
use crate::input::Input;
use crate::outputs::Outputs;
use crate::rules::Policy;
use crate::{Status, ahead, print_error};

/// The formats that a file is to be checked for.
pub(crate) struct Systems {
    ids: Vec<String>,
    /// Whether `--for` asks for them. Otherwise the content fits all of them, and the file has no verdict.
    are_asked: bool,
}

/// The check of a file for one of several systems.
struct Checked {
    check: Check,
    /// Whether it ended early, because the dataset is evidently of another format.
    has_ended_early: bool,
}

impl Systems {
    /// The formats of a file whose first bytes were read; `None` if it is checked for one.
    pub(crate) fn of(options: &args::Check, check: &Check) -> Option<Self> {
        let found = check.report().format;
        let are_asked = !options.systems.is_empty();
        if !are_asked {
            let is_open = !found.rivals.is_empty();
            return is_open.then(|| Self { ids: [vec![found.id], found.rivals].concat(), are_asked });
        }
        let mut ids = options.systems.clone();
        if ids.iter().any(|id| id == ALL) {
            let others = found.others.into_iter().filter(|other| other.confidence > 0).map(|other| other.id);
            // Plain data is what remains where no system is likely.
            ids = if found.plain { Vec::new() } else { vec![found.id.clone()] };
            ids.extend(others);
            if ids.is_empty() {
                ids.push(found.id);
            }
        }
        let mut seen = Vec::new();
        ids.retain(|id| {
            !id.is_empty() && !seen.contains(id) && {
                seen.push(id.clone());
                true
            }
        });
        (!ids.is_empty()).then_some(Self { ids, are_asked })
    }

    /// Checks the file for each of them, and writes a line for each; then, if they are asked for, the findings of each.
    pub(crate) fn report(
        &self,
        file: &str,
        dataset: Dataset,
        options: &args::Check,
        policy: &Policy,
        outputs: &mut Outputs,
    ) -> io::Result<Status> {
        let mut input = dataset.into_input();
        let mut all = Vec::new();
        for (number, id) in self.ids.iter().enumerate() {
            let chosen = (number > 0 || self.are_asked).then(|| id.clone());
            let checked;
            (checked, input) = check(input, chosen, options);
            all.push(checked);
        }
        let read_error = input.error().map(str::to_owned);
        if let Some(why) = &read_error {
            print_error(file, why);
        }
        let reports: Vec<Report> = all.iter().map(|checked| checked.check.report()).collect();
        let mut statuses = Vec::new();
        let mut lines = Vec::new();
        for (report, checked) in reports.iter().zip(&all) {
            let counts = policy.counts(&report.counts);
            let listed = Report { counts, ..report.clone() };
            lines.push(system_line(&listed, first_error(report, policy).as_ref(), file));
            let is_decided = report.checked || checked.has_ended_early;
            statuses.push(if read_error.is_some() || !is_decided {
                Status::NotChecked
            } else if policy.fails_counts(&listed.counts) {
                Status::Findings
            } else {
                Status::Clean
            });
        }
        if !self.are_asked {
            lines.extend(self.choice(file));
        }
        outputs.lines(&lines)?;
        for (checked, report) in all.into_iter().zip(reports) {
            let counts = policy.counts(&report.counts);
            let dataset = Dataset::again(checked.check, input);
            let remarks = Vec::new();
            let mut outcome = Outcome { report, counts, dataset, retracted: 0, read_error: None, remarks };
            let mut pages = outputs.of_file(file, policy, args::in_memory(&options.reading.options));
            if !self.are_asked {
                pages.end_undecided();
            }
            pages.end(&mut outcome)?;
            input = outcome.dataset.into_input();
            if !self.are_asked {
                break;
            }
        }
        Ok(self.status(&statuses, policy))
    }

    /// The status of the file. If it fits several systems alike, only what all of them refuse is decided.
    fn status(&self, statuses: &[Status], policy: &Policy) -> Status {
        let worst = statuses.iter().copied().max().unwrap_or(Status::NotChecked);
        let is_refused = statuses.iter().all(|status| *status == Status::Findings);
        if self.are_asked || is_refused || policy.never_fails { worst } else { Status::NotChecked }
    }

    /// Says that the user has to choose.
    fn choice(&self, file: &str) -> [Line; 2] {
        let note = format!("this looks like {}: which one is meant?", self.ids.join(" or "));
        let help = format!("Name it with --format. --for {} lists the findings of each.", self.ids.join(","));
        let file = (Role::Plain, format!("{}: ", one_line(file)));
        [
            Line::of([file, (Role::Strong, "note: ".to_owned()), (Role::Plain, note)]),
            Line::of([(Role::Help, "  help: ".to_owned()), (Role::Plain, help)]),
        ]
    }
}

/// Checks an input for one format, or as it is detected.
fn check(input: Input, format: Option<String>, options: &args::Check) -> (Checked, Input) {
    let mut wanted = options.check_options();
    if format.is_some() {
        wanted = CheckOptions { format, version: None, ..wanted };
    }
    let mut dataset = Dataset::open(input, wanted);
    dataset.use_jobs(options.jobs.unwrap_or_else(ahead::cores).get());
    let (mut check, mut input) = dataset.into_parts();
    let mut has_ended_early = false;
    while !has_ended_early && read_piece(&mut check, &mut input) {
        has_ended_early = check.end_if_evident();
    }
    input.progress.end();
    (Checked { check, has_ended_early }, input)
}

/// The first error of a report, as it is listed.
fn first_error(report: &Report, policy: &Policy) -> Option<Finding> {
    let listed = report.findings.iter().filter_map(|finding| policy.listed(finding));
    listed.filter(|finding| finding.severity == Severity::Error).map(std::borrow::Cow::into_owned).next()
}
