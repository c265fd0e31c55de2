//! What `--select`, `--ignore` and the configuration make of findings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use evalcheck_engine::fix::Selection;
use evalcheck_engine::rules;
use evalcheck_wire::report::{Counts, Finding, LossCounts, Severity};

use crate::config::Settings;

/// What counts of the findings of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Policy {
    /// Which findings are listed.
    selection: Selection,
    /// Severities by codes of rules or categories; that of a rule goes before that of its category.
    severity: BTreeMap<String, Severity>,
    /// Warnings fail the check.
    pub(crate) fails_on_warnings: bool,
    /// What the system loses fails the check.
    pub(crate) fails_on_loss: bool,
    /// Nothing fails the check, whatever else is said.
    pub(crate) never_fails: bool,
}

impl Policy {
    /// The findings of the selected rules, as severe as a configuration has it. Errors fail the check.
    pub(crate) fn new(selection: Selection, settings: &Settings) -> Self {
        Self { selection, severity: settings.severity.clone(), ..Self::default() }
    }

    /// True for a rule that is selected.
    pub(crate) fn selects(&self, code: &str) -> bool {
        self.selection.selects(code)
    }

    /// A finding with its severity; `None` where its rule is not selected.
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

    /// True for a finding, as it is listed, that fails the check.
    pub(crate) fn fails(&self, finding: &Finding) -> bool {
        match finding.severity {
            _ if self.never_fails => false,
            Severity::Error => true,
            Severity::Warning if self.fails_on_warnings => true,
            _ => self.fails_on_loss && finding.loss.is_some(),
        }
    }

    /// True for counts of listed findings that fail the check.
    pub(crate) fn fails_counts(&self, counts: &Counts) -> bool {
        !self.never_fails
            && (counts.errors > 0
                || (self.fails_on_warnings && counts.warnings > 0)
                || (self.fails_on_loss && !counts.loss.is_empty()))
    }

    /// The counts of the findings that are listed. Counts of lines and records stay those of the whole file.
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
            // It is not counted by rule; each finding has its own.
            loss: LossCounts::default(),
            by_code: by_code.clone(),
            ..counts.clone()
        }
    }
}
