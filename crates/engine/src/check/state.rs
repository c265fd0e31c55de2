//! State that every kind of reader shares: the format, its rules, counts and findings.

mod known;
mod thorough;

use std::ops::Range;
use std::rc::Rc;

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::OtherRecord;

use super::changed::ChangedRecords;
use super::observers::{InvalidRecords, ListValues};
use crate::archive::Attachments;
use crate::collector::FindingCollector;
use crate::compare;
use crate::diagnose::{
    self, Observer, PathBuilder, RecordFindings, RecordStart, Room, SyntaxProblem, Task, TextProblem, Value,
};
use crate::finding::{Finding, Location};
use crate::findings::FindingTerms;
use crate::formats::checks::{
    Captures, Checks, Conclusions, DatasetChecks, Fate, Observations, Observes, RecordChecks, Summary,
};
use crate::formats::{Format, Layout, TextPolicy, Variant};
use crate::loaded::{Candidate, LoadedRecord, Noted as NotedLoad, Outcome};
use crate::overview::{Outcomes, Overview};
use crate::rules::{AnyProblem, FileProblem, Rule};
use crate::scan::Scratch;
use crate::schema::Schema;
use crate::search::{LateFindings, Search};
use evalcheck_formats::preview::Shown;
use evalcheck_formats::seen_ids::SeenIds;
use evalcheck_records::csv::{Table, row};
use evalcheck_records::{Csv, Diagnosis, Event, Extent, Part, ScannedRecord, Visit};

/// The state of one check that does not depend on the layout of the file.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the dataset")]
pub struct CheckState {
    /// The format.
    pub format: &'static Format,
    /// The variant of the format.
    pub variant: &'static Variant,
    /// The schema of a record; a header may have chosen it.
    pub schema: &'static Schema,
    /// The checks of a record beyond its schema; a header may have chosen them.
    checks: Rc<dyn RecordChecks>,
    /// The checks of the dataset.
    dataset: Box<dyn DatasetChecks>,
    /// The observations of the checks of the dataset about a record that was scanned and is checked next.
    observed: Option<(RecordStart, Observations)>,
    /// Records that begin before this byte were shown to the checks of the dataset.
    observed_until: u64,
    /// Whether lines of git's conflict markers were found, so that records may occur in two versions.
    has_conflict: bool,
    /// See [`Summary::has_lost_records`].
    has_lost_records: bool,
    /// Whether some bytes are not UTF-8.
    pub has_invalid_utf8: bool,
    /// Whether part of the dataset was not checked.
    pub not_checked: bool,
    /// The values of the lists of a document.
    lists: ListValues,
    /// Counts and findings.
    pub collector: FindingCollector,
    /// The attachments that records may refer to.
    pub attachments: Option<Attachments>,
    /// Memory of the fast tier.
    pub scratch: Scratch,
    /// Facts for the overview.
    pub notes: Vec<String>,
    /// The file's name; `None` for a stream without a name.
    pub file_name: Option<String>,
    /// The entry of a ZIP that is the dataset.
    entry: Option<Rc<str>>,
    /// Whether a fix would lose something of the archive, or cannot be made in it.
    refuses_fixes: bool,
    /// The positions of records with errors, if requested.
    pub(crate) invalid_records: Option<InvalidRecords>,
    /// Each record that was counted and not yet taken, as the system loads it; if requested.
    pub(crate) loaded: Option<Vec<LoadedRecord>>,
    /// The outcome of the record that is counted next, if it was read.
    noted_load: Option<NotedLoad>,
    /// The fate of the record that is counted next because of the header, whatever its findings are.
    fate: Option<Fate>,
    /// The search for records that match a query, if requested.
    pub(crate) search: Option<Search>,
    /// The findings that records got after they were counted, if requested.
    pub(crate) late: Option<LateFindings>,
    /// The statistics of the dataset, if requested.
    pub(crate) overview: Option<Box<Overview>>,
    /// The records that were changed, if the changes are known.
    pub(crate) changed: Option<ChangedRecords>,
    /// The records, for a comparison with another version, if requested.
    pub(crate) compared: Option<Box<compare::Observer>>,
    /// The filter of listed findings; without one, all are listed. The search finds the records that match.
    pub(crate) filter: Option<FindingTerms>,
}

/// The facts about the dataset as a whole that a finding shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Noted {
    has_invalid_utf8: bool,
    has_conflict: bool,
    /// Whether its lines may be any number of records.
    has_lost_records: bool,
}

impl Noted {
    pub(super) fn of(finding: &Finding) -> Self {
        let problem = &finding.problem;
        Self {
            has_invalid_utf8: matches!(problem.downcast_ref(), Some(TextProblem::InvalidUtf8 { .. })),
            has_conflict: matches!(problem.downcast_ref(), Some(TextProblem::ConflictMarker { .. })),
            has_lost_records: matches!(
                problem.downcast_ref(),
                Some(
                    SyntaxProblem::SeveralLines { .. }
                        | SyntaxProblem::ArrayOfRecords { .. }
                        | SyntaxProblem::SecondValue { .. }
                )
            ),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl CheckState {
    /// A check of a dataset in this variant.
    pub fn new(format: &'static Format, variant: &'static Variant, most_per_code: Option<u64>) -> Self {
        let Checks { record, dataset } = (format.rules.checks)(variant);
        Self {
            format,
            variant,
            schema: variant.schema,
            checks: record,
            dataset,
            observed: None,
            observed_until: 0,
            has_conflict: false,
            has_lost_records: false,
            has_invalid_utf8: false,
            not_checked: false,
            lists: ListValues::default(),
            collector: FindingCollector::new(most_per_code),
            attachments: None,
            scratch: Scratch::default(),
            notes: Vec::new(),
            file_name: None,
            entry: None,
            refuses_fixes: false,
            invalid_records: None,
            loaded: None,
            noted_load: None,
            fate: None,
            search: None,
            late: None,
            overview: None,
            changed: None,
            compared: None,
            filter: None,
        }
    }

    /// The records that a record names, see [`DatasetChecks::linked`].
    pub fn linked(&self, record: &Value<'_>) -> Vec<OtherRecord> {
        self.dataset.linked(record)
    }

    /// Sets the archive of the dataset, to whose other entries records may refer.
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

    /// The parts that are needed of a record that is clean by itself and that a search cannot find, beside its statistics.
    pub(super) fn observes(&self) -> Observes {
        let needs_record = self.invalid_records.is_some()
            || self.loaded.is_some()
            || self.changed.is_some()
            || self.compared.is_some();
        if needs_record { Observes::Records } else { self.dataset.observes() }
    }

    /// See [`DatasetChecks::ids`].
    pub(super) fn ids(&mut self) -> Option<&mut SeenIds> {
        self.dataset.ids()
    }

    /// The checks of a record beyond its schema.
    pub(super) fn record_checks(&self) -> Rc<dyn RecordChecks> {
        Rc::clone(&self.checks)
    }

    /// The entry of a ZIP that is the dataset.
    pub fn entry(&self) -> Option<&Rc<str>> {
        self.entry.as_ref()
    }

    /// Sets the record to which references that are found from now on belong; `None` for one that is only previewed.
    #[inline]
    fn set_referring_record(&self, record: Option<u64>) {
        if let Some(attachments) = &self.attachments {
            attachments.set_record(record);
        }
    }

    /// The task of a record that is previewed.
    fn task<'a>(&'a self, start: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        self.set_referring_record(None);
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

    /// The task of a record that is checked: the checks of the dataset see it too.
    fn observed_task<'a>(
        &'a mut self,
        start: RecordStart,
        base: &'a PathBuilder,
        table: Option<&'a Table>,
    ) -> (Task<'a>, Observer<'a>) {
        self.set_referring_record(Some(start.record));
        let reported = self.observed.take().filter(|(of, _)| *of == start).map(|(_, reported)| reported);
        let task = Task {
            format: self.format,
            schema: self.schema,
            checks: &*self.checks,
            attachments: self.attachments.as_ref(),
            start,
            list: 0,
            base,
            room: Room::Dataset { collector: &self.collector, loss: self.format.loader.loss },
        };
        (task, Observer { dataset: &mut *self.dataset, reported, table, is_silent: self.has_conflict })
    }

    /// Notes that the system loads no record, if the finding is a mistake before all of them that prevents it.
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
                    | Csv::SeparatorHint { .. }
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

    /// Notes the facts about the dataset as a whole that a finding shows.
    fn note(&mut self, finding: &Finding) {
        let Noted { has_invalid_utf8, has_conflict, has_lost_records } = Noted::of(finding);
        self.has_invalid_utf8 |= has_invalid_utf8;
        self.has_conflict |= has_conflict;
        self.has_lost_records |= has_lost_records;
    }

    /// The outcome of loading a record with these findings.
    pub(crate) fn load(
        &self,
        bytes: &[u8],
        start: RecordStart,
        list: usize,
        table: Option<&Table>,
        findings: &[Finding],
    ) -> Outcome {
        if self.collector.rejects_all {
            return Outcome::Refused;
        }
        let (format, variant, checks) = (self.format, self.variant, &*self.checks);
        Candidate { format, variant, checks, bytes, start, list, table }.load(findings)
    }

    /// Notes the outcome of the record that is counted next, if requested.
    fn note_loaded(
        &mut self,
        bytes: &[u8],
        start: RecordStart,
        list: usize,
        table: Option<&Table>,
        findings: &[Finding],
    ) {
        if self.loaded.is_some() || self.outcomes().is_some() {
            let outcome = self.load(bytes, start, list, table, findings);
            self.noted_load = Some(NotedLoad { line: start.line, outcome });
        }
    }

    /// Counts the outcome of a record with these findings, if requested.
    fn count_loaded(&mut self, findings: &[Finding]) {
        let noted = self.noted_load.take();
        if self.loaded.is_none() && self.outcomes().is_none() {
            return;
        }
        let value = self.lists.last();
        let NotedLoad { line, outcome } = NotedLoad::count(noted, findings, self.collector.rejects_all);
        if let Some(records) = &mut self.loaded {
            records.push(LoadedRecord { line, loaded: outcome.to_wire(), value });
        }
        if let Some(outcomes) = self.overview.as_mut().and_then(|overview| overview.outcomes()) {
            outcomes.set_value(value, |value| self.lists.is_replaced(value));
            outcomes.count(&outcome);
        }
    }

    /// Whether a finding is listed.
    pub(crate) fn is_listed(&self, finding: &Finding) -> bool {
        let matches = |record| self.search.as_ref().is_some_and(|search| search.keeps_record(record));
        self.filter.as_ref().is_none_or(|filter| filter.match_finding(finding, matches))
    }

    /// Compares a record that the fast tier found clean with the query. It has no other findings than these.
    fn search_record(&mut self, record: &ScannedRecord<'_>, findings: &[Finding]) {
        self.note_searched(record.text, record.at, None);
        self.count_searched(findings);
    }

    /// Compares the record that is counted with the query, if there is one.
    fn count_searched(&mut self, findings: &[Finding]) {
        let fate = self.fate.take();
        let fate = if self.collector.rejects_all { Some(Fate::Refused) } else { fate };
        if let Some(search) = &mut self.search {
            search.count(findings, fate);
        }
    }

    /// Compares the record that is counted next with the query, if there is one.
    fn note_searched(&mut self, bytes: &[u8], start: RecordStart, table: Option<&Table>) {
        let Some(search) = &mut self.search else { return };
        let parsed = match table {
            Some(table) => row::read(bytes, table, start.line, &mut RecordFindings::within(Room::None)),
            None => diagnose::parse(bytes).ok(),
        };
        let root = parsed.as_ref().map(|parsed| &parsed.value);
        let turns = root.filter(|_| search.wants_turns()).and_then(|root| {
            let attachments = self.attachments.as_ref();
            (self.format.preview)(&Shown { root, bytes, attachments, archive: None, findings: &[] })
        });
        search.note(bytes, root, start, turns.map(|sample| sample.turn_count()));
    }

    /// Whether a later value replaces a value of a list ([`crate::loaded::LoadedRecord::value`]): of a list that occurs twice, the
    /// last value counts.
    pub fn is_replaced(&self, value: usize) -> bool {
        self.lists.is_replaced(value)
    }

    /// The records whose errors do not count, because a later value of their list replaces theirs.
    pub(crate) fn retracted(&self) -> &[Range<u64>] {
        self.lists.retracted()
    }

    /// Whether the rest of the dataset may add findings to a record that is counted.
    pub(crate) fn may_conclude_on_records(&self) -> bool {
        let is_table = matches!(self.variant.layout, Layout::Csv(_));
        is_table || self.dataset.concludes_on_records()
    }

    /// The lists of a document that began, in their order, and the numbers of their first records.
    pub(crate) fn lists(&self) -> &[(usize, u64)] {
        self.lists.began()
    }

    /// Adds the facts of the format and the archive: the loader whose wording a message repeats, the loss, and the entry that is the dataset.
    pub fn complete(&self, findings: &mut [Finding]) {
        for finding in findings {
            finding.loader_wording = (self.format.loader.wording)(finding);
            finding.loss = (self.format.loader.loss)(finding);
            if self.entry.is_some() {
                finding.location.entry.clone_from(&self.entry);
            }
            if self.refuses_fixes {
                finding.fix = None;
            }
        }
    }

    /// See [`Visit::accept`].
    #[inline]
    fn is_clean(&mut self, record: &ScannedRecord<'_>) -> bool {
        let ScannedRecord { bytes, start, captures, at, list, .. } = *record;
        let is_observed = self.observed.as_ref().is_some_and(|(of, _)| *of == at);
        let rejects_all = self.collector.rejects_all;
        let is_searched = self.search.as_ref().is_some_and(|search| search.may_match(record, rejects_all));
        // The text of a row is compared where its columns are known.
        let is_searched_row = is_searched && captures.is_some();
        if is_observed || self.loaded.is_some() || is_searched_row {
            return false;
        }
        let strings = captures.unwrap_or(&self.scratch.captures);
        let captures = Captures::of_scan(bytes, start, strings, list, self.attachments.as_ref());
        self.set_referring_record(Some(at.record));
        if !self.checks.is_clean(&captures) {
            return false;
        }
        let mut observed = Observations::default();
        if at.offset >= self.observed_until {
            self.dataset.observe(&captures, at, &mut observed);
        }
        if observed.is_empty() || self.has_conflict {
            if is_searched {
                self.search_record(record, &[]);
            }
            return true;
        }
        let Some(findings) = self.settle_valid(observed, at) else { return false };
        if is_searched {
            self.search_record(record, &findings);
        }
        for finding in findings {
            self.collector.add(finding);
        }
        true
    }

    /// As [`CheckState::settle_observed`], for a record that the reader counts as valid.
    fn settle_valid(&mut self, observed: Observations, at: RecordStart) -> Option<Vec<Finding>> {
        self.settle_observed(observed, at, |rule| rule.severity != Severity::Error)
    }

    /// The findings of the checks of the dataset in a record that is not read, if they are only counted and `may_be` is true for
    /// their rules. `None` if the record has to be read into a tree, which gives the path of each finding.
    #[cold]
    fn settle_observed(
        &mut self,
        observed: Observations,
        at: RecordStart,
        may_be: fn(&Rule) -> bool,
    ) -> Option<Vec<Finding>> {
        if observed.are_all(|rule| may_be(rule) && self.collector.room(rule) == 0) {
            let mut findings = diagnose::count_observed(observed, at);
            self.complete(&mut findings);
            return Some(findings);
        }
        self.observed = Some((at, observed));
        None
    }

    /// Counts a record that the fast tier found clean, if the statistics of the dataset are requested.
    #[inline]
    pub(super) fn count_clean(&mut self, record: &ScannedRecord<'_>) {
        let Some(overview) = &mut self.overview else { return };
        overview.count_clean(record);
        let Some(outcomes) = overview.outcomes() else { return };
        if self.collector.rejects_all || (self.format.loader.may_differ)(record.text) {
            let table = record.row.map(|row| row.table);
            self.note_loaded(record.text, record.at, record.list, table, &[]);
            self.count_loaded(&[]);
        } else {
            outcomes.set_value(self.lists.last(), |value| self.lists.is_replaced(value));
            outcomes.count_same();
        }
    }

    fn outcomes(&mut self) -> Option<&mut Outcomes> {
        self.overview.as_mut()?.outcomes()
    }

    /// Ends the check after every record was read.
    fn finish(&mut self, empty: bool, lost: bool) {
        self.collector.finish();
        if let Some(outcomes) = self.overview.as_mut().and_then(|overview| overview.outcomes()) {
            outcomes.replace(|value| self.lists.is_replaced(value));
        }
        let summary = Summary {
            file_name: self.file_name.as_deref(),
            records: self.collector.records(),
            has_lost_records: self.has_lost_records,
        };
        let before = self.collector.findings().len();
        self.dataset.finish(&summary, &mut Conclusions::new(&mut self.collector, &mut self.notes));
        if let Some(late) = &mut self.late {
            self.collector.findings()[before..].iter().for_each(|finding| late.add(finding));
        }
        let records = self.collector.records();
        let problem: Option<AnyProblem> = if empty {
            Some(FileProblem::EmptyFile.into())
        } else if records == 0 && lost {
            None
        } else {
            self.format.rules.limits.check(records, self.format.about.noun).map(Into::into)
        };
        if let Some(problem) = problem {
            self.add(problem, Location::file());
        }
    }

    /// Adds a finding in the dataset that is not in a record.
    pub fn add(&mut self, problem: impl Into<AnyProblem>, location: Location) {
        let mut finding = Finding::new(problem, location);
        self.complete(std::slice::from_mut(&mut finding));
        self.collector.add(finding);
    }

    /// The worst severity of a line, as far as it is known: of findings that were not kept, only errors are known.
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

    fn texts(&self) -> TextPolicy {
        self.format.texts
    }

    #[inline]
    fn scan(&mut self, bytes: &[u8], start: usize, extent: Extent) -> Option<usize> {
        extent.scan(bytes, start, self.schema, self.format.texts, &mut self.scratch)
    }

    #[inline]
    fn accept(&mut self, record: &ScannedRecord<'_>) -> bool {
        if let Some(changed) = &mut self.changed {
            changed.read(record.at, record.text.len());
        }
        let is_clean = self.is_clean(record);
        if is_clean {
            self.count_clean(record);
        }
        if let Some(compared) = self.compared.as_mut().filter(|_| is_clean) {
            compared.take_clean(record);
        }
        is_clean
    }

    fn check(&mut self, part: Part<'_>, bytes: &[u8], start: RecordStart) -> Diagnosis {
        if let Some(changed) =
            self.changed.as_mut().filter(|_| matches!(part, Part::Record { .. } | Part::Row(_)))
        {
            changed.read(start, bytes.len());
        }
        if let Some(compared) = &mut self.compared {
            match part {
                Part::Record { .. } => compared.begin(bytes, start),
                Part::Header(_) => compared.begin_header(bytes, start),
                Part::Row(table) => compared.take_row(bytes, start, table),
                Part::Columns(_) | Part::Value { .. } => {}
            }
        }
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

    fn count_record(&mut self, mut findings: Vec<Finding>) {
        for finding in &findings {
            self.note(finding);
        }
        self.complete(&mut findings);
        self.count_loaded(&findings);
        self.count_searched(&findings);
        if let Some(overview) = &mut self.overview {
            overview.count_noted(self.collector.records());
        }
        if let Some(compared) = &mut self.compared {
            compared.count(self.collector.records());
        }
        self.collector.add_record(findings);
    }

    fn report(&mut self, mut finding: Finding) {
        self.note(&finding);
        self.note_rejection(&finding);
        self.complete(std::slice::from_mut(&mut finding));
        if let Some(search) = &mut self.search {
            search.end_header();
        }
        let is_late = finding.location.record.is_some_and(|record| record < self.collector.records());
        if let Some(late) = self.late.as_mut().filter(|_| is_late) {
            late.add(&finding);
        }
        self.collector.add(finding);
    }

    #[inline]
    fn observe(&mut self, event: Event<'_>) {
        if let Some(records) = &mut self.invalid_records {
            records.observe(&event, self.collector.invalid);
        }
        if let Some(search) = &mut self.search {
            search.observe(&event);
        }
        if let Some(compared) = &mut self.compared {
            compared.observe(&event);
        }
        if let Some(loaded) = &mut self.loaded {
            LoadedRecord::observe(loaded, &event);
        }
        if let (Some(overview), Event::InvalidLines { further: 1.., .. }) = (&mut self.overview, &event) {
            overview.forget_noted();
        }
        if matches!(event, Event::Read(_) | Event::InvalidLines { .. } | Event::Continues { .. }) {
            return;
        }
        self.lists.observe(&event, &self.format.rules, &mut self.collector);
        match event {
            Event::FirstLine(line) => self.dataset.first_line(line),
            Event::Schema(schema) => self.schema = schema,
            Event::List { list, schema, record } => {
                self.schema = schema;
                self.dataset.begin_list(list, record);
            }
            Event::Unread => self.dataset.unread(),
            Event::NotChecked => self.not_checked = true,
            Event::End { is_empty, is_lost } => self.finish(is_empty, is_lost),
            Event::ValueBegins(_)
            | Event::ValueEnds
            | Event::Read(_)
            | Event::Continues { .. }
            | Event::InvalidLines { .. } => {}
        }
    }
}
