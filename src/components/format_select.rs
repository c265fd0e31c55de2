//! The choice of the format.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use crate::platform::value_of;
use crate::state::{Action, FormatChoice};

#[derive(Properties, PartialEq)]
pub(crate) struct FormatSelectProps {
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) chosen: Option<FormatChoice>,
    pub(crate) dispatch: Callback<Action>,
}

/// All formats with their versions, and before them the choice to let the content decide.
#[component]
pub(crate) fn FormatSelect(props: &FormatSelectProps) -> Html {
    let onchange = props
        .dispatch
        .reform(|event: Event| Action::ChooseFormat(FormatChoice::from_value(&value_of(&event))));
    let option = |id: &str, version: Option<&str>, name: String| {
        let value = FormatChoice::value(id, version);
        let selected = props.chosen.as_ref().is_some_and(|chosen| chosen.is(id, version));
        html! { <option key={value.clone()} {value} {selected}>{ name }</option> }
    };
    html! {
        <label class="field">
            <span>{ "Check as" }</span>
            <select data-testid="format-select" {onchange}>
                <option value="" selected={props.chosen.is_none()}>{ "Detect by content" }</option>
                for format in &props.catalogue.formats {
                    { option(&format.id, None, format.title.clone()) }
                    for version in &format.versions {
                        { option(&format.id, Some(version), format!("{} {version}", format.title)) }
                    }
                }
            </select>
        </label>
    }
}
