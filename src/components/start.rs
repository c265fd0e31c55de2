//! The start screen. `index.html` contains its first rendering as HTML, which is shown while the page loads; tests/browser/start.spec.ts
//! compares the two.

use evalcheck_wire::catalogue::FormatInfo;
use yew::prelude::*;

use super::examples::examples;
use super::format_select::format_select;
use super::formats;
use super::icon::Icon;
use super::notices::engine_error;
use super::paste::Paste;
use super::rule::rule_page;
use super::text;
use super::user_schema::waiting_schema;
use crate::display::format_number::grouped;
use crate::platform::Pick;
use crate::state::{Action, State};

/// The ways to open a dataset.
pub(crate) fn start(state: &State, open_picker: &Callback<Pick>, dispatch: &Callback<Action>) -> Html {
    let is_embedded = state.embed.is_some();
    let preset = state.embed.as_ref().and_then(|embed| embed.format.as_ref());
    html! {
        <>
            <h1>{ "Check an evaluation dataset before you upload it" }</h1>
            <p class="lead">
                { "See whether the system that it is made for will load it, which lines are invalid, why, and how to fix them." }
            </p>
            if let Some(code) = state.rule.as_ref().filter(|_| !state.rules.is_empty()) {
                { rule(state, code) }
            }
            { return_button(state, dispatch) }
            <section class="drop-zone" tabindex="-1" data-testid="drop-zone" aria-label="Dataset to check">
                if state.opening.pasting {
                    <Paste {dispatch} />
                } else {
                    <span class="drop-mark">{ Icon::Drop.draw() }</span>
                    <p class="drop-words">
                        { if is_embedded { "Drop files or a folder here" } else { "Drop files or a folder anywhere on this page" } }
                    </p>
                    <p class="muted">{ accepted_files(state) }</p>
                    <div class="buttons">
                        <button
                            type="button"
                            class="primary"
                            data-testid="choose-file"
                            onclick={open_picker.reform(|_| Pick::Files)}
                        >
                            { "Choose files" }
                        </button>
                        <button type="button" data-testid="choose-folder" onclick={open_picker.reform(|_| Pick::Folder)}>
                            { "Choose a folder" }
                        </button>
                        <button type="button" data-testid="paste-open" onclick={dispatch.reform(|_| Action::ShowPastePanel(true))}>
                            { "Paste text" }
                        </button>
                    </div>
                }
            </section>
            if let Some(why) = &state.opening.error {
                <p class="notice" role="alert">{ Icon::Warning.draw() }<span>{ why }</span></p>
            }
            { waiting_schema(state, dispatch) }
            { engine_error(&state.engine, dispatch) }
            <div class="start-options">
                { format_select(&state.catalogue, state.format.as_ref(), None, false, dispatch) }
                <p class="privacy">
                    { Icon::Lock.draw() }
                    if let Some(embed) = &state.embed {
                        { "Files stay in this browser." }
                        if embed.is_connected {
                            { " This site receives the report." }
                        }
                    } else {
                        { "Nothing leaves this browser. Files are not uploaded." }
                    }
                </p>
            </div>
            if let Some(chosen) = &state.format {
                { formats::help(&state.catalogue, &chosen.id, true) }
            }
            if !state.catalogue.formats.is_empty() {
                { examples(&state.catalogue, preset, dispatch) }
                { links().filter(|_| !is_embedded) }
            }
        </>
    }
}

/// The button that returns to what is open.
fn return_button(state: &State, dispatch: &Callback<Action>) -> Html {
    let label = match (&state.check, &state.batch) {
        _ if state.aside.is_none() => return Html::default(),
        (Some(check), _) => format!("Return to {}", check.original().name),
        (None, batch) => {
            format!(
                "Return to the {} files",
                grouped(batch.as_ref().map_or(0, |batch| batch.files.len() as u64))
            )
        }
    };
    html! {
        <button type="button" class="return" data-testid="return" onclick={dispatch.reform(|_| Action::Return)}>
            { Icon::Left.draw() }
            <span>{ text::inline(&label) }</span>
        </button>
    }
}

/// Links to the documents of the project, if it is published.
fn links() -> Option<Html> {
    let repository = evalcheck_render::repository()?;
    let pages = [
        ("Formats", "/blob/main/FORMATS.md"),
        ("Rules", "/blob/main/RULES.md"),
        ("Command", "/blob/main/README.md#command"),
        ("Source", ""),
    ];
    let link = |(name, path)| html! { <a href={[repository, path].concat()} rel="noopener">{ name }</a> };
    Some(html! { <nav class="links" aria-label="Documents">{ for pages.map(link) }</nav> })
}

/// The page of the rule named in the address.
fn rule(state: &State, code: &AttrValue) -> Html {
    let Some(rule) = state.rules.iter().find(|rule| rule.code == code.as_str()) else {
        return html! { <p class="notice" role="alert">{ "No rule has the code " }<code>{ code }</code>{ "." }</p> };
    };
    let format = state.format.as_ref().map_or("", |choice| choice.id.as_str());
    html! {
        <article class="rule-page" data-testid="rule-page">
            <h2>{ code }</h2>
            { rule_page(rule, format) }
        </article>
    }
}

/// The accepted file types: of the selected format, else of all formats.
fn accepted_files(state: &State) -> String {
    let selected = state.format.as_ref().and_then(|choice| state.catalogue.format(&choice.id));
    // Formats that take any data have more extensions, which do not fit a line of a phone.
    let is_of_system = |format: &&FormatInfo| !format.system.is_empty() && format.is_detected;
    let of_systems = || state.catalogue.formats.iter().filter(is_of_system);
    let types = match selected {
        Some(format) => formats::file_types([format].into_iter()),
        None => formats::file_types(of_systems()),
    };
    let Some(types) = types else { return "Any size".to_owned() };
    match selected {
        Some(format) => format!("{}: {types}, any size", format.title),
        None => format!("{types}, any size"),
    }
}
