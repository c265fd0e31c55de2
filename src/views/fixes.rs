//! The fixes of a file by kind, with examples and check boxes that select the kinds to apply.

use evalcheck_wire::findings::{FixExample, FixGroup};
use evalcheck_wire::fix::FixKind;
use evalcheck_wire::report::Applicability;
use evalcheck_wire::view::Piece;
use yew::prelude::*;

use super::text;
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Check, PreviewAction, Review};

/// The kinds of fixes: first the safe ones, then the others.
pub(super) fn fix_review(check: &Check, dispatch: &Callback<Action>) -> Html {
    let review = &check.preview.review;
    let Some(groups) = &review.groups else {
        return html! { <p class="empty">{ "…" }</p> };
    };
    if groups.is_empty() {
        return html! { <p class="empty">{ "The fixes cannot be listed." }</p> };
    }
    let shown = review.shown();
    let is_safe = |group: &FixGroup| group.kind.applicability == Applicability::Safe;
    let kinds = |safe: bool| {
        let kinds = groups.iter().enumerate().take(shown).filter(|(_, group)| is_safe(group) == safe);
        kinds.map(|(number, group)| kind(number, group, review, check, dispatch)).collect::<Vec<_>>()
    };
    let (safe, others) = (kinds(true), kinds(false));
    let left = groups.len() - shown;
    html! {
        <div class="fix-review" data-testid="fix-review">
            if !safe.is_empty() {
                <h2>{ "Safe fixes" }</h2>
                <p class="muted">{ "They change nothing that the dataset says. Safe fixes that show up only after these are applied too." }</p>
                { safe }
            }
            if !others.is_empty() {
                <h2>{ "Possible fixes" }</h2>
                <p class="muted">{ "Each of them guesses or loses something: look at the examples before you choose them." }</p>
                { others }
            }
            if left > 0 {
                <button
                    type="button"
                    class="link"
                    data-testid="more-fixes"
                    onclick={dispatch.reform(|_| PreviewAction::ShowMoreFixes.into())}
                >
                    { format!("Show more of {} other kinds", grouped(left as u64)) }
                </button>
            }
        </div>
    }
}

fn kind(
    number: usize,
    group: &FixGroup,
    review: &Review,
    check: &Check,
    dispatch: &Callback<Action>,
) -> Html {
    let FixKind { code, path, .. } = &group.kind;
    let records = if group.records > 0 && group.records != group.findings {
        format!(" in {}", counted(group.records, "record"))
    } else {
        String::new()
    };
    let id = format!("fix-kind-{number}");
    html! {
        <div role="group" key={number} class="fix-kind" data-testid="fix-kind" data-code={code.clone()} aria-labelledby={id.clone()}>
            <label>
                <input
                    type="checkbox"
                    checked={review.is_applied(number)}
                    disabled={check.is_running()}
                    onchange={dispatch.reform(move |_| PreviewAction::ChooseFixes(number).into())}
                />
                <span {id}>
                    <strong>{ format!("{} × ", grouped(group.findings)) }</strong>
                    { text::inline(group.title.as_deref().unwrap_or(&group.summary)) }
                    { records }
                </span>
            </label>
            <p class="muted fix-kind-place">
                if let Some(path) = path {
                    <span class="path">{ text::path(path) }</span>
                    { " " }
                }
                <span class="code">{ code }</span>
            </p>
            for example in &group.examples {
                { example_of(example, group.title.is_none(), dispatch) }
            }
        </div>
    }
}

/// One fix: its place and its diff.
fn example_of(example: &FixExample, has_title: bool, dispatch: &Callback<Action>) -> Html {
    let FixExample { line, record, title, diff } = example;
    let place = match (line, record) {
        (Some(line), _) => format!("Line {}", grouped(*line)),
        (None, Some(record)) => format!("Record {}", grouped(record + 1)),
        (None, None) => "File".to_owned(),
    };
    let show = match (*record, *line) {
        (Some(record), line) => Some(PreviewAction::SelectRecord { record, line, open: true }),
        (None, Some(line)) => Some(PreviewAction::SelectLine { line, open: true }),
        (None, None) => None,
    };
    html! {
        <div class="fix-example" data-testid="fix-example">
            if let Some(show) = show {
                <button type="button" class="link" onclick={dispatch.reform(move |_| show.clone().into())}>{ place }</button>
            } else {
                <span>{ place }</span>
            }
            if has_title {
                <span class="fix-example-title">{ text::inline(title) }</span>
            }
            { diff_of(diff) }
        </div>
    }
}

/// The diff of a fix, as pieces; empty for a fix without edits.
pub(super) fn diff_of(diff: &[Piece]) -> Html {
    if diff.is_empty() {
        return Html::default();
    }
    html! {
        <p class="fix-diff mono" data-testid="fix-diff">
            for piece in diff {
                { match piece {
                    Piece::Kept(kept) => text::source(kept, false),
                    Piece::Removed(removed) => html! { <del>{ text::inline(removed) }</del> },
                    Piece::Added(added) => html! { <ins>{ text::inline(added) }</ins> },
                } }
            }
        </p>
    }
}
