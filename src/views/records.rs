//! The list of records: their questions and answers, and the columns that the format declares.

use std::rc::Rc;

use evalcheck_wire::view::{Cell, Column, ColumnKind, Row};
use yew::prelude::*;

use super::file_map::MapFrame;
use super::list_toolbar::ListToolbar;
use super::severity;
use super::text;
use super::virtual_list::{ListRow, VirtualList};
use crate::display::format_number::grouped;
use crate::state::{Action, Lookup, PreviewAction, RowCache};

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
    let render = {
        let (rows, columns) = (Rc::clone(rows), Rc::clone(columns));
        Callback::from(move |index: u64| record_row(index, rows.get(index + 1), &columns))
    };
    let on_select = {
        let rows = Rc::clone(rows);
        dispatch.reform(move |(record, open): (u64, bool)| {
            let line = rows.get(record + 1).loaded().map(|row| row.line);
            PreviewAction::SelectRecord { record, line, open }.into()
        })
    };
    let on_view = {
        let rows = Rc::clone(rows);
        frame.follow(rows.total(), move |row| rows.get(row).loaded().map(|row| row.byte_start))
    };
    html! {
        <>
            <ListToolbar total={rows.total()} noun="record" {dispatch} />
            <VirtualList
                id="records"
                label="Records"
                testid="record-list"
                rows={rows.total()}
                active={*selected}
                reveals={*reveals}
                {render}
                on_visible={dispatch.reform(|items| PreviewAction::RowsVisible(items).into())}
                {on_view}
                {on_select}
            />
        </>
    }
}

fn record_row(index: u64, row: Lookup<'_, Row>, columns: &[Column]) -> ListRow {
    let severity = row.loaded().and_then(|row| row.severity);
    let content = html! {
        <>
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
        </>
    };
    ListRow { testid: Some("record"), class: classes!("record-row"), severity, content, ..ListRow::default() }
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
            <span dir="auto">{ cell(value, false) }</span>
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
                    <span class="record-question mono">
                        { text::inline(&beginning.text) }
                        if beginning.clipped { { "…" } }
                    </span>
                }
            </span>
        },
    }
}

/// A text of a row, in an element with `dir="auto"`. An ellipsis replaces the missing beginning or end of a clipped text.
fn cell(Cell { text: shown, clipped }: &Cell, is_end: bool) -> Html {
    html! {
        <>
            if *clipped && is_end { { "…" } }
            { text::line(shown) }
            if *clipped && !is_end { { "…" } }
        </>
    }
}
