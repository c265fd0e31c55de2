//! The options of a check that a configuration may set.

use std::collections::BTreeMap;
use std::path::PathBuf;

use evalcheck_report::Severity;
use evalcheck_wire::options::Options;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::known::known_code;

/// Options of a configuration; `None` if it does not set them. The names of its keys are those of the options of `check`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// Those that are declared with a description for a configuration.
    #[serde(skip)]
    pub(crate) options: Options,
    /// The severity of the findings of rules or categories.
    #[serde(deserialize_with = "severities")]
    pub(crate) severity: BTreeMap<String, Severity>,
    /// The findings, other than errors, that fail the check.
    pub(crate) fail_on: Option<FailOn>,
    /// A baseline; its path is relative to the configuration.
    pub(crate) baseline: Option<PathBuf>,
}

/// The findings that fail a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailOn {
    /// Errors only
    Error,
    /// Warnings too, as with --strict
    Warning,
    /// Lines, values and keys too that the system loses when it loads the dataset
    Loss,
    /// Nothing: the exit status is 0 also where findings are listed
    Never,
}

impl Settings {
    /// Merges these options with those of `later`, which take precedence.
    pub(crate) fn and(mut self, later: &Self) -> Self {
        self.severity.extend(later.severity.clone());
        Self {
            options: later.options.clone().or(&self.options),
            severity: self.severity,
            fail_on: later.fail_on.or(self.fail_on),
            baseline: later.baseline.clone().or(self.baseline),
        }
    }
}

/// Severities by codes of rules or categories.
fn severities<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Severity>, D::Error> {
    let severities = BTreeMap::<String, Severity>::deserialize(from)?;
    severities.keys().try_for_each(|code| known_code(code)).map_err(D::Error::custom)?;
    Ok(severities)
}
