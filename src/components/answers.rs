//! Several answers side by side, and the differences between two of them.

use std::rc::Rc;

use evalcheck_report::view::{Part, Record, Sample};
use yew::prelude::*;

use super::text;
use super::turn::TurnView;
use crate::display::arrangement::Arrangement;
use crate::display::format_number::counted;
use crate::display::word_diff::{Diff, DiffPart, word_diff};
use crate::platform::value_of;
use crate::state::{Action, AttachmentView, Markdown};

#[derive(Properties, PartialEq)]
pub(crate) struct AnswersProps {
    pub(crate) record: Rc<Record>,
    pub(crate) arrangement: Rc<Arrangement>,
    pub(crate) attachments: Rc<Vec<AttachmentView>>,
    /// The texts rendered as Markdown, if they are rendered.
    pub(crate) markdown: Option<Rc<Markdown>>,
    pub(crate) dispatch: Callback<Action>,
}

/// The answers in columns, the reference first; in a narrow window, one of them, chosen by tabs.
#[component]
pub(crate) fn Answers(props: &AnswersProps) -> Html {
    let AnswersProps { record, arrangement, attachments, markdown, dispatch } = props;
    let chosen = use_state_eq(|| None::<usize>);
    let compared = use_state_eq(|| None::<(usize, usize)>);
    let Some(sample) = &record.sample else { return Html::default() };
    // The order of the columns.
    let (references, others): (Vec<usize>, Vec<usize>) =
        (0..sample.answers.len()).partition(|index| sample.answers[*index].is_reference);
    let order = [references, others].concat();
    let selected = chosen.or(order.first().copied());
    let toggle = {
        let setter = compared.setter();
        let next = if compared.is_none() { order.first().copied().zip(order.get(1).copied()) } else { None };
        Callback::from(move |_: MouseEvent| setter.set(next))
    };
    let set_pair = {
        let setter = compared.setter();
        Callback::from(move |pair| setter.set(Some(pair)))
    };
    let tab = |index: usize| {
        let setter = chosen.setter();
        html! {
            <button
                key={index}
                type="button"
                role="tab"
                aria-selected={(selected == Some(index)).to_string()}
                aria-controls={format!("answer-{index}")}
                onclick={Callback::from(move |_: MouseEvent| setter.set(Some(index)))}
            >
                { text::inline(&sample.answers[index].name) }
            </button>
        }
    };
    let column = |index: usize| {
        let answer = &sample.answers[index];
        let classes = classes!(
            "answer",
            answer.is_reference.then_some("reference"),
            (selected == Some(index)).then_some("selected")
        );
        html! {
            <section key={index} id={format!("answer-{index}")} class={classes} data-testid="answer">
                <header>
                    <h4 dir="auto">{ text::line(&answer.name) }</h4>
                    <span class="muted">{ counted(answer.chars, "character") }</span>
                </header>
                for turn in sample.turns_of(answer) {
                    <TurnView
                        key={turn}
                        record={Rc::clone(record)}
                        index={turn}
                        arrangement={Rc::clone(arrangement)}
                        attachments={Rc::clone(attachments)}
                        markdown={markdown.clone()}
                        {dispatch}
                    />
                }
            </section>
        }
    };
    html! {
        <section class="answers" data-testid="answers">
            <header>
                <h3>{ counted(sample.answers.len() as u64, "answer") }</h3>
                <button type="button" aria-pressed={compared.is_some().to_string()} data-testid="show-differences" onclick={toggle}>
                    { "Show differences" }
                </button>
            </header>
            if let Some(pair) = *compared {
                { differences(record, pair, &set_pair) }
            }
            <div class="tabs answer-tabs" role="tablist" aria-label="Answers">{ for order.iter().copied().map(tab) }</div>
            <div class="answer-columns" role="region" aria-label="Answers" tabindex="0">{ for order.iter().copied().map(column) }</div>
        </section>
    }
}

/// The text of two answers. Marks the parts that only one of them has. `on_pair` is called when another pair is chosen.
fn differences(record: &Record, pair: (usize, usize), on_pair: &Callback<(usize, usize)>) -> Html {
    let (first, second) = pair;
    let Some(sample) = &record.sample else { return Html::default() };
    let choice = |label: &'static str, chosen: usize, with: fn((usize, usize), usize) -> (usize, usize)| {
        let onchange =
            on_pair.reform(move |event: Event| with(pair, value_of(&event).parse().unwrap_or_default()));
        html! {
            <label class="field">
                <span>{ label }</span>
                <select {onchange}>
                    for (index, answer) in sample.answers.iter().enumerate() {
                        <option value={index.to_string()} selected={index == chosen}>{ text::plain(&answer.name) }</option>
                    }
                </select>
            </label>
        }
    };
    let (old, new) = (text_of(sample, first), text_of(sample, second));
    let Diff { parts, is_whole, is_unlike } = word_diff(&old, &new);
    html! {
        <div class="differences" data-testid="differences">
            <div class="buttons">
                { choice("Compare", first, |(_, second), first| (first, second)) }
                { choice("with", second, |(first, _), second| (first, second)) }
            </div>
            if old == new {
                <p class="muted">{ "The texts are the same." }</p>
            } else {
                <p class="turn-text" dir="auto">
                    for part in parts {
                        {
                            match part {
                                DiffPart::Both(part) => text::block(part),
                                DiffPart::First(part) => html! { <del>{ text::block(part) }</del> },
                                DiffPart::Second(part) => html! { <ins>{ text::block(part) }</ins> },
                            }
                        }
                    }
                </p>
            }
            if is_unlike {
                <p class="muted">{ "Nothing in common: no paragraph of one is like a paragraph of the other." }</p>
            }
            if !is_whole {
                <p class="muted">{ "Only the beginnings of the texts are compared." }</p>
            }
        </div>
    }
}

/// Returns the texts of an answer.
fn text_of(sample: &Sample, answer: usize) -> String {
    let turns = sample.answers.get(answer).map_or(0..0, |answer| sample.turns_of(answer));
    let parts = sample.turns[turns].iter().flat_map(|turn| &turn.parts);
    let texts = parts.filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
