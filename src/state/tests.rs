//! Tests of the state: actions in, effects out.

use std::collections::BTreeMap;

use evalcheck_wire::catalogue::{Example, ExampleContent, FormatInfo};
use evalcheck_wire::report::{
    Counts, File, Finding, Format, REPORT_VERSION, Report, Severity, Tool, Verdict,
};
use evalcheck_wire::view::{
    Attachment, AttachmentInfo, AttachmentKind, Line, Lines, Part, Record, Sample, Source, Turn,
};
use evalcheck_wire::worker::{Command, Event, Progress};

use super::action::Timer;
use super::update::MAX_FINDINGS_PER_CODE;
use super::*;

mod embed;

const SIZE: u64 = 1_000_000;

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

fn finding(line: u64, severity: Severity) -> Finding {
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
        entry: None,
    }
}

fn report(findings: Vec<Finding>) -> Report {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count() as u64;
    Report {
        report: REPORT_VERSION.into(),
        tool: Tool { name: "evalcheck".into(), version: "0.1.0".into() },
        file: File { name: "data.jsonl".into(), size: SIZE, entry: None },
        format: Format {
            id: "juryarena".into(),
            version: String::new(),
            detected: true,
            reason: "input.messages in every line".into(),
            confidence: 90,
            others: Vec::new(),
        },
        valid: errors == 0,
        checked: true,
        counts: Counts {
            lines: 100,
            records: 100,
            valid: 100 - errors,
            invalid: errors,
            errors,
            warnings: findings.len() as u64 - errors,
            by_code: BTreeMap::new(),
            ..Counts::default()
        },
        truncated: false,
        max_findings_per_code: None,
        notes: Vec::new(),
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
            wants: String::new(),
            extensions: vec!["jsonl".into()],
            versions: Vec::new(),
            summary: String::new(),
            examples: vec![example],
        }],
        rules: Vec::new(),
    }
}

/// A page whose worker is ready.
fn ready() -> State {
    let (mut state, begin) = State::new(Theme::Auto, None);
    assert_eq!(begin, [Effect::StartWorker]);
    state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    state
}

/// A page with a running check, and the id of the check.
fn checking() -> (State, u32) {
    let mut state = ready();
    state.update(Action::OpenFiles(dataset().into()), 100.0);
    let job = state.check.as_ref().unwrap().job;
    (state, job)
}

/// A page with a report.
fn done(findings: Vec<Finding>) -> (State, u32, Vec<Effect>) {
    let (mut state, job) = checking();
    let effects =
        state.update(event(Event::Report { job, report: report(findings), elapsed_ms: 55.0 }), 200.0);
    (state, job, effects)
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

/// The id of the request for a record among effects.
fn record_request(effects: &[Effect]) -> u32 {
    commands(effects)
        .into_iter()
        .find_map(|command| match command {
            Command::Record { request, .. } => Some(*request),
            _ => None,
        })
        .unwrap()
}

fn title(state: &State) -> String {
    headline(check(state), &state.catalogue).unwrap().title
}

#[test]
fn a_file_opened_before_the_worker_is_ready_is_checked_later() {
    let (mut state, _) = State::new(Theme::Auto, None);
    let effects = state.update(Action::OpenFiles(dataset().into()), 1.0);
    assert!(commands(&effects).is_empty());
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 2.0);
    assert!(matches!(effects[..], [Effect::Post(Command::Check { .. }, Some(FileKey(7))), ..]));
}

#[test]
fn reports_of_earlier_checks_are_dropped() {
    let (mut state, old) = checking();
    state.update(Action::OpenFiles(dataset().into()), 150.0);
    assert_ne!(check(&state).job, old);
    state.update(event(Event::Report { job: old, report: report(vec![]), elapsed_ms: 1.0 }), 200.0);
    assert!(check(&state).is_running());
}

#[test]
fn the_headline_says_what_the_system_does() {
    let (state, ..) = done(vec![]);
    assert_eq!(check(&state).verdict(), Some(Verdict::Valid));
    assert_eq!(title(&state), "Valid: JuryArena will load it");

    let (state, ..) = done(vec![finding(12, Severity::Error)]);
    assert_eq!(title(&state), "Not valid: 1 of 100 records would be rejected");
}

#[test]
fn an_error_of_the_whole_dataset_is_in_the_headline() {
    let whole = Finding { line: None, message: "60000 samples".into(), ..finding(1, Severity::Error) };
    let (state, ..) = done(vec![finding(12, Severity::Error), whole]);
    let note = headline(check(&state), &state.catalogue).unwrap().note;
    assert_eq!(note.as_deref(), Some("The dataset as a whole: 60000 samples."));
}

#[test]
fn the_first_error_is_selected() {
    let (state, _, effects) = done(vec![finding(3, Severity::Warning), finding(12, Severity::Error)]);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
    assert!(commands(&effects).iter().any(|command| matches!(command, Command::Record { line: 12, .. })));
    assert_eq!(check(&state).preview.focus, Focus::List, "a phone shows the list first");
}

#[test]
fn a_finding_selected_during_the_check_stays_selected() {
    let (mut state, job) = checking();
    let late = finding(50, Severity::Error);
    let progress = Progress { bytes: 10, ..Progress::default() };
    state.update(event(Event::Progress { job, progress, first_findings: vec![late.clone()] }), 110.0);
    state.update(PreviewAction::SelectFinding { index: 0, open: true }.into(), 120.0);
    let report = report(vec![finding(12, Severity::Error), late]);
    state.update(event(Event::Report { job, report, elapsed_ms: 55.0 }), 200.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
}

#[test]
fn a_worker_that_does_not_cancel_in_time_is_replaced() {
    let (mut state, job) = checking();
    let progress = Progress { bytes: 1_234, total_bytes: SIZE, lines: 9, ..Progress::default() };
    state.update(event(Event::Progress { job, progress, first_findings: vec![] }), 110.0);
    let effects = state.update(Action::Cancel, 120.0);
    assert_eq!(commands(&effects), [&Command::Cancel { job }]);
    assert_eq!(check(&state).phase, Phase::Stopping);
    assert!(effects.contains(&Effect::StartTimer { after_ms: 500, timer: Timer::CancelDeadline(job) }));

    let effects = state.update(Action::TimerFired(Timer::CancelDeadline(job)), 620.0);
    assert!(effects.contains(&Effect::StartWorker));
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Not checked from byte 1,234 on");
    assert_eq!(check(&state).as_text(), "not checked: from byte 1,234 on\n");
}

#[test]
fn a_worker_that_cancels_in_time_is_kept() {
    let (mut state, job) = checking();
    state.update(Action::Cancel, 120.0);
    let stopped = Finding {
        code: "file/cancelled".into(),
        line: None,
        byte_start: Some(4_321),
        byte_end: Some(4_321),
        ..finding(1, Severity::Info)
    };
    let partial = Report { checked: false, ..report(vec![stopped]) };
    state.update(event(Event::Cancelled { job, report: partial, elapsed_ms: 20.0 }), 130.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Not checked from byte 4,321 on");
    let effects = state.update(Action::TimerFired(Timer::CancelDeadline(job)), 620.0);
    assert!(!effects.contains(&Effect::StartWorker));
}

#[test]
fn a_silent_worker_is_replaced() {
    let (mut state, job) = checking();
    let progress = Progress { bytes: 4_096, total_bytes: SIZE, lines: 40, ..Progress::default() };
    state.update(event(Event::Progress { job, progress, first_findings: vec![] }), 110.0);
    let mut restarted = false;
    for _ in 0..6 {
        restarted |= state.update(Action::TimerFired(Timer::Heartbeat), 0.0).contains(&Effect::StartWorker);
    }
    assert!(restarted);
    assert_eq!(title(&state), "Not checked from byte 4,096 on");
    assert_eq!(state.engine, EngineState::Loading);
}

#[test]
fn a_dead_worker_is_replaced_and_its_requests_fail() {
    let (mut state, job) = checking();
    let died = Event::Died { job: Some(job), message: "panicked".into(), checked_bytes: 77, line: 4 };
    let effects = state.update(event(died), 110.0);
    assert!(effects.contains(&Effect::StartWorker));
    assert_eq!(title(&state), "Not checked from byte 77 on");
    state.update(event(Event::Ready { catalogue: catalogue() }), 120.0);
    let effects = state.update(PreviewAction::SelectLine { line: 2, open: true }.into(), 130.0);
    assert!(commands(&effects).is_empty(), "the new worker does not know the job");
    assert!(matches!(check(&state).preview.record, RecordState::Failed(_)));
}

#[test]
fn a_worker_that_cannot_start_is_restarted_only_on_request() {
    let (mut state, _) = State::new(Theme::Auto, None);
    let died = Event::Died { job: None, message: "no wasm".into(), checked_bytes: 0, line: 0 };
    assert!(state.update(event(died), 1.0).is_empty());
    assert!(matches!(state.engine, EngineState::Failed(_)));
    let effects = state.update(Action::CheckAgain, 2.0);
    assert_eq!(effects, [Effect::StartWorker]);
}

#[test]
fn a_file_that_changed_was_not_checked() {
    let (mut state, job, effects) = done(vec![]);
    assert!(effects.contains(&Effect::InspectFile(FileKey(7), job)));
    state.update(Action::FileInspected { job, size: SIZE, modified_ms: 5.0 }, 210.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::Valid));
    state.update(Action::FileInspected { job, size: 0, modified_ms: 5.0 }, 210.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Not checked: the file changed");
}

#[test]
fn choosing_a_format_checks_the_file_again() {
    let (mut state, job, _) = done(vec![]);
    let effects = state.update(Action::ChooseFormat(Some(FormatChoice::any_version("evret"))), 300.0);
    let check_command = commands(&effects).into_iter().next().cloned();
    let Some(Command::Check { job: next, options }) = check_command else { panic!("{effects:?}") };
    assert!(next > job);
    assert_eq!(options.format.as_deref(), Some("evret"));
    assert_eq!(options.max_findings_per_code, Some(MAX_FINDINGS_PER_CODE));
}

#[test]
fn only_the_last_requested_record_is_shown() {
    let (mut state, job, _) = done(vec![finding(1, Severity::Error), finding(2, Severity::Error)]);
    let first =
        record_request(&state.update(PreviewAction::SelectFinding { index: 1, open: true }.into(), 1.0));
    let second =
        record_request(&state.update(PreviewAction::SelectLine { line: 50, open: true }.into(), 2.0));
    state.update(event(Event::Record { job, request: first, record: None }), 3.0);
    assert_eq!(check(&state).preview.record, RecordState::Requested(second));
    state.update(event(Event::Record { job, request: second, record: None }), 4.0);
    assert_eq!(check(&state).preview.record, RecordState::Missing);
}

#[test]
fn small_attachments_are_loaded_and_released_with_the_sample() {
    let (mut state, job, effects) = done(vec![finding(1, Severity::Error)]);
    let request = record_request(&effects);
    let part = |entry: &str, size: u64| Part::File {
        path: entry.into(),
        attachment: Some(AttachmentInfo { entry: entry.into(), size }),
        suggestion: None,
    };
    let parts = vec![part("a.pdf", 10), part("a.pdf", 10), part("huge.bin", 1 << 40)];
    let turn = Turn { role: "user".into(), path: "input.messages.0".into(), parts };
    let record = Record {
        line: 1,
        findings: vec![finding(1, Severity::Error)],
        source: Source { text: "{}".into(), clipped: false, marks: vec![None] },
        sample: Some(Sample { turns: vec![turn], fields: vec![] }),
    };
    let answer = Event::Record { job, request, record: Some(Box::new(record)) };
    let effects = state.update(event(answer), 210.0);
    let requests = commands(&effects);
    let [Command::Attachment { request, entry, .. }] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(entry, "a.pdf");

    let attachment = Attachment {
        info: AttachmentInfo { entry: "a.pdf".into(), size: 10 },
        kind: AttachmentKind::Pdf,
        media_type: "application/pdf".into(),
        description: "PDF".into(),
        bytes_read: 10,
    };
    let body = AttachmentBody::Pdf("blob:x".into());
    let request = *request;
    state.update(Action::AttachmentLoaded { job, request, attachment: Ok(attachment), body }, 220.0);
    assert!(matches!(check(&state).preview.attachments[0].state, AttachmentState::Loaded(..)));

    let effects = state.update(PreviewAction::SelectLine { line: 2, open: true }.into(), 230.0);
    assert!(effects.contains(&Effect::ReleaseAttachments));
    assert!(check(&state).preview.attachments.is_empty());
}

#[test]
fn visible_lines_are_requested() {
    let (mut state, job, effects) = done(vec![]);
    let requested = |effects: &[Effect]| {
        commands(effects).into_iter().find_map(|command| match command {
            Command::Lines { request, from, count, .. } => Some((*request, *from, *count)),
            _ => None,
        })
    };
    let (request, from, count) = requested(&effects).unwrap();
    assert_eq!((from, count), (1, 200), "the context of the first line");
    let line = |number| Line {
        number,
        byte_start: 0,
        bytes: 2,
        text: "{}".into(),
        clipped: false,
        severity: None,
        blank: false,
    };
    let lines = Lines { total: 100, lines: (1..=100).map(line).collect() };
    state.update(event(Event::Lines { job, request, lines }), 210.0);
    let effects = state.update(PreviewAction::LinesVisible(1..=40).into(), 220.0);
    assert_eq!(requested(&effects), None, "they are loaded");
    assert!(matches!(check(&state).preview.lines.get(40), Lookup::Loaded(_)));
}

#[test]
fn go_to_the_next_and_previous_invalid_line() {
    let findings =
        vec![finding(5, Severity::Error), finding(7, Severity::Warning), finding(9, Severity::Error)];
    let (mut state, ..) = done(findings);
    state.update(PreviewAction::GoToLine(6).into(), 1.0);
    state.update(PreviewAction::GoToInvalidLine(Direction::Next).into(), 2.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(9)));
    state.update(PreviewAction::GoToInvalidLine(Direction::Next).into(), 3.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(9)), "there is no next one");
    state.update(PreviewAction::GoToInvalidLine(Direction::Previous).into(), 4.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(5)));
    state.update(PreviewAction::GoToLine(1_000_000).into(), 5.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(100)), "the last line");
}

#[test]
fn an_example_is_checked_as_its_own_format() {
    let mut state = ready();
    state.update(Action::ChooseFormat(Some(FormatChoice::any_version("evret"))), 1.0);
    let effects = state.update(Action::OpenExample { format: 0, example: 0 }, 2.0);
    assert!(matches!(&effects[..], [Effect::CreateFile(file)] if file.name == "minimal.jsonl"));
    assert_eq!(state.format, None);
    assert!(state.update(Action::OpenExample { format: 9, example: 0 }, 3.0).is_empty());
}

#[test]
fn actions_without_a_check_have_no_effects() {
    let mut state = ready();
    for action in [
        Action::Cancel,
        Action::StartOver,
        Action::CopyReport,
        Action::DownloadReport,
        PreviewAction::GoToLine(3).into(),
        PreviewAction::BackToList.into(),
        Action::TimerFired(Timer::CancelDeadline(1)),
        Action::TimerFired(Timer::Heartbeat),
    ] {
        assert!(state.update(action.clone(), 1.0).is_empty(), "{action:?}");
    }
}

#[test]
fn each_notice_is_shown_for_its_full_time() {
    let (mut state, ..) = done(vec![]);
    let timer = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::StartTimer { timer, .. }] => *timer,
        other => panic!("{other:?}"),
    };
    let first = timer(state.update(Action::Copied(true), 1.0));
    let second = timer(state.update(Action::Copied(true), 2_000.0));
    state.update(Action::TimerFired(first), 2_501.0);
    assert_eq!(state.notice, Some(Notice::Copied));
    state.update(Action::TimerFired(second), 4_500.0);
    assert_eq!(state.notice, None);
}

fn several(n: u32) -> DroppedItems {
    let file = |n: u32| Dataset {
        key: FileKey(10 + n),
        name: format!("{n}.jsonl").into(),
        path: format!("runs/{n}.jsonl").into(),
        ..dataset()
    };
    DroppedItems { files: (0..n).map(file).collect(), skipped: Skipped::default() }
}

/// The id and the file of the check among effects.
fn checked(effects: &[Effect]) -> Option<(u32, FileKey)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Post(Command::Check { job, .. }, Some(key)) => Some((*job, *key)),
        _ => None,
    })
}

fn reported(state: &mut State, job: u32, findings: Vec<Finding>) -> Vec<Effect> {
    state.update(event(Event::Report { job, report: report(findings), elapsed_ms: 1.0 }), 300.0)
}

#[test]
fn files_of_a_batch_are_checked_in_order() {
    let mut state = ready();
    let effects = state.update(Action::OpenFiles(several(3)), 100.0);
    assert!(effects.contains(&Effect::ReleaseFilesBefore(FileKey(10))));
    let (first, key) = checked(&effects).unwrap();
    assert_eq!(key, FileKey(10));
    let (second, key) = checked(&reported(&mut state, first, vec![finding(1, Severity::Error)])).unwrap();
    assert_eq!(key, FileKey(11));
    assert!(reported(&mut state, first, vec![]).iter().all(|effect| !matches!(effect, Effect::Post(..))));
    let (third, _) = checked(&reported(&mut state, second, vec![])).unwrap();
    assert_eq!(checked(&reported(&mut state, third, vec![])), None);
    let totals = state.batch.as_ref().unwrap().totals();
    assert_eq!((totals.done, totals.valid, totals.invalid, totals.records), (3, 2, 1, 300));
    assert_eq!(state.status(), "2 of 3 files valid, 1 not valid, 0 not checked.");
    let text = state.batch.as_ref().unwrap().as_text();
    assert!(text.starts_with("runs/0.jsonl: line 1: input: Required\nruns/0.jsonl: invalid: juryarena:"));
}

#[test]
fn opening_a_file_pauses_the_batch() {
    let mut state = ready();
    let (running, _) = checked(&state.update(Action::OpenFiles(several(3)), 100.0)).unwrap();
    let (opened, key) = checked(&state.update(Action::OpenFile(2), 110.0)).unwrap();
    assert_eq!(key, FileKey(12));
    assert_eq!(checked(&reported(&mut state, running, vec![])), None, "it was paused");
    assert_eq!(checked(&reported(&mut state, opened, vec![finding(1, Severity::Error)])), None);
    assert_eq!(check(&state).verdict(), Some(Verdict::Invalid));
    let (next, key) = checked(&state.update(Action::ShowOverview, 120.0)).unwrap();
    assert_eq!(key, FileKey(10), "the paused file is checked again");
    assert!(state.check.is_none());
    assert_eq!(checked(&reported(&mut state, next, vec![])).map(|(_, key)| key), Some(FileKey(11)));
    assert_eq!(state.batch.as_ref().unwrap().totals().invalid, 1);
}

#[test]
fn a_batch_continues_after_the_engine_died() {
    let mut state = ready();
    let (job, _) = checked(&state.update(Action::OpenFiles(several(2)), 100.0)).unwrap();
    let died = Event::Died { job: Some(job), message: "panicked".into(), checked_bytes: 7, line: 4 };
    assert!(state.update(event(died), 110.0).contains(&Effect::StartWorker));
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 120.0);
    let (job, key) = checked(&effects).unwrap();
    assert_eq!(key, FileKey(11));
    reported(&mut state, job, vec![]);
    let totals = state.batch.as_ref().unwrap().totals();
    assert_eq!((totals.valid, totals.not_checked), (1, 1));
}

#[test]
fn a_cancelled_batch_checks_the_other_files_on_request() {
    let mut state = ready();
    let (job, _) = checked(&state.update(Action::OpenFiles(several(3)), 100.0)).unwrap();
    let (job, _) = checked(&reported(&mut state, job, vec![])).unwrap();
    assert_eq!(commands(&state.update(Action::Cancel, 110.0)), [&Command::Cancel { job }]);
    let partial = Report { checked: false, ..report(vec![]) };
    state.update(event(Event::Cancelled { job, report: partial, elapsed_ms: 1.0 }), 120.0);
    let totals = state.batch.as_ref().unwrap().totals();
    assert_eq!((totals.valid, totals.not_checked), (1, 2));
    let (_, key) = checked(&state.update(Action::CheckAgain, 130.0)).unwrap();
    assert_eq!(key, FileKey(11));
    assert_eq!(state.batch.as_ref().unwrap().totals().valid, 1, "the first report is kept");
}

#[test]
fn the_findings_of_a_batch_are_bounded() {
    for (files, most) in [(2, 1_000), (250, 800), (10_000, 20), (1_000_000, 1)] {
        let batch = Batch::new(several(1).files.into_iter().cycle().take(files).collect(), None);
        assert_eq!(batch.max_per_code(), most, "{files} files");
    }
}

#[test]
fn a_folder_without_files_is_an_error() {
    let mut state = ready();
    let mut skipped = Skipped::default();
    skipped.add_empty_folder();
    state.update(Action::OpenFiles(DroppedItems { files: vec![], skipped }), 100.0);
    assert_eq!(state.open_error.as_deref(), Some("Nothing to check. Skipped: 1 empty folder."));
}

#[test]
fn a_newer_version_is_loaded_only_on_request() {
    let (mut state, _) = State::new(Theme::Auto, None);
    assert_eq!(state.update(Action::UpdateAvailable, 0.0), []);
    assert_eq!(state.update_offer, UpdateOffer::Available);
    assert_eq!(state.update(Action::DismissUpdate, 0.0), []);
    assert_eq!(state.update_offer, UpdateOffer::None);
    state.update(Action::UpdateAvailable, 0.0);
    assert_eq!(state.update(Action::ApplyUpdate, 0.0), [Effect::ApplyUpdate]);
}
