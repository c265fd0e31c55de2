//! The field for the filter of the lists.

use std::rc::Rc;

use yew::prelude::*;

use super::{suggestions, text};
use crate::display::completion::{self, Known, examples};
use crate::platform;
use crate::state::{Action, Completing, Filter, PreviewAction};

/// The id of the list of suggestions.
const LIST: &str = "filter-suggestions";

#[derive(Properties, PartialEq)]
pub(crate) struct FilterFieldProps {
    pub(crate) filter: Filter,
    /// The completions that the dataset offers for terms.
    pub(crate) known: Rc<Known>,
    /// Whether the records are being searched.
    pub(crate) is_searching: bool,
    pub(crate) dispatch: Callback<Action>,
}

/// The field, suggestions while it has the focus, and its error. Enter filters, Escape closes the suggestions or stops the search.
#[component]
pub(crate) fn FilterField(props: &FilterFieldProps) -> Html {
    let FilterFieldProps { filter, known, is_searching, dispatch } = props;
    let field = use_node_ref();
    // The text typed since the filter was applied; and the suggestion chosen with the arrow keys.
    let draft = use_state(|| None::<AttrValue>);
    let is_open = use_state(|| false);
    let chosen = use_state(|| None::<usize>);
    let typed = draft.as_ref().unwrap_or(&filter.text).clone();
    let shown = if *is_open { completion::suggestions(&typed, known) } else { Vec::new() };
    let has_options = !shown.is_empty();
    {
        // Drops the typed text when a chip or a group changes the filter.
        let draft = draft.setter();
        use_effect_with(filter.text.clone(), move |_| draft.set(None));
    }
    let open = {
        let (is_open, chosen) = (is_open.setter(), chosen.setter());
        Callback::from(move |opens: bool| {
            is_open.set(opens);
            chosen.set(None);
        })
    };
    let type_text = {
        let (draft, open) = (draft.setter(), open.clone());
        Callback::from(move |text: String| {
            draft.set(Some(text.into()));
            open.emit(true);
        })
    };
    let apply = {
        let (dispatch, open, draft) = (dispatch.clone(), open.clone(), draft.setter());
        Callback::from(move |text: String| {
            draft.set(None);
            open.emit(false);
            dispatch.emit(PreviewAction::Filter(text.into()).into());
        })
    };
    let oninput = {
        let field = field.clone();
        type_text.reform(move |_: InputEvent| platform::text_of(&field))
    };
    let onfocus = {
        let (open, dispatch) = (open.clone(), dispatch.clone());
        Callback::from(move |_: FocusEvent| {
            open.emit(true);
            dispatch.emit(Action::choose(|completing: &mut Completing| completing.0 = true));
        })
    };
    let onblur = open.reform(|_: FocusEvent| false);
    let onkeydown = {
        let (shown, chosen, complete) = (shown.clone(), chosen.clone(), type_text.clone());
        let (open, dispatch, is_searching) = (open.clone(), dispatch.clone(), *is_searching);
        let (field, apply) = (field.clone(), apply.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = shown.len().checked_sub(1);
            match (event.key().as_str(), last, *chosen) {
                ("ArrowDown" | "ArrowUp", Some(last), at) => {
                    chosen.set(suggestions::reached(&event.key(), at, last));
                }
                ("Enter", Some(_), Some(at)) => {
                    let query = shown.get(at).map(|suggestion| suggestion.query.clone());
                    complete.emit(query.unwrap_or_default());
                }
                ("Enter", ..) => apply.emit(platform::text_of(&field)),
                ("Escape", Some(_), _) => open.emit(false),
                ("Escape", None, _) if is_searching => dispatch.emit(PreviewAction::StopSearch.into()),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let clear = {
        let apply = apply.clone();
        Callback::from(move |_: MouseEvent| apply.emit(String::new()))
    };
    let active = chosen.map(|at| suggestions::id(LIST, at));
    let choose = {
        let (shown, complete) = (shown.clone(), type_text.clone());
        Callback::from(move |at: usize| {
            if let Some(suggestion) = shown.get(at) {
                complete.emit(suggestion.query.clone());
            }
        })
    };
    html! {
        <div class="filter">
            <div class="filter-field" role="search">
                <input
                    ref={field}
                    type="text"
                    inputmode="search"
                    enterkeyhint="search"
                    role="combobox"
                    aria-label="Filter"
                    aria-expanded={has_options.to_string()}
                    aria-controls={LIST}
                    aria-autocomplete="list"
                    aria-activedescendant={active}
                    aria-invalid={filter.mistake.is_some().to_string()}
                    aria-describedby="filter-mistake"
                    placeholder="Filter: a text, role:user, is:invalid"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    value={typed.clone()}
                    data-testid="filter-field"
                    {oninput}
                    {onfocus}
                    {onblur}
                    {onkeydown}
                />
                if *is_searching {
                    <button type="button" data-testid="stop-search" onclick={dispatch.reform(|_| PreviewAction::StopSearch.into())}>
                        { "Stop" }
                    </button>
                } else if !filter.text.is_empty() {
                    <button type="button" data-testid="clear-filter" onclick={clear}>{ "Clear" }</button>
                }
            </div>
            <div id="filter-mistake" role="status">
                if let Some(mistake) = &filter.mistake {
                    { wrong_part(filter) }
                    <p class="filter-why" data-testid="filter-why">{ text::inline(&format!("{}.", mistake.message)) }</p>
                } else if filter.has_case() {
                    <p class="filter-why muted" data-testid="filter-case">{ "A capital makes the search case-sensitive." }</p>
                }
            </div>
            // An element that scrolls would be the next one that Tab reaches, and is hidden then.
            <ul id={LIST} class="suggestions" role="listbox" tabindex="-1" aria-label="Terms" hidden={!has_options}>
                for (at, suggestion) in shown.iter().enumerate() {
                    { suggestions::option(LIST, at, (&suggestion.term, &suggestion.help), *chosen == Some(at), &choose) }
                }
                if typed.is_empty() {
                    for (term, help) in examples() {
                        <li class="suggestion example" role="presentation">
                            <span class="code">{ term }</span>
                            <span class="muted">{ help }</span>
                        </li>
                    }
                }
            </ul>
        </div>
    }
}

/// The text with the error underlined.
fn wrong_part(filter: &Filter) -> Html {
    let Some([before, wrong, after]) = filter.mistake_in_text() else { return Html::default() };
    html! {
        <p class="query-mistake code" data-testid="query-mistake">
            { text::inline(before) }
            <mark>{ text::inline(wrong) }</mark>
            { text::inline(after) }
        </p>
    }
}
