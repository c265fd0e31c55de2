//! The schema of the user's own: which one, and what to do with it.

use yew::prelude::*;

use super::menu::item;
use super::text;
use crate::display::format_number::counted;
use crate::state::{Action, SchemaAction, State};

/// On the start screen: the schema that waits for its dataset.
pub(super) fn waiting_schema(state: &State, dispatch: &Callback<Action>) -> Html {
    let Some(name) = state.schema.name() else { return Html::default() };
    html! {
        <div class="notice news schema-notice" role="status" data-testid="waiting-schema">
            <span>
                <strong class="file-name">{ text::inline(name) }</strong>
                { further_files(state) }
                { ": drop the dataset that should follow it." }
            </span>
            { formats(state, dispatch) }
            <button type="button" data-testid="remove-schema" aria-label={format!("Remove the schema {name}")} onclick={remove(dispatch)}>
                { "Remove" }
            </button>
        </div>
    }
}

/// In the details of a verdict: the schema, and buttons to choose another one.
pub(super) fn chosen_schema(state: &State, dispatch: &Callback<Action>) -> Html {
    let name = state.schema.name();
    html! {
        <div class="chosen-schema" role="group" aria-label="Schema of your own" data-testid="user-schema">
            <p>
                { "Schema of your own: " }
                if let Some(name) = name {
                    <strong class="file-name">{ text::inline(name) }</strong>
                    { further_files(state) }
                } else {
                    <span class="muted">{ "none" }</span>
                }
            </p>
            <button type="button" data-testid="choose-schema" disabled={state.has_typed()} onclick={pick(dispatch)}>
                { if name.is_some() { "Choose another…" } else { "Choose a file…" } }
            </button>
            if name.is_some() {
                <button type="button" data-testid="remove-schema" disabled={state.has_typed()} onclick={remove(dispatch)}>
                    { "Remove" }
                </button>
                { formats(state, dispatch) }
            }
        </div>
    }
}

/// The same in the menu of the bar.
pub(super) fn schema_items(state: &State, dispatch: &Callback<Action>) -> Html {
    let can_make = state.check.as_ref().is_some_and(|check| check.has_statistics());
    let (has_schema, is_locked) = (state.schema.name().is_some(), state.has_typed());
    let label =
        if has_schema { "Check with another schema…" } else { "Check with a schema of your own…" };
    html! {
        <div class="menu-group">
            { item("pick-schema", "", html! { { label } }, is_locked, pick(dispatch)) }
            if has_schema {
                { item("drop-schema", "", html! { { "Remove the schema" } }, is_locked, remove(dispatch)) }
            }
            if can_make {
                { item("make-schema", "", html! { { "Make a schema of this dataset" } }, false, dispatch.reform(|_| SchemaAction::Make.into())) }
            }
        </div>
    }
}

fn further_files(state: &State) -> String {
    match state.schema.further_files() as u64 {
        0 => String::new(),
        further => format!(" and {}", counted(further, "further file")),
    }
}

/// Whether strings are held against the formats that the schema names.
fn formats(state: &State, dispatch: &Callback<Action>) -> Html {
    let next = !state.schema.checks_formats;
    let onchange = dispatch.reform(move |_: Event| SchemaAction::CheckFormats(next).into());
    html! {
        <label class="check" title="Such as date-time or email. JSON Schema takes them as remarks.">
            <input
                type="checkbox"
                data-testid="schema-formats"
                checked={state.schema.checks_formats}
                disabled={state.has_typed()}
                {onchange}
            />
            <span>{ "Hold strings against " }<code>{ "format" }</code></span>
        </label>
    }
}

fn pick(dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(|_| SchemaAction::Pick.into())
}

fn remove(dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    dispatch.reform(|_| SchemaAction::Remove.into())
}
