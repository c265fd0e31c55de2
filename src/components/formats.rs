//! What the catalogue says of formats.

use evalcheck_wire::catalogue::{Catalogue, ExampleContent, FormatInfo};
use yew::prelude::*;

use super::text;
use crate::state::{Action, FormatChoice};

/// Characters of an example that are shown.
const SHOWN: usize = 1_500;

/// A format by its id.
pub(super) fn by_id<'a>(catalogue: &'a Catalogue, id: &str) -> Option<&'a FormatInfo> {
    catalogue.formats.iter().find(|format| format.id == id)
}

/// The name of a format, with its version where it has several.
pub(super) fn name(catalogue: &Catalogue, id: &str, version: &str) -> String {
    let title = by_id(catalogue, id).map_or(id, |format| format.title.as_str());
    if version.is_empty() { title.to_owned() } else { [title, " ", version].concat() }
}

/// The kinds of files that there are for formats: `JSONL, JSON, CSV or ZIP`.
pub(super) fn kinds(formats: &[FormatInfo]) -> Option<String> {
    let mut kinds: Vec<String> = Vec::new();
    for extension in formats.iter().flat_map(|format| &format.extensions) {
        let kind = extension.to_ascii_uppercase();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let last = kinds.pop()?;
    Some(if kinds.is_empty() { last } else { [&kinds.join(", "), " or ", &last].concat() })
}

/// A button that checks against a format.
pub(super) fn check_as(title: &str, id: &str, dispatch: &Callback<Action>) -> Html {
    let choice = FormatChoice::of(id);
    let id = id.to_owned();
    html! {
        <button
            type="button"
            data-testid="check-as"
            data-format={id}
            onclick={dispatch.reform(move |_| Action::ChooseFormat(Some(choice.clone())))}
        >
            { "Check as " }{ title }
        </button>
    }
}

/// The minimal example of a format, to compare with.
pub(super) fn minimal(format: &FormatInfo) -> Html {
    let Some(example) = format.examples.first() else { return Html::default() };
    let ExampleContent::Text(content) = &example.content else { return Html::default() };
    let shown = content.char_indices().nth(SHOWN).map_or(content.len(), |(at, _)| at);
    html! {
        <figure class="format-example" data-testid="format-example">
            <figcaption>{ &example.file_name }</figcaption>
            <pre tabindex="0">
                { text::block(&content[..shown]) }
                if shown < content.len() {
                    <span class="muted">{ "…" }</span>
                }
            </pre>
        </figure>
    }
}

/// What there is to know of a format, folded away.
pub(super) fn help(catalogue: &Catalogue, id: &str, open: bool) -> Html {
    let Some(format) = by_id(catalogue, id) else { return Html::default() };
    html! {
        <details class="format-help" data-testid="format-help" {open}>
            <summary>{ "About this format" }</summary>
            <div>
                <p>{ text::prose(&format.summary) }</p>
                if !format.wants.is_empty() {
                    <p>{ "It is recognised by " }{ text::prose(&format.wants) }{ "." }</p>
                }
                if !format.link.is_empty() {
                    <p><a href={format.link.clone()} target="_blank" rel="noopener noreferrer">{ format!("How {} describes it", format.system) }</a></p>
                }
                { minimal(format) }
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(extensions: &[&str]) -> FormatInfo {
        FormatInfo {
            id: "x".into(),
            title: "X".into(),
            system: String::new(),
            link: String::new(),
            wants: String::new(),
            extensions: extensions.iter().map(ToString::to_string).collect(),
            versions: Vec::new(),
            summary: String::new(),
            examples: Vec::new(),
        }
    }

    #[test]
    fn kinds_of_files_are_named_once() {
        assert_eq!(kinds(&[]), None);
        assert_eq!(kinds(&[format(&["jsonl"])]).as_deref(), Some("JSONL"));
        let all = Catalogue {
            formats: vec![format(&["jsonl", "zip"]), format(&["jsonl", "csv"])],
            rules: Vec::new(),
        };
        assert_eq!(kinds(&all.formats).as_deref(), Some("JSONL, ZIP or CSV"));
        assert_eq!(name(&all, "x", "0.3.0"), "X 0.3.0");
    }
}
