//! The title of the page, which says the verdict.

use evalcheck_wire::report::Verdict;
use evalcheck_wire::text::one_line;
use yew::AttrValue;

use super::verdict::is_unknown;
use super::{Batch, Check, State};
use crate::display::format_number::{counted, grouped};

impl State {
    /// The title for what is shown; `None` on the start screen.
    pub(super) fn title(&self) -> Option<AttrValue> {
        let title = match (&self.check, &self.batch) {
            (Some(check), _) => of_check(check),
            (None, Some(batch)) => of_batch(batch),
            (None, None) => return None,
        };
        Some(title.into())
    }
}

fn of_check(check: &Check) -> String {
    let name = one_line(&check.dataset.name);
    let counts = check.report().map(|report| &report.counts);
    let verdict = match (check.verdict(), counts) {
        (None, _) => return format!("Checking {name}"),
        (Some(Verdict::Valid), _) => "Valid".to_owned(),
        (Some(Verdict::NotChecked), _) => "Not checked".to_owned(),
        _ if check.report().is_some_and(|report| is_unknown(report)) => "No known format".to_owned(),
        (Some(Verdict::Invalid), Some(counts)) if counts.invalid > 0 => {
            format!("{} of {} invalid", grouped(counts.invalid), grouped(counts.records))
        }
        (Some(Verdict::Invalid), _) => "Invalid".to_owned(),
    };
    format!("{verdict}, {name}")
}

fn of_batch(batch: &Batch) -> String {
    let totals = batch.totals();
    let all = batch.files.len() as u64;
    let files = counted(all, "file");
    if batch.is_running() {
        format!("Checking {files}")
    } else if totals.invalid > 0 {
        format!("{} of {files} invalid", grouped(totals.invalid))
    } else if totals.valid < all {
        format!("{} of {files} not checked", grouped(all - totals.valid))
    } else {
        format!("{files} valid")
    }
}
