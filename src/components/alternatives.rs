//! The formats that a file might be of besides the one it was checked against.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::{Alternative, Report};
use yew::prelude::*;

use super::text;
use crate::state::Action;

/// So many are worth a look.
const SHOWN: usize = 3;

#[derive(Properties, PartialEq)]
pub(crate) struct AlternativesProps {
    pub(crate) report: Rc<Report>,
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) dispatch: Callback<Action>,
}

/// A line of links where the format is known, a short list with reasons where it is not.
#[component]
pub(crate) fn Alternatives(props: &AlternativesProps) -> Html {
    let format = &props.report.format;
    let others = format.others.iter().take(SHOWN);
    if format.id.is_empty() {
        return html! {
            <ul class="alternatives" data-testid="alternatives">
                for other in others {
                    <li key={other.id.as_str()}>
                        { link(other, props) }
                        <span class="muted">{ ": " }{ text::inline(&other.reason) }</span>
                    </li>
                }
            </ul>
        };
    }
    html! {
        <p class="alternatives" data-testid="alternatives">
            { "Fits too: " }
            for (at, other) in others.enumerate() {
                if at > 0 {
                    { ", " }
                }
                { link(other, props) }
            }
        </p>
    }
}

fn link(other: &Alternative, props: &AlternativesProps) -> Html {
    let known = props.catalogue.formats.iter().find(|info| info.id == other.id);
    let title = known.map_or(other.id.as_str(), |info| info.title.as_str());
    let id = AttrValue::from(other.id.clone());
    html! {
        <button
            type="button"
            class="link"
            title={other.reason.clone()}
            onclick={props.dispatch.reform(move |_| Action::ChooseFormat(Some(id.clone())))}
        >
            { title }
        </button>
    }
}
