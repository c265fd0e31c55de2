//! The filter of the list of findings.

use evalcheck_wire::report::{Report, Severity};
use yew::prelude::*;

use super::severity::icon;
use crate::display::format_number::grouped;
use crate::platform::value_of;
use crate::state::{Action, Filter, PreviewAction};

/// A button for each severity and a selector for rules, with the exact counts.
pub(super) fn filter_bar(report: &Report, filter: &Filter, dispatch: &Callback<Action>) -> Html {
    let counts = &report.counts;
    let button = |id: &'static str, name: &'static str, severity: Option<Severity>, n: u64| {
        let pressed = filter.severity == severity;
        html! {
            <button
                type="button"
                class={classes!("chip", severity.map(Severity::as_str))}
                aria-pressed={pressed.to_string()}
                disabled={n == 0 && !pressed}
                data-testid={id}
                onclick={dispatch.reform(move |_| PreviewAction::FilterSeverity(severity).into())}
            >
                if let Some(severity) = severity {
                    { icon(severity).draw() }
                }
                <span>{ name }</span>
                <span class="number">{ grouped(n) }</span>
            </button>
        }
    };
    let onchange = dispatch.reform(|event: Event| {
        let value = value_of(&event);
        PreviewAction::FilterCode((!value.is_empty()).then(|| value.into())).into()
    });
    html! {
        <div class="filter-bar">
            <div class="chips" role="group" aria-label="Severity">
                { button("filter-all", "All", None, counts.errors + counts.warnings + counts.infos) }
                { button("filter-errors", "Errors", Some(Severity::Error), counts.errors) }
                { button("filter-warnings", "Warnings", Some(Severity::Warning), counts.warnings) }
                { button("filter-infos", "Infos", Some(Severity::Info), counts.infos) }
            </div>
            <select aria-label="Rule" data-testid="filter-code" {onchange}>
                <option value="" selected={filter.code.is_none()}>{ "All rules" }</option>
                for (code, n) in &counts.by_code {
                    <option key={code.as_str()} value={code.clone()} selected={filter.code.as_deref() == Some(code)}>
                        { format!("{code} ({})", grouped(*n)) }
                    </option>
                }
            </select>
        </div>
    }
}
