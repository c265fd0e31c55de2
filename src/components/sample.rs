//! A record as a conversation.

use evalcheck_wire::report::{Finding, Severity};
use evalcheck_wire::view::{Part, Sample, Turn};
use yew::prelude::*;

use super::attachment::attachment_card;
use super::text;
use crate::display::format_number::{bytes, counted};
use crate::state::{Action, AttachmentView};

/// The turns, then the other fields. `findings` are those of the record.
pub(super) fn sample_view(
    sample: &Sample,
    findings: &[Finding],
    attachments: &[AttachmentView],
    dispatch: &Callback<Action>,
) -> Html {
    html! {
        <div class="sample" data-testid="sample">
            if sample.turns.is_empty() {
                <p class="empty">{ "This sample has no messages." }</p>
            }
            for turn in &sample.turns {
                { show(turn, findings, attachments, dispatch) }
            }
            if sample.omitted > 0 {
                <p class="muted" data-testid="omitted">
                    { format!("Not shown: {}.", counted(sample.omitted, "more part")) }
                </p>
            }
            if !sample.fields.is_empty() {
                <dl class="sample-fields">
                    for field in &sample.fields {
                        <div>
                            <dt>{ text::inline(&field.label) }</dt>
                            if field.is_json {
                                <dd>{ text::json(&field.text) }</dd>
                            } else {
                                <dd dir="auto">{ text::block(&field.text) }</dd>
                            }
                        </div>
                    }
                </dl>
            }
        </div>
    }
}

fn show(
    turn: &Turn,
    findings: &[Finding],
    attachments: &[AttachmentView],
    dispatch: &Callback<Action>,
) -> Html {
    let known = match turn.role.as_str() {
        "system" => Some("system"),
        "user" => Some("user"),
        "assistant" => Some("assistant"),
        _ => None,
    };
    let color = role_severity(turn, findings).map(Severity::as_str).or(known);
    html! {
        <article class={classes!("turn", color)} data-testid="turn">
            <header>
                <span class="role">{ text::inline(&turn.role) }</span>
                <span class="path muted">{ text::inline(&turn.path) }</span>
            </header>
            for part in &turn.parts {
                { show_part(part, attachments, dispatch) }
            }
        </article>
    }
}

/// The worst finding on the role of a turn.
fn role_severity(turn: &Turn, findings: &[Finding]) -> Option<Severity> {
    let is_on_role = |finding: &&Finding| {
        finding.path.as_deref().and_then(|path| path.strip_prefix(turn.path.as_str())) == Some(".role")
    };
    findings.iter().filter(is_on_role).map(|finding| finding.severity).min()
}

fn show_part(part: &Part, attachments: &[AttachmentView], dispatch: &Callback<Action>) -> Html {
    match part {
        Part::Text { text, clipped } => html! {
            <>
                <p class="turn-text" dir="auto">{ text::block(text) }</p>
                if *clipped {
                    <p class="muted">{ format!("Only the first {} of this text are shown.", bytes(text.len() as u64)) }</p>
                }
            </>
        },
        Part::File { path, attachment, suggestion } => {
            let view = attachment
                .as_ref()
                .and_then(|info| attachments.iter().find(|view| view.entry.as_str() == info.entry));
            attachment_card(path, attachment.as_ref(), suggestion.as_deref(), view, dispatch)
        }
        Part::ImageUrl { url } => html! {
            <div class="part-note">
                <strong>{ "Image URL" }</strong>
                <span class="muted">{ "not loaded: this page makes no network requests" }</span>
                <code>{ text::inline(url) }</code>
            </div>
        },
        Part::Other { json } => html! {
            <div class="part-note">
                <strong>{ "Other content" }</strong>
                <code>{ text::json(json) }</code>
            </div>
        },
    }
}
