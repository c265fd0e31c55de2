//! Counts the records of a check.

use evalcheck_records::{Event, Part, ScannedRecord};

use super::Overview;
use crate::dataset::Dataset;
use crate::finding::Finding;
use crate::observer::{Observer, PartText};

impl Observer for Overview {
    fn needs_all_records(&self) -> bool {
        false
    }

    fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], dataset: &Dataset) {
        self.count_clean(record);
        let Some(outcomes) = &mut self.outcomes else { return };
        outcomes.set_value(&dataset.lists);
        if dataset.collector.rejects_all || (dataset.format.loader.may_differ)(record.text) {
            let text = PartText { bytes: record.text, start: record.at, findings: &[] };
            outcomes.count(&dataset.load(&text, record.list, record.row.map(|row| row.table)));
        } else {
            outcomes.count_same();
        }
    }

    fn read(&mut self, part: Part<'_>, text: &PartText<'_>, dataset: &Dataset) {
        match part {
            Part::Record { .. } => self.note_record(text.bytes, text.start, dataset.schema),
            Part::Row(table) => self.note_row(text.bytes, text.start, table),
            _ => return,
        }
        if self.outcomes.is_some() {
            self.next_loaded.read(part, text, dataset);
        }
    }

    fn counted(&mut self, record: u64, findings: &[Finding], dataset: &Dataset) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.set_value(&dataset.lists);
            outcomes.count(&self.next_loaded.count(findings, dataset).1);
        }
        self.count_noted(record);
    }

    fn event(&mut self, event: &Event<'_>, _: &Dataset) {
        if let Event::InvalidLines { further: 1.., .. } = event {
            // Only the first line of the record was measured.
            self.next = None;
        }
    }

    fn end(&mut self, dataset: &Dataset) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.replace(&dataset.lists);
        }
    }
}
