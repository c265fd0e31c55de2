//! A call of a tool and its result.

use std::rc::Rc;

use evalcheck_report::view::ToolCall;
use yew::prelude::*;

use super::text;
use super::turn::{TurnView, TurnViewProps, finding_list};
use crate::display::format_number::grouped;
use crate::display::tool_results::CallPlace;

/// The maximum number of lines of a box without scrolling.
const MAX_LINES: usize = 20;

/// A box for the lines of a text, which scrolls if there are many.
pub(super) fn lines_box(text: &str, shown: Html, testid: &'static str) -> Html {
    let tabindex = text.lines().nth(MAX_LINES).map(|_| "0");
    html! { <div class="tool-arguments mono" {tabindex} data-testid={testid}>{ shown }</div> }
}

/// A card with the tool, its arguments, the findings about the call, and the turns with the result.
pub(super) fn tool_call_card(
    props: &TurnViewProps,
    place: CallPlace,
    call: &ToolCall,
    findings: &[usize],
) -> Html {
    let TurnViewProps { record, arrangement, attachments, markdown, dispatch, .. } = props;
    let mut results = arrangement.results.of_call(place).peekable();
    let is_complete = record.sample.as_ref().is_some_and(|sample| sample.omitted == 0);
    let is_unanswered = results.peek().is_none() && is_complete;
    html! {
        <section class="tool-call" data-testid="tool-call">
            <h3>
                <span>{ "Tool call" }</span>
                <code>{ text::inline(&call.name) }</code>
                if let Some(id) = &call.id {
                    <span class="mono muted">{ text::inline(id) }</span>
                }
            </h3>
            if let Some(arguments) = &call.arguments {
                {
                    lines_box(
                        &arguments.text,
                        if arguments.is_json {
                            text::json(&arguments.text)
                        } else {
                            html! { <div dir="auto">{ text::block(&arguments.text) }</div> }
                        },
                        "tool-arguments",
                    )
                }
            }
            { finding_list(record, findings, Some(&call.path), dispatch) }
            for (index, is_here) in results {
                if is_here {
                    <TurnView
                        key={index}
                        record={Rc::clone(record)}
                        {index}
                        is_result={true}
                        arrangement={Rc::clone(arrangement)}
                        attachments={Rc::clone(attachments)}
                        markdown={markdown.clone()}
                        {dispatch}
                    />
                } else {
                    <p class="muted" key={index}>
                        { format!("Turn {}, which is shown with another call, is the result.", grouped(index as u64 + 1)) }
                    </p>
                }
            }
            if is_unanswered {
                <p class="muted">
                    if call.id.is_some() {
                        { "No turn answers this call." }
                    } else {
                        { "This call has no id that a result could name." }
                    }
                </p>
            }
        </section>
    }
}
