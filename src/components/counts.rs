//! The counts of a report.

use std::rc::Rc;

use evalcheck_wire::report::Report;
use yew::prelude::*;

use crate::state::number::grouped;

#[derive(Properties, PartialEq)]
pub(crate) struct CountsStripProps {
    pub(crate) report: Rc<Report>,
}

/// Records and findings in numbers.
#[component]
pub(crate) fn CountsStrip(props: &CountsStripProps) -> Html {
    let counts = &props.report.counts;
    let cell = |name: &'static str, n: u64, tone: &'static str| {
        let tone = if n > 0 { tone } else { "none" };
        html! {
            <div class={classes!("count", tone)} data-count={name.to_lowercase()}>
                <dt>{ name }</dt>
                <dd>{ grouped(n) }</dd>
            </div>
        }
    };
    html! {
        <dl class="counts" data-testid="counts">
            { cell("Records", counts.records, "plain") }
            { cell("Valid", counts.valid, "valid") }
            { cell("Invalid", counts.invalid, "error") }
            { cell("Blank", counts.blank, "plain") }
            if counts.header > 0 {
                { cell("Header", counts.header, "plain") }
            }
            { cell("Errors", counts.errors, "error") }
            { cell("Warnings", counts.warnings, "warning") }
            { cell("Infos", counts.infos, "info") }
        </dl>
    }
}
