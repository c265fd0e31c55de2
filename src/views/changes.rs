//! The list of the changes to the file since it was opened, by record.

use std::rc::Rc;

use evalcheck_report::view::{ChangeFacts, ChangedPlace};
use evalcheck_wire::question::List as Listed;
use yew::prelude::*;

use crate::components::diff::diff_of;
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::text;
use crate::components::virtual_list::{ListRow, loaded_or};
use crate::display::format_number::{counted, grouped};
use crate::state::{
    About, Check, Effect, Export, FixAction, Items, Lookup, Selection, Shown, State, View, ViewId, Wanted,
};

/// The view of the changes of the file since it was opened.
pub(super) struct ChangesView;

/// The selected place of the list, from 0.
#[derive(Debug, Clone, Copy, Default)]
struct Selected(Option<u64>);

/// The id of the list.
const LIST: &str = "changes";

impl View for ChangesView {
    fn about(&self) -> About {
        About { id: ViewId("changes"), name: "Changes", help: "Changes" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.report().is_some() && check.answering() && check.fixes.is_some()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        if !self.applies(check) {
            return Vec::new();
        }
        // The first answer says how many there are.
        let total = check.preview.answers.total(&Listed::Changes).unwrap_or(1);
        vec![Wanted::Rows { list: Listed::Changes, rows: check.preview.rows(LIST), total }]
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.chosen.change(|selected| *selected = Selected(Some(row)));
        let place = check.preview.answers.item::<ChangedPlace>(&Listed::Changes, row).loaded();
        if let Some(ChangedPlace { record: Some(record), line, .. }) = place {
            let selection = Selection::Record { record: *record, line: *line };
            state.select_and_focus(selection, open, effects);
        }
    }

    fn resumes(&self, check: &Check) -> bool {
        self.applies(check)
    }

    fn leave(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        state.choose(|selected| *selected = Selected(None));
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        draw(shown)
    }
}

/// The number of places, once it is known; 0 if they cannot be listed.
fn total(check: &Check) -> Option<u64> {
    let answers = &check.preview.answers;
    answers.total(&Listed::Changes).or_else(|| answers.has_failed(&Listed::Changes).then_some(0))
}

/// Facts about the changes; `None` if the changes are not known.
fn facts(check: &Check) -> Option<&ChangeFacts> {
    check.preview.answers.last_page(&Listed::Changes, |answer| answer.try_as_changes_ref()?.1.as_ref())
}

/// The changes, and the buttons for them.
fn draw(shown: &Shown<'_>) -> Html {
    let Shown { check, dispatch, .. } = *shown;
    let Some(total) = total(check) else { return html! { <p class="empty">{ "…" }</p> } };
    let Selected(selected) = *check.preview.chosen.get();
    let places = check.preview.answers.items(&Listed::Changes, total);
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
                <span class="muted" role="status" data-testid="change-count">{ counted_places(check, total) }</span>
                if total > 0 {
                    { button("take-back", "Take back", selected.is_none() || check.is_running(), FixAction::TakeBack(selected.unwrap_or(0))) }
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
                <List rows={AnyRows::from(ChangeRows(places))} cursor={selected} reveals={check.preview.reveals} {dispatch} />
            }
        </>
    }
}

fn counted_places(check: &Check, total: u64) -> String {
    if facts(check).is_none() {
        return "What was changed is not known any more.".to_owned();
    }
    let places = counted(total, "place");
    match changed_files(check) {
        0 => format!("{places} changed"),
        files if total == 0 => format!("{} changed", counted(files, "file")),
        files => format!("{places} and {} changed", counted(files, "file")),
    }
}

/// The number of files of the ZIP that were added, renamed or left out.
fn changed_files(check: &Check) -> u64 {
    facts(check).map_or(0, |facts| facts.entries.len() as u64)
}

/// Notes on changes that the list does not contain.
fn notes(check: &Check) -> Vec<String> {
    let Some(facts) = facts(check) else {
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

/// The places with changes.
#[derive(Clone, PartialEq)]
struct ChangeRows(Items<ChangedPlace>);

impl Rows for ChangeRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Changes", testid: "change-list" }
    }

    fn total(&self) -> u64 {
        self.0.total()
    }

    fn row(&self, row: u64) -> ListRow {
        change_row(self.0.get(row))
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
                    <span class="change-unsafe">{ "guesses or drops something: check it" }</span>
                }
            </span>
            { diff_of(diff) }
        </>
    }
}
