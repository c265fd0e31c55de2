//! The fix of one finding.

use evalcheck_report::view::Line;
use evalcheck_report::{Applicability, EntryEdit, Finding, Fix};
use evalcheck_wire::fix::Selection;
use evalcheck_wire::question::{Answer, List, Question};
use yew::prelude::*;

use super::diff::diff_of;
use super::text;
use super::verdict::copy_label;
use crate::display::fixed_line::fixed;
use crate::display::format_number::grouped;
use crate::state::{Action, Check, Copied, FixAction, Notice};

/// The fix of a finding: its diff, and buttons to apply it.
pub(super) fn fix_card(
    check: &Check,
    finding: &Finding,
    notice: Option<Notice>,
    dispatch: &Callback<Action>,
) -> Html {
    let Some(fix) = finding.fix.as_deref() else { return Html::default() };
    let is_safe = fix.applicability == Applicability::Safe;
    let selection =
        Selection { not_safe: !is_safe, select: vec![finding.code.clone()], ..Selection::default() };
    let all = check.fixable(&selection);
    let apply = {
        let fix = fix.clone();
        dispatch.reform(move |_| FixAction::ApplyOne(Box::new(fix.clone())).into())
    };
    html! {
        <section class="fix-card" data-testid="fix">
            <p>
                <strong>{ if is_safe { "Fix: " } else { "Possible fix: " } }</strong>
                { text::inline(&fix.title) }
            </p>
            { diff(check, fix) }
            { entries(fix) }
            if !check.is_running() {
                <div class="buttons">
                    <button type="button" class="change" data-testid="apply-fix" onclick={apply}>{ "Apply" }</button>
                    if all > 1 {
                        <button
                            type="button"
                            class="change"
                            data-testid="apply-rule"
                            onclick={dispatch.reform(move |_| FixAction::ApplyAll(selection.clone()).into())}
                        >
                            { format!("Apply to all {} of this rule", grouped(all)) }
                        </button>
                    }
                    if let Some(line) = fixed_line(check, finding, fix) {
                        <button
                            type="button"
                            data-testid="copy-fixed-line"
                            onclick={dispatch.reform(move |_| Action::CopyText(Copied::FixedLine, line.clone()))}
                        >
                            { copy_label(Copied::FixedLine, notice) }
                        </button>
                    }
                </div>
            }
        </section>
    }
}

/// The maximum number of listed entries.
const MOST_ENTRIES: usize = 5;

/// The changes to entries of the ZIP.
fn entries(fix: &Fix) -> Html {
    let more = fix.entries.len().saturating_sub(MOST_ENTRIES);
    html! {
        <>
            for EntryEdit { entry, rename } in fix.entries.iter().take(MOST_ENTRIES) {
                <p class="fix-diff mono" data-testid="fix-entry">
                    <del>{ text::inline(entry) }</del>
                    if let Some(name) = rename {
                        { " " }
                        <ins>{ text::inline(name) }</ins>
                    }
                </p>
            }
            if more > 0 {
                <p class="muted">{ format!("and {} more", grouped(more as u64)) }</p>
            }
        </>
    }
}

/// The line of a finding, if it is loaded in full.
fn whole_line<'a>(check: &'a Check, finding: &Finding) -> Option<&'a Line> {
    let line = check.preview.answers.item::<Line>(&List::Lines, finding.line?.checked_sub(1)?).loaded()?;
    Some(line).filter(|line| line.excerpt.text.len() as u64 == line.bytes)
}

/// The line with the fix applied.
fn fixed_line(check: &Check, finding: &Finding, fix: &Fix) -> Option<String> {
    let line = whole_line(check, finding).filter(|_| !fix.edits.is_empty())?;
    fixed(&line.excerpt.text, line.byte_start, &fix.edits).filter(|fixed| !fixed.trim().is_empty())
}

/// The diff of the fix, if it is loaded.
fn diff(check: &Check, fix: &Fix) -> Html {
    let asked = check.preview.details.fix.as_deref().filter(|asked| match asked {
        Question::FixDiff(asked) => **asked == *fix,
        _ => false,
    });
    let diff = asked.and_then(|asked| check.preview.answers.get(asked, Answer::try_as_fix_diff_ref));
    diff.map(|diff| diff_of(diff)).unwrap_or_default()
}
