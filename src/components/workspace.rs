//! The views with their filter, and the details of the selection.

use std::rc::Rc;

use evalcheck_report::order::Order as _;
use evalcheck_report::view::{Line, Row};
use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::question::{List, Question};
use yew::prelude::*;

use super::detail::detail;
use super::divider::divider;
use super::file_map::FileMap;
use super::filter_field::FilterField;
use super::icon::Icon;
use super::menu::menu_of;
use super::tabs::{Tab, tab_list};
use crate::display::completion::Known;
use crate::display::format_number::grouped;
use crate::map_frame::MapFrame;
use crate::state::{Action, Check, Count, Focus, Preview, PreviewAction, Shown, State, View, ViewId};

/// The number of views that have a tab. The others are in a menu, unless they are in front.
const TABS: usize = 5;

/// Of these, the number that always has room beside the tab of another view in front.
const TABS_IF_NARROW: usize = 2;

/// Lists on the left, details on the right; one of them on a narrow screen.
pub(super) fn workspace(state: &State, check: &Check, frame: &MapFrame, dispatch: &Callback<Action>) -> Html {
    let shown = Shown { check, catalogue: &state.catalogue, frame, dispatch };
    let preview = &check.preview;
    let Some(front) = state.views.front(check) else { return Html::default() };
    let id = front.about().id;
    let whole = state.look.split.is_whole.then_some("whole");
    let (class, focus) = match preview.focus {
        _ if front.is_undivided() => (Some("undivided"), "list"),
        Focus::List => (whole, "list"),
        Focus::Details => (whole, "details"),
    };
    let summary = check.summary_question().and_then(|question| preview.answers.answer_to(&question));
    let summary = summary.filter(|_| front.has_map(check));
    html! {
        <div class={classes!("workspace", class)} data-focus={focus}>
            <section class="pane list-pane" aria-label="Lists">
                { tabs(state, check, id, dispatch) }
                if check.report().is_some() && front.has_filter(check) {
                    <FilterField
                        filter={&preview.filter}
                        known={known(check, &state.catalogue)}
                        is_searching={preview.search().is_some_and(|search| search.is_running())}
                        {dispatch}
                    />
                }
                <div class="list-and-map">
                    <div class="list" id="list-panel" role="tabpanel" aria-labelledby={format!("tab-{}", id.0)}>
                        { front.draw(&shown) }
                    </div>
                    if let Some(summary) = summary {
                        <FileMap
                            {frame}
                            {summary}
                            views={state.views}
                            view={id}
                            selected={selected_byte(preview)}
                            {dispatch}
                        />
                    }
                </div>
            </section>
            { divider(state.look.split, dispatch) }
            <section class="pane detail-pane" aria-label="Details">
                { detail(state, &shown) }
            </section>
        </div>
    }
}

/// The tabs of the views, and a menu of those that have none.
fn tabs(state: &State, check: &Check, front: ViewId, dispatch: &Callback<Action>) -> Html {
    let offered: Vec<&dyn View> = state.views.all_offered(check).collect();
    let show = |id: ViewId| dispatch.reform(move |_: MouseEvent| PreviewAction::Show(id).into());
    let tab = |view: &&dyn View| {
        let about = view.about();
        let count = match view.count(check) {
            Count::None => String::new(),
            Count::Unknown => "…".to_owned(),
            Count::Of(count) => grouped(count),
        };
        Tab { id: about.id.0, name: about.name, count, is_shown: about.id == front, show: show(about.id) }
    };
    let (first, others) = offered.split_at(TABS.min(offered.len()));
    let in_front = others.iter().filter(|view| view.about().id == front);
    let face = html! { <><span>{ "More" }</span>{ Icon::Expand.draw() }</> };
    let items = offered.iter().enumerate().skip(TABS_IF_NARROW).map(|(place, view)| {
        let about = view.about();
        html! {
            <button
                key={about.id.0}
                type="button"
                class={(place < TABS).then_some("if-narrow")}
                aria-current={(about.id == front).then_some("true")}
                data-testid={format!("more-{}", about.id.0)}
                onclick={show(about.id)}
            >
                <span>{ about.name }</span>
                <kbd>{ place + 1 }</kbd>
            </button>
        }
    });
    html! {
        <div class="tab-bar">
            { tab_list("Lists", "list-panel", first.iter().chain(in_front).map(tab)) }
            // The styles hide it where all have room.
            if offered.len() >= TABS {
                { menu_of("more", "More lists", face, html! { <div class="menu-group">{ for items }</div> }) }
            }
        </div>
    }
}

/// The byte offset of the selected item, if it is known.
fn selected_byte(preview: &Preview) -> Option<u64> {
    let finding = || preview.listed_finding()?.byte_start;
    let record = || {
        let row = preview.answers.item::<Row>(&List::Records, preview.record_number()?).loaded()?;
        Some(row.byte_start)
    };
    let line = || {
        let line = preview.answers.item::<Line>(&List::Lines, preview.line()?.checked_sub(1)?).loaded()?;
        Some(line.byte_start)
    };
    finding().or_else(record).or_else(line)
}

/// The known values for completing terms of the filter.
fn known(check: &Check, catalogue: &Catalogue) -> Rc<Known> {
    let Some(report) = check.report() else { return Rc::default() };
    let format = catalogue.formats.iter().filter(|format| format.id == report.format.id);
    let names = format.flat_map(|format| &format.names);
    let groups = check.finding_summary().map(|summary| &summary.groups[..]).unwrap_or_default();
    let mut paths: Vec<String> = groups.iter().filter_map(|group| group.path.clone()).collect();
    paths.order();
    paths.dedup();
    Rc::new(Known {
        names: names.cloned().collect(),
        rules: report.counts.by_code.keys().cloned().collect(),
        paths,
        overview: [Question::Overview, Question::Beginning]
            .iter()
            .find_map(|of| check.preview.answers.answer_to(of)),
    })
}
