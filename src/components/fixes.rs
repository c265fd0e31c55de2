//! Fixes: what can be fixed, what was, and the fix of one finding.

use evalcheck_wire::fix::Selection;
use evalcheck_wire::report::{Applicability, EntryEdit, Finding, Fix, Severity};
use evalcheck_wire::view::Line;
use yew::prelude::*;

use super::icon::Icon;
use super::text;
use super::verdict::copy_label;
use crate::display::fix_diff::{Piece, fixed, pieces};
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Check, Copied, Export, FixAction, Fixes, Lookup, Notice};

/// How many findings have a fix that is selected, listed or not.
fn fixable(check: &Check, selection: &Selection) -> u64 {
    check.report().map_or(0, |report| selection.count(&report.counts))
}

/// What can be fixed in the file, and what was.
pub(super) fn fix_bar(check: &Check, exporting: Option<Export>, dispatch: &Callback<Action>) -> Html {
    let safe = fixable(check, &Selection::default());
    html! {
        <>
            { changes(check, exporting, dispatch) }
            if safe > 0 {
                <div class="fix-bar" data-testid="fix-bar">
                    <span>{ format!("{} can be fixed safely.", counted(safe, "finding")) }</span>
                    { button("apply-safe", if safe == 1 { "Fix it" } else { "Fix them" }, FixAction::ApplyAll(Selection::default()), dispatch) }
                </div>
            }
            { invalid_records(check, exporting, dispatch) }
        </>
    }
}

/// What was changed.
fn changes(check: &Check, exporting: Option<Export>, dispatch: &Callback<Action>) -> Html {
    let Some(fixes) = &check.fixes else { return Html::default() };
    let in_archive = check.report().is_some_and(|report| report.file.entry.is_some());
    let left = counted(left(check), "finding");
    html! {
        <div class="fix-bar">
            <span data-testid="fixes-applied">{ format!("{}, {left} left.", summary(fixes)) }</span>
            <button type="button" class="primary" data-testid="download-fixed" onclick={dispatch.reform(|_| FixAction::Download.into())}>
                { Icon::Download.draw() }
                <span>{ "Download fixed dataset" }</span>
            </button>
            if !in_archive {
                { export_button("download-diff", "Download diff", Export::Diff, exporting, dispatch) }
            }
            { button("undo-fixes", "Undo", FixAction::Undo, dispatch) }
        </div>
    }
}

/// What can be done about records with errors, besides fixing them.
fn invalid_records(check: &Check, exporting: Option<Export>, dispatch: &Callback<Action>) -> Html {
    // Records without errors of their own may be invalid because of the header.
    let mut errors = check.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let Some(report) = check.report().filter(|report| report.checked && report.counts.invalid > 0) else {
        return Html::default();
    };
    if !errors.any(|finding| finding.record.is_some()) {
        return Html::default();
    }
    let (invalid, valid) = (report.counts.invalid, report.counts.valid);
    let is_one = invalid == 1;
    html! {
        <div class="fix-bar" data-testid="invalid-records">
            <span>{ format!("{} {} errors.", counted(invalid, "record"), if is_one { "has" } else { "have" }) }</span>
            if valid > 0 {
                { button("drop-invalid", if is_one { "Leave it out" } else { "Leave them out" }, FixAction::DropInvalid, dispatch) }
            }
            { export_button("download-invalid", if is_one { "Download it" } else { "Download them" }, Export::InvalidRecords, exporting, dispatch) }
        </div>
    }
}

/// A button that changes the file.
fn button(id: &'static str, label: &'static str, action: FixAction, dispatch: &Callback<Action>) -> Html {
    let onclick = dispatch.reform(move |_: MouseEvent| action.clone().into());
    html! { <button type="button" class="change" data-testid={id} {onclick}>{ label }</button> }
}

/// A button that asks the worker for a file.
fn export_button(
    id: &'static str,
    label: &'static str,
    what: Export,
    exporting: Option<Export>,
    dispatch: &Callback<Action>,
) -> Html {
    let onclick = dispatch.reform(move |_: MouseEvent| FixAction::Export(what).into());
    let label = if exporting == Some(what) { "Preparing…" } else { label };
    html! { <button type="button" data-testid={id} disabled={exporting.is_some()} {onclick}>{ label }</button> }
}

/// How many findings there are.
fn left(check: &Check) -> u64 {
    check.report().map_or(0, |report| {
        let counts = &report.counts;
        counts.errors + counts.warnings + counts.infos
    })
}

/// What was changed, in words.
pub(super) fn summary(fixes: &Fixes) -> String {
    let noun = if fixes.applied == 1 { "fix" } else { "fixes" };
    let applied = format!("{} {noun} applied", grouped(fixes.applied));
    let left_out = format!("{} left out", counted(fixes.left_out, "record"));
    match (fixes.applied, fixes.left_out) {
        (_, 0) => applied,
        (0, _) => left_out,
        _ => format!("{applied}, {left_out}"),
    }
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
    let selection =
        Selection { not_safe: !is_safe, select: vec![finding.code.clone()], ..Selection::default() };
    let all = fixable(check, &selection);
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
            { diff(check, finding, fix) }
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
                    Piece::Kept(kept) => text::source(kept, false),
                    Piece::Removed(removed) => html! { <del>{ text::inline(removed) }</del> },
                    Piece::Added(added) => html! { <ins>{ text::inline(added) }</ins> },
                } }
            }
        </p>
    }
}
