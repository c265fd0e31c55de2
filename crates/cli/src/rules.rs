//! Applies `--select`, `--ignore` and the configuration to findings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use evalcheck_engine::fix::Selection;
use evalcheck_engine::rules;
use evalcheck_report::{Counts, Finding, LossCounts, Severity};

use crate::settings::Settings;

/// Selects and weighs the findings of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Policy {
    /// The rules whose findings are listed.
    selection: Selection,
    /// Severities by codes of rules or categories; that of a rule overrides that of its category.
    severity: BTreeMap<String, Severity>,
    /// Whether warnings fail the check.
    pub(crate) fails_on_warnings: bool,
    /// Whether losses fail the check.
    pub(crate) fails_on_loss: bool,
    /// Whether nothing fails the check, which overrides the other fields.
    pub(crate) never_fails: bool,
}

impl Policy {
    /// A policy for the selected rules, with the severities of a configuration. Errors fail the check.
    pub(crate) fn new(selection: Selection, settings: &Settings) -> Self {
        Self { selection, severity: settings.severity.clone(), ..Self::default() }
    }

    /// Returns true if a rule is selected.
    pub(crate) fn selects(&self, code: &str) -> bool {
        self.selection.selects(code)
    }

    /// A finding with its severity; `None` if its rule is not selected.
    pub(crate) fn listed<'f>(&self, finding: &'f Finding) -> Option<Cow<'f, Finding>> {
        if !self.selects(&finding.code) {
            return None;
        }
        let severity = self.severity(&finding.code, finding.severity);
        Some(if severity == finding.severity {
            Cow::Borrowed(finding)
        } else {
            Cow::Owned(Finding { severity, ..finding.clone() })
        })
    }

    /// The severity of a rule.
    fn severity(&self, code: &str, usual: Severity) -> Severity {
        let category = code.split('/').next().unwrap_or(code);
        self.severity.get(code).or_else(|| self.severity.get(category)).copied().unwrap_or(usual)
    }

    /// Returns true if a finding, as listed, fails the check.
    pub(crate) fn fails(&self, finding: &Finding) -> bool {
        match finding.severity {
            _ if self.never_fails => false,
            Severity::Error => true,
            Severity::Warning if self.fails_on_warnings => true,
            _ => self.fails_on_loss && finding.loss.is_some(),
        }
    }

    /// Returns true if the counts of listed findings fail the check.
    pub(crate) fn fails_counts(&self, counts: &Counts) -> bool {
        !self.never_fails
            && (counts.errors > 0
                || (self.fails_on_warnings && counts.warnings > 0)
                || (self.fails_on_loss && !counts.loss.is_empty()))
    }

    /// The counts of the listed findings. Counts of lines and records remain those of the whole file.
    pub(crate) fn counts(&self, counts: &Counts) -> Counts {
        if self.selection.select.is_empty() && self.selection.ignore.is_empty() && self.severity.is_empty() {
            return counts.clone();
        }
        let of = |counts: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
            counts.iter().filter(|(code, _)| self.selects(code)).map(|(code, n)| (code.clone(), *n)).collect()
        };
        let by_code = of(&counts.by_code);
        let sum = |severity: Severity| {
            let rules = rules::all().filter(|rule| self.severity(rule.code, rule.severity) == severity);
            rules.filter_map(|rule| by_code.get(rule.code)).sum()
        };
        Counts {
            errors: sum(Severity::Error),
            warnings: sum(Severity::Warning),
            infos: sum(Severity::Info),
            safe_fixes: of(&counts.safe_fixes),
            unsafe_fixes: of(&counts.unsafe_fixes),
            // Losses are not counted by rule; each finding has its own.
            loss: LossCounts::default(),
            by_code: by_code.clone(),
            ..counts.clone()
        }
    }
}
