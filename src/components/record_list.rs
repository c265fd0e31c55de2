//! The list of records: what each asks and answers, and the columns that the format declares.

use std::rc::Rc;

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::{Cell, Column, ColumnKind, Row};
use yew::prelude::*;

use super::file_map::MapFrame;
use super::list_toolbar::ListToolbar;
use super::severity;
use super::text;
use super::virtual_list::{VirtualList, row_id};
use crate::display::format_number::grouped;
use crate::state::{Action, Lookup, PreviewAction, RowCache};

/// Height of a row in CSS pixels; `.record-row` in the styles has the same.
const ROW: u32 = 54;

/// The prefix of the ids of rows.
const LIST: &str = "records";

#[derive(Properties, PartialEq)]
pub(crate) struct RecordsPaneProps {
    pub(crate) rows: Rc<RowCache>,
    pub(crate) columns: Rc<Vec<Column>>,
    /// The selected record, from 0.
    pub(crate) selected: Option<u64>,
    pub(crate) reveals: u32,
    pub(crate) frame: MapFrame,
    pub(crate) dispatch: Callback<Action>,
}

/// The list.
#[component]
pub(crate) fn RecordsPane(props: &RecordsPaneProps) -> Html {
    let RecordsPaneProps { rows, columns, selected, reveals, frame, dispatch } = props;
    let render = use_callback(
        (Rc::clone(rows), Rc::clone(columns), *selected, dispatch.clone()),
        |index: u64, (rows, columns, selected, dispatch)| {
            let row = rows.get(index + 1);
            let line = row.loaded().map(|row| row.line);
            let onclick = dispatch
                .reform(move |_| PreviewAction::SelectRecord { record: index, line, open: true }.into());
            record_row(index, row, columns, rows.total(), *selected == Some(index), onclick)
        },
    );
    let select =
        use_callback((Rc::clone(rows), dispatch.clone()), |(index, open): (u64, bool), (rows, dispatch)| {
            let line = rows.get(index + 1).loaded().map(|row| row.line);
            dispatch.emit(PreviewAction::SelectRecord { record: index, line, open }.into());
        });
    let on_visible = use_callback(dispatch.clone(), |items, dispatch| {
        dispatch.emit(PreviewAction::RowsVisible(items).into());
    });
    let on_view = use_callback((Rc::clone(rows), frame.clone()), |shown, (rows, frame)| {
        let byte_of = |row| rows.get(row).loaded().map(|row| row.byte_start);
        frame.show(shown, rows.total(), byte_of);
    });
    html! {
        <>
            <ListToolbar total={rows.total()} noun="record" {dispatch} />
            <VirtualList
                id={LIST}
                label="Records"
                testid="record-list"
                rows={rows.total()}
                row_height={ROW}
                active={*selected}
                reveals={*reveals}
                {render}
                {on_visible}
                {on_view}
                on_select={select}
            />
        </>
    }
}

fn record_row(
    index: u64,
    row: Lookup<'_, Row>,
    columns: &[Column],
    total: u64,
    selected: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let severity = row.loaded().and_then(|row| row.severity);
    html! {
        <div
            key={index.to_string()}
            id={row_id(LIST, index)}
            class={classes!("row", "record-row", severity.map(Severity::as_str))}
            role="option"
            aria-selected={selected.to_string()}
            data-testid="record"
            aria-posinset={(index + 1).to_string()}
            aria-setsize={total.to_string()}
            data-record={index.to_string()}
            data-severity={severity.map(Severity::as_str)}
            {onclick}
        >
            <span class="record-head">
                <span class="line-mark">{ severity.map(severity::mark) }</span>
                <span class="number">{ grouped(index + 1) }</span>
                if let Lookup::Loaded(row) = row {
                    if let Some(id) = &row.id {
                        <span class="record-id" dir="auto">{ cell(id, false) }</span>
                    }
                    for (column, value) in columns.iter().zip(&row.columns) {
                        if let Some(value) = value {
                            { column_value(column, value) }
                        }
                    }
                }
            </span>
            { row_text(row) }
        </div>
    }
}

/// A value of a column, with its heading.
fn column_value(column: &Column, value: &Cell) -> Html {
    let class = match column.kind {
        ColumnKind::Text => "record-column text",
        ColumnKind::Count | ColumnKind::Number | ColumnKind::Boolean => "record-column",
    };
    html! {
        <span {class}>
            <span class="muted">{ format!("{} ", column.heading) }</span>
            { cell(value, false) }
        </span>
    }
}

/// The question and the answer, or the beginning of a record that has neither.
fn row_text(row: Lookup<'_, Row>) -> Html {
    match row {
        Lookup::Loading => html! { <span class="record-words waiting" /> },
        Lookup::Failed => {
            html! { <span class="record-words muted">{ "This record can no longer be read." }</span> }
        }
        Lookup::Loaded(row) => html! {
            <span class="record-words">
                if let Some(question) = &row.question {
                    <span class="record-question" dir="auto">{ cell(question, false) }</span>
                }
                if let Some(answer) = &row.answer {
                    <span class="record-answer" dir="auto">
                        <span class="muted" aria-hidden="true">{ "→ " }</span>
                        { cell(answer, true) }
                    </span>
                }
                if let Some(beginning) = &row.text {
                    <span class="record-question mono">{ cell(beginning, false) }</span>
                }
            </span>
        },
    }
}

/// A text of a row; of a clipped one either its beginning or its end is missing.
fn cell(Cell { text: shown, clipped }: &Cell, is_end: bool) -> Html {
    html! {
        <>
            if *clipped && is_end { { "…" } }
            { text::inline(shown) }
            if *clipped && !is_end { { "…" } }
        </>
    }
}
