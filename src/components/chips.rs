//! Counts as chips that filter a list.

use evalcheck_report::{Counts, Severity};
use yew::prelude::*;

use super::icon::Icon;
use super::severity::icon;
use crate::display::format_number::grouped;
use crate::state::{Action, Filter, PreviewAction};

/// A chip for each severity with findings, with the exact counts. A chip that is pressed again shows all.
pub(crate) fn severity_chips(counts: &Counts, filter: &Filter, dispatch: &Callback<Action>) -> Html {
    let chip = |id, name, severity: Severity, n| {
        let is_pressed = filter.severity() == Some(severity);
        let next = Some(severity).filter(|_| !is_pressed);
        let onclick = dispatch.reform(move |_: MouseEvent| PreviewAction::FilterSeverity(next).into());
        let chip = Chip { id, name, class: severity.as_str(), icon: Some(icon(severity)), n, is_pressed };
        if n > 0 || is_pressed { chip.draw(onclick) } else { Html::default() }
    };
    html! {
        <div class="chips" role="group" aria-label="Severity">
            { chip("filter-errors", "Errors", Severity::Error, counts.errors) }
            { chip("filter-warnings", "Warnings", Severity::Warning, counts.warnings) }
            { chip("filter-infos", "Notes", Severity::Info, counts.infos) }
        </div>
    }
}

/// A count that filters the list when it is pressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chip {
    /// Its test id.
    pub(crate) id: &'static str,
    /// Its name. Hidden if there is little space and an icon.
    pub(crate) name: &'static str,
    /// The class of its colour.
    pub(crate) class: &'static str,
    /// Its icon.
    pub(crate) icon: Option<Icon>,
    /// The count.
    pub(crate) n: u64,
    /// Whether the list is filtered by it.
    pub(crate) is_pressed: bool,
}

impl Chip {
    /// Renders the chip.
    pub(crate) fn draw(self, onclick: Callback<MouseEvent>) -> Html {
        let Self { id, name, class, icon, n, is_pressed } = self;
        html! {
            <button
                type="button"
                class={classes!("chip", class)}
                title={name}
                aria-pressed={is_pressed.to_string()}
                disabled={n == 0 && !is_pressed}
                data-testid={id}
                {onclick}
            >
                { icon.map(Icon::draw) }
                <span class={classes!(icon.is_some().then_some("chip-name"))}>{ name }</span>
                <span class="number">{ grouped(n) }</span>
            </button>
        }
    }
}
