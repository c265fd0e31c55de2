//! The title of the page, which contains the verdict.

use evalcheck_report::Verdict;
use evalcheck_report::text::one_line;
use yew::AttrValue;

use super::verdict::is_unknown;
use super::{Check, State, batch_status};
use crate::display::format_number::grouped;

impl State {
    /// The title for the shown results; `None` on the start screen.
    pub(super) fn title(&self) -> Option<AttrValue> {
        match &self.check {
            _ if self.aside.is_some() => None,
            Some(check) => Some(of_check(check).into()),
            None => self.batch.as_deref().map(batch_status),
        }
    }
}

fn of_check(check: &Check) -> String {
    let name = one_line(&check.dataset.name);
    let counts = check.report().map(|report| &report.counts);
    let verdict = match (check.verdict(), counts) {
        (None, _) => return format!("Checking {name}"),
        (Some(Verdict::Valid), _) => "Valid".to_owned(),
        (Some(Verdict::Readable), _) => "Readable".to_owned(),
        (Some(Verdict::Undecided), _) => "Undecided".to_owned(),
        (Some(Verdict::NotChecked), _) => "Not checked".to_owned(),
        _ if check.report().is_some_and(|report| is_unknown(report)) => "No known format".to_owned(),
        (Some(Verdict::Invalid), Some(counts)) if counts.invalid > 0 => {
            format!("{} of {} invalid", grouped(counts.invalid), grouped(counts.records))
        }
        (Some(Verdict::Invalid), _) => "Invalid".to_owned(),
    };
    format!("{verdict}, {name}")
}
