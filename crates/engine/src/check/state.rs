//! What every kind of reader shares: the format, its rules, what was counted and found.

use std::rc::Rc;

use evalcheck_wire::report::Severity;

use crate::archive::Attachments;
use crate::explain::{self, Kind, PathBuilder, RecordStart, Task, Value};
use crate::finding::{Finding, Location};
use crate::formats::{Format, Layout, Variant};
use crate::rules::dataset_rules::{Accepted, DatasetRules, End};
use crate::rules::{AnyProblem, Dataset};
use crate::scan::{self, Scratch};
use crate::schema::{ANY, Schema};
use crate::tally::FindingCollector;
use evalcheck_records::csv::header::Table;
use evalcheck_records::csv::row;
use evalcheck_records::{Explanation, Header, ScannedRecord, Visit};

/// The state of one check that does not depend on how records stand in the file.
#[derive(Debug)]
pub struct CheckState {
    /// The format.
    pub format: &'static Format,
    /// The variant of it.
    pub variant: &'static Variant,
    /// What a record looks like; a header may have chosen it.
    pub schema: &'static Schema,
    /// The rules beyond the shape.
    pub rules: Box<dyn DatasetRules>,
    /// What was counted and found.
    pub tally: FindingCollector,
    /// The attachments that records may refer to.
    pub attachments: Option<Attachments>,
    /// Memory of the fast tier.
    pub scratch: Scratch,
    /// Facts for the overview.
    pub notes: Vec<String>,
    /// The file's name; `None` for what comes from a stream and has none.
    pub file_name: Option<String>,
    /// The entry of the ZIP that the dataset is.
    entry: Option<Rc<str>>,
}

impl CheckState {
    /// A check of a dataset that is written so.
    pub fn new(format: &'static Format, variant: &'static Variant, most_per_code: Option<u64>) -> Self {
        Self {
            format,
            variant,
            schema: variant.schema,
            rules: (format.rules)(variant),
            tally: FindingCollector::new(most_per_code),
            attachments: None,
            scratch: Scratch::default(),
            notes: Vec::new(),
            file_name: None,
            entry: None,
        }
    }

    /// The dataset is an entry of an archive, and may refer to its other entries.
    pub fn set_archive(&mut self, attachments: Option<Attachments>, entry: Option<Rc<str>>) {
        self.attachments = attachments;
        self.entry = entry;
    }

    /// The entry of the ZIP that the dataset is.
    pub fn entry(&self) -> Option<&Rc<str>> {
        self.entry.as_ref()
    }

    /// A record that is checked: the session's own rules look at it and may remember it.
    fn task<'a>(&'a mut self, origin: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        Task {
            format: self.format,
            schema: self.schema,
            rules: &mut *self.rules,
            attachments: self.attachments.as_ref(),
            origin,
            list: 0,
            base,
            looking: false,
        }
    }

    /// A record that is looked at again, by rules of which nothing is kept.
    fn looking_task<'a>(
        &'a self,
        rules: &'a mut dyn DatasetRules,
        origin: RecordStart,
        base: &'a PathBuilder,
    ) -> Task<'a> {
        Task {
            format: self.format,
            schema: self.schema,
            rules,
            attachments: self.attachments.as_ref(),
            origin,
            list: 0,
            base,
            looking: true,
        }
    }

    /// The same for a row that is looked at again; nothing is remembered.
    pub fn look_at_row(&self, bytes: &[u8], origin: RecordStart, table: &Table) -> Vec<Finding> {
        let mut rules = self.rules.looking();
        let base = PathBuilder::default();
        let task = self.looking_task(&mut *rules, origin, &base);
        let mut findings = explain_row(bytes, table, task);
        self.name_entry(&mut findings);
        findings
    }

    /// The same for a record that is looked at again; nothing is remembered.
    pub fn look(&self, bytes: &[u8], origin: RecordStart, base: &PathBuilder, list: usize) -> Vec<Finding> {
        let mut rules = self.rules.looking();
        let schema = match &self.variant.layout {
            Layout::Json(lists) => lists.get(list).map_or(self.schema, |list| list.schema),
            _ => self.schema,
        };
        let task = Task { schema, list, ..self.looking_task(&mut *rules, origin, base) };
        let mut findings = explain::explain(bytes, task).findings;
        self.name_entry(&mut findings);
        findings
    }

    /// Findings in a dataset that is an entry name it.
    pub fn name_entry(&self, findings: &mut [Finding]) {
        if self.entry.is_some() {
            for finding in findings {
                finding.location.entry.clone_from(&self.entry);
            }
        }
    }

    /// Adds a finding in the dataset that is not a record's.
    pub fn add(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        let mut finding = Finding::new(problem, location);
        self.name_entry(std::slice::from_mut(&mut finding));
        self.tally.add(finding);
    }

    /// The worst severity that was kept for a line.
    pub fn severity_at(&self, line: u64) -> Option<Severity> {
        self.findings_at(line).map(|finding| finding.problem.rule().severity).min()
    }

    /// The findings that were kept for a record.
    pub fn findings_of(&self, record: u64) -> impl Iterator<Item = &Finding> {
        self.tally.findings().iter().filter(move |finding| finding.location.record == Some(record))
    }

    /// The findings that were kept for a line.
    pub fn findings_at(&self, line: u64) -> impl Iterator<Item = &Finding> {
        self.tally.findings().iter().filter(move |finding| finding.location.line == Some(line))
    }
}

impl Visit for CheckState {
    fn collector(&self) -> &FindingCollector {
        &self.tally
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.tally
    }

    fn report(&mut self, mut finding: Finding) {
        self.name_entry(std::slice::from_mut(&mut finding));
        self.tally.add(finding);
    }

    fn report_late(&mut self, mut finding: Finding) {
        self.name_entry(std::slice::from_mut(&mut finding));
        self.tally.add_late(finding);
    }

    fn count_record(&mut self, mut findings: Vec<Finding>) {
        self.name_entry(&mut findings);
        self.tally.add_record(findings);
    }

    #[inline]
    fn scan_line(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        scan::line(bytes, start, self.schema, self.format.texts, &mut self.scratch).ok()
    }

    #[inline]
    fn scan_element(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        scan::element(bytes, start, self.schema, self.format.texts, &mut self.scratch).ok()
    }

    #[inline]
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        let ScannedRecord { bytes, start, captures, at: origin, list } = *record;
        let strings = captures.unwrap_or(&self.scratch.captures);
        let attachments = self.attachments.as_ref();
        self.rules.accept(&Accepted { bytes, start, strings, origin, list, attachments })
    }

    fn check(&mut self, bytes: &[u8], origin: RecordStart, base: &PathBuilder, list: usize) -> Explanation {
        let task = Task { list, ..self.task(origin, base) };
        explain::explain(bytes, task)
    }

    fn check_row(&mut self, bytes: &[u8], origin: RecordStart, table: &Table) -> Vec<Finding> {
        let base = PathBuilder::default();
        let task = self.task(origin, &base);
        explain_row(bytes, table, task)
    }

    fn check_header(
        &mut self,
        bytes: &[u8],
        origin: RecordStart,
        schema: &'static Schema,
    ) -> (Header, Explanation) {
        let base = PathBuilder::default();
        let mut found = Vec::new();
        let mut unfinished = false;
        let header = match explain::parse(bytes) {
            _ if evalcheck_records::jsonl::is_blank(bytes) => self.rules.header(None),
            Ok(parsed) => {
                // Another value than an object: the rules say what it is, and a comparison would only repeat it.
                let schema = if matches!(parsed.value.kind, Kind::Object(_)) { schema } else { &ANY };
                let task = Task { schema, ..self.task(origin, &base) };
                explain::check_value(&parsed, bytes, task, &mut found, |rules, context| {
                    rules.header(Some(context))
                })
            }
            Err(fault) => {
                unfinished = fault.unfinished;
                found.push(fault.into_finding());
                Header { problem: None, ..self.rules.header(None) }
            }
        };
        let mut findings: Vec<Finding> = found.into_iter().map(|found| found.locate(bytes, origin)).collect();
        for finding in &mut findings {
            finding.location.record = None;
        }
        (header, Explanation { findings, unfinished })
    }

    fn check_columns(
        &mut self,
        columns: &Value<'_>,
        bytes: &[u8],
        origin: RecordStart,
        found: &mut Vec<explain::RecordFinding>,
    ) {
        let parsed = explain::Parsed { value: columns.clone(), anomalies: row::anomalies(bytes) };
        let base = PathBuilder::default();
        let task = self.task(origin, &base);
        explain::check_record(&parsed, bytes, task, found, |rules, context| rules.header(Some(context)));
    }

    fn check_value(
        &mut self,
        parsed: &explain::Parsed<'_>,
        bytes: &[u8],
        origin: RecordStart,
        base: &PathBuilder,
        schema: &'static Schema,
    ) -> Vec<Finding> {
        let mut found = Vec::new();
        let task = Task { schema, attachments: None, looking: true, ..self.task(origin, base) };
        explain::check_value(parsed, bytes, task, &mut found, |_, _| ());
        found.into_iter().map(|found| found.locate(bytes, origin)).collect()
    }

    fn set_schema(&mut self, schema: &'static Schema) {
        self.schema = schema;
    }

    fn begin_list(&mut self, list: usize, schema: &'static Schema, record: u64) {
        self.schema = schema;
        self.rules.begin_list(list, record);
    }

    fn unread(&mut self) {
        self.rules.unread();
    }

    fn finish(&mut self, empty: bool, lost: bool) {
        let mut rules = std::mem::replace(&mut self.rules, Box::new(crate::rules::dataset_rules::NoRules));
        rules.finish(&mut End::new(&mut self.tally, &mut self.notes, self.file_name.as_deref()));
        self.rules = rules;
        let records = self.tally.records();
        let limits = self.format.limits;
        let problem = match (limits.most, limits.usual) {
            _ if empty => Some(Dataset::EmptyFile),
            _ if records == 0 && lost => None,
            _ if records == 0 => Some(Dataset::NoRecords { noun: self.format.noun }),
            (Some(limit), _) if records > limit => Some(Dataset::TooManyRecords { found: records, limit }),
            (_, Some(limit)) if records > limit => Some(Dataset::ManyRecords { found: records, limit }),
            _ => None,
        };
        if let Some(problem) = problem {
            self.add(problem, Location::file());
        }
    }
}

/// Everything that is to be said of a row.
fn explain_row(bytes: &[u8], table: &Table, task: Task<'_>) -> Vec<Finding> {
    let origin = task.origin;
    let row::Row { parsed, mut found } = row::read(bytes, table, origin.line);
    if let Some(parsed) = parsed {
        explain::check_record(&parsed, bytes, task, &mut found, |rules, record| rules.examine(record));
    }
    let locate = |found: explain::RecordFinding| {
        let mut finding = found.locate(bytes, origin);
        finding.location.begins = Some(origin.line).filter(|&line| finding.location.line != Some(line));
        finding
    };
    found.into_iter().map(locate).collect()
}
