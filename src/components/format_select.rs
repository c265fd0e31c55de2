//! The format selector.

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use crate::platform::value_of;
use crate::state::{Action, FormatChoice};

/// Detection by content, then all formats with their versions and options. `detected` is the label of the detected format. `is_locked` is set while
/// another check would lose typed text.
pub(super) fn format_select(
    catalogue: &Catalogue,
    selected: Option<&FormatChoice>,
    detected: Option<String>,
    is_locked: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let onchange =
        dispatch.reform(|event: Event| Action::ChooseFormat(FormatChoice::from_value(&value_of(&event))));
    let option = |value: String, name: String| {
        let selected =
            selected.is_some_and(|selected| Some(selected) == FormatChoice::from_value(&value).as_ref());
        html! { <option key={value.clone()} {value} {selected}>{ name }</option> }
    };
    html! {
        <label class="field">
            <span>{ "Check as" }</span>
            <select data-testid="format-select" disabled={is_locked} {onchange}>
                <option value="" selected={selected.is_none()}>{ detected.unwrap_or_else(|| "Detect by content".to_owned()) }</option>
                for format in &catalogue.formats {
                    { option(format.id.clone(), format.title.clone()) }
                    for version in &format.versions {
                        { option(FormatChoice::value(&format.id, Some(version)), format!("{} {version}", format.title)) }
                    }
                    for known in &format.options {
                        { option(FormatChoice::value_with(&format.id, &known.name), known.title.clone()) }
                    }
                }
            </select>
        </label>
    }
}
