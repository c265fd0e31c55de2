//! The dataset of a check: its format, its attachments, and the counts and findings so far.

mod lists;
mod preview;

use std::rc::Rc;

use evalcheck_report::Severity;

use crate::archive::Attachments;
use crate::collector::FindingCollector;
use crate::diagnose::{PathBuilder, RecordStart, Room, SchemaProblem, Task};
use crate::finding::Finding;
use crate::formats::checks::{Fate, RecordChecks};
use crate::formats::{Format, Layout, Variant};
use crate::schema::Schema;
use crate::user_schema::{UserSchema, WithSchema, is_error_of_format};
pub(crate) use lists::{BegunList, ListValues};
pub(crate) use preview::diagnose_row;

/// The rules about syntax whose errors mean that text is missing.
const LOSES_TEXT: [&str; 4] =
    ["json/truncated", "json/interrupted-write", "json/missing-value", "json/too-deep"];

/// The dataset of a check, as far as it was read.
#[derive(Debug)]
pub struct Dataset {
    /// The format.
    pub format: &'static Format,
    /// The variant of the format.
    pub variant: &'static Variant,
    /// The schema of a record; a header may have chosen it.
    pub schema: &'static Schema,
    /// The checks of a record beyond its schema; a header may have chosen them.
    pub(crate) record_checks: Rc<dyn RecordChecks>,
    /// The user's own schema, if there is one.
    pub(crate) user_schema: Option<Rc<UserSchema>>,
    /// Counts and findings.
    pub collector: FindingCollector,
    /// The attachments that records may refer to.
    pub attachments: Option<Attachments>,
    /// The values of the lists of a document.
    pub(crate) lists: ListValues,
    /// The fate of the record that is counted next because of the header, whatever its findings are.
    pub(crate) fate: Option<Fate>,
    /// The file's name; `None` for a stream without a name.
    pub file_name: Option<String>,
    /// The entry of a ZIP that is the dataset.
    entry: Option<Rc<str>>,
    /// Whether a fix would lose something of the archive, or cannot be made in it.
    refuses_fixes: bool,
}

impl Dataset {
    /// A dataset in this variant, before its first byte. `checks` are those of a record.
    pub(crate) fn new(
        format: &'static Format,
        variant: &'static Variant,
        checks: Rc<dyn RecordChecks>,
        most_per_code: Option<u64>,
    ) -> Self {
        Self {
            format,
            variant,
            schema: variant.schema,
            record_checks: checks,
            user_schema: None,
            collector: FindingCollector::new(most_per_code),
            attachments: None,
            lists: ListValues::default(),
            fate: None,
            file_name: None,
            entry: None,
            refuses_fixes: false,
        }
    }

    /// Holds records against the user's own schema too.
    pub(crate) fn set_user_schema(&mut self, schema: Rc<UserSchema>) {
        self.user_schema = Some(schema);
        self.set_record_checks(Rc::clone(&self.record_checks));
    }

    /// Sets the checks of the format for a record.
    pub(crate) fn set_record_checks(&mut self, of_format: Rc<dyn RecordChecks>) {
        self.record_checks = match &self.user_schema {
            Some(schema) => Rc::new(WithSchema { of_format, schema: Rc::clone(schema) }),
            None => of_format,
        };
    }

    /// Sets the archive of the dataset, to whose other entries records may refer.
    pub(crate) fn set_archive(
        &mut self,
        attachments: Option<Attachments>,
        entry: Option<Rc<str>>,
        is_rewritable: bool,
    ) {
        self.attachments = attachments;
        self.entry = entry;
        self.refuses_fixes = !is_rewritable;
    }

    /// The entry of a ZIP that is the dataset.
    pub fn entry(&self) -> Option<&Rc<str>> {
        self.entry.as_ref()
    }

    /// Whether the records are elements of lists in a document.
    pub fn has_lists(&self) -> bool {
        matches!(self.variant.layout, Layout::Json(_))
    }

    /// Whether a later value replaces a value of a list ([`crate::loaded::LoadedRecord::value`]): of a list that occurs twice, the
    /// last value counts.
    pub fn is_replaced(&self, value: usize) -> bool {
        self.lists.is_replaced(value)
    }

    /// Sets the record to which references that are found from now on belong; `None` for one that is only previewed.
    #[inline]
    pub(crate) fn set_referring_record(&self, record: Option<u64>) {
        if let Some(attachments) = &self.attachments {
            attachments.set_record(record);
        }
    }

    /// Notes the errors of a record, which may mean attachments that it does not refer to: those that its text names, or any if an error
    /// can hide a reference.
    pub(crate) fn note_errors(&self, text: Option<&[u8]>, findings: &[Finding]) {
        let Some(attachments) = &self.attachments else { return };
        let errors = || findings.iter().filter(|finding| is_error_of_format(finding));
        let number: u64 = errors().map(|finding| finding.only_counted.unwrap_or(1)).sum();
        let names_files = |finding: &Finding| {
            let rule = finding.problem.rule();
            matches!(finding.problem.downcast_ref(), Some(SchemaProblem::EnumValue { .. }))
                || rule.category() == "json" && !LOSES_TEXT.contains(&rule.code)
        };
        if number > 0 {
            attachments.note_errors(number, text.filter(|_| errors().all(names_files)));
        }
    }

    /// The task of a record that is checked.
    pub(crate) fn task<'a>(&'a self, start: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        self.set_referring_record(Some(start.record));
        self.task_within(self.room(), start, base)
    }

    /// The room for findings of a part that is checked.
    pub(crate) fn room(&self) -> Room<'_> {
        Room::Dataset { collector: &self.collector, loss: self.format.loader.loss }
    }

    fn task_within<'a>(&'a self, room: Room<'a>, start: RecordStart, base: &'a PathBuilder) -> Task<'a> {
        Task {
            format: self.format,
            schema: self.schema,
            checks: &*self.record_checks,
            attachments: self.attachments.as_ref(),
            start,
            list: 0,
            base,
            room,
        }
    }

    /// Adds the facts of the format and the archive: the loader whose wording a message repeats, the readers that refuse it, the loss, and the entry that is the dataset.
    pub fn complete(&self, findings: &mut [Finding]) {
        for finding in findings {
            finding.loader_wording = (self.format.loader.wording)(finding);
            finding.refused_by = (self.format.loader.refused_by)(finding);
            finding.loss = (self.format.loader.loss)(finding);
            if self.entry.is_some() {
                finding.location.entry.clone_from(&self.entry);
            }
            if self.refuses_fixes {
                finding.fix = None;
            }
        }
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
