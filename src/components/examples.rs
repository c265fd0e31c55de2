//! The built-in examples.

use evalcheck_wire::catalogue::{Catalogue, Example};
use yew::prelude::*;

use crate::state::{Action, FormatChoice};

/// The most instructive example: the one of the first format with mistakes.
const BEST: &str = "broken";

/// A button that opens the best example, and on demand a row for each format with links to its examples. With a `preset`, only for that
/// format.
pub(super) fn examples(
    catalogue: &Catalogue,
    preset: Option<&FormatChoice>,
    dispatch: &Callback<Action>,
) -> Html {
    let formats = catalogue.formats.iter().enumerate().filter(|(_, format)| {
        !format.examples.is_empty() && preset.is_none_or(|preset| preset.id == format.id.as_str())
    });
    let best = formats.clone().find_map(|(format, info)| {
        Some((format, info.examples.iter().position(|example| example.id == BEST)?))
    });
    html! {
        <section class="examples" aria-label="Examples">
            if let Some((format, example)) = best {
                <button
                    type="button"
                    data-testid="best-example"
                    onclick={dispatch.reform(move |_| Action::OpenExample { format, example })}
                >
                    { "Try a dataset with mistakes" }
                </button>
            }
            <details data-testid="examples">
            <summary>{ "All examples" }</summary>
            <ul class="example-rows">
                for (format_index, format) in formats {
                    <li class="example-row" key={format.id.as_str()}>
                        <div class="example-format">
                            <strong>{ &format.title }</strong>
                            <span class="muted" title={format.summary.clone()}>{ &format.summary }</span>
                        </div>
                        <div class="example-buttons">
                            for (example_index, example) in format.examples.iter().enumerate() {
                                <a
                                    key={example.id.as_str()}
                                    href={format!("#example={}/{}", format.id, example.id)}
                                    title={example.title.clone()}
                                    aria-label={format!("{}: {}, {}", label(example), format.title, example.title)}
                                    data-testid="example"
                                    data-example={format!("{}/{}", format.id, example.id)}
                                    onclick={open(format_index, example_index, dispatch)}
                                >
                                    { label(example) }
                                </a>
                            }
                        </div>
                    </li>
                }
            </ul>
            </details>
        </section>
    }
}

/// Opens an example here, unless the user opens the link in another tab or window.
fn open(format: usize, example: usize, dispatch: &Callback<Action>) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: MouseEvent| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            dispatch.emit(Action::OpenExample { format, example });
        }
    })
}

/// The label of an example, from its id: `minimal-csv` becomes `Minimal CSV`.
fn label(example: &Example) -> String {
    let extension = example.file_name.rsplit_once('.').map(|(_, extension)| extension);
    let words = example.id.split('-').enumerate().map(|(index, word)| {
        if extension == Some(word) {
            word.to_ascii_uppercase()
        } else if index == 0 {
            let (head, tail) = word.split_at(word.len().min(1));
            [head.to_ascii_uppercase().as_str(), tail].concat()
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::catalogue::ExampleContent;

    use super::*;

    #[test]
    fn ids_become_labels() {
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
        assert_eq!(label("csv", "a.csv"), "CSV");
        assert_eq!(label("", ""), "");
    }
}
