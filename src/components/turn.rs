//! One message of a conversation.

use std::rc::Rc;

use evalcheck_report::view::{OtherRecord, Part, Record, TextMark, Turn};
use evalcheck_report::{Finding, Severity};
use yew::prelude::*;

use super::attachment::attachment_card;
use super::markdown::document_view;
use super::severity;
use super::text;
use super::tool_call::{lines_box, tool_call_card};
use crate::display::arrangement::Arrangement;
use crate::display::fold::fold_turn;
use crate::display::format_number::{bytes, counted, grouped};
use crate::display::tool_results::calls;
use crate::display::turn_findings::{path_from, path_within};
use crate::state::{Action, AttachmentView, Markdown, PreviewAction, Selection, ShownText};

/// The maximum number of shown findings of a turn. A turn that is not an object can have as many as it has keys.
const MAX_SHOWN: usize = 5;

#[derive(Properties, PartialEq)]
pub(crate) struct TurnViewProps {
    pub(crate) record: Rc<Record>,
    /// The index of the turn in the sample of the record.
    pub(crate) index: usize,
    /// Whether it is the result of a tool call, and shown with the call.
    #[prop_or_default]
    pub(crate) is_result: bool,
    pub(crate) arrangement: Rc<Arrangement>,
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
    /// The texts rendered as Markdown, if they are rendered.
    pub(crate) markdown: Option<Rc<Markdown>>,
    pub(crate) dispatch: Callback<Action>,
}

/// The role, the parts, and the findings of the turn. A long turn is folded.
#[component]
pub(crate) fn TurnView(props: &TurnViewProps) -> Html {
    let TurnViewProps { record, index, is_result, arrangement, attachments, markdown, dispatch } = props;
    let is_unfolded = use_state_eq(|| false);
    let turns = record.sample.as_ref().map_or(&[][..], |sample| &sample.turns);
    let Some(turn) = turns.get(*index) else { return Html::default() };
    let findings = arrangement.findings.of_turns.get(*index).map_or(&[][..], Vec::as_slice);
    let is_about = |path: &str, at: &usize| {
        record.findings.get(*at).is_some_and(|finding| path_from(path, finding).is_some())
    };
    // Findings about a tool call are shown with the call.
    let (about_turn, about_calls): (Vec<usize>, Vec<usize>) =
        findings.iter().partition(|at| !calls(turn).any(|(_, call)| is_about(&call.path, at)));
    let folded = fold_turn(&turn.parts);
    let parts = turn.parts.iter().enumerate().map(|(at, part)| {
        if let Part::ToolCall(call) = part {
            let about: Vec<usize> =
                about_calls.iter().copied().filter(|finding| is_about(&call.path, finding)).collect();
            return tool_call_card(props, (*index, at), call, &about);
        }
        let end = folded.as_ref().filter(|_| !*is_unfolded).and_then(|ends| ends[at]);
        let shown = markdown.as_ref().map_or(ShownText::Source, |markdown| markdown.shown(*index, at));
        show_part(part, (end, shown), (&turn.parts, attachments), dispatch)
    });
    let toggle = {
        let setter = is_unfolded.setter();
        let next = !*is_unfolded;
        Callback::from(move |_: MouseEvent| setter.set(next))
    };
    html! {
        <article class={classes!("turn", known_role(&turn.role), is_result.then_some("result"))} data-testid="turn">
            <header>
                <span class="turn-number" title={format!("Turn {} of {}", grouped(*index as u64 + 1), grouped(turns.len() as u64))}>
                    { grouped(*index as u64 + 1) }
                </span>
                <span class={classes!("role", role_severity(turn, record, findings).map(Severity::as_str))} dir="auto">
                    { text::line(&turn.role) }
                </span>
                if !turn.result_of.is_empty() {
                    <span class="muted">{ "result of " }<span class="mono">{ text::inline(&turn.result_of.join(", ")) }</span></span>
                }
                if let Some(OtherRecord { record, id }) = &turn.other {
                    <span class="mono">{ text::inline(id) }</span>
                    <button
                        type="button"
                        class="link"
                        data-testid="linked-record"
                        onclick={show_record(*record, dispatch)}
                    >
                        { format!("Record {}", grouped(record + 1)) }
                    </button>
                }
                <span class="path muted">{ text::inline(&turn.path) }</span>
            </header>
            { for parts }
            if folded.is_some() {
                <button
                    type="button"
                    class="unfold"
                    aria-expanded={is_unfolded.to_string()}
                    data-testid="unfold"
                    onclick={toggle}
                >
                    { if *is_unfolded { "Show less" } else { "Show all" } }
                </button>
            }
            { extracted_answers(turn) }
            { finding_list(record, &about_turn, Some(&turn.path), dispatch) }
        </article>
    }
}

/// Selects a record.
fn show_record(record: u64, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(move |_| {
        PreviewAction::Select { selection: Selection::Record { record, line: None }, open: true }.into()
    })
}

/// Findings of a record, each a button that opens it. With a `base`, paths are relative to it.
pub(super) fn finding_list(
    record: &Record,
    findings: &[usize],
    base: Option<&str>,
    dispatch: &Callback<Action>,
) -> Html {
    if findings.is_empty() {
        return Html::default();
    }
    let shown =
        findings.iter().take(MAX_SHOWN).filter_map(|index| Some((*index, record.findings.get(*index)?)));
    let more = findings.len().saturating_sub(MAX_SHOWN) as u64;
    html! {
        <ul class="turn-findings">
            for (index, finding) in shown {
                <li>
                    <button
                        type="button"
                        class={classes!("turn-finding", finding.severity.as_str())}
                        data-testid="turn-finding"
                        onclick={dispatch.reform(move |_| PreviewAction::OpenInRecord(index).into())}
                    >
                        { severity::mark(finding.severity) }
                        <span>
                            { shown_path(base, finding) }
                            <span class="message" dir="auto">{ text::inline(&finding.message) }</span>
                        </span>
                    </button>
                </li>
            }
            if more > 0 {
                <li class="muted">{ format!("Not shown: {}.", counted(more, "more finding")) }</li>
            }
        </ul>
    }
}

/// The path of a finding; empty if it is the base.
fn shown_path(base: Option<&str>, finding: &Finding) -> Html {
    let path = base.map_or(finding.path.as_deref(), |base| path_from(base, finding));
    match path {
        None | Some("") => Html::default(),
        Some(path) => html! { <span class="path">{ text::path(path) }</span> },
    }
}

/// The roles with their own style. None of them uses the colour of a severity.
fn known_role(role: &str) -> Option<&'static str> {
    ["system", "user", "assistant"].into_iter().find(|known| *known == role)
}

/// The worst severity of the findings on the role of a turn.
fn role_severity(turn: &Turn, record: &Record, findings: &[usize]) -> Option<Severity> {
    let all = findings.iter().filter_map(|index| record.findings.get(*index));
    all.filter(|finding| path_within(turn, finding) == Some("role")).map(|finding| finding.severity).min()
}

/// The answers extracted from a turn.
fn extracted_answers(turn: &Turn) -> Html {
    if turn.extracted.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="extracted" data-testid="extracted">
            for answer in &turn.extracted {
                <li>
                    <span class="muted">{ if answer.is_final { "Final answer" } else { "Extracted answer" } }</span>
                    <strong dir="auto">{ text::line(&answer.text) }</strong>
                    if !answer.method.is_empty() {
                        <span class="muted mono">{ text::inline(&answer.method) }</span>
                    }
                </li>
            }
        </ul>
    }
}

/// A note with the length of the shown text, if the text is clipped.
fn clipped_note(text: &str, is_clipped: bool) -> Html {
    if !is_clipped {
        return Html::default();
    }
    html! { <p class="muted">{ format!("Only the first {} of this text are shown.", bytes(text.len() as u64)) }</p> }
}

/// A text with its marks, as far as they are within it.
fn marked_text(shown: &str, marks: &[TextMark]) -> Html {
    let mut at = 0;
    let mut all = Vec::new();
    for mark in marks {
        // Marks in a folded or clipped part are outside of the text.
        let (Some(before), Some(marked)) = (shown.get(at..mark.start), shown.get(mark.start..mark.end))
        else {
            continue;
        };
        all.push(text::block(before));
        all.push(text::mark(mark.kind, text::block(marked)));
        at = mark.end;
    }
    all.push(text::block(&shown[at..]));
    all.into_iter().collect()
}

/// Shows a part of a turn with these parts. In a folded turn, a text is shown up to `end`.
fn show_part(
    part: &Part,
    (end, shown_text): (Option<usize>, ShownText<'_>),
    (parts, attachments): (&[Part], &[AttachmentView]),
    dispatch: &Callback<Action>,
) -> Html {
    match part {
        Part::Text { text, clipped, marks } => {
            let shown = end.and_then(|end| text.get(..end)).unwrap_or(text);
            let is_folded = shown.len() < text.len();
            if is_folded && shown.is_empty() {
                return Html::default();
            }
            html! {
                <>
                    if let ShownText::Rendered(rendered) = shown_text {
                        { document_view(rendered.folded.as_ref().filter(|_| is_folded).unwrap_or(&rendered.whole), parts, attachments) }
                    } else {
                        <p class="turn-text" dir="auto">
                            { marked_text(shown, marks) }
                            if is_folded && !text[shown.len()..].starts_with('\n') {
                                { "…" }
                            }
                        </p>
                    }
                    { clipped_note(text, *clipped && !is_folded) }
                </>
            }
        }
        Part::File { path, attachment, suggestion } => {
            let view = attachment
                .as_ref()
                .and_then(|info| attachments.iter().find(|view| view.entry.as_str() == info.entry));
            attachment_card(path, attachment.as_ref(), (suggestion.as_deref(), None), view, dispatch)
        }
        Part::Reasoning { text, clipped, marks } => html! {
            <details class="reasoning" open={!marks.is_empty()} data-testid="reasoning">
                <summary>
                    { "Reasoning" }
                    <span class="muted">{ counted(text.chars().count() as u64, "character") }</span>
                </summary>
                if let ShownText::Rendered(rendered) = shown_text {
                    { document_view(&rendered.whole, parts, attachments) }
                } else {
                    <p class="turn-text" dir="auto">{ marked_text(text, marks) }</p>
                }
                { clipped_note(text, *clipped) }
            </details>
        },
        Part::Json(json) => lines_box(json, text::json(json), "tool-result"),
        // A tool call has its own card, with the turns that answer it.
        Part::ToolCall(_) => Html::default(),
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
