//! The records of the file, or those that the filter keeps: their questions and answers, and the columns of the format.

use std::rc::Rc;

use evalcheck_report::view::{Column, ColumnKind, Excerpt, Row, TextMarkKind};
use evalcheck_wire::findings::MapPart;
use evalcheck_wire::query::{DataKey, Term, What};
use evalcheck_wire::question::{Answer, List as Listed, Question};
use yew::prelude::*;

use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::list_toolbar::{ListToolbar, choice, go_on};
use crate::components::search_status;
use crate::components::severity;
use crate::components::text;
use crate::components::virtual_list::ListRow;
use crate::display::excerpt::begin_near;
use crate::display::format_number::grouped;
use crate::state::{
    About, Action, Check, Direction, Effect, Focus, Items, Lookup, Search, Selection, Shown, State, View,
    ViewId, Wanted,
};

/// The view of the records.
pub(super) struct RecordsView;

/// The list of all records.
const ALL: Names = Names { id: "records", label: "Records", testid: "record-list" };

/// The list of the records that the filter keeps.
const HITS: Names = Names { id: "hits", label: "Records that match", testid: "hit-list" };

/// The selected match of the search with this number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Match {
    search: Option<u32>,
    /// Its position, from 0; `None` for another record, to which a link led.
    number: Option<u64>,
    /// Its record, which is selected when it is loaded.
    record: Option<u64>,
    /// Whether the details are then shown on a narrow screen.
    opens: bool,
}

impl Match {
    /// The selected match of a search, unless another record was selected since.
    fn of(check: &Check, search: &Search) -> Option<Self> {
        let selected = *check.preview.chosen.get::<Self>();
        let stays = selected.record.is_none() || selected.record == check.preview.record_number();
        (selected.search == Some(search.request) && stays).then_some(selected)
    }
}

/// The question whether the selected record is a match, if that decides which match is selected.
fn position(check: &Check, search: &Search) -> Option<Question> {
    let is_open = is_in_front(check) && search.count() > 0 && Match::of(check, search).is_none();
    let record = check.preview.record_number().filter(|_| is_open)?;
    Some(Question::Position { search: search.request, record })
}

fn is_in_front(check: &Check) -> bool {
    check.preview.view == ViewId::RECORDS && check.has_records()
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
            let (rows, total) = (preview.rows(ALL.id), check.records());
            let rows = Wanted::Rows { list: Listed::Records, rows, total };
            return (preview.view == ViewId::RECORDS).then_some(rows).into_iter().collect();
        };
        let (list, total) = (search.hits(), search.count());
        let visible = (preview.view == ViewId::RECORDS).then(|| preview.rows(HITS.id));
        let selected = Match::of(check, &search).and_then(|selected| selected.number);
        let selected = selected.map(|number| number..=number);
        let rows = visible.into_iter().chain(selected);
        let rows = rows.map(|rows| Wanted::Rows { list: list.clone(), rows, total });
        rows.chain(position(check, &search).map(Wanted::from)).collect()
    }

    /// Selects a match if none is selected, and shows its record when that is loaded.
    fn settle(&self, state: &mut State, effects: &mut Vec<Effect>) {
        let Some(check) = state.check.as_ref().filter(|check| is_in_front(check)) else { return };
        let Some(search) = check.preview.search() else { return };
        if Match::of(check, &search).is_none() {
            select_match(state, &search, effects);
        }
        let Some(check) = &state.check else { return };
        let Some(Match { record: None, number: Some(number), opens, .. }) = Match::of(check, &search) else {
            return;
        };
        let Some(row) = check.preview.answers.item::<Row>(&search.hits(), number).loaded() else { return };
        let (record, line) = (row.record, Some(row.line));
        state.choose(|selected: &mut Match| selected.record = Some(record));
        state.select_and_focus(Selection::Record { record, line }, opens, effects);
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = &state.check else { return };
        if let Some(search) = check.preview.search() {
            let search = Some(search.request);
            let selected = Match { search, number: Some(row), record: None, opens: open };
            return state.choose(|shown| *shown = selected);
        }
        let line = check.preview.answers.item::<Row>(&Listed::Records, row).loaded().map(|row| row.line);
        state.select_and_focus(Selection::Record { record: row, line }, open, effects);
    }

    fn go_on(&self, state: &mut State, direction: Direction, effects: &mut Vec<Effect>) {
        let Some(check) = &state.check else { return };
        let Some(search) = check.preview.search() else {
            return state.seek_invalid(direction, check.preview.record_number());
        };
        let selected = Match::of(check, &search).and_then(|selected| selected.number);
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
        let search = preview.search();
        let (list, total) = match &search {
            Some(search) => (search.hits(), search.count()),
            None => (Listed::Records, check.records()),
        };
        let columns =
            preview.answers.last_page(&list, |answer| Some(answer.try_as_records_ref()?.columns.clone()));
        let rows = AnyRows::from(RecordRows {
            is_of_hits: search.is_some(),
            rows: preview.answers.items(&list, total),
            columns: columns.unwrap_or_default().into(),
        });
        let Some(search) = search else {
            return html! {
                <>
                    <ListToolbar
                        {total}
                        noun="record"
                        on_number={dispatch.reform(go_to)}
                        order={order_field(shown)}
                        {dispatch}
                    />
                    <List
                        {rows}
                        cursor={preview.record_number()}
                        reveals={preview.reveals}
                        frame={shown.frame.clone()}
                        {dispatch}
                    />
                </>
            };
        };
        html! {
            <>
                <div class="list-toolbar">
                    { search_status::draw("search-status", &search, search.status(), dispatch) }
                    { order_field(shown) }
                    if total > 0 {
                        { go_on("match", "", dispatch) }
                    }
                </div>
                if total > 0 {
                    // A list of another search begins at its top.
                    <List
                        key={search.request.to_string()}
                        {rows}
                        cursor={Match::of(check, &search).and_then(|selected| selected.number)}
                        {dispatch}
                    />
                }
            </>
        }
    }
}

/// A field for the order of the records: a term of the filter. Empty if the format has no short names.
fn order_field(shown: &Shown<'_>) -> Html {
    let Shown { check, catalogue, dispatch, .. } = *shown;
    let filter = check.preview.filter.clone();
    let names = check.format(catalogue).map_or(&[][..], |format| &format.names);
    if names.is_empty() {
        return Html::default();
    }
    let by = |name: &str, is_negated| Term { is_negated, what: What::Sort(DataKey::Short(name.to_owned())) };
    let mut orders = vec![(None, "Order of the file".to_owned())];
    for name in names.iter().map(|short| &short.name) {
        orders.push((Some(by(name, false)), format!("{name}, least first")));
        orders.push((Some(by(name, true)), format!("{name}, greatest first")));
    }
    let chosen = filter.order().cloned();
    if !orders.iter().any(|(term, _)| *term == chosen) {
        orders.push((chosen.clone(), "As in the filter".to_owned()));
    }
    let selected = orders.iter().position(|(term, _)| *term == chosen);
    let labels: Vec<String> = orders.iter().map(|(_, label)| label.clone()).collect();
    let choose = dispatch.reform(move |number: usize| {
        let order = orders.get(number).and_then(|(term, _)| term.clone());
        find(filter.sorted_by(order).text)
    });
    html! { <span class="order">{ choice("Sort", "record-order", labels, selected, &choose) }</span> }
}

/// Selects the match that is the selected record. If there is none: the first match of another search, and of the same search nothing else,
/// because a link of the details led to a record.
fn select_match(state: &mut State, search: &Search, effects: &mut Vec<Effect>) {
    let Some(check) = &state.check else { return };
    if check.preview.is_finding_missing() {
        return;
    }
    if search.count() == 0 {
        if search.is_done() && check.preview.selection.is_some() {
            state.select(None, effects);
        }
        return;
    }
    let (record, opens) = (check.preview.record_number(), check.preview.focus == Focus::Details);
    let is_known = check.preview.chosen.get::<Match>().search == Some(search.request);
    let found = match position(check, search) {
        None => None,
        Some(question) if !check.preview.answers.is_settled(&question) => return,
        Some(question) => {
            let answer = state.answers().and_then(|answers| answers.take(&question)).and_then(Result::ok);
            answer.and_then(Answer::try_as_position).flatten()
        }
    };
    let (number, record) = match (found, record) {
        (None, None) => (Some(0), None),
        (None, Some(_)) if !is_known => (Some(0), None),
        (found, record) => (found, record),
    };
    let selected = Match { search: Some(search.request), number, record, opens };
    state.choose(|shown| *shown = selected);
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
    /// Whether they are those that the filter keeps.
    is_of_hits: bool,
    rows: Items<Row>,
    columns: Rc<[Column]>,
}

impl Rows for RecordRows {
    fn names(&self) -> Names {
        if self.is_of_hits { HITS } else { ALL }
    }

    fn total(&self) -> u64 {
        self.rows.total()
    }

    fn row(&self, row: u64) -> ListRow {
        let shown = self.rows.get(row);
        let loaded = shown.loaded();
        // The position of a match is not the number of its record.
        let record = if self.is_of_hits { loaded.map(|row| row.record) } else { Some(row) };
        ListRow {
            testid: Some(if self.is_of_hits { "hit" } else { "record" }),
            class: classes!("record-row"),
            severity: loaded.and_then(|row| row.severity),
            line: loaded.filter(|_| self.is_of_hits).map(|row| row.line),
            content: content(record, shown, &self.columns),
            ..ListRow::default()
        }
    }

    fn byte(&self, row: u64) -> Option<u64> {
        self.rows.get(row).loaded().map(|row| row.byte_start)
    }
}

fn content(record: Option<u64>, row: Lookup<'_, Row>, columns: &[Column]) -> Html {
    html! {
        <>
            <span class="record-head">
                <span class="line-mark">{ row.loaded().and_then(|row| row.severity).map(severity::mark) }</span>
                <span class="number">{ record.map(|record| grouped(record + 1)) }</span>
                if let Lookup::Loaded(row) = row {
                    if let Some(id) = &row.id {
                        <span class="record-id" dir="auto">{ cell(id, text::line) }</span>
                    }
                    if let Some((path, value)) = &row.found {
                        <span class="record-found">
                            <span dir="auto">{ cell(value, text::words) }</span>
                            <span class="path muted">{ " " }{ text::path(path) }</span>
                        </span>
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
    }
}

/// A value of a column, with its heading.
fn column_value(column: &Column, value: &Excerpt) -> Html {
    let class = match column.kind {
        ColumnKind::Text => "record-column text",
        ColumnKind::Count | ColumnKind::First => "record-column",
    };
    html! {
        <span {class}>
            <span class="muted">{ format!("{} ", column.heading) }</span>
            <span dir="auto">{ cell(value, text::words) }</span>
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
                    <span class="record-question" dir="auto">{ cell(question, text::words) }</span>
                }
                if let Some(answer) = &row.answer {
                    <span class="record-arrow" aria-hidden="true">{ "→" }</span>
                    // The end of an answer says more than its beginning, so the styles clip its beginning.
                    <span class={classes!("record-answer", (answer.start == answer.end).then_some("end"))}>
                        <span dir="auto">{ cell(answer, text::words) }</span>
                    </span>
                }
                if let Some(beginning) = &row.text {
                    <span class="record-question mono">{ cell(beginning, text::words) }</span>
                }
            </span>
        },
    }
}

/// A text of a row, in an element with `dir="auto"`: from a little before what a search has found, which is marked.
fn cell(shown: &Excerpt, draw: fn(&str) -> Html) -> Html {
    let Excerpt { text, start, end, clipped_before, clipped_after } = shown;
    let begin = begin_near(text, *start);
    let part = |from: usize, to: usize| draw(text.get(from..to).unwrap_or_default());
    html! {
        <>
            if *clipped_before || begin > 0 { { "…" } }
            { part(begin, *start) }
            if start < end {
                { text::mark(TextMarkKind::Found, part(*start, *end)) }
            }
            { part(*end, text.len()) }
            if *clipped_after { { "…" } }
        </>
    }
}
