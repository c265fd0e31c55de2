//! The header.

use yew::prelude::*;

use super::icon::Icon;
use crate::state::{Action, Theme};

/// The name of the page and the theme button.
pub(crate) fn header(theme: Theme, dispatch: &Callback<Action>) -> Html {
    let (icon, name) = match theme {
        Theme::Auto => (Icon::Auto, "Auto"),
        Theme::Light => (Icon::Sun, "Light"),
        Theme::Dark => (Icon::Moon, "Dark"),
    };
    let label = format!("Theme: {}. Change to {}.", theme.as_str(), theme.next().as_str());
    html! {
        <header class="site-header">
            <span class="brand"><svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M8 4c-2.5 0-3 1.2-3 3v2.500c0 1.500-.8 2.500-2 2.500 1.200 0 2 1 2 2.500V17c0 1.800.5 3 3 3M16 4c2.500 0 3 1.200 3 3v2.500c0 1.500.8 2.500 2 2.500-1.200 0-2 1-2 2.500V17c0 1.800-.5 3-3 3" /><path class="tick" d="M8.500 12.300l2.500 2.500 4.500-5" /></svg>{ "evalcheck" }</span>
            <button
                type="button"
                class="quiet"
                aria-label={label}
                data-testid="theme-toggle"
                data-theme-choice={theme.as_str()}
                onclick={dispatch.reform(|_| Action::ChangeTheme)}
            >
                { icon.draw() }
                <span>{ name }</span>
            </button>
        </header>
    }
}
