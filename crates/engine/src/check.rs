//! One check of one file, from its bytes to its report, without any input or output of its own.
//!
//! ```
//! # use std::io::Cursor;
//! # use evalcheck_engine::check::{FileInfo, Check};
//! let data = br#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#;
//! let mut source = Cursor::new(data);
//! let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
//! let mut check = Check::open(&mut source, file, Default::default());
//! while check.read_piece(&mut data.as_slice(), 1 << 20) {
//!     // Progress can be shown here, and the findings so far.
//! }
//! assert!(check.report().valid);
//! ```

mod archive;
mod choice;
pub mod known_lines;
mod open;
pub mod problem;
pub mod state;

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_report::{self as report, REPORT_VERSION, Report};
use evalcheck_wire::query::{CheckKey, Query, What};
use evalcheck_wire::worker::Progress;

use crate::check::state::CheckState;
use crate::collector::FindingCollector;
use crate::dataset::Dataset;
use crate::finding::{Finding, Location};
use crate::findings::IndexedFindings;
use crate::formats::checks::Observes;
use crate::observer::Observer;
use crate::overview::Overview;
use crate::read_position::ReadPosition;
use crate::rules::FileProblem;
use crate::search::Search;
use crate::seen_ids::SeenIds;
use crate::source::Source;
use crate::user_schema::SchemaSource;
use archive::{Opened, Packed};
use choice::Choice;
use evalcheck_archive::{Archive, Entry};
use evalcheck_records::csv::Table;
use evalcheck_records::{Reader, Visit};
use known_lines::{FoundLines, LineRules};

/// The file that is checked, as of when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// Its name, without a folder.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}

/// The name in [`FileInfo`] for standard input. It is not the name of a file, so rules about names do not apply.
pub const STANDARD_INPUT: &str = "stdin";

/// This many records with an error, and none without, are evidently of another format.
const EVIDENT: u64 = 100;

/// The most names of entries in a remark.
const MOST_ENTRIES: usize = 5;

/// One check of one file.
#[derive(Debug)]
pub struct Check {
    pub(crate) file: FileInfo,
    choice: Choice,
    pub(crate) checker: Box<dyn Reader<CheckState>>,
    content: Content,
    /// Whether part of the file was not checked.
    cut_short: bool,
    /// The archive, if the file is one.
    pub(crate) archive: Option<Rc<Opened>>,
    /// Other entries of the archive that may be datasets.
    other_entries: Vec<String>,
    /// Remarks on the choice of the dataset.
    notes: Vec<String>,
    /// The position at which the last view of an archive's dataset stopped reading.
    pub(crate) reader: ReadPosition,
    /// The first bytes of JSONL up to the end of its header ([`known_lines::header`]).
    header: Option<Arc<[u8]>>,
    /// The user's own schema, if one was given.
    schema: Option<SchemaSource>,
}

/// The content of the file.
#[derive(Debug)]
enum Content {
    /// The dataset itself, read up to an offset.
    Plain { at: u64 },
    /// An archive.
    Packed(Box<Packed>),
    /// Nothing that can be checked, or nothing more.
    Done,
}

impl Check {
    /// Adds an observer, in place of one of the same type. To be called before bytes are read, and before [`Check::line_rules`].
    pub fn observe(&mut self, observer: impl Observer) {
        let CheckState { observers, dataset, .. } = self.checker.visitor_mut();
        debug_assert_eq!(dataset.collector.records(), 0, "it would not see all records");
        observers.add(observer, dataset);
    }

    /// The observer of a type, if there is one.
    pub fn observer<T: Observer>(&self) -> Option<&T> {
        self.checker.visitor().observers.get()
    }

    /// As [`Check::observer`], to take what it has found.
    pub fn observer_mut<T: Observer>(&mut self) -> Option<&mut T> {
        self.checker.visitor_mut().observers.get_mut()
    }

    /// Removes and returns the observer of a type, if there is one.
    pub fn take_observer<T: Observer>(&mut self) -> Option<T> {
        self.checker.visitor_mut().observers.take()
    }

    /// Takes over what a finished check of the same dataset knows of how the system holds its records. To be called before bytes are read.
    pub fn know_all(&mut self, finished: &Self) {
        self.checker.visitor_mut().dataset.record_checks = Rc::clone(&finished.dataset().record_checks);
    }

    /// Whether the loaded form of a record depends on others, so that the dataset is read twice for it ([`Check::know_all`]).
    pub fn needs_all_to_load(&self) -> bool {
        let Dataset { format, variant, .. } = self.dataset();
        (format.loader.needs_all)(variant)
    }

    /// The dataset that is checked.
    pub fn dataset(&self) -> &Dataset {
        &self.checker.visitor().dataset
    }

    /// Whether a search needs the [`LateFindings`](crate::search::LateFindings) of the dataset, so that the dataset is read twice: the
    /// query is about findings, and the rest of the dataset may add findings to a record.
    pub fn needs_late_findings(&self, query: &Query) -> bool {
        let asks = |keys: &[CheckKey]| {
            query.terms.iter().any(|term| matches!(&term.what, What::Check(key, _) if keys.contains(key)))
        };
        let state = self.checker.visitor();
        let (may_come, has_lists) = (state.may_conclude_on_records(), state.dataset.has_lists());
        may_come && asks(&[CheckKey::Rule, CheckKey::Severity, CheckKey::Path, CheckKey::Attachment])
            || has_lists && asks(&[CheckKey::Is])
    }

    /// Builds an index of all findings, of at most 64 MiB, so that each can be shown
    /// ([`View::findings`](crate::preview::View::findings)). To be called before bytes are read. The check takes longer, because each finding is made with its path.
    pub fn index_findings(&mut self) {
        self.collector_mut().build_index();
    }

    /// The index of all findings, if there is one.
    pub fn findings(&self) -> Option<IndexedFindings<'_>> {
        let index = self.dataset().collector.index()?;
        Some(IndexedFindings { index, bytes: self.dataset_size() })
    }

    /// Whether a finding is listed: all are, unless a search filters them.
    fn lists(&self, finding: &Finding) -> bool {
        self.observer::<Search>().is_none_or(|search| search.lists(finding))
    }

    fn collector_mut(&mut self) -> &mut FindingCollector {
        &mut self.checker.visitor_mut().dataset.collector
    }

    /// Bytes of the dataset; for an entry of a ZIP, the size that the archive declares.
    fn dataset_size(&self) -> u64 {
        self.archive.as_deref().and_then(Opened::dataset).map_or(self.file.size, |entry| entry.size)
    }

    /// The columns of a CSV, once its header was read.
    pub(crate) fn table(&self) -> Option<&Rc<Table>> {
        self.checker.table()
    }

    /// The file that is checked.
    pub fn file(&self) -> &FileInfo {
        &self.file
    }

    /// Whether the file was read to its end, though perhaps not all of it could be checked.
    pub fn is_read(&self) -> bool {
        !self.cut_short && self.next_range().is_none()
    }

    /// The bytes of the file to read next, from `start` on; `None` after all were read. The start moves with each
    /// [`Check::commit`]; it may jump (from one entry of a ZIP to the next).
    pub fn next_range(&self) -> Option<Range<u64>> {
        match &self.content {
            Content::Plain { at } => Some(*at..self.file.size),
            Content::Packed(packed) => packed.next_range(),
            Content::Done => None,
        }
    }

    /// The buffer for the bytes at the start of [`Check::next_range`]: at least one byte, at most `most`, and never more than the
    /// range. Empty if no bytes are to be read.
    pub fn buffer(&mut self, most: usize) -> &mut [u8] {
        let Some(wanted) = self.next_range() else { return &mut [] };
        let left = usize::try_from(wanted.end - wanted.start).unwrap_or(usize::MAX);
        let room = most.clamp(1, left.max(1));
        match &mut self.content {
            Content::Plain { .. } => self.checker.buffer(room),
            Content::Packed(packed) => packed.buffer(room),
            Content::Done => &mut [],
        }
    }

    /// Commits the first `n` bytes of the buffer, and checks the records that are complete.
    pub fn commit(&mut self, n: usize) {
        match &mut self.content {
            Content::Plain { at } => {
                *at += n as u64;
                let done = *at >= self.file.size;
                self.checker.commit(n);
                if done {
                    self.finish_dataset();
                }
            }
            Content::Packed(packed) => {
                packed.commit(n, &mut *self.checker);
                self.settle_archive();
            }
            Content::Done => {}
        }
    }

    /// The rules by which clean lines of the dataset can be found ahead of the check ([`known_lines`]). `None` if the check has to
    /// read all lines: the dataset is not JSONL, a check of its format needs the records themselves, or more than statistics is
    /// requested of clean records. To be called after all options are set.
    pub fn line_rules(&self) -> Option<LineRules> {
        let state = self.checker.visitor();
        let observes = state.observes();
        let is_plain = matches!(self.content, Content::Plain { .. });
        let search = self.observer::<Search>();
        let is_late = search.is_some_and(Search::is_late);
        let can_pass = is_plain && !is_late && observes != Observes::Records;
        let header = self.header.clone().filter(|_| can_pass)?;
        let query = search.map(Search::ahead);
        let statistics = self.observer::<Overview>().map(Overview::counting);
        let (format, variant) = (state.dataset.format, state.dataset.variant);
        let rejects_all = state.dataset.collector.rejects_all;
        let schema = self.schema.clone();
        Some(LineRules { format, variant, header, rejects_all, observes, query, statistics, schema })
    }

    /// The ids that must be unique, for a driver that reads the dataset twice because memory cannot hold all of them. `None` if the
    /// format has no such ids.
    pub fn ids(&mut self) -> Option<&mut SeenIds> {
        self.checker.visitor_mut().ids()
    }

    /// Passes over the lines at the start of [`Check::next_range`], which a [`known_lines::LineScanner`] found by [`Check::line_rules`]. Returns
    /// false if the check has to read some of them first; `found` then begins after these, or is unchanged. These are at least `fewest` bytes,
    /// if there are as many, because fewer are not worth a separate read. If statistics are counted, all lines are passed over or none.
    pub fn skip(&mut self, found: &mut FoundLines, fewest: u64) -> bool {
        // Lines that were found ahead may be valid, but not after an earlier one that cannot be judged.
        if self.gave_up() {
            return false;
        }
        let Content::Plain { at } = &mut self.content else { return false };
        let counts_statistics = self.checker.visitor().observers.get::<Overview>().is_some();
        if !counts_statistics {
            // An earlier record may continue in the first lines.
            found.leave_before(*at);
        }
        let bytes = &found.lines().bytes;
        debug_assert!(
            !self.checker.visitor().observers.need_all_records(),
            "an observer that has to see every record came after the rules for lines"
        );
        // The last bytes are read, so that the driver sees whether the file has changed.
        if *at != bytes.start || bytes.end >= self.file.size {
            return false;
        }
        let Some(next) = self.checker.next_line() else {
            if !counts_statistics {
                found.leave_bytes(1);
            }
            return false;
        };
        let state = self.checker.visitor_mut();
        let passed = if counts_statistics {
            state.count_run(found, next)
        } else {
            Some(state.pass_over(found, next, fewest)).filter(|passed| passed.lines > 0)
        };
        let Some(passed) = passed else { return false };
        self.checker.skip(&passed);
        *at = passed.bytes.end;
        true
    }

    /// Ends the check of an archive if no bytes are to be read.
    fn settle_archive(&mut self) {
        if self.next_range().is_none() {
            self.content = Content::Done;
            self.collector_mut().sort_index();
        }
    }

    fn finish_dataset(&mut self) {
        self.checker.finish();
        self.collector_mut().sort_index();
        self.content = Content::Done;
    }

    /// Removes and returns the findings that are kept, in the order of the file, if there are at least `at_least`. A driver that
    /// shows findings as they come needs no memory for them; [`Check::report`] then lists the others, and its counts stay exact.
    /// Findings that are made at the end of the dataset come last, whatever their line.
    pub fn take_findings(&mut self, at_least: usize) -> Vec<report::Finding> {
        if self.dataset().collector.findings().len() < at_least {
            return Vec::new();
        }
        let findings = self.collector_mut().take();
        findings.iter().filter(|finding| self.lists(finding)).map(Finding::to_wire).collect()
    }

    /// Reads the next piece of the dataset, of at most `most` bytes, and checks the records that are complete. Returns false if no
    /// bytes are to be read. Every driver calls it in a loop.
    pub fn read_piece(&mut self, source: &mut (impl Source + ?Sized), most: usize) -> bool {
        let Some(wanted) = self.next_range() else { return false };
        match source.read_at(wanted, self.buffer(most)) {
            Ok(0) => self.fail("the file ends before the bytes that were expected"),
            Ok(n) => self.commit(n),
            Err(why) => self.fail(&why),
        }
        true
    }

    /// Reads all of a dataset that is in memory, in pieces of at most `piece` bytes.
    pub fn read_all(&mut self, mut data: &[u8], piece: usize) {
        while self.read_piece(&mut data, piece) {}
    }

    /// Ends the check because the bytes at the start of [`Check::next_range`] cannot be read. A finding says that nothing was
    /// checked from there on.
    pub fn fail(&mut self, why: &str) {
        let byte = self.next_range().map_or(self.file.size, |wanted| wanted.start);
        self.stop(byte, FileProblem::NotRead { byte, why: why.to_owned() });
    }

    /// Ends the check because the user stopped it: as [`Check::fail`], with its own finding. A check that is done does not change.
    pub fn cancel(&mut self) {
        if let Some(Range { start: byte, .. }) = self.next_range() {
            self.stop(byte, FileProblem::Cancelled { byte });
        }
    }

    /// Ends the check if the dataset is evidently of another format: of many records, each has an error. To be called between pieces, in a
    /// check for several systems. Returns whether it has ended so.
    pub fn end_if_evident(&mut self) -> bool {
        let (counts, next) = (self.dataset().collector.counts(0), self.next_range());
        let Some(Range { start: byte, .. }) = next.filter(|_| counts.valid == 0 && counts.invalid >= EVIDENT)
        else {
            return false;
        };
        self.stop(byte, FileProblem::AnotherFormat { records: counts.invalid, byte });
        true
    }

    /// Ends the check with a problem, so that nothing is checked from `byte` of the file on.
    fn stop(&mut self, byte: u64, problem: FileProblem) {
        self.cut_short = true;
        self.content = Content::Done;
        state::stop(&mut *self.checker);
        self.collector_mut().finish();
        let location = Location { bytes: Some(byte..byte), ..Location::file() };
        let collector = self.collector_mut();
        collector.add(Finding::new(problem, location));
        collector.sort_index();
    }

    /// Reports that the dataset was converted from this encoding before it was opened, which its system does not do.
    pub fn report_conversion(&mut self, encoding: &str) {
        let problem =
            FileProblem::OtherEncoding { name: encoding.to_owned(), label: encoding.to_ascii_lowercase() };
        self.checker.visitor_mut().report(Finding::new(problem, Location::file()));
    }

    /// Whether bytes were found that are not UTF-8.
    pub fn has_invalid_utf8(&self) -> bool {
        self.checker.visitor().has_invalid_utf8()
    }

    /// Whether the user's own schema cannot be held against all records.
    fn gave_up(&self) -> bool {
        self.dataset().user_schema.as_ref().is_some_and(|schema| schema.gave_up())
    }

    /// The progress of the check; cheap.
    pub fn progress(&self) -> Progress {
        let collector = &self.dataset().collector;
        let (bytes, total_bytes) = match &self.content {
            Content::Plain { at } => (*at, self.file.size),
            Content::Packed(packed) => packed.progress(),
            Content::Done => (self.file.size, self.file.size),
        };
        Progress {
            bytes,
            total_bytes,
            records: collector.records(),
            lines: self.checker.positions().text_lines,
            errors: collector.errors(),
            warnings: collector.warnings(),
        }
    }

    /// The format of the check.
    pub fn format(&self) -> report::Format {
        let schema = self.schema.as_ref().map(|schema| schema.name().to_owned());
        report::Format { schema, ..self.choice.to_wire() }
    }

    /// The report on the bytes that were read; complete after all were read.
    pub fn report(&self) -> Report {
        let state = self.checker.visitor();
        let collector = &state.dataset.collector;
        let checked = self.is_read() && !state.not_checked && !self.gave_up();
        let counts = collector.counts(self.checker.positions().text_lines);
        Report {
            report: REPORT_VERSION.to_owned(),
            tool: report::Tool {
                name: "evalcheck".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            file: report::File {
                name: self.file.name.clone(),
                size: self.file.size,
                entry: state.dataset.entry().map(ToString::to_string),
                other_entries: self.other_entries.clone(),
            },
            format: self.format(),
            valid: checked && collector.errors() == 0,
            checked,
            overview: self
                .observer::<Overview>()
                .filter(|overview| overview.counts_values)
                .map(|overview| overview.to_wire(&counts)),
            counts,
            truncated: collector.truncated(),
            max_findings_per_code: collector.most_per_code(),
            notes: self.notes().chain(state.notes.iter().cloned()).collect(),
            filter: None,
            findings: collector
                .in_order()
                .filter(|finding| self.lists(finding))
                .map(Finding::to_wire)
                .collect(),
        }
    }

    /// The remarks on what is checked.
    fn notes(&self) -> impl Iterator<Item = String> {
        self.choice.notes().chain(self.notes.iter().cloned()).chain(self.others())
    }

    /// The entry of the archive that is checked, and those that are not.
    fn others(&self) -> Option<String> {
        let (checked, others) = (self.dataset().entry()?, &self.other_entries);
        let shown: Vec<String> = others.iter().take(MOST_ENTRIES).map(|name| clip_quoted(name)).collect();
        let more = match others.len() - shown.len() {
            0 => String::new(),
            more if others.len() < archive::MOST_OTHERS => format!(" and {more} more"),
            more => format!(" and at least {more} more"),
        };
        let checked = clip_quoted(checked);
        (!shown.is_empty()).then(|| {
            format!("Of the files in the ZIP only {checked} was checked, not {}{more}.", shown.join(", "))
        })
    }

    /// The archive, if the file is one, and its entry that is the dataset.
    pub fn archive(&self) -> Option<(&Archive, Option<&Entry>)> {
        let opened = self.archive.as_deref()?;
        Some((opened.archive.as_ref()?, opened.dataset()))
    }
}
