//! The records of the file, or those that the filter keeps: their questions and answers, and the columns of the format.

use std::rc::Rc;

use evalcheck_report::view::{Cell, Column, ColumnKind, Hit, Row};
use evalcheck_wire::findings::MapPart;
use evalcheck_wire::question::List as Listed;
use yew::prelude::*;

use super::hits;
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::list_toolbar::ListToolbar;
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::ListRow;
use crate::display::format_number::grouped;
use crate::state::{
    About, Action, Check, Direction, Effect, Focus, Items, Lookup, Search, Selection, Shown, State, View,
    ViewId, Wanted,
};

/// The view of the records.
pub(super) struct RecordsView;

/// The id of the list of all records.
const LIST: &str = "records";

/// The selected match, from 0, of the search with this number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Match {
    search: Option<u32>,
    number: u64,
    /// Its record is selected when it is loaded; true to show the details on a narrow screen.
    opens: Option<bool>,
}

impl Match {
    /// The selected match of a search.
    fn of(check: &Check, search: &Search) -> Option<Self> {
        Some(*check.preview.chosen.get::<Self>()).filter(|selected| selected.search == Some(search.request))
    }
}

impl View for RecordsView {
    fn about(&self) -> About {
        About { id: ViewId::RECORDS, name: "Records", help: "Records" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.has_records()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        let preview = &check.preview;
        let Some(search) = preview.search() else {
            let (rows, total) = (preview.rows(LIST), check.records());
            let rows = Wanted::Rows { list: Listed::Records, rows, total };
            return (preview.view == ViewId::RECORDS).then_some(rows).into_iter().collect();
        };
        let (list, total) = (search.hits(), search.count());
        let visible = (preview.view == ViewId::RECORDS).then(|| preview.rows(hits::LIST));
        let selected = Match::of(check, &search).map(|selected| selected.number..=selected.number);
        let rows = visible.into_iter().chain(selected);
        rows.map(|rows| Wanted::Rows { list: list.clone(), rows, total }).collect()
    }

    /// Shows the record of the selected match when it is loaded.
    fn settle(&self, state: &mut State, effects: &mut Vec<Effect>) {
        let Some(check) = &state.check else { return };
        let Some(search) = check.preview.search() else { return };
        let Some(Match { number, opens: Some(opens), .. }) = Match::of(check, &search) else { return };
        let Some(hit) = check.preview.answers.item::<Hit>(&search.hits(), number).loaded() else { return };
        let selection = Selection::Record { record: hit.record, line: Some(hit.line) };
        state.choose(|selected: &mut Match| selected.opens = None);
        state.select_and_focus(selection, opens, effects);
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        if let Some(search) = check.preview.search() {
            let selected = Match { search: Some(search.request), number: row, opens: Some(open) };
            return check.preview.chosen.change(|shown| *shown = selected);
        }
        let line = check.preview.answers.item::<Row>(&Listed::Records, row).loaded().map(|row| row.line);
        state.select_and_focus(Selection::Record { record: row, line }, open, effects);
    }

    fn go_on(&self, state: &mut State, direction: Direction, effects: &mut Vec<Effect>) {
        let Some(check) = &state.check else { return };
        let Some(search) = check.preview.search() else {
            return state.seek_invalid(direction, check.preview.record_number());
        };
        let selected = Match::of(check, &search).map(|selected| selected.number);
        let number = match (direction, selected) {
            (Direction::Next, None) => Some(0),
            (Direction::Next, Some(number)) => Some(number + 1),
            (Direction::Previous, None) => search.count().checked_sub(1),
            (Direction::Previous, Some(number)) => number.checked_sub(1),
        };
        let open = check.preview.focus == Focus::Details;
        if let Some(number) = number.filter(|number| *number < search.count()) {
            self.select(state, number, open, effects);
        }
    }

    fn has_filter(&self, _check: &Check) -> bool {
        true
    }

    fn has_map(&self, check: &Check) -> bool {
        check.preview.filter.is_empty()
    }

    fn of_map(&self, part: &MapPart) -> Selection {
        match part.record {
            Some(record) => Selection::Record { record, line: part.line },
            None => Selection::Finding(part.first),
        }
    }

    fn resumes(&self, check: &Check) -> bool {
        self.applies(check)
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        let (check, dispatch, preview) = (shown.check, shown.dispatch, shown.preview());
        if let Some(search) = preview.search() {
            let cursor = Match::of(check, &search).map(|selected| selected.number);
            return hits::draw(shown, &search, cursor);
        }
        let columns = preview
            .answers
            .last_page(&Listed::Records, |answer| Some(answer.try_as_records_ref()?.columns.clone()));
        let rows = RecordRows {
            rows: preview.answers.items(&Listed::Records, check.records()),
            columns: columns.unwrap_or_default().into(),
        };
        html! {
            <>
                <ListToolbar total={check.records()} noun="record" on_number={dispatch.reform(go_to)} {dispatch} />
                <List
                    rows={AnyRows::from(rows)}
                    cursor={preview.record_number()}
                    reveals={preview.reveals}
                    frame={shown.frame.clone()}
                    {dispatch}
                />
            </>
        }
    }
}

/// Shows the records, and selects one of them by its number, from 1; the last one if there are fewer.
pub(crate) fn go_to(number: u64) -> Action {
    Action::of_view(move |state, effects| {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.view = ViewId::RECORDS;
        let record = number.min(check.records()).saturating_sub(1);
        state.select(Some(Selection::Record { record, line: None }), effects);
    })
}

/// Lists the records that a query finds.
pub(crate) fn find(query: AttrValue) -> Action {
    Action::of_view(move |state, _| {
        if let Some(check) = state.check.as_mut() {
            Rc::make_mut(check).preview.view = ViewId::RECORDS;
        }
        state.filter_by_text(query);
    })
}

/// The records.
#[derive(Clone, PartialEq)]
struct RecordRows {
    rows: Items<Row>,
    columns: Rc<[Column]>,
}

impl Rows for RecordRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Records", testid: "record-list" }
    }

    fn total(&self) -> u64 {
        self.rows.total()
    }

    fn row(&self, row: u64) -> ListRow {
        record_row(row, self.rows.get(row), &self.columns)
    }

    fn byte(&self, row: u64) -> Option<u64> {
        self.rows.get(row).loaded().map(|row| row.byte_start)
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
