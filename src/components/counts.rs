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
