//! The findings, one by one or by group.

use std::rc::Rc;

use evalcheck_render::text::{FindingText, finding_text};
use evalcheck_report::{Finding, Severity};
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::findings::FindingSummary;
use yew::prelude::*;

use super::finding_groups;
use crate::components::fixes::{fix_label, fix_rule};
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::list_toolbar::go_on;
use crate::components::search_status;
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::{ListRow, loaded_or};
use crate::display::format_number::{counted, grouped};
use crate::state::{
    About, Action, Check, Direction, Effect, Filter, Grouping, Items, Lookup, Seek, Selection, Shown, State,
    View, ViewId, Wanted,
};

/// The view of the findings.
pub(super) struct FindingsView;

/// The id of the list.
const LIST: &str = "findings";

/// The selected group, from 0.
#[derive(Debug, Clone, Copy, Default)]
struct SelectedGroup(Option<u64>);

impl View for FindingsView {
    fn about(&self) -> About {
        About { id: ViewId::FINDINGS, name: "Findings", help: "Findings" }
    }

    fn applies(&self, _check: &Check) -> bool {
        true
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        let preview = &check.preview;
        let Some(list) = check.finding_list() else { return Vec::new() };
        let total = check.listed_findings();
        let selected = match preview.selection {
            Some(Selection::Finding(number)) => Some(number..=number),
            _ => None,
        };
        let rows = [Some(preview.rows(LIST)), selected].into_iter().flatten();
        let rows = rows.map(|rows| Wanted::Rows { list: list.clone(), rows, total });
        let summary = check.summary_question().filter(|_| check.all_findings() > 0).map(Wanted::from);
        rows.chain(summary).collect()
    }

    fn settle(&self, state: &mut State, effects: &mut Vec<Effect>) {
        state.settle_findings(effects);
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        if !check.is_grouped() {
            return state.select_and_focus(Selection::Finding(row), open, effects);
        }
        let place = usize::try_from(row).unwrap_or(usize::MAX);
        let group = check.finding_summary().and_then(|summary| summary.groups.get(place)).cloned();
        check.preview.chosen.change(|selected| *selected = SelectedGroup(Some(row)));
        match group {
            Some(group) if open => state.open_group(&group.code, group.path.as_deref()),
            // The details show its first finding.
            Some(group) => state.select(Some(Selection::Finding(group.first)), effects),
            None => {}
        }
    }

    fn go_on(&self, state: &mut State, direction: Direction, _effects: &mut Vec<Effect>) {
        if let Some(check) = state.check.as_mut().map(Rc::make_mut) {
            check.preview.seek = Some(Seek::Finding(check.preview.line().unwrap_or(0), Some(direction)));
        }
    }

    fn has_filter(&self, _check: &Check) -> bool {
        true
    }

    /// A list of groups is not in the order of the file.
    fn has_map(&self, check: &Check) -> bool {
        !check.is_grouped()
    }

    fn resumes(&self, _check: &Check) -> bool {
        true
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        draw(shown)
    }
}

/// Lists the findings by group, or one by one.
pub(crate) fn group(by_group: bool) -> Action {
    Action::of_view(move |state, _| {
        if by_group {
            state.show_groups();
        } else if let Some(check) = state.check.as_mut().map(Rc::make_mut) {
            check.preview.findings.grouping = Some(Grouping::Single);
        }
    })
}

/// The toolbar and the list.
fn draw(shown: &Shown<'_>) -> Html {
    let Shown { check, catalogue, frame, dispatch } = *shown;
    let preview = &check.preview;
    let summary = check.finding_summary();
    let listed = check.listed_findings();
    let selected = match preview.selection {
        Some(Selection::Finding(number)) => Some(number),
        _ => None,
    };
    html! {
        <>
            if let Some(summary) = summary {
                { toolbar(check, summary, dispatch) }
            }
            if check.is_unreadable() {
                <p class="list-note" role="status" data-testid="unreadable-note">
                    { "The file was moved, changed or deleted since this check: drop it again." }
                </p>
            }
            if check.is_grouped() {
                { finding_groups::draw(shown, check.preview.chosen.get::<SelectedGroup>().0) }
            } else if listed == 0 || preview.search().is_some_and(|search| search.has_failed()) {
                <p class="empty">{ empty_text(check) }</p>
            } else {
                <List
                    // A list with another filter starts at its top.
                    key={preview.filter.query.to_string()}
                    rows={AnyRows::from(FindingRows {
                        findings: listed_rows(check, listed),
                        file: check.dataset.name.clone(),
                        catalogue: Rc::clone(catalogue),
                    })}
                    cursor={selected}
                    reveals={preview.reveals}
                    frame={frame.clone()}
                    {dispatch}
                />
            }
            if let Some(search) = preview.search().filter(|search| preview.filter.needs_search() && !search.is_done()) {
                { search_status::draw("partial-note", &search, search.status(), dispatch) }
            }
            if check.unlisted_findings() > 0 {
                <p class="list-note" data-testid="list-note">
                    { format!("{} more are counted and cannot be listed: there are too many.", grouped(check.unlisted_findings())) }
                </p>
            }
        </>
    }
}

/// The findings that are listed.
#[derive(Clone, PartialEq)]
enum Findings {
    /// The first ones, while the check runs or if it ended without a report.
    Early(Rc<Vec<Finding>>),
    /// Those that the worker sends.
    Listed(Items<Finding>),
    /// A search has to end before they are known.
    Unknown,
}

fn listed_rows(check: &Check, total: u64) -> Findings {
    match (&check.preview.findings.early, check.finding_list()) {
        (Some(early), _) => Findings::Early(Rc::clone(early)),
        (None, Some(list)) => Findings::Listed(check.preview.answers.items(&list, total)),
        (None, None) => Findings::Unknown,
    }
}

#[derive(Clone, PartialEq)]
struct FindingRows {
    findings: Findings,
    file: AttrValue,
    catalogue: Rc<Catalogue>,
}

impl FindingRows {
    fn get(&self, row: u64) -> Lookup<'_, Finding> {
        match &self.findings {
            Findings::Early(findings) => {
                let finding = usize::try_from(row).ok().and_then(|row| findings.get(row));
                finding.map_or(Lookup::Failed, Lookup::Loaded)
            }
            Findings::Listed(items) => items.get(row),
            Findings::Unknown => Lookup::Loading,
        }
    }
}

impl Rows for FindingRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Findings", testid: "finding-list" }
    }

    fn total(&self) -> u64 {
        match &self.findings {
            Findings::Early(findings) => findings.len() as u64,
            Findings::Listed(items) => items.total(),
            // One that is being loaded.
            Findings::Unknown => 1,
        }
    }

    fn row(&self, row: u64) -> ListRow {
        finding_row(self.get(row), |finding| content(finding, &self.file, &self.catalogue))
    }

    fn byte(&self, row: u64) -> Option<u64> {
        self.get(row).loaded()?.byte_start
    }
}

/// The number of listed findings, the switch between groups and single findings, and the fix of one rule.
fn toolbar(check: &Check, summary: &FindingSummary, dispatch: &Callback<Action>) -> Html {
    let preview = &check.preview;
    let groups = summary.groups.len() as u64;
    let of_rule = preview.filter.rule();
    let is_grouped = check.is_grouped();
    let has_switch = is_grouped || groups > 1 || of_rule.is_some() || preview.findings.grouping.is_some();
    if !has_switch && preview.filter.is_empty() {
        return Html::default();
    }
    let all = counted(check.all_findings(), "finding");
    let counted_findings = match check.kept_findings() {
        Some(kept) if kept != check.all_findings() => format!("{} of {all}", grouped(kept)),
        _ => all,
    };
    let label = if is_grouped { "List" } else { "Groups" };
    html! {
        <div class="filter-bar">
            <span class="muted" role="status" data-testid="finding-count">
                { counted_findings }
                if groups > 1 { { format!(" in {}", counted(groups, "group")) } }
            </span>
            { fix_of_group(&preview.filter, summary, dispatch) }
            if !is_grouped && summary.groups.iter().any(|group| group.severity == Severity::Error) {
                { go_on("error", "", dispatch) }
            }
            if has_switch {
                <button
                    type="button"
                    class="link"
                    data-testid="show-groups"
                    onclick={dispatch.reform(move |_| group(!is_grouped))}
                >
                    { label }
                </button>
            }
        </div>
    }
}

/// The button for the safe fixes of the listed findings, if the filter is one rule, with or without a path.
fn fix_of_group(filter: &Filter, summary: &FindingSummary, dispatch: &Callback<Action>) -> Html {
    let fixes: u64 = summary.groups.iter().map(|group| group.safe_fixes).sum();
    let Some((code, path)) = filter.rule().filter(|_| fixes > 0) else { return Html::default() };
    html! {
        <button type="button" class="change" data-testid="fix-group" onclick={dispatch.reform(move |_| fix_rule(&code, path.as_deref()))}>
            { fix_label(fixes) }
        </button>
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
    match preview.search() {
        _ if check.is_running() => "No findings yet.".to_owned(),
        _ if preview.filter.is_empty() => "No findings.".to_owned(),
        Some(search) if preview.filter.needs_search() && !search.is_done() => String::new(),
        _ => "No findings match the filter.".to_owned(),
    }
}
