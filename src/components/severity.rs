//! Severities as a shape, a word and a color, because color alone is not accessible.

use evalcheck_report::Severity;
use yew::prelude::*;

use super::icon::Icon;

/// The icon of a severity.
pub(crate) const fn icon(severity: Severity) -> Icon {
    match severity {
        Severity::Error => Icon::Cross,
        Severity::Warning => Icon::Warning,
        Severity::Info => Icon::Info,
    }
}

/// The icon in its colour, with the word as its title.
pub(crate) fn mark(severity: Severity) -> Html {
    html! {
        <span class={classes!("severity-mark", severity.as_str())} title={severity.as_str()}>{ icon(severity).draw() }</span>
    }
}

/// Icon and word.
pub(crate) fn badge(severity: Severity) -> Html {
    let word = match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    };
    html! { <span class={classes!("badge", severity.as_str())}>{ icon(severity).draw() }{ word }</span> }
}
