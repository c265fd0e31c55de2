//! A step of the repair of a record.

use std::ops::Range;

use evalcheck_report::Applicability;

/// The edits for one error.
pub(super) struct Step {
    pub(super) title: &'static str,
    pub(super) applicability: Applicability,
    pub(super) edits: Vec<(Range<usize>, String)>,
}

impl Step {
    pub(super) fn new(
        title: &'static str,
        applicability: Applicability,
        edits: Vec<(Range<usize>, String)>,
    ) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { title, applicability, edits })
    }

    pub(super) fn one(
        title: &'static str,
        applicability: Applicability,
        span: Range<usize>,
        text: impl Into<String>,
    ) -> Option<Self> {
        Self::new(title, applicability, vec![(span, text.into())])
    }
}
