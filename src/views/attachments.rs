//! The files of the archive: the list, and the details of one of them.

use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentOrder, AttachmentQuery, AttachmentRow, AttachmentSummary,
};
use evalcheck_wire::fix::Selection;
use evalcheck_wire::query::keys::attachment_rules;
use evalcheck_wire::report::Severity;
use evalcheck_wire::view::AttachmentInfo;
use yew::prelude::*;

use super::attachment::attachment_card;
use super::fixes::fixable;
use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList, loaded_or};
use crate::display::format_number::{bytes, counted, duration, grouped};
use crate::platform::value_of;
use crate::state::{Action, Check, FixAction, Lookup, PreviewAction};

/// The orders to choose from: their labels, and whether they are reversed.
const ORDERS: [(&str, AttachmentOrder, bool); 7] = [
    ("Archive order", AttachmentOrder::Archive, false),
    ("Name", AttachmentOrder::Path, false),
    ("Type", AttachmentOrder::Type, false),
    ("Largest first", AttachmentOrder::Size, true),
    ("Smallest first", AttachmentOrder::Size, false),
    ("Most records first", AttachmentOrder::Records, true),
    ("Fewest records first", AttachmentOrder::Records, false),
];

/// The list, and its filter and order.
pub(super) fn files_pane(check: &Check, dispatch: &Callback<Action>) -> Html {
    let files = &check.preview.files;
    let Some(summary) = &files.summary else { return Html::default() };
    let render = {
        let files = files.clone();
        Callback::from(move |number: u64| file_row(files.cache.get(number + 1)))
    };
    html! {
        <>
            <div class="list-toolbar">
                { filter_field(&files.query, summary, dispatch) }
                { order_field(&files.query, dispatch) }
            </div>
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
            <VirtualList
                key={format!("{:?}", files.query)}
                id="archive-files"
                label="Attachments"
                testid="attachment-list"
                rows={files.cache.total()}
                active={check.preview.file_number()}
                {render}
                on_visible={dispatch.reform(|files| PreviewAction::FilesVisible(files).into())}
                on_select={dispatch.reform(|(number, open)| PreviewAction::SelectFile { number, open }.into())}
            />
        </>
    }
}

/// Selects the fixes that remove files to which no record refers.
fn removal() -> Selection {
    let select = attachment_rules("unused").iter().map(|code| (*code).to_owned()).collect();
    Selection { not_safe: true, select, ..Selection::default() }
}

/// The number of files to which no record refers, and a button that removes them.
fn unused_note(check: &Check, unused: u64, dispatch: &Callback<Action>) -> Html {
    let has_errors = check.report().is_some_and(|report| report.counts.errors > 0);
    html! {
        <p class="list-note" data-testid="unused-files">
            { format!("{}. ", counted(unused, "unused file")) }
            if fixable(check, &removal()) > 0 {
                <button
                    type="button"
                    class="link change"
                    data-testid="remove-unused"
                    onclick={dispatch.reform(|_| FixAction::ApplyAll(removal()).into())}
                >
                    { "Remove unused" }
                </button>
            } else if has_errors {
                { "Unused files can be removed when no record has errors: a record that is corrected may reference one." }
            }
        </p>
    }
}

/// The field for the filter.
fn filter_field(query: &AttachmentQuery, summary: &AttachmentSummary, dispatch: &Callback<Action>) -> Html {
    let mut filters = vec![
        (AttachmentFilter::All, "All files".to_owned(), summary.files + summary.missing),
        (AttachmentFilter::Missing, "Missing".to_owned(), summary.missing),
        (AttachmentFilter::Unused, "Unused".to_owned(), summary.unused),
        (AttachmentFilter::Repeated, "Same checksum".to_owned(), summary.repeated),
    ];
    filters.extend(summary.types.iter().map(|of_type| {
        (AttachmentFilter::Type(of_type.media_type.clone()), of_type.description.clone(), of_type.files)
    }));
    filters.retain(|(filter, _, files)| *files > 0 || *filter == query.filter);
    let selected = filters.iter().position(|(filter, ..)| *filter == query.filter);
    let labels = filters.iter().map(|(_, name, files)| format!("{name} ({})", grouped(*files)));
    let labels: Vec<String> = labels.collect();
    let query = query.clone();
    let choose = dispatch.reform(move |number: usize| {
        let filter = filters.get(number).map(|(filter, ..)| filter.clone()).unwrap_or_default();
        PreviewAction::ListFiles(AttachmentQuery { filter, ..query.clone() }).into()
    });
    choice("Show", "attachment-filter", labels, selected, &choose)
}

/// The field for the order.
fn order_field(query: &AttachmentQuery, dispatch: &Callback<Action>) -> Html {
    let is_shown = |(_, order, is_descending): &(&str, AttachmentOrder, bool)| {
        *order == query.order && *is_descending == query.is_descending
    };
    let selected = ORDERS.iter().position(is_shown);
    let filter = query.filter.clone();
    let choose = dispatch.reform(move |number: usize| {
        let (_, order, is_descending) = ORDERS.get(number).copied().unwrap_or_default();
        PreviewAction::ListFiles(AttachmentQuery { filter: filter.clone(), order, is_descending }).into()
    });
    choice("Sort", "attachment-order", ORDERS.map(|(label, ..)| label.to_owned()), selected, &choose)
}

/// A field with options. Passes the number of the chosen option to `choose`.
fn choice(
    label: &'static str,
    testid: &'static str,
    options: impl IntoIterator<Item = String>,
    selected: Option<usize>,
    choose: &Callback<usize>,
) -> Html {
    let onchange = choose.reform(|event: Event| value_of(&event).parse().unwrap_or_default());
    html! {
        <label class="field">
            <span>{ label }</span>
            <select data-testid={testid} {onchange}>
                for (number, name) in options.into_iter().enumerate() {
                    <option value={number.to_string()} selected={selected == Some(number)}>{ name }</option>
                }
            </select>
        </label>
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
pub(super) fn file_detail(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(row) = check.preview.selected_file() else {
        return html! { <p class="empty">{ "Select a file to see what it is." }</p> };
    };
    let info = row.entry.clone().map(|entry| AttachmentInfo { entry, size: row.size });
    let view =
        check.preview.attachments.iter().find(|view| Some(view.entry.as_str()) == row.entry.as_deref());
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
    let show = PreviewAction::SelectRecord { record, line: None, open: true };
    html! {
        <button type="button" class="link" onclick={dispatch.reform(move |_| show.clone().into())}>
            { format!("Record {}", grouped(record + 1)) }
        </button>
    }
}
