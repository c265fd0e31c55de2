//! The built-in datasets.

use evalcheck_wire::catalogue::{Catalogue, Example};
use yew::prelude::*;

use crate::state::{Action, FormatChoice};

/// A row for each format, with its examples as buttons; for `preset` alone, where one is set.
pub(super) fn examples(
    catalogue: &Catalogue,
    preset: Option<&FormatChoice>,
    dispatch: &Callback<Action>,
) -> Html {
    let formats = catalogue.formats.iter().enumerate().filter(|(_, format)| {
        !format.examples.is_empty() && preset.is_none_or(|preset| preset.id == format.id.as_str())
    });
    html! {
        <section class="examples" aria-labelledby="examples-title">
            <h2 id="examples-title">{ "Or look at an example" }</h2>
            <ul class="example-rows">
                for (at, format) in formats {
                    <li class="example-row" key={format.id.as_str()}>
                        <div class="example-format">
                            <strong>{ &format.title }</strong>
                            <span class="muted" title={format.summary.clone()}>{ &format.summary }</span>
                        </div>
                        <div class="example-buttons">
                            for (nth, example) in format.examples.iter().enumerate() {
                                <button
                                    key={example.id.as_str()}
                                    type="button"
                                    title={example.title.clone()}
                                    aria-label={format!("{}: {}, {}", label(example), format.title, example.title)}
                                    data-testid="example"
                                    data-example={format!("{}/{}", format.id, example.id)}
                                    onclick={dispatch.reform(move |_| Action::OpenExample { format: at, example: nth })}
                                >
                                    { label(example) }
                                </button>
                            }
                        </div>
                    </li>
                }
            </ul>
        </section>
    }
}

/// `minimal-csv` as `Minimal CSV`: the ids of examples are made of their words.
fn label(example: &Example) -> String {
    let mut words = example.id.split('-');
    let first = words.next().unwrap_or_default();
    let (head, tail) = first.split_at(first.len().min(1));
    let mut label = [head.to_ascii_uppercase().as_str(), tail].concat();
    for word in words {
        label.push(' ');
        let is_kind = example.file_name.rsplit_once('.').is_some_and(|(_, kind)| kind == word);
        label.push_str(&if is_kind { word.to_ascii_uppercase() } else { word.to_owned() });
    }
    label
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::catalogue::ExampleContent;

    use super::*;

    #[test]
    fn an_id_is_a_label() {
        let label = |id: &str, file_name: &str| {
            label(&Example {
                id: id.into(),
                title: String::new(),
                file_name: file_name.into(),
                content: ExampleContent::Text(String::new()),
            })
        };
        assert_eq!(label("minimal", "a.jsonl"), "Minimal");
        assert_eq!(label("broken-csv", "a.csv"), "Broken CSV");
        assert_eq!(label("", ""), "");
    }
}
