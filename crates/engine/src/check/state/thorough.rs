//! The thorough tier: finds all problems of a part of a dataset.

use evalcheck_records::csv::Table;
use evalcheck_records::csv::row;
use evalcheck_records::{Diagnosis, Header};
use evalcheck_report::Loss;

use super::CheckState;
use crate::dataset::diagnose_row;
use crate::diagnose::{
    self, Kind, PathBuilder, RecordFindings, RecordStart, RecordText, SyntaxProblem, Task, Value,
};
use crate::finding::Finding;
use crate::formats::checks::{Fate, Findings, HeaderAnswer};
use crate::schema::Schema;

impl CheckState {
    pub(super) fn check_record(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        base: &PathBuilder,
        list: usize,
    ) -> Diagnosis {
        let (task, observer) = self.observed_task(start, base, None);
        let diagnosis = diagnose::diagnose(bytes, Task { list, ..task }, Some(observer));
        if self.dataset.record_checks.depend_on_header() {
            self.dataset.fate = self.count_fate(bytes, &diagnosis.findings);
        }
        diagnosis
    }

    pub(super) fn check_row(&mut self, bytes: &[u8], start: RecordStart, table: &Table) -> Vec<Finding> {
        let base = PathBuilder::default();
        let (task, observer) = self.observed_task(start, &base, Some(table));
        diagnose_row(bytes, table, task, Some(observer))
    }

    pub(super) fn check_header(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        schema: &'static Schema,
    ) -> Diagnosis {
        let text = RecordText::new(bytes, start);
        let mut found = RecordFindings::default();
        let mut unfinished = false;
        let header = match diagnose::parse_at(bytes, start) {
            _ if self.dataset.format.texts.lines.is_blank(bytes) => self.no_header(),
            Ok(parsed) => {
                // The checks name the kind of a value that is not an object, and a comparison would only repeat it.
                let is_object = matches!(parsed.value.kind, Kind::Object(_));
                self.read_header(&parsed, &text, is_object.then_some(schema), &mut found)
            }
            Err(error) => {
                unfinished = error.unfinished;
                let is_cut =
                    matches!(&error.problem, SyntaxProblem::Truncated { closing, .. } if closing.is_empty());
                let finding = diagnose::fixed_syntax_finding(error, bytes, true, schema);
                // Without its first line the rest would be another dataset.
                found.push(if is_cut { finding.with_fix(None) } else { finding });
                Header { problem: None, ..self.no_header() }
            }
        };
        let mut findings = found.locate(&text);
        for finding in &mut findings {
            finding.location.record = None;
        }
        Diagnosis { findings, unfinished, header }
    }

    pub(super) fn check_columns(
        &mut self,
        columns: &Value<'_>,
        bytes: &[u8],
        start: RecordStart,
    ) -> Vec<Finding> {
        // If lines end with carriage returns alone, more than the columns follows.
        let members = if let Kind::Object(members) = &columns.kind { &members[..] } else { &[] };
        let rest = members.last().map_or(0, |member| member.key_span.end)..bytes.len();
        let cells = members.iter().map(|member| member.key_span.clone()).chain([rest]);
        let parsed = diagnose::Parsed { value: columns.clone(), anomalies: row::anomalies(bytes, cells) };
        let (text, mut found) = (RecordText::new(bytes, start), RecordFindings::default());
        self.read_header(&parsed, &text, None, &mut found);
        found.locate(&text)
    }

    pub(super) fn check_value(
        &mut self,
        parsed: &diagnose::Parsed<'_>,
        bytes: &[u8],
        start: RecordStart,
        base: &PathBuilder,
        schema: &'static Schema,
    ) -> Vec<Finding> {
        let text = RecordText::new(bytes, start);
        let mut found = RecordFindings::within(self.dataset.room());
        diagnose::check_schema(&parsed.value, schema, base, bytes, &mut found);
        diagnose::check_anomalies(parsed, &text, self.dataset.format.texts, base, &mut found);
        found.locate(&text)
    }

    /// Shows a header to the checks of the dataset, and adopts the checks of records that it decides on. Adds the findings in it,
    /// also those of a comparison with a schema, if there is one.
    fn read_header(
        &mut self,
        parsed: &diagnose::Parsed<'_>,
        text: &RecordText<'_>,
        schema: Option<&'static Schema>,
        found: &mut RecordFindings<'_>,
    ) -> Header {
        let base = PathBuilder::default();
        let texts = self.dataset.format.texts;
        let (task, observer) = self.observed_task(text.start, &base, None);
        let record = task.record(&parsed.value, text);
        let mut out = Findings::new(RecordFindings::default());
        let answer = observer.dataset.header(Some(&record), &mut out);
        let (of_rules, misfits) = out.finish();
        if let Some(schema) = schema {
            diagnose::check_schema_outside(&misfits, &parsed.value, schema, &base, text.bytes, found);
        }
        diagnose::check_anomalies(parsed, text, texts, &base, found);
        found.append(of_rules);
        self.follow_header(answer)
    }

    /// Adopts the decisions of a header.
    fn follow_header(&mut self, answer: HeaderAnswer) -> Header {
        let HeaderAnswer { header, checks, is_refused } = answer;
        if let Some(checks) = checks {
            self.dataset.set_record_checks(checks);
        }
        self.dataset.collector.rejects_all |= is_refused;
        header
    }

    /// The result for a header that cannot be read.
    fn no_header(&mut self) -> Header {
        let answer = self.checks.header(None, &mut Findings::new(RecordFindings::default()));
        self.follow_header(answer)
    }

    /// The fate of a record because of the header. Counts a record that the system drops.
    fn count_fate(&mut self, bytes: &[u8], findings: &[Finding]) -> Option<Fate> {
        let is_lost = |finding: &Finding| (self.dataset.format.loader.loss)(finding) == Some(Loss::Line);
        let fate =
            diagnose::parse(bytes).ok().and_then(|parsed| self.dataset.record_checks.fate(&parsed.value));
        if fate == Some(Fate::Dropped) {
            self.dataset
                .collector
                .reject(findings.iter().any(Finding::is_error), findings.iter().any(is_lost));
        }
        fate
    }
}
