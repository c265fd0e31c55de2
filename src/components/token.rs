//! The bytes of a finding, with some context on either side, on one row.

use evalcheck_report::{Finding, Severity};
use yew::prelude::*;

use super::text;
use crate::display::excerpt::{ROW_CONTEXT, Segment, SegmentMark, excerpt};
use crate::state::{Check, RecordState};

/// The row; empty for a finding that is in no line, or whose record is not shown. While the record is loading, the row is empty, so that
/// the content below it does not move.
pub(super) fn token_row(check: &Check, finding: &Finding, selected: Option<usize>) -> Html {
    let row = match &check.preview.details.record {
        RecordState::Loaded(record) => {
            let is_marked = selected.and_then(|at| record.source.marks.get(at)).is_some_and(Option::is_some);
            if !is_marked && !check.preview.loads_text() {
                return Html::default();
            }
            let excerpt = excerpt(&record.source, selected.filter(|_| is_marked), ROW_CONTEXT);
            let at = excerpt.segments.iter().position(|segment| segment.mark == SegmentMark::Selected);
            at.map(|at| row(&excerpt.segments, at, finding.severity))
        }
        RecordState::None if check.preview.place().is_some() => None,
        RecordState::None | RecordState::Missing | RecordState::Failed(_) => return Html::default(),
    };
    html! { <div class="token-row mono" dir="ltr">{ row }</div> }
}

fn row(segments: &[Segment<'_>], at: usize, severity: Severity) -> Html {
    let all = |segments: &[Segment<'_>]| -> Html {
        let on_one_row = |text: &str| text.replace(['\n', '\r', '\t'], " ");
        segments.iter().map(|segment| text::source(&on_one_row(segment.text), segment.is_quoted)).collect()
    };
    let token = &segments[at];
    let is_empty = token.text.is_empty();
    html! {
        <>
            <span class="token-before"><span>{ all(&segments[..at]) }</span></span>
            <mark class={classes!("token", severity.as_str(), is_empty.then_some("between"))} data-testid="token">
                { text::marked(token.text, token.is_quoted) }
            </mark>
            <span class="token-after">{ all(&segments[at + 1..]) }</span>
        </>
    }
}
