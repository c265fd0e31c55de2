//! The list of findings.

use std::rc::Rc;

use evalcheck_report::Finding;

/// The list of findings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Findings {
    /// The first findings, while the check runs or if it ended without a report. With a report the worker sends the visible ones; all of them
    /// if the worker is gone.
    pub(crate) early: Option<Rc<Vec<Finding>>>,
    /// Whether they are listed by group, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// Whether a filter without matching findings is dropped: the findings for which it was set may be fixed now.
    pub(crate) may_reset_filter: bool,
}

impl Default for Findings {
    fn default() -> Self {
        Self { early: Some(Rc::default()), grouping: None, may_reset_filter: false }
    }
}

/// Whether findings are listed by group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// By rule and path.
    Groups,
    /// One by one.
    Single,
}
