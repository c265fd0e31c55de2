//! Which format a file was checked against: how sure that is, why, and what else it may be.

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::Report;
use yew::prelude::*;

use super::formats;
use super::text;
use crate::state::Action;

/// So many other formats are worth a button.
const OFFERED: usize = 3;

/// How sure, in a word; the engine says what its numbers mean.
fn sure(confidence: u8) -> &'static str {
    match confidence {
        71.. => "certain",
        30..=70 => "likely",
        _ => "a guess",
    }
}

/// The format, the reason, the alternatives and the help.
pub(super) fn recognition(report: &Report, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let format = &report.format;
    if format.id.is_empty() {
        // The formats that there are get a panel of their own.
        return Html::default();
    }
    let word = if format.detected { sure(format.confidence) } else { "by hand" };
    let others = format.others.iter().filter(|other| other.confidence > 0).take(OFFERED);
    html! {
        <div class="recognition" data-testid="recognition" data-format={format.id.clone()} data-sure={word}>
            <p>
                <strong>{ formats::name(catalogue, &format.id, &format.version) }</strong>
                if format.detected {
                    { ", " }{ word }
                }
                if !format.reason.is_empty() {
                    <span class="muted">{ ": " }{ text::inline(&format.reason) }</span>
                }
            </p>
            for other in others {
                <span class="other-format" key={other.id.as_str()} title={other.reason.clone()}>
                    { formats::check_as(&formats::name(catalogue, &other.id, ""), &other.id, dispatch) }
                </span>
            }
            { formats::help(catalogue, &format.id, false) }
        </div>
    }
}

/// What each format would have wanted, the nearest first.
pub(super) fn not_recognised(report: &Report, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let others = report.format.others.iter().enumerate();
    html! {
        <section class="pane wanted" data-testid="wanted" aria-labelledby="wanted-title">
            <h2 id="wanted-title">{ "What each format would have wanted, the nearest first" }</h2>
            <ol>
                for (at, other) in others {
                    <li key={other.id.as_str()} data-format={other.id.clone()}>
                        <div class="wanted-head">
                            <h3>{ formats::name(catalogue, &other.id, "") }</h3>
                            { formats::check_as("this", &other.id, dispatch) }
                        </div>
                        <p>{ "It wants " }{ text::prose(&other.reason) }{ "." }</p>
                        if let Some(format) = formats::by_id(catalogue, &other.id) {
                            <details open={at == 0}>
                                <summary>{ "Its minimal example" }</summary>
                                { formats::minimal(format) }
                            </details>
                        }
                    </li>
                }
            </ol>
        </section>
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_number_becomes_a_word() {
        assert_eq!(
            [100, 71, 70, 30, 29, 1].map(super::sure),
            ["certain", "certain", "likely", "likely", "a guess", "a guess"]
        );
    }
}
