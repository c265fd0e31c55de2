//! The differences of the shown file from another version of it.

use std::rc::Rc;

use evalcheck_render::overview::sections::decimal;
use evalcheck_wire::compare::{
    ChangedField, ComparedMeans, ComparedRecord, ComparisonSums, Difference, DifferenceKind, Mean,
};
use evalcheck_wire::question::List as Listed;
use evalcheck_wire::worker::RequestId;
use yew::prelude::*;

use crate::components::chips::Chip;
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::progress::strip;
use crate::components::text;
use crate::components::virtual_list::{ListRow, loaded_or};
use crate::display::format_number::{counted, grouped};
use crate::display::word_diff::{Diff, DiffPart, word_diff};
use crate::state::{
    About, Action, Check, CompareAction, Count, Effect, Items, Remote, Selection, Shown, State, View, ViewId,
    Wanted, percent_of,
};

/// The view of the comparison.
pub(super) struct ComparedView;

/// The id of the list.
const LIST: &str = "compared-records";

/// The user's choices for the comparison with this number.
#[derive(Debug, Clone, Copy, Default)]
struct Choices {
    comparison: Option<RequestId>,
    /// The kind of difference of the listed records; `None` for all.
    kind: Option<DifferenceKind>,
    /// The selected record of the list, from 0.
    selected: Option<u64>,
}

/// The differences, and the number of the comparison.
fn compared(check: &Check) -> Option<(RequestId, &ComparisonSums)> {
    let (comparison, state) = check.preview.comparison()?;
    Some((comparison, state.loaded()?))
}

/// The user's choices for the shown comparison.
fn choices(check: &Check) -> Choices {
    let comparison = check.preview.comparison().map(|(comparison, _)| comparison);
    let chosen = *check.preview.chosen.get::<Choices>();
    if chosen.comparison == comparison { chosen } else { Choices { comparison, ..Choices::default() } }
}

/// The list of the records that differ, and how many it has.
fn listed(check: &Check) -> Option<(Listed, u64)> {
    let (comparison, sums) = compared(check)?;
    let Choices { kind, .. } = choices(check);
    Some((Listed::Differences { comparison, kind }, sums.listed(kind)))
}

impl View for ComparedView {
    fn about(&self) -> About {
        About { id: ViewId::COMPARED, name: "Compared", help: "Comparison with another version" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.preview.comparing().is_some()
    }

    fn count(&self, check: &Check) -> Count {
        compared(check).map(|(_, sums)| sums.count(None)).into()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        let listed = listed(check).filter(|_| check.preview.view == ViewId::COMPARED);
        let rows = listed.map(|(list, total)| Wanted::Rows { list, rows: check.preview.rows(LIST), total });
        rows.into_iter().collect()
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        let chosen = Choices { selected: Some(row), ..choices(check) };
        check.preview.chosen.change(|choices| *choices = chosen);
        let Some((comparing, (list, _))) = check.preview.comparing().zip(listed(check)) else { return };
        let difference = check.preview.answers.item::<Difference>(&list, row).loaded();
        let here = difference.and_then(|difference| {
            let here = if comparing.is_other_newer { &difference.old } else { &difference.new };
            here.as_ref().map(|record| (record.record, record.line))
        });
        match here {
            Some((record, line)) => {
                state.select_and_focus(Selection::Record { record, line: Some(line) }, open, effects);
            }
            // The shown file does not have it.
            None => state.select(None, effects),
        }
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        draw(shown)
    }
}

/// Lists the records with this kind of difference.
pub(crate) fn list(kind: Option<DifferenceKind>) -> Action {
    Action::of_view(move |state, _| {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        let chosen = choices(check);
        if chosen.kind != kind {
            let chosen = Choices { kind, selected: None, ..chosen };
            check.preview.chosen.change(|choices| *choices = chosen);
        }
    })
}

/// The progress of the comparison, or the differences.
fn draw(shown: &Shown<'_>) -> Html {
    let Shown { check, dispatch, .. } = *shown;
    let Some(comparing) = check.preview.comparing() else { return Html::default() };
    let state = check.preview.comparison().map(|(_, state)| state);
    let button = |id: &'static str, label: &'static str, action: CompareAction| {
        let onclick = dispatch.reform(move |_| action.clone().into());
        html! { <button type="button" class="link" data-testid={id} {onclick}>{ label }</button> }
    };
    let age = if comparing.is_other_newer { "newer" } else { "older" };
    html! {
        <>
            <div class="change-bar">
                <span role="status" data-testid="compare-status">{ status(state.as_ref()) }</span>
                <span class="muted">
                    { "Compared with " }
                    <span class="file-name">{ text::inline(&comparing.other.name) }</span>
                    { format!(" as the {age} version") }
                </span>
                if let Some(Remote::Loaded(_)) = &state {
                    { button("swap-versions", "Swap older and newer", CompareAction::Swap) }
                }
                { button("end-comparison", "Close comparison", CompareAction::End) }
            </div>
            { match &state {
                None => strip(0),
                Some(Remote::Waiting(advance)) => strip(percent_of(advance)),
                Some(Remote::Loaded(sums)) => differences(shown, sums),
                Some(Remote::Failed(_) | Remote::Stopped(_)) => Html::default(),
            } }
        </>
    }
}

/// The sums, or the progress.
fn status(state: Option<&Remote<&ComparisonSums>>) -> String {
    match state {
        None => "Comparing, 0 %".to_owned(),
        Some(Remote::Waiting(advance) | Remote::Stopped(advance)) => {
            let what = if advance.pass == 0 { "Comparing" } else { "Comparing records that may differ" };
            format!("{what}, {} %", percent_of(advance))
        }
        Some(Remote::Loaded(sums)) => {
            let ComparisonSums { added, removed, changed, unchanged, rewritten, matched_by, .. } = sums;
            let [added, removed, changed, same] =
                [*added, *removed, *changed, unchanged + rewritten].map(grouped);
            format!(
                "{added} added, {removed} removed, {changed} changed, {same} the same. Matched {matched_by}."
            )
        }
        Some(Remote::Failed(why)) => why.to_string(),
    }
}

/// Notes that the sums do not contain.
fn notes(kind: Option<DifferenceKind>, sums: &ComparisonSums) -> Vec<String> {
    let mut notes: Vec<String> =
        sums.incomplete.iter().map(|why| format!("Not all is compared: {why}.")).collect();
    if sums.rewritten > 0 {
        let records = counted(sums.rewritten, "record");
        notes.push(format!("{records} with the same value, written differently."));
    }
    if sums.header_changed {
        notes.push("The header differs.".to_owned());
    }
    let (all, listed) = (sums.count(kind), sums.listed(kind));
    if listed < all {
        notes.push(format!("The list has {} of {}.", grouped(listed), grouped(all)));
    }
    notes
}

/// The records that differ.
fn differences(shown: &Shown<'_>, sums: &ComparisonSums) -> Html {
    let Shown { check, dispatch, .. } = *shown;
    let Choices { kind: chosen, selected, .. } = choices(check);
    let chip = |id, name, kind: Option<DifferenceKind>| {
        let n = sums.count(kind);
        let chip = Chip { id, name, class: "all", icon: None, n, is_pressed: chosen == kind };
        chip.draw(dispatch.reform(move |_| list(kind)))
    };
    let rows =
        check.preview.comparing().zip(listed(check)).map(|(comparing, (list, total))| DifferenceRows {
            differences: check.preview.answers.items(&list, total),
            is_other_newer: comparing.is_other_newer,
        });
    let rows = rows.filter(|rows| rows.total() > 0);
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
            for note in notes(chosen, sums) {
                <p class="list-note" data-testid="compare-note">{ text::inline(&note) }</p>
            }
            { sums.means.as_ref().map(means) }
            if let Some(rows) = rows {
                // Another list begins at its top.
                <List key={format!("{chosen:?}")} rows={AnyRows::from(rows)} cursor={selected} {dispatch} />
            }
        </>
    }
}

/// The means of a number by groups of records.
fn means(ComparedMeans { heading, groups, others }: &ComparedMeans) -> Html {
    let cell = |mean: Option<Mean>| match mean {
        Some(Mean { count, mean }) => html! {
            <td>{ decimal(mean.get()) }<span class="muted">{ format!(" of {}", grouped(count)) }</span></td>
        },
        None => html! { <td class="muted">{ "none" }</td> },
    };
    html! {
        <div class="compared-means" data-testid="compared-means" tabindex="0" role="region" aria-label={heading.clone()}>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{ text::inline(heading) }</th>
                        <th scope="col">{ "mean before" }</th>
                        <th scope="col">{ "mean after" }</th>
                    </tr>
                </thead>
                <tbody>
                    for group in groups {
                        <tr>
                            <th scope="row">{ text::inline(&group.value) }</th>
                            { cell(group.old) }
                            { cell(group.new) }
                        </tr>
                    }
                </tbody>
            </table>
            if *others > 0 {
                <p class="muted">{ format!("and {} more", counted(*others, "group")) }</p>
            }
        </div>
    }
}

/// The records that differ.
#[derive(Clone, PartialEq)]
struct DifferenceRows {
    differences: Items<Difference>,
    is_other_newer: bool,
}

impl Rows for DifferenceRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Records that differ", testid: "difference-list" }
    }

    fn total(&self) -> u64 {
        self.differences.total()
    }

    fn row(&self, row: u64) -> ListRow {
        let difference = self.differences.get(row);
        ListRow {
            testid: difference.loaded().map(|_| "difference"),
            class: classes!("changed-place"),
            content: loaded_or(difference, "record", |difference| content(difference, self.is_other_newer)),
            ..ListRow::default()
        }
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

/// A field that differs: two numbers or words of JSON, or a text with its differing words marked.
fn changed_field(field: &ChangedField) -> Html {
    let ChangedField { path, old, new } = field;
    let (old, new) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    let change = if is_short(old) && is_short(new) {
        html! { { format!("{old} → {new}") } }
    } else {
        changed_text(old, new)
    };
    html! {
        <>
            if !path.is_empty() {
                <span class="path">{ text::path(path) }</span>
                { " " }
            }
            { change }
        </>
    }
}

/// Whether a value of JSON is whole, and a number, a boolean or null.
fn is_short(value: &str) -> bool {
    let is_of_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    matches!(value, "true" | "false" | "null") || !value.is_empty() && value.bytes().all(is_of_number)
}

fn changed_text(old: &str, new: &str) -> Html {
    let Diff { parts, is_unlike, .. } = word_diff(old, new);
    let is_clipped = |text: &str| text.starts_with('…') || text.ends_with('…');
    html! {
        <>
            for part in parts {
                { match part {
                    DiffPart::Both(part) => text::inline(part),
                    DiffPart::First(part) => html! { <del>{ text::inline(part) }</del> },
                    DiffPart::Second(part) => html! { <ins>{ text::inline(part) }</ins> },
                } }
            }
            if is_unlike && !is_clipped(old) && !is_clipped(new) {
                <span class="muted">{ " (nothing in common)" }</span>
            }
        </>
    }
}
