//! What a check counts of records with findings, where it keeps none of the findings.

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

/// What a check counts of a record with findings, where it keeps none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::check) struct RecordCounts {
    /// What counts of its findings, except for those that need other records.
    pub(in crate::check) findings: Vec<Counted>,
    /// What the checks of the dataset learn of its errors ([`Captures::has_errors`]). `None` where they are not shown the record,
    /// because it cannot be read.
    pub(in crate::check) has_errors: Option<bool>,
}

impl RecordCounts {
    /// Adds these as bytes: the place in [`SHOWN`]; how many findings follow that are not alike; for each the length of its code, the code,
    /// how many there are, and the places of its fix in [`FIXES`] and of its loss in [`LOSSES`].
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

    /// Reads what [`RecordCounts::write`] added. `None` where it is not of that form.
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

// The places in these lists are part of `evalcheck-part/1`.
const SHOWN: [Option<bool>; 3] = [None, Some(false), Some(true)];
const FIXES: [Option<Applicability>; 3] = [None, Some(Applicability::Safe), Some(Applicability::Unsafe)];
const LOSSES: [Option<Loss>; 4] = [None, Some(Loss::Line), Some(Loss::Value), Some(Loss::Key)];

/// Adds the place of a value in a list of all there are.
fn write_place<T: PartialEq>(bytes: &mut Vec<u8>, all: &[T], value: &T) {
    let place = all.iter().position(|one| one == value);
    numbers::write(bytes, place.unwrap_or_default() as u64);
}

/// Reads a value by its place in a list of all there are.
fn read_place<T: Copy>(left: &mut &[u8], all: &[T]) -> Option<T> {
    all.get(usize::try_from(numbers::read(left)?).ok()?).copied()
}

/// Says what counts of records in doubt, each read by itself.
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

    /// What counts of the record of a line without its line break, and its captures. `None` where the check has to read the line: its
    /// record may go on after it, or a finding says something of the dataset.
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

/// Notes what the checks of a dataset are shown of a record.
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
