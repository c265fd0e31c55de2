//! A list of rows with a cursor: all lists whose rows come from the worker.

use std::any::Any;
use std::ops::RangeInclusive;
use std::rc::Rc;

use yew::prelude::*;

use super::virtual_list::{ListRow, VirtualList};
use crate::map_frame::MapFrame;
use crate::state::{Action, PreviewAction};

/// The names of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    /// Its id: the class of the list, and the prefix of the ids of rows. The styles give the class the height of a row, as `--row`.
    pub(crate) id: &'static str,
    /// Its name for screen readers.
    pub(crate) label: &'static str,
    /// Its name for tests.
    pub(crate) testid: &'static str,
}

/// The rows of a list.
pub(crate) trait Rows: Same {
    /// The names of the list.
    fn names(&self) -> Names;

    /// How many rows there are.
    fn total(&self) -> u64;

    /// Draws a row, from 0.
    fn row(&self, row: u64) -> ListRow;

    /// Where in the file a row begins, if it is loaded: for lists beside the map.
    fn byte(&self, _row: u64) -> Option<u64> {
        None
    }
}

/// Comparison of rows of any list.
pub(crate) trait Same: Any {
    /// Whether the other ones are of the same list and equal.
    fn is_same(&self, other: &dyn Any) -> bool;

    /// The rows themselves.
    fn as_any(&self) -> &dyn Any;
}

impl<T: PartialEq + 'static> Same for T {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The rows of a list, as a property of a component.
#[derive(Clone)]
pub(crate) struct AnyRows(Rc<dyn Rows>);

impl PartialEq for AnyRows {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other.0.as_any())
    }
}

impl<R: Rows> From<R> for AnyRows {
    fn from(rows: R) -> Self {
        Self(Rc::new(rows))
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ListProps {
    pub(crate) rows: AnyRows,
    /// The selected row, from 0.
    pub(crate) cursor: Option<u64>,
    /// The selected row is scrolled into view when this changes; by default, when another row is selected.
    #[prop_or_default]
    pub(crate) reveals: Option<u32>,
    /// Follows the visible rows on the map.
    #[prop_or_default]
    pub(crate) frame: Option<MapFrame>,
    pub(crate) dispatch: Callback<Action>,
}

/// The list. It says which rows are visible, and which one the user selects.
#[component]
pub(crate) fn List(props: &ListProps) -> Html {
    let ListProps { rows: AnyRows(rows), cursor, reveals, frame, dispatch } = props;
    let Names { id, label, testid } = rows.names();
    let render = {
        let rows = Rc::clone(rows);
        Callback::from(move |row: u64| rows.row(row))
    };
    let on_visible = dispatch.reform(move |numbers: RangeInclusive<u64>| {
        let rows = numbers.start() - 1..=numbers.end() - 1;
        PreviewAction::RowsVisible { list: id, rows }.into()
    });
    let on_view = frame.as_ref().map_or_else(Callback::noop, |frame| {
        let rows = Rc::clone(rows);
        frame.follow(rows.total(), move |number| rows.byte(number.checked_sub(1)?))
    });
    html! {
        <VirtualList
            // Another list begins at its top.
            key={id}
            {id}
            {label}
            {testid}
            rows={rows.total()}
            active={*cursor}
            reveals={*reveals}
            {render}
            {on_visible}
            {on_view}
            on_select={dispatch.reform(|(row, open): (u64, bool)| PreviewAction::SelectRow { row, open }.into())}
            on_opened={dispatch.reform(|()| Action::FocusFront)}
        />
    }
}
