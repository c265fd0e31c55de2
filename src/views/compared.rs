//! The comparison of the shown file with another version of it.

use std::rc::Rc;

use evalcheck_wire::compare::{ChangedField, ComparedRecord, ComparisonSums, Difference, DifferenceKind};
use yew::prelude::*;

use super::chips::Chip;
use super::progress::strip;
use super::text;
use super::virtual_list::{ListRow, VirtualList, loaded_or};
use crate::display::format_number::{counted, grouped, percent};
use crate::display::word_diff::{DiffPart, word_diff};
use crate::state::{Action, Check, CompareAction, Comparison, ComparisonPhase, Lookup};

/// The progress of the comparison, or the differences.
pub(super) fn compared_pane(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(comparison) = &check.preview.compared else { return Html::default() };
    let button = |id: &'static str, label: &'static str, action: CompareAction| {
        let onclick = dispatch.reform(move |_| action.clone().into());
        html! { <button type="button" class="link" data-testid={id} {onclick}>{ label }</button> }
    };
    let age = if comparison.is_other_newer { "newer" } else { "older" };
    html! {
        <>
            <div class="change-bar">
                <span role="status" data-testid="compare-status">{ status(&comparison.phase) }</span>
                <span class="muted">
                    { format!("Compared with the {age} version ") }
                    <span class="file-name">{ text::inline(&comparison.other.name) }</span>
                </span>
                if comparison.sums().is_some() {
                    { button("swap-versions", "Swap older and newer", CompareAction::Swap) }
                }
                { button("end-comparison", "Close comparison", CompareAction::End) }
            </div>
            { match &comparison.phase {
                ComparisonPhase::Running { bytes, total_bytes, .. } => strip(percent(*bytes, *total_bytes)),
                ComparisonPhase::Done(sums) => differences(comparison, sums, dispatch),
                ComparisonPhase::Failed(_) => Html::default(),
            } }
        </>
    }
}

/// The sums, or the progress.
fn status(phase: &ComparisonPhase) -> String {
    match phase {
        ComparisonPhase::Running { part, bytes, total_bytes } => {
            let what = if *part == 0 { "Comparing" } else { "Comparing records that may differ" };
            format!("{what}, {} %", percent(*bytes, *total_bytes))
        }
        ComparisonPhase::Done(sums) => {
            let ComparisonSums { added, removed, changed, unchanged, rewritten, matched_by, .. } = &**sums;
            let [added, removed, changed, same] =
                [*added, *removed, *changed, unchanged + rewritten].map(grouped);
            format!("{added} added, {removed} removed, {changed} changed, {same} the same; {matched_by}.")
        }
        ComparisonPhase::Failed(why) => why.to_string(),
    }
}

/// Notes on the comparison, in addition to the sums.
fn notes(comparison: &Comparison, sums: &ComparisonSums) -> Vec<String> {
    let mut notes: Vec<String> =
        sums.incomplete.iter().map(|why| format!("Not all is compared: {why}.")).collect();
    if sums.rewritten > 0 {
        let records = counted(sums.rewritten, "record");
        notes.push(format!("{records} with the same value, written differently."));
    }
    if sums.header_changed {
        notes.push("The header differs.".to_owned());
    }
    let (all, listed) = (sums.count(comparison.kind), sums.listed(comparison.kind));
    if listed < all {
        notes.push(format!("The list has {} of {}.", grouped(listed), grouped(all)));
    }
    notes
}

/// The records that differ.
fn differences(comparison: &Rc<Comparison>, sums: &ComparisonSums, dispatch: &Callback<Action>) -> Html {
    let chip = |id, name, kind: Option<DifferenceKind>| {
        let chip = Chip {
            id,
            name,
            class: "all",
            icon: None,
            n: sums.count(kind),
            is_pressed: comparison.kind == kind,
        };
        chip.draw(dispatch.reform(move |_| CompareAction::List(kind).into()))
    };
    let rows = comparison.cache.total();
    html! {
        <>
            <div class="change-bar">
                <div class="chips" role="group" aria-label="Kind of difference">
                    { chip("differences-all", "All", None) }
                    { chip("differences-changed", "Changed", Some(DifferenceKind::Changed)) }
                    { chip("differences-added", "Added", Some(DifferenceKind::Added)) }
                    { chip("differences-removed", "Removed", Some(DifferenceKind::Removed)) }
                </div>
            </div>
            for note in notes(comparison, sums) {
                <p class="list-note" data-testid="compare-note">{ text::inline(&note) }</p>
            }
            if rows > 0 {
                <DifferenceList {comparison} {rows} {dispatch} />
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct DifferenceListProps {
    comparison: Rc<Comparison>,
    rows: u64,
    dispatch: Callback<Action>,
}

#[component]
fn DifferenceList(props: &DifferenceListProps) -> Html {
    let DifferenceListProps { comparison, rows, dispatch } = props;
    let render = {
        let comparison = Rc::clone(comparison);
        Callback::from(move |row: u64| {
            difference_row(comparison.cache.get(row + 1), comparison.is_other_newer)
        })
    };
    html! {
        <VirtualList
            // Another list starts at its top, and reports its visible rows again.
            key={format!("{} {:?}", comparison.id, comparison.kind)}
            id="compared-records"
            label="Records that differ"
            testid="difference-list"
            rows={*rows}
            active={comparison.selected}
            {render}
            on_visible={dispatch.reform(|rows| CompareAction::Visible(rows).into())}
            on_select={dispatch.reform(|(number, open): (u64, bool)| CompareAction::Select { number, open }.into())}
        />
    }
}

fn difference_row(difference: Lookup<'_, Difference>, is_other_newer: bool) -> ListRow {
    let content = loaded_or(difference, "record", |difference| content(difference, is_other_newer));
    ListRow {
        testid: difference.loaded().map(|_| "difference"),
        class: classes!("changed-place"),
        content,
        ..ListRow::default()
    }
}

fn content(difference: &Difference, is_other_newer: bool) -> Html {
    let Difference { old, new, fields, other_fields } = difference;
    let (kind, class) = match (old, new) {
        (Some(_), Some(_)) => ("Changed", "changed"),
        (None, _) => ("Added", "added"),
        (_, None) => ("Removed", "removed"),
    };
    let (here, there) = if is_other_newer { (old, new) } else { (new, old) };
    let place = |record: &ComparedRecord| {
        format!("record {}, line {}", grouped(record.record + 1), grouped(record.line))
    };
    let places = match (here, there) {
        (Some(here), Some(there)) if here.record != there.record || here.line != there.line => {
            format!("{} ({} in the other version)", place(here), place(there))
        }
        (Some(here), _) => place(here),
        (None, Some(there)) => format!("{} in the other version", place(there)),
        (None, None) => String::new(),
    };
    let record = new.as_ref().or(old.as_ref());
    let id = record.and_then(|record| record.id.as_ref());
    let words = record.filter(|_| fields.is_empty()).map(|record| &record.text);
    html! {
        <>
            <span class="finding-place">
                <strong class={classes!("difference-kind", class)}>{ kind }</strong>
                if let Some(id) = id {
                    <span class="path" dir="auto">{ text::line(id) }</span>
                }
                <span class="muted">{ places }</span>
            </span>
            <span class="fix-diff mono">
                if let Some(words) = words {
                    <span dir="auto">{ text::line(words) }</span>
                }
                for field in fields {
                    <span class="changed-field">{ changed_field(field) }</span>
                }
                if *other_fields > 0 {
                    <span class="muted">{ format!("and {}", counted(*other_fields, "other place")) }</span>
                }
            </span>
        </>
    }
}

/// A field that differs, with its differing words marked.
fn changed_field(field: &ChangedField) -> Html {
    let ChangedField { path, old, new } = field;
    let (old_text, new_text) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    let (parts, _) = word_diff(old_text, new_text);
    html! {
        <>
            if !path.is_empty() {
                <span class="path">{ text::path(path) }</span>
                { " " }
            }
            for part in parts {
                { match part {
                    DiffPart::Both(part) => text::inline(part),
                    DiffPart::First(part) => html! { <del>{ text::inline(part) }</del> },
                    DiffPart::Second(part) => html! { <ins>{ text::inline(part) }</ins> },
                } }
            }
        </>
    }
}
