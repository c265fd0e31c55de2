//! The findings of a dataset that are in an index.

use evalcheck_core::Severity;
use evalcheck_core::finding_index::{Entry, FindingIndex, Group};
use evalcheck_core::order::Order;
use evalcheck_report::Applicability;
use evalcheck_report::view::Direction;
use evalcheck_wire::findings::{EXAMPLES, FindingGroup, FindingSummary, MAP, MapPart, STRIP};

use super::FindingFilter;

/// All findings of a dataset ([`Check::index_findings`](crate::check::Check::index_findings)). Numbers of findings are those among the
/// findings that a filter keeps.
#[derive(Debug, Clone, Copy)]
pub struct IndexedFindings<'a> {
    pub(crate) index: &'a FindingIndex,
    /// Bytes of the dataset.
    pub(crate) bytes: u64,
}

impl IndexedFindings<'_> {
    /// The summary of the findings that a filter keeps.
    pub fn summary(&self, filter: &FindingFilter<'_>) -> FindingSummary {
        FindingSummary { groups: self.groups(filter), map: self.map(filter), bytes: self.bytes }
    }

    /// The groups of the findings that are kept, those with most findings first.
    pub(crate) fn groups(&self, filter: &FindingFilter<'_>) -> Vec<FindingGroup> {
        let (index, size) = (self.index, self.bytes);
        let group = |group: &Group| FindingGroup {
            code: group.rule.code.to_owned(),
            severity: group.rule.severity,
            summary: group.rule.summary.to_owned(),
            path: group.path.clone(),
            message: group.message.text().map(str::to_owned),
            brief: group.brief.clone(),
            // No filter can be applied to findings that are not listed.
            findings: if filter.keeps_all() { group.unlisted } else { 0 },
            safe_fixes: 0,
            unsafe_fixes: 0,
            records: 0,
            first: u64::MAX,
            lines: Vec::new(),
            strip: vec![0; STRIP],
        };
        let mut groups: Vec<FindingGroup> = index.groups().iter().map(group).collect();
        let mut last = vec![None; groups.len()];
        for (number, entry) in self.kept(filter) {
            let group = &mut groups[entry.group];
            group.findings += 1;
            group.safe_fixes += u64::from(entry.fix == Some(Applicability::Safe));
            group.unsafe_fixes += u64::from(entry.fix == Some(Applicability::Unsafe));
            group.first = group.first.min(number);
            if entry.record.is_some() && last[entry.group] != entry.record {
                last[entry.group] = entry.record;
                group.records += 1;
            }
            if let Some(line) = entry.line.filter(|line| group.lines.last() != Some(line))
                && group.lines.len() < EXAMPLES
            {
                group.lines.push(line);
            }
            if let Some(byte) = entry.byte {
                group.strip[part(byte, size, STRIP)] += 1;
            }
        }
        groups.retain(|group| group.findings > 0);
        groups.order_by_key(|group| (std::cmp::Reverse(group.findings), group.first));
        groups
    }

    /// The findings that are kept in each part of the dataset; `None` for a part without findings.
    fn map(&self, filter: &FindingFilter<'_>) -> Vec<Option<MapPart>> {
        let (index, size) = (self.index, self.bytes);
        let mut parts: Vec<Option<MapPart>> = vec![None; MAP.min(usize::try_from(size).unwrap_or(MAP))];
        for (number, entry) in self.kept(filter) {
            let Some(byte) = entry.byte.filter(|_| !parts.is_empty()) else { continue };
            let place = part(byte, size, parts.len());
            let severity = index.groups()[entry.group].rule.severity;
            let Entry { line, record, .. } = entry;
            let part =
                parts[place].get_or_insert(MapPart { severity, findings: 0, first: number, line, record });
            part.findings += 1;
            part.severity = part.severity.min(severity);
        }
        parts
    }

    fn is_error(&self, entry: &Entry) -> bool {
        self.index.groups()[entry.group].rule.severity == Severity::Error
    }

    /// The number of the first error that is about a line, else of the first error.
    pub fn first_error(&self) -> Option<u64> {
        let errors = || (0..).zip(self.index.entries(0)).filter(|(_, entry)| self.is_error(entry));
        errors().find(|(_, entry)| entry.line.is_some()).or_else(|| errors().next()).map(|(number, _)| number)
    }

    /// The number of the first listed finding of a line, an error if it has one; else of the first one after the line, else of the last one.
    pub fn nearest(&self, filter: &FindingFilter<'_>, line: u64) -> Option<u64> {
        let (mut of_line, mut after, mut last) = (None, None, None);
        for (number, entry) in self.kept(filter) {
            last = Some(number);
            if entry.line == Some(line) {
                if self.is_error(&entry) {
                    return last;
                }
                of_line = of_line.or(last);
            } else if entry.line > Some(line) {
                after = after.or(last);
            }
        }
        of_line.or(after).or(last)
    }

    /// The number of the first error on the nearest line with a listed error before or after this one.
    pub fn error_beside(&self, filter: &FindingFilter<'_>, line: u64, direction: Direction) -> Option<u64> {
        let errors = self.kept(filter).filter(|(_, entry)| self.is_error(entry));
        let mut errors = errors.filter_map(|(number, entry)| Some((number, entry.line?)));
        match direction {
            Direction::Next => errors.find(|(_, other)| *other > line).map(|(number, _)| number),
            Direction::Previous => {
                let before = errors.filter(|(_, other)| *other < line);
                // Of several on one line, the first.
                let last = before.reduce(|last, next| if next.1 == last.1 { last } else { next });
                last.map(|(number, _)| number)
            }
        }
    }

    /// The record of the first finding on a line that is about a record.
    pub fn record_of_line(&self, line: u64) -> Option<u64> {
        self.index.entries(0).filter(|entry| entry.line == Some(line)).find_map(|entry| entry.record)
    }

    /// The nearest record with a listed error before or after a record, and the line of its first error.
    pub fn invalid_record(&self, record: u64, direction: Direction) -> Option<(u64, Option<u64>)> {
        let errors = self.index.entries(0).filter(|entry| self.is_error(entry));
        let errors = errors.filter_map(|entry| Some((entry.record?, entry.line)));
        // The first of several in a record.
        match direction {
            Direction::Next => errors
                .filter(|(other, _)| *other > record)
                .reduce(|nearest, next| if next.0 < nearest.0 { next } else { nearest }),
            Direction::Previous => errors
                .filter(|(other, _)| *other < record)
                .reduce(|nearest, next| if next.0 > nearest.0 { next } else { nearest }),
        }
    }

    /// The entries that a filter keeps, with their numbers among these.
    fn kept<'a>(&'a self, filter: &'a FindingFilter<'_>) -> impl Iterator<Item = (u64, Entry)> + use<'a> {
        let keeps = filter.of(self.index);
        (0..).zip(self.index.entries(0).filter(move |entry| keeps(entry)))
    }
}

/// The number of the part that a byte is in.
fn part(byte: u64, size: u64, parts: usize) -> usize {
    let part = u128::from(byte) * parts as u128 / u128::from(size.max(1));
    usize::try_from(part).unwrap_or(usize::MAX).min(parts - 1)
}
