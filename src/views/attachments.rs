//! The files of the archive: the list, and the details of the selected file.

use std::rc::Rc;

use evalcheck_report::Severity;
use evalcheck_report::view::AttachmentInfo;
use evalcheck_wire::attachments::{AttachmentQuery, AttachmentRow, AttachmentSummary};
use evalcheck_wire::fix::Selection as FixSelection;
use evalcheck_wire::query::keys::attachment_rules;
use evalcheck_wire::question::List as Listed;
use yew::prelude::*;

use super::attachment_fields;
use super::records::find;
use crate::components::attachment::attachment_card;
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::{ListRow, loaded_or};
use crate::display::format_number::{bytes, counted, duration, grouped};
use crate::state::{
    AUTO_LOADED_BYTES, About, Action, Check, Count, Effect, FixAction, Items, Lookup, PreviewAction,
    Selection, Shown, State, View, ViewId, Wanted,
};

/// The view of the files of the archive.
pub(super) struct AttachmentsView;

/// The id of the list.
const LIST: &str = "archive-files";

/// The listed files, and the summary of all files, once it is known.
#[derive(Debug, Clone, Default)]
struct Choices {
    query: AttachmentQuery,
    summary: Option<Rc<AttachmentSummary>>,
}

fn choices(check: &Check) -> Rc<Choices> {
    check.preview.chosen.get()
}

fn file_list(check: &Check) -> Listed {
    Listed::Files(choices(check).query.clone())
}

fn is_archive(check: &Check) -> bool {
    check.report().is_some_and(|report| report.file.entry.is_some())
}

/// The number of the selected file, from 0.
fn selected(check: &Check) -> Option<u64> {
    match check.preview.selection {
        Some(Selection::File(number)) => Some(number),
        _ => None,
    }
}

/// The selected file, if it is loaded.
fn selected_file(check: &Check) -> Option<&AttachmentRow> {
    check.preview.answers.item(&file_list(check), selected(check)?).loaded()
}

impl View for AttachmentsView {
    fn about(&self) -> About {
        About { id: ViewId("attachments"), name: "Attachments", help: "Attachments" }
    }

    fn applies(&self, check: &Check) -> bool {
        is_archive(check) && check.answering() && !matches!(self.count(check), Count::Of(0))
    }

    fn count(&self, check: &Check) -> Count {
        let choices = choices(check);
        Count::Of(choices.summary.as_ref().map_or(0, |summary| summary.files + summary.missing))
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        if !is_archive(check) {
            return Vec::new();
        }
        let list = file_list(check);
        // The first answer says how many there are.
        let total = check.preview.answers.total(&list).unwrap_or(1);
        let selected = selected(check).map(|number| number..=number);
        let rows = [Some(check.preview.rows(LIST)), selected].into_iter().flatten();
        rows.map(|rows| Wanted::Rows { list: list.clone(), rows, total }).collect()
    }

    /// Notes the summary, and loads the selected file unless it is large.
    fn settle(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_ref().filter(|check| is_archive(check)) else { return };
        let known = choices(check);
        let summary = check
            .preview
            .answers
            .last_page(&file_list(check), |answer| Some(&answer.try_as_files_ref()?.summary));
        let summary = summary.filter(|summary| known.summary.as_deref() != Some(*summary)).cloned();
        let file = selected_file(check).filter(|file| file.size <= AUTO_LOADED_BYTES);
        let entry = file.and_then(|file| file.entry.clone());
        let is_shown = |entry: &String| {
            check.preview.details.attachments.iter().any(|view| view.entry == entry.as_str())
        };
        let entry = entry.filter(|entry| !is_shown(entry));
        if summary.is_none() && entry.is_none() {
            return;
        }
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        if let Some(summary) = summary {
            check.preview.chosen.change(|choices: &mut Choices| choices.summary = Some(Rc::new(summary)));
        }
        if let Some(entry) = entry {
            check.preview.details.show_attachment(entry.into());
        }
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        state.select_and_focus(Selection::File(row), open, effects);
    }

    /// Whether there are files becomes known later.
    fn resumes(&self, check: &Check) -> bool {
        is_archive(check)
    }

    /// The last one of those that exist, if that is known.
    fn added(&self, check: &Check) -> Option<Selection> {
        let choices = choices(check);
        let summary = choices.summary.as_ref().filter(|_| choices.query == AttachmentQuery::default())?;
        Some(Selection::File(summary.files))
    }

    fn leave(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        state.choose(|choices: &mut Choices| choices.summary = None);
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        draw(shown)
    }

    fn draw_details(&self, shown: &Shown<'_>) -> Option<Html> {
        selected(shown.check).map(|_| draw_file(shown.check, shown.dispatch))
    }
}

/// Lists these files, in this order.
pub(crate) fn list(query: AttachmentQuery) -> Action {
    Action::of_view(move |state, effects| {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.chosen.change(|choices: &mut Choices| choices.query = query);
        // The selected one may not be in the list.
        if selected(check).is_some() {
            state.select(None, effects);
        }
    })
}

/// The list, and the fields for its filter and its order.
fn draw(shown: &Shown<'_>) -> Html {
    let Shown { check, dispatch, .. } = *shown;
    let choices = choices(check);
    let (query, Some(summary)) = (&choices.query, &choices.summary) else { return Html::default() };
    let total = check.preview.answers.total(&file_list(check)).unwrap_or(1);
    html! {
        <>
            { attachment_fields::draw(query, summary, &dispatch.reform(list)) }
            if summary.unused > 0 {
                { unused_note(check, summary.unused, dispatch) }
            }
            if !summary.is_complete {
                <p class="list-note">{ "Not all of the dataset was read. A file may have more references." }</p>
            }
            if summary.unlisted > 0 {
                <p class="list-note">
                    { format!("{} refer to missing files that are not listed, because there are too many.", counted(summary.unlisted, "record")) }
                </p>
            }
            if total == 0 {
                <p class="empty">{ "No files match." }</p>
            } else {
                <List
                    key={format!("{query:?}")}
                    rows={AnyRows::from(FileRows(check.preview.answers.items(&file_list(check), total)))}
                    cursor={selected(check)}
                    {dispatch}
                />
            }
        </>
    }
}

/// The files.
#[derive(Clone, PartialEq)]
struct FileRows(Items<AttachmentRow>);

impl Rows for FileRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Attachments", testid: "attachment-list" }
    }

    fn total(&self) -> u64 {
        self.0.total()
    }

    fn row(&self, row: u64) -> ListRow {
        file_row(self.0.get(row))
    }
}

/// Selects the fixes that remove files to which no record refers.
fn removal() -> FixSelection {
    let select = attachment_rules("unused").iter().map(|code| (*code).to_owned()).collect();
    FixSelection { not_safe: true, select, ..FixSelection::default() }
}

/// The number of files to which no record refers, a button that removes them, and the reason why some are kept.
fn unused_note(check: &Check, unused: u64, dispatch: &Callback<Action>) -> Html {
    let removable = check.fixable(&removal());
    let kept = unused.saturating_sub(removable);
    let invalid = check.report().map_or(0, |report| report.counts.invalid);
    html! {
        <p class="list-note" data-testid="unused-files">
            { format!("{}. ", counted(unused, "unused file")) }
            if removable > 0 {
                <button
                    type="button"
                    class="link change"
                    data-testid="remove-unused"
                    onclick={dispatch.reform(|_| FixAction::ApplyAll(removal()).into())}
                >
                    { if kept > 0 { format!("Remove {}", grouped(removable)) } else { "Remove unused".to_owned() } }
                </button>
            }
            if kept > 0 && invalid > 0 {
                { format!(" Kept for now: {} that a record with errors may mean. ", grouped(kept)) }
                <button
                    type="button"
                    class="link"
                    data-testid="show-invalid"
                    onclick={dispatch.reform(|_| find("is:invalid".into()))}
                >
                    { "Show the records with errors" }
                </button>
            }
        </p>
    }
}

fn file_row(row: Lookup<'_, AttachmentRow>) -> ListRow {
    let severity = row.loaded().and_then(severity_of);
    let content = loaded_or(row, "file", |row| {
        let (folder, name) = row.path.rsplit_once('/').unwrap_or(("", &row.path));
        html! {
            <>
                <span class="record-head">
                    <span class="line-mark">{ severity.map(severity::mark) }</span>
                    <span class="record-id" dir="auto">{ text::line(name) }</span>
                    <span class="record-column text muted" dir="auto">{ text::line(folder) }</span>
                </span>
                <span class="record-words"><span class="record-answer">{ facts(row) }</span></span>
            </>
        }
    });
    ListRow {
        testid: Some("attachment-row"),
        class: classes!("record-row"),
        severity,
        content,
        ..ListRow::default()
    }
}

/// The worst severity of the findings about a file.
fn severity_of(row: &AttachmentRow) -> Option<Severity> {
    if row.entry.is_none() { Some(Severity::Error) } else { row.is_unused.then_some(Severity::Warning) }
}

/// The known facts about a file, on one line.
fn facts(row: &AttachmentRow) -> String {
    let mut facts = Vec::new();
    if row.entry.is_none() {
        facts.push("missing".to_owned());
    } else {
        facts.extend((!row.description.is_empty()).then(|| row.description.clone()));
        facts.extend(row.pixels.map(|(width, height)| format!("{width} × {height}")));
        facts.extend(row.milliseconds.map(|ms| duration(ms.into())));
        facts.push(bytes(row.size));
    }
    if row.is_unused {
        facts.push("unused".to_owned());
    } else if row.records > 0 {
        facts.push(counted(row.records, "record"));
    }
    facts.extend(row.repeats.as_ref().map(|_| "same checksum".to_owned()));
    facts.join(", ")
}

/// The selected file, and the records that refer to it.
fn draw_file(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(row) = selected_file(check) else {
        return html! { <p class="empty">{ "Select a file to see what it is." }</p> };
    };
    let info = row.entry.clone().map(|entry| AttachmentInfo { entry, size: row.size });
    let view = check
        .preview
        .details
        .attachments
        .iter()
        .find(|view| Some(view.entry.as_str()) == row.entry.as_deref());
    let records = row.first_records.iter().map(|record| record_link(*record, dispatch));
    let others = row.records.saturating_sub(row.first_records.len() as u64);
    html! {
        <section class="archive-file" key={row.path.clone()} data-testid="attachment-detail">
            { attachment_card(&row.path, info.as_ref(), (row.nearest.as_deref(), row.added_as.as_deref()), view, dispatch) }
            if row.records > 0 {
                <p data-testid="referenced-by">
                    { format!("Referenced by {}: ", counted(row.records, "record")) }
                    { for records }
                    if others > 0 { { format!(" and {}", counted(others, "other")) } }
                </p>
            }
            if row.wrong > 0 {
                <p>{ format!("{} with a path that has to be corrected, see the findings.", counted(row.wrong, "record")) }</p>
            }
            if row.is_unused {
                <p>{ "No record references this file." }</p>
            }
            if let Some((others, path)) = &row.repeats {
                <p>
                    { "The same checksum and size as " }
                    <span class="path">{ text::inline(path) }</span>
                    if *others > 1 { { format!(" and {}", counted(others - 1, "other file")) } }
                    { ". The contents were not compared." }
                </p>
            }
        </section>
    }
}

fn record_link(record: u64, dispatch: &Callback<Action>) -> Html {
    let selection = Selection::Record { record, line: None };
    html! {
        <button type="button" class="link" onclick={dispatch.reform(move |_| PreviewAction::Select { selection, open: true }.into())}>
            { format!("Record {}", grouped(record + 1)) }
        </button>
    }
}
