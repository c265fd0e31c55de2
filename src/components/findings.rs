//! The list of findings.

use std::rc::Rc;

use evalcheck_render::text::{FindingText, finding_text};
use evalcheck_wire::fix;
use evalcheck_wire::report::{Finding, Report, Severity};
use yew::prelude::*;

use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::grouped;
use crate::platform::value_of;
use crate::state::{Action, Filter, Findings, PreviewAction};

/// Height of a row in CSS pixels; `.finding` in the styles has the same.
const ROW: u32 = 54;

/// The prefix of the ids of rows.
const LIST: &str = "findings";

#[derive(Properties, PartialEq)]
pub(crate) struct FindingsPaneProps {
    pub(crate) findings: Findings,
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) running: bool,
    pub(crate) file: AttrValue,
    pub(crate) filter: Filter,
    /// The index of the selected finding in `findings`.
    pub(crate) selected: Option<usize>,
    pub(crate) dispatch: Callback<Action>,
}

/// The filter, the list, and a note on findings that are not listed.
#[component]
pub(crate) fn FindingsPane(props: &FindingsPaneProps) -> Html {
    let FindingsPaneProps { findings, report, running, file, filter, selected, dispatch } = props;

    // The indices of the listed findings.
    let listed = use_memo((findings.clone(), filter.clone()), |(findings, filter)| {
        let matching = |(index, finding): (usize, &Finding)| filter.matches(finding).then_some(index);
        findings.iter().enumerate().filter_map(matching).collect::<Vec<usize>>()
    });
    let row_of = |index: usize| listed.binary_search(&index).ok().map(|row| row as u64);
    let active = selected.and_then(row_of);

    let render = use_callback(
        (findings.clone(), Rc::clone(&listed), *selected, file.clone(), dispatch.clone()),
        |row: u64, (findings, listed, selected, file, dispatch)| {
            let Some(index) = index_of_row(listed, row) else { return Html::default() };
            let Some(finding) = findings.get(index) else { return Html::default() };
            let onclick = dispatch.reform(move |_| PreviewAction::SelectFinding { index, open: true }.into());
            finding_row(row, finding, file, *selected == Some(index), onclick)
        },
    );
    let select = use_callback(
        (Rc::clone(&listed), dispatch.clone()),
        |(row, open): (u64, bool), (listed, dispatch)| {
            if let Some(index) = index_of_row(listed, row) {
                dispatch.emit(PreviewAction::SelectFinding { index, open }.into());
            }
        },
    );
    // A list with another filter starts at its top.
    let key = format!("{:?} {:?} {}", filter.severity, filter.code, filter.is_fixable);
    html! {
        <>
            if let Some(report) = report {
                { rule_filter(report, filter, dispatch) }
            }
            if listed.is_empty() {
                <p class="empty">{ empty_text(*running, filter) }</p>
            } else {
                <VirtualList
                    {key}
                    id={LIST}
                    label="Findings"
                    rows={listed.len() as u64}
                    row_height={ROW}
                    {active}
                    {render}
                    on_select={select}
                />
            }
            if let Some(note) = report.as_deref().and_then(|report| unlisted_note(report, filter, listed.len())) {
                <p class="list-note" data-testid="list-note">{ note }</p>
            }
        </>
    }
}

/// A selector for rules, with the exact counts.
fn rule_filter(report: &Report, filter: &Filter, dispatch: &Callback<Action>) -> Html {
    let onchange = dispatch.reform(|event: Event| {
        let value = value_of(&event);
        PreviewAction::FilterCode((!value.is_empty()).then(|| value.into())).into()
    });
    html! {
        <div class="filter-bar">
            <select aria-label="Rule" data-testid="filter-code" {onchange}>
                <option value="" selected={filter.code.is_none()}>{ "All rules" }</option>
                for (code, n) in &report.counts.by_code {
                    <option key={code.as_str()} value={code.clone()} selected={filter.code.as_deref() == Some(code)}>
                        { format!("{code} ({})", grouped(*n)) }
                    </option>
                }
            </select>
            if filter.is_fixable {
                <span class="muted">{ "Only findings that can be fixed safely." }</span>
                <button
                    type="button"
                    class="link"
                    data-testid="stop-review"
                    onclick={dispatch.reform(|_| PreviewAction::FilterSeverity(None).into())}
                >
                    { "Show all" }
                </button>
            }
        </div>
    }
}

/// The index of the finding in a row.
fn index_of_row(listed: &[usize], row: u64) -> Option<usize> {
    usize::try_from(row).ok().and_then(|row| listed.get(row)).copied()
}

fn finding_row(
    row: u64,
    finding: &Finding,
    file: &str,
    selected: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let FindingText { place, path, message } = finding_text(finding, file);
    html! {
        <div
            key={row.to_string()}
            id={row_id(LIST, row)}
            class={classes!("row", "finding", finding.severity.as_str())}
            role="option"
            aria-selected={selected.to_string()}
            data-testid="finding"
            data-code={finding.code.clone()}
            data-severity={finding.severity.as_str()}
            {onclick}
        >
            { severity::mark(finding.severity) }
            <span class="finding-text">
                <span class="finding-place">
                    <span class="place">{ place }</span>
                    <span class="path">{ text::path(&path) }</span>
                </span>
                <span class="message">{ text::inline(&message) }</span>
            </span>
            <span class="code">{ &finding.code }</span>
        </div>
    }
}

fn empty_text(running: bool, filter: &Filter) -> &'static str {
    if running {
        "No findings yet."
    } else if *filter == Filter::default() {
        "No findings."
    } else {
        "No findings match the filter."
    }
}

/// A note if the report does not list all findings.
fn unlisted_note(report: &Report, filter: &Filter, listed: usize) -> Option<String> {
    if !report.truncated {
        return None;
    }
    let counts = &report.counts;
    let safe = fix::Selection {
        select: filter.code.iter().map(ToString::to_string).collect(),
        ..Default::default()
    };
    let found = match (&filter.code, filter.severity) {
        _ if filter.is_fixable => safe.count(counts),
        (Some(code), _) => counts.by_code.get(code.as_str()).copied().unwrap_or(0),
        (None, Some(Severity::Error)) => counts.errors,
        (None, Some(Severity::Warning)) => counts.warnings,
        (None, Some(Severity::Info)) => counts.infos,
        (None, None) => counts.errors + counts.warnings + counts.infos,
    };
    let listed = listed as u64;
    let limit = report.max_findings_per_code.map(|limit| {
        format!(" (the first {} of each rule, and one of those with a common cause)", grouped(limit))
    });
    (listed < found).then(|| {
        format!(
            "{} of {} findings are listed{}. The counts are exact, and the list of lines marks every invalid line.",
            grouped(listed),
            grouped(found),
            limit.unwrap_or_default()
        )
    })
}
