//! The statistics of a file: tables, and rows with bars that link to their records.

use evalcheck_render::overview::sections::{Cell, Content, Row, Section, bar_length, sections, share};
use evalcheck_report::overview::Overview;
use evalcheck_wire::question::{Answer, Question};
use yew::prelude::*;

use super::records;
use crate::components::progress::strip;
use crate::components::text;
use crate::display::format_number::grouped;
use crate::state::{About, Action, Check, Remote, Shown, View, ViewId, Wanted, percent_of};

/// The length of the bar of all, in units of its drawing.
const LONGEST: u64 = 1_000;

/// The view of the statistics.
pub(super) struct OverviewView;

const ID: ViewId = ViewId("overview");

impl View for OverviewView {
    fn about(&self) -> About {
        About { id: ID, name: "Overview", help: "Overview" }
    }

    fn applies(&self, check: &Check) -> bool {
        check.has_statistics()
    }

    fn wants(&self, check: &Check) -> Vec<Wanted> {
        wanted_by(ID, check)
    }

    fn is_undivided(&self) -> bool {
        true
    }

    fn draw(&self, shown: &Shown<'_>) -> Html {
        match overview_or_progress(shown) {
            Ok(overview) => html! {
                <div class="dataset-overview" data-testid="dataset-overview">
                    <div class="overview-columns">
                        for section in sections(overview) {
                            { draw_section(&section, shown.dispatch) }
                        }
                    </div>
                </div>
            },
            Err(progress) => progress,
        }
    }
}

/// The statistics, if a view of them is in front.
pub(super) fn wanted_by(view: ViewId, check: &Check) -> Vec<Wanted> {
    let is_looked_at = check.preview.view == view && check.has_statistics();
    is_looked_at.then_some(Question::Overview.into()).into_iter().collect()
}

/// The statistics; while they are not counted, what to show in their place.
pub(super) fn overview_or_progress<'a>(shown: &Shown<'a>) -> Result<&'a Overview, Html> {
    let button = |id: &'static str, label: &'static str, action: fn() -> Action| {
        let onclick = shown.dispatch.reform(move |_| action());
        html! { <button type="button" data-testid={id} {onclick}>{ label }</button> }
    };
    let answers = &shown.check.preview.answers;
    let done = match answers.state(&Question::Overview, Answer::try_as_overview_ref) {
        Some(Remote::Loaded(overview)) => return Ok(overview),
        Some(Remote::Failed(why)) => return Err(html! { <p class="empty">{ why }</p> }),
        Some(Remote::Stopped(_)) => {
            return Err(html! {
                <div class="dataset-overview">
                    <p>{ button("count-overview", "Count the whole file", count_again) }</p>
                </div>
            });
        }
        Some(Remote::Waiting(advance)) => percent_of(&advance),
        None => 0,
    };
    Err(html! {
        <div class="dataset-overview" data-testid="counting">
            <p>{ format!("Counting, {done} %") }</p>
            { strip(done) }
            <p>{ button("stop-counting", "Stop", stop_counting) }</p>
        </div>
    })
}

/// Counts what the user stopped.
pub(crate) fn count_again() -> Action {
    Action::of_view(|state, _| {
        if let Some(answers) = state.answers() {
            answers.forget(&Question::Overview);
        }
    })
}

/// Stops counting.
pub(crate) fn stop_counting() -> Action {
    Action::of_view(|state, effects| state.stop_question(&Question::Overview, effects))
}

fn draw_section(section: &Section, dispatch: &Callback<Action>) -> Html {
    html! {
        <section data-testid="overview-section">
            <div class="scroll-box" tabindex="0" role="region" aria-label={section.heading.clone()}>
                { match &section.content {
                    Content::Bars { rows, total } => bars(&section.heading, rows, *total, dispatch),
                    Content::Table { titles, rows } => table(&section.heading, titles, rows, dispatch),
                } }
            </div>
            for note in &section.notes {
                <p class="muted">{ note }</p>
            }
        </section>
    }
}

fn bars(heading: &str, rows: &[Row], total: u64, dispatch: &Callback<Action>) -> Html {
    html! {
        <table class="amounts">
            <caption>{ text::inline(heading) }</caption>
            <tbody>
                for Row { label, count, query } in rows {
                    <tr onclick={find(query.as_ref(), dispatch)}>
                        <th scope="row">{ label_of(label, query.is_some()) }</th>
                        <td>{ grouped(*count) }</td>
                        <td>{ share(*count, total) }</td>
                        <td class="amount-cell">{ bar(bar_length(*count, total, LONGEST)) }</td>
                    </tr>
                }
            </tbody>
        </table>
    }
}

/// Lists the records of a row or a cell after a click anywhere in it.
fn find(query: Option<&String>, dispatch: &Callback<Action>) -> Option<Callback<MouseEvent>> {
    let query = AttrValue::from(query?.clone());
    Some(dispatch.reform(move |_| records::find(query.clone())))
}

/// The label of a row or a cell; a button if its records can be listed.
fn label_of(label: &str, has_records: bool) -> Html {
    let shown = if label.is_empty() {
        html! { <span class="muted">{ "(empty)" }</span> }
    } else {
        text::inline(label)
    };
    if !has_records {
        return shown;
    }
    // The click is that of the row or the cell.
    html! { <button type="button" class="link" data-testid="find-records">{ shown }</button> }
}

fn bar(width: u64) -> Html {
    html! {
        <svg class="amount" viewBox={format!("0 0 {LONGEST} 8")} preserveAspectRatio="none" aria-hidden="true">
            <path class="whole" d={format!("M0 0h{LONGEST}v8h-{LONGEST}z")} />
            <path d={format!("M0 0h{width}v8h-{width}z")} />
        </svg>
    }
}

fn table(heading: &str, titles: &[String], rows: &[Vec<Cell>], dispatch: &Callback<Action>) -> Html {
    html! {
        <table>
            <thead>
                <tr>
                    <th scope="col">{ text::inline(heading) }</th>
                    for title in titles {
                        <th scope="col">{ text::inline(title) }</th>
                    }
                </tr>
            </thead>
            <tbody>
                for row in rows {
                    <tr>
                        for (column, Cell { text, query }) in row.iter().enumerate() {
                            if column == 0 {
                                <th scope="row" onclick={find(query.as_ref(), dispatch)}>{ label_of(text, query.is_some()) }</th>
                            } else {
                                <td onclick={find(query.as_ref(), dispatch)}>{ label_of(text, query.is_some()) }</td>
                            }
                        }
                    </tr>
                }
            </tbody>
        </table>
    }
}
