//! The details of the selected finding or line: the finding, its source, its rule and the sample.

use std::rc::Rc;

use evalcheck_report::view::Record;
use evalcheck_report::{Applicability, Finding, Severity};
use evalcheck_wire::catalogue::FormatInfo;
use evalcheck_wire::question::List;
use yew::prelude::*;

use super::copy_menu::CopyMenu;
use super::editor::Editor;
use super::encodings::encoding_chooser;
use super::finding::finding_card;
use super::icon::Icon;
use super::list_toolbar::steps;
use super::loaded::loaded_view;
use super::sample::sample_view;
use super::severity;
use super::source::SourceView;
use super::tabs::{Tab as TabButton, tab_list};
use super::text;
use crate::display::format_number::grouped;
use crate::state::{
    Action, Check, Edit, Editing, Focus, Key, PreviewAction, RecordState, Shown, State, Tab, TextMode,
};

/// The maximum number of listed findings of a line.
const MAX_LISTED: usize = 50;

/// The details.
pub(super) fn detail(state: &State, shown: &Shown<'_>) -> Html {
    let preview = &shown.check.preview;
    let text = if preview.selection.is_none() {
        "Select a row of the list to see its details."
    } else if preview.is_finding_missing() || !state.loaded.page {
        "…"
    } else {
        return of_selected(state, shown);
    };
    html! {
        <>
            <div class="detail-head">{ navigation(shown.dispatch) }</div>
            <p class="empty">{ text }</p>
        </>
    }
}

/// The details of the selected row.
// A function of its own also when compiled, so that a build can move it out of what is loaded before a verdict.
#[inline(never)]
fn of_selected(state: &State, shown: &Shown<'_>) -> Html {
    let Shown { check, catalogue, dispatch, .. } = *shown;
    let (notice, split, mode) = (state.notices.shown, state.look.split, state.look.text_mode);
    let preview = &check.preview;
    let line = preview.line();
    let in_record = preview.selected_in_record();
    let record = preview.details.record.loaded();
    let finding = preview.shown_finding();
    let of_view = state.views.0.iter().find_map(|view| view.draw_details(shown));
    let is_of_view = of_view.is_some();
    let format = check.format(catalogue).filter(|format| format.is_loader_known);
    let tab_shown =
        if format.is_some() || preview.tab() != Tab::Loaded { preview.tab() } else { Tab::Source };
    let tabs = [
        Some(tab(
            "source",
            if finding.is_some() { "Finding" } else { "Source" },
            Tab::Source,
            tab_shown,
            dispatch,
        )),
        Some(tab("sample", "Sample", Tab::Sample, tab_shown, dispatch)),
        format.map(|_| TabButton {
            count: differing(check),
            ..tab("loaded", "As loaded", Tab::Loaded, tab_shown, dispatch)
        }),
    ];
    let tabs = tabs.into_iter().flatten();
    html! {
        <>
            <div class="detail-head">
                { navigation(dispatch) }
                <h2>{ title(line, preview.record_number(), finding, is_of_view) }</h2>
                <button
                    type="button"
                    class="quiet whole-window"
                    title="Whole window"
                    aria-label="Whole window"
                    aria-pressed={split.is_whole.to_string()}
                    data-testid="whole-window"
                    onclick={dispatch.reform(move |_| Action::SetSplit(split.toggled()))}
                >
                    { Icon::Maximize.draw() }
                </button>
                <CopyMenu
                    finding={finding.cloned()}
                    record={&preview.details.record}
                    selected={in_record}
                    file={&check.dataset.name}
                    {notice}
                    {dispatch}
                />
                if line.is_some() {
                    { tab_list("Details", "detail-panel", tabs) }
                }
            </div>
            <div id="detail-panel" class="detail-body" key={format!("{line:?} {tab_shown:?}")} tabindex="0" role={if line.is_some() { "tabpanel" } else { "group" }} aria-label="Details">
                if let Some(of_view) = of_view {
                    { of_view }
                } else if tab_shown == Tab::Source || line.is_none() {
                    if let Some(finding) = finding {
                        { finding_card(check, catalogue, &state.rules, finding, notice, dispatch) }
                    }
                    if let Some(record) = record {
                        { encoding_chooser(check, record, dispatch) }
                    }
                    if let Some(editing) = edited(check) {
                        <div class="editing">
                            <Editor editing={Rc::clone(&editing)} dispatch={dispatch} />
                            { edited_sample(check, &editing, mode, dispatch) }
                        </div>
                    } else if let Some(line) = line {
                        <SourceView
                            {line}
                            lines={preview.answers.items(&List::Lines, check.lines())}
                            record={&preview.details.record}
                            selected={in_record}
                            context={check.context(line)}
                        />
                        { edit_button(check, dispatch) }
                    }
                    if let Some(record) = record {
                        { findings_of_line(record, in_record, dispatch) }
                    }
                } else if tab_shown == Tab::Sample {
                    { sample(check, mode, dispatch) }
                } else if let Some(format) = format {
                    { as_loaded(check, format) }
                }
            </div>
        </>
    }
}

/// The buttons that lead back to the list, and to the rows before and after the shown one, on a narrow screen.
fn navigation(dispatch: &Callback<Action>) -> Html {
    html! {
        <>
            <button type="button" class="quiet back" data-testid="back" onclick={dispatch.reform(|_| PreviewAction::BackToList.into())}>
                { Icon::Left.draw() }
                <span>{ "Back to the list" }</span>
            </button>
            { steps("row", "", |direction| Action::Key(Key::Row(direction), Focus::Details), dispatch) }
        </>
    }
}

/// Returns the edit of the shown record, if it is edited.
fn edited(check: &Check) -> Option<Rc<Editing>> {
    let details = &check.preview.details;
    let record = details.record.loaded()?;
    details.editing().filter(|editing| editing.line == record.line).map(Rc::clone)
}

/// A button that starts to edit the shown record, if that is possible.
fn edit_button(check: &Check, dispatch: &Callback<Action>) -> Html {
    if !check.is_editable() {
        return Html::default();
    }
    html! {
        <>
        if let Edit::Failed(why) = &check.preview.details.edit {
            <p class="error" role="alert" data-testid="edit-failed">{ text::inline(why) }</p>
        }
        <div class="buttons edit">
            <button type="button" class="change" data-testid="edit" onclick={dispatch.reform(|_| PreviewAction::StartEditing.into())}>
                { "Edit this record" }
            </button>
        </div>
        </>
    }
}

fn title(line: Option<u64>, record: Option<u64>, finding: Option<&Finding>, is_file: bool) -> Html {
    match (line, finding.and_then(|finding| finding.entry.as_deref())) {
        _ if is_file => html! { { "Attachment" } },
        (Some(line), _) => match record.map(|record| record + 1).filter(|record| *record != line) {
            Some(record) => html! { { format!("Record {}, line {}", grouped(record), grouped(line)) } },
            None => html! { { format!("Line {}", grouped(line)) } },
        },
        (None, Some(entry)) => text::inline(entry),
        (None, None) => html! { { "The file" } },
    }
}

fn tab(id: &'static str, name: &'static str, tab: Tab, shown: Tab, dispatch: &Callback<Action>) -> TabButton {
    let show = dispatch.reform(move |_| PreviewAction::ShowTab(tab).into());
    TabButton { id, name, count: String::new(), is_shown: tab == shown, show }
}

/// All findings of the record, if there are several.
fn findings_of_line(record: &Rc<Record>, selected: Option<usize>, dispatch: &Callback<Action>) -> Html {
    if record.findings.len() < 2 {
        return Html::default();
    }
    html! {
        <section class="others">
            <h3>{ format!("{} findings on this line", grouped(record.findings.len() as u64)) }</h3>
            <ul>
                for (index, finding) in record.findings.iter().enumerate().take(MAX_LISTED) {
                    <li>
                        <button
                            type="button"
                            class="other"
                            aria-pressed={(selected == Some(index)).to_string()}
                            onclick={dispatch.reform(move |_| PreviewAction::SelectInRecord(index).into())}
                        >
                            { severity::mark(finding.severity) }
                            <span>
                                if let Some(path) = &finding.path {
                                    <span class="path">{ text::path(path) }</span>
                                }
                                <span class="message">{ text::inline(&finding.message) }</span>
                            </span>
                        </button>
                    </li>
                }
            </ul>
            if record.findings.len() > MAX_LISTED {
                <p class="muted">{ format!("The first {MAX_LISTED} are listed.") }</p>
            }
        </section>
    }
}

/// The record as a conversation, or the reason why it cannot be shown as one.
fn sample(check: &Check, mode: TextMode, dispatch: &Callback<Action>) -> Html {
    of_record(check, |record| match &record.sample {
        Some(sample) => html! {
            <>
                if let Some(applicability) = record.sample_is_fixed {
                    <p class="sample-note" data-testid="sample-is-fixed">{ as_fixed(applicability) }</p>
                }
                { sample_view(record, sample, (&check.preview, mode), dispatch) }
            </>
        },
        None => html! { <p class="empty">{ "This line cannot be shown as a sample." }</p> },
    })
}

/// The record as the edited text makes it, with the findings of the record while these are the findings of the text too.
fn edited_sample(check: &Check, editing: &Editing, mode: TextMode, dispatch: &Callback<Action>) -> Html {
    let shown = |record: &Rc<Record>| {
        let Some(edited) = &editing.edited else { return Rc::clone(record) };
        let same = |(one, other): (&Finding, &Finding)| one.code == other.code && one.path == other.path;
        let found = edited.findings.as_deref().unwrap_or_default();
        let is_same = found.len() == record.findings.len() && found.iter().zip(&record.findings).all(same);
        let findings = if is_same { record.findings.clone() } else { Vec::new() };
        Rc::new(Record { findings, sample: edited.sample.clone(), ..Record::clone(record) })
    };
    of_record(check, |record| {
        let record = shown(record);
        html! {
            <section class="others" data-testid="edited-sample">
                <h3>{ "As a sample" }</h3>
                if let Some(sample) = &record.sample {
                    { sample_view(&record, sample, (&check.preview, mode), dispatch) }
                } else {
                    <p class="muted">{ "This text cannot be shown as a sample." }</p>
                }
            </section>
        }
    })
}

/// A note on a record that is shown with its fixes applied.
fn as_fixed(applicability: Applicability) -> &'static str {
    match applicability {
        Applicability::Safe => "This record cannot be read. It is shown as its fix would make it.",
        Applicability::Unsafe => {
            "This record cannot be read. It is shown as its fix would make it, which may lose or guess something."
        }
    }
}

/// The number of records that the system changes or drops on loading, of those that it does not refuse; empty while this is unknown.
fn differing(check: &Check) -> String {
    let loaded = check.overview().and_then(|overview| overview.loaded.as_ref());
    loaded.map_or_else(String::new, |loaded| match loaded.differing() {
        (0, _) => String::new(),
        (differing, all) => format!("differs in {} of {}", grouped(differing), grouped(all)),
    })
}

/// The record as the system holds it, or the reason why it does not.
fn as_loaded(check: &Check, format: &FormatInfo) -> Html {
    of_record(check, |record| match &record.loaded {
        Some(loaded) => {
            let has_errors = record.findings.iter().any(|finding| finding.severity == Severity::Error);
            loaded_view(loaded, has_errors, &format.system, &format.loader)
        }
        None => html! { <p class="empty">{ "This line is not a record." }</p> },
    })
}

/// A view of the record, or the reason why there is none.
fn of_record(check: &Check, view: impl Fn(&Rc<Record>) -> Html) -> Html {
    match &check.preview.details.record {
        RecordState::Loaded(record) => view(record),
        RecordState::Missing => html! { <p class="empty">{ "This line has no sample." }</p> },
        RecordState::Failed(why) => html! { <p class="empty">{ text::inline(why) }</p> },
        RecordState::None => html! { <p class="empty waiting">{ "Loading…" }</p> },
    }
}
