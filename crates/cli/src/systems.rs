//! Checks a file for several systems: those of `--for`, or those that its content fits alike.

use std::io;

use evalcheck_engine::check::Check;
use evalcheck_render::line::{Line, Role};
use evalcheck_render::text::system_line;
use evalcheck_report::text::one_line;
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

impl Systems {
    /// The formats of a file whose first bytes were read; `None` if it is checked for one.
    pub(crate) fn of(options: &args::Check, check: &Check) -> Option<Self> {
        let found = check.format();
        let are_asked = !options.systems.is_empty();
        if !are_asked {
            let is_open = !found.rivals.is_empty();
            return is_open.then(|| Self { ids: [vec![found.id], found.rivals].concat(), are_asked });
        }
        let mut ids = options.systems.clone();
        if ids.iter().any(|id| id == ALL) {
            ids = found.possible();
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

    /// Checks the file for each of them, and writes a line for each; then, if they are asked for, the findings of each. `dataset` is prepared for
    /// the outputs of the only report that there is if they are not.
    pub(crate) fn report(
        &self,
        file: &str,
        dataset: Dataset,
        options: &args::Check,
        policy: &Policy,
        outputs: &mut Outputs,
    ) -> io::Result<Status> {
        let mut ids = self.ids.iter();
        let mut all = Vec::new();
        let mut input = if self.are_asked {
            dataset.into_input()
        } else {
            ids.next();
            read(dataset, options, &mut all)
        };
        for id in ids {
            let wanted = CheckOptions { format: Some(id.clone()), version: None, ..options.check_options() };
            input = read(Dataset::open(input, wanted), options, &mut all);
        }
        let read_error = input.error().map(str::to_owned);
        if let Some(why) = &read_error {
            print_error(file, why);
        }
        let mut statuses = Vec::new();
        let mut lines = Vec::new();
        let mut outcomes = Vec::new();
        for (check, has_ended_early) in all {
            let report = check.report();
            let counts = policy.counts(&report.counts);
            lines.push(system_line(&report, file));
            statuses.push(if read_error.is_some() || !(report.checked || has_ended_early) {
                Status::NotChecked
            } else if policy.fails_counts(&counts) {
                Status::Findings
            } else {
                Status::Clean
            });
            outcomes.push((check, report, counts));
        }
        if !self.are_asked {
            lines.extend(self.choice(file));
            outcomes.truncate(1);
        }
        outputs.lines(&lines)?;
        for (check, report, counts) in outcomes {
            let dataset = Dataset::again(check, input);
            let remarks = Vec::new();
            let mut outcome = Outcome { report, counts, dataset, retracted: 0, read_error: None, remarks };
            let mut pages = outputs.of_file(file, policy, args::in_memory(&options.reading.options));
            if !self.are_asked {
                pages.end_undecided();
            }
            pages.end(&mut outcome)?;
            input = outcome.dataset.into_input();
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

/// Reads a dataset to its end, or until it evidently is of another format, and adds its check, with whether it ended so. Returns the input.
fn read(mut dataset: Dataset, options: &args::Check, all: &mut Vec<(Check, bool)>) -> Input {
    dataset.use_jobs(options.jobs.unwrap_or_else(ahead::cores).get());
    let (mut check, mut input) = dataset.into_parts();
    let mut has_ended_early = false;
    while !has_ended_early && read_piece(&mut check, &mut input) {
        has_ended_early = check.end_if_evident();
    }
    input.progress.end();
    all.push((check, has_ended_early));
    input
}
