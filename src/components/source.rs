//! The text of a record with its marks, and the lines around it.

use std::ops::RangeInclusive;

use evalcheck_report::Severity;
use evalcheck_report::view::{Line, Record};
use yew::prelude::*;

use super::line_text::line_text;
use super::text;
use crate::display::excerpt::{CONTEXT, Omitted, Segment, SegmentMark, excerpt};
use crate::display::format_number::grouped;
use crate::display::json_tokens::{json_of, json_tokens, tokens_in};
use crate::platform;
use crate::state::{Items, RecordState};

#[derive(Properties, PartialEq)]
pub(crate) struct SourceViewProps {
    pub(crate) line: u64,
    pub(crate) lines: Items<Line>,
    pub(crate) record: RecordState,
    /// The index of the selected finding in the record.
    pub(crate) selected: Option<usize>,
    /// The lines to show.
    pub(crate) context: RangeInclusive<u64>,
}

/// The record, and the beginnings of the lines around it.
#[component]
pub(crate) fn SourceView(props: &SourceViewProps) -> Html {
    let SourceViewProps { line, lines, record, selected, context } = props;
    let show_all = use_state_eq(|| false);
    // Focuses the text, because the button that shows all disappears.
    let text = use_node_ref();
    use_effect_with((*show_all, text.clone()), |(is_shown, text)| {
        if *is_shown {
            platform::focus(text);
        }
    });
    let on_show_all = {
        let show_all = show_all.setter();
        Callback::from(move |_: MouseEvent| show_all.set(true))
    };
    let rows = context.clone().map(|number| {
        if number != *line {
            return html! {
                <div class="source-line" key={number.to_string()}>
                    <span class="number">{ grouped(number) }</span>
                    { line_text(lines.get(number - 1)) }
                </div>
            };
        }
        html! {
            <div class="source-line chosen" key={number.to_string()}>
                <span class="number">{ grouped(number) }</span>
                {
                    match record {
                        RecordState::Loaded(record) => marked(record, *selected, *show_all, &on_show_all, &text),
                        RecordState::Failed(why) => html! { <span class="line-text muted">{ text::inline(why) }</span> },
                        _ => line_text(lines.get(number - 1)),
                    }
                }
            </div>
        }
    });
    html! { <div class="source" data-testid="source">{ for rows }</div> }
}

fn marked(
    record: &Record,
    selected: Option<usize>,
    show_all: bool,
    on_show_all: &Callback<MouseEvent>,
    node: &NodeRef,
) -> Html {
    let source = &record.source;
    let context = if show_all { source.text.len() } else { CONTEXT };
    let excerpt = excerpt(source, selected, context);
    let (start, end) = match (excerpt.segments.first(), excerpt.segments.last()) {
        (Some(first), Some(last)) => (first.start, last.start + last.text.len()),
        _ => (0, 0),
    };
    let tokens = json_of(source).map_or_else(Vec::new, |json| json_tokens(json, &(start..end)));
    let plain = |segment: &Segment<'_>| {
        let range = segment.start..segment.start + segment.text.len();
        text::json_source(segment.text, segment.is_quoted, tokens_in(&tokens, &range))
    };
    let severity = |at: Option<usize>| {
        at.and_then(|at| record.findings.get(at)).map_or(Severity::Info, |finding| finding.severity).as_str()
    };
    html! {
        <span class="record-text" ref={node} tabindex="-1">
            { omitted(excerpt.before, "before", on_show_all) }
            for segment in &excerpt.segments {
                {
                    match segment.mark {
                        SegmentMark::None => plain(segment),
                        SegmentMark::Selected => html! {
                            <mark class={classes!("span", severity(selected), segment.text.is_empty().then_some("between"))} data-testid="span">
                                { text::marked(segment.text, segment.is_quoted) }
                            </mark>
                        },
                        SegmentMark::Other(at) => html! {
                            <span class={classes!("other-span", severity(Some(at)))}>{ plain(segment) }</span>
                        },
                    }
                }
            }
            { omitted(excerpt.after, "after", on_show_all) }
        </span>
    }
}

/// A note on the text omitted on one side, as a button if some of it can be shown.
fn omitted(omitted: Omitted, place: &str, on_show_all: &Callback<MouseEvent>) -> Html {
    let words = omitted.in_words(place);
    if words.is_empty() {
        return Html::default();
    }
    if omitted.loaded == 0 {
        return html! { <span class="omitted-note">{ words }</span> };
    }
    html! { <button type="button" class="omitted" onclick={on_show_all}>{ words }</button> }
}
