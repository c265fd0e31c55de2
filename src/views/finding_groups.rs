//! Findings in groups of one rule and one path.

use std::fmt::Write;
use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::findings::{FindingGroup, FindingSummary, STRIP};
use evalcheck_wire::question::Answer;
use yew::prelude::*;

use crate::components::fixes::{fix_label, fix_rule, with_fixes};
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::{ListRow, group_place, row_command};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Shown};

/// The list.
pub(super) fn draw(shown: &Shown<'_>, cursor: Option<u64>) -> Html {
    let question = shown.check.summary_question();
    let rows = GroupRows {
        answer: question.and_then(|question| shown.preview().answers.answer_to(&question)),
        is_whole: shown.preview().filter.is_empty(),
        catalogue: Rc::clone(shown.catalogue),
        dispatch: shown.dispatch.clone(),
    };
    html! { <List rows={AnyRows::from(rows)} {cursor} dispatch={shown.dispatch} /> }
}

/// The groups of a summary.
#[derive(Clone)]
struct GroupRows {
    answer: Option<Rc<Answer>>,
    /// Whether the groups contain all findings.
    is_whole: bool,
    catalogue: Rc<Catalogue>,
    dispatch: Callback<Action>,
}

impl PartialEq for GroupRows {
    fn eq(&self, other: &Self) -> bool {
        self.is_whole == other.is_whole
            && match (&self.answer, &other.answer) {
                (Some(one), Some(other)) => Rc::ptr_eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            }
    }
}

impl GroupRows {
    fn groups(&self) -> &[FindingGroup] {
        let summary: Option<&FindingSummary> =
            self.answer.as_deref().and_then(Answer::try_as_finding_summary_ref);
        summary.map_or(&[], |summary| &summary.groups)
    }

    /// The problem of a group, as the end of a sentence that begins with the path.
    fn problem(&self, group: &FindingGroup) -> Option<String> {
        let brief = group.brief.as_ref();
        match (brief, &group.message) {
            (Some(brief), Some(_)) => Some(brief.clone()),
            (Some(brief), None) if self.is_whole => Some(format!("{brief}, and others")),
            _ => self.catalogue.title(&group.code).map(str::to_owned),
        }
    }

    /// A command that applies the safe fixes of a group, if they can be told from those of other groups.
    fn fix(&self, group: &FindingGroup) -> Html {
        let of_rule = self.groups().iter().filter(|other| other.code == group.code);
        let is_distinct = self.is_whole && (group.path.is_some() || of_rule.count() == 1);
        if group.safe_fixes == 0 || !is_distinct {
            return Html::default();
        }
        let (code, path) = (group.code.clone(), group.path.clone());
        let fix = self.dispatch.reform(move |()| fix_rule(&code, path.as_deref()));
        row_command("fix-these", fix_label(group.safe_fixes), fix)
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
        group.map(|group| self.group_row(group)).unwrap_or_default()
    }
}

impl GroupRows {
    fn group_row(&self, group: &FindingGroup) -> ListRow {
        let (place, path) =
            group_place(group.path.as_deref(), self.problem(group).as_deref(), &group.summary);
        let content = html! {
            <>
                { severity::mark(group.severity) }
                <span class="finding-text">
                    <span class="finding-place"><span class="place">{ place }</span></span>
                    if group.brief.is_none() || path.is_some() {
                        <span class="message">
                            { path }
                            { " " }
                            { group.message.as_ref().map(|message| text::inline(message)) }
                        </span>
                    }
                </span>
                <span class="group-counts">
                    <span>{ counts(group) }</span>
                    { strip(group) }
                </span>
                <span class="code">{ &group.code }</span>
                { self.fix(group) }
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
}

/// The numbers of findings, records and fixes of a group.
fn counts(group: &FindingGroup) -> String {
    let FindingGroup { findings, records, safe_fixes, unsafe_fixes, .. } = *group;
    let counts = match records {
        0 => counted(findings, "finding"),
        _ if records == findings => counted(records, "record"),
        _ => format!("{} in {}", grouped(findings), counted(records, "record")),
    };
    counts + &with_fixes(findings, safe_fixes, unsafe_fixes)
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
