//! A step of the suite: what it guards, its suite, and the paths on which it depends.

use std::process::Command;

use anyhow::Result;

use super::Outcome;

/// The variable with the name of the suite, for tests in other programs.
const VARIABLE: &str = "EVALCHECK_SUITE";

/// The extent of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suite {
    /// For every change. It runs only a small part of expensive guards.
    Quick,
    /// Every night, before a release, and before an issue is closed.
    Full,
}

impl Suite {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// Passes the name of the suite to a program that runs tests.
    pub(super) fn tell(self, command: &mut Command) -> &mut Command {
        command.env(VARIABLE, self.name())
    }
}

/// The jobs of `.github/workflows/ci.yml`, which run at the same time on separate machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Job {
    Check,
    Test,
    Browser,
    Packages,
}

/// A step.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) job: Job,
    /// The defects that it detects.
    pub(super) guards: &'static str,
    /// If it is only in the full suite: the defects that can remain unnoticed between two nights.
    pub(super) unnoticed: Option<&'static str>,
    /// Prefixes of the paths on which its outcome depends, besides [`EVERY_STEP`].
    pub(super) paths: &'static [&'static [&'static str]],
    /// Steps that have to run before it.
    pub(super) needs: &'static [&'static str],
    pub(super) run: fn(Suite) -> Result<Outcome>,
}

impl Step {
    pub(super) const fn new(
        job: Job,
        name: &'static str,
        guards: &'static str,
        paths: &'static [&'static [&'static str]],
        run: fn(Suite) -> Result<Outcome>,
    ) -> Self {
        Self { name, job, guards, unnoticed: None, paths, needs: &[], run }
    }

    /// A step that is only in the full suite.
    pub(super) const fn full(self, unnoticed: &'static str) -> Self {
        Self { unnoticed: Some(unnoticed), ..self }
    }

    pub(super) const fn after(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub(super) fn is_in(&self, suite: Suite) -> bool {
        suite == Suite::Full || self.unnoticed.is_none()
    }

    pub(super) fn depends_on(&self, path: &str) -> bool {
        let own = self.paths.iter().copied().flatten();
        EVERY_STEP.iter().chain(own).any(|beginning| path.starts_with(beginning))
    }
}

/// Paths on which every step depends.
pub(super) const EVERY_STEP: [&str; 7] = [
    ".cargo/",
    ".ci/",
    ".github/workflows/ci.yml",
    "Cargo.lock",
    "Cargo.toml",
    "rust-toolchain.toml",
    "xtask/",
];
