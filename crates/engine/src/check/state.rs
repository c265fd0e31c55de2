//! What every kind of reader shares: the format, its rules, what was counted and found.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::report::{Loss, Severity};
use evalcheck_wire::view::Loaded;

use crate::archive::Attachments;
use crate::collector::{Checkpoint, FindingCollector};
use crate::diagnose::{
    self, Kind, Observer, PathBuilder, RecordFindings, RecordStart, RecordText, Room, SyntaxProblem, Task,
    TextProblem, Value,
};
use crate::finding::{Finding, Location};
use crate::formats::checks::{
    Captures, Checks, Conclusions, DatasetChecks, Fate, Findings, HeaderAnswer, Observations, RecordChecks,
    Summary,
};
use crate::formats::{Format, Layout, TextPolicy, Variant};
use crate::loaded::{Candidate, LoadedRecord};
use crate::rules::{AnyProblem, FileProblem, Rule};
use crate::scan::{self, Scratch};
use crate::schema::{ANY, Schema};
use evalcheck_records::csv::header::Table;
use evalcheck_records::csv::row;
use evalcheck_records::{Csv, Diagnosis, Header, PassedRecord, ScannedRecord, Visit};

/// The state of one check that does not depend on how records stand in the file.
#[derive(Debug)]
pub struct CheckState {
    /// The format.
    pub format: &'static Format,
    /// The variant of it.
    pub variant: &'static Variant,
    /// What a record looks like; a header may have chosen it.
    pub schema: &'static Schema,
    /// The checks of a record beyond its schema; a header may have chosen them.
    checks: Rc<dyn RecordChecks>,
    /// The checks of the dataset.
    dataset: Box<dyn DatasetChecks>,
    /// What the checks of the dataset report of a record that was scanned and is to be checked next.
    observed: Option<(RecordStart, Observations)>,
    /// See [`Summary::has_lost_records`].
    has_lost_records: bool,
    /// Some of the dataset was not looked at.
    pub not_checked: bool,
    /// The values of the lists of a document, in their order.
    values: Vec<ListValue>,
    /// What was counted and found.
    pub collector: FindingCollector,
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
    /// A fix would lose something of the archive, or cannot be made in it.
    refuses_fixes: bool,
    /// The records with an error, by their numbers, and their bytes with the line breaks that end them; where they are wanted.
    pub invalid_records: Option<Vec<(u64, Range<u64>)>>,
    /// Records with an error that were passed.
    passed_invalid: u64,
    /// What the system makes of each record; where it is wanted.
    pub loaded: Option<Vec<LoadedRecord>>,
    /// The same of the record that is counted next.
    next_loaded: Option<LoadedRecord>,
    /// The lists of a document that began, in their order.
    lists: Vec<usize>,
}

/// A value behind the key of a list of a document.
#[derive(Debug)]
struct ListValue {
    list: usize,
    /// What was counted before it.
    from: Checkpoint,
    /// And with it; `None` while it goes on.
    to: Option<Checkpoint>,
}

impl CheckState {
    /// A check of a dataset that is written so.
    pub fn new(format: &'static Format, variant: &'static Variant, most_per_code: Option<u64>) -> Self {
        let Checks { record, dataset } = (format.checks)(variant);
        Self {
            format,
            variant,
            schema: variant.schema,
            checks: record,
            dataset,
            observed: None,
            has_lost_records: false,
            not_checked: false,
            values: Vec::new(),
            collector: FindingCollector::new(most_per_code),
            attachments: None,
            scratch: Scratch::default(),
            notes: Vec::new(),
            file_name: None,
            entry: None,
            refuses_fixes: false,
            invalid_records: None,
            passed_invalid: 0,
            loaded: None,
            next_loaded: None,
            lists: Vec::new(),
        }
    }

    /// The dataset is an entry of an archive, and may refer to its other entries.
    pub fn set_archive(
        &mut self,
        attachments: Option<Attachments>,
        entry: Option<Rc<str>>,
        is_rewritable: bool,
    ) {
        self.attachments = attachments;
        self.entry = entry;
        self.refuses_fixes = !is_rewritable;
    }

    /// The entry of the ZIP that the dataset is.
    pub fn entry(&self) -> Option<&Rc<str>> {
        self.entry.as_ref()
    }

    /// A record that is previewed.
    fn task<'a>(&'a self, start: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        Task {
            format: self.format,
            schema: self.schema,
            checks: &*self.checks,
            attachments: self.attachments.as_ref(),
            start,
            list: 0,
            base,
            room: Room::All,
        }
    }

    /// A record that is checked: the checks of the dataset see it too.
    fn observed_task<'a>(
        &'a mut self,
        start: RecordStart,
        base: &'a PathBuilder,
        table: Option<&'a Table>,
    ) -> (Task<'a>, Observer<'a>) {
        let reported = self.observed.take().filter(|(of, _)| *of == start).map(|(_, reported)| reported);
        let task = Task {
            format: self.format,
            schema: self.schema,
            checks: &*self.checks,
            attachments: self.attachments.as_ref(),
            start,
            list: 0,
            base,
            room: Room::Dataset { collector: &self.collector, loss: self.format.loss },
        };
        (task, Observer { dataset: &mut *self.dataset, reported, table })
    }

    /// Shows a header to the checks of the dataset, and takes over the checks of records that it decides on.
    fn read_header(
        &mut self,
        parsed: &diagnose::Parsed<'_>,
        text: &RecordText<'_>,
        found: &mut RecordFindings<'_>,
    ) -> Header {
        let base = PathBuilder::default();
        diagnose::check_anomalies(parsed, text, self.format.texts, &base, found);
        let (task, observer) = self.observed_task(text.start, &base, None);
        let record = task.record(&parsed.value, text);
        let mut out = Findings::new(std::mem::take(found));
        let answer = observer.dataset.header(Some(&record), &mut out);
        (*found, _) = out.finish();
        self.follow_header(answer)
    }

    /// Takes over what a header decides.
    fn follow_header(&mut self, answer: HeaderAnswer) -> Header {
        let HeaderAnswer { header, checks, is_refused } = answer;
        if let Some(checks) = checks {
            self.checks = checks;
        }
        self.collector.rejects_all |= is_refused;
        header
    }

    /// A header that cannot be read.
    fn no_header(&mut self) -> Header {
        let answer = self.dataset.header(None, &mut Findings::new(RecordFindings::default()));
        self.follow_header(answer)
    }

    /// Notes that the system loads no record, where the finding is a mistake before all of them that keeps it from that.
    fn note_rejection(&mut self, finding: &Finding) {
        if finding.location.record.is_some() {
            return;
        }
        let problem = &finding.problem;
        let is_csv_mistake = matches!(
            problem.downcast_ref(),
            Some(
                Csv::Separator { .. }
                    | Csv::MissingColumn { .. }
                    | Csv::BlankHeader
                    | Csv::CarriageReturn
                    | Csv::UnterminatedQuote { .. }
            )
        );
        let is_text_mistake = matches!(
            (&self.variant.layout, problem.downcast_ref()),
            (Layout::Json(_), Some(TextProblem::RefusedByteOrderMark))
                | (Layout::Csv(_), Some(TextProblem::InvalidUtf8 { .. }))
        );
        self.collector.rejects_all |= is_csv_mistake || is_text_mistake;
    }

    /// Counts a record that the system drops because of the header.
    fn count_fate(&mut self, bytes: &[u8], findings: &[Finding]) {
        let is_error = |finding: &Finding| finding.problem.rule().severity == Severity::Error;
        let is_lost = |finding: &Finding| (self.format.loss)(finding) == Some(Loss::Line);
        let fate = diagnose::parse(bytes).ok().and_then(|parsed| self.checks.fate(&parsed.value));
        if fate == Some(Fate::Dropped) && !findings.iter().any(is_lost) {
            self.collector.reject(findings.iter().any(is_error));
        }
    }

    /// Notes that lines of the dataset may be any number of records.
    fn note_lost_records(&mut self, finding: &Finding) {
        self.has_lost_records |= matches!(
            finding.problem.downcast_ref(),
            Some(
                SyntaxProblem::SeveralLines { .. }
                    | SyntaxProblem::ArrayOfRecords { .. }
                    | SyntaxProblem::SecondValue { .. }
            )
        );
    }

    /// What is found in a row that is previewed; nothing is remembered.
    pub fn preview_row(&self, bytes: &[u8], record_start: RecordStart, table: &Table) -> Vec<Finding> {
        let base = PathBuilder::default();
        let mut findings = explain_row(bytes, table, self.task(record_start, &base), None);
        self.complete(&mut findings);
        findings
    }

    /// What is found in a record that is previewed; nothing is remembered.
    pub fn preview_record(
        &self,
        bytes: &[u8],
        record_start: RecordStart,
        base: &PathBuilder,
        list: usize,
    ) -> Vec<Finding> {
        let schema = match &self.variant.layout {
            Layout::Json(lists) => lists.get(list).map_or(self.schema, |list| list.schema),
            _ => self.schema,
        };
        let task = Task { schema, list, ..self.task(record_start, base) };
        let mut findings = diagnose::diagnose(bytes, task, None).findings;
        self.complete(&mut findings);
        findings
    }

    /// What the system makes of a record with these findings.
    pub fn load(
        &self,
        bytes: &[u8],
        start: RecordStart,
        list: usize,
        table: Option<&Table>,
        findings: &[Finding],
    ) -> Loaded {
        if self.collector.rejects_all {
            return Loaded::Refused;
        }
        let (format, variant, checks) = (self.format, self.variant, &*self.checks);
        Candidate { format, variant, checks, bytes, start, list, table }.load(findings)
    }

    /// Notes what the system makes of the record that is counted next, where it is wanted.
    fn note_loaded(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        list: usize,
        table: Option<&Table>,
        findings: &[Finding],
    ) {
        if self.loaded.is_some() {
            let loaded = self.load(bytes, start, list, table, findings);
            self.next_loaded =
                Some(LoadedRecord { line: start.line, loaded, value: self.lists.len().saturating_sub(1) });
        }
    }

    /// True for a value of a list ([`LoadedRecord::value`]) that a later one replaces: a list that is there twice counts as
    /// its last value.
    pub fn is_replaced(&self, value: usize) -> bool {
        let later = self.lists.get(value + 1..).unwrap_or_default();
        self.lists.get(value).is_some_and(|list| later.contains(list))
    }

    /// Adds what the format and the archive know: whose words a message is, and the entry that is the dataset.
    pub fn complete(&self, findings: &mut [Finding]) {
        for finding in findings {
            finding.says = (self.format.says)(finding);
            finding.loss = (self.format.loss)(finding);
            if self.entry.is_some() {
                finding.location.entry.clone_from(&self.entry);
            }
            if self.refuses_fixes {
                finding.fix = None;
            }
        }
    }

    /// Adds a finding in the dataset that is not a record's.
    pub fn add(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        let mut finding = Finding::new(problem, location);
        self.complete(std::slice::from_mut(&mut finding));
        self.collector.add(finding);
    }

    /// The worst severity of a line, as far as it is known: of findings that were not kept only errors are.
    pub fn severity_at(&self, line: u64) -> Option<Severity> {
        if self.collector.has_error(line) {
            return Some(Severity::Error);
        }
        self.findings_at(line).map(|finding| finding.problem.rule().severity).min()
    }

    /// The findings that were kept for a record.
    pub fn findings_of(&self, record: u64) -> impl Iterator<Item = &Finding> {
        self.collector.findings().iter().filter(move |finding| finding.location.record == Some(record))
    }

    /// The findings that were kept for a line.
    pub fn findings_at(&self, line: u64) -> impl Iterator<Item = &Finding> {
        self.collector.findings().iter().filter(move |finding| finding.location.line == Some(line))
    }
}

impl Visit for CheckState {
    fn collector(&self) -> &FindingCollector {
        &self.collector
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.collector
    }

    fn report(&mut self, mut finding: Finding) {
        self.note_lost_records(&finding);
        self.note_rejection(&finding);
        self.complete(std::slice::from_mut(&mut finding));
        self.collector.add(finding);
    }

    fn report_late(&mut self, mut finding: Finding) {
        self.complete(std::slice::from_mut(&mut finding));
        self.collector.add(finding);
    }

    fn count_record(&mut self, mut findings: Vec<Finding>) {
        for finding in &findings {
            self.note_lost_records(finding);
        }
        self.complete(&mut findings);
        if let Some(loaded) = &mut self.loaded {
            // A record without an end is not read as one.
            let is_refused = self.collector.rejects_all;
            let value = self.lists.len().saturating_sub(1);
            let not_loaded = || LoadedRecord::not_loaded(&findings, value, is_refused);
            loaded.extend(self.next_loaded.take().or_else(not_loaded));
        }
        self.collector.add_record(findings);
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
        let ScannedRecord { bytes, start, captures, at, list } = *record;
        let is_observed = self.observed.as_ref().is_some_and(|(of, _)| *of == at);
        if is_observed || self.loaded.is_some() {
            return false;
        }
        let strings = captures.unwrap_or(&self.scratch.captures);
        let captures = Captures::of_scan(bytes, start, strings, list, self.attachments.as_ref());
        if !self.checks.is_clean(&captures) {
            return false;
        }
        let mut observed = Observations::default();
        self.dataset.observe(&captures, at, &mut observed);
        if observed.is_empty() {
            return true;
        }
        let is_only_counted =
            |rule: &'static Rule| rule.severity != Severity::Error && self.collector.room(rule) == 0;
        if observed.are_all(is_only_counted) {
            let mut findings = diagnose::count_observed(observed, at);
            self.complete(&mut findings);
            for finding in findings {
                self.collector.add(finding);
            }
            return true;
        }
        // It is read into a tree next, which tells the path of what is reported.
        self.observed = Some((at, observed));
        false
    }

    fn check(&mut self, bytes: &[u8], start: RecordStart, base: &PathBuilder, list: usize) -> Diagnosis {
        let (task, observer) = self.observed_task(start, base, None);
        let diagnosis = diagnose::diagnose(bytes, Task { list, ..task }, Some(observer));
        if !diagnosis.unfinished {
            self.note_loaded(bytes, start, list, None, &diagnosis.findings);
            if self.checks.depend_on_header() {
                self.count_fate(bytes, &diagnosis.findings);
            }
        }
        diagnosis
    }

    fn check_row(&mut self, bytes: &[u8], start: RecordStart, table: &Table) -> Vec<Finding> {
        let base = PathBuilder::default();
        let (task, observer) = self.observed_task(start, &base, Some(table));
        let findings = explain_row(bytes, table, task, Some(observer));
        self.note_loaded(bytes, start, 0, Some(table), &findings);
        findings
    }

    fn texts(&self) -> TextPolicy {
        self.format.texts
    }

    fn check_header(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        schema: &'static Schema,
    ) -> (Header, Diagnosis) {
        let text = RecordText::new(bytes, start);
        let mut found = RecordFindings::default();
        let mut unfinished = false;
        let header = match diagnose::parse_at(bytes, start) {
            _ if self.format.texts.lines.is_blank(bytes) => self.no_header(),
            Ok(parsed) => {
                // Another value than an object: the checks say what it is, and a comparison would only repeat it.
                let schema = if matches!(parsed.value.kind, Kind::Object(_)) { schema } else { &ANY };
                diagnose::check_schema(&parsed.value, schema, &PathBuilder::default(), bytes, &mut found);
                self.read_header(&parsed, &text, &mut found)
            }
            Err(error) => {
                unfinished = error.unfinished;
                let is_cut = matches!(error.problem, SyntaxProblem::Truncated { .. });
                let finding = error.into_fixed_finding(bytes, true);
                // Without its first line the rest would be another dataset.
                found.push(if is_cut { finding.with_fix(None) } else { finding });
                Header { problem: None, ..self.no_header() }
            }
        };
        let mut findings = text.locate_all(found);
        for finding in &mut findings {
            finding.location.record = None;
        }
        (header, Diagnosis { findings, unfinished })
    }

    fn check_columns(
        &mut self,
        columns: &Value<'_>,
        bytes: &[u8],
        start: RecordStart,
        found: &mut RecordFindings<'_>,
    ) {
        // Where lines end with carriage returns alone, more follows than the columns.
        let members = if let Kind::Object(members) = &columns.kind { &members[..] } else { &[] };
        let rest = members.last().map_or(0, |member| member.key_span.end)..bytes.len();
        let cells = members.iter().map(|member| member.key_span.clone()).chain([rest]);
        let parsed = diagnose::Parsed { value: columns.clone(), anomalies: row::anomalies(bytes, cells) };
        self.read_header(&parsed, &RecordText::new(bytes, start), found);
    }

    fn check_value(
        &mut self,
        parsed: &diagnose::Parsed<'_>,
        bytes: &[u8],
        start: RecordStart,
        base: &PathBuilder,
        schema: &'static Schema,
    ) -> Vec<Finding> {
        let text = RecordText::new(bytes, start);
        let room = Room::Dataset { collector: &self.collector, loss: self.format.loss };
        let mut found = RecordFindings::within(room);
        diagnose::check_schema(&parsed.value, schema, base, bytes, &mut found);
        diagnose::check_anomalies(parsed, &text, self.format.texts, base, &mut found);
        text.locate_all(found)
    }

    fn set_schema(&mut self, schema: &'static Schema) {
        self.schema = schema;
    }

    fn begin_list(&mut self, list: usize, schema: &'static Schema, record: u64) {
        self.schema = schema;
        self.dataset.begin_list(list, record);
        self.lists.push(list);
    }

    fn begin_value(&mut self, list: usize) {
        // Errors in a value that a later one replaces do not keep the system from loading the file, unless they keep it
        // from being JSON.
        let former = self
            .values
            .iter()
            .position(|value| value.list == list)
            .map(|index| (index, self.values.remove(index)));
        if let Some((index, ListValue { from, to: Some(to), .. })) = former {
            let own = self.format.rules;
            let may_be_taken_back =
                |rule: &Rule| rule.category() == "shape" || own.iter().any(|group| group.contains(rule));
            let removed = self.collector.take_back(&from, &to, may_be_taken_back);
            for later in &mut self.values[index..] {
                later.from.findings -= removed;
                if let Some(to) = &mut later.to {
                    to.findings -= removed;
                }
            }
        }
        self.values.push(ListValue { list, from: self.collector.checkpoint(), to: None });
    }

    fn end_value(&mut self) {
        if let Some(value) = self.values.last_mut().filter(|value| value.to.is_none()) {
            value.to = Some(self.collector.checkpoint());
        }
    }

    fn unread(&mut self) {
        self.dataset.unread();
    }

    fn not_checked(&mut self) {
        self.not_checked = true;
    }

    fn passed(&mut self, record: &PassedRecord<'_>) {
        let is_invalid = self.collector.invalid > self.passed_invalid;
        self.passed_invalid = self.collector.invalid;
        if let Some(records) = self.invalid_records.as_mut().filter(|_| is_invalid && !record.is_partial) {
            let start = record.mark.record_start;
            let length = (record.bytes.len() + record.line_break) as u64;
            records.push((start.record, start.offset..start.offset + length));
        }
    }

    fn invalid_lines(&mut self, record: u64, bytes: Range<u64>) {
        if let Some(records) = &mut self.invalid_records {
            records.push((record, bytes));
        }
    }

    fn finish(&mut self, empty: bool, lost: bool) {
        self.collector.finish();
        let summary = Summary {
            file_name: self.file_name.as_deref(),
            records: self.collector.records(),
            has_lost_records: self.has_lost_records,
        };
        self.dataset.finish(&summary, &mut Conclusions::new(&mut self.collector, &mut self.notes));
        let records = self.collector.records();
        let problem: Option<AnyProblem> = if empty {
            Some(FileProblem::EmptyFile.into())
        } else if records == 0 && lost {
            None
        } else {
            self.format.limits.check(records, self.format.noun).map(Into::into)
        };
        if let Some(problem) = problem {
            self.add(problem, Location::file());
        }
    }
}

/// Everything that is found in a row.
fn explain_row(bytes: &[u8], table: &Table, task: Task<'_>, observer: Option<Observer<'_>>) -> Vec<Finding> {
    let start = task.start;
    let text = RecordText::new(bytes, start);
    let mut found = RecordFindings::within(task.room);
    let parsed = row::read(bytes, table, start.line, &mut found);
    if let Some(parsed) = parsed {
        diagnose::check_record(&parsed, &text, task, observer, &mut found);
    }
    let mut findings = text.locate_all(found);
    for finding in &mut findings {
        finding.location.begins = Some(start.line).filter(|&line| finding.location.line != Some(line));
    }
    findings
}
