//! The lists of findings, records, lines and hits of a search, and the details of what is selected.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::detail::detail;
use super::findings::FindingsPane;
use super::line_list::LinesPane;
use super::record_list::RecordsPane;
use super::search::SearchPane;
use crate::display::format_number::grouped;
use crate::state::{Action, Check, Focus, ListKind, Notice, PreviewAction, Selection};

/// Lists on the left, details on the right; one of them on a narrow screen.
pub(super) fn workspace(
    check: &Check,
    catalogue: &Rc<Catalogue>,
    notice: Option<Notice>,
    dispatch: &Callback<Action>,
) -> Html {
    let preview = &check.preview;
    let report = check.report();
    let selected = match preview.selection {
        Some(Selection::Finding(index)) => Some(index),
        _ => None,
    };
    let total = report.map_or(check.findings.len() as u64, |report| {
        report.counts.errors + report.counts.warnings + report.counts.infos
    });
    let has_lines = check.has_list(ListKind::Lines);
    let records = report.map_or(0, |report| report.counts.records);
    let has_records = check.has_list(ListKind::Records);
    let list = if check.has_list(preview.list) { preview.list } else { ListKind::Findings };
    let found = preview.search.as_ref().map(|search| search.count);
    let focus = match preview.focus {
        Focus::List => "list",
        Focus::Details => "details",
    };
    html! {
        <div class="workspace" data-focus={focus}>
            <section class="pane list-pane" aria-label="Findings, records, lines and search">
                <div class="tabs" role="tablist" aria-label="Lists">
                    { tab("findings", "Findings", Some(total), ListKind::Findings, list, dispatch) }
                    if has_records {
                        { tab("records", "Records", Some(records), ListKind::Records, list, dispatch) }
                    }
                    if has_lines {
                        { tab("lines", "Lines", Some(preview.lines.total()), ListKind::Lines, list, dispatch) }
                        { tab("search", "Search", found, ListKind::Search, list, dispatch) }
                    }
                </div>
                if list == ListKind::Lines {
                    <LinesPane
                        lines={&preview.lines}
                        selected={preview.line(&check.findings)}
                        reveals={preview.reveals}
                        {dispatch}
                    />
                } else if list == ListKind::Records {
                    <RecordsPane
                        rows={&preview.rows}
                        columns={&preview.columns}
                        selected={preview.record_number(&check.findings)}
                        {dispatch}
                    />
                } else if list == ListKind::Search {
                    <SearchPane
                        search={preview.search.clone()}
                        catalogue={Rc::clone(catalogue)}
                        format={report.map(|report| report.format.id.clone()).unwrap_or_default()}
                        {dispatch}
                    />
                } else {
                    <FindingsPane
                        findings={&check.findings}
                        report={report.cloned()}
                        running={check.is_running()}
                        file={&check.dataset.name}
                        filter={&preview.filter}
                        {selected}
                        {dispatch}
                    />
                }
            </section>
            <section class="pane detail-pane" aria-label="Details">
                { detail(check, catalogue, notice, dispatch) }
            </section>
        </div>
    }
}

fn tab(
    id: &'static str,
    name: &'static str,
    count: Option<u64>,
    kind: ListKind,
    shown: ListKind,
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <button
            type="button"
            role="tab"
            aria-selected={(kind == shown).to_string()}
            data-testid={format!("tab-{id}")}
            onclick={dispatch.reform(move |_| PreviewAction::ShowList(kind).into())}
        >
            { name }
            if let Some(count) = count {
                <span class="pill">{ grouped(count) }</span>
            }
        </button>
    }
}
