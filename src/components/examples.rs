//! The built-in datasets.

use std::rc::Rc;

use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use crate::state::Action;

#[derive(Properties, PartialEq)]
pub(crate) struct ExamplesProps {
    pub(crate) catalogue: Rc<Catalogue>,
    pub(crate) dispatch: Callback<Action>,
}

/// A row of examples for each format.
#[component]
pub(crate) fn Examples(props: &ExamplesProps) -> Html {
    let formats =
        props.catalogue.formats.iter().enumerate().filter(|(_, format)| !format.examples.is_empty());
    html! {
        <section class="examples" aria-labelledby="examples-title">
            <h2 id="examples-title">{ "Or look at an example" }</h2>
            for (at, format) in formats {
                <div class="example-row" key={format.id.as_str()}>
                    <div class="example-format">
                        <strong>{ &format.title }</strong>
                        <span class="muted">{ &format.summary }</span>
                    </div>
                    <ul>
                        for (nth, example) in format.examples.iter().enumerate() {
                            <li key={example.id.as_str()}>
                                <button
                                    type="button"
                                    data-testid="example"
                                    data-example={format!("{}/{}", format.id, example.id)}
                                    onclick={props.dispatch.reform(move |_| Action::OpenExample { format: at, example: nth })}
                                >
                                    { &example.title }
                                </button>
                            </li>
                        }
                    </ul>
                </div>
            }
        </section>
    }
}
