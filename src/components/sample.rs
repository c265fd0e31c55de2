//! A record as a conversation.

use std::rc::Rc;

use evalcheck_report::view::{Record, Sample};
use yew::prelude::*;

use super::answers::Answers;
use super::icon::Icon;
use super::text;
use super::turn::{TurnView, finding_list};
use crate::display::arrangement::Arrangement;
use crate::display::format_number::counted;
use crate::state::{Action, Markdown, MarkdownState, Preview, TextMode};

/// The findings that are in no turn, the turns, then the other fields. `sample` belongs to the record.
pub(super) fn sample_view(
    record: &Rc<Record>,
    sample: &Sample,
    (preview, mode): (&Preview, TextMode),
    dispatch: &Callback<Action>,
) -> Html {
    let attachments = &preview.details.attachments;
    let markdown = (mode == TextMode::Rendered).then(|| Rc::clone(&preview.details.markdown));
    let arrangement = Rc::new(Arrangement::new(sample, &record.findings));
    html! {
        <div class="sample" data-testid="sample">
            if sample.turns.is_empty() {
                <p class="empty">{ "This sample has no messages." }</p>
            }
            <div class="sample-head">
                { badges(sample) }
                if preview.has_rendered_switch() {
                    { rendered_switch(&preview.details.markdown, mode, dispatch) }
                }
            </div>
            { finding_list(record, &arrangement.findings.others, None, dispatch) }
            for index in arrangement.turns().filter(|turn| !is_in_answer(sample, *turn)) {
                <TurnView
                    key={index}
                    record={Rc::clone(record)}
                    {index}
                    arrangement={Rc::clone(&arrangement)}
                    attachments={Rc::clone(attachments)}
                    markdown={markdown.clone()}
                    {dispatch}
                />
            }
            if !sample.answers.is_empty() {
                <Answers
                    record={Rc::clone(record)}
                    arrangement={Rc::clone(&arrangement)}
                    attachments={Rc::clone(attachments)}
                    {markdown}
                    {dispatch}
                />
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

/// A switch between rendered Markdown and source text; and the reason if the texts cannot be rendered.
fn rendered_switch(markdown: &Markdown, mode: TextMode, dispatch: &Callback<Action>) -> Html {
    let is_rendered = mode == TextMode::Rendered;
    html! {
        <>
            <button
                type="button"
                class="rendered-switch"
                aria-pressed={is_rendered.to_string()}
                aria-busy={matches!(markdown.state, MarkdownState::Requested(_)).then_some("true")}
                title="Render Markdown (m)"
                data-testid="rendered"
                onclick={dispatch.reform(move |_| Action::SetTextMode(mode.other()))}
            >
                { "Rendered" }
            </button>
            if let (MarkdownState::Failed(why), true) = (&markdown.state, is_rendered) {
                <p class="error" role="alert" data-testid="rendering-failed">{ text::inline(why) }</p>
            }
        </>
    }
}

/// Returns true for a turn of one of several answers.
fn is_in_answer(sample: &Sample, turn: usize) -> bool {
    sample.answers.iter().any(|answer| answer.turns.contains(&turn))
}

/// The values above the conversation.
fn badges(sample: &Sample) -> Html {
    if sample.badges.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="sample-badges" data-testid="badges">
            for badge in &sample.badges {
                <li class={classes!("sample-badge", (badge.is_correct == Some(true)).then_some("correct"))}>
                    if !badge.label.is_empty() {
                        <span class="muted">{ text::inline(&badge.label) }</span>
                    }
                    if let Some(is_correct) = badge.is_correct {
                        { if is_correct { Icon::Check.draw() } else { Icon::Cross.draw() } }
                    }
                    <strong dir="auto">{ text::line(&badge.text) }</strong>
                </li>
            }
        </ul>
    }
}
