//! The results of a batch: progress or verdict, and the list of files.

use std::rc::Rc;

use evalcheck_wire::report::Verdict;
use yew::prelude::*;

use super::counts::count;
use super::file_list::FileList;
use super::format_select::format_select;
use super::icon::Icon;
use super::notices::engine_error;
use super::text;
use super::verdict::copy_label;
use crate::display::format_number::{bytes, counted, grouped, percent};
use crate::state::{Action, Batch, Copied, Notice, State, Totals};

/// The screen.
pub(crate) fn overview(state: &State, batch: &Rc<Batch>, dispatch: &Callback<Action>) -> Html {
    let catalogue = &state.catalogue;
    let totals = batch.totals();
    let all = batch.files.len() as u64;
    let runs = batch.is_running();
    let (verdict, title) = headline(&totals, all);
    let (icon, class) = match verdict {
        _ if runs => (None, "running"),
        Verdict::Valid => (Some(Icon::Check), verdict.as_str()),
        Verdict::Invalid => (Some(Icon::Cross), verdict.as_str()),
        Verdict::NotChecked => (Some(Icon::Unknown), verdict.as_str()),
    };
    html! {
        <>
            { engine_error(&state.engine, dispatch) }
            <section
                class={classes!("panel", "verdict", "overview", class)}
                data-testid="overview"
                data-verdict={if runs { "running" } else { verdict.as_str() }}
                aria-labelledby="overview-title"
            >
                <div class="panel-head">
                    if let Some(icon) = icon {
                        <span class="verdict-mark">{ icon.draw() }</span>
                    }
                    <h1 id="overview-title" tabindex="-1">
                        if runs {
                            { format!("Checking {}", counted(all, "file")) }
                        } else {
                            { title }
                        }
                    </h1>
                    { actions(batch, state.notice, &totals, dispatch) }
                </div>
                if runs {
                    { progress(&totals, all) }
                }
                if let Some(skipped) = &state.skipped {
                    <p class="overview-note muted" data-testid="skipped">{ text::inline(skipped) }</p>
                }
                <div class="panel-foot">
                    { counts(&totals, all) }
                    { format_select(catalogue, state.format.as_ref(), false, dispatch) }
                </div>
            </section>
            <FileList {batch} {catalogue} {totals} {dispatch} />
        </>
    }
}

/// The verdict of all files together.
fn headline(totals: &Totals, all: u64) -> (Verdict, String) {
    let of_all = |n: u64| format!("{} of {}", grouped(n), counted(all, "file"));
    if totals.invalid > 0 {
        (Verdict::Invalid, format!("Not valid: {}", of_all(totals.invalid)))
    } else if totals.valid < all {
        (Verdict::NotChecked, format!("Not checked: {}", of_all(all - totals.valid)))
    } else {
        (Verdict::Valid, format!("Valid: all {}", counted(all, "file")))
    }
}

fn progress(totals: &Totals, all: u64) -> Html {
    let done = percent(totals.bytes, totals.total_bytes);
    html! {
        <div class="overview-progress" data-testid="progress">
            <progress max="100" value={done.to_string()} aria-label="Checked">{ format!("{done}%") }</progress>
            <ul class="facts">
                <li><strong>{ format!("{done}%") }</strong></li>
                <li>{ format!("{} of {}", grouped(totals.done), counted(all, "file")) }</li>
                <li>{ format!("{} of {}", bytes(totals.bytes), bytes(totals.total_bytes)) }</li>
            </ul>
        </div>
    }
}

fn counts(totals: &Totals, all: u64) -> Html {
    html! {
        <dl class="counts" data-testid="totals">
            { count("files", "Files", all, "plain") }
            { count("valid", "Valid", totals.valid, "valid") }
            { count("invalid", "Not valid", totals.invalid, "error") }
            { count("not-checked", "Not checked", totals.not_checked, "warning") }
            { count("records", "Records", totals.records, "plain") }
            { count("errors", "Errors", totals.errors, "error") }
            { count("warnings", "Warnings", totals.warnings, "warning") }
        </dl>
    }
}

fn actions(batch: &Batch, notice: Option<Notice>, totals: &Totals, dispatch: &Callback<Action>) -> Html {
    if batch.is_running() {
        return html! {
            <button
                type="button"
                data-testid="cancel"
                disabled={batch.stopping}
                onclick={dispatch.reform(|_| Action::Cancel)}
            >
                { if batch.stopping { "Cancelling" } else { "Cancel all" } }
            </button>
        };
    }
    html! {
        <div class="buttons verdict-actions">
            if totals.not_checked > 0 {
                <button type="button" data-testid="check-again" onclick={dispatch.reform(|_| Action::CheckAgain)}>
                    { "Check the others" }
                </button>
            }
            <button type="button" data-testid="copy-report" onclick={dispatch.reform(|_| Action::CopyReport)}>
                { copy_label(Copied::Report, notice) }
            </button>
            <button type="button" data-testid="download-json" onclick={dispatch.reform(|_| Action::DownloadReport)}>
                { Icon::Download.draw() }
                <span>{ "Download JSON" }</span>
            </button>
            <button type="button" class="primary" data-testid="start-over" onclick={dispatch.reform(|_| Action::StartOver)}>
                { "Check other files" }
            </button>
        </div>
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
