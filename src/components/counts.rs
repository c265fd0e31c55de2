//! Counts of records and findings.

use evalcheck_report::Counts;
use yew::prelude::*;

use crate::display::format_number::grouped;

/// The counts of a report.
pub(super) fn counts_strip(counts: &Counts) -> Html {
    html! {
        <dl class="counts" data-testid="counts">
            { count("records", "Records", counts.records, "plain") }
            { count("valid", "Valid", counts.valid, "valid") }
            { count("invalid", "Invalid", counts.invalid, "error") }
            { count("blank", "Blank", counts.blank, "plain") }
            if counts.header > 0 {
                { count("header", "Header", counts.header, "plain") }
            }
            if counts.continued > 0 {
                { count("continued", "Continued lines", counts.continued, "plain") }
            }
            { count("errors", "Errors", counts.errors, "error") }
            { count("warnings", "Warnings", counts.warnings, "warning") }
            { count("infos", "Notes", counts.infos, "info") }
        </dl>
    }
}

/// One count with its name. `tone` is the class of a count above 0.
pub(super) fn count(id: &'static str, name: &'static str, n: u64, tone: &'static str) -> Html {
    let tone = if n > 0 { tone } else { "none" };
    html! {
        <div class={classes!("count", tone)} data-count={id}>
            <dt>{ name }</dt>
            <dd>{ grouped(n) }</dd>
        </div>
    }
}
