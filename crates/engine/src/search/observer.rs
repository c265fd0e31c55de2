//! Compares the records of a check with the query.

use evalcheck_formats::preview::Shown;
use evalcheck_records::csv::{Table, row};
use evalcheck_records::{Event, Part, ScannedRecord};

use super::{Search, Unread};
use crate::continued::ContinuedText;
use crate::dataset::Dataset;
use crate::diagnose::{self, RecordFindings, RecordStart, Room};
use crate::finding::Finding;
use crate::formats::checks::Fate;
use crate::observer::{Observer, PartText};

impl Search {
    /// Compares the record that is counted next with the query.
    fn compare(&mut self, bytes: &[u8], start: RecordStart, table: Option<&Table>, dataset: &Dataset) {
        let parsed = match table {
            Some(table) => row::read(bytes, table, start.line, &mut RecordFindings::within(Room::None)),
            None => diagnose::parse(bytes).ok(),
        };
        let root = parsed.as_ref().map(|parsed| &parsed.value);
        let turns = root.filter(|_| self.wants_turns()).and_then(|root| {
            let attachments = dataset.attachments.as_ref();
            (dataset.format.preview)(&Shown { root, bytes, attachments, archive: None, findings: &[] })
        });
        self.note(bytes, root, start, turns.map(|sample| sample.turn_count()));
    }
}

impl Observer for Search {
    fn needs_all_records(&self) -> bool {
        false
    }

    fn needs_tree(&mut self, record: &ScannedRecord<'_>, dataset: &Dataset) -> bool {
        // The text of a row is compared where its columns are known.
        record.captures.is_some() && self.may_match(record, dataset.collector.rejects_all)
    }

    fn clean(&mut self, record: &ScannedRecord<'_>, findings: &[Finding], dataset: &Dataset) {
        if record.captures.is_none() && self.may_match(record, dataset.collector.rejects_all) {
            self.compare(record.text, record.at, None, dataset);
            self.counted(record.at.record, findings, dataset);
        }
    }

    fn read(&mut self, part: Part<'_>, text: &PartText<'_>, dataset: &Dataset) {
        let PartText { bytes, start, .. } = *text;
        match part {
            Part::Record { .. } => self.compare(bytes, start, None, dataset),
            Part::Row(table) => self.compare(bytes, start, Some(table), dataset),
            Part::Header(_) => {
                let is_blank = dataset.format.texts.lines.is_blank(bytes);
                if !is_blank && diagnose::parse_at(bytes, start).is_err() {
                    // It may be the first line of an array around all records.
                    let lines = ContinuedText::new(bytes);
                    self.unread = Some(Unread { at: start, lines, is_header: true });
                }
            }
            Part::Columns(_) | Part::Value { .. } => {}
        }
    }

    fn counted(&mut self, _: u64, findings: &[Finding], dataset: &Dataset) {
        let fate = if dataset.collector.rejects_all { Some(Fate::Refused) } else { dataset.fate };
        self.count(findings, fate);
    }

    fn finding(&mut self, _: &Finding, _: &Dataset) {
        // The line is the header.
        self.unread.take_if(|unread| unread.is_header);
    }

    fn event(&mut self, event: &Event<'_>, _: &Dataset) {
        match event {
            Event::Continues { line, offset } => self.note_line(line, *offset),
            Event::InvalidLines { record, bytes, further } => self.note_lines(*record, bytes.end, *further),
            Event::Read(record) => {
                self.note_text(record.bytes, record.mark.record_start);
                self.go_on(record.mark.record_start.record, record.last_line);
            }
            _ => {}
        }
    }

    fn end(&mut self, _: &Dataset) {
        self.count_uncompared();
    }
}
