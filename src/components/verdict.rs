//! The verdict, and what belongs to it.

use evalcheck_wire::catalogue::Catalogue;
use evalcheck_wire::report::Verdict;
use evalcheck_wire::text::{FindingText, finding_text};
use yew::prelude::*;

use super::counts::counts_strip;
use super::format_select::format_select;
use super::icon::Icon;
use super::recognition::recognition;
use super::text;
use crate::state::number::{bytes, duration, speed};
use crate::state::{Action, Check, Ending, FormatChoice, Headline, Loss, Notice, Phase, is_unknown};

/// Verdict, first failing line, counts, and what can be done with them. `left_out` is what came with the file and is
/// not checked.
pub(super) fn verdict_panel(
    headline: &Headline,
    check: &Check,
    catalogue: &Catalogue,
    format: Option<&FormatChoice>,
    left_out: Option<&AttrValue>,
    notice: Option<Notice>,
    dispatch: &Callback<Action>,
) -> Html {
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
            aria-labelledby="verdict-words"
        >
            <div class="panel-head">
                <span class="verdict-mark">{ icon.draw() }</span>
                <h1 id="verdict-words">{ &headline.words }</h1>
                { actions(check, notice, dispatch) }
            </div>
            <div class="verdict-details">
                if let Some(note) = &headline.note {
                    <p class="verdict-note">{ text::inline(note) }</p>
                }
                if let Some(message) = died {
                    <p class="muted mono">{ text::inline(message) }</p>
                }
                // Of a file of no format, the one error says what the panel below says better.
                if !check.report().is_some_and(|report| is_unknown(report)) {
                    { first_failing(check, dispatch) }
                }
                if let Some(report) = check.report() {
                    for note in &report.notes {
                        <p class="verdict-note" data-testid="note">{ text::inline(note) }</p>
                    }
                }
                { facts(check) }
                if let Some(report) = check.report() {
                    { recognition(report, catalogue, dispatch) }
                }
                if let Some(left_out) = left_out {
                    <p class="muted" data-testid="left-out">{ text::inline(left_out) }</p>
                }
            </div>
            <div class="panel-foot">
                if let Some(report) = check.report() {
                    { counts_strip(&report.counts) }
                }
                { format_select(catalogue, format, dispatch) }
            </div>
        </section>
    }
}

/// A link to the first line that fails.
fn first_failing(check: &Check, dispatch: &Callback<Action>) -> Html {
    let Some(at) = check.first_failing() else { return Html::default() };
    let Some(finding) = check.findings.get(at) else { return Html::default() };
    let words = if finding.line.is_some() { "First failing line: " } else { "First error: " };
    let FindingText { place, path, message } = finding_text(finding, &check.dataset.name);
    html! {
        <p class="first-failing" data-testid="first-failing">
            { words }
            <button
                type="button"
                class="link"
                onclick={dispatch.reform(move |_| Action::SelectFinding { at, open: true })}
            >
                { place.trim_end_matches(": ") }
            </button>
            { ": " }
            <span class="path">{ path }</span>
            { message }
        </p>
    }
}

/// The file and the time.
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
                { copy_label(notice) }
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
            <button type="button" class="primary" data-testid="leave" onclick={dispatch.reform(|_| Action::Leave)}>
                { "Check another file" }
            </button>
        </div>
    }
}

/// What stands on a button that copies.
pub(super) fn copy_label(notice: Option<Notice>) -> Html {
    let (icon, word) = match notice {
        None => (Icon::Copy, "Copy report"),
        Some(Notice::Copied) => (Icon::Check, "Copied"),
        Some(Notice::NotCopied) => (Icon::Copy, "Not copied"),
    };
    html! { <>{ icon.draw() }<span>{ word }</span></> }
}
