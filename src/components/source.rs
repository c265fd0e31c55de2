//! The text of a record with its marks, and the lines round it.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::Record;
use yew::prelude::*;

use super::line_list::line_text;
use super::text;
use crate::state::number::{bytes, grouped};
use crate::state::{CONTEXT, LineCache, RecordState, Under, excerpt};

#[derive(Properties, PartialEq)]
pub(crate) struct SourceViewProps {
    pub(crate) line: u64,
    pub(crate) lines: Rc<LineCache>,
    pub(crate) record: RecordState,
    /// The finding that is looked at, by its place in the record's.
    pub(crate) chosen: Option<usize>,
    pub(crate) neighbours: RangeInclusive<u64>,
}

/// The line in full, its neighbours cut short.
#[component]
pub(crate) fn SourceView(props: &SourceViewProps) -> Html {
    let SourceViewProps { line, lines, record, chosen, neighbours } = props;
    let whole = use_state_eq(|| false);
    let show_whole = {
        let whole = whole.setter();
        Callback::from(move |_: MouseEvent| whole.set(true))
    };
    let rows = neighbours.clone().map(|number| {
        if number != *line {
            return html! {
                <div class="source-line" key={number.to_string()}>
                    <span class="number">{ grouped(number) }</span>
                    { line_text(lines.get(number)) }
                </div>
            };
        }
        html! {
            <div class="source-line chosen" key={number.to_string()}>
                <span class="number">{ grouped(number) }</span>
                {
                    match record {
                        RecordState::Here(record) => marked(record, *chosen, *whole, &show_whole),
                        RecordState::Failed(why) => html! { <span class="line-text muted">{ text::inline(why) }</span> },
                        _ => line_text(lines.get(number)),
                    }
                }
            </div>
        }
    });
    html! { <div class="source" data-testid="source">{ for rows }</div> }
}

fn marked(record: &Record, chosen: Option<usize>, whole: bool, show_whole: &Callback<MouseEvent>) -> Html {
    let source = &record.source;
    let context = if whole { source.text.len() } else { CONTEXT };
    let excerpt = excerpt(source, chosen, context);
    let severity = |at: Option<usize>| {
        at.and_then(|at| record.findings.get(at)).map_or(Severity::Info, |finding| finding.severity).as_str()
    };
    html! {
        <span class="record-text">
            { left_out(excerpt.before, "before", show_whole) }
            for segment in &excerpt.segments {
                {
                    match segment.under {
                        Under::Nothing => text::inline(segment.text),
                        Under::Chosen => html! {
                            <mark class={classes!("span", severity(chosen), segment.text.is_empty().then_some("between"))} data-testid="span">
                                { text::marked(segment.text) }
                            </mark>
                        },
                        Under::Other(at) => html! {
                            <span class={classes!("other-span", severity(Some(at)))}>{ text::inline(segment.text) }</span>
                        },
                    }
                }
            }
            { left_out(excerpt.after, "after", show_whole) }
            if source.clipped && excerpt.after == 0 {
                <span class="muted">{ " … the record goes on; only its beginning is shown" }</span>
            }
        </span>
    }
}

fn left_out(n: usize, place: &str, show_whole: &Callback<MouseEvent>) -> Html {
    if n == 0 {
        return Html::default();
    }
    html! {
        <button type="button" class="left-out" onclick={show_whole}>
            { format!("… {} {place}, show all", bytes(n as u64)) }
        </button>
    }
}
