//! The choice of the format.

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use crate::platform::value_of;
use crate::state::{Action, FormatChoice};

/// All formats with their versions, and before them the choice to let the content decide.
pub(super) fn format_select(
    catalogue: &Catalogue,
    chosen: Option<&FormatChoice>,
    dispatch: &Callback<Action>,
) -> Html {
    let onchange =
        dispatch.reform(|event: Event| Action::ChooseFormat(FormatChoice::from_value(&value_of(&event))));
    let option = |id: &str, version: Option<&str>, name: String| {
        let value = FormatChoice::value(id, version);
        let selected = chosen.is_some_and(|chosen| chosen.is(id, version));
        html! { <option key={value.clone()} {value} {selected}>{ name }</option> }
    };
    html! {
        <label class="field">
            <span>{ "Check as" }</span>
            <select data-testid="format-select" {onchange}>
                <option value="" selected={chosen.is_none()}>{ "Detect by content" }</option>
                for format in &catalogue.formats {
                    { option(&format.id, None, format.title.clone()) }
                    for version in &format.versions {
                        { option(&format.id, Some(version), format!("{} {version}", format.title)) }
                    }
                }
            </select>
        </label>
    }
}
