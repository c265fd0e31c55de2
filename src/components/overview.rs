//! Several files: how far, what came of them all, and the list of them.

use std::rc::Rc;

use evalcheck_wire::report::Verdict;
use yew::prelude::*;

use super::file_list::FileList;
use super::format_select::format_select;
use super::icon::Icon;
use super::text;
use super::verdict::copy_label;
use crate::state::number::{bytes, counted, grouped, percent};
use crate::state::{Action, Batch, EngineState, Notice, State, Totals};

/// The screen.
pub(crate) fn overview(state: &State, batch: &Rc<Batch>, dispatch: &Callback<Action>) -> Html {
    let catalogue = &state.catalogue;
    let totals = batch.totals();
    let all = batch.files.len() as u64;
    let runs = batch.is_running();
    let (verdict, words) = headline(&totals, all);
    let (icon, class) = match verdict {
        _ if runs => (None, "running"),
        Verdict::Valid => (Some(Icon::Check), verdict.as_str()),
        Verdict::Invalid => (Some(Icon::Cross), verdict.as_str()),
        Verdict::NotChecked => (Some(Icon::Unknown), verdict.as_str()),
    };
    html! {
        <>
            if let EngineState::Failed(why) = &state.engine {
                <p class="notice" role="alert">
                    { Icon::Warning.draw() }
                    <span>{ format!("The checking engine could not be started: {why}.") }</span>
                    <button type="button" onclick={dispatch.reform(|_| Action::CheckAgain)}>{ "Try again" }</button>
                </p>
            }
            <section
                class={classes!("panel", "verdict", "overview", class)}
                data-testid="overview"
                data-verdict={if runs { "running" } else { verdict.as_str() }}
                aria-labelledby="overview-words"
            >
                <div class="panel-head">
                    if let Some(icon) = icon {
                        <span class="verdict-mark">{ icon.draw() }</span>
                    }
                    <h1 id="overview-words">
                        if runs {
                            { format!("Checking {}", counted(all, "file")) }
                        } else {
                            { words }
                        }
                    </h1>
                    { actions(batch, state.notice, &totals, dispatch) }
                </div>
                if runs {
                    { progress(&totals, all) }
                }
                if let Some(left_out) = &state.left_out {
                    <p class="overview-note muted" data-testid="left-out">{ text::inline(left_out) }</p>
                }
                <div class="panel-foot">
                    { counts(&totals, all) }
                    { format_select(catalogue, state.format.as_ref(), dispatch) }
                </div>
            </section>
            <FileList {batch} {catalogue} {totals} {dispatch} />
        </>
    }
}

/// What all files together come to.
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
    let cell = |id: &'static str, name: &'static str, n: u64, tone: &'static str| {
        let tone = if n > 0 { tone } else { "none" };
        html! {
            <div class={classes!("count", tone)} data-count={id}>
                <dt>{ name }</dt>
                <dd>{ grouped(n) }</dd>
            </div>
        }
    };
    html! {
        <dl class="counts" data-testid="totals">
            { cell("files", "Files", all, "plain") }
            { cell("valid", "Valid", totals.valid, "valid") }
            { cell("invalid", "Not valid", totals.invalid, "error") }
            { cell("not-checked", "Not checked", totals.not_checked, "warning") }
            { cell("records", "Records", totals.records, "plain") }
            { cell("errors", "Errors", totals.errors, "error") }
            { cell("warnings", "Warnings", totals.warnings, "warning") }
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
                { if batch.stopping { "Stopping" } else { "Cancel all" } }
            </button>
        };
    }
    html! {
        <div class="buttons verdict-actions">
            if totals.not_checked > 0 {
                <button type="button" data-testid="check-again" onclick={dispatch.reform(|_| Action::CheckAgain)}>
                    { "Check the rest" }
                </button>
            }
            <button type="button" data-testid="copy-report" onclick={dispatch.reform(|_| Action::CopyReport)}>
                { copy_label(notice) }
            </button>
            <button type="button" data-testid="download-json" onclick={dispatch.reform(|_| Action::DownloadReport)}>
                { Icon::Download.draw() }
                <span>{ "Download JSON" }</span>
            </button>
            <button type="button" class="primary" data-testid="leave" onclick={dispatch.reform(|_| Action::Leave)}>
                { "Check other files" }
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_that_fails_makes_all_of_them_fail() {
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
