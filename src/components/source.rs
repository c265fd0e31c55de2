//! The text of a record with its marks, and the lines around it.

use std::ops::RangeInclusive;
use std::rc::Rc;

use evalcheck_wire::report::Severity;
use evalcheck_wire::view::Record;
use yew::prelude::*;

use super::line_list::line_text;
use super::text;
use crate::display::excerpt::{CONTEXT, SegmentMark, excerpt};
use crate::display::format_number::{bytes, grouped};
use crate::state::{LineCache, RecordState};

#[derive(Properties, PartialEq)]
pub(crate) struct SourceViewProps {
    pub(crate) line: u64,
    pub(crate) lines: Rc<LineCache>,
    pub(crate) record: RecordState,
    /// The index of the selected finding among those of the record.
    pub(crate) selected: Option<usize>,
    /// The lines to show.
    pub(crate) context: RangeInclusive<u64>,
}

/// The record, and the beginnings of the lines around it.
#[component]
pub(crate) fn SourceView(props: &SourceViewProps) -> Html {
    let SourceViewProps { line, lines, record, selected, context } = props;
    let show_all = use_state_eq(|| false);
    let on_show_all = {
        let show_all = show_all.setter();
        Callback::from(move |_: MouseEvent| show_all.set(true))
    };
    let rows = context.clone().map(|number| {
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
                        RecordState::Loaded(record) => marked(record, *selected, *show_all, &on_show_all),
                        RecordState::Failed(why) => html! { <span class="line-text muted">{ text::inline(why) }</span> },
                        _ => line_text(lines.get(number)),
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
) -> Html {
    let source = &record.source;
    let context = if show_all { source.text.len() } else { CONTEXT };
    let excerpt = excerpt(source, selected, context);
    let severity = |at: Option<usize>| {
        at.and_then(|at| record.findings.get(at)).map_or(Severity::Info, |finding| finding.severity).as_str()
    };
    html! {
        <span class="record-text">
            { omitted(excerpt.before, "before", on_show_all) }
            for segment in &excerpt.segments {
                {
                    match segment.mark {
                        SegmentMark::None => text::inline(segment.text),
                        SegmentMark::Selected => html! {
                            <mark class={classes!("span", severity(selected), segment.text.is_empty().then_some("between"))} data-testid="span">
                                { text::marked(segment.text) }
                            </mark>
                        },
                        SegmentMark::Other(at) => html! {
                            <span class={classes!("other-span", severity(Some(at)))}>{ text::inline(segment.text) }</span>
                        },
                    }
                }
            }
            { omitted(excerpt.after, "after", on_show_all) }
            if source.clipped && excerpt.after == 0 {
                <span class="muted">{ " … truncated: only the beginning of the record is shown" }</span>
            }
        </span>
    }
}

fn omitted(n: usize, place: &str, on_show_all: &Callback<MouseEvent>) -> Html {
    if n == 0 {
        return Html::default();
    }
    html! {
        <button type="button" class="omitted" onclick={on_show_all}>
            { format!("… {} {place}, show all", bytes(n as u64)) }
        </button>
    }
}
