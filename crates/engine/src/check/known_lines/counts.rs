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
    /// Adds these as bytes: 0 for a record that is not shown, else 1, or 2 with errors; how many findings follow that are not alike; for
    /// each the length of its code, the code, how many there are, its fix (0: none, 1: safe, 2: unsafe) and its loss (0: none, 1: the line,
    /// 2: the value, 3: the key).
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        numbers::write(bytes, self.has_errors.map_or(0, |has_errors| 1 + u64::from(has_errors)));
        numbers::write(bytes, self.findings.len() as u64);
        for Counted { rule, number, fix, loss } in &self.findings {
            numbers::write(bytes, rule.code.len() as u64);
            bytes.extend_from_slice(rule.code.as_bytes());
            numbers::write(bytes, *number);
            let fix = match fix {
                None => 0,
                Some(Applicability::Safe) => 1,
                Some(Applicability::Unsafe) => 2,
            };
            let loss = match loss {
                None => 0,
                Some(Loss::Line) => 1,
                Some(Loss::Value) => 2,
                Some(Loss::Key) => 3,
            };
            numbers::write(bytes, fix);
            numbers::write(bytes, loss);
        }
    }

    /// Reads what [`RecordCounts::write`] added. `None` where it is not of that form.
    pub(super) fn read(left: &mut &[u8]) -> Option<Self> {
        let has_errors = match numbers::read(left)? {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return None,
        };
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
    let fix = match numbers::read(left)? {
        0 => None,
        1 => Some(Applicability::Safe),
        2 => Some(Applicability::Unsafe),
        _ => return None,
    };
    let loss = match numbers::read(left)? {
        0 => None,
        1 => Some(Loss::Line),
        2 => Some(Loss::Value),
        3 => Some(Loss::Key),
        _ => return None,
    };
    Some(Counted { rule, number, fix, loss })
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
        // A finding by which the reader decides whether the record goes on is always kept.
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
