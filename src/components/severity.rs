//! How severities look: a shape, a word and a colour, so that none of them has to be seen.

use evalcheck_wire::report::Severity;
use yew::prelude::*;

use super::icon::Icon;

/// The shape of a severity.
pub(crate) const fn icon(severity: Severity) -> Icon {
    match severity {
        Severity::Error => Icon::Cross,
        Severity::Warning => Icon::Warning,
        Severity::Info => Icon::Info,
    }
}

/// The shape alone, in its colour; its word is read out.
pub(crate) fn mark(severity: Severity) -> Html {
    html! {
        <span class={classes!("severity-mark", severity.as_str())} title={severity.as_str()}>{ icon(severity).draw() }</span>
    }
}

/// Shape and word.
pub(crate) fn badge(severity: Severity) -> Html {
    let word = match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    };
    html! { <span class={classes!("badge", severity.as_str())}>{ icon(severity).draw() }{ word }</span> }
}
