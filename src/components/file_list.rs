//! The list of the files of a batch.

use std::rc::Rc;

use evalcheck_render::text::finding_text;
use evalcheck_report::{Report, Severity, Verdict};
use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::chips::Chip;
use super::fixes;
use super::formats;
use super::icon::Icon;
use super::list_toolbar::name_field;
use super::mistakes::MistakeList;
use super::severity;
use super::tabs::{Tab, tab_list};
use super::text;
use super::virtual_list::{ListRow, VirtualList};
use crate::display::format_number::{bytes, grouped};
use crate::platform::value_of;
use crate::state::{Action, Batch, BatchFile, Column, FileStatus, FixedFile, Totals, is_unknown};

#[derive(Properties, PartialEq)]
pub(crate) struct FileListProps {
    pub(crate) batch: Rc<Batch>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) totals: Totals,
    pub(crate) dispatch: Callback<Action>,
}

/// The filter, the column names and the rows.
#[component]
pub(crate) fn FileList(props: &FileListProps) -> Html {
    let FileListProps { batch, catalogue, totals, dispatch } = props;

    // The indices of the listed files.
    let listed = use_memo(Rc::clone(batch), |batch| batch.listed());
    let active = batch.selected.and_then(|selected| listed.iter().position(|index| *index == selected));
    let active = active.map(|row| row as u64);
    let render = {
        let (batch, listed, catalogue) = (Rc::clone(batch), Rc::clone(&listed), Rc::clone(catalogue));
        Callback::from(move |row: u64| {
            let file = index_of_row(&listed, row).and_then(|index| batch.files.get(index));
            file.map(|file| file_row(file, &catalogue)).unwrap_or_default()
        })
    };
    let on_select = {
        let (listed, dispatch) = (Rc::clone(&listed), dispatch.clone());
        Callback::from(move |(row, open): (u64, bool)| {
            if let Some(index) = index_of_row(&listed, row) {
                dispatch.emit(if open { Action::OpenFile(index) } else { Action::SelectFile(index) });
            }
        })
    };
    html! {
        <section class="pane file-pane" aria-label="Files">
            { tab_list("Lists", "batch-panel", tabs(batch, dispatch)) }
            <div
                class="batch-panel"
                id="batch-panel"
                role="tabpanel"
                aria-labelledby={if batch.shows_mistakes { "tab-mistakes" } else { "tab-files" }}
            >
            if batch.shows_mistakes {
                <MistakeList {batch} {catalogue} {dispatch} />
            } else {
                { filter_buttons(batch, totals, dispatch) }
                { head(batch.order.by, dispatch) }
                if listed.is_empty() {
                    <p class="empty">{ "No files match the filter." }</p>
                } else {
                <VirtualList
                    key={format!("{:?}{:?}", batch.order.status, batch.order.by)}
                    id="files"
                    label="Files"
                    testid="file-list"
                    rows={listed.len() as u64}
                    {active}
                    {render}
                    {on_select}
                    on_opened={dispatch.reform(|()| Action::FocusFront)}
                />
                }
            }
            </div>
        </section>
    }
}

/// The tabs for the files, and for the findings of all files.
fn tabs(batch: &Batch, dispatch: &Callback<Action>) -> [Tab; 2] {
    let tab = |id, name, shows_mistakes: bool| {
        let is_shown = batch.shows_mistakes == shows_mistakes;
        let show = dispatch.reform(move |_| Action::ShowMistakes(shows_mistakes));
        Tab { id, name, count: String::new(), is_shown, show }
    };
    [tab("files", "Files", false), tab("mistakes", "Mistakes", true)]
}

/// The index of the file in a row.
fn index_of_row(listed: &[usize], row: u64) -> Option<usize> {
    usize::try_from(row).ok().and_then(|row| listed.get(row)).copied()
}

fn filter_buttons(batch: &Batch, totals: &Totals, dispatch: &Callback<Action>) -> Html {
    let button = |id, name, class, filter: Option<Verdict>, n| {
        let filter = filter.map(FileStatus::Done);
        let chip = Chip { id, name, class, icon: None, n, is_pressed: batch.order.status == filter };
        chip.draw(dispatch.reform(move |_| Action::FilterFiles(filter)))
    };
    html! {
        <div class="filter-bar">
            <div class="chips" role="group" aria-label="Verdict">
                { button("files-all", "All", "all", None, batch.files.len() as u64) }
                { button("files-invalid", "Not valid", "error", Some(Verdict::Invalid), totals.invalid) }
                { button("files-not-checked", "Not checked", "warning", Some(Verdict::NotChecked), totals.not_checked) }
                { button("files-readable", "No system", "readable", Some(Verdict::Readable), totals.readable) }
                { button("files-valid", "Valid", "valid", Some(Verdict::Valid), totals.valid) }
            </div>
            { name_field("find-files", batch.order.text.clone(), dispatch.reform(|event: InputEvent| Action::FindFiles(value_of(&event).into()))) }
        </div>
    }
}

/// The column names, which are buttons that sort.
fn head(by: Option<(Column, bool)>, dispatch: &Callback<Action>) -> Html {
    let cell = |id: &'static str, name: &'static str, column: Column| {
        let is_amount = matches!(column, Column::Size | Column::Records | Column::Errors | Column::Warnings);
        let (sort, mark) = match by {
            Some((by, is_reversed)) if by == column => {
                if is_reversed {
                    ("descending", "\u{2193}")
                } else {
                    ("ascending", "\u{2191}")
                }
            }
            _ => ("none", ""),
        };
        html! {
            <span role="columnheader" class={is_amount.then_some("amount")} aria-sort={sort}>
                <button
                    type="button"
                    class="quiet"
                    data-testid={format!("sort-{id}")}
                    onclick={dispatch.reform(move |_| Action::SortFiles(column))}
                >
                    { name }
                    if !mark.is_empty() {
                        <span aria-hidden="true">{ mark }</span>
                    }
                </button>
            </span>
        }
    };
    html! {
        <div role="table" aria-label="Columns to sort by">
            <div role="row" class="file-head">
                { cell("status", "Verdict", Column::Status) }
                { cell("name", "File", Column::Path) }
                { cell("format", "Format", Column::Format) }
                { cell("size", "Size", Column::Size) }
                { cell("records", "Records", Column::Records) }
                { cell("errors", "Errors", Column::Errors) }
                { cell("warnings", "Warnings", Column::Warnings) }
            </div>
        </div>
    }
}

fn file_row(file: &BatchFile, catalogue: &Catalogue) -> ListRow {
    let (status, label, mark) = match file.status {
        FileStatus::Waiting => ("waiting", "waiting", Html::default()),
        FileStatus::Checking => ("checking", "checking", Html::default()),
        FileStatus::Done(verdict) => match verdict {
            Verdict::Valid => ("valid", "valid", Icon::Check.draw()),
            Verdict::Invalid => ("invalid", "not valid", Icon::Cross.draw()),
            Verdict::NotChecked => ("not-checked", "not checked", Icon::Unknown.draw()),
            Verdict::Readable => ("readable", "readable", Icon::Sheet.draw()),
            Verdict::Undecided => ("undecided", "undecided", Icon::Unknown.draw()),
        },
    };
    // Files of no known format have a neutral mark.
    let is_unknown = file.report.as_deref().is_some_and(is_unknown);
    let mark = if is_unknown { Icon::Unknown.draw() } else { mark };
    let dataset = &file.dataset;
    let content = html! {
        <>
            <span class="file-mark" title={label}>{ mark }<span class="visually-hidden">{ label }</span></span>
            <span class="file-words">
                <span class="file-path" title={&dataset.path}>
                    <span class="muted">{ text::inline(dataset.folder()) }</span>
                    <span class="file-name">{ text::inline(&dataset.name) }</span>
                </span>
                <span class="file-note">
                    if file.fixed.is_none() && file.written.is_some() {
                        <strong data-testid="fixed">{ "The fixes are on disk only. " }</strong>
                    }
                    if let Some(fixed) = &file.fixed {
                        <strong data-testid="fixed">
                            { format!("{}, {} left", fixes::summary(&fixed.fixes), grouped(file.findings())) }
                            { saved(file, fixed) }
                        </strong>
                    }
                    { note(file) }
                </span>
            </span>
            <span class="file-format" data-cell="format">
                { file.report.as_ref().map(|report| format_of(report, catalogue)) }
            </span>
            <span class="amount" data-cell="size">{ bytes(file.current().size) }</span>
            { amounts(file.report.as_deref()) }
        </>
    };
    ListRow {
        testid: Some("file"),
        class: classes!("file", (!is_unknown).then_some(status)),
        file: Some((AttrValue::from(dataset.path.clone()), status)),
        content,
        ..ListRow::default()
    }
}

/// Describes where the fixes are saved.
fn saved(file: &BatchFile, fixed: &FixedFile) -> &'static str {
    if file.written == Some(fixed.dataset.key) {
        ", written to disk. "
    } else if fixed.is_saved() {
        ". "
    } else {
        ", not saved. "
    }
}

fn format_of(report: &Report, catalogue: &Catalogue) -> String {
    let format = &report.format;
    if format.id.is_empty() { "unknown".to_owned() } else { formats::name(catalogue, format) }
}

/// The most important fact about a file, in one line.
fn note(file: &BatchFile) -> Html {
    if let Some(why) = &file.why {
        return html! { { why } };
    }
    match file.status {
        FileStatus::Waiting => html! { { "waiting" } },
        FileStatus::Checking => html! { { "checking" } },
        FileStatus::Done(_) => match file.first_finding() {
            Some(finding) => html! {
                <>
                    { severity::mark(finding.severity) }
                    { finding_text(finding, &file.dataset.name).to_string() }
                </>
            },
            None if file.fixed.is_some() => Html::default(),
            None => html! { { "no findings" } },
        },
    }
}

fn amounts(report: Option<&Report>) -> Html {
    let counts = report.map(|report| &report.counts);
    let cell = |id: &'static str, name: &'static str, n: Option<u64>, severity: Option<Severity>| {
        let tone = severity.filter(|_| n.is_some_and(|n| n > 0)).map(Severity::as_str);
        html! {
            <span class={classes!("amount", id, tone)} data-cell={id}>
                { n.map(grouped) }
                <span class="visually-hidden">{ name }</span>
            </span>
        }
    };
    html! {
        <>
            { cell("records", " records", counts.map(|counts| counts.records), None) }
            { cell("errors", " errors", counts.map(|counts| counts.errors), Some(Severity::Error)) }
            { cell("warnings", " warnings", counts.map(|counts| counts.warnings), Some(Severity::Warning)) }
        </>
    }
}
