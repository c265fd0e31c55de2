//! Tests of the state: actions in, effects out. This file has the shared helpers.

use std::collections::BTreeMap;

use evalcheck_report::view::{
    Attachment, AttachmentInfo, AttachmentKind, Excerpt, Line, Lines, Part, Record, Row, Rows, Sample,
    Source, Turn,
};
use evalcheck_report::{Counts, File, Finding, Format, REPORT_VERSION, Report, Severity, Tool, Verdict};
use evalcheck_wire::catalogue::{Example, ExampleContent, FormatInfo};
use evalcheck_wire::findings::FindingList;
use evalcheck_wire::question::{Advance, Answer, List, Question, RecordPlace};
use evalcheck_wire::worker::{Command, Event, Progress, RequestId};

use super::effect::Timer;
use super::update::MAX_FINDINGS_PER_CODE;
use super::*;
use crate::views::{self, fixes, lines, records};

mod address;
mod answers;
mod batch;
mod batch_run;
mod check;
mod compared;
mod embed;
mod findings;
mod fix;
mod markdown;
mod preview;
mod unsaved;
mod user_schema;
mod worker;

const SIZE: u64 = 1_000_000;

/// The effects of an action, except bound keys and the address.
fn effects_of(state: &mut State, action: Action, now_ms: f64) -> Vec<Effect> {
    let is_other = |effect: &Effect| !matches!(effect, Effect::BindKeys(_) | Effect::SetAddress(..));
    state.update(action, now_ms).into_iter().filter(is_other).collect()
}

fn event(event: Event) -> Action {
    Action::Worker(Box::new(event))
}

fn dataset() -> Dataset {
    Dataset {
        key: FileKey(7),
        name: "data.jsonl".into(),
        path: "data.jsonl".into(),
        size: SIZE,
        modified_ms: 5.0,
    }
}

pub(crate) fn finding(line: u64, severity: Severity) -> Finding {
    Finding {
        code: "shape/missing-key".into(),
        severity,
        line: Some(line),
        column: Some(1),
        byte_start: Some(line * 10),
        byte_end: Some(line * 10 + 2),
        record: Some(line - 1),
        path: Some("input".into()),
        message: "Required".into(),
        hint: None,
        fix: None,
        loss: None,
        says: None,
        refused_by: None,
        related: Vec::new(),
        entry: None,
    }
}

pub(super) fn report(findings: Vec<Finding>) -> Report {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count() as u64;
    let mut safe_fixes = BTreeMap::<String, u64>::new();
    for finding in findings.iter().filter(|finding| finding.fix.is_some()) {
        *safe_fixes.entry(finding.code.clone()).or_default() += 1;
    }
    let mut by_code = BTreeMap::<String, u64>::new();
    for finding in &findings {
        *by_code.entry(finding.code.clone()).or_default() += 1;
    }
    Report {
        report: REPORT_VERSION.into(),
        tool: Tool { name: "evalcheck".into(), version: "0.1.0".into() },
        file: File { name: "data.jsonl".into(), size: SIZE, ..File::default() },
        format: Format {
            id: "juryarena".into(),
            detected: true,
            reason: "input.messages in every line".into(),
            confidence: 90,
            ..Format::default()
        },
        valid: errors == 0,
        checked: true,
        counts: Counts {
            lines: 100.max(errors),
            records: 100.max(errors),
            valid: 100.max(errors) - errors,
            invalid: errors,
            errors,
            warnings: findings.len() as u64 - errors,
            by_code,
            safe_fixes,
            ..Counts::default()
        },
        truncated: false,
        filter: None,
        max_findings_per_code: None,
        notes: Vec::new(),
        overview: None,
        findings,
    }
}

fn catalogue() -> Catalogue {
    let example = Example {
        id: "minimal".into(),
        title: "Minimal".into(),
        file_name: "minimal.jsonl".into(),
        content: ExampleContent::Text("{}\n".into()),
    };
    Catalogue {
        formats: vec![FormatInfo {
            id: "juryarena".into(),
            title: "JuryArena dataset".into(),
            system: "JuryArena".into(),
            link: String::new(),
            expected: String::new(),
            extensions: vec!["jsonl".into()],
            versions: Vec::new(),
            options: Vec::new(),
            summary: String::new(),
            loader: String::new(),
            is_loader_known: false,
            is_detected: true,
            names: Vec::new(),
            examples: vec![example],
        }],
        rules: Vec::new(),
    }
}

/// A page whose worker is ready.
fn ready() -> State {
    let (mut state, begin) = State::new(views::ALL, Theme::Auto, None, None);
    assert_eq!(begin, [Effect::StartWorker]);
    state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    state
}

/// A page with a running check, and the id of the check.
fn checking() -> (State, u32) {
    let mut state = ready();
    state.update(Action::OpenFiles(dataset().into()), 100.0);
    let id = state.check.as_ref().unwrap().id;
    (state, id)
}

/// The action for the report of a check.
fn reported(id: u32, report: Report) -> Action {
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    let first_error = report.findings.iter().position(is_error).map(|number| number as u64);
    event(Event::Report { id, report, first_error, elapsed_ms: 55.0 })
}

/// The questions among effects, and the numbers of their requests.
fn questions(effects: &[Effect]) -> Vec<(RequestId, &Question)> {
    let asked = commands(effects).into_iter().filter_map(|command| match command {
        Command::Ask { request, question, .. } => Some((*request, question)),
        _ => None,
    });
    asked.collect()
}

/// The request for a page of a list among effects, and its first row.
fn page(effects: &[Effect], is_wanted: impl Fn(&List) -> bool) -> Option<(RequestId, u64)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Page { list, from, .. } if is_wanted(list) => Some((request, *from)),
        _ => None,
    })
}

/// The request for a record among effects, its place, and the byte to show.
fn record_request(effects: &[Effect]) -> Option<(RequestId, RecordPlace, Option<u64>)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Record { place, at, .. } => Some((request, *place, *at)),
        _ => None,
    })
}

/// The worker answers a question.
fn answer(request: RequestId, answer: Answer) -> Action {
    event(Event::Answer { request, result: Ok(answer) })
}

/// The worker answers the question for a record.
fn record_answer(request: RequestId, record: Option<Record>) -> Action {
    answer(request, Answer::Record(record.map(Box::new)))
}

/// Selects something.
fn select(selection: Selection, open: bool) -> Action {
    PreviewAction::Select { selection, open }.into()
}

/// These rows of a list are visible, from 0.
fn visible(list: &'static str, rows: std::ops::RangeInclusive<u64>) -> Action {
    PreviewAction::RowsVisible { list, rows }.into()
}

/// Selects a row of the list in front.
fn select_row(row: u64, open: bool) -> Action {
    PreviewAction::SelectRow { row, open }.into()
}

/// Answers the questions for findings among effects as the worker does that has found these. Of filters it knows severities.
fn list_findings(state: &mut State, findings: &[Finding], effects: Vec<Effect>) -> Vec<Effect> {
    let (mut all, mut open) = (Vec::new(), effects);
    while !open.is_empty() {
        let mut next = Vec::new();
        for (request, question) in questions(&open) {
            let Question::Page { list: List::Findings(of), from, count } = question else { continue };
            let severity = of.query.strip_prefix("severity:");
            let is_kept =
                |finding: &&Finding| severity.is_none_or(|severity| severity == finding.severity.as_str());
            let kept: Vec<Finding> = findings.iter().filter(is_kept).cloned().collect();
            let total = kept.len() as u64;
            let from = usize::try_from(*from).unwrap();
            let findings = kept.into_iter().skip(from).take(*count as usize).collect();
            let list = FindingList { total, findings, ..FindingList::default() };
            next.extend(state.update(answer(request, Answer::Findings(list)), 210.0));
        }
        all.append(&mut open);
        open = next;
    }
    all
}

/// A page with a report, whose findings are listed.
fn done(findings: Vec<Finding>) -> (State, u32, Vec<Effect>) {
    let (mut state, id) = checking();
    let all = findings.clone();
    let effects = state.update(reported(id, report(findings)), 200.0);
    let effects = list_findings(&mut state, &all, effects);
    (state, id, effects)
}

/// Ends the check of a fix with these findings.
fn fixed(state: &mut State, findings: Vec<Finding>) -> Vec<Effect> {
    let id = state.fixing.as_ref().unwrap().check.id;
    let all = findings.clone();
    let effects = state.update(reported(id, report(findings)), 340.0);
    list_findings(state, &all, effects)
}

fn check(state: &State) -> &Check {
    state.check.as_deref().unwrap()
}

fn commands(effects: &[Effect]) -> Vec<&Command> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Post(command, _) => Some(command),
            _ => None,
        })
        .collect()
}

fn title(state: &State) -> String {
    headline(check(state), &state.catalogue).unwrap().title
}
