//! The differences between two checks of the same file.

use std::collections::BTreeMap;

use evalcheck_report::order::Order as _;
use evalcheck_report::{Finding, Report};

use crate::display::format_number::{counted, grouped};

/// The maximum number of rules or lines that are named.
const MOST_NAMED: usize = 3;

/// The differences between two checks of a file, in a sentence.
pub(super) fn differences(before: &Report, after: &Report) -> String {
    let mut parts = by_finding(before, after).unwrap_or_else(|| by_rule(before, after));
    let (old, new) = (before.counts.records, after.counts.records);
    if old != new {
        let word = if new > old { "more" } else { "fewer" };
        parts.push(format!("{} {word}", counted(new.abs_diff(old), "record")));
    }
    format!("Since the last check: {}.", parts.join(", "))
}

/// A finding as it is found again: its line, its rule and its path without indices.
type Key<'r> = (Option<u64>, &'r str, Option<String>);

/// The key of a finding whose line moves by a number of lines, which wraps around to be negative.
fn key(finding: &Finding, by: u64) -> Key<'_> {
    (finding.line.map(|line| line.wrapping_add(by)), &finding.code, finding.path_pattern())
}

/// The findings that are fixed, and those that are new. `None` if that is not known: not all of them are listed, or several of one kind are at
/// other lines, where they may have moved.
fn by_finding(before: &Report, after: &Report) -> Option<Vec<String>> {
    let is_whole = |report: &Report| report.checked && !report.truncated;
    if !is_whole(before) || !is_whole(after) || before.format.id != after.format.id {
        return None;
    }
    let mut left: BTreeMap<Key<'_>, u64> = BTreeMap::new();
    for finding in &after.findings {
        *left.entry(key(finding, 0)).or_default() += 1;
    }
    // Lines that were added or removed at one place move the findings after it.
    let by = after.counts.lines.wrapping_sub(before.counts.lines);
    let moved = first_moved(&before.findings, by, &left);
    let mut fixed: Vec<&Finding> = Vec::new();
    for (number, finding) in before.findings.iter().enumerate() {
        if !take(&mut left, &key(finding, if number < moved { 0 } else { by })) {
            fixed.push(finding);
        }
    }
    let new: Vec<&Finding> =
        after.findings.iter().filter(|finding| take(&mut left, &key(finding, 0))).collect();
    let mut kinds: BTreeMap<(&str, Option<String>), [u64; 2]> = BTreeMap::new();
    for (side, findings) in [&fixed, &new].into_iter().enumerate() {
        for finding in findings {
            kinds.entry((&finding.code, finding.path_pattern())).or_default()[side] += 1;
        }
    }
    if kinds.values().any(|[fixed, new]| *fixed > 1 && *new > 1) {
        return None;
    }
    let parts = [(&fixed, "fixed"), (&new, "new")];
    let parts: Vec<String> = parts.iter().filter_map(|(findings, word)| in_words(findings, word)).collect();
    Some(if parts.is_empty() { vec!["the same findings".to_owned()] } else { parts })
}

/// Takes one of the findings that are left.
fn take<'r>(left: &mut BTreeMap<Key<'r>, u64>, key: &Key<'r>) -> bool {
    left.get_mut(key).filter(|left| **left > 0).map(|left| *left -= 1).is_some()
}

/// The index of the first finding that has moved by a number of lines: the one with which most findings are found again.
fn first_moved<'r>(before: &'r [Finding], by: u64, after: &BTreeMap<Key<'r>, u64>) -> usize {
    let found = |finding: &'r Finding, by: u64| u64::from(after.contains_key(&key(finding, by)));
    let mut score: u64 = before.iter().map(|finding| found(finding, by)).sum();
    let (mut best, mut first) = (score, 0);
    for (number, finding) in before.iter().enumerate() {
        score = score + found(finding, 0) - found(finding, by);
        if score >= best {
            (best, first) = (score, number + 1);
        }
    }
    first
}

/// The number of findings that are fixed or new, and their first lines.
fn in_words(findings: &[&Finding], word: &str) -> Option<String> {
    let all = grouped(findings.len() as u64);
    let mut lines: Vec<u64> = findings.iter().filter_map(|finding| finding.line).collect();
    lines.dedup();
    let named: Vec<String> = lines.iter().take(MOST_NAMED).map(|line| grouped(*line)).collect();
    let more = lines.len() - named.len();
    let named = named.join(", ");
    Some(match (findings.len(), lines.len()) {
        (0, _) => return None,
        (_, 0) => format!("{all} {word}"),
        (_, 1) => format!("{all} {word} (line {named})"),
        _ if more > 0 => format!("{all} {word} (lines {named} and {} more)", grouped(more as u64)),
        _ => format!("{all} {word} (lines {named})"),
    })
}

/// The changes in the numbers of findings per rule. If a rule has both lost and new findings, only their difference counts.
fn by_rule(before: &Report, after: &Report) -> Vec<String> {
    let (old, new) = (&before.counts, &after.counts);
    let codes = old.by_code.keys().chain(new.by_code.keys().filter(|code| !old.by_code.contains_key(*code)));
    let number = |report: &Report, code: &str| report.counts.by_code.get(code).copied().unwrap_or(0);
    let mut rules: Vec<(&str, u64, u64)> = codes
        .map(|code| (code.as_str(), number(before, code), number(after, code)))
        .filter(|(_, old, new)| old != new)
        .collect();
    rules.order_by_key(|(_, old, new)| std::cmp::Reverse(old.abs_diff(*new)));
    let told = rules.iter().take(MOST_NAMED).map(|(code, old, new)| {
        let by = grouped(old.abs_diff(*new));
        if new < old { format!("{by} fewer of {code}") } else { format!("{by} more of {code}") }
    });
    let mut parts: Vec<String> = told.collect();
    if rules.len() > MOST_NAMED {
        parts.push(format!("{} with other numbers", counted((rules.len() - MOST_NAMED) as u64, "rule")));
    }
    if parts.is_empty() {
        parts.push("as many findings of each rule".to_owned());
    }
    parts
}

#[cfg(test)]
mod tests {
    use evalcheck_report::{Counts, Severity};

    use super::super::tests::{finding, report};
    use super::*;

    /// A report of a file with as many lines and records, whose errors are on these lines.
    fn on(records: u64, lines: &[u64]) -> Report {
        let report = report(lines.iter().map(|line| finding(*line, Severity::Error)).collect());
        let counts = Counts { lines: records, records, ..report.counts };
        Report { counts, ..report }
    }

    #[test]
    fn differences_are_told_by_finding() {
        let said = |before: &Report, after: &Report| differences(before, after);
        assert_eq!(
            said(&on(10, &[4, 7]), &on(11, &[7, 11])),
            "Since the last check: 1 fixed (line 4), 1 new (line 11), 1 record more."
        );
        assert_eq!(said(&on(9, &[4, 7]), &on(9, &[4, 7])), "Since the last check: the same findings.");
        // Two lines were added after line 2, and line 7 was fixed.
        assert_eq!(
            said(&on(9, &[1, 4, 7, 8]), &on(11, &[1, 6, 10])),
            "Since the last check: 1 fixed (line 7), 2 records more."
        );
        assert_eq!(
            said(&on(9, &[1, 2, 3, 4, 5]), &on(6, &[])),
            "Since the last check: 5 fixed (lines 1, 2, 3 and 2 more), 3 records fewer."
        );
        let whole = Finding { line: None, ..finding(1, Severity::Error) };
        let of_file = Report { findings: vec![whole], ..on(9, &[]) };
        assert_eq!(said(&on(9, &[]), &of_file), "Since the last check: 1 new.");
    }

    #[test]
    fn findings_that_may_have_moved_or_are_not_listed_are_told_by_rule() {
        let before = on(9, &[2, 4, 6]);
        let counted = "Since the last check: 1 fewer of shape/missing-key.";
        assert_eq!(
            differences(&before, &on(9, &[3, 5, 7])),
            "Since the last check: as many findings of each rule."
        );
        assert_eq!(differences(&before, &Report { truncated: true, ..on(9, &[2, 4]) }), counted);
        assert_eq!(differences(&before, &Report { checked: false, ..on(9, &[2, 4]) }), counted);
    }

    #[test]
    fn differences_are_told_by_rule() {
        let report = |records, codes: &[(&str, u64)]| {
            let by_code = codes.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
            let report = report(Vec::new());
            Report { truncated: true, counts: Counts { records, by_code, ..Counts::default() }, ..report }
        };
        let before = report(3, &[("a/a", 1_500), ("b/b", 2)]);
        let after = report(4, &[("b/b", 2), ("c/c", 1)]);
        assert_eq!(
            differences(&before, &after),
            "Since the last check: 1,500 fewer of a/a, 1 more of c/c, 1 record more."
        );
        assert_eq!(differences(&after, &after), "Since the last check: as many findings of each rule.");
        let many = report(4, &[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]);
        assert!(
            differences(&report(4, &[]), &many)
                .ends_with("5 more of e, 4 more of d, 3 more of c, 2 rules with other numbers.")
        );
    }
}
