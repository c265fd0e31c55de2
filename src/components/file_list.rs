//! The list of several files.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::{Report, Severity, Verdict};
use evalcheck_wire::text::finding_line;
use yew::prelude::*;

use super::formats;
use super::icon::Icon;
use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::state::number::{bytes, grouped};
use crate::state::{Action, Batch, BatchFile, Standing, Totals};

/// Height of a row in CSS pixels; `.file` in the styles has the same.
const ROW: u32 = 54;

/// What the list is called in ids.
const LIST: &str = "files";

#[derive(Properties, PartialEq)]
pub(crate) struct FileListProps {
    pub(crate) batch: Rc<Batch>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) totals: Totals,
    pub(crate) dispatch: Callback<Action>,
}

/// Filters, a head and the rows.
#[component]
pub(crate) fn FileList(props: &FileListProps) -> Html {
    let FileListProps { batch, catalogue, totals, dispatch } = props;

    // The places of the files that are listed.
    let listed = use_memo(Rc::clone(batch), |batch| {
        (0..batch.files.len()).filter(|at| batch.lists(*at)).collect::<Vec<usize>>()
    });
    let active = batch.chosen.and_then(|at| listed.binary_search(&at).ok()).map(|row| row as u64);
    let render = use_callback(
        (Rc::clone(batch), Rc::clone(&listed), Rc::clone(catalogue), dispatch.clone()),
        |row: u64, (batch, listed, catalogue, dispatch)| {
            let at = usize::try_from(row).ok().and_then(|row| listed.get(row)).copied();
            let Some((at, file)) = at.and_then(|at| Some((at, batch.files.get(at)?))) else {
                return Html::default();
            };
            let onclick = dispatch.reform(move |_| Action::OpenFile(at));
            file_row(row, file, catalogue, batch.chosen == Some(at), onclick)
        },
    );
    let choose = use_callback(
        (Rc::clone(&listed), dispatch.clone()),
        |(row, open): (u64, bool), (listed, dispatch)| {
            if let Some(at) = usize::try_from(row).ok().and_then(|row| listed.get(row)).copied() {
                dispatch.emit(if open { Action::OpenFile(at) } else { Action::SelectFile(at) });
            }
        },
    );
    html! {
        <section class="pane file-pane" aria-label="Files">
            { chips(batch, totals, dispatch) }
            <div class="file-head" aria-hidden="true">
                <span />
                <span>{ "File" }</span>
                <span>{ "Format" }</span>
                <span class="amount">{ "Size" }</span>
                <span class="amount">{ "Records" }</span>
                <span class="amount">{ "Errors" }</span>
                <span class="amount">{ "Warnings" }</span>
            </div>
            if listed.is_empty() {
                <p class="empty">{ "No file of this kind." }</p>
            } else {
                <VirtualList
                    key={format!("{:?}", batch.filter)}
                    id={LIST}
                    label="Files"
                    testid="file-list"
                    rows={listed.len() as u64}
                    row_height={ROW}
                    {active}
                    {render}
                    on_choose={choose}
                />
            }
        </section>
    }
}

fn chips(batch: &Batch, totals: &Totals, dispatch: &Callback<Action>) -> Html {
    let chip =
        |id: &'static str, name: &'static str, class: &'static str, filter: Option<Verdict>, n: u64| {
            let filter = filter.map(Standing::Done);
            let pressed = batch.filter == filter;
            html! {
                <button
                    type="button"
                    class={classes!("chip", class)}
                    aria-pressed={pressed.to_string()}
                    disabled={n == 0 && !pressed}
                    data-testid={id}
                    onclick={dispatch.reform(move |_| Action::FilterFiles(filter))}
                >
                    <span>{ name }</span>
                    <span class="number">{ grouped(n) }</span>
                </button>
            }
        };
    html! {
        <div class="filter-bar">
            <div class="chips" role="group" aria-label="Verdict">
                { chip("files-all", "All", "all", None, batch.files.len() as u64) }
                { chip("files-invalid", "Not valid", "error", Some(Verdict::Invalid), totals.invalid) }
                { chip("files-not-checked", "Not checked", "warning", Some(Verdict::NotChecked), totals.not_checked) }
                { chip("files-valid", "Valid", "valid", Some(Verdict::Valid), totals.valid) }
            </div>
        </div>
    }
}

fn file_row(
    row: u64,
    file: &BatchFile,
    catalogue: &Catalogue,
    selected: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let (word, spoken, mark) = match file.standing {
        Standing::Waiting => ("waiting", "waiting", Html::default()),
        Standing::Checking => ("checking", "being checked", Html::default()),
        Standing::Done(verdict) => match verdict {
            Verdict::Valid => ("valid", "valid", Icon::Check.draw()),
            Verdict::Invalid => ("invalid", "not valid", Icon::Cross.draw()),
            Verdict::NotChecked => ("not-checked", "not checked", Icon::Unknown.draw()),
        },
    };
    let dataset = &file.dataset;
    html! {
        <div
            key={row.to_string()}
            id={row_id(LIST, row)}
            class={classes!("row", "file", word)}
            role="option"
            aria-selected={selected.to_string()}
            data-testid="file"
            data-path={&dataset.path}
            data-verdict={word}
            {onclick}
        >
            <span class="file-mark" title={spoken}>{ mark }<span class="visually-hidden">{ spoken }</span></span>
            <span class="file-words">
                <span class="file-path" title={&dataset.path}>
                    <span class="muted">{ text::inline(dataset.folder()) }</span>
                    <span class="file-name">{ text::inline(&dataset.name) }</span>
                </span>
                <span class="file-note">{ note(file) }</span>
            </span>
            <span class="file-format" data-cell="format">
                { file.report.as_ref().map(|report| format_of(report, catalogue)) }
            </span>
            <span class="amount" data-cell="size">{ bytes(dataset.size) }</span>
            { amounts(file.report.as_deref()) }
        </div>
    }
}

fn format_of(report: &Report, catalogue: &Catalogue) -> String {
    let format = &report.format;
    if format.id.is_empty() {
        "not recognised".to_owned()
    } else {
        formats::name(catalogue, &format.id, &format.version)
    }
}

/// What is most worth knowing of a file, in one line.
fn note(file: &BatchFile) -> Html {
    if let Some(why) = &file.why {
        return html! { { why } };
    }
    match file.standing {
        Standing::Waiting => html! { { "waiting" } },
        Standing::Checking => html! { { "checking" } },
        Standing::Done(_) => match file.first_finding() {
            Some(finding) => html! {
                <>
                    { severity::mark(finding.severity) }
                    { finding_line(finding, &file.dataset.name) }
                </>
            },
            None => html! { { "nothing to report" } },
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
