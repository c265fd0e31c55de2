//! `test`: every check that a change has to pass, step by step.

mod count;
mod release;
mod steps;
mod wheels;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::seconds;
use count::Count;
use steps::{STEPS, Step};

/// How many steps run at a time, where they may.
const LANES: usize = 2;

/// What can be chosen about the checks.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only this step (may be repeated)
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Not this step (may be repeated)
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,
    /// A step that is skipped because something is missing on this machine has failed
    #[arg(long)]
    no_skip: bool,
    /// List the steps
    #[arg(long)]
    list: bool,
    /// Show the output of steps that pass as well
    #[arg(long, short)]
    verbose: bool,
}

/// The result of a step.
pub(crate) struct Outcome {
    passed: bool,
    tests: Count,
    output: String,
    /// Why the step did not run.
    skipped: Option<String>,
    /// It may be skipped in any case: it needs a tool that is not installed by itself.
    is_optional: bool,
}

/// Runs the steps. The last line is `N passed, N failed`: the tests of cargo and of the browser, and 1 failed for each
/// step that fails without naming a test (a lint, a compiler error).
pub(crate) fn run(options: &Options) -> ExitCode {
    if options.list {
        for step in STEPS {
            println!("{:<12} {}", step.name, step.about);
        }
        return ExitCode::SUCCESS;
    }
    let chosen = match choose(&options.only, &options.skip) {
        Ok(chosen) => chosen,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let start = Instant::now();
    let results = Mutex::new(Results::default());
    for group in chosen.chunk_by(|one, next| one.beside && next.beside) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(step) = group.get(next.fetch_add(1, Ordering::Relaxed)) {
                run_step(step, options, &results);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..LANES.min(group.len()) {
                scope.spawn(work);
            }
            work();
        });
    }
    let Results { total, failed, skipped } = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("took {}", seconds(start.elapsed()));
    if !skipped.is_empty() {
        println!("SKIPPED: {}", skipped.join(", "));
    }
    if !failed.is_empty() {
        println!("FAILED: {}", failed.join(", "));
    }
    println!("{total}");
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the steps came to.
#[derive(Default)]
struct Results {
    total: Count,
    failed: Vec<&'static str>,
    skipped: Vec<&'static str>,
}

/// Runs a step, and says what it came to in one piece: another may run beside it.
fn run_step(step: &Step, options: &Options, results: &Mutex<Results>) {
    println!("== {}: {}", step.name, step.about);
    let began = Instant::now();
    let outcome = (step.run)().unwrap_or_else(|error| Outcome::broken(format!("{error:#}\n")));
    let outcome = if options.no_skip { outcome.without_skipping() } else { outcome };
    let shown = if options.verbose || !outcome.passed { outcome.output.trim_end() } else { "" };
    let shown = if shown.is_empty() { String::new() } else { format!("{shown}\n") };
    let tests = if outcome.tests.all() > 0 { format!(", {}", outcome.tests) } else { String::new() };
    let verdict = match (&outcome.skipped, outcome.passed) {
        (Some(why), _) => format!("SKIPPED: {why}"),
        (None, true) => "ok".to_owned(),
        (None, false) => "FAILED".to_owned(),
    };
    println!("{shown}== {}: {verdict}{tests} ({})\n", step.name, seconds(began.elapsed()));
    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
    results.total.add(outcome.tests_or_failure());
    if !outcome.passed {
        results.failed.push(step.name);
    }
    if outcome.skipped.is_some() {
        results.skipped.push(step.name);
    }
}

fn choose(only: &[String], skip: &[String]) -> Result<Vec<&'static Step>> {
    for name in only.iter().chain(skip) {
        if !STEPS.iter().any(|step| step.name == name) {
            bail!("there is no step {name:?}; `cargo xtask test --list` lists them");
        }
    }
    let named = |list: &[String], step: &Step| list.iter().any(|name| name == step.name);
    let chosen: Vec<_> =
        STEPS.iter().filter(|step| (only.is_empty() || named(only, step)) && !named(skip, step)).collect();
    if chosen.is_empty() {
        bail!("no step is left to run");
    }
    Ok(chosen)
}

impl Outcome {
    fn of(passed: bool, output: String) -> Self {
        Self { passed, tests: Count::default(), output, skipped: None, is_optional: false }
    }

    fn broken(output: String) -> Self {
        Self::of(false, output)
    }

    fn skipped(why: &str) -> Self {
        Self { skipped: Some(why.to_owned()), ..Self::of(true, String::new()) }
    }

    /// A step for those who have a tool that nobody else needs.
    fn optional(why: &str) -> Self {
        Self { is_optional: true, ..Self::skipped(why) }
    }

    /// The same where nothing may be skipped but what is optional.
    fn without_skipping(self) -> Self {
        match self.skipped {
            Some(why) if !self.is_optional => {
                Self::broken(format!("not skipped, because of --no-skip: {why}\n"))
            }
            skipped => Self { skipped, ..self },
        }
    }

    /// What the step adds to the sum: a step that fails counts as a failure even if none of its tests failed.
    fn tests_or_failure(&self) -> Count {
        let failed = if self.passed { self.tests.failed } else { self.tests.failed.max(1) };
        Count { failed, ..self.tests }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str], skip: &[&str]) -> Result<Vec<&'static str>> {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        Ok(choose(&owned(only), &owned(skip))?.iter().map(|step| step.name).collect())
    }

    #[test]
    fn steps_are_chosen_by_name() {
        assert_eq!(names(&["fmt", "doc"], &["doc"]).unwrap(), ["fmt"]);
        assert_eq!(names(&[], &[]).unwrap().len(), STEPS.len());
        assert!(names(&["no-such-step"], &[]).is_err());
        assert!(names(&["fmt"], &["fmt"]).is_err());
    }

    #[test]
    fn a_skipped_step_has_failed_where_nothing_may_be_skipped() {
        let skipped = Outcome::skipped("there is no Python").without_skipping();
        assert!(!skipped.passed && skipped.output.contains("there is no Python"));
        assert_eq!(skipped.tests_or_failure().to_string(), "0 passed, 1 failed");
        assert!(Outcome::of(true, String::new()).without_skipping().passed);
        assert!(Outcome::optional("there is no Trunk").without_skipping().skipped.is_some());
    }

    #[test]
    fn what_runs_beside_others_needs_none_of_them() {
        let beside: Vec<&str> = STEPS.iter().filter(|step| step.beside).map(|step| step.name).collect();
        for step in STEPS.iter().filter(|step| step.about.contains("needs `")) {
            assert!(!step.beside, "{}", step.name);
        }
        // In one group: one after the other they would take twice as long.
        let groups = STEPS.chunk_by(|one, next| one.beside == next.beside).filter(|group| group[0].beside);
        assert_eq!((groups.count(), beside.is_empty()), (1, false), "{beside:?}");
    }

    #[test]
    fn a_step_that_fails_without_a_test_counts_as_one_failure() {
        assert_eq!(Outcome::broken(String::new()).tests_or_failure().to_string(), "0 passed, 1 failed");
        let three = Outcome { tests: Count { passed: 5, failed: 3 }, ..Outcome::broken(String::new()) };
        assert_eq!(three.tests_or_failure().to_string(), "5 passed, 3 failed");
    }
}
