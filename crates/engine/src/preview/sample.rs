//! A record as a conversation; one that cannot be read, as its fixes would make it.

use std::rc::Rc;

use evalcheck_formats::preview::Shown;
use evalcheck_report::Applicability;
use evalcheck_report::view::Sample;

use super::limits;
use crate::archive::Archive;
use crate::check::state::CheckState;
use crate::diagnose::Value;
use crate::finding::Finding;
use crate::fix::{EditPlan, Rounds, Selection};
use crate::records::{Reader, parse};

/// The maximum number of bytes of a record that is shown as its fixes would make it.
const MOST_FIXED: usize = 1 << 20;

/// A record to show as a conversation.
pub(super) struct Shows<'a> {
    /// Its bytes.
    pub(super) bytes: &'a [u8],
    /// Its first byte in the dataset.
    pub(super) start: u64,
    /// The line at which it begins.
    pub(super) line: u64,
    /// Its findings.
    pub(super) findings: &'a [Finding],
    pub(super) reader: &'a dyn Reader<CheckState>,
    pub(super) archive: Option<&'a Archive>,
}

impl Shows<'_> {
    /// The record as a conversation, if it is one. If it cannot be read, it is shown as its fixes would make it, with the
    /// applicability of these fixes. `check` finds the problems of other bytes in its place, as if the dataset began with them.
    pub(super) fn sample(
        &self,
        check: impl Fn(&[u8]) -> Vec<Finding>,
    ) -> (Option<Sample>, Option<Applicability>) {
        let spans = super::text::spans(self.findings, self.start, self.bytes.len());
        let show = |bytes: &[u8], findings: &[_]| {
            let shown = self.with_value(bytes, |root| {
                let attachments = self.reader.visitor().dataset.attachments.as_ref();
                let shown = Shown { root, bytes, attachments, archive: self.archive, findings };
                (self.reader.visitor().dataset.format.preview)(&shown)
            });
            shown.map(|sample| sample.map(limits::limit))
        };
        if let Some(sample) = show(self.bytes, &spans) {
            return (sample, None);
        }
        if self.bytes.len() > MOST_FIXED {
            return (None, None);
        }
        for applicability in [Applicability::Safe, Applicability::Unsafe] {
            let not_safe = applicability == Applicability::Unsafe;
            let fixed = self.fixed(&Selection { not_safe, ..Selection::default() }, &check);
            if let Some(sample) = fixed.and_then(|fixed| show(&fixed, &[])).flatten() {
                return (Some(sample), Some(applicability));
            }
        }
        (None, None)
    }

    /// The record with the selected fixes, as soon as it can be read.
    fn fixed(&self, selection: &Selection, check: impl Fn(&[u8]) -> Vec<Finding>) -> Option<Vec<u8>> {
        let mut bytes = self.bytes.to_vec();
        let mut rounds = Rounds::default();
        loop {
            let findings: Vec<_> = check(&bytes).iter().map(Finding::to_wire).collect();
            let mut plan = EditPlan::default();
            plan.add_selected(selection, &findings);
            if !plan.has_edits() {
                return None;
            }
            bytes = rounds.next(plan)?.apply(&bytes);
            if self.with_value(&bytes, |_| ()).is_some() {
                return Some(bytes);
            }
        }
    }

    /// Calls `each` with bytes as a value; `None` if they cannot be read.
    fn with_value<T>(&self, bytes: &[u8], each: impl FnOnce(&Value<'_>) -> T) -> Option<T> {
        let table = self.reader.table().map(Rc::as_ref);
        parse(bytes, self.line, table).map(|parsed| each(&parsed.value))
    }
}
