//! The text of a line of a list.

use std::ops::Range;

use evalcheck_report::Severity;
use evalcheck_report::view::{Excerpt, Line};
use yew::prelude::*;

use super::text;
use crate::display::isolate::ends_quoted;
use crate::display::line_row::line_row as parts_of;
use crate::state::Lookup;

/// The text of a line, or a placeholder. It begins a little before the first finding.
pub(crate) fn line_text(line: Lookup<'_, Line>) -> Html {
    match line {
        Lookup::Loaded(line) if line.blank => html! { <span class="line-text muted">{ "blank" }</span> },
        Lookup::Loaded(line) => row_text(line),
        Lookup::Loading => html! { <span class="line-text waiting" /> },
        Lookup::Failed => {
            html! { <span class="line-text muted">{ "This line can no longer be read." }</span> }
        }
    }
}

fn row_text(line: &Line) -> Html {
    let Excerpt { text, clipped_before, clipped_after, .. } = &line.excerpt;
    let row = parts_of(&line.excerpt, line.shared);
    let mut is_quoted = ends_quoted(&text[..row.begin], false);
    let mut part = |range: Range<usize>| {
        let part = &text[range];
        let shown = text::source(part, is_quoted);
        is_quoted = ends_quoted(part, is_quoted);
        shown
    };
    html! {
        <span class="line-text">
            if row.begin > 0 || *clipped_before {
                <span class="muted">{ "…" }</span>
            }
            if row.begin < row.shared {
                <span class="shared">{ part(row.begin..row.shared) }</span>
            }
            { part(row.begin.max(row.shared)..row.token.start) }
            if !row.token.is_empty() {
                <span class={classes!("line-token", line.severity.map(Severity::as_str))}>{ part(row.token.clone()) }</span>
            }
            { part(row.token.end..text.len()) }
            if *clipped_after {
                <span class="muted">{ "…" }</span>
            }
        </span>
    }
}
