//! The bar at the top of the results: a mark, one sentence, facts, controls, and a panel of details below them.

use yew::prelude::*;

use super::icon::Icon;
use super::text;
use crate::state::Action;

/// The content of the bar.
#[derive(Debug, Default)]
pub(super) struct Bar {
    /// Its test id.
    pub(super) id: &'static str,
    /// The verdict, or `running`.
    pub(super) verdict: &'static str,
    /// The class of its colour.
    pub(super) tone: &'static str,
    /// The icon of the verdict.
    pub(super) mark: Option<Icon>,
    /// The sentence. If it is clipped, the tooltip and the open bar show its full text.
    pub(super) title: String,
    /// The sentence in a few words. With it, the bar is one line on a narrow screen until it is opened.
    pub(super) short: String,
    /// The second line.
    pub(super) facts: Html,
    /// Chips and buttons.
    pub(super) controls: Html,
    /// A strip below the bar that takes no height of its own.
    pub(super) strip: Html,
    /// The panel that the button for details opens; `None` if there are no details.
    pub(super) panel: Option<Panel>,
}

/// The details below the bar.
#[derive(Debug)]
pub(super) struct Panel {
    /// Whether some of its facts bear on the verdict.
    pub(super) has_notes: bool,
    /// Whether it is shown.
    pub(super) is_open: bool,
    /// Its content.
    pub(super) content: Html,
}

impl Bar {
    /// Renders the bar. `menu` comes after all other controls.
    pub(super) fn draw(self, menu: Html, dispatch: &Callback<Action>) -> Html {
        let Self { id, verdict, tone, mark, title, short, facts, controls, strip, panel } = self;
        let is_open = panel.as_ref().is_some_and(|panel| panel.is_open);
        html! {
            <section
                class={classes!("bar", tone, is_open.then_some("open"))}
                data-testid={id}
                data-verdict={verdict}
                aria-labelledby="bar-title"
            >
                <div class="bar-row">
                    <span class="verdict-mark">{ mark.map(Icon::draw) }</span>
                    <div class="bar-text">
                        <h1 id="bar-title" tabindex="-1" title={title.clone()}>{ text::inline(&title) }</h1>
                        if !short.is_empty() {
                            <p class="bar-short" aria-hidden="true" data-testid="bar-short">{ short }</p>
                        }
                        <div class="bar-facts">{ facts }</div>
                    </div>
                    <div class="bar-controls">
                        // The menu is outside of this element, because a scrolling element would clip it.
                        <div class="bar-buttons">
                            { controls }
                            if let Some(panel) = &panel {
                                { toggle(panel, dispatch) }
                            }
                        </div>
                        { menu }
                    </div>
                </div>
                { strip }
                if let Some(panel) = panel {
                    <div id="bar-panel" class="bar-panel" hidden={!panel.is_open}>{ panel.content }</div>
                }
            </section>
        }
    }
}

/// The button for details, with a dot if some of them bear on the verdict.
fn toggle(panel: &Panel, dispatch: &Callback<Action>) -> Html {
    let Panel { has_notes, is_open, .. } = *panel;
    html! {
        <button
            type="button"
            class="toggle"
            aria-expanded={is_open.to_string()}
            aria-controls="bar-panel"
            data-testid="details-toggle"
            onclick={dispatch.reform(|_| Action::ToggleBarDetails)}
        >
            <span>{ "Details" }</span>
            if has_notes {
                <span class="dot"><span class="visually-hidden">{ ", with notes" }</span></span>
            }
            { Icon::Expand.draw() }
        </button>
    }
}
