//! State that every kind of reader shares: the dataset with its counts and findings, its checks, and the observers.

mod thorough;

use evalcheck_report::Severity;
use evalcheck_report::text::count;
use evalcheck_report::view::OtherRecord;

use crate::collector::FindingCollector;
use crate::dataset::Dataset;
use crate::diagnose::{
    self, Observer, PathBuilder, RecordStart, SchemaProblem, SyntaxProblem, Task, TextProblem, Value,
};
use crate::finding::{Finding, Location};
use crate::formats::checks::{Captures, Checks, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::formats::{DatasetProblem, Format, Layout, TextPolicy, Variant};
use crate::observer::Observers;
use crate::overview::Overview;
use crate::rules::{AnyProblem, FileProblem, Rule};
use crate::scan::Scratch;
use evalcheck_formats::seen_ids::SeenIds;
use evalcheck_records::csv::Table;
use evalcheck_records::{CountedRecord, Csv, Diagnosis, Event, Extent, Part, Reader, ScannedRecord, Visit};

/// The state of one check that does not depend on the layout of the file.
#[derive(Debug)]
pub struct CheckState {
    /// The dataset.
    pub dataset: Dataset,
    /// The checks of the dataset.
    pub(super) checks: Box<dyn DatasetChecks>,
    /// The observations of the checks of the dataset about a record that was scanned and is checked next.
    observed: Option<(RecordStart, Observations)>,
    /// Records that begin before this byte were shown to the checks of the dataset.
    pub(super) observed_until: u64,
    /// The facts about the dataset as a whole that its findings show.
    pub(super) noted: Noted,
    /// Whether part of the dataset was not checked.
    pub not_checked: bool,
    /// Memory of the fast tier.
    pub scratch: Scratch,
    /// Facts for the overview.
    pub notes: Vec<String>,
    /// The observers.
    pub(crate) observers: Observers,
}

/// The facts about the dataset as a whole that a finding shows.
#[derive(Debug, Default)]
pub(super) struct Noted {
    /// Whether some bytes are not UTF-8.
    has_invalid_utf8: bool,
    /// Whether lines of git's conflict markers were found, so that records may occur in two versions.
    pub(super) has_conflict: bool,
    /// See [`Summary::has_lost_records`].
    has_lost_records: bool,
}

impl Noted {
    fn add(&mut self, finding: &Finding) {
        let problem = &finding.problem;
        self.has_invalid_utf8 |= matches!(problem.downcast_ref(), Some(TextProblem::InvalidUtf8 { .. }));
        self.has_conflict |= matches!(problem.downcast_ref(), Some(TextProblem::ConflictMarker { .. }));
        let is_list = |problem: &SchemaProblem| {
            let is_record = finding.location.path.as_ref().is_some_and(|path| path.0.is_empty());
            is_record && matches!(problem, SchemaProblem::WrongType { received: "array", .. })
                || matches!(problem, SchemaProblem::RecordsInOneObject { .. })
        };
        self.has_lost_records |= problem.downcast_ref().is_some_and(SyntaxProblem::hides_records)
            || problem.downcast_ref().is_some_and(is_list);
    }
}

impl CheckState {
    /// A check of a dataset in this variant.
    pub fn new(format: &'static Format, variant: &'static Variant, most_per_code: Option<u64>) -> Self {
        let Checks { record, dataset: checks } = (format.rules.checks)(variant);
        Self {
            dataset: Dataset::new(format, variant, record, most_per_code),
            checks,
            observed: None,
            observed_until: 0,
            noted: Noted::default(),
            not_checked: false,
            scratch: Scratch::default(),
            notes: Vec::new(),
            observers: Observers::default(),
        }
    }

    /// See [`DatasetChecks::needs_head`].
    pub(super) fn needs_head(&self) -> bool {
        self.checks.needs_head()
    }

    /// See [`DatasetChecks::begin`].
    pub(super) fn begin(&mut self, head: &[u8]) {
        let is_refused = self.checks.begin(self.dataset.file_name.as_deref(), head);
        self.dataset.collector.rejects_all |= is_refused;
    }

    /// The records that a record names, see [`DatasetChecks::linked`].
    pub fn linked(&self, record: &Value<'_>) -> Vec<OtherRecord> {
        self.checks.linked(record)
    }

    /// The parts that are needed of a record that is clean by itself and that a search cannot find, beside its statistics.
    pub(super) fn observes(&self) -> Observes {
        if self.observers.need_all_records() { Observes::Records } else { self.checks.observes() }
    }

    /// See [`DatasetChecks::ids`].
    pub(super) fn ids(&mut self) -> Option<&mut SeenIds> {
        self.checks.ids()
    }

    /// Whether bytes were found that are not UTF-8.
    pub(super) fn has_invalid_utf8(&self) -> bool {
        self.noted.has_invalid_utf8
    }

    /// Whether the rest of the dataset may add findings to a record that is counted.
    pub(crate) fn may_conclude_on_records(&self) -> bool {
        let is_table = matches!(self.dataset.variant.layout, Layout::Csv(_));
        is_table || self.checks.concludes_on_records()
    }

    /// The task of a record that is checked: the checks of the dataset see it too.
    fn observed_task<'a>(
        &'a mut self,
        start: RecordStart,
        base: &'a PathBuilder,
        table: Option<&'a Table>,
    ) -> (Task<'a>, Observer<'a>) {
        let reported = self.observed.take().filter(|(of, _)| *of == start).map(|(_, reported)| reported);
        let (dataset, is_silent) = (&mut *self.checks, self.noted.has_conflict);
        (self.dataset.task(start, base), Observer { dataset, reported, table, is_silent })
    }

    /// Notes that the system loads no record, if the finding is a mistake before all of them that prevents it.
    fn note_rejection(&mut self, finding: &Finding) {
        if finding.location.record.is_some() {
            return;
        }
        let problem = &finding.problem;
        let is_csv_mistake = problem.downcast_ref().is_some_and(Csv::refuses_rows);
        let is_text_mistake = matches!(
            (&self.dataset.variant.layout, problem.downcast_ref()),
            (Layout::Json(_), Some(TextProblem::RefusedByteOrderMark { .. }))
                | (Layout::Csv(_), Some(TextProblem::InvalidUtf8 { .. }))
        );
        self.dataset.collector.rejects_all |= is_csv_mistake || is_text_mistake;
    }

    /// Accepts a clean record about which the checks of the dataset have observations, unless it has to be read.
    #[cold]
    fn accept_observed(&mut self, record: &ScannedRecord<'_>, observed: Observations) -> bool {
        let Some(findings) = self.settle_observed(observed, record.at) else { return false };
        self.show_clean(record, &findings);
        for finding in findings {
            self.dataset.collector.add(finding);
        }
        true
    }

    /// The findings of the checks of the dataset in a clean record, if they are only counted and none is an error. `None` if the record
    /// has to be read into a tree, which gives the path of each finding.
    #[cold]
    pub(super) fn settle_observed(
        &mut self,
        observed: Observations,
        at: RecordStart,
    ) -> Option<Vec<Finding>> {
        let is_counted =
            |rule: &Rule| rule.severity != Severity::Error && self.dataset.collector.room(rule) == 0;
        if observed.are_all(is_counted) {
            let mut findings = diagnose::count_observed(observed, at);
            self.dataset.complete(&mut findings);
            return Some(findings);
        }
        self.observed = Some((at, observed));
        None
    }

    /// Shows a clean record to the observers, with the findings that other records give it.
    #[inline]
    pub(super) fn show_clean(&mut self, record: &ScannedRecord<'_>, findings: &[Finding]) {
        for observer in self.observers.iter_mut() {
            observer.clean(record, findings, &self.dataset);
        }
    }

    /// Ends the check after every record was read.
    fn finish(&mut self, empty: bool, lost: bool) {
        self.dataset.collector.finish();
        let statistics = self.observers.get::<Overview>().filter(|_| self.checks.needs_statistics());
        let statistics = statistics.map(Overview::statistics);
        let summary = Summary {
            file_name: self.dataset.file_name.as_deref(),
            records: self.dataset.collector.records(),
            has_lost_records: self.noted.has_lost_records,
            statistics: statistics.as_ref(),
        };
        let before = self.dataset.collector.findings().len();
        self.checks.finish(&summary, &mut Conclusions::new(&mut self.dataset.collector, &mut self.notes));
        for finding in &self.dataset.collector.findings()[before..] {
            self.observers.iter_mut().for_each(|observer| observer.finding(finding, &self.dataset));
        }
        let format = self.dataset.format;
        let problem: Option<AnyProblem> = if empty {
            Some(FileProblem::EmptyFile.into())
        } else if summary.records == 0 && lost {
            None
        } else {
            format.rules.limits.check(&summary, format.about.noun).map(Into::into)
        };
        if let Some(problem) = problem {
            self.add(problem, Location::file());
        }
        let blank = self.dataset.collector.blank;
        if format.texts.blank_lines_are_doubtful && blank > 0 {
            self.add(DatasetProblem::BlankLines { lines: count(blank, "blank line") }, Location::file());
        }
        if let Some(checks) = self.checks.record_checks() {
            self.dataset.set_record_checks(checks);
        }
        self.observers.end(&self.dataset);
    }

    /// Adds a finding in the dataset that is not in a record.
    fn add(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        let mut finding = Finding::new(problem, location);
        self.dataset.complete(std::slice::from_mut(&mut finding));
        self.observers.iter_mut().for_each(|observer| observer.finding(&finding, &self.dataset));
        self.dataset.collector.add(finding);
    }
}

/// Stops reading a dataset before its end.
pub(super) fn stop(reader: &mut dyn Reader<CheckState>) {
    reader.stop();
    let CheckState { observers, dataset, .. } = reader.visitor_mut();
    observers.end(dataset);
}

impl Visit for CheckState {
    fn collector(&self) -> &FindingCollector {
        &self.dataset.collector
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.dataset.collector
    }

    fn texts(&self) -> TextPolicy {
        self.dataset.format.texts
    }

    #[inline]
    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, self.dataset.schema, self.dataset.format.texts, &mut self.scratch)
    }

    #[inline]
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        let ScannedRecord { bytes, start, captures, at, list, .. } = *record;
        let dataset = &self.dataset;
        let is_observed = self.observed.as_ref().is_some_and(|(of, _)| *of == at);
        if is_observed || self.observers.iter_mut().any(|observer| observer.needs_tree(record, dataset)) {
            return false;
        }
        let strings = captures.unwrap_or(&self.scratch.captures);
        let captures = Captures::of_scan(bytes, start, strings, list, dataset.attachments.as_ref())
            .with_record(record.text, record.row);
        dataset.set_referring_record(Some(at.record));
        if !dataset.record_checks.is_clean(&captures) {
            return false;
        }
        if at.offset >= self.observed_until {
            let mut observed = Observations::default();
            self.checks.observe(&captures, at, &mut observed);
            if !observed.is_empty() && !self.noted.has_conflict {
                return self.accept_observed(record, observed);
            }
        }
        self.show_clean(record, &[]);
        true
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        self.dataset.fate = None;
        match part {
            Part::Record { base, list } => self.check_record(bytes, start, base, list),
            Part::Row(table) => self.check_row(bytes, start, table).into(),
            Part::Header(schema) => self.check_header(bytes, start, schema),
            Part::Columns(columns) => self.check_columns(columns, bytes, start).into(),
            Part::Value { parsed, base, schema } => {
                self.check_value(parsed, bytes, start, base, schema).into()
            }
        }
    }

    fn count_record(&mut self, record: &CountedRecord<'_>, mut findings: Vec<Finding>) {
        for finding in &findings {
            self.noted.add(finding);
        }
        self.dataset.note_errors(record.text, &findings);
        self.dataset.complete(&mut findings);
        for observer in self.observers.iter_mut() {
            observer.counted(record, &findings, &self.dataset);
        }
        self.dataset.fate = None;
        self.dataset.collector.add_record(findings);
    }

    fn report(&mut self, mut finding: Finding) {
        self.noted.add(&finding);
        self.note_rejection(&finding);
        self.dataset.complete(std::slice::from_mut(&mut finding));
        for observer in self.observers.iter_mut() {
            observer.finding(&finding, &self.dataset);
        }
        self.dataset.collector.add(finding);
    }

    #[inline]
    fn observe(&mut self, event: Event<'_>) {
        for observer in self.observers.iter_mut() {
            observer.event(&event, &self.dataset);
        }
        let Dataset { lists, collector, format, .. } = &mut self.dataset;
        lists.observe(&event, &format.rules, collector);
        match event {
            Event::FirstLine(line) => self.checks.first_line(line),
            Event::Schema(schema) => self.dataset.schema = schema,
            Event::List { list, schema, record, .. } => {
                self.dataset.schema = schema;
                self.checks.begin_list(list, record);
            }
            Event::Unread => self.checks.unread(),
            Event::NotChecked => self.not_checked = true,
            Event::End { is_empty, is_lost } => self.finish(is_empty, is_lost),
            Event::ValueBegins(_) | Event::ValueEnds | Event::Header(_) => {}
        }
    }
}
