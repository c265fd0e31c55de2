//! The findings in records that are previewed: nothing is remembered of them.

use evalcheck_records::Diagnosis;
use evalcheck_records::csv::{Table, row};

use super::Dataset;
use crate::diagnose::{self, Observer, PathBuilder, RecordFindings, RecordStart, RecordText, Room, Task};
use crate::finding::Finding;
use crate::formats::Layout;

impl Dataset {
    /// The findings in a row that is previewed.
    pub fn preview_row(&self, bytes: &[u8], record_start: RecordStart, table: &Table) -> Vec<Finding> {
        let base = PathBuilder::default();
        let mut findings = diagnose_row(bytes, table, self.preview_task(record_start, &base), None);
        self.complete(&mut findings);
        findings
    }

    /// The findings in a record that is previewed.
    pub fn preview_record(
        &self,
        bytes: &[u8],
        record_start: RecordStart,
        base: &PathBuilder,
        list: usize,
    ) -> Vec<Finding> {
        self.preview(bytes, record_start, base, list).findings
    }

    /// The diagnosis of a record that is previewed.
    pub(crate) fn preview(
        &self,
        bytes: &[u8],
        record_start: RecordStart,
        base: &PathBuilder,
        list: usize,
    ) -> Diagnosis {
        let schema = match &self.variant.layout {
            Layout::Json(lists) => lists.get(list).map_or(self.schema, |list| list.schema),
            _ => self.schema,
        };
        let task = Task { schema, list, ..self.preview_task(record_start, base) };
        let mut diagnosis = diagnose::diagnose(bytes, task, None);
        self.complete(&mut diagnosis.findings);
        diagnosis
    }

    fn preview_task<'a>(&'a self, start: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        self.set_referring_record(None);
        self.task_within(Room::All, start, base)
    }
}

/// All findings in a row.
pub(crate) fn diagnose_row(
    bytes: &[u8],
    table: &Table,
    task: Task<'_>,
    observer: Option<Observer<'_>>,
) -> Vec<Finding> {
    let start = task.start;
    let text = RecordText::new(bytes, start);
    let mut found = RecordFindings::within(task.room);
    let parsed = row::read(bytes, table, start.line, &mut found);
    if let Some(parsed) = parsed {
        diagnose::check_record(&parsed, &text, task, None, observer, &mut found);
    }
    let mut findings = found.locate(&text);
    for finding in &mut findings {
        finding.location.begins = Some(start.line).filter(|&line| finding.location.line != Some(line));
        // A row has no root: only its cells have paths.
        finding.location.path.take_if(|path| path.0.is_empty());
    }
    findings
}
