//! The selected finding: its place in the record, its message, its fix, and details on demand.

use evalcheck_render::text::related_place;
use evalcheck_report::{Finding, Related};
use evalcheck_wire::catalogue::{Catalogue, RuleInfo};
use yew::prelude::*;

use super::fix_card::fix_card;
use super::rule::rule_page;
use super::severity;
use super::text;
use super::token::token_row;
use crate::display::format_number::grouped;
use crate::state::{Action, Check, Notice, PreviewAction, Selection};

/// The finding.
pub(super) fn finding_card(
    check: &Check,
    catalogue: &Catalogue,
    rules: &[RuleInfo],
    finding: &Finding,
    notice: Option<Notice>,
    dispatch: &Callback<Action>,
) -> Html {
    let selected = check.preview.selected_in_record();
    // A fix says the same by the value that it writes, or by its title.
    let is_said = |hint: &&String| {
        finding.fix.as_ref().is_some_and(|fix| {
            hint.starts_with("Did you mean") || hint.strip_suffix('.') == Some(&*fix.title)
        })
    };
    let hint = finding.hint.as_ref().filter(|hint| !is_said(hint));
    html! {
        <section class={classes!("finding-card", finding.severity.as_str())} tabindex="-1" data-testid="finding-detail">
            { token_row(check, finding, selected) }
            { heading(finding, catalogue) }
            if let Some(hint) = hint {
                <p class="hint">{ text::inline(hint) }</p>
            }
            if !finding.related.is_empty() {
                <ul class="related" data-testid="related">
                    for related in &finding.related {
                        <li>{ related_link(finding, related, dispatch) }</li>
                    }
                </ul>
            }
            { fix_card(check, finding, notice, dispatch) }
            { details(check, rules, finding) }
        </section>
    }
}

/// The problem. If the rule has a plain title, the loader's message follows it.
fn heading(finding: &Finding, catalogue: &Catalogue) -> Html {
    let message = || html! { <span class="finding-message">{ text::inline(&finding.message) }</span> };
    let title = catalogue.title(&finding.code).filter(|_| finding.path.is_some());
    html! {
        <>
            <h3>
                { severity::badge(finding.severity) }
                if let Some(path) = &finding.path {
                    <span class="path">{ text::path(path) }</span>
                }
                if let Some(title) = title {
                    <span class="finding-title" data-testid="finding-title">{ title }</span>
                } else {
                    { message() }
                }
            </h3>
            if title.is_some() {
                <p class="finding-words">{ message() }</p>
            }
        </>
    }
}

/// The exact position, the origin of the message, and the rule.
fn details(check: &Check, rules: &[RuleInfo], finding: &Finding) -> Html {
    let column = finding.column.map(|column| format!("column {}", grouped(column)));
    let bytes = finding.byte_start.zip(finding.byte_end).map(|(start, end)| {
        if end > start + 1 {
            format!("bytes {} to {}", grouped(start), grouped(end - 1))
        } else {
            format!("byte {}", grouped(start))
        }
    });
    html! {
        <details class="finding-more" data-testid="finding-more">
            <summary>{ "Details" }{ " " }<span class="code">{ &finding.code }</span></summary>
            <div>
                <ul class="facts">
                    for fact in column.into_iter().chain(bytes) {
                        <li>{ fact }</li>
                    }
                    if let Some(record) = finding.record {
                        <li>{ format!("record {}", grouped(record + 1)) }</li>
                    }
                </ul>
                if let Some(says) = &finding.says {
                    <p class="muted says" data-testid="says">{ format!("The message of the system's own loader ({says}).") }</p>
                }
                if let Some(readers) = &finding.refused_by {
                    <p data-testid="refused-by">{ format!("Refused by {readers}.") }</p>
                }
                if let Some(rule) = rules.iter().find(|rule| rule.code == finding.code) {
                    { rule_page(rule, check.report().map_or("", |report| report.format.id.as_str())) }
                }
            </div>
        </details>
    }
}

/// Another place that belongs to a finding, as a link if it is on another line.
fn related_link(finding: &Finding, related: &Related, dispatch: &Callback<Action>) -> Html {
    let place = related_place(finding, related);
    let other_line = related.line.filter(|line| related.file.is_none() && finding.line != Some(*line));
    html! {
        <>
            if let Some(line) = other_line {
                <button
                    type="button"
                    class="link"
                    onclick={dispatch.reform(move |_| PreviewAction::Select { selection: Selection::Line(line), open: true }.into())}
                >
                    { place }
                </button>
            } else {
                { place }
            }
            { ": " }
            { text::inline(&related.label) }
        </>
    }
}
