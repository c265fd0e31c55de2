//! The comparison of the shown file with another version of it.

use std::rc::Rc;

use evalcheck_wire::compare::{ComparisonSums, Difference, DifferenceKind};
use evalcheck_wire::worker::CheckId;
use yew::AttrValue;

use super::dataset::Dataset;
use super::page_cache::PageCache;

/// A comparison, and the state of its view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comparison {
    /// Its id.
    pub(crate) id: CheckId,
    /// The other version.
    pub(crate) other: Rc<Dataset>,
    /// Whether the other version is the newer one.
    pub(crate) is_other_newer: bool,
    /// Its phase.
    pub(crate) phase: ComparisonPhase,
    /// The kind of differences in the list; `None` for all.
    pub(crate) kind: Option<DifferenceKind>,
    /// The records that differ.
    pub(crate) cache: PageCache<Difference>,
    /// The selected record of the list, from 0.
    pub(crate) selected: Option<u64>,
}

/// The phase of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ComparisonPhase {
    /// It runs.
    Running {
        /// The number of complete reads of both versions before.
        part: u32,
        /// Bytes read of both.
        bytes: u64,
        /// Bytes to read of both.
        total_bytes: u64,
    },
    /// It has ended.
    Done(Rc<ComparisonSums>),
    /// The versions cannot be compared; the reason.
    Failed(AttrValue),
}

impl Comparison {
    /// A comparison that starts.
    pub(crate) fn new(id: CheckId, other: Rc<Dataset>, is_other_newer: bool) -> Self {
        Self {
            id,
            other,
            is_other_newer,
            phase: ComparisonPhase::Running { part: 0, bytes: 0, total_bytes: 0 },
            kind: None,
            cache: PageCache::default(),
            selected: None,
        }
    }

    /// The sums of the differences, once known.
    pub(crate) fn sums(&self) -> Option<&Rc<ComparisonSums>> {
        match &self.phase {
            ComparisonPhase::Done(sums) => Some(sums),
            _ => None,
        }
    }

    /// Lists records with this kind of difference.
    pub(crate) fn list(&mut self, kind: Option<DifferenceKind>) {
        self.kind = kind;
        self.selected = None;
        let listed = self.sums().map_or(0, |sums| sums.listed(kind));
        self.cache = PageCache::new(listed);
    }

    /// The selected record: its number in the shown file, and its line.
    pub(crate) fn selected_record(&self) -> Option<(u64, u64)> {
        let difference = self.cache.get(self.selected? + 1).loaded()?;
        let here = if self.is_other_newer { &difference.old } else { &difference.new };
        here.as_ref().map(|record| (record.record, record.line))
    }

    /// Returns true while an answer of the worker is outstanding.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.phase, ComparisonPhase::Running { .. }) || self.cache.open_requests() > 0
    }

    /// Ends the comparison, because the worker is gone.
    pub(crate) fn fail(&mut self, why: &AttrValue) {
        self.cache = PageCache::default();
        self.phase = ComparisonPhase::Failed(why.clone());
    }
}
