//! `test`: every check that a change has to pass, step by step.

mod choice;
mod count;
mod kept;
mod loaders;
mod native;
mod page;
mod programs;
mod release;
mod step;
mod steps;
mod summary;
mod wheels;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::process::{capture, dev_command, fast_command, say, seconds, time_compiling};
use choice::{Choice, choose};
use count::Count;
use kept::Kept;
use step::{Job, Step, Suite};
use steps::STEPS;
use summary::{Ran, Summary, TimedTest};

/// The number of steps that run at a time: most steps use one core for much of their time.
const LANES: usize = 2;

/// The variable with the path of the `evalcheck` command, for tests that are not in Rust.
const COMMAND_VARIABLE: &str = "EVALCHECK_CLI";

/// The `evalcheck` command for tests that are not in Rust. In the quick suite it costs nothing, because the tests in Rust have compiled
/// it.
fn command(suite: Suite) -> Result<PathBuf> {
    match suite {
        Suite::Quick => dev_command(),
        Suite::Full => fast_command(),
    }
}

/// Options of the checks.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Options {
    /// Run everything, as every night and before a release; without it, the checks that every change has to pass
    #[arg(long)]
    full: bool,
    /// Only this step (may be repeated)
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Not this step (may be repeated)
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,
    /// Only the steps of this job of the workflow
    #[arg(long, value_enum, value_name = "JOB")]
    job: Option<Job>,
    /// Only the steps that depend on what has changed since this revision
    #[arg(long, value_name = "REVISION")]
    changed: Option<String>,
    /// A step that is skipped because something is missing on this machine has failed
    #[arg(long)]
    no_skip: bool,
    /// List the steps: what each guards, its job, and of those of the full suite what the quick one may miss
    #[arg(long)]
    list: bool,
    /// Show the output of steps that pass as well
    #[arg(long, short)]
    verbose: bool,
}

impl Options {
    fn suite(&self) -> Suite {
        if self.full { Suite::Full } else { Suite::Quick }
    }

    /// Whether no step is left out, except those of other jobs: then all compiled files that are still needed have been used.
    fn is_whole(&self) -> bool {
        self.only.is_empty() && self.skip.is_empty() && self.changed.is_none()
    }

    fn steps(&self) -> Result<Vec<&'static Step>> {
        let changed = self.changed.as_deref().map(choice::changed_since).transpose()?;
        let choice =
            Choice { only: &self.only, skip: &self.skip, job: self.job, changed: changed.as_deref() };
        choose(self.suite(), &choice)
    }
}

/// The result of a step.
pub(crate) struct Outcome {
    passed: bool,
    tests: Count,
    /// Its tests with their durations, if it knows them.
    tests_by_time: Vec<TimedTest>,
    output: String,
    /// The reason why the step did not run.
    skipped: Option<String>,
    /// Whether it may always be skipped: it needs a tool that is not installed automatically.
    is_optional: bool,
}

/// Runs the steps. The last line is `N passed, N failed`: the tests of cargo and of the browser, and 1 failed for each
/// step that fails without naming a test (a lint, a compiler error).
pub(crate) fn run(options: &Options) -> ExitCode {
    if options.list {
        for step in STEPS {
            println!(
                "{:<12} {:<5} {:?}: {}",
                step.name,
                if step.unnoticed.is_some() { "full" } else { "quick" },
                step.job,
                step.guards
            );
            if let Some(unnoticed) = step.unnoticed {
                println!("{:<18} not noticed by the quick suite: {unnoticed}", "");
            }
        }
        return ExitCode::SUCCESS;
    }
    let chosen = match options.steps() {
        Ok(chosen) => chosen,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    if chosen.is_empty() {
        println!("no step depends on what has changed");
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let kept = match Kept::open() {
        Ok(kept) => kept,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let dependencies = kept.at_start;
    let results = Results::default();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(step) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            results.wait_for(&chosen, step);
            results.add(run_step(step, options));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(work);
        }
    });
    if options.is_whole() {
        kept.prune();
    }
    let summary = results.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    let file = summary.to_json(options.suite().name(), start.elapsed(), dependencies);
    if let Err(error) = std::fs::write(crate::root().join("target").join("suite.json"), format!("{file:#}\n"))
    {
        say(format!("NOTE: target/suite.json is not written: {error}"));
    }
    print!("{}", summary.table());
    println!(
        "the {} suite took {}; compiled dependencies: {dependencies}",
        options.suite().name(),
        seconds(start.elapsed())
    );
    let (skipped, failed) = (summary.names(|step| step.skipped), summary.names(|step| !step.passed));
    if !skipped.is_empty() {
        println!("SKIPPED: {}", skipped.join(", "));
    }
    if !failed.is_empty() {
        println!("FAILED: {}", failed.join(", "));
    }
    println!("{}", summary.tests());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The results of the steps.
#[derive(Default)]
struct Results {
    summary: Mutex<Summary>,
    added: Condvar,
}

impl Results {
    fn add(&self, ran: Ran) {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).steps.push(ran);
        self.added.notify_all();
    }

    /// Waits until the chosen steps that a step needs have run. They come before it, so they are running or have run.
    fn wait_for(&self, chosen: &[&Step], step: &Step) {
        let is_missing = |summary: &mut Summary| {
            chosen.iter().any(|one| step.needs.contains(&one.name) && !summary.has(one.name))
        };
        let summary = self.summary.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.added.wait_while(summary, is_missing));
    }
}

/// Runs a step, and prints its result in one piece: another may run in parallel.
fn run_step(step: &Step, options: &Options) -> Ran {
    println!("== {}: {}", step.name, step.guards);
    let began = Instant::now();
    time_compiling();
    let outcome = (step.run)(options.suite()).unwrap_or_else(|error| Outcome::broken(format!("{error:#}\n")));
    let outcome = if options.no_skip { outcome.without_skipping() } else { outcome };
    let (time, compiling) = (began.elapsed(), time_compiling());
    let shown = if options.verbose || !outcome.passed { outcome.output.trim_end() } else { "" };
    let shown = if shown.is_empty() { String::new() } else { format!("{shown}\n") };
    let tests = if outcome.tests.all() > 0 { format!(", {}", outcome.tests) } else { String::new() };
    let verdict = match (&outcome.skipped, outcome.passed) {
        (Some(why), _) => format!("SKIPPED: {why}"),
        (None, true) => "ok".to_owned(),
        (None, false) => "FAILED".to_owned(),
    };
    println!("{shown}== {}: {verdict}{tests} ({})\n", step.name, seconds(time));
    let (passed, tests) = (outcome.passed, outcome.tests);
    let (skipped, tests_by_time) = (outcome.skipped.is_some(), outcome.tests_by_time);
    Ran { name: step.name, time, compiling, tests, passed, skipped, tests_by_time }
}

impl Outcome {
    fn of(passed: bool, output: String) -> Self {
        Self {
            passed,
            tests: Count::default(),
            tests_by_time: Vec::new(),
            output,
            skipped: None,
            is_optional: false,
        }
    }

    fn broken(output: String) -> Self {
        Self::of(false, output)
    }

    fn skipped(why: &str) -> Self {
        Self { skipped: Some(why.to_owned()), ..Self::of(true, String::new()) }
    }

    /// A step for users of a tool that nobody else needs.
    fn optional(why: &str) -> Self {
        Self { is_optional: true, ..Self::skipped(why) }
    }

    /// The same outcome, but failed if it is skipped and not optional.
    fn without_skipping(self) -> Self {
        match self.skipped {
            Some(why) if !self.is_optional => {
                Self::broken(format!("not skipped, because of --no-skip: {why}\n"))
            }
            skipped => Self { skipped, ..self },
        }
    }
}

/// Runs tests with Node's test runner.
fn node_tests(node: &mut Command, arguments: &[&str]) -> Result<Outcome> {
    let outcome = plain(node.args(["--test", "--test-reporter=tap"]).args(arguments))?;
    let tests = Count::from_tap(&outcome.output);
    counted(Outcome { tests, ..outcome })
}

/// The outcome of tests: a run that passes without a single test is an error.
fn counted(outcome: Outcome) -> Result<Outcome> {
    ensure!(!outcome.passed || outcome.tests.passed > 0, "no test ran:\n{}", outcome.output);
    Ok(outcome)
}

/// A command that passes or fails by its exit status.
fn plain(command: &mut Command) -> Result<Outcome> {
    let (status, output) = capture(command.env("CARGO_TERM_COLOR", "never"))?;
    Ok(Outcome::of(status.success(), output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_step_has_failed_where_nothing_may_be_skipped() {
        let skipped = Outcome::skipped("there is no Python").without_skipping();
        assert!(!skipped.passed && skipped.output.contains("there is no Python"));
        assert!(Outcome::of(true, String::new()).without_skipping().passed);
        assert!(Outcome::optional("there is no Trunk").without_skipping().skipped.is_some());
    }
}
