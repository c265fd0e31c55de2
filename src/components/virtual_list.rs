//! A list of any length that renders only the rows near the visible part.

use std::ops::RangeInclusive;

use evalcheck_report::Severity;
use yew::prelude::*;

use super::text;
use crate::display::scroll_track::{Position, ScrollTrack};
use crate::platform::{Viewport, ViewportObserver, set_height, set_offset};
use crate::state::Lookup;

/// Rows are rendered in blocks of this size, so that a small movement renders nothing.
const BLOCK: u64 = 8;

#[derive(Properties, PartialEq)]
pub(crate) struct VirtualListProps {
    /// Its class, and the prefix of the ids of rows. The styles define the height of a row for the class, as `--row`.
    pub(crate) id: &'static str,
    /// The name of the list for screen readers.
    pub(crate) label: AttrValue,
    #[prop_or_default]
    pub(crate) testid: Option<AttrValue>,
    /// The number of rows.
    pub(crate) rows: u64,
    /// The selected row.
    pub(crate) active: Option<u64>,
    /// A change of this value scrolls the selected row into view; by default, selecting another row does.
    #[prop_or_default]
    pub(crate) reveals: Option<u32>,
    /// Renders a row.
    pub(crate) render: Callback<u64, ListRow>,
    /// Called with the numbers of the rendered rows, from 1.
    #[prop_or_default]
    pub(crate) on_visible: Callback<RangeInclusive<u64>>,
    /// Called with the numbers of the rows in view, from 1, whenever they or this property change.
    #[prop_or_default]
    pub(crate) on_view: Callback<RangeInclusive<u64>>,
    /// Called when the user selects a row; true to open it, as by a click.
    pub(crate) on_select: Callback<(u64, bool)>,
    /// Called after a key has opened a row.
    pub(crate) on_opened: Callback<()>,
}

/// The attributes and the content of a row.
#[derive(Default)]
pub(crate) struct ListRow {
    /// Its test id; `None` until it is loaded, if that matters.
    pub(crate) testid: Option<&'static str>,
    /// Its classes. The class of the severity is added.
    pub(crate) class: Classes,
    /// The worst severity of its subject.
    pub(crate) severity: Option<Severity>,
    /// The line of its subject.
    pub(crate) line: Option<u64>,
    /// The file of its subject: its path and its status.
    pub(crate) file: Option<(AttrValue, &'static str)>,
    pub(crate) content: Html,
}

/// The content of a row, or a placeholder. `noun` names the subject of the row.
pub(crate) fn loaded_or<T>(item: Lookup<'_, T>, noun: &str, content: impl Fn(&T) -> Html) -> Html {
    match item {
        Lookup::Loaded(item) => content(item),
        Lookup::Loading => html! {
            <span class="message waiting"><span class="visually-hidden">{ "Loading" }</span></span>
        },
        Lookup::Failed => {
            html! { <span class="message muted">{ format!("This {noun} can no longer be read.") }</span> }
        }
    }
}

/// The problem of a group of findings, which begins with its path; and the path, if the problem is the summary of the rule.
pub(crate) fn group_place(path: Option<&str>, problem: Option<&str>, summary: &str) -> (Html, Option<Html>) {
    let path = path.map(|path| html! { <span class="path">{ text::path(path) }</span> });
    match problem.filter(|_| path.is_some()) {
        Some(problem) => (html! { <>{ path }{ " " }{ text::inline(problem) }</> }, None),
        None => (html! { { summary } }, path),
    }
}

/// A command in a row, for a pointer. A row is an option, which cannot contain a button: for the keyboard, the command is in the list that
/// opens with the row.
pub(crate) fn row_command(testid: &'static str, label: String, run: Callback<()>) -> Html {
    let onclick = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        run.emit(());
    });
    html! { <span class="row-command change" data-testid={testid} {onclick}>{ label }</span> }
}

/// The list.
pub(crate) struct VirtualList {
    viewport: NodeRef,
    spacer: NodeRef,
    content: NodeRef,
    position: Position,
    rendered: RenderedRows,
    /// The height of the viewport.
    height: f64,
    /// The height of a row.
    row: f64,
    /// Whether the size of the list or the selected row has changed since the last layout.
    layout_pending: bool,
    /// Whether the next layout scrolls to the selected row.
    reveal_pending: bool,
    observer: Option<ViewportObserver>,
}

/// The viewport was scrolled or resized, or the properties have changed.
pub(crate) struct Layout;

/// The rows that are rendered, and the offset of the first one.
#[derive(Clone, Copy, Default, PartialEq)]
struct RenderedRows {
    first: u64,
    end: u64,
    offset: f64,
}

impl Component for VirtualList {
    type Message = Layout;
    type Properties = VirtualListProps;

    fn create(_ctx: &Context<Self>) -> Self {
        Self {
            viewport: NodeRef::default(),
            spacer: NodeRef::default(),
            content: NodeRef::default(),
            position: Position::default(),
            rendered: RenderedRows::default(),
            height: 0.0,
            row: 0.0,
            layout_pending: true,
            reveal_pending: true,
            observer: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &VirtualListProps) -> bool {
        let props = ctx.props();
        let revealed = props.reveals != old.reveals || props.reveals.is_none() && props.active != old.active;
        self.reveal_pending |= revealed;
        self.layout_pending |= revealed || props.rows != old.rows;
        true
    }

    fn update(&mut self, ctx: &Context<Self>, Layout: Layout) -> bool {
        let Some(viewport) = Viewport::of(&self.viewport) else { return false };
        let props = ctx.props();
        self.height = viewport.height();
        let row = std::mem::replace(&mut self.row, viewport.row_height());
        let track = self.track(props);
        self.position = track.follow(self.position, viewport.scroll());
        if let Some(row) = props.active.filter(|_| self.reveal_pending) {
            self.position = track.reveal(self.position, row);
        }
        self.reveal_pending = false;
        if (self.position.scroll - viewport.scroll()).abs() >= 1.0 {
            viewport.set_scroll(self.position.scroll);
            self.position.scroll = viewport.scroll();
        }
        let before = std::mem::replace(&mut self.rendered, rows_near(&track, self.position));
        let RenderedRows { first, end, .. } = self.rendered;
        if first < end && (first, end) != (before.first, before.end) {
            props.on_visible.emit(first + 1..=end);
        }
        #[expect(clippy::float_cmp, reason = "it is the same until the styles say another height")]
        let renders = self.rendered != before || self.row != row;
        if !renders {
            self.tell_view(props);
        }
        renders
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let RenderedRows { first, end, .. } = self.rendered;
        let active = props.active.filter(|row| (first..end).contains(row));
        html! {
            <div
                ref={&self.viewport}
                class={classes!("virtual-list", props.id)}
                role="listbox"
                tabindex="0"
                aria-label={&props.label}
                aria-activedescendant={active.map(|row| row_id(props.id, row))}
                data-testid={&props.testid}
                onscroll={ctx.link().callback(|_: Event| Layout)}
                onkeydown={self.on_key(props)}
            >
                <div ref={&self.spacer} class="virtual-spacer" role="presentation">
                    <div ref={&self.content} class="virtual-rows" role="presentation">
                        for row in first..end.min(props.rows) {
                            { Self::draw(props, row) }
                        }
                    </div>
                </div>
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first_render: bool) {
        if first_render {
            let link = ctx.link().clone();
            self.observer = ViewportObserver::of_node(&self.viewport, move || link.send_message(Layout));
            self.row = Viewport::of(&self.viewport).map_or(0.0, |viewport| viewport.row_height());
        }
        set_height(&self.spacer, self.track(ctx.props()).height());
        set_offset(&self.content, self.rendered.offset);
        self.tell_view(ctx.props());
        if std::mem::take(&mut self.layout_pending) {
            ctx.link().send_message(Layout);
        }
    }
}

impl VirtualList {
    /// The geometry of the list.
    fn track(&self, props: &VirtualListProps) -> ScrollTrack {
        ScrollTrack { rows: props.rows, row: self.row, viewport: self.height }
    }

    /// Renders a row, as an option for screen readers.
    fn draw(props: &VirtualListProps, row: u64) -> Html {
        let ListRow { testid, class, severity, line, file, content } = props.render.emit(row);
        let severity = severity.map(Severity::as_str);
        let (path, status) = file.unzip();
        html! {
            <div
                key={row.to_string()}
                id={row_id(props.id, row)}
                class={classes!("row", class, severity)}
                role="option"
                aria-selected={(props.active == Some(row)).to_string()}
                aria-posinset={(row + 1).to_string()}
                aria-setsize={props.rows.to_string()}
                data-testid={testid}
                data-severity={severity}
                data-line={line.map(|line| line.to_string())}
                data-path={path}
                data-verdict={status}
                onclick={props.on_select.reform(move |_| (row, true))}
            >
                { content }
            </div>
        }
    }

    /// Reports the rows in view.
    fn tell_view(&self, props: &VirtualListProps) {
        let rows = self.track(props).rows_in_view(self.position);
        if !rows.is_empty() {
            props.on_view.emit(rows.start + 1..=rows.end);
        }
    }

    fn on_key(&self, props: &VirtualListProps) -> Callback<KeyboardEvent> {
        let (viewport, track) = (self.viewport.clone(), self.track(props));
        let (active, on_select, on_opened) = (props.active, props.on_select.clone(), props.on_opened.clone());
        Callback::from(move |event: KeyboardEvent| {
            let viewport = Viewport::of(&viewport).map_or(0.0, |viewport| viewport.height());
            let track = ScrollTrack { viewport, ..track };
            if let Some(selected) = row_for_key(&event.key(), active, &track) {
                event.prevent_default();
                on_select.emit(selected);
                if selected.1 {
                    on_opened.emit(());
                }
            }
        })
    }
}

/// The id of the element of a row.
fn row_id(list: &str, row: u64) -> String {
    format!("{list}-{row}")
}

/// The visible rows and one or two blocks on either side.
fn rows_near(track: &ScrollTrack, position: Position) -> RenderedRows {
    let top = track.first_row(position);
    let first = (top / BLOCK).saturating_sub(1) * BLOCK;
    let end = ((top + track.visible_rows()) / BLOCK + 2).saturating_mul(BLOCK).min(track.rows);
    RenderedRows { first, end, offset: track.row_offset(position, first) }
}

/// The row that a key selects, and whether the key opens it.
fn row_for_key(key: &str, active: Option<u64>, track: &ScrollTrack) -> Option<(u64, bool)> {
    let last = track.rows.checked_sub(1)?;
    // Partly visible rows do not count, and one row remains in view.
    let page = track.visible_rows().saturating_sub(3).max(1);
    let row = match (key, active) {
        ("Home", _) | ("ArrowDown" | "PageDown", None) => 0,
        ("End", _) => last,
        ("ArrowDown", Some(row)) => (row + 1).min(last),
        ("ArrowUp", Some(row)) => row.saturating_sub(1),
        ("PageDown", Some(row)) => row.saturating_add(page).min(last),
        ("PageUp", Some(row)) => row.saturating_sub(page),
        ("Enter", Some(row)) => return Some((row, true)),
        _ => return None,
    };
    Some((row, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_the_list() {
        // 11 rows are visible, and two more may be partly visible.
        let track = |rows| ScrollTrack { rows, row: 10.0, viewport: 110.0 };
        assert_eq!(row_for_key("ArrowDown", None, &track(5)), Some((0, false)));
        assert_eq!(row_for_key("ArrowDown", Some(4), &track(5)), Some((4, false)));
        assert_eq!(row_for_key("ArrowUp", Some(0), &track(5)), Some((0, false)));
        assert_eq!(row_for_key("PageDown", Some(2), &track(100)), Some((12, false)));
        assert_eq!(row_for_key("End", Some(2), &track(100)), Some((99, false)));
        assert_eq!(row_for_key("Enter", Some(2), &track(100)), Some((2, true)));
        assert_eq!(row_for_key("Enter", None, &track(100)), None);
        assert_eq!(row_for_key("ArrowDown", None, &track(0)), None);
    }

    #[test]
    fn the_rendered_rows_cover_the_visible_part() {
        let track = ScrollTrack { rows: 1_000, row: 28.0, viewport: 600.0 };
        let position = Position { scroll: 5_000.0, content: 5_000.0 };
        let rendered = rows_near(&track, position);
        assert!(rendered.first <= 178 && rendered.end >= 178 + 23);
        assert!(rendered.end - rendered.first < 60, "and not much more");
    }
}
