//! The same file again: opened again under its name, or changed on disk.

use std::rc::Rc;

use evalcheck_report::Report;
use evalcheck_report::order::Order as _;

use super::State;
use super::address::Address;
use super::check::Check;
use super::dataset::Dataset;
use super::details::Tab;
use super::on_disk::OnDisk;
use crate::display::format_number::{counted, grouped};

/// The maximum number of rules that are named.
const MOST_RULES: usize = 3;

/// The values kept from the previous check when the same file is checked again.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    address: Option<Address>,
    tab: Option<Tab>,
    report: Option<Rc<Report>>,
}

impl Kept {
    /// Takes the values to keep from a check that ends.
    pub(super) fn of(check: &Check, state: &State) -> Self {
        let report = check.report().cloned();
        Self { address: Address::of(check, state.look.theme), tab: check.preview.details.tab, report }
    }

    /// Transfers the tab and the previous report to the new check. Returns the place to show.
    pub(super) fn hand_over(self, check: &mut Check) -> Option<Address> {
        check.preview.details.tab = self.tab;
        check.report_before = self.report;
        self.address
    }
}

impl Check {
    /// Returns true if a file can be compared with the opened file: the opened file can still be read, and they differ.
    pub(super) fn is_comparable_with(&self, file: &Dataset) -> bool {
        let shown = self.original();
        let is_other =
            (&shown.name, shown.size, shown.modified_ms) != (&file.name, file.size, file.modified_ms);
        self.can_compare() && !matches!(self.on_disk, OnDisk::Changed(_)) && is_other
    }
}

/// The differences from the previous check of the same file, if there was one.
pub(crate) fn since(check: &Check) -> Option<String> {
    Some(differences(check.report_before.as_ref()?, check.report()?))
}

/// The differences between two checks of a file: the changes in the numbers of findings per rule, and of records. If a rule has both lost
/// and new findings, only their difference counts.
fn differences(before: &Report, after: &Report) -> String {
    let (old, new) = (&before.counts, &after.counts);
    let codes = old.by_code.keys().chain(new.by_code.keys().filter(|code| !old.by_code.contains_key(*code)));
    let number = |report: &Report, code: &str| report.counts.by_code.get(code).copied().unwrap_or(0);
    let mut rules: Vec<(&str, u64, u64)> = codes
        .map(|code| (code.as_str(), number(before, code), number(after, code)))
        .filter(|(_, old, new)| old != new)
        .collect();
    rules.order_by_key(|(_, old, new)| std::cmp::Reverse(old.abs_diff(*new)));
    let told = rules.iter().take(MOST_RULES).map(|(code, old, new)| {
        let by = grouped(old.abs_diff(*new));
        if new < old { format!("{by} fewer of {code}") } else { format!("{by} more of {code}") }
    });
    let mut parts: Vec<String> = told.collect();
    if rules.len() > MOST_RULES {
        parts.push(format!("{} with other numbers", counted((rules.len() - MOST_RULES) as u64, "rule")));
    }
    if parts.is_empty() {
        parts.push("as many findings of each rule".to_owned());
    }
    if old.records != new.records {
        parts.push(format!("{} instead of {}", counted(new.records, "record"), grouped(old.records)));
    }
    format!("Since the last check: {}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use evalcheck_report::Counts;

    use super::*;

    #[test]
    fn differences_are_told_by_rule() {
        let report = |records, codes: &[(&str, u64)]| {
            let by_code = codes.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
            let report = super::super::tests::report(Vec::new());
            Report { counts: Counts { records, by_code, ..Counts::default() }, ..report }
        };
        let before = report(3, &[("a/a", 1_500), ("b/b", 2)]);
        let after = report(4, &[("b/b", 2), ("c/c", 1)]);
        assert_eq!(
            differences(&before, &after),
            "Since the last check: 1,500 fewer of a/a, 1 more of c/c, 4 records instead of 3."
        );
        assert_eq!(differences(&after, &after), "Since the last check: as many findings of each rule.");
        let many = report(4, &[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]);
        assert!(
            differences(&report(4, &[]), &many)
                .ends_with("5 more of e, 4 more of d, 3 more of c, 2 rules with other numbers.")
        );
    }
}
