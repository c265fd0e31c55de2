//! A record as text to be edited, with what is found in it while the user types.

use std::rc::Rc;

use evalcheck_wire::report::Finding;
use yew::prelude::*;

use super::{severity, text};
use crate::display::format_number::counted;
use crate::platform;
use crate::state::{Action, Editing, FixAction, PreviewAction};

/// Findings that are listed.
const MOST_LISTED: usize = 20;

/// Rows of the text field at most.
const MOST_ROWS: usize = 24;

/// Characters that fit on a row, roughly.
const ROW_CHARS: usize = 48;

#[derive(Properties, PartialEq)]
pub(crate) struct EditorProps {
    pub(crate) editing: Rc<Editing>,
    pub(crate) dispatch: Callback<Action>,
}

/// A text field, what is found in its text, and buttons.
#[component]
pub(crate) fn Editor(props: &EditorProps) -> Html {
    let EditorProps { editing, dispatch } = props;
    let field = use_node_ref();
    let mark = editing.mark;
    use_effect_with(field.clone(), move |field| platform::focus_at(field, mark));
    // The rows of the text that editing began with: the field does not grow under the hand.
    let rows = use_memo((), |()| {
        let lines = editing.text.lines().map(|line| 1 + line.len() / ROW_CHARS);
        lines.sum::<usize>().clamp(3, MOST_ROWS)
    });
    let oninput =
        dispatch.reform(|event: InputEvent| PreviewAction::EditText(platform::value_of(&event)).into());
    let is_ready = editing.as_fix().is_some();
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            // Keys of the lists are not meant.
            event.stop_propagation();
            if platform::is_submit_key(&event) && is_ready {
                event.prevent_default();
                dispatch.emit(FixAction::ApplyEdit.into());
            } else if event.key() == "Escape" {
                // The same key would close the question that may follow.
                event.prevent_default();
                dispatch.emit(PreviewAction::StopEditing.into());
            }
        })
    };
    html! {
        <section class="editor" data-testid="editor">
            <label for="edit-text">{ format!("Text of the record on line {}", editing.line) }</label>
            <textarea
                id="edit-text"
                class="mono"
                ref={field}
                rows={rows.to_string()}
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                data-testid="edit-text"
                readonly={editing.is_applied}
                value={editing.text.clone()}
                {oninput}
                {onkeydown}
            />
            <div class="editor-findings" role="status" data-testid="edit-findings">{ outcome(editing) }</div>
            <div class="buttons">
                <button
                    type="button"
                    class="primary change"
                    disabled={!is_ready}
                    data-testid="apply-edit"
                    onclick={dispatch.reform(|_| FixAction::ApplyEdit.into())}
                >
                    { "Apply" }
                </button>
                <button
                    type="button"
                    data-testid="stop-editing"
                    onclick={dispatch.reform(|_| PreviewAction::StopEditing.into())}
                >
                    { "Cancel" }
                </button>
            </div>
        </section>
    }
}

/// What is found in the text.
fn outcome(editing: &Editing) -> Html {
    let Some(edited) = &editing.edited else {
        return html! { <p class="muted">{ "Findings are shown while you type. The dropped file is never changed." }</p> };
    };
    let Some(findings) = &edited.findings else {
        return html! { <p class="muted">{ "What this line says about others shows when it is applied." }</p> };
    };
    if findings.is_empty() {
        return html! { <p class="fine">{ "No findings in this record." }</p> };
    }
    html! {
        <>
            <p>{ format!("{}:", counted(findings.len() as u64, "finding")) }</p>
            <ul>
                for finding in findings.iter().take(MOST_LISTED) {
                    <li>{ listed(finding) }</li>
                }
            </ul>
        </>
    }
}

fn listed(finding: &Finding) -> Html {
    html! {
        <>
            { severity::mark(finding.severity) }
            <span>
                if let Some(path) = &finding.path {
                    <span class="path">{ text::path(path) }</span>
                    { ": " }
                }
                { text::inline(&finding.message) }
            </span>
        </>
    }
}
