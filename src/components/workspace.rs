//! A list and what is chosen in it, side by side where there is room.

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::detail::detail;
use super::findings::FindingsPane;
use super::line_list::LinesPane;
use crate::state::number::grouped;
use crate::state::{Action, Check, Focus, ListKind, Selection};

/// Lists to the left, detail to the right; on a narrow screen one at a time.
pub(super) fn workspace(check: &Check, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let look = &check.look;
    let report = check.report();
    let selected = match look.selection {
        Some(Selection::Finding(at)) => Some(at),
        _ => None,
    };
    let found = report.map_or(check.findings.len() as u64, |report| {
        report.counts.errors + report.counts.warnings + report.counts.infos
    });
    let has_lines = check.answering && report.is_some() && look.lines.total() > 0;
    let list = if has_lines { look.list } else { ListKind::Findings };
    let focus = match look.focus {
        Focus::List => "list",
        Focus::Detail => "detail",
    };
    html! {
        <div class="workspace" data-focus={focus}>
            <section class="pane list-pane" aria-label="Lists">
                <div class="tabs" role="tablist" aria-label="What is listed">
                    { tab("findings", "Findings", found, ListKind::Findings, list, dispatch) }
                    if has_lines {
                        { tab("lines", "Lines", look.lines.total(), ListKind::Lines, list, dispatch) }
                    }
                </div>
                if list == ListKind::Lines {
                    <LinesPane
                        lines={&look.lines}
                        chosen={look.line(&check.findings)}
                        reveals={look.reveals}
                        {dispatch}
                    />
                } else {
                    <FindingsPane
                        findings={&check.findings}
                        report={report.cloned()}
                        running={check.is_running()}
                        file={&check.dataset.name}
                        filter={&look.filter}
                        {selected}
                        {dispatch}
                    />
                }
            </section>
            <section class="pane detail-pane" aria-label="Detail">
                { detail(check, catalogue, dispatch) }
            </section>
        </div>
    }
}

fn tab(
    id: &'static str,
    name: &'static str,
    count: u64,
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
            onclick={dispatch.reform(move |_| Action::ShowList(kind))}
        >
            { name }
            <span class="pill">{ grouped(count) }</span>
        </button>
    }
}
