//! Findings by groups of one rule and one path.

use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::findings::{FindingGroup, FindingSummary, STRIP};
use yew::prelude::*;

use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, PreviewAction};

/// Height of a row in CSS pixels; `.group` in the styles has the same.
const ROW: u32 = 78;

/// The prefix of the ids of rows.
const LIST: &str = "groups";

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
    let open = use_callback((Rc::clone(summary), dispatch.clone()), |row: u64, (summary, dispatch)| {
        if let Some(FindingGroup { code, path, .. }) = group(summary, row) {
            dispatch.emit(PreviewAction::OpenGroup { code: code.clone(), path: path.clone() }.into());
        }
    });
    let render =
        use_callback((Rc::clone(summary), *active, open.clone()), |row: u64, (summary, active, open)| {
            let Some(group) = group(summary, row) else { return Html::default() };
            let of = summary.groups.len();
            group_row(row, of, group, *active == Some(row), open.reform(move |_| row))
        });
    let select = {
        let (active, open) = (active.setter(), open.clone());
        Callback::from(move |(row, opens): (u64, bool)| {
            active.set(Some(row));
            if opens {
                open.emit(row);
            }
        })
    };
    html! {
        <VirtualList
            id={LIST}
            label="Groups of findings"
            testid="group-list"
            rows={summary.groups.len() as u64}
            row_height={ROW}
            active={*active}
            {render}
            on_select={select}
        />
    }
}

fn group(summary: &FindingSummary, row: u64) -> Option<&FindingGroup> {
    summary.groups.get(usize::try_from(row).ok()?)
}

fn group_row(row: u64, of: usize, group: &FindingGroup, active: bool, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <div
            key={row.to_string()}
            id={row_id(LIST, row)}
            class={classes!("row", "finding", "group", group.severity.as_str())}
            role="option"
            aria-selected={active.to_string()}
            aria-posinset={(row + 1).to_string()}
            aria-setsize={of.to_string()}
            data-testid="group"
            data-code={group.code.clone()}
            {onclick}
        >
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
        </div>
    }
}

/// How many findings there are, in how many records, and how many can be fixed.
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

/// Where in the file the findings are.
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
