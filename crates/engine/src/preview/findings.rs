//! Findings by number. Most are made again from their records, which are read again from the nearest mark.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use evalcheck_core::finding_index::{Entry, FindingIndex};
use evalcheck_report as report;
use evalcheck_wire::findings::FindingList;

use super::View;
use super::records_again::findings_of;
use crate::check::state::CheckState;
use crate::collector::FindingCollector;
use crate::finding::Finding;
use crate::findings::FindingFilter;

/// The maximum number of findings returned at once.
const MOST: u32 = 500;

impl<R: Read + Seek> View<'_, R> {
    /// Findings `from..from + count` (from 0, at most 500) of those that a filter keeps: fewer at the end and if records are long,
    /// but at least one if there is any. Empty if the check has no index of its findings ([`crate::check::Check::index_findings`]).
    ///
    /// Findings of a file that was removed or changed are as far as the check kept them.
    pub fn findings(&mut self, from: u64, count: u32, filter: &FindingFilter<'_>) -> FindingList {
        let state = self.reader.visitor();
        let collector = &state.dataset.collector;
        let Some(index) = collector.index() else { return FindingList::default() };
        let (total, mut page) = page(index, from, count.min(MOST), filter);
        let mut again = Again::new(collector, index);
        let is_unreadable = again.read(self, &page).is_err();
        let has = |(number, entry): &&(u64, Entry)| is_unreadable || again.has(*number, entry);
        page.truncate(page.iter().take_while(has).count());
        let mut list =
            FindingList { total, unlisted: index.unlisted(), is_unreadable, ..FindingList::default() };
        for (number, entry) in &page {
            let kept = || find_again(index, *number, entry, collector.findings());
            let finding = again.find(*number, entry).or_else(kept).map(Finding::to_wire);
            list.summaries += u64::from(finding.is_none());
            list.findings.push(finding.unwrap_or_else(|| summary(index, entry, state)));
        }
        list
    }
}

/// Findings of an index. Those that are not kept are made again from their records.
struct Again<'a, 'i> {
    index: &'i FindingIndex,
    /// All findings by their numbers, if the check keeps all of them: their records need not be read.
    listed: Vec<&'a Finding>,
    /// The findings of the records that were read.
    found: BTreeMap<u64, Vec<Finding>>,
}

impl<'a, 'i> Again<'a, 'i> {
    fn new(collector: &'a FindingCollector, index: &'i FindingIndex) -> Self {
        let keeps_all = collector.findings().len() as u64 == index.len();
        let listed = if keeps_all { collector.in_order().collect() } else { Vec::new() };
        Self { index, listed, found: BTreeMap::new() }
    }

    /// Reads the records of some entries: as many as are read at once, but at least one.
    fn read<R: Read + Seek>(&mut self, view: &mut View<'a, R>, entries: &[(u64, Entry)]) -> io::Result<()> {
        let mut wanted: Vec<u64> =
            entries.iter().filter_map(|(number, entry)| self.record_of(*number, entry)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        self.found = findings_of(view, &wanted)?;
        Ok(())
    }

    /// The finding of an entry, if it is kept.
    fn kept(&self, number: u64, entry: &Entry) -> Option<&Finding> {
        let listed = usize::try_from(number).ok().and_then(|number| self.listed.get(number).copied());
        listed.filter(|finding| is_of(finding, self.index, entry)).or_else(|| self.index.kept(entry))
    }

    /// The record from which a finding is made again.
    fn record_of(&self, number: u64, entry: &Entry) -> Option<u64> {
        entry.record.filter(|_| self.kept(number, entry).is_none())
    }

    /// Whether the record of an entry was read, or need not be.
    fn has(&self, number: u64, entry: &Entry) -> bool {
        self.record_of(number, entry).is_none_or(|record| self.found.contains_key(&record))
    }

    /// The finding of an entry, which has this number.
    fn find(&self, number: u64, entry: &Entry) -> Option<&Finding> {
        let again = || find_again(self.index, number, entry, self.found.get(&entry.record?)?);
        self.kept(number, entry).or_else(again)
    }
}

/// The findings of entries as far as they are found again, however many records have to be read.
pub(super) fn read_again<R: Read + Seek>(
    view: &mut View<'_, R>,
    index: &FindingIndex,
    mut entries: &[(u64, Entry)],
) -> io::Result<Vec<(u64, Entry, Finding)>> {
    let mut findings = Vec::new();
    while !entries.is_empty() {
        let mut again = Again::new(&view.reader.visitor().dataset.collector, index);
        again.read(view, entries)?;
        let read = entries.iter().take_while(|(number, entry)| again.has(*number, entry)).count();
        for (number, entry) in &entries[..read] {
            findings.extend(again.find(*number, entry).map(|finding| (*number, *entry, finding.clone())));
        }
        // At least one record is read each time.
        entries = &entries[read.max(1)..];
    }
    Ok(findings)
}

/// The number of findings that a filter keeps, and the requested ones, with their numbers in the index.
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

/// Whether a finding has the line, the byte, the fix and the group of an entry.
fn is_of(finding: &Finding, index: &FindingIndex, entry: &Entry) -> bool {
    finding.location.line == entry.line
        && finding.location.bytes.as_ref().map(|bytes| bytes.start) == entry.byte
        && finding.fix.as_ref().map(|fix| fix.applicability) == entry.fix
        && index.group_of(finding) == Some(entry.group)
}

/// The finding of an entry, among those of its record. Of several that match the entry, it is the one at the same position.
fn find_again<'f>(
    index: &FindingIndex,
    number: u64,
    entry: &Entry,
    of_record: &'f [Finding],
) -> Option<&'f Finding> {
    let mut alike = of_record.iter().filter(|finding| is_of(finding, index, entry));
    if alike.clone().nth(1).is_none() {
        return alike.next();
    }
    let first = index.first_of_record(number);
    let before = (first..number).zip(index.entries(first)).filter(|(_, other)| other == entry).count();
    alike.nth(before)
}

/// The known facts of a finding that cannot be made again.
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
        message: group.message.text().unwrap_or(group.rule.summary).to_owned(),
        hint: None,
        fix: None,
        loss: None,
        says: None,
        refused_by: None,
        related: Vec::new(),
        entry: state.dataset.entry().map(ToString::to_string),
    }
}
