//! Findings in groups of one rule and one path.

use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::findings::{FindingGroup, FindingSummary, STRIP};
use evalcheck_wire::question::Answer;
use yew::prelude::*;

use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::ListRow;
use crate::display::format_number::{counted, grouped};
use crate::state::Shown;

/// The list.
pub(super) fn draw(shown: &Shown<'_>, cursor: Option<u64>) -> Html {
    let question = shown.check.summary_question();
    let answer = question.and_then(|question| shown.preview().answers.answer_to(&question));
    html! { <List rows={AnyRows::from(GroupRows(answer))} {cursor} dispatch={shown.dispatch} /> }
}

/// The groups of a summary.
#[derive(Clone)]
struct GroupRows(Option<Rc<Answer>>);

impl PartialEq for GroupRows {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl GroupRows {
    fn groups(&self) -> &[FindingGroup] {
        let summary: Option<&FindingSummary> = self.0.as_deref().and_then(Answer::try_as_finding_summary_ref);
        summary.map_or(&[], |summary| &summary.groups)
    }
}

impl Rows for GroupRows {
    fn names(&self) -> Names {
        Names { id: "groups", label: "Groups of findings", testid: "group-list" }
    }

    fn total(&self) -> u64 {
        self.groups().len() as u64
    }

    fn row(&self, row: u64) -> ListRow {
        let group = usize::try_from(row).ok().and_then(|row| self.groups().get(row));
        group.map(group_row).unwrap_or_default()
    }
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
