//! The state of a question to the worker.

use std::rc::Rc;

use evalcheck_wire::question::{Advance, Answer};
use yew::AttrValue;

use crate::display::format_number::percent;

/// The state of a question that was asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remote<T = Rc<Answer>> {
    /// It has no answer yet; the progress of one that takes long.
    Waiting(Rc<Advance>),
    /// It is answered.
    Loaded(T),
    /// The user stopped it.
    Stopped(Rc<Advance>),
    /// It has no answer; the reason.
    Failed(AttrValue),
}

impl<T> Remote<T> {
    /// The answer.
    pub(crate) fn loaded(self) -> Option<T> {
        match self {
            Self::Loaded(answer) => Some(answer),
            Self::Waiting(_) | Self::Stopped(_) | Self::Failed(_) => None,
        }
    }
}

/// The progress of a question that takes long, in percent.
pub(crate) fn percent_of(advance: &Advance) -> u8 {
    percent(advance.bytes, advance.total_bytes.max(1))
}
