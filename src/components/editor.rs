//! An editor for the text of a record, with the findings in it while the user types.

use std::rc::Rc;

use evalcheck_report::Finding;
use evalcheck_report::view::Completions;
use yew::prelude::*;

use super::{severity, suggestions, text};
use crate::display::format_number::counted;
use crate::platform;
use crate::state::{Action, Editing, FixAction, PreviewAction};

/// The maximum number of listed findings.
const MOST_LISTED: usize = 20;

/// The maximum number of rows of the text field.
const MOST_ROWS: usize = 24;

/// The approximate number of characters on a row.
const ROW_CHARS: usize = 48;

/// The id of the list of completions at the caret.
const LIST: &str = "edit-suggestions";

#[derive(Properties, PartialEq)]
pub(crate) struct EditorProps {
    pub(crate) editing: Rc<Editing>,
    pub(crate) dispatch: Callback<Action>,
}

/// A text field, the completions at its caret, the findings in its text, and buttons. The arrow keys choose a completion and Enter inserts
/// it; Ctrl+Space requests completions.
#[component]
pub(crate) fn Editor(props: &EditorProps) -> Html {
    let EditorProps { editing, dispatch } = props;
    let field = use_node_ref();
    let mark = editing.mark;
    use_effect_with(field.clone(), move |field| platform::focus_at(field, mark));
    // The rows of the initial text, so that the field does not grow while the user types.
    let rows = use_memo((), |()| {
        let lines = editing.text.lines().map(|line| 1 + line.len() / ROW_CHARS);
        lines.sum::<usize>().clamp(3, MOST_ROWS)
    });
    // The list closes when the caret moves or the focus leaves, because it applies to one position only.
    let is_open = use_state(|| false);
    let chosen = use_state(|| None::<usize>);
    let completions = editing.completions().filter(|_| *is_open);
    let ask = {
        let (dispatch, field) = (dispatch.clone(), field.clone());
        let (is_open, chosen) = (is_open.setter(), chosen.setter());
        Callback::from(move |()| {
            is_open.set(true);
            chosen.set(None);
            let (text, caret) = (platform::text_of(&field), platform::caret_of(&field));
            dispatch.emit(PreviewAction::EditText { text, caret }.into());
        })
    };
    let close = {
        let is_open = is_open.setter();
        Callback::from(move |()| is_open.set(false))
    };
    let choose = {
        let (field, ask, completions) = (field.clone(), ask.clone(), completions.cloned());
        Callback::from(move |at: usize| {
            let Some(Completions { replaced, items }) = &completions else { return };
            if let Some(item) = items.get(at)
                && !platform::replace_text(&field, *replaced, &item.text)
            {
                ask.emit(());
            }
        })
    };
    let is_ready = editing.as_fix().is_some();
    let onkeydown = {
        let (dispatch, ask, close, choose) = (dispatch.clone(), ask.clone(), close.clone(), choose.clone());
        let last = completions.map(|completions| completions.items.len() - 1);
        let chosen = chosen.clone();
        Callback::from(move |event: KeyboardEvent| {
            // Keeps the keys from the shortcuts of the lists.
            event.stop_propagation();
            match (event.key().as_str(), last, *chosen) {
                ("ArrowDown" | "ArrowUp", Some(last), at) if !event.shift_key() => {
                    chosen.set(suggestions::reached(&event.key(), at, last));
                }
                ("Enter", Some(_), Some(at)) if !platform::is_submit_key(&event) => choose.emit(at),
                _ if platform::is_submit_key(&event) && is_ready => {
                    dispatch.emit(FixAction::ApplyEdit.into());
                }
                (" ", ..) if event.ctrl_key() => ask.emit(()),
                ("Escape", Some(_), _) => close.emit(()),
                // The same key press would close the question that may follow.
                ("Escape", None, _) => dispatch.emit(PreviewAction::StopEditing.into()),
                (key, ..) => {
                    if key.starts_with("Arrow") || key.starts_with("Page") || matches!(key, "Home" | "End") {
                        close.emit(());
                    }
                    return;
                }
            }
            event.prevent_default();
        })
    };
    let oninput = ask.reform(|_: InputEvent| ());
    let onclick = close.reform(|_: MouseEvent| ());
    let onblur = close.reform(|_: FocusEvent| ());
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
                aria-autocomplete="list"
                aria-controls={LIST}
                aria-activedescendant={completions.and(*chosen).map(|at| suggestions::id(LIST, at))}
                readonly={editing.is_applied}
                value={editing.text.clone()}
                {oninput}
                {onkeydown}
                {onclick}
                {onblur}
            />
            <ul id={LIST} class="suggestions" role="listbox" tabindex="-1" aria-label="At the caret" hidden={completions.is_none()}>
                for (at, item) in completions.iter().flat_map(|completions| &completions.items).enumerate() {
                    { suggestions::option(LIST, at, (&item.text, &item.help), *chosen == Some(at), &choose) }
                }
            </ul>
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

/// The findings in the text.
fn outcome(editing: &Editing) -> Html {
    let Some(edited) = &editing.edited else {
        return html! { <p class="muted">{ "Findings update as you type. Ctrl+Space completes. The dropped file is never changed." }</p> };
    };
    let Some(findings) = &edited.findings else {
        return html! { <p class="muted">{ "This line decides how others are read. It is checked when you apply it." }</p> };
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
