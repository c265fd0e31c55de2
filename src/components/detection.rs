//! The detected format: confidence, reason and alternatives.

use evalcheck_report::{Alternative, Format, Report};
use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::formats;
use super::text;
use crate::state::Action;

/// The maximum number of alternatives.
const MAX_ALTERNATIVES: usize = 3;

/// The most likely other formats that fit.
pub(super) fn alternatives(format: &Format) -> impl Iterator<Item = &Alternative> {
    format.alternatives().take(MAX_ALTERNATIVES)
}

/// The format, the reason, the alternatives and the help.
pub(super) fn detection(report: &Report, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let format = &report.format;
    if format.id.is_empty() {
        // `expected_formats` lists the formats instead.
        return Html::default();
    }
    let confidence = format.certainty();
    html! {
        <div class="detection" data-testid="detection" data-format={format.id.clone()} data-confidence={confidence}>
            <p>
                <strong>{ formats::name(catalogue, format) }</strong>
                if format.detected {
                    { ", " }{ confidence }
                }
                if !format.reason.is_empty() {
                    <span class="muted">{ ": " }{ text::inline(&format.reason) }</span>
                }
            </p>
            for other in alternatives(format) {
                <span class="other-format" key={other.id.as_str()} title={other.reason.clone()}>
                    { formats::check_as(formats::title(catalogue, &other.id), &other.id, dispatch) }
                </span>
            }
            { formats::help(catalogue, &format.id, false) }
        </div>
    }
}

/// The expectations of each format, for a file that matches none.
pub(super) fn expected_formats(report: &Report, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let others = report.format.others.iter().enumerate();
    html! {
        <section class="pane expected" data-testid="expected-formats" aria-labelledby="expected-title">
            <h2 id="expected-title">{ "What each format expects, closest match first" }</h2>
            <ol>
                for (index, other) in others {
                    <li key={other.id.as_str()} data-format={other.id.clone()}>
                        <div class="expected-head">
                            <h3>{ formats::title(catalogue, &other.id) }</h3>
                            { formats::check_as("this", &other.id, dispatch) }
                        </div>
                        <p>{ "Expects " }{ text::with_code(&other.reason) }{ "." }</p>
                        if let Some(format) = catalogue.format(&other.id) {
                            <details open={index == 0}>
                                <summary>{ "Minimal example" }</summary>
                                { formats::minimal(format) }
                            </details>
                        }
                    </li>
                }
            </ol>
        </section>
    }
}
