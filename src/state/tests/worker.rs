//! Tests of cancelled checks and failing workers.

use super::*;

#[test]
fn a_worker_that_does_not_cancel_in_time_is_replaced() {
    let (mut state, id) = checking();
    let progress = Progress { bytes: 1_234, total_bytes: SIZE, lines: 9, ..Progress::default() };
    state.update(event(Event::Progress { id, progress, first_findings: vec![] }), 110.0);
    let effects = state.update(Action::Cancel, 120.0);
    assert_eq!(commands(&effects), [&Command::Cancel { id }]);
    assert_eq!(check(&state).phase, Phase::Stopping);
    assert!(effects.contains(&Effect::StartTimer { after_ms: 500, timer: Timer::CancelDeadline(id) }));

    let effects = state.update(Action::TimerFired(Timer::CancelDeadline(id)), 620.0);
    assert!(effects.contains(&Effect::StartWorker));
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Stopped at 0 %: 0 errors in 0 records so far");
    assert_eq!(check(&state).as_text(), "data.jsonl: not checked: from byte 1,234 on\n");
}

#[test]
fn a_worker_that_cancels_in_time_is_kept() {
    let (mut state, id) = checking();
    state.update(Action::Cancel, 120.0);
    let stopped = Finding {
        code: "file/cancelled".into(),
        line: None,
        byte_start: Some(304_321),
        byte_end: Some(304_321),
        ..finding(1, Severity::Info)
    };
    let partial = Report { checked: false, ..report(vec![finding(3, Severity::Error), stopped]) };
    state.update(event(Event::Cancelled { id, report: partial, first_error: None, elapsed_ms: 20.0 }), 130.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Stopped at 30 %: 1 of 100 records is invalid so far");
    assert_eq!(headline(check(&state), &state.catalogue).unwrap().short, "Stopped at 30 %");
    let effects = state.update(Action::TimerFired(Timer::CancelDeadline(id)), 620.0);
    assert!(!effects.contains(&Effect::StartWorker));
}

#[test]
fn a_silent_worker_is_replaced() {
    let (mut state, id) = checking();
    let progress = Progress { bytes: 4_096, total_bytes: SIZE, lines: 40, ..Progress::default() };
    state.update(event(Event::Progress { id, progress, first_findings: vec![] }), 110.0);
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
    let (mut state, id) = checking();
    let died = Event::Died { id: Some(id), message: "panicked".into(), checked_bytes: 77, line: 4 };
    let effects = state.update(event(died), 110.0);
    assert!(effects.contains(&Effect::StartWorker));
    assert_eq!(title(&state), "Not checked from byte 77 on");
    state.update(event(Event::Ready { catalogue: catalogue() }), 120.0);
    let effects = state.update(select(Selection::Line(2), true), 130.0);
    assert!(commands(&effects).is_empty(), "the new worker does not know the id");
    assert!(matches!(check(&state).preview.details.record, RecordState::Failed(_)));
}

#[test]
fn a_worker_that_cannot_start_is_restarted_only_on_request() {
    let (mut state, _) = State::new(views::ALL, Theme::Auto, None, None);
    let died = Event::Died { id: None, message: "no wasm".into(), checked_bytes: 0, line: 0 };
    assert_eq!(effects_of(&mut state, event(died), 1.0), []);
    assert!(matches!(state.engine, EngineState::Failed(_)));
    let effects = state.update(Action::CheckAgain, 2.0);
    assert_eq!(effects, [Effect::StartWorker]);
}

#[test]
fn findings_are_still_listed_when_the_engine_that_knew_them_is_gone() {
    let all: Vec<Finding> = (1..=300).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, ..) = done(all.clone());
    state.update(Action::WorkerFailed("out of memory".into()), 300.0);
    state.update(select(Selection::Finding(299), false), 310.0);
    assert_eq!(check(&state).preview.listed_finding(), all.last());
}

#[test]
fn a_filter_that_finds_no_engine_checks_the_file_again_once() {
    let (mut state, ..) = done(vec![finding(3, Severity::Error)]);
    let filter = |state: &mut State| state.update(PreviewAction::Filter("paris".into()).into(), 310.0);
    let search = |effects: &[Effect]| {
        questions(effects).into_iter().any(|(_, question)| *question == Question::Search("paris".into()))
    };
    assert!(search(&filter(&mut state)));
    // It was dead before the search, and is missed now.
    let mut effects = Vec::new();
    while !effects.contains(&Effect::StartWorker) {
        effects = state.update(Action::TimerFired(Timer::Heartbeat), 320.0);
    }
    assert_eq!((check(&state).is_running(), state.opening.error.is_some()), (true, true));
    state.update(event(Event::Ready { catalogue: catalogue() }), 330.0);
    let id = check(&state).id;
    let effects = state.update(reported(id, report(vec![finding(3, Severity::Error)])), 340.0);
    assert_eq!((search(&effects), check(&state).preview.filter.text.as_str()), (true, "paris"));

    // The search itself can be what kills it.
    state.update(Action::WorkerFailed("out of memory".into()), 350.0);
    assert!(!check(&state).is_running());
    assert!(check(&state).preview.search().is_some_and(|search| search.has_failed()));
    state.update(PreviewAction::Filter("rome".into()).into(), 360.0);
    assert!(check(&state).preview.search().is_some_and(|search| search.has_failed()), "and says so");
}
