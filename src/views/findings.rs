//! The list of findings, single or in groups.

use std::rc::Rc;

use evalcheck_render::text::{FindingText, finding_text};
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::findings::FindingSummary;
use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::{Finding, Severity};
use yew::prelude::*;

use super::file_map::MapFrame;
use super::finding_groups::GroupList;
use super::list_toolbar::go_on;
use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList, loaded_or};
use crate::display::format_number::{counted, grouped};
use crate::state::{
    Action, Check, Filter, Findings, FixAction, Lookup, PreviewAction, Selection as Selected,
};

/// The toolbar and the list.
pub(super) fn findings_pane(
    check: &Check,
    catalogue: &Rc<Catalogue>,
    frame: &MapFrame,
    dispatch: &Callback<Action>,
) -> Html {
    let preview = &check.preview;
    let summary = preview.summary.loaded();
    let listed = preview.findings.len();
    html! {
        <>
            if let Some(summary) = summary {
                { toolbar(check, summary, dispatch) }
            }
            if let Some(summary) = summary.filter(|_| preview.is_grouped()) {
                <GroupList {summary} {dispatch} />
            } else if listed == 0 {
                <p class="empty">{ empty_text(check) }</p>
            } else {
                <FindingList
                    // A list with another filter starts at its top.
                    key={preview.filter.query.to_string()}
                    findings={&preview.findings}
                    file={&check.dataset.name}
                    {catalogue}
                    selected={selected(check)}
                    reveals={preview.reveals}
                    {frame}
                    {dispatch}
                />
            }
            if let Some(search) = preview.search.as_ref().filter(|search| preview.filter.needs_search() && !search.is_done()) {
                <p class="list-note" data-testid="partial-note">{ search.status() }</p>
            }
            if preview.unlisted > 0 {
                <p class="list-note" data-testid="list-note">
                    { format!("{} more are counted and cannot be listed: there are too many.", grouped(preview.unlisted)) }
                </p>
            }
        </>
    }
}

/// The number of the selected finding.
fn selected(check: &Check) -> Option<u64> {
    match check.preview.selection {
        Some(Selected::Finding(number)) => Some(number),
        _ => None,
    }
}

/// The number of listed findings, the switch between groups and single findings, and the fix of one rule.
fn toolbar(check: &Check, summary: &FindingSummary, dispatch: &Callback<Action>) -> Html {
    let preview = &check.preview;
    let groups = summary.groups.len() as u64;
    let of_rule = preview.filter.rule();
    if groups < 2 && of_rule.is_none() && preview.filter.is_empty() {
        return Html::default();
    }
    let is_grouped = preview.is_grouped();
    let all = counted(check.all_findings(), "finding");
    let counted_findings = match preview.kept_findings {
        Some(kept) if kept != check.all_findings() => format!("{} of {all}", grouped(kept)),
        _ => all,
    };
    let (label, action) =
        if is_grouped { ("List", PreviewAction::ShowSingle) } else { ("Groups", PreviewAction::ShowGroups) };
    html! {
        <div class="filter-bar">
            <span class="muted" role="status" data-testid="finding-count">
                { counted_findings }
                if groups > 1 { { format!(" in {}", counted(groups, "group")) } }
            </span>
            if let Some(fix) = fix_of_group(&preview.filter, summary) {
                { fix_button(fix, summary, dispatch) }
            }
            if !is_grouped && summary.groups.iter().any(|group| group.severity == Severity::Error) {
                { go_on("error", "", dispatch) }
            }
            if groups > 1 || of_rule.is_some() {
                <button
                    type="button"
                    class="link"
                    data-testid="show-groups"
                    onclick={dispatch.reform(move |_| action.clone().into())}
                >
                    { label }
                </button>
            }
        </div>
    }
}

/// Selects the safe fixes of the listed findings, if the filter is one rule, with or without a path.
fn fix_of_group(filter: &Filter, summary: &FindingSummary) -> Option<Selection> {
    let (code, path) = filter.rule()?;
    let has_fix = summary.groups.iter().any(|group| group.safe_fixes > 0);
    has_fix.then(|| Selection { select: vec![code], path, ..Selection::default() })
}

fn fix_button(selection: Selection, summary: &FindingSummary, dispatch: &Callback<Action>) -> Html {
    let fixes = summary.groups.iter().map(|group| group.safe_fixes).sum();
    let onclick = dispatch.reform(move |_| FixAction::ApplyAll(selection.clone()).into());
    html! {
        <button type="button" class="change" data-testid="fix-group" {onclick}>
            { if fixes == 1 { "Fix it".to_owned() } else { format!("Fix these {}", grouped(fixes)) } }
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct FindingListProps {
    findings: Findings,
    file: AttrValue,
    catalogue: Rc<Catalogue>,
    /// The number of the selected finding, from 0.
    selected: Option<u64>,
    reveals: u32,
    frame: MapFrame,
    dispatch: Callback<Action>,
}

/// The single findings.
#[component]
fn FindingList(props: &FindingListProps) -> Html {
    let FindingListProps { findings, file, catalogue, selected, reveals, frame, dispatch } = props;
    let render = {
        let (findings, file, catalogue) = (findings.clone(), file.clone(), Rc::clone(catalogue));
        Callback::from(move |number: u64| {
            finding_row(findings.get(number), |finding| content(finding, &file, &catalogue))
        })
    };
    let on_select =
        dispatch.reform(|(number, open): (u64, bool)| PreviewAction::SelectFinding { number, open }.into());
    let on_view = {
        let findings = findings.clone();
        frame.follow(findings.len(), move |row| findings.get(row.checked_sub(1)?).loaded()?.byte_start)
    };
    html! {
        <VirtualList
            id="findings"
            label="Findings"
            testid="finding-list"
            rows={findings.len()}
            active={*selected}
            reveals={*reveals}
            {render}
            on_visible={dispatch.reform(|items| PreviewAction::FindingsVisible(items).into())}
            {on_view}
            {on_select}
        />
    }
}

fn finding_row(finding: Lookup<'_, Finding>, content: impl Fn(&Finding) -> Html) -> ListRow {
    let severity = finding.loaded().map(|finding| finding.severity);
    ListRow {
        testid: severity.map(|_| "finding"),
        class: classes!("finding"),
        severity,
        content: loaded_or(finding, "finding", content),
        ..ListRow::default()
    }
}

fn content(finding: &Finding, file: &str, catalogue: &Catalogue) -> Html {
    let FindingText { place, path, message } = finding_text(finding, file);
    let title = finding.path.as_deref().zip(catalogue.title(&finding.code));
    html! {
        <>
            { severity::mark(finding.severity) }
            <span class="finding-text">
                <span class="finding-place">
                    <span class="place">{ place }</span>
                    if let Some((path, title)) = title {
                        <span class="path">{ text::path(path) }</span>{ " " }
                        <span class="finding-title">{ title }</span>
                    } else {
                        <span class="path">{ text::path(&path) }</span>
                    }
                </span>
                <span class="message">{ text::inline(&message) }</span>
            </span>
            <span class="code">{ &finding.code }</span>
        </>
    }
}

fn empty_text(check: &Check) -> String {
    let preview = &check.preview;
    match &preview.search {
        _ if check.is_running() => "No findings yet.".to_owned(),
        _ if preview.filter.is_empty() => "No findings.".to_owned(),
        Some(search) if preview.filter.needs_search() && !search.is_done() => String::new(),
        _ => "No findings match the filter.".to_owned(),
    }
}
