//! The records of a dataset that have changes.

use std::ops::Range;
use std::rc::Rc;

use evalcheck_records::{CountedRecord, ScannedRecord};

use crate::dataset::Dataset;
use crate::diagnose::RecordStart;
use crate::finding::Finding;
use crate::fix::Changes;
use crate::observer::Observer;
use crate::search::Matches;

/// The records with changes, as far as the dataset was read ([`View::changes`](crate::preview::View::changes)).
#[derive(Debug)]
pub struct ChangedRecords {
    changes: Rc<Changes>,
    /// In their order. Each has the changes up to those of the next.
    places: Vec<ChangedPlace>,
    /// The index of the first change that is not in one of them.
    next: usize,
}

/// A place with changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangedPlace {
    /// The index of the first of the changes.
    first: usize,
    /// The number of the record; `None` at the end of the dataset.
    pub record: Option<u64>,
    /// The line on which it begins.
    pub line: Option<u64>,
    /// Whether they are before the record, not in it.
    pub is_before: bool,
}

impl ChangedRecords {
    /// The changes of the dataset since it was opened.
    pub fn new(changes: Rc<Changes>) -> Self {
        Self { changes, places: Vec::new(), next: 0 }
    }

    /// The changes.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Takes a record.
    #[inline]
    fn take(&mut self, start: RecordStart, length: u64) {
        let range = start.offset..start.offset + length;
        let is_there = self.changes.all().get(self.next).is_some_and(|change| change.new.start <= range.end);
        if is_there {
            self.note(start, &range);
        }
    }

    fn note(&mut self, start: RecordStart, range: &Range<u64>) {
        while let Some(change) = self.changes.all().get(self.next) {
            // Bytes that were removed at the start of a record were mostly the record before it.
            let is_outside = change.new.is_empty() || change.new.start < range.start;
            let is_before = change.new.end <= range.start && is_outside;
            if !is_before && change.new.start > range.end {
                return;
            }
            let place = ChangedPlace {
                first: self.next,
                record: Some(start.record),
                line: Some(start.line),
                is_before,
            };
            let is_same = |last: &ChangedPlace| ChangedPlace { first: last.first, ..place } == *last;
            if !self.places.last().is_some_and(is_same) {
                self.places.push(place);
            }
            self.next += 1;
        }
    }

    /// The number of places with changes.
    pub(crate) fn len(&self) -> usize {
        self.places.len() + usize::from(self.next < self.changes.all().len())
    }

    /// A place with changes, and the range of its changes.
    pub(crate) fn place(&self, number: usize) -> Option<(ChangedPlace, Range<usize>)> {
        let all = self.changes.all().len();
        let rest = ChangedPlace { first: self.next, record: None, line: None, is_before: false };
        let rest = (self.next < all).then_some(rest);
        let mut from = self.places.iter().copied().chain(rest).skip(number);
        let place = from.next()?;
        Some((place, place.first..from.next().map_or(all, |next| next.first)))
    }

    /// The records with changes in them.
    pub fn records(&self) -> Matches {
        let mut records = Matches::default();
        for record in self.places.iter().filter(|place| !place.is_before).filter_map(|place| place.record) {
            records.insert(record);
        }
        records
    }
}

impl Observer for ChangedRecords {
    fn clean(&mut self, record: &ScannedRecord<'_>, _: &[Finding], _: &Dataset) {
        self.take(record.at, record.text.len() as u64);
    }

    fn counted(&mut self, record: &CountedRecord<'_>, _: &[Finding], _: &Dataset) {
        let start = record.mark.record_start;
        match (record.text, &record.bytes) {
            (_, Some(bytes)) if record.is_continued => self.take(start, bytes.end - start.offset),
            (Some(text), _) => self.take(start, text.len() as u64),
            (None, _) => {}
        }
    }
}
