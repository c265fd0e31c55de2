//! The verdict panel.

use evalcheck_render::text::{FindingText, finding_text, loss};
use evalcheck_wire::report::Verdict;
use yew::prelude::*;

use super::counts::counts_strip;
use super::detection::detection;
use super::fixes::fix_bar;
use super::format_select::format_select;
use super::icon::Icon;
use super::text;
use crate::display::format_number::{bytes, duration, speed};
use crate::state::{
    Action, Check, Copied, Ending, Headline, Loss, Notice, Phase, PreviewAction, State, is_unknown,
};

/// The verdict, the first error, the counts, and buttons for the report.
pub(super) fn verdict_panel(
    state: &State,
    check: &Check,
    headline: &Headline,
    dispatch: &Callback<Action>,
) -> Html {
    let catalogue = &state.catalogue;
    // The overview of a batch shows what was skipped.
    let skipped = state.skipped.as_ref().filter(|_| check.batch_index.is_none());
    let icon = match headline.verdict {
        Verdict::Valid => Icon::Check,
        Verdict::Invalid => Icon::Cross,
        Verdict::NotChecked => Icon::Unknown,
    };
    let died = match &check.phase {
        Phase::Done(Ending::Lost(Loss::Died(message))) => Some(message),
        _ => None,
    };
    html! {
        <section
            class={classes!("panel", "verdict", headline.verdict.as_str())}
            data-testid="verdict"
            data-verdict={headline.verdict.as_str()}
            aria-labelledby="verdict-title"
        >
            <div class="panel-head">
                <span class="verdict-mark">{ icon.draw() }</span>
                <h1 id="verdict-title" tabindex="-1">{ &headline.title }</h1>
                { actions(check, state.notice, dispatch) }
            </div>
            <div class="verdict-details">
                if let Some(note) = &headline.note {
                    <p class="verdict-note">{ text::inline(note) }</p>
                }
                if let Some(message) = died {
                    <p class="muted mono">{ text::inline(message) }</p>
                }
                // For a file of no known format, the panel below says the same in more detail.
                if !check.report().is_some_and(|report| is_unknown(report)) {
                    { first_error(check, dispatch) }
                }
                if let Some(report) = check.report() {
                    for note in &report.notes {
                        <p class="verdict-note" data-testid="note">{ text::inline(note) }</p>
                    }
                }
                if let Some(loss) = check.report().and_then(|report| loss(report)) {
                    <p class="verdict-note" data-testid="loss">
                        { format!("It loads, but the system loses {loss}: the findings say what becomes of them.") }
                    </p>
                }
                { fix_bar(check, state.exporting.as_ref().map(|exporting| exporting.what), dispatch) }
                { facts(check) }
                if let Some(report) = check.report() {
                    { detection(report, catalogue, dispatch) }
                }
                if let Some(skipped) = skipped {
                    <p class="muted" data-testid="skipped">{ text::inline(skipped) }</p>
                }
            </div>
            <div class="panel-foot">
                if let Some(report) = check.report() {
                    { counts_strip(&report.counts) }
                }
                { format_select(catalogue, state.format.as_ref(), state.has_typed(), dispatch) }
            </div>
        </section>
    }
}

/// A link to the first error.
fn first_error(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(index) = check.first_error() else { return Html::default() };
    let Some(finding) = check.findings.get(index) else { return Html::default() };
    let title = if finding.line.is_some() { "First invalid line: " } else { "First error: " };
    let FindingText { place, path, message } = finding_text(finding, &check.dataset.name);
    html! {
        <p class="first-error" data-testid="first-error">
            { title }
            <button
                type="button"
                class="link"
                onclick={dispatch.reform(move |_| PreviewAction::SelectFinding { index, open: true }.into())}
            >
                { place.trim_end_matches(": ") }
            </button>
            { ": " }
            <span class="path">{ text::path(&path) }</span>
            { text::inline(&message) }
        </p>
    }
}

/// The file and the duration of the check.
fn facts(check: &Check) -> Html {
    let dataset = &check.dataset;
    let entry = check.report().and_then(|report| report.file.entry.as_deref());
    html! {
        <ul class="facts">
            <li><strong class="file-name">{ text::inline(&dataset.name) }</strong></li>
            <li>{ bytes(dataset.size) }</li>
            if let Some(entry) = entry {
                <li>{ "dataset in " }<span class="mono">{ text::inline(entry) }</span></li>
            }
            <li>
                { duration(check.elapsed_ms) }
                if let Some(speed) = speed(check.progress.bytes, check.elapsed_ms) {
                    { format!(" at {speed}") }
                }
            </li>
        </ul>
    }
}

fn actions(check: &Check, notice: Option<Notice>, dispatch: &Callback<Action>) -> Html {
    let incomplete = check.verdict() == Some(Verdict::NotChecked);
    html! {
        <div class="buttons verdict-actions">
            <button type="button" data-testid="copy-report" onclick={dispatch.reform(|_| Action::CopyReport)}>
                { copy_label(Copied::Report, notice) }
            </button>
            if check.report().is_some() {
                <button type="button" data-testid="download-json" onclick={dispatch.reform(|_| Action::DownloadReport)}>
                    { Icon::Download.draw() }
                    <span>{ "Download JSON" }</span>
                </button>
            }
            if incomplete {
                <button type="button" data-testid="check-again" onclick={dispatch.reform(|_| Action::CheckAgain)}>
                    { "Check again" }
                </button>
            }
            <button type="button" class="primary" data-testid="start-over" onclick={dispatch.reform(|_| Action::StartOver)}>
                { "Check another file" }
            </button>
        </div>
    }
}

/// The label of a button that copies something.
pub(super) fn copy_label(what: Copied, notice: Option<Notice>) -> Html {
    let (icon, label) = match notice {
        Some(Notice::Copied(copied)) if copied == what => (Icon::Check, "Copied"),
        Some(Notice::NotCopied(copied)) if copied == what => (Icon::Copy, "Not copied"),
        _ => match what {
            Copied::Report => (Icon::Copy, "Copy report"),
            Copied::FixedLine => (Icon::Copy, "Copy fixed line"),
        },
    };
    html! { <>{ icon.draw() }<span>{ label }</span></> }
}
