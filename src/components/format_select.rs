//! The choice of the format.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use crate::platform::value_of;
use crate::state::Action;

#[derive(Properties, PartialEq)]
pub(crate) struct FormatSelectProps {
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) chosen: Option<AttrValue>,
    pub(crate) dispatch: Callback<Action>,
}

/// All formats, and the choice to let the content decide.
#[component]
pub(crate) fn FormatSelect(props: &FormatSelectProps) -> Html {
    let onchange = props.dispatch.reform(|event: Event| {
        let value = value_of(&event);
        Action::ChooseFormat((!value.is_empty()).then(|| value.into()))
    });
    html! {
        <label class="field">
            <span>{ "Check as" }</span>
            <select data-testid="format-select" {onchange}>
                <option value="" selected={props.chosen.is_none()}>{ "Detect by content" }</option>
                for format in &props.catalogue.formats {
                    <option
                        key={format.id.as_str()}
                        value={format.id.clone()}
                        selected={props.chosen.as_deref() == Some(format.id.as_str())}
                    >
                        { &format.title }
                    </option>
                }
            </select>
        </label>
    }
}
