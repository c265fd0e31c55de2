//! The results of a batch: progress or verdict, and the list of files.

use std::rc::Rc;

use evalcheck_report::Verdict;
use yew::prelude::*;

use super::bar::{Bar, Panel};
use super::counts::count;
use super::file_list::FileList;
use super::fixes::counted_fixes;
use super::format_select::format_select;
use super::icon::Icon;
use super::menu::{item, menu, start_over};
use super::notices::engine_error;
use super::progress::{cancel_button, loading, strip};
use super::skipped::skipped_note;
use super::user_schema::{chosen_schema, schema_items};
use super::verdict::report_items;
use super::write_question::write_question;
use crate::display::format_number::{bytes, counted, grouped, percent};
use crate::state::{Action, BarDetails, Batch, BatchAction, EngineState, FixedFiles, State, Totals};

/// The screen.
pub(crate) fn overview(state: &State, batch: &Rc<Batch>, dispatch: &Callback<Action>) -> Html {
    let catalogue = &state.catalogue;
    let totals = batch.totals();
    let all = batch.files.len() as u64;
    let runs = batch.is_running();
    let (verdict, title) = headline(&totals, all);
    let mark = match verdict {
        Verdict::Valid => Icon::Check,
        Verdict::Invalid => Icon::Cross,
        Verdict::NotChecked | Verdict::Undecided => Icon::Unknown,
        Verdict::Readable => Icon::Sheet,
    };
    let verdict = if runs { "running" } else { verdict.as_str() };
    let files = counted(all, "file");
    let (running, done, progress) = match state.engine {
        EngineState::Loading if batch.running.is_empty() && totals.done == 0 => {
            loading(state.loaded, &files, totals.total_bytes)
        }
        _ => (
            format!("Checking {files}"),
            percent(totals.bytes, totals.total_bytes),
            progress(&totals, &files),
        ),
    };
    let facts = html! {
        <>
            { format_select(catalogue, state.format.as_ref(), None, false, dispatch) }
            if runs {
                <ul class="facts" data-testid="progress"><li><strong>{ format!("{done}%") }</strong></li>{ progress }</ul>
            } else {
                { fixed_files(batch, totals.invalid, dispatch) }
            }
            { counts(&totals, all, state.opening.skipped.count()) }
        </>
    };
    let is_open = state.look.bar_details == BarDetails::Shown;
    let skipped = skipped_note(&state.opening.skipped);
    let panel = (skipped.is_some() || state.schema.name().is_some()).then(|| Panel {
        has_notes: skipped.is_some(),
        is_open,
        content: html! { <>{ skipped }{ chosen_schema(state, dispatch) }</> },
    });
    let bar = Bar {
        id: "overview",
        verdict,
        tone: verdict,
        mark: (!runs).then_some(mark),
        title: if runs { running } else { title },
        short: String::new(),
        facts,
        controls: controls(batch, &totals, dispatch),
        strip: if runs { strip(done) } else { Html::default() },
        panel,
    };
    let items = if runs { Html::default() } else { menu(actions(state, batch, dispatch)) };
    html! {
        <>
            { engine_error(&state.engine, dispatch) }
            { bar.draw(items, dispatch) }
            <FileList {batch} {catalogue} {totals} {dispatch} />
            { write_question(batch, dispatch) }
        </>
    }
}

/// The verdict on all files together.
fn headline(totals: &Totals, all: u64) -> (Verdict, String) {
    let of_all = |n: u64| format!("{} of {}", grouped(n), counted(all, "file"));
    if totals.invalid > 0 {
        (Verdict::Invalid, format!("Not valid: {}", of_all(totals.invalid)))
    } else if totals.valid + totals.readable < all {
        (Verdict::NotChecked, format!("Not checked: {}", of_all(all - totals.valid - totals.readable)))
    } else if totals.readable > 0 {
        (Verdict::Readable, format!("Not checked for a system: {}", of_all(totals.readable)))
    } else {
        (Verdict::Valid, format!("Valid: all {}", counted(all, "file")))
    }
}

fn progress(totals: &Totals, files: &str) -> Html {
    html! {
        <>
            <li>{ format!("{} of {files}", grouped(totals.done)) }</li>
            <li>{ format!("{} of {}", bytes(totals.bytes), bytes(totals.total_bytes)) }</li>
        </>
    }
}

fn counts(totals: &Totals, all: u64, skipped: u64) -> Html {
    html! {
        <dl class="counts" data-testid="totals">
            { count("files", "Files", all, "plain") }
            { count("valid", "Valid", totals.valid, "valid") }
            { count("invalid", "Not valid", totals.invalid, "error") }
            { count("not-checked", "Not checked", totals.not_checked, "warning") }
            { count("readable", "No system", totals.readable, "readable") }
            if skipped > 0 {
                { count("skipped", "Skipped", skipped, "plain") }
            }
            { count("records", "Records", totals.records, "plain") }
            { count("errors", "Errors", totals.errors, "error") }
            { count("warnings", "Warnings", totals.warnings, "warning") }
        </dl>
    }
}

/// The Cancel button, or the next action.
fn controls(batch: &Batch, totals: &Totals, dispatch: &Callback<Action>) -> Html {
    if batch.is_running() {
        return cancel_button(
            if batch.stopping { "Cancelling" } else { "Cancel all" },
            batch.stopping,
            dispatch,
        );
    }
    if batch.run.is_some() {
        return Html::default();
    }
    let (safe, fixable) = batch.safe_fixes();
    let changed = batch.changed_files().len();
    html! {
        <>
            if safe > 0 {
                <button
                    type="button"
                    class="primary change"
                    data-testid="fix-all"
                    onclick={dispatch.reform(|_| BatchAction::FixAll.into())}
                >
                    { format!("Fix all files: {} in {}", counted_fixes(safe, "safe "), counted(fixable.len() as u64, "file")) }
                </button>
            }
            if safe == 0 && batch.has_unsaved() {
                <button
                    type="button"
                    class="primary"
                    data-testid="download-all"
                    onclick={dispatch.reform(|_| BatchAction::Pack.into())}
                >
                    { Icon::Download.draw() }
                    <span>{ download_label(changed) }</span>
                </button>
            }
            if batch.can_write() {
                <button
                    type="button"
                    data-testid="write-back"
                    onclick={dispatch.reform(|_| BatchAction::AskToWrite(true).into())}
                >
                    { "Write to folder…" }
                </button>
            }
            if totals.not_checked > 0 {
                <button
                    type="button"
                    class={(safe == 0 && changed == 0).then_some("primary")}
                    data-testid="check-again"
                    onclick={dispatch.reform(|_| Action::CheckAgain)}
                >
                    { "Check the others" }
                </button>
            }
        </>
    }
}

fn download_label(files: usize) -> String {
    format!("Download {} (ZIP)", counted(files as u64, "fixed file"))
}

/// The fixes applied to all files, with a button that takes them back.
fn fixed_files(batch: &Batch, invalid: u64, dispatch: &Callback<Action>) -> Html {
    let FixedFiles { files, fixes: applied, written } = batch.fixed_files();
    if files == 0 && written == 0 {
        return Html::default();
    }
    let (applied, files) = (counted_fixes(applied, ""), counted(files, "file"));
    html! {
        <>
            <strong class="fixed" data-testid="fixed-all">
                { format!("{applied} in {files}") }
                { if written > 0 { format!(", {} on disk.", counted(written, "file")) } else { ".".to_owned() } }
                { still_invalid(invalid) }
            </strong>
            if batch.run.is_none() {
                <button
                    type="button"
                    class="link change"
                    data-testid="undo-all"
                    onclick={dispatch.reform(|_| BatchAction::Undo.into())}
                >
                    { "Undo" }
                </button>
            }
        </>
    }
}

fn still_invalid(files: u64) -> String {
    let verb = if files == 1 { "is" } else { "are" };
    if files == 0 { String::new() } else { format!(" {} {verb} still not valid.", counted(files, "file")) }
}

/// All other actions.
fn actions(state: &State, batch: &Batch, dispatch: &Callback<Action>) -> Html {
    let changed = batch.changed_files().len();
    let is_shown = batch.has_unsaved() && batch.safe_fixes().0 == 0;
    html! {
        <>
            if changed > 0 && !is_shown && batch.run.is_none() {
                <div class="menu-group">
                    { item("download-all", "", html! { { download_label(changed) } }, false, dispatch.reform(|_| BatchAction::Pack.into())) }
                </div>
            }
            { schema_items(state, dispatch) }
            <div class="menu-group">
                { report_items(true, state.notices.shown, dispatch) }
                { start_over("Check other files", dispatch) }
            </div>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_invalid_file_makes_the_batch_invalid() {
        let totals =
            |valid, invalid, not_checked| Totals { valid, invalid, not_checked, ..Totals::default() };
        assert_eq!(headline(&totals(2, 0, 0), 2), (Verdict::Valid, "Valid: all 2 files".to_owned()));
        assert_eq!(headline(&totals(1, 1, 0), 2), (Verdict::Invalid, "Not valid: 1 of 2 files".to_owned()));
        assert_eq!(
            headline(&totals(1_000, 0, 234), 1_234),
            (Verdict::NotChecked, "Not checked: 234 of 1,234 files".to_owned())
        );
    }
}
