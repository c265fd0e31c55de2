//! The list of findings.

use std::rc::Rc;

use evalcheck_wire::report::{Finding, Report, Severity};
use evalcheck_wire::text::{FindingText, finding_text};
use yew::prelude::*;

use super::filter_bar::filter_bar;
use super::severity;
use super::virtual_list::{VirtualList, row_id};
use crate::state::number::grouped;
use crate::state::{Action, Filter, Findings};

/// Height of a row in CSS pixels; `.finding` in the styles has the same.
const ROW: u32 = 54;

/// What the list is called in ids.
const LIST: &str = "findings";

#[derive(Properties, PartialEq)]
pub(crate) struct FindingsPaneProps {
    pub(crate) findings: Findings,
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) running: bool,
    pub(crate) file: AttrValue,
    pub(crate) filter: Filter,
    /// The place of the chosen finding in `findings`.
    pub(crate) selected: Option<usize>,
    pub(crate) dispatch: Callback<Action>,
}

/// Filters, the list, and a word on what it leaves out.
#[component]
pub(crate) fn FindingsPane(props: &FindingsPaneProps) -> Html {
    let FindingsPaneProps { findings, report, running, file, filter, selected, dispatch } = props;

    // The places in `findings` of what is listed.
    let listed = use_memo((findings.clone(), filter.clone()), |(findings, filter)| {
        let lets = |(at, finding): (usize, &Finding)| filter.lets(finding).then_some(at);
        findings.iter().enumerate().filter_map(lets).collect::<Vec<usize>>()
    });
    let row_of = |at: usize| listed.binary_search(&at).ok().map(|row| row as u64);
    let active = selected.and_then(row_of);

    let render = use_callback(
        (findings.clone(), Rc::clone(&listed), *selected, file.clone(), dispatch.clone()),
        |row: u64, (findings, listed, selected, file, dispatch)| {
            let at = usize::try_from(row).ok().and_then(|row| listed.get(row)).copied();
            match at.and_then(|at| findings.get(at).map(|finding| (at, finding))) {
                Some((at, finding)) => {
                    let onclick = dispatch.reform(move |_| Action::SelectFinding { at, open: true });
                    finding_row(row, finding, file, *selected == Some(at), onclick)
                }
                None => Html::default(),
            }
        },
    );
    let choose = use_callback(
        (Rc::clone(&listed), dispatch.clone()),
        |(row, open): (u64, bool), (listed, dispatch)| {
            if let Some(at) = usize::try_from(row).ok().and_then(|row| listed.get(row)).copied() {
                dispatch.emit(Action::SelectFinding { at, open });
            }
        },
    );
    // A new filter is a new list: it begins at its top.
    let key = format!("{:?} {:?}", filter.severity, filter.code);
    html! {
        <>
            if let Some(report) = report {
                { filter_bar(report, filter, dispatch) }
            }
            if listed.is_empty() {
                <p class="empty">{ empty(*running, filter) }</p>
            } else {
                <VirtualList
                    {key}
                    id={LIST}
                    label="Findings"
                    rows={listed.len() as u64}
                    row_height={ROW}
                    {active}
                    {render}
                    on_choose={choose}
                />
            }
            if let Some(note) = report.as_deref().and_then(|report| left_out(report, filter, listed.len())) {
                <p class="list-note" data-testid="list-note">{ note }</p>
            }
        </>
    }
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
                    <span class="path">{ path }</span>
                </span>
                <span class="message">{ message }</span>
            </span>
            <span class="code">{ &finding.code }</span>
        </div>
    }
}

fn empty(running: bool, filter: &Filter) -> &'static str {
    if running {
        "Nothing found yet."
    } else if *filter == Filter::default() {
        "Nothing to report: no error, no warning."
    } else {
        "Nothing of this kind."
    }
}

/// A word on findings that are counted and not listed.
fn left_out(report: &Report, filter: &Filter, listed: usize) -> Option<String> {
    if !report.truncated {
        return None;
    }
    let counts = &report.counts;
    let found = match (&filter.code, filter.severity) {
        (Some(code), _) => counts.by_code.of(code),
        (None, Some(Severity::Error)) => counts.errors,
        (None, Some(Severity::Warning)) => counts.warnings,
        (None, Some(Severity::Info)) => counts.infos,
        (None, None) => counts.errors + counts.warnings + counts.infos,
    };
    let listed = listed as u64;
    let most =
        report.max_findings_per_code.map(|most| format!(" (the first {} of each rule)", grouped(most)));
    (listed < found).then(|| {
        format!(
            "{} of {} are listed{}. The counts are exact, and the line list marks every line.",
            grouped(listed),
            grouped(found),
            most.unwrap_or_default()
        )
    })
}
