//! A record as the system holds it after loading.

use evalcheck_report::view::{ChangeKind, HeldLine, HeldRecord, Loaded};
use yew::prelude::*;

use super::text;
use crate::display::json_tokens::json_tokens;

/// The record, with its differences from the file marked and explained. `source` names the source of this knowledge. If the system does not
/// hold the record, the record `has_errors`, or the mistake is one of the dataset.
pub(super) fn loaded_view(loaded: &Loaded, has_errors: bool, system: &str, source: &str) -> Html {
    match loaded {
        Loaded::Held(held) => html! {
            <div class="loaded" data-testid="loaded">
                <p class="muted">{ source }</p>
                if held.changes.is_empty() {
                    <p data-testid="unchanged">{ format!("{system} holds the record as it is in the file.") }</p>
                }
                { lines(held) }
                { changes(held) }
            </div>
        },
        Loaded::Dropped => html! {
            <p class="empty" data-testid="loaded">
                if has_errors {
                    { format!("{system} drops this record and loads the dataset without it. The finding says why.") }
                } else {
                    { format!("{system} drops this record, because of the mistake in the header of the dataset.") }
                }
            </p>
        },
        Loaded::Refused => html! {
            <p class="empty" data-testid="loaded">
                if has_errors {
                    { format!("This record has errors. Once they are fixed, this tab shows it as {system} will hold it.") }
                } else {
                    { format!("{system} loads no record of this dataset as it is written, because of a mistake that is not in this record. Once that is fixed, this tab shows the record as {system} will hold it.") }
                }
            </p>
        },
    }
}

fn kind_of(held: &HeldRecord, line: &HeldLine) -> Option<ChangeKind> {
    let index = usize::try_from(line.change?).ok()?;
    held.changes.get(index).map(|change| change.kind)
}

fn lines(held: &HeldRecord) -> Html {
    let show = |line: &HeldLine| {
        let kind = kind_of(held, line);
        let tokens = json_tokens(&line.text, &(0..line.text.len()));
        // Changed lines have their own colour.
        let tokens = if kind.is_none() { tokens } else { Vec::new() };
        let text = text::json_source(&line.text, false, tokens);
        match kind {
            None => html! { <span class="held-line">{ text }</span> },
            Some(ChangeKind::Removed) => html! { <del class="held-line removed">{ text }</del> },
            Some(ChangeKind::Added) => html! { <ins class="held-line added">{ text }</ins> },
            Some(ChangeKind::Changed) => html! { <ins class="held-line changed">{ text }</ins> },
        }
    };
    html! {
        <>
            <div class="held mono" data-testid="held">{ for held.lines.iter().map(show) }</div>
            if held.clipped {
                <p class="muted">{ "Only the beginning of the record is shown." }</p>
            }
        </>
    }
}

fn changes(held: &HeldRecord) -> Html {
    if held.changes.is_empty() {
        return Html::default();
    }
    let name = |kind| match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "removed",
    };
    html! {
        <section class="others">
            <h3>{ "What differs from the file" }</h3>
            <ul class="held-changes" data-testid="changes">
                for change in &held.changes {
                    <li>
                        <span class={classes!("held-kind", name(change.kind))}>{ name(change.kind) }</span>
                        <span>
                            <span class="path">{ text::path(if change.path.is_empty() { "the record" } else { &change.path }) }</span>
                            <span class="muted">{ text::inline(&change.why) }</span>
                        </span>
                    </li>
                }
            </ul>
        </section>
    }
}
