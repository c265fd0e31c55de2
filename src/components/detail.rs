//! What was chosen in a list: the finding, the line it stands in, the rule, the sample.

use std::rc::Rc;

use evalcheck_wire::catalogue::{Catalogue, RuleInfo};
use evalcheck_wire::report::Finding;
use evalcheck_wire::view::Record;
use yew::prelude::*;

use super::icon::Icon;
use super::rule::rule_page;
use super::sample::sample_view;
use super::severity;
use super::source::SourceView;
use super::text;
use crate::state::number::grouped;
use crate::state::{Action, Check, RecordState, Selection, Tab};

/// The detail.
pub(super) fn detail(check: &Check, catalogue: &Catalogue, dispatch: &Callback<Action>) -> Html {
    let look = &check.look;
    let Some(selection) = look.selection else {
        return html! { <p class="empty">{ "Choose a finding or a line to see it here." }</p> };
    };
    let line = look.line(&check.findings);
    let in_record = look.chosen_in_record(&check.findings);
    let record = match &look.record {
        RecordState::Here(record) => Some(record),
        _ => None,
    };
    // The record has its findings without a cap; until it is here, the list's has to do.
    let finding = match (record.zip(in_record), selection) {
        (Some((record, at)), _) => record.findings.get(at),
        (None, Selection::Finding(at)) => check.findings.get(at),
        (None, Selection::Line(_)) => None,
    };
    let shown = look.tab();
    html! {
        <>
            <div class="detail-head">
                <button type="button" class="quiet back" data-testid="back" onclick={dispatch.reform(|_| Action::Back)}>
                    { Icon::Left.draw() }
                    <span>{ "Back to the list" }</span>
                </button>
                <h2>{ title(line, finding) }</h2>
                if line.is_some() {
                    <div class="tabs" role="tablist" aria-label="What is shown of it">
                        { tab("source", if finding.is_some() { "Finding" } else { "Source" }, Tab::Source, shown, dispatch) }
                        { tab("sample", "Sample", Tab::Sample, shown, dispatch) }
                    </div>
                }
            </div>
            <div class="detail-body" key={format!("{line:?} {shown:?}")} tabindex="0" role="region" aria-label="Detail of the line">
                if shown == Tab::Source || line.is_none() {
                    if let Some(finding) = finding {
                        { finding_card(finding) }
                    }
                    if let Some(line) = line {
                        <SourceView
                            {line}
                            lines={&look.lines}
                            record={&look.record}
                            chosen={in_record}
                            neighbours={if check.answering { look.neighbours(line) } else { line..=line }}
                        />
                    }
                    if let Some(record) = record {
                        { others(record, in_record, dispatch) }
                    }
                    if let Some(rule) = finding.and_then(|finding| rule_at(catalogue, &finding.code)) {
                        { rule_page(rule) }
                    }
                } else {
                    { sample(check, dispatch) }
                }
            </div>
        </>
    }
}

fn title(line: Option<u64>, finding: Option<&Finding>) -> Html {
    match (line, finding.and_then(|finding| finding.entry.as_deref())) {
        (Some(line), _) => html! { { format!("Line {}", grouped(line)) } },
        (None, Some(entry)) => text::inline(entry),
        (None, None) => html! { { "The file" } },
    }
}

fn tab(id: &'static str, name: &'static str, tab: Tab, shown: Tab, dispatch: &Callback<Action>) -> Html {
    html! {
        <button
            type="button"
            role="tab"
            aria-selected={(tab == shown).to_string()}
            data-testid={format!("tab-{id}")}
            onclick={dispatch.reform(move |_| Action::ShowTab(tab))}
        >
            { name }
        </button>
    }
}

fn rule_at<'a>(catalogue: &'a Catalogue, code: &str) -> Option<&'a RuleInfo> {
    catalogue.rules.iter().find(|rule| rule.code == code)
}

/// What is wrong, where exactly, and what to do.
fn finding_card(finding: &Finding) -> Html {
    let column = finding.column.map(|column| format!("column {}", grouped(column)));
    let bytes = finding.byte_start.zip(finding.byte_end).map(|(start, end)| {
        if end > start + 1 {
            format!("bytes {} to {}", grouped(start), grouped(end - 1))
        } else {
            format!("byte {}", grouped(start))
        }
    });
    html! {
        <section class={classes!("finding-card", finding.severity.as_str())} data-testid="finding-detail">
            <p class="finding-card-head">
                { severity::badge(finding.severity) }
                <span class="code">{ &finding.code }</span>
            </p>
            if let Some(path) = &finding.path {
                <p class="path">{ text::inline(path) }</p>
            }
            <h3>{ text::inline(&finding.message) }</h3>
            if let Some(hint) = &finding.hint {
                <p class="hint">{ text::inline(hint) }</p>
            }
            <ul class="facts">
                for fact in column.into_iter().chain(bytes) {
                    <li>{ fact }</li>
                }
                if let Some(record) = finding.record {
                    <li>{ format!("record {}, counted from 0", grouped(record)) }</li>
                }
            </ul>
        </section>
    }
}

/// The other findings of the same record.
fn others(record: &Rc<Record>, chosen: Option<usize>, dispatch: &Callback<Action>) -> Html {
    if record.findings.len() < 2 {
        return Html::default();
    }
    html! {
        <section class="others">
            <h3>{ format!("{} findings on this line", grouped(record.findings.len() as u64)) }</h3>
            <ul>
                for (at, finding) in record.findings.iter().enumerate().take(50) {
                    <li>
                        <button
                            type="button"
                            class="other"
                            aria-pressed={(chosen == Some(at)).to_string()}
                            onclick={dispatch.reform(move |_| Action::SelectInRecord(at))}
                        >
                            { severity::mark(finding.severity) }
                            <span>
                                if let Some(path) = &finding.path {
                                    <span class="path">{ text::inline(path) }</span>
                                }
                                <span class="message">{ text::inline(&finding.message) }</span>
                            </span>
                        </button>
                    </li>
                }
            </ul>
            if record.findings.len() > 50 {
                <p class="muted">{ "The first 50 are shown here." }</p>
            }
        </section>
    }
}

/// The record as a conversation, or why there is none.
fn sample(check: &Check, dispatch: &Callback<Action>) -> Html {
    match &check.look.record {
        RecordState::Here(record) => match &record.sample {
            Some(sample) => sample_view(sample, &check.look.attachments, dispatch),
            None => html! { <p class="empty">{ "This line cannot be read as a sample." }</p> },
        },
        RecordState::Asked(_) => html! { <p class="empty waiting">{ "Reading." }</p> },
        RecordState::Missing => html! { <p class="empty">{ "This line holds no sample." }</p> },
        RecordState::Failed(why) => html! { <p class="empty">{ text::inline(why) }</p> },
        RecordState::Nothing => Html::default(),
    }
}
