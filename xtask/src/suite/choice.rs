//! The selection of steps for a run.

use std::process::Command;

use anyhow::{Result, bail};

use super::step::{Job, Step, Suite};
use super::steps::STEPS;
use crate::process::output;

/// The steps to run. All conditions have to hold.
#[derive(Default)]
pub(super) struct Choice<'a> {
    /// Only these, of either suite; all if it is empty.
    pub(super) only: &'a [String],
    pub(super) skip: &'a [String],
    pub(super) job: Option<Job>,
    /// Only those that depend on one of these paths, and the steps that they need.
    pub(super) changed: Option<&'a [String]>,
}

/// The chosen steps, in their order.
pub(super) fn choose(suite: Suite, choice: &Choice) -> Result<Vec<&'static Step>> {
    for name in choice.only.iter().chain(choice.skip) {
        if !STEPS.iter().any(|step| step.name == name) {
            bail!("there is no step {name:?}; `cargo xtask test --list` lists them");
        }
    }
    let named = |list: &[String], step: &Step| list.iter().any(|name| name == step.name);
    let is_chosen = |step: &&Step| {
        let in_suite = if choice.only.is_empty() { step.is_in(suite) } else { named(choice.only, step) };
        let in_job = choice.job.is_none_or(|job| job == step.job);
        let depends = choice.changed.is_none_or(|paths| paths.iter().any(|path| step.depends_on(path)));
        in_suite && in_job && depends && !named(choice.skip, step)
    };
    let mut chosen: Vec<&Step> = STEPS.iter().filter(is_chosen).collect();
    if choice.changed.is_some() {
        let needed: Vec<&str> = chosen.iter().flat_map(|step| step.needs).copied().collect();
        let is_needed = |step: &Step| step.is_in(suite) && needed.contains(&step.name);
        chosen = STEPS
            .iter()
            .filter(|step| chosen.iter().any(|one| one.name == step.name) || is_needed(step))
            .collect();
    }
    Ok(chosen)
}

/// The paths that differ from a revision, or from the point where the current branch left it.
pub(super) fn changed_since(revision: &str) -> Result<Vec<String>> {
    let mut diff = Command::new("git");
    diff.current_dir(crate::root()).args(["diff", "--name-only", "--merge-base", revision]);
    Ok(output(&mut diff)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::step::EVERY_STEP;

    fn names(suite: Suite, choice: &Choice) -> Vec<&'static str> {
        choose(suite, choice).unwrap().iter().map(|step| step.name).collect()
    }

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let (both, doc) = (owned(&["fmt", "doc"]), owned(&["doc"]));
        assert_eq!(names(Suite::Quick, &Choice { only: &both, skip: &doc, ..Choice::default() }), ["fmt"]);
        let full = owned(&["clippy-wasm"]);
        assert_eq!(names(Suite::Quick, &Choice { only: &full, ..Choice::default() }), ["clippy-wasm"]);
        let unknown = owned(&["no-such-step"]);
        assert!(choose(Suite::Quick, &Choice { only: &unknown, ..Choice::default() }).is_err());
    }

    #[test]
    fn the_full_suite_has_all_steps_and_the_quick_one_those_of_every_job() {
        assert_eq!(names(Suite::Full, &Choice::default()).len(), STEPS.len());
        let quick = choose(Suite::Quick, &Choice::default()).unwrap();
        for job in [Job::Check, Job::Test, Job::Browser, Job::Packages] {
            assert!(quick.iter().any(|step| step.job == job), "{job:?}");
        }
        for name in ["test", "build", "loaders", "browser"] {
            assert!(quick.iter().any(|step| step.name == name), "{name}");
        }
    }

    #[test]
    fn changed_paths_choose_steps_and_what_they_need() {
        let of = |path: &str| {
            let changed = owned(&[path]);
            names(Suite::Quick, &Choice { changed: Some(&changed), ..Choice::default() })
        };
        assert_eq!(of("SECURITY.md"), [""; 0]);
        assert_eq!(of("tests/firefox/firefox.test.mjs"), ["build", "firefox"]);
        assert_eq!(of("Cargo.lock").len(), choose(Suite::Quick, &Choice::default()).unwrap().len());
    }

    #[test]
    fn every_path_exists_and_every_need_is_an_earlier_step_of_the_job() {
        for (number, step) in STEPS.iter().enumerate() {
            for path in step.paths.iter().copied().flatten().chain(&EVERY_STEP) {
                assert!(crate::root().join(path).exists(), "{}: {path}", step.name);
            }
            for need in step.needs {
                let found = STEPS[..number].iter().find(|earlier| earlier.name == *need);
                assert!(found.is_some_and(|found| found.job == step.job), "{} needs {need}", step.name);
            }
        }
    }
}
