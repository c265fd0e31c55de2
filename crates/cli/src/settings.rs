//! The options of a check that a configuration may set.

use std::collections::BTreeMap;
use std::path::PathBuf;

use evalcheck_wire::report::Severity;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::known::{formats, known_code, known_ids};

/// Options of a configuration; `None` if it does not set them. The names of its keys are those of the options of `check`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// The id of a format.
    #[serde(deserialize_with = "format")]
    pub(crate) format: Option<String>,
    /// A version of it.
    pub(crate) format_version: Option<String>,
    /// Only these rules or categories.
    #[serde(deserialize_with = "codes")]
    pub(crate) select: Option<Vec<String>>,
    /// All rules and categories except these.
    #[serde(deserialize_with = "codes")]
    pub(crate) ignore: Option<Vec<String>>,
    /// The severity of the findings of rules or categories.
    #[serde(deserialize_with = "severities")]
    pub(crate) severity: BTreeMap<String, Severity>,
    /// The findings, other than errors, that fail the check.
    pub(crate) fail_on: Option<FailOn>,
    /// The most findings of each rule that are listed.
    pub(crate) max_findings: Option<u64>,
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
        let Self { format, format_version, select, ignore, severity, fail_on, max_findings, baseline } =
            later;
        if format.is_some() {
            // A version belongs to its format.
            self.format.clone_from(format);
            self.format_version = None;
        }
        self.severity.extend(severity.clone());
        Self {
            format: self.format,
            format_version: format_version.clone().or(self.format_version),
            select: select.clone().or(self.select),
            ignore: ignore.clone().or(self.ignore),
            severity: self.severity,
            fail_on: fail_on.or(self.fail_on),
            max_findings: max_findings.or(self.max_findings),
            baseline: baseline.clone().or(self.baseline),
        }
    }
}

/// The id of a format.
fn format<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let id = String::deserialize(from)?;
    if formats().any(|known| known == id) {
        return Ok(Some(id));
    }
    let known = known_ids(&id, formats);
    Err(D::Error::custom(format!("no format has the id \"{id}\"; {known}")))
}

/// Codes of rules or categories.
fn codes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let codes = Vec::<String>::deserialize(from)?;
    codes.iter().try_for_each(|code| known_code(code)).map_err(D::Error::custom)?;
    Ok(Some(codes))
}

/// Severities by codes of rules or categories.
fn severities<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Severity>, D::Error> {
    let severities = BTreeMap::<String, Severity>::deserialize(from)?;
    severities.keys().try_for_each(|code| known_code(code)).map_err(D::Error::custom)?;
    Ok(severities)
}
