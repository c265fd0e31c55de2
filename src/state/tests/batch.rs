//! Tests of batches.

use super::*;

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
        Effect::Post(Command::Check { id, .. }, Some(key)) => Some((*id, *key)),
        _ => None,
    })
}

fn report_of(state: &mut State, id: u32, findings: Vec<Finding>) -> Vec<Effect> {
    state.update(reported(id, report(findings)), 300.0)
}

#[test]
fn files_of_a_batch_are_checked_in_order() {
    let mut state = ready();
    let effects = state.update(Action::OpenFiles(several(3)), 100.0);
    assert!(effects.contains(&Effect::ReleaseFilesBefore(FileKey(10))));
    let (first, key) = checked(&effects).unwrap();
    assert_eq!(key, FileKey(10));
    let (second, key) = checked(&report_of(&mut state, first, vec![finding(1, Severity::Error)])).unwrap();
    assert_eq!(key, FileKey(11));
    assert!(report_of(&mut state, first, vec![]).iter().all(|effect| !matches!(effect, Effect::Post(..))));
    let (third, _) = checked(&report_of(&mut state, second, vec![])).unwrap();
    assert_eq!(checked(&report_of(&mut state, third, vec![])), None);
    let totals = state.batch.as_ref().unwrap().totals();
    assert_eq!((totals.done, totals.valid, totals.invalid, totals.records), (3, 2, 1, 300));
    assert_eq!(state.status(), "2 of 3 files valid, 1 not valid, 0 not checked.");
    let text = state.batch.as_ref().unwrap().as_text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("runs/0.jsonl:1") && lines[0].ends_with(": input: Required"), "{text}");
    assert!(lines[1].starts_with("runs/0.jsonl: invalid (juryarena): 100 records"), "{text}");
    assert!(lines.last().unwrap().starts_with("Found 1 error in 1 of 3 files."), "{text}");
}

#[test]
fn opening_a_file_pauses_the_batch() {
    let mut state = ready();
    let (running, _) = checked(&state.update(Action::OpenFiles(several(3)), 100.0)).unwrap();
    let (opened, key) = checked(&state.update(Action::OpenFile(2), 110.0)).unwrap();
    assert_eq!(key, FileKey(12));
    assert_eq!(checked(&report_of(&mut state, running, vec![])), None, "it was paused");
    assert_eq!(checked(&report_of(&mut state, opened, vec![finding(1, Severity::Error)])), None);
    assert_eq!(check(&state).verdict(), Some(Verdict::Invalid));
    let (next, key) = checked(&state.update(Action::ShowOverview, 120.0)).unwrap();
    assert_eq!(key, FileKey(10), "the paused file is checked again");
    assert!(state.check.is_none());
    assert_eq!(checked(&report_of(&mut state, next, vec![])).map(|(_, key)| key), Some(FileKey(11)));
    assert_eq!(state.batch.as_ref().unwrap().totals().invalid, 1);
}

#[test]
fn a_batch_continues_after_the_engine_died() {
    let mut state = ready();
    let (id, _) = checked(&state.update(Action::OpenFiles(several(2)), 100.0)).unwrap();
    let died = Event::Died { id: Some(id), message: "panicked".into(), checked_bytes: 7, line: 4 };
    assert!(state.update(event(died), 110.0).contains(&Effect::StartWorker));
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 120.0);
    let (id, key) = checked(&effects).unwrap();
    assert_eq!(key, FileKey(11));
    report_of(&mut state, id, vec![]);
    let totals = state.batch.as_ref().unwrap().totals();
    assert_eq!((totals.valid, totals.not_checked), (1, 1));
}

#[test]
fn a_cancelled_batch_checks_the_other_files_on_request() {
    let mut state = ready();
    let (id, _) = checked(&state.update(Action::OpenFiles(several(3)), 100.0)).unwrap();
    let (id, _) = checked(&report_of(&mut state, id, vec![])).unwrap();
    assert_eq!(commands(&state.update(Action::Cancel, 110.0)), [&Command::Cancel { id }]);
    let partial = Report { checked: false, ..report(vec![]) };
    state.update(event(Event::Cancelled { id, report: partial, first_error: None, elapsed_ms: 1.0 }), 120.0);
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
