//! Findings by number. Most are made again from their records, which are read again from the nearest mark.

use std::io::{self, Read, Seek};

use evalcheck_core::finding_index::{Entry, FindingIndex};
use evalcheck_wire::findings::FindingList;
use evalcheck_wire::report;

use super::View;
use super::records_again::read_records;
use crate::check::state::CheckState;
use crate::finding::Finding;
use crate::findings::FindingFilter;

/// Most findings given at once.
const MOST: u32 = 500;

impl<R: Read + Seek> View<'_, R> {
    /// Findings `from..from + count` (from 0, at most 500) of those that a filter keeps: fewer at the end and where records are long,
    /// but at least one if there is any. None where the check has no index of its findings
    /// ([`crate::check::Check::index_findings`]).
    ///
    /// # Errors
    /// The source's own, when the file went away or changed.
    pub fn findings(&mut self, from: u64, count: u32, filter: &FindingFilter<'_>) -> io::Result<FindingList> {
        let state = self.reader.visitor();
        let Some(index) = state.collector.index() else { return Ok(FindingList::default()) };
        let (total, mut page) = page(index, from, count.min(MOST), filter);
        let record_of = |entry: &Entry| entry.record.filter(|_| index.kept(entry).is_none());
        let mut wanted: Vec<u64> = page.iter().filter_map(|(_, entry)| record_of(entry)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let found = read_records(self, &wanted, None)?.findings;
        let is_read = |entry: &Entry| record_of(entry).is_none_or(|record| found.contains_key(&record));
        let whole = page.iter().take_while(|(_, entry)| is_read(entry)).count();
        page.truncate(whole);
        let mut list = FindingList { total, unlisted: index.unlisted(), ..FindingList::default() };
        for (number, entry) in &page {
            let again = || find_again(index, *number, entry, found.get(&entry.record?)?);
            let finding = index.kept(entry).or_else(again).map(Finding::to_wire);
            list.summaries += u64::from(finding.is_none());
            list.findings.push(finding.unwrap_or_else(|| summary(index, entry, state)));
        }
        Ok(list)
    }
}

/// The number of findings that a filter keeps, and those that are asked for, with their numbers in the index.
fn page(index: &FindingIndex, from: u64, count: u32, filter: &FindingFilter<'_>) -> (u64, Vec<(u64, Entry)>) {
    if filter.keeps_all() {
        let page = (from..).zip(index.entries(from)).take(count as usize);
        return (index.len(), page.collect());
    }
    let keeps = filter.of(index);
    let wanted = from..from.saturating_add(u64::from(count));
    let (mut total, mut page) = (0, Vec::new());
    for numbered in (0..).zip(index.entries(0)).filter(|(_, entry)| keeps(entry)) {
        if wanted.contains(&total) {
            page.push(numbered);
        }
        total += 1;
    }
    (total, page)
}

/// The finding of an entry, among those of its record. Of several that are alike it is the one with the same number.
fn find_again<'f>(
    index: &FindingIndex,
    number: u64,
    entry: &Entry,
    of_record: &'f [Finding],
) -> Option<&'f Finding> {
    let is_alike = |finding: &&Finding| {
        finding.location.line == entry.line
            && finding.location.bytes.as_ref().map(|bytes| bytes.start) == entry.byte
            && finding.fix.as_ref().map(|fix| fix.applicability) == entry.fix
            && index.group_of(finding) == Some(entry.group)
    };
    let mut alike = of_record.iter().filter(is_alike);
    if alike.clone().nth(1).is_none() {
        return alike.next();
    }
    let first = index.first_of_record(number);
    let before = (first..number).zip(index.entries(first)).filter(|(_, other)| other == entry).count();
    alike.nth(before)
}

/// What is known of a finding that cannot be made again.
fn summary(index: &FindingIndex, entry: &Entry, state: &CheckState) -> report::Finding {
    let group = &index.groups()[entry.group];
    report::Finding {
        code: group.rule.code.to_owned(),
        severity: group.rule.severity,
        line: entry.line,
        column: None,
        byte_start: entry.byte,
        byte_end: None,
        record: entry.record,
        path: group.path.clone().filter(|path| !path.split('.').any(|step| step == "*")),
        message: group.rule.summary.to_owned(),
        hint: None,
        fix: None,
        loss: None,
        says: None,
        related: Vec::new(),
        entry: state.entry().map(ToString::to_string),
    }
}
