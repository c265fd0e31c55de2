//! The toolbar above the lists of records and lines: goes to a row by its number, and to invalid rows.

use yew::prelude::*;

use super::icon::Icon;
use crate::display::format_number::grouped;
use crate::platform;
use crate::state::{Action, Direction, PreviewAction};

#[derive(Properties, PartialEq)]
pub(crate) struct ListToolbarProps {
    /// The number of rows in the list.
    pub(crate) total: u64,
    /// The noun for a row: `line` or `record`.
    pub(crate) noun: &'static str,
    /// The kind of rows that the buttons go to: `invalid` or `match`.
    #[prop_or("invalid")]
    pub(crate) kind: &'static str,
    /// Receives the number that the user typed.
    pub(crate) on_number: Callback<u64>,
    /// A field for the order of the rows.
    #[prop_or_default]
    pub(crate) order: Html,
    pub(crate) dispatch: Callback<Action>,
}

/// Goes to a row by its number, and to the next or previous row that has an error or matches.
#[component]
pub(crate) fn ListToolbar(props: &ListToolbarProps) -> Html {
    let ListToolbarProps { total, noun, kind, on_number, order, dispatch } = props;
    let field = use_node_ref();
    let onsubmit = {
        let (field, on_number) = (field.clone(), on_number.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let digits = platform::text_of(&field).replace([',', ' ', '.', '\u{a0}'], "");
            if let Ok(number) = digits.parse::<u64>() {
                on_number.emit(number);
            }
        })
    };
    html! {
        <form class="list-toolbar" {onsubmit}>
            <label class="field">
                <span>{ format!("Go to {noun}") }</span>
                <input
                    ref={field}
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    placeholder={format!("1 to {}", grouped(*total))}
                    data-testid={format!("goto-{noun}")}
                />
            </label>
            <button type="submit">{ "Go" }</button>
            <span class="spacer" />
            { order.clone() }
            { go_on(kind, if *kind == "match" { "" } else { noun }, dispatch) }
        </form>
    }
}

/// Two buttons: to the previous and to the next row of a kind.
pub(crate) fn go_on(kind: &str, noun: &str, dispatch: &Callback<Action>) -> Html {
    steps(kind, noun, |direction| PreviewAction::GoOn(direction).into(), dispatch)
}

/// A field for a part of the names of listed files.
pub(crate) fn name_field(testid: &'static str, value: AttrValue, oninput: Callback<InputEvent>) -> Html {
    html! {
        <input
            type="text"
            class="file-search"
            aria-label="Filter by name"
            placeholder="Filter by name"
            autocomplete="off"
            spellcheck="false"
            data-testid={testid}
            {value}
            {oninput}
        />
    }
}

/// A field with options. Passes the number of the chosen option to `choose`.
pub(crate) fn choice(
    label: &'static str,
    testid: &'static str,
    options: impl IntoIterator<Item = String>,
    selected: Option<usize>,
    choose: &Callback<usize>,
) -> Html {
    let onchange = choose.reform(|event: Event| platform::value_of(&event).parse().unwrap_or_default());
    html! {
        <label class="field">
            <span>{ label }</span>
            <select data-testid={testid} {onchange}>
                for (number, name) in options.into_iter().enumerate() {
                    <option value={number.to_string()} selected={selected == Some(number)}>{ name }</option>
                }
            </select>
        </label>
    }
}

/// Two buttons: to the previous and to the next item of a kind.
pub(super) fn steps(
    kind: &str,
    noun: &str,
    action: fn(Direction) -> Action,
    dispatch: &Callback<Action>,
) -> Html {
    let button = |direction: Direction, word: &str, icon: Icon| {
        let label = format!("{word} {kind} {noun}").trim_end().to_owned();
        html! {
            <button
                type="button"
                class="go-on"
                title={label.clone()}
                aria-label={label}
                data-testid={format!("{}-{kind}", word.to_ascii_lowercase())}
                onclick={dispatch.reform(move |_| action(direction))}
            >
                { icon.draw() }
            </button>
        }
    };
    html! {
        <span class="go-on-buttons">
            { button(Direction::Previous, "Previous", Icon::Up) }
            { button(Direction::Next, "Next", Icon::Down) }
        </span>
    }
}
