//! Counts of records with findings that a check does not keep.

use std::rc::Rc;

use evalcheck_core::collector::{Counted, FindingCollector};
use evalcheck_json::diagnose::RecordStart;
use evalcheck_records::Diagnosis;
use evalcheck_wire::report::{Applicability, Loss};

use super::found::Capture;
use crate::check::state::Noted;
use crate::diagnose::{self, Observer, PathBuilder, Room, Task};
use crate::finding::Finding;
use crate::formats::Format;
use crate::formats::checks::{Captures, DatasetChecks, Observations, RecordChecks};
use crate::numbers;
use crate::schema::Schema;

/// The counts of a record with findings that a check does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) struct RecordCounts {
    /// The counts of its findings, except for those that need other records.
    pub(in crate::check) findings: Vec<Counted>,
    /// Whether the checks of the dataset see that it has errors ([`Captures::has_errors`]). `None` if they are not shown the
    /// record, because it cannot be read.
    pub(in crate::check) has_errors: Option<bool>,
}

impl RecordCounts {
    /// Adds these as bytes: the index in [`SHOWN`]; the number of counts that follow; for each the length of its code, the code,
    /// the number of findings, and the indices of its fix in [`FIXES`] and of its loss in [`LOSSES`].
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        write_place(bytes, &SHOWN, &self.has_errors);
        numbers::write(bytes, self.findings.len() as u64);
        for Counted { rule, number, fix, loss } in &self.findings {
            numbers::write(bytes, rule.code.len() as u64);
            bytes.extend_from_slice(rule.code.as_bytes());
            numbers::write(bytes, *number);
            write_place(bytes, &FIXES, fix);
            write_place(bytes, &LOSSES, loss);
        }
    }

    /// Reads the bytes that [`RecordCounts::write`] added. `None` if they do not have that form.
    pub(super) fn read(left: &mut &[u8]) -> Option<Self> {
        let has_errors = read_place(left, &SHOWN)?;
        let count = numbers::read(left)?;
        let findings = (0..count).map(|_| read_counted(left)).collect::<Option<_>>()?;
        Some(Self { findings, has_errors })
    }
}

fn read_counted(left: &mut &[u8]) -> Option<Counted> {
    let length = usize::try_from(numbers::read(left)?).ok()?;
    let code = left.split_off(..length)?;
    let rule = crate::rules::all().find(|rule| rule.code.as_bytes() == code)?;
    let number = numbers::read(left)?;
    Some(Counted { rule, number, fix: read_place(left, &FIXES)?, loss: read_place(left, &LOSSES)? })
}

// The indices in these lists are part of `evalcheck-part/1`.
const SHOWN: [Option<bool>; 3] = [None, Some(false), Some(true)];
const FIXES: [Option<Applicability>; 3] = [None, Some(Applicability::Safe), Some(Applicability::Unsafe)];
const LOSSES: [Option<Loss>; 4] = [None, Some(Loss::Line), Some(Loss::Value), Some(Loss::Key)];

/// Adds the index of a value in a list of all values.
fn write_place<T: PartialEq>(bytes: &mut Vec<u8>, all: &[T], value: &T) {
    let place = all.iter().position(|one| one == value);
    numbers::write(bytes, place.unwrap_or_default() as u64);
}

/// Reads a value by its index in a list of all values.
fn read_place<T: Copy>(left: &mut &[u8], all: &[T]) -> Option<T> {
    all.get(usize::try_from(numbers::read(left)?).ok()?).copied()
}

/// Counts the findings of doubtful records, each read by itself.
pub(super) struct RecordCounter {
    format: &'static Format,
    schema: &'static Schema,
    checks: Rc<dyn RecordChecks>,
    /// Keeps no finding.
    collector: FindingCollector,
    base: PathBuilder,
}

impl RecordCounter {
    pub(super) fn new(
        format: &'static Format,
        schema: &'static Schema,
        checks: Rc<dyn RecordChecks>,
    ) -> Self {
        let collector = FindingCollector::new(Some(0));
        Self { format, schema, checks, collector, base: PathBuilder::default() }
    }

    /// The counts of the record of a line without its line break, and its captures. `None` if the check has to read the line: its
    /// record may continue after it, or a finding is kept or shows a fact about the dataset.
    pub(super) fn count(&self, line: &[u8]) -> Option<(RecordCounts, Vec<Capture<'static>>)> {
        let room = Room::Dataset { collector: &self.collector, loss: self.format.loader.loss };
        let task = Task {
            format: self.format,
            schema: self.schema,
            checks: &*self.checks,
            attachments: None,
            start: RecordStart { offset: 0, line: 1, column: 1, record: 0 },
            list: 0,
            base: &self.base,
            room,
        };
        let mut shown = Shown::default();
        let observer = Observer { dataset: &mut shown, reported: None, table: None, is_silent: false };
        let Diagnosis { mut findings, unfinished, .. } = diagnose::diagnose(line, task, Some(observer));
        // The reader decides by some findings whether the record continues on the next line: these are always kept.
        let is_alone = |finding: &Finding| finding.only_counted.is_some() && Noted::of(finding).is_nothing();
        if unfinished || !findings.iter().all(is_alone) {
            return None;
        }
        for finding in &mut findings {
            finding.loss = (self.format.loader.loss)(finding);
        }
        let findings = findings.iter().map(Counted::of).collect();
        Some((RecordCounts { findings, has_errors: shown.has_errors }, shown.captures))
    }
}

/// Notes what a record shows to the checks of a dataset.
#[derive(Debug, Default)]
struct Shown {
    has_errors: Option<bool>,
    captures: Vec<Capture<'static>>,
}

impl DatasetChecks for Shown {
    fn observe(&mut self, captures: &Captures<'_>, _: RecordStart, _: &mut Observations) {
        self.has_errors = Some(captures.has_errors);
        self.captures = Capture::all(captures).map(Capture::into_owned).collect();
    }
}
