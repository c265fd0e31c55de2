//! Compares the records of a check with the query.

use evalcheck_formats::preview::Shown;
use evalcheck_records::csv::Table;
use evalcheck_records::{CountedRecord, ScannedRecord, parse};
use evalcheck_report::view::Hit;
use evalcheck_wire::query::{CheckKey, Pattern, Value as Wanted};

use super::order::Sorted;
use super::{CheckTerm, SHOWN, Search, pattern};
use crate::dataset::Dataset;
use crate::diagnose::{RecordStart, Value};
use crate::finding::Finding;
use crate::findings::{has_finding, has_number};
use crate::formats::checks::Fate;
use crate::observer::Observer;

/// A record to compare with the query.
struct Candidate<'a> {
    /// Its text; empty if it is not read.
    text: &'a [u8],
    start: RecordStart,
    /// The columns, if it is a row.
    table: Option<&'a Table>,
    findings: &'a [Finding],
    /// Whether it has the same bytes as an earlier one, if the query asks for that.
    is_duplicate: bool,
}

/// The result of the check for a record.
struct Checked<'a> {
    start: RecordStart,
    size: usize,
    turns: Option<usize>,
    is_changed: bool,
    is_duplicate: bool,
    /// Its fate because of the header.
    fate: Option<Fate>,
    findings: &'a [Finding],
}

impl Search {
    /// Whether a record has the same bytes as an earlier one, if the query asks for that. To be called once for each record.
    fn is_duplicate(&mut self, text: Option<&[u8]>) -> bool {
        let Some((contents, text)) = self.contents.as_mut().zip(text) else { return false };
        contents.insert(contents.hash(text)) == Some(true)
    }

    /// Compares a record with the query. Returns whether it is a hit.
    fn compare(&mut self, candidate: &Candidate<'_>, dataset: &Dataset) -> bool {
        let Candidate { text, start, table, findings, is_duplicate } = *candidate;
        let parsed = parse(text, start.line, table);
        let root = parsed.as_ref().map(|parsed| &parsed.value);
        let found = match root {
            Some(root) => self.terms.data.find(root),
            None => self.terms.data.find_in_text(&String::from_utf8_lossy(text)),
        };
        let all = self.late.complete(start.record, findings);
        let checked = Checked {
            start,
            size: text.len(),
            turns: root.filter(|_| self.wants_turns()).and_then(|root| turns(root, text, dataset)),
            is_changed: self.changed.contains(start.record),
            is_duplicate,
            fate: if dataset.collector.rejects_all { Some(Fate::Refused) } else { dataset.fate },
            findings: all.as_deref().unwrap_or(findings),
        };
        let has = |term: &CheckTerm| term.matches(|value| checked.has(term.key, value));
        let mut of_record = self.terms.checks.iter().filter(|term| !term.is_about_findings);
        if found.is_none() || !of_record.all(has) {
            return false;
        }
        if let Some(filtered) = &mut self.filtered {
            filtered.insert(start.record);
        }
        if !self.terms.checks.iter().all(has) {
            return false;
        }
        self.matches.insert(start.record);
        let is_kept = self.sorted.as_ref().is_none_or(Sorted::has_room);
        if let Some(sorted) = &mut self.sorted {
            sorted.add(start.record, root);
        }
        if let Some(hits) = self.hits.as_mut().filter(|_| is_kept) {
            let beginning = || {
                let text = &text[..text.len().min(SHOWN * 4 + 4)];
                (None, pattern::excerpt(&String::from_utf8_lossy(text), 0..0, SHOWN))
            };
            let first = found.as_ref().and_then(|found| found.first.as_ref());
            let (path, excerpt) =
                first.map_or_else(beginning, |first| (first.path.clone(), first.excerpt(SHOWN)));
            hits.push(Hit { line: start.line, record: start.record, path, excerpt });
        }
        true
    }
}

/// The number of turns of a record, if its format shows it as a conversation.
fn turns(root: &Value<'_>, bytes: &[u8], dataset: &Dataset) -> Option<usize> {
    let attachments = dataset.attachments.as_ref();
    let shown = Shown { root, bytes, attachments, archive: None, findings: &[] };
    (dataset.format.preview)(&shown).map(|sample| sample.turn_count())
}

impl Checked<'_> {
    /// Whether the result of the check for the record has this value.
    fn has(&self, key: CheckKey, value: &Wanted) -> bool {
        let text = if let Wanted::Contains(Pattern::Literal(text)) = value { &**text } else { "" };
        let any = |is_meant: &dyn Fn(&Finding) -> bool| self.findings.iter().any(is_meant);
        match key {
            CheckKey::Is => match text {
                "changed" => self.is_changed,
                "duplicate" => self.is_duplicate,
                "lost" => self.fate == Some(Fate::Dropped) || any(&|finding| finding.loss.is_some()),
                "fixable" => any(&|finding| has_finding(key, value, finding)),
                word => {
                    let has_error = any(&Finding::is_error);
                    (has_error || self.fate.is_some()) == (word == "invalid")
                }
            },
            CheckKey::Rule | CheckKey::Severity | CheckKey::Path | CheckKey::Attachment => {
                any(&|finding| has_finding(key, value, finding))
            }
            CheckKey::Line => has_number(value, self.start.line),
            CheckKey::Record => has_number(value, self.start.record + 1),
            CheckKey::Size => has_number(value, self.size as u64),
            CheckKey::Turns => self.turns.is_some_and(|turns| has_number(value, turns as u64)),
        }
    }
}

impl Observer for Search {
    fn needs_all_records(&self) -> bool {
        self.contents.is_some()
    }

    fn needs_tree(&mut self, record: &ScannedRecord<'_>, dataset: &Dataset) -> bool {
        // The text of a row is compared where its columns are known.
        record.captures.is_some() && self.may_match(record, dataset.collector.rejects_all)
    }

    fn clean(&mut self, record: &ScannedRecord<'_>, findings: &[Finding], dataset: &Dataset) {
        let is_duplicate = self.is_duplicate(Some(record.text));
        if record.captures.is_some() || !self.may_match(record, dataset.collector.rejects_all) {
            return;
        }
        let (text, start) = (record.text, record.at);
        if self.compare(&Candidate { text, start, table: None, findings, is_duplicate }, dataset) {
            self.lines.add(start.line..=record.last_line());
        }
    }

    fn counted(&mut self, record: &CountedRecord<'_>, findings: &[Finding], dataset: &Dataset) {
        let (text, start, table) = (record.text.unwrap_or_default(), record.mark.record_start, record.table);
        // As for the statistics.
        let whole = record.text.filter(|_| record.bytes.is_some() && !record.is_continued);
        let is_duplicate = self.is_duplicate(whole);
        if self.compare(&Candidate { text, start, table, findings, is_duplicate }, dataset) {
            self.lines.add(start.line..=record.last_line);
        }
    }
}
