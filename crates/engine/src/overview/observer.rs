//! Counts the records of a check.

use evalcheck_records::{CountedRecord, ScannedRecord};

use super::Overview;
use crate::dataset::Dataset;
use crate::finding::Finding;
use crate::loaded::Candidate;
use crate::observer::Observer;

impl Observer for Overview {
    fn needs_all_records(&self) -> bool {
        false
    }

    fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], dataset: &Dataset) {
        self.count_clean(record);
        let Some(outcomes) = &mut self.outcomes else { return };
        outcomes.set_value(&dataset.lists);
        if dataset.collector.rejects_all || (dataset.format.loader.may_differ)(record.text) {
            let ScannedRecord { text, at, list, row, .. } = *record;
            let (text, table) = (Some(text), row.map(|row| row.table));
            outcomes.count(&dataset.load(&Candidate { text, start: at, list, table, findings: &[] }));
        } else {
            outcomes.count_same();
        }
    }

    fn counted(&mut self, record: &CountedRecord<'_>, findings: &[Finding], dataset: &Dataset) {
        // Of a record over several lines, loaders see none.
        self.line = record.mark.record_start.line;
        if let Some(text) = record.text.filter(|_| record.bytes.is_some() && !record.is_continued) {
            match record.table {
                Some(table) => self.count_row(text, table),
                None => self.count_record(text, dataset.schema),
            }
        }
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.set_value(&dataset.lists);
            outcomes.count(&dataset.load_counted(record, findings));
        }
    }

    fn end(&mut self, dataset: &Dataset) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.replace(&dataset.lists);
        }
    }
}
