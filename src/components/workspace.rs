//! The lists of findings, records and lines, their filter, and the details of the selection.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::archive_files::files_pane;
use super::changes::changes_pane;
use super::compared::compared_pane;
use super::dataset_overview::dataset_overview;
use super::detail::detail;
use super::divider::divider;
use super::file_map::{FileMap, MapFrame};
use super::filter_field::FilterField;
use super::findings::findings_pane;
use super::fix_review::fix_review;
use super::hits::HitsPane;
use super::line_list::LinesPane;
use super::record_list::RecordsPane;
use super::tabs::{Tab, tab_list};
use crate::display::completion::Known;
use crate::state::{
    Action, Check, Focus, ListKind, Notice, Preview, PreviewAction, SearchPhase, Split, TextMode,
};

/// Lists on the left, details on the right; one of them on a narrow screen.
pub(super) fn workspace(
    check: &Check,
    catalogue: &Rc<Catalogue>,
    (notice, split, mode): (Option<Notice>, Split, TextMode),
    frame: &MapFrame,
    dispatch: &Callback<Action>,
) -> Html {
    let preview = &check.preview;
    let report = check.report();
    let has_lines = check.has_list(ListKind::Lines);
    let records = report.map_or(0, |report| report.counts.records);
    let has_records = check.has_list(ListKind::Records);
    let list = if check.has_list(preview.list) { preview.list } else { ListKind::Findings };
    let focus = match preview.focus {
        Focus::List => "list",
        Focus::Details => "details",
    };
    // With a filter, the number of matching records.
    let found = preview.search.as_ref().map(|search| search.hits.total());
    let findings = if report.is_some() { preview.kept_findings } else { Some(check.all_findings()) };
    let tabs = [
        Some(tab("findings", "Findings", ListKind::Findings, list).with_count(findings)),
        has_records.then(|| {
            tab("records", "Records", ListKind::Records, list).with_count(Some(found.unwrap_or(records)))
        }),
        has_lines
            .then(|| tab("lines", "Lines", ListKind::Lines, list).with_count(Some(preview.lines.total()))),
        check
            .has_list(ListKind::Fixes)
            .then(|| tab("fixes", "Fixes", ListKind::Fixes, list).with_count(Some(check.all_fixes()))),
        check
            .has_list(ListKind::Changes)
            .then(|| tab("changes", "Changes", ListKind::Changes, list).with_count(preview.changes.total)),
        check.has_list(ListKind::Compared).then(|| {
            let count = preview.compared.as_ref().and_then(|shown| shown.sums()).map(|sums| sums.count(None));
            tab("compared", "Compared", ListKind::Compared, list).with_count(count)
        }),
        check.has_list(ListKind::Overview).then(|| tab("overview", "Overview", ListKind::Overview, list)),
        check.has_list(ListKind::Attachments).then(|| {
            let count = preview.files.count();
            tab("attachments", "Attachments", ListKind::Attachments, list).with_count(Some(count))
        }),
    ];
    let tabs = tabs.into_iter().flatten();
    html! {
        <div class={classes!("workspace", split.is_whole.then_some("whole"))} data-focus={focus}>
            <section class="pane list-pane" aria-label="Findings, records, lines, fixes, changes, comparison, overview and attachments">
                { tab_list("Lists", "list-panel", tabs, dispatch) }
                if report.is_some() && has_filter(list, has_records) {
                    <FilterField
                        filter={&preview.filter}
                        known={known(check, catalogue)}
                        is_searching={preview.search.as_ref().is_some_and(|search| search.phase == SearchPhase::Running)}
                        {dispatch}
                    />
                }
                <div class="list-and-map">
                    <div class="list" id="list-panel" role="tabpanel" aria-labelledby={tab_id(list)}>
                        { list_of(check, catalogue, list, frame, dispatch) }
                    </div>
                    if let Some(summary) = preview.summary.loaded().filter(|_| has_map(preview, list)) {
                        <FileMap {frame} {summary} {list} selected={selected_byte(preview)} {dispatch} />
                    }
                </div>
            </section>
            { divider(split, dispatch) }
            <section class="pane detail-pane" aria-label="Details">
                { detail(check, catalogue, (notice, split, mode), dispatch) }
            </section>
        </div>
    }
}

fn list_of(
    check: &Check,
    catalogue: &Rc<Catalogue>,
    list: ListKind,
    frame: &MapFrame,
    dispatch: &Callback<Action>,
) -> Html {
    let preview = &check.preview;
    match (list, &preview.search) {
        (ListKind::Lines, _) => html! {
            <LinesPane
                lines={&preview.lines}
                search={preview.search.clone()}
                selected={preview.line()}
                reveals={preview.reveals}
                {frame}
                {dispatch}
            />
        },
        (ListKind::Records, Some(search)) => html! { <HitsPane {search} {dispatch} /> },
        (ListKind::Records, None) => html! {
            <RecordsPane
                rows={&preview.rows}
                columns={&preview.columns}
                selected={preview.record_number()}
                reveals={preview.reveals}
                {frame}
                {dispatch}
            />
        },
        (ListKind::Fixes, _) => fix_review(check, dispatch),
        (ListKind::Changes, _) => changes_pane(check, dispatch),
        (ListKind::Compared, _) => compared_pane(check, dispatch),
        (ListKind::Overview, _) => dataset_overview(check, dispatch),
        (ListKind::Attachments, _) => files_pane(check, dispatch),
        (ListKind::Findings, _) => findings_pane(check, catalogue, frame, dispatch),
    }
}

/// Returns true for lists with a filter. Lines are filtered by their records.
fn has_filter(list: ListKind, has_records: bool) -> bool {
    match list {
        ListKind::Findings | ListKind::Records => true,
        ListKind::Lines => has_records,
        ListKind::Fixes
        | ListKind::Overview
        | ListKind::Attachments
        | ListKind::Changes
        | ListKind::Compared => false,
    }
}

/// Returns true for lists with a map: those in the order of the file.
fn has_map(preview: &Preview, list: ListKind) -> bool {
    match list {
        ListKind::Findings => !preview.is_grouped(),
        ListKind::Records => preview.filter.is_empty(),
        ListKind::Lines => true,
        ListKind::Fixes
        | ListKind::Overview
        | ListKind::Attachments
        | ListKind::Changes
        | ListKind::Compared => false,
    }
}

/// The first byte of the selected item, if known.
fn selected_byte(preview: &Preview) -> Option<u64> {
    let finding = || preview.listed_finding()?.byte_start;
    let record = || Some(preview.rows.get(preview.record_number()? + 1).loaded()?.byte_start);
    let line = || Some(preview.lines.get(preview.line()?).loaded()?.byte_start);
    finding().or_else(record).or_else(line)
}

/// The known values for completing terms of the filter.
fn known(check: &Check, catalogue: &Catalogue) -> Rc<Known> {
    let Some(report) = check.report() else { return Rc::default() };
    let format = catalogue.formats.iter().filter(|format| format.id == report.format.id);
    let names = format.flat_map(|format| &format.names);
    let groups = check.preview.summary.loaded().map(|summary| &summary.groups[..]).unwrap_or_default();
    let mut paths: Vec<String> = groups.iter().filter_map(|group| group.path.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    Rc::new(Known {
        names: names.cloned().collect(),
        rules: report.counts.by_code.keys().cloned().collect(),
        paths,
        overview: check.preview.overview.loaded().map(Rc::clone),
    })
}

fn tab(id: &'static str, name: &'static str, kind: ListKind, shown: ListKind) -> Tab {
    let show = PreviewAction::ShowList(kind).into();
    Tab { id, name, count: String::new(), is_shown: kind == shown, show }
}

/// The id of the tab of a list.
fn tab_id(list: ListKind) -> &'static str {
    match list {
        ListKind::Findings => "tab-findings",
        ListKind::Records => "tab-records",
        ListKind::Lines => "tab-lines",
        ListKind::Fixes => "tab-fixes",
        ListKind::Overview => "tab-overview",
        ListKind::Attachments => "tab-attachments",
        ListKind::Changes => "tab-changes",
        ListKind::Compared => "tab-compared",
    }
}
