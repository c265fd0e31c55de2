//! Descriptions of formats, from the catalogue.

use evalcheck_report::Format;
use evalcheck_wire::catalogue::{Catalogue, ExampleContent, FormatInfo};
use yew::prelude::*;

use super::text;
use crate::state::{Action, FormatChoice};

/// The maximum number of characters of an example that are shown.
const EXAMPLE_CHARS: usize = 1_500;

/// The title of a format.
pub(crate) fn title<'c>(catalogue: &'c Catalogue, id: &'c str) -> &'c str {
    catalogue.format(id).map_or(id, |format| format.title.as_str())
}

/// The title of a format, with its version if it has one, or the title of the format with its option.
pub(super) fn name(catalogue: &Catalogue, format: &Format) -> String {
    let mut known = catalogue.format(&format.id).into_iter().flat_map(|format| &format.options);
    let with_option = known.rfind(|option| format.options.contains(&option.name));
    let title = with_option.map_or_else(|| title(catalogue, &format.id), |option| &option.title);
    if format.version.is_empty() { title.to_owned() } else { [title, " ", &format.version].concat() }
}

/// The file types of formats, such as `JSONL, JSON, CSV or ZIP`.
pub(super) fn file_types<'f>(formats: impl Iterator<Item = &'f FormatInfo>) -> Option<String> {
    let mut types: Vec<String> = Vec::new();
    for extension in formats.flat_map(|format| &format.extensions) {
        let extension = extension.to_ascii_uppercase();
        if !types.contains(&extension) {
            types.push(extension);
        }
    }
    let last = types.pop()?;
    Some(if types.is_empty() { last } else { [&types.join(", "), " or ", &last].concat() })
}

/// A button that checks against a format.
pub(crate) fn check_as(title: &str, id: &str, dispatch: &Callback<Action>) -> Html {
    let choice = FormatChoice::any_version(id);
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

/// The minimal example of a format.
pub(super) fn minimal(format: &FormatInfo) -> Html {
    let Some(example) = format.examples.first() else { return Html::default() };
    let ExampleContent::Text(content) = &example.content else { return Html::default() };
    let shown = content.char_indices().nth(EXAMPLE_CHARS).map_or(content.len(), |(at, _)| at);
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

/// A description of a format, in a disclosure widget.
pub(super) fn help(catalogue: &Catalogue, id: &str, open: bool) -> Html {
    let Some(format) = catalogue.format(id) else { return Html::default() };
    html! {
        <details class="format-help" data-testid="format-help" {open}>
            <summary>{ "About this format" }</summary>
            <div>
                <p>{ text::with_code(&format.summary) }</p>
                if !format.expected.is_empty() {
                    <p>{ "Detected by " }{ text::with_code(&format.expected) }{ "." }</p>
                }
                if !format.link.is_empty() {
                    <p><a href={format.link.clone()} target="_blank" rel="noopener noreferrer">{ format!("{} documentation", format.system) }</a></p>
                }
                { minimal(format) }
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::catalogue::FormatOption;

    use super::*;

    fn format(extensions: &[&str]) -> FormatInfo {
        FormatInfo {
            id: "x".into(),
            title: "X".into(),
            system: String::new(),
            link: String::new(),
            expected: String::new(),
            extensions: extensions.iter().map(ToString::to_string).collect(),
            versions: Vec::new(),
            options: vec![FormatOption { name: "y".into(), title: "X for Y".into(), help: String::new() }],
            summary: String::new(),
            loader: String::new(),
            is_loader_known: false,
            is_detected: true,
            names: Vec::new(),
            examples: Vec::new(),
        }
    }

    #[test]
    fn file_types_are_listed_once() {
        assert_eq!(file_types([].iter()), None);
        assert_eq!(file_types([format(&["jsonl"])].iter()).as_deref(), Some("JSONL"));
        let all = Catalogue {
            formats: vec![format(&["jsonl", "zip"]), format(&["jsonl", "csv"])],
            rules: Vec::new(),
        };
        assert_eq!(file_types(all.formats.iter()).as_deref(), Some("JSONL, ZIP or CSV"));
        let chosen = |version: &str, options: &[&str]| Format {
            id: "x".into(),
            version: version.into(),
            options: options.iter().map(ToString::to_string).collect(),
            ..Format::default()
        };
        assert_eq!(name(&all, &chosen("0.3.0", &[])), "X 0.3.0");
        assert_eq!(name(&all, &chosen("", &["y"])), "X for Y");
    }
}
