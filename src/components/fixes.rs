//! Fixes of the whole file: the available ones, the applied ones, and the invalid records.

use evalcheck_report::{Severity, Verdict};
use evalcheck_wire::fix::Selection;
use yew::prelude::*;

use super::icon::Icon;
use super::menu::item;
use crate::display::format_number::{counted, grouped};
use crate::state::{Action, Check, Export, FixAction, Fixes, SchemaAction, is_schema_refused};
use crate::views::fixes::{Review, review};

/// The main action that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Primary {
    /// Review the safe fixes; with their number.
    Review(u64),
    /// Apply the selected fixes; with their number.
    Apply(u64),
    /// Download the fixed file.
    Download,
    /// Check a file without the schema that cannot be held against it.
    WithoutSchema,
    /// Check a file again that was not checked to its end.
    CheckAgain,
}

impl Primary {
    /// Returns the main action for a check.
    pub(super) fn of(check: &Check) -> Option<Self> {
        let review = Review::of(check);
        let is_reviewed = review.is_shown();
        let chosen = if is_reviewed {
            check.report().map_or(0, |report| review.count(&report.counts))
        } else {
            check.fixable(&Selection::default())
        };
        if chosen > 0 {
            return Some(if is_reviewed { Self::Apply(chosen) } else { Self::Review(chosen) });
        }
        if check.fixed_file().is_some_and(|file| !file.is_saved()) {
            return Some(Self::Download);
        }
        if check.report().is_some_and(|report| is_schema_refused(report)) {
            return Some(Self::WithoutSchema);
        }
        (check.verdict() == Some(Verdict::NotChecked)).then_some(Self::CheckAgain)
    }

    /// Its test id and its label.
    fn labels(self) -> (&'static str, String) {
        match self {
            Self::Review(safe) => ("review-fixes", format!("Review {}", fixes(safe))),
            Self::Apply(1) => ("apply-safe", "Apply the fix".to_owned()),
            Self::Apply(safe) => ("apply-safe", format!("Apply {}", fixes(safe))),
            Self::Download => ("download-fixed", "Download fixed dataset".to_owned()),
            Self::WithoutSchema => ("check-without-schema", "Check without the schema".to_owned()),
            Self::CheckAgain => ("check-again", "Check again".to_owned()),
        }
    }

    fn action(self, chosen: &Selection) -> Action {
        match self {
            Self::Review(_) => review(),
            Self::Apply(_) => FixAction::ApplyAll(chosen.clone()).into(),
            Self::Download => FixAction::Download.into(),
            Self::WithoutSchema => SchemaAction::Remove.into(),
            Self::CheckAgain => Action::CheckAgain,
        }
    }

    /// Its button. Each action has its own button, so that a double click does not trigger two actions.
    pub(super) fn button(self, check: &Check, dispatch: &Callback<Action>) -> Html {
        let (id, label) = self.labels();
        let chosen = Review::of(check).selection();
        let kind = match self {
            Self::Apply(_) => Some("change"),
            Self::Review(_) => Some("review"),
            Self::Download | Self::WithoutSchema | Self::CheckAgain => None,
        };
        html! {
            <button
                key={id}
                type="button"
                class={classes!("primary", kind)}
                data-testid={id}
                onclick={dispatch.reform(move |_| self.action(&chosen))}
            >
                if self == Self::Download {
                    { Icon::Download.draw() }
                }
                <span>{ label }</span>
            </button>
        }
    }
}

fn fixes(n: u64) -> String {
    counted_fixes(n, "")
}

/// A number of fixes; `kind` is empty, or ends with a space.
pub(super) fn counted_fixes(n: u64, kind: &str) -> String {
    format!("{} {kind}{}", grouped(n), if n == 1 { "fix" } else { "fixes" })
}

/// The end of a sentence about findings: how many of them have a safe or a possible fix.
pub(crate) fn with_fixes(findings: u64, safe: u64, possible: u64) -> String {
    let with = |fixes: u64, kind: &str| match fixes {
        0 => String::new(),
        all if all == findings => format!(", all with a {kind} fix"),
        some => format!(", {} with a {kind} fix", grouped(some)),
    };
    with(safe, "safe") + &with(possible, "possible")
}

/// Applies the safe fixes of a rule, at one path or anywhere.
pub(crate) fn fix_rule(code: &str, path: Option<&str>) -> Action {
    FixAction::ApplyAll(Selection::of_rule(code, path)).into()
}

/// The label of a button that applies fixes.
pub(crate) fn fix_label(fixes: u64) -> String {
    if fixes == 1 { "Fix it".to_owned() } else { format!("Fix these {}", grouped(fixes)) }
}

fn apply_safe() -> FixAction {
    FixAction::ApplyAll(Selection::default())
}

/// The applied changes, with a button that takes them back.
pub(super) fn changes(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(fixes) = &check.fixes else { return Html::default() };
    let left = counted(left(check), "finding");
    html! {
        <>
            <strong class="fixed" data-testid="fixes-applied">{ format!("{}, {left} left.", summary(fixes)) }</strong>
            <button
                type="button"
                class="link change"
                data-testid="undo-fixes"
                onclick={dispatch.reform(|_| FixAction::Undo.into())}
            >
                { "Undo" }
            </button>
        </>
    }
}

/// Further actions for findings and invalid records, for the menu.
pub(super) fn menu_items(
    check: &Check,
    primary: Option<Primary>,
    exporting: Option<Export>,
    dispatch: &Callback<Action>,
) -> Html {
    let in_archive = check.report().is_some_and(|report| report.file.entry.is_some());
    html! {
        <>
            if let Some(Primary::Review(safe)) = primary {
                <div class="menu-group" data-testid="fix-bar">
                    { button("apply-safe", "change", format!("Apply {}", counted_fixes(safe, "safe ")), apply_safe(), dispatch) }
                </div>
            }
            if check.fixes.is_some() {
                <div class="menu-group">
                    if primary != Some(Primary::Download) {
                        { button("download-fixed", "", "Download fixed dataset".to_owned(), FixAction::Download, dispatch) }
                    }
                    if !in_archive {
                        { export_button("download-diff", "Download diff", Export::Diff, exporting, dispatch) }
                    }
                </div>
            }
            { invalid_records(check, exporting, dispatch) }
        </>
    }
}

/// Actions for records with errors, other than fixing them.
fn invalid_records(check: &Check, exporting: Option<Export>, dispatch: &Callback<Action>) -> Html {
    // Records without their own errors may be invalid because of the header.
    let Some(report) = check.report().filter(|report| report.checked && report.counts.invalid > 0) else {
        return Html::default();
    };
    let mut errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
    if !errors.any(|finding| finding.record.is_some()) {
        return Html::default();
    }
    let (invalid, valid) = (report.counts.invalid, report.counts.valid);
    let records = counted(invalid, "invalid record");
    html! {
        <div class="menu-group" data-testid="invalid-records">
            if valid > 0 {
                { button("drop-invalid", "change", format!("Remove {records}"), FixAction::DropInvalid, dispatch) }
            }
            { export_button("download-invalid", format!("Download the {records}"), Export::InvalidRecords, exporting, dispatch) }
        </div>
    }
}

/// A button for the shown file.
fn button(
    id: &'static str,
    class: &'static str,
    label: String,
    action: FixAction,
    dispatch: &Callback<Action>,
) -> Html {
    item(id, class, html! { { label } }, false, dispatch.reform(move |_| action.clone().into()))
}

/// A button that requests a file from the worker.
pub(super) fn export_button(
    id: &'static str,
    label: impl Into<AttrValue>,
    what: Export,
    exporting: Option<Export>,
    dispatch: &Callback<Action>,
) -> Html {
    let label = if exporting == Some(what) { AttrValue::Static("Preparing…") } else { label.into() };
    let onclick = dispatch.reform(move |_| FixAction::Export(what).into());
    item(id, "", html! { { label } }, exporting.is_some(), onclick)
}

/// The number of findings.
fn left(check: &Check) -> u64 {
    check.report().map_or(0, |report| {
        let counts = &report.counts;
        counts.errors + counts.warnings + counts.infos
    })
}

/// Describes the applied changes.
pub(super) fn summary(fixes: &Fixes) -> String {
    let applied = format!("{} applied", counted_fixes(fixes.applied, ""));
    let left_out = format!("{} left out", counted(fixes.left_out, "record"));
    let taken_back = format!("{} taken back", counted(fixes.taken_back, "change"));
    let parts = [(fixes.applied, applied), (fixes.left_out, left_out), (fixes.taken_back, taken_back)];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
    parts.join(", ")
}
