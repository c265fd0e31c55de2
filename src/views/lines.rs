//! The lines of the file.

use std::rc::Rc;

use evalcheck_report::view::Line;
use evalcheck_wire::findings::MapPart;
use evalcheck_wire::question::List as Listed;
use yew::prelude::*;

use crate::components::line_text::line_text;
use crate::components::list::{AnyRows, List, Names, Rows};
use crate::components::list_toolbar::ListToolbar;
use crate::components::search_status;
use crate::components::severity;
use crate::components::virtual_list::ListRow;
use crate::display::format_number::grouped;
use crate::state::{
    About, Action, Check, Direction, Effect, Items, Lookup, Search, Selection, Shown, State, View, ViewId,
    Wanted,
};

/// The view of the lines.
pub(super) struct LinesView;

/// The id of the list.
const LIST: &str = "lines";

impl View for LinesView {
    fn about(&self) -> About {
        About { id: ViewId::LINES, name: "Lines", help: "Lines" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.has_lines()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        if check.preview.view != ViewId::LINES {
            return Vec::new();
        }
        let (rows, total) = (check.preview.rows(LIST), check.lines());
        let lines = Wanted::Rows { list: Listed::Lines, rows: rows.clone(), total };
        let search = check.preview.search().filter(Search::has_all_hits);
        let matches =
            search.map(|search| Wanted::Rows { list: Listed::Matches(search.request), rows, total });
        [lines].into_iter().chain(matches).collect()
    }

    fn select(&self, state: &mut State, row: u64, open: bool, effects: &mut Vec<Effect>) {
        state.select_and_focus(Selection::Line(row + 1), open, effects);
    }

    fn go_on(&self, state: &mut State, direction: Direction, _effects: &mut Vec<Effect>) {
        state.seek_invalid(direction, None);
    }

    /// Lines are filtered by their records.
    fn has_filter(&self, check: &Check) -> bool {
        check.has_records()
    }

    fn has_map(&self, _check: &Check) -> bool {
        true
    }

    fn of_map(&self, part: &MapPart) -> Selection {
        part.line.map_or(Selection::Finding(part.first), Selection::Line)
    }

    fn resumes(&self, check: &Check) -> bool {
        self.applies(check)
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        let (check, dispatch, preview) = (shown.check, shown.dispatch, shown.preview());
        let (total, search) = (check.lines(), preview.search());
        let matches =
            search.as_ref().map(|search| preview.answers.items(&Listed::Matches(search.request), total));
        let rows = LineRows {
            lines: preview.answers.items(&Listed::Lines, total),
            matches,
            dims_others: search.as_ref().is_some_and(Search::is_done),
        };
        html! {
            <>
                <ListToolbar
                    {total}
                    noun="line"
                    kind={if search.is_some() { "match" } else { "invalid" }}
                    on_number={dispatch.reform(go_to)}
                    {dispatch}
                />
                if let Some(search) = &search {
                    { search_status::draw("line-matches", search, search.status_of_lines(), dispatch) }
                }
                <List
                    rows={AnyRows::from(rows)}
                    cursor={preview.line().and_then(|line| line.checked_sub(1))}
                    reveals={preview.reveals}
                    frame={shown.frame.clone()}
                    {dispatch}
                />
            </>
        }
    }
}

/// Shows the lines, and selects one of them; the last one if there are fewer.
pub(crate) fn go_to(line: u64) -> Action {
    Action::of_view(move |state, effects| {
        let Some(check) = state.check.as_mut().map(Rc::make_mut) else { return };
        check.preview.view = ViewId::LINES;
        let line = line.clamp(1, check.lines().max(1));
        state.select(Some(Selection::Line(line)), effects);
    })
}

/// The lines.
#[derive(Clone, PartialEq)]
struct LineRows {
    lines: Items<Line>,
    /// Whether each line belongs to a record that the filter keeps.
    matches: Option<Items<bool>>,
    /// Whether lines that do not are known: the file was searched to its end.
    dims_others: bool,
}

impl Rows for LineRows {
    fn names(&self) -> Names {
        Names { id: LIST, label: "Lines", testid: "line-list" }
    }

    fn total(&self) -> u64 {
        self.lines.total()
    }

    fn row(&self, row: u64) -> ListRow {
        let matches = self.matches.as_ref().and_then(|matches| matches.get(row).loaded().copied());
        line_row(row + 1, self.lines.get(row), matches.filter(|matches| *matches || self.dims_others))
    }

    fn byte(&self, row: u64) -> Option<u64> {
        self.lines.get(row).loaded().map(|line| line.byte_start)
    }
}

fn line_row(number: u64, line: Lookup<'_, Line>, matches: Option<bool>) -> ListRow {
    let severity = line.loaded().and_then(|line| line.severity);
    let content = html! {
        <>
            <span class="line-mark">{ severity.map(severity::mark) }</span>
            <span class="number">{ grouped(number) }</span>
            if matches == Some(true) {
                <span class="visually-hidden">{ "matches " }</span>
            }
            { line_text(line) }
        </>
    };
    ListRow {
        testid: Some("line"),
        class: classes!("line", matches.map(|matches| if matches { "match" } else { "dimmed" })),
        severity,
        line: Some(number),
        content,
        ..ListRow::default()
    }
}
