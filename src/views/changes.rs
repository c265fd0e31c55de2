//! The list of the changes to the file since it was opened, by record.

use std::rc::Rc;

use evalcheck_wire::view::ChangedPlace;
use yew::prelude::*;

use super::fix_review::diff_of;
use super::text;
use super::virtual_list::{ListRow, VirtualList, loaded_or};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, ChangedPlaces, Check, Export, FixAction, Lookup, PreviewAction};

/// The changes, and the buttons for them.
pub(super) fn changes_pane(check: &Check, dispatch: &Callback<Action>) -> Html {
    let changes = &check.preview.changes;
    let Some(total) = changes.total else { return html! { <p class="empty">{ "…" }</p> } };
    let in_archive = check.report().is_some_and(|report| report.file.entry.is_some());
    let button = |id: &'static str, label: &'static str, is_disabled: bool, action: FixAction| {
        html! {
            <button
                type="button"
                class="link"
                data-testid={id}
                disabled={is_disabled}
                onclick={dispatch.reform(move |_| action.clone().into())}
            >
                { label }
            </button>
        }
    };
    html! {
        <>
            <div class="change-bar">
                <span class="muted" role="status" data-testid="change-count">{ counted_places(changes, total) }</span>
                if total > 0 {
                    { button("take-back", "Take back", changes.selected.is_none() || check.is_running(), FixAction::TakeBack) }
                }
                { button("download-changed", "Download fixed dataset", false, FixAction::Download) }
                if !in_archive {
                    { button("download-changes", "Download diff", false, FixAction::Export(Export::Diff)) }
                }
            </div>
            for note in notes(check) {
                <p class="list-note" data-testid="change-note">{ text::inline(&note) }</p>
            }
            if total > 0 {
                <ChangeList {changes} {total} reveals={check.preview.reveals} {dispatch} />
            }
        </>
    }
}

fn counted_places(changes: &ChangedPlaces, total: u64) -> String {
    if changes.facts.is_none() {
        return "What was changed is not known any more.".to_owned();
    }
    format!("{} changed", counted(total, "place"))
}

/// Notes on changes that the list does not contain.
fn notes(check: &Check) -> Vec<String> {
    let changes = &check.preview.changes;
    let Some(facts) = &changes.facts else {
        return vec![
            "The file was checked again by a restarted engine. The diff has all changes.".to_owned(),
        ];
    };
    let steps = check.fixes.as_ref().map_or(0, |fixes| fixes.before.len());
    let mut notes = Vec::new();
    if (facts.steps as usize) < steps {
        notes.push("Only the last changes are listed: those before them are not known any more.".to_owned());
    }
    if facts.is_converted {
        notes.push("The file was written anew as UTF-8. What was changed after that is listed.".to_owned());
    }
    notes.extend(facts.entries.iter().cloned());
    notes
}

#[derive(Properties, PartialEq)]
struct ChangeListProps {
    changes: Rc<ChangedPlaces>,
    total: u64,
    reveals: u32,
    dispatch: Callback<Action>,
}

#[component]
fn ChangeList(props: &ChangeListProps) -> Html {
    let ChangeListProps { changes, total, reveals, dispatch } = props;
    let render = {
        let changes = Rc::clone(changes);
        Callback::from(move |row: u64| change_row(changes.cache.get(row + 1)))
    };
    html! {
        <VirtualList
            id="changes"
            label="Changes"
            testid="change-list"
            rows={*total}
            active={changes.selected}
            {reveals}
            {render}
            on_visible={dispatch.reform(|places| PreviewAction::ChangesVisible(places).into())}
            on_select={dispatch.reform(|(number, open): (u64, bool)| PreviewAction::SelectChange { number, open }.into())}
        />
    }
}

fn change_row(place: Lookup<'_, ChangedPlace>) -> ListRow {
    ListRow {
        testid: place.loaded().map(|_| "change"),
        class: classes!("changed-place"),
        line: place.loaded().and_then(|place| place.line),
        content: loaded_or(place, "change", content),
        ..ListRow::default()
    }
}

fn content(place: &ChangedPlace) -> Html {
    let ChangedPlace { record, line, is_before, is_unsafe, diff } = place;
    let of_record = match record {
        Some(record) => format!("{}ecord {}", if *is_before { "Before r" } else { "R" }, grouped(record + 1)),
        None => "At the end".to_owned(),
    };
    html! {
        <>
            <span class="finding-place">
                <span class="place">
                    { of_record }
                    if let Some(line) = line {
                        { format!(", line {}", grouped(*line)) }
                    }
                </span>
                if *is_unsafe {
                    <span class="change-unsafe">{ "not safe: look at it" }</span>
                }
            </span>
            { diff_of(diff) }
        </>
    }
}
