//! The statistics of a file: tables, and rows with a bar that link to their records.

use evalcheck_render::overview::sections::{Content, Row, Section, bar_length, sections, share};
use yew::prelude::*;

use super::progress::strip;
use super::text;
use crate::display::format_number::{grouped, percent};
use crate::state::{Action, Check, OverviewState, PreviewAction};

/// The length of the longest bar, in units of the drawing.
const LONGEST: u64 = 1_000;

/// The statistics, or the progress of counting them.
pub(super) fn dataset_overview(check: &Check, dispatch: &Callback<Action>) -> Html {
    let button = |id: &'static str, label: &'static str, action: PreviewAction| {
        let onclick = dispatch.reform(move |_| action.clone().into());
        html! { <button type="button" data-testid={id} {onclick}>{ label }</button> }
    };
    match &check.preview.overview {
        OverviewState::Loaded(overview) => html! {
            <div class="dataset-overview" data-testid="dataset-overview">
                for section in sections(overview) {
                    { draw(&section, dispatch) }
                }
            </div>
        },
        OverviewState::Counting { progress, .. } => {
            let done = percent(progress.bytes, progress.total_bytes);
            html! {
                <div class="dataset-overview" data-testid="counting">
                    <p>{ format!("Counting, {done} %") }</p>
                    { strip(done) }
                    <p>{ button("stop-counting", "Stop", PreviewAction::StopCounting) }</p>
                </div>
            }
        }
        OverviewState::None | OverviewState::Stopped => html! {
            <div class="dataset-overview">
                <p>{ button("count-overview", "Count the whole file", PreviewAction::CountOverview) }</p>
            </div>
        },
        OverviewState::Failed(why) => html! { <p class="empty">{ why }</p> },
    }
}

fn draw(section: &Section, dispatch: &Callback<Action>) -> Html {
    html! {
        <section data-testid="overview-section">
            <div class="scroll-box" tabindex="0" role="region" aria-label={section.heading.clone()}>
                { match &section.content {
                    Content::Bars { rows, total } => bars(&section.heading, rows, *total, dispatch),
                    Content::Table { titles, rows } => table(&section.heading, titles, rows),
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
                    <tr>
                        <th scope="row">{ label_of(label, query.as_ref(), dispatch) }</th>
                        <td>{ grouped(*count) }</td>
                        <td>{ share(*count, total) }</td>
                        <td class="amount-cell">{ bar(bar_length(*count, rows, LONGEST)) }</td>
                    </tr>
                }
            </tbody>
        </table>
    }
}

/// The label of a row; a button if its records can be listed.
fn label_of(label: &str, query: Option<&String>, dispatch: &Callback<Action>) -> Html {
    let shown = if label.is_empty() {
        html! { <span class="muted">{ "(empty)" }</span> }
    } else {
        text::inline(label)
    };
    let Some(query) = query else { return shown };
    let query = AttrValue::from(query.clone());
    html! {
        <button
            type="button"
            class="link"
            data-testid="find-records"
            onclick={dispatch.reform(move |_| PreviewAction::FindRecords(query.clone()).into())}
        >
            { shown }
        </button>
    }
}

fn bar(width: u64) -> Html {
    html! {
        <svg class="amount" viewBox={format!("0 0 {LONGEST} 8")} preserveAspectRatio="none" aria-hidden="true">
            <path d={format!("M0 0h{width}v8h-{width}z")} />
        </svg>
    }
}

fn table(heading: &str, titles: &[String], rows: &[Vec<String>]) -> Html {
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
                        for (column, cell) in row.iter().enumerate() {
                            if column == 0 {
                                <th scope="row">{ text::inline(cell) }</th>
                            } else {
                                <td>{ text::inline(cell) }</td>
                            }
                        }
                    </tr>
                }
            </tbody>
        </table>
    }
}
