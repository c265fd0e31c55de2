//! The counts of a report.

use evalcheck_wire::report::Counts;
use yew::prelude::*;

use crate::state::number::grouped;

/// Records and findings in numbers.
pub(super) fn counts_strip(counts: &Counts) -> Html {
    let cell = |id: &'static str, name: &'static str, n: u64, tone: &'static str| {
        let tone = if n > 0 { tone } else { "none" };
        html! {
            <div class={classes!("count", tone)} data-count={id}>
                <dt>{ name }</dt>
                <dd>{ grouped(n) }</dd>
            </div>
        }
    };
    html! {
        <dl class="counts" data-testid="counts">
            { cell("records", "Records", counts.records, "plain") }
            { cell("valid", "Valid", counts.valid, "valid") }
            { cell("invalid", "Invalid", counts.invalid, "error") }
            { cell("blank", "Blank", counts.blank, "plain") }
            if counts.header > 0 {
                { cell("header", "Header", counts.header, "plain") }
            }
            { cell("errors", "Errors", counts.errors, "error") }
            { cell("warnings", "Warnings", counts.warnings, "warning") }
            { cell("infos", "Infos", counts.infos, "info") }
        </dl>
    }
}
