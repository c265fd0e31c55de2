//! Fixes: what can be fixed, what was, and the fix of one finding.

use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::{Applicability, EntryEdit, Finding, Fix};
use evalcheck_wire::view::Line;
use yew::prelude::*;

use super::icon::Icon;
use super::text;
use super::verdict::copy_label;
use crate::display::fix_diff::{Piece, fixed, pieces};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Check, Copied, Lookup, Notice};

/// How many findings have a fix of this kind.
fn fixable(check: &Check, applicability: Applicability, code: Option<&str>) -> u64 {
    let fixes = check.findings.iter().filter(|finding| code.is_none_or(|code| finding.code == code));
    let fixes = fixes.filter_map(|finding| finding.fix.as_ref());
    fixes.filter(|fix| fix.applicability == applicability).count() as u64
}

/// What can be fixed in the file, and what was.
pub(super) fn fix_bar(check: &Check, dispatch: &Callback<Action>) -> Html {
    let safe = fixable(check, Applicability::Safe, None);
    if safe == 0 && check.fixes.is_none() {
        return Html::default();
    }
    html! {
        <div class="fix-bar" data-testid="fix-bar">
            if let Some(fixes) = &check.fixes {
                <span data-testid="fixes-applied">
                    { format!("{} applied, {} left.", plural(fixes.applied), counted(left(check), "finding")) }
                </span>
                <button type="button" class="primary" data-testid="download-fixed" onclick={dispatch.reform(|_| Action::DownloadFixed)}>
                    { Icon::Download.draw() }
                    <span>{ "Download fixed dataset" }</span>
                </button>
                <button type="button" data-testid="undo-fixes" onclick={dispatch.reform(|_| Action::UndoFixes)}>
                    { "Undo" }
                </button>
            }
            if safe > 0 {
                <span>{ format!("{} can be fixed safely.", counted(safe, "finding")) }</span>
                <button
                    type="button"
                    data-testid="apply-safe"
                    onclick={dispatch.reform(|_| Action::ApplyFixes(Selection::default()))}
                >
                    { if safe == 1 { "Fix it" } else { "Fix them" } }
                </button>
            }
        </div>
    }
}

/// How many findings there are.
fn left(check: &Check) -> u64 {
    check.report().map_or(0, |report| {
        let counts = &report.counts;
        counts.errors + counts.warnings + counts.infos
    })
}

fn plural(fixes: u64) -> String {
    if fixes == 1 { "1 fix".to_owned() } else { format!("{} fixes", grouped(fixes)) }
}

/// The fix of a finding: what it changes, and buttons to apply it.
pub(super) fn fix_card(
    check: &Check,
    finding: &Finding,
    notice: Option<Notice>,
    dispatch: &Callback<Action>,
) -> Html {
    let Some(fix) = finding.fix.as_deref() else { return Html::default() };
    let is_safe = fix.applicability == Applicability::Safe;
    let others = fixable(check, fix.applicability, Some(&finding.code));
    let selection =
        Selection { not_safe: !is_safe, select: vec![finding.code.clone()], ..Selection::default() };
    let apply = {
        let fix = fix.clone();
        dispatch.reform(move |_| Action::ApplyFix(Box::new(fix.clone())))
    };
    html! {
        <section class="fix-card" data-testid="fix">
            <p>
                <strong>{ if is_safe { "Fix: " } else { "Possible fix: " } }</strong>
                { text::inline(&fix.title) }
            </p>
            { diff(check, finding, fix) }
            { entries(fix) }
            if !check.is_running() {
                <div class="buttons">
                    <button type="button" data-testid="apply-fix" onclick={apply}>{ "Apply" }</button>
                    if others > 1 {
                        <button
                            type="button"
                            data-testid="apply-rule"
                            onclick={dispatch.reform(move |_| Action::ApplyFixes(selection.clone()))}
                        >
                            { format!("Apply to all {} of this rule", grouped(others)) }
                        </button>
                    }
                    if let Some(line) = fixed_line(check, finding, fix) {
                        <button
                            type="button"
                            data-testid="copy-fixed-line"
                            onclick={dispatch.reform(move |_| Action::CopyFixedLine(line.clone()))}
                        >
                            { copy_label(Copied::FixedLine, notice) }
                        </button>
                    }
                </div>
            }
        </section>
    }
}

/// The most entries that are listed.
const MOST_ENTRIES: usize = 5;

/// What becomes of entries of the ZIP.
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

/// The line of a finding, where it is loaded in full.
fn whole_line<'a>(check: &'a Check, finding: &Finding) -> Option<&'a Line> {
    match check.preview.lines.get(finding.line?) {
        Lookup::Loaded(line) if !line.clipped && line.text.len() as u64 == line.bytes => Some(line),
        _ => None,
    }
}

/// The line with the fix made.
fn fixed_line(check: &Check, finding: &Finding, fix: &Fix) -> Option<String> {
    let line = whole_line(check, finding).filter(|_| !fix.edits.is_empty())?;
    fixed(&line.text, line.byte_start, &fix.edits).filter(|fixed| !fixed.trim().is_empty())
}

/// The line before and after.
fn diff(check: &Check, finding: &Finding, fix: &Fix) -> Html {
    if fix.edits.is_empty() {
        return Html::default();
    }
    let Some(line) = whole_line(check, finding) else { return Html::default() };
    let Some(pieces) = pieces(&line.text, line.byte_start, &fix.edits) else { return Html::default() };
    html! {
        <p class="fix-diff mono" data-testid="fix-diff">
            for piece in &pieces {
                { match piece {
                    Piece::Kept(kept) => text::inline(kept),
                    Piece::Removed(removed) => html! { <del>{ text::inline(removed) }</del> },
                    Piece::Added(added) => html! { <ins>{ text::inline(added) }</ins> },
                } }
            }
        </p>
    }
}
