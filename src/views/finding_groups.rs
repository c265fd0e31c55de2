//! Findings in groups of one rule and one path.

use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::findings::{FindingGroup, FindingSummary, STRIP};
use yew::prelude::*;

use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, PreviewAction};

#[derive(Properties, PartialEq)]
pub(crate) struct GroupListProps {
    pub(crate) summary: Rc<FindingSummary>,
    pub(crate) dispatch: Callback<Action>,
}

/// The list. A click or Enter opens a group.
#[component]
pub(crate) fn GroupList(props: &GroupListProps) -> Html {
    let GroupListProps { summary, dispatch } = props;
    let active = use_state(|| None::<u64>);
    let render = {
        let summary = Rc::clone(summary);
        Callback::from(move |row: u64| group(&summary, row).map(group_row).unwrap_or_default())
    };
    let on_select = {
        let (active, dispatch, summary) = (active.setter(), dispatch.clone(), Rc::clone(summary));
        Callback::from(move |(row, opens): (u64, bool)| {
            active.set(Some(row));
            if let Some(FindingGroup { code, path, .. }) = group(&summary, row).filter(|_| opens) {
                dispatch.emit(PreviewAction::OpenGroup { code: code.clone(), path: path.clone() }.into());
            }
        })
    };
    html! {
        <VirtualList
            id="groups"
            label="Groups of findings"
            testid="group-list"
            rows={summary.groups.len() as u64}
            active={*active}
            {render}
            {on_select}
        />
    }
}

fn group(summary: &FindingSummary, row: u64) -> Option<&FindingGroup> {
    summary.groups.get(usize::try_from(row).ok()?)
}

fn group_row(group: &FindingGroup) -> ListRow {
    let content = html! {
        <>
            { severity::mark(group.severity) }
            <span class="finding-text">
                <span class="finding-place"><span class="place">{ &group.summary }</span></span>
                <span class="message">
                    if let Some(path) = &group.path {
                        <span class="path">{ text::path(path) }</span>
                        { " " }
                    }
                    if let Some(message) = &group.message {
                        { text::inline(message) }
                    }
                </span>
            </span>
            <span class="group-counts">
                <span>{ counts(group) }</span>
                { strip(group) }
            </span>
            <span class="code">{ &group.code }</span>
        </>
    };
    ListRow {
        testid: Some("group"),
        class: classes!("finding", "group"),
        severity: Some(group.severity),
        content,
        ..ListRow::default()
    }
}

/// The numbers of findings, records and fixes of a group.
fn counts(group: &FindingGroup) -> String {
    let findings = grouped(group.findings);
    let records = if group.records > 0 && group.records != group.findings {
        format!(" in {}", counted(group.records, "record"))
    } else {
        String::new()
    };
    let fixes = match group.safe_fixes {
        0 => String::new(),
        all if all == group.findings => ", all with a safe fix".to_owned(),
        some => format!(", {} with a safe fix", grouped(some)),
    };
    format!("{findings}{records}{fixes}")
}

/// The positions of the findings in the file.
fn strip(group: &FindingGroup) -> Html {
    let most = group.strip.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return Html::default();
    }
    let mut bars = String::new();
    for (place, findings) in group.strip.iter().enumerate().filter(|(_, findings)| **findings > 0) {
        let height = 2 + findings * 6 / most;
        // Writing to a string cannot fail.
        let _ = write!(bars, "M{place} 8v-{height}h1v{height}z");
    }
    html! {
        <svg class="strip" viewBox={format!("0 0 {STRIP} 8")} preserveAspectRatio="none" aria-hidden="true">
            <path d={bars} />
        </svg>
    }
}
