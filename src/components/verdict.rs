//! The bar with the verdict.

use evalcheck_report::text::clip;
use evalcheck_report::{File, Report, Verdict};
use evalcheck_wire::catalogue::Catalogue;
use yew::prelude::*;

use super::bar::{Bar, Panel};
use super::chips::severity_chips;
use super::counts::counts_strip;
use super::detection::{alternatives, detection};
use super::fixes::{Primary, changes, export_button, menu_items};
use super::format_select::format_select;
use super::formats;
use super::icon::Icon;
use super::menu::{item, menu, start_over};
use super::skipped::skipped_note;
use super::text;
use super::user_schema::{chosen_schema, schema_items};
use crate::display::format_number::{bytes, duration, speed};
use crate::platform::value_of;
use crate::state::{
    Action, BarDetails, Check, CompareAction, Copied, DiskAction, Ending, Export, Headline, KeyList, Loss,
    Notice, OnDisk, Phase, State, Watch, as_loaded, is_unknown,
};

/// The maximum number of characters of the name of another file that are shown.
const MOST_OF_NAME: usize = 30;

/// The verdict, the file and its format, the counts, the next action, a menu, and details on demand.
pub(super) fn verdict_bar(
    state: &State,
    check: &Check,
    headline: &Headline,
    dispatch: &Callback<Action>,
) -> Html {
    let report = check.report();
    let is_unknown = report.is_some_and(|report| is_unknown(report));
    let (mark, tone) = match headline.verdict {
        // The file may be valid for a system that evalcheck does not know.
        _ if is_unknown => (Icon::Unknown, "unknown"),
        Verdict::Valid => (Icon::Check, "valid"),
        Verdict::Invalid => (Icon::Cross, "invalid"),
        Verdict::NotChecked => (Icon::Unknown, "not-checked"),
        Verdict::Readable => (Icon::Sheet, "readable"),
        Verdict::Undecided => (Icon::Unknown, "undecided"),
    };
    let question = report.and_then(|report| question(report, &state.catalogue));
    let detected = report.filter(|report| report.format.detected && !report.format.id.is_empty());
    let detected = detected.map(|report| {
        let name = formats::name(&state.catalogue, &report.format);
        format!("{name}, {}", report.format.certainty())
    });
    let detected = detected.or_else(|| is_unknown.then(|| "Format: not recognised".to_owned()));
    let chooser =
        format_select(&state.catalogue, state.format.as_ref(), detected, state.has_typed(), dispatch);
    let is_undecided = headline.verdict == Verdict::Undecided;
    // A fix would be one for the first of the systems.
    let primary = Primary::of(check).filter(|_| !is_undecided);
    let name = html! {
        <strong class="file-name" title={check.dataset.name.to_string()}>{ text::inline(&check.dataset.name) }</strong>
    };
    let facts = html! {
        <>
            if question.is_some() {
                <span class="question-chooser">{ "Check for: " }{ chooser }</span>
                if !is_undecided {
                    <strong>{ &headline.title }</strong>
                }
                { name }
            } else {
                { name }
                { chooser }
            }
            if let Some(report) = report {
                { other_entries(&report.file, dispatch) }
            }
            { changes(check, dispatch) }
            if let Some(previous) = state.comparable_previous() {
                <button
                    type="button"
                    class="link"
                    data-testid="compare-previous"
                    title={previous.name.clone()}
                    onclick={dispatch.reform(|_| CompareAction::WithPrevious.into())}
                >
                    if previous.name == check.dataset.name {
                        { "Compare with the version before" }
                    } else {
                        { text::inline(&format!("Compare with {}", clip(&previous.name, MOST_OF_NAME))) }
                    }
                </button>
            }
            if let Some(since) = &check.since {
                <span class="bar-reason since" title={since.clone()} data-testid="since">{ since }</span>
            }
            if check.since.is_none() {
                { reason(headline) }
            }
        </>
    };
    let controls = html! {
        <>
            // The findings of a file of no known format are not listed.
            if let Some(report) = report.filter(|report| !is_unknown && !is_undecided && !report.findings.is_empty()) {
                { severity_chips(&report.counts, &check.preview.filter, dispatch) }
            }
            { primary.map(|primary| primary.button(check, dispatch)) }
            if is_cancelled(check) {
                { check_again(primary, dispatch) }
            }
        </>
    };
    let bar = Bar {
        id: "verdict",
        verdict: headline.verdict.as_str(),
        tone,
        mark: Some(mark),
        // A question and its field are shown in full.
        short: if question.is_some() { String::new() } else { headline.short.clone() },
        title: question.unwrap_or_else(|| headline.title.clone()),
        facts,
        controls,
        strip: Html::default(),
        panel: Some(panel(state, check, headline, dispatch)),
    };
    bar.draw(menu(actions(state, check, primary, dispatch)), dispatch)
}

/// A note on an uncertain format. The format selector follows. An empty file looks like nothing.
fn question(report: &Report, catalogue: &Catalogue) -> Option<String> {
    let format = &report.format;
    if format.id.is_empty() || format.plain || format.is_certain() || report.file.size == 0 {
        return None;
    }
    let system = |id: &str| catalogue.format(id).map_or(id.to_owned(), |format| format.system.clone());
    let mut systems = vec![system(&format.id)];
    let others = alternatives(format).map(|other| &other.id);
    let others: Vec<&String> =
        if format.rivals.is_empty() { others.collect() } else { format.rivals.iter().collect() };
    for other in others {
        let other = system(other);
        if !systems.contains(&other) {
            systems.push(other);
        }
    }
    Some(format!("This looks like a dataset of {}.", systems.join(", or of ")))
}

/// A field for another file of a ZIP that has several of no system.
fn other_entries(file: &File, dispatch: &Callback<Action>) -> Html {
    let Some(entry) = file.entry.as_ref().filter(|_| !file.other_entries.is_empty()) else {
        return Html::default();
    };
    let onchange = dispatch.reform(|event: Event| Action::ChooseEntry(value_of(&event).into()));
    html! {
        <label class="field">
            <span>{ "File in the ZIP" }</span>
            <select data-testid="entry-select" {onchange}>
                <option value={entry.clone()} selected={true}>{ text::plain(entry) }</option>
                for other in &file.other_entries {
                    <option key={other.as_str()} value={other.clone()}>{ text::plain(other) }</option>
                }
            </select>
        </label>
    }
}

/// The note of the headline. That of an invalid file is in the details: the list below says more.
fn reason(headline: &Headline) -> Html {
    let Some(why) = headline.note.as_ref().filter(|_| headline.verdict != Verdict::Invalid) else {
        return Html::default();
    };
    html! { <span class="bar-reason" title={why.clone()}>{ text::inline(why) }</span> }
}

/// The details of the verdict.
fn panel(state: &State, check: &Check, headline: &Headline, dispatch: &Callback<Action>) -> Panel {
    let report = check.report();
    // The overview of a batch shows the skipped files.
    let skipped = Some(&state.opening.skipped)
        .filter(|_| check.batch_index.is_none())
        .and_then(|skipped| skipped_note(skipped));
    let died = match &check.phase {
        Phase::Done(Ending::Lost(Loss::Died(message))) => Some(message),
        _ => None,
    };
    // For all other verdicts, the bar shows the note.
    let why = headline.note.as_ref().filter(|_| headline.verdict == Verdict::Invalid);
    let loaded = as_loaded(check, &state.catalogue);
    let notes = report.map_or(&[][..], |report| &report.notes);
    let has_notes = !notes.is_empty() || why.is_some() || skipped.is_some() || check.known_bytes > 0;
    let content = html! {
        <>
            if let Some(why) = why {
                <p class="verdict-note">{ text::inline(why) }</p>
            }
            if let Some(message) = died {
                <p class="muted mono">{ text::inline(message) }</p>
            }
            for fact in notes {
                <p class="verdict-note" data-testid="note">{ text::inline(fact) }</p>
            }
            if check.known_bytes > 0 {
                { known(check, dispatch) }
            }
            if let Some(loaded) = &loaded {
                <p class="verdict-note" data-testid="as-loaded">{ text::inline(loaded) }</p>
            }
            if let Some(skipped) = skipped {
                { skipped }
            }
            if let Some(report) = report {
                { counts_strip(&report.counts) }
            }
            { facts(check) }
            if let Some(report) = report {
                { detection(report, &state.catalogue, dispatch) }
            }
            { chosen_schema(state, dispatch) }
        </>
    };
    Panel { has_notes, is_open: state.look.bar_details == BarDetails::Shown, content }
}

/// A note on the part of a grown file that was not read again.
fn known(check: &Check, dispatch: &Callback<Action>) -> Html {
    let known = bytes(check.known_bytes);
    html! {
        <p class="verdict-note" data-testid="known">
            { format!("The file has grown since the last check: its first {known} were not read again. ") }
            <button type="button" class="link" data-testid="check-all" onclick={dispatch.reform(|_| Action::CheckAgain)}>
                { "Check all of it" }
            </button>
        </p>
    }
}

/// The size of the file and the duration of the check.
fn facts(check: &Check) -> Html {
    let entry = check.report().and_then(|report| report.file.entry.as_deref());
    html! {
        <ul class="facts">
            <li>{ bytes(check.dataset.size) }</li>
            if let Some(entry) = entry {
                <li>{ "dataset in " }<span class="mono">{ text::inline(entry) }</span></li>
            }
            <li>
                { duration(check.elapsed_ms) }
                if let Some(speed) = speed(check.read_bytes(), check.elapsed_ms) {
                    { format!(" at {speed}") }
                }
            </li>
        </ul>
    }
}

/// All actions other than the next one.
fn actions(state: &State, check: &Check, primary: Option<Primary>, dispatch: &Callback<Action>) -> Html {
    let exporting = state.exports.exporting.as_ref().map(|exporting| exporting.what);
    html! {
        <>
            { menu_items(check, primary, exporting, dispatch) }
            { schema_items(state, dispatch) }
            if check.can_compare() {
                <div class="menu-group">
                    { item("compare", "", html! { "Compare with another version…" }, false, dispatch.reform(|_| CompareAction::Pick.into())) }
                </div>
            }
            <div class="menu-group">
                // The summary is about all findings, which the page has only without a filter.
                if check.preview.filter.is_empty() && check.finding_summary().is_some() {
                    { item("copy-summary", "stays", copy_label(Copied::Summary, state.notices.shown), false, dispatch.reform(|_| Action::CopySummary)) }
                }
                { report_items(check.report().is_some(), state.notices.shown, dispatch) }
                if check.report().is_some() && check.answering() {
                    { export_button("save-report", "Download report: HTML", Export::Report { quotes_data: true }, exporting, dispatch) }
                    { export_button("save-report-without-data", "Download report: HTML without data", Export::Report { quotes_data: false }, exporting, dispatch) }
                }
                if check.verdict() == Some(Verdict::NotChecked) && !is_cancelled(check) {
                    { check_again(primary, dispatch) }
                }
                if check.on_disk != OnDisk::Unknown {
                    { watch_item(state.watch, dispatch) }
                }
                { item("show-keys", "", html! { "Keyboard shortcuts" }, false, dispatch.reform(|_| Action::ShowKeys(KeyList::Shown))) }
                { start_over("Check another file", dispatch) }
            </div>
        </>
    }
}

/// Whether the user cancelled the check, which is then offered again beside the next action.
fn is_cancelled(check: &Check) -> bool {
    matches!(check.phase, Phase::Done(Ending::Reported { cancelled: true, .. }))
}

/// A button that checks the file again, unless that is the next action.
fn check_again(primary: Option<Primary>, dispatch: &Callback<Action>) -> Html {
    if primary == Some(Primary::CheckAgain) {
        return Html::default();
    }
    item("check-again", "", html! { "Check again" }, false, dispatch.reform(|_| Action::CheckAgain))
}

/// A button that turns on or off checking the file whenever it changes on disk.
fn watch_item(watch: Watch, dispatch: &Callback<Action>) -> Html {
    let (label, next) = match watch {
        Watch::OnDemand => ("Watch the file", Watch::ByItself),
        Watch::ByItself => ("Stop watching the file", Watch::OnDemand),
    };
    item(
        "watch-file",
        "",
        html! { { label } },
        false,
        dispatch.reform(move |_| DiskAction::Watch(next).into()),
    )
}

/// The buttons for the report.
pub(super) fn report_items(has_json: bool, notice: Option<Notice>, dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            { item("copy-report", "stays", copy_label(Copied::Report, notice), false, dispatch.reform(|_| Action::CopyReport)) }
            if has_json {
                { item("download-json", "", html! { "Download report: JSON" }, false, dispatch.reform(|_| Action::DownloadReport)) }
            }
        </>
    }
}

/// The label of a copy button.
pub(super) fn copy_label(what: Copied, notice: Option<Notice>) -> Html {
    let (icon, label) = match notice {
        Some(Notice::Copied(copied)) if copied == what => (Icon::Check, "Copied".to_owned()),
        Some(Notice::NotCopied(copied)) if copied == what => (Icon::Copy, "Not copied".to_owned()),
        _ => (Icon::Copy, format!("Copy {}", what.name())),
    };
    html! { <>{ icon.draw() }<span>{ label }</span></> }
}
