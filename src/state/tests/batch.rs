//! Tests of batches.

use evalcheck_wire::findings::{FindingGroup, FindingSummary};

use super::*;
use crate::state::Column;

pub(super) fn several(n: u32) -> DroppedItems {
    let file = |n: u32| Dataset {
        key: FileKey(10 + n),
        name: format!("{n}.jsonl").into(),
        path: format!("runs/{n}.jsonl").into(),
        ..dataset()
    };
    DroppedItems { files: (0..n).map(file).collect(), ..DroppedItems::default() }
}

/// The id and the file of the first check among effects.
pub(super) fn checked(effects: &[Effect]) -> Option<(u32, FileKey)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Post(Command::Check { id, .. } | Command::CheckNext { id, .. }, Some(key)) => {
            Some((*id, *key))
        }
        _ => None,
    })
}

/// The id and the file of the check that runs in a batch.
pub(super) fn runs(state: &State) -> Option<(u32, FileKey)> {
    let batch = state.batch.as_ref()?;
    batch.running.front().map(|running| (running.id, batch.files[running.index].current().key))
}

pub(super) fn report_of(state: &mut State, id: u32, findings: Vec<Finding>) -> Vec<Effect> {
    state.update(reported(id, report(findings)), 300.0)
}

#[test]
fn files_of_a_batch_are_checked_in_order() {
    let mut state = ready();
    let effects = state.update(Action::OpenFiles(several(3)), 100.0);
    assert!(effects.contains(&Effect::ReleaseFilesBefore(FileKey(10))));
    let is_check = |effect: &&Effect| matches!(effect, Effect::Post(Command::CheckNext { .. }, _));
    assert_eq!(effects.iter().filter(is_check).count(), 3, "the worker reads small files in advance");
    let (first, key) = runs(&state).unwrap();
    assert_eq!(key, FileKey(10));
    report_of(&mut state, first, vec![finding(1, Severity::Error)]);
    let (second, key) = runs(&state).unwrap();
    assert_eq!(key, FileKey(11));
    assert!(report_of(&mut state, first, vec![]).iter().all(|effect| !matches!(effect, Effect::Post(..))));
    report_of(&mut state, second, vec![]);
    let (third, _) = runs(&state).unwrap();
    report_of(&mut state, third, vec![]);
    assert_eq!(runs(&state), None);
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
    report_of(&mut state, next, vec![]);
    assert_eq!(runs(&state).map(|(_, key)| key), Some(FileKey(11)));
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
    report_of(&mut state, id, vec![]);
    let (id, _) = runs(&state).unwrap();
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
        let batch = Batch::new(
            several(1).files.into_iter().cycle().take(files).collect(),
            None,
            UserSchema::default(),
        );
        assert_eq!(batch.max_per_code(), most, "{files} files");
    }
}

#[test]
fn files_are_sorted_by_each_column_and_filtered() {
    let mut state = ready();
    let (id, _) = checked(&state.update(Action::OpenFiles(several(4)), 100.0)).unwrap();
    let errors = |n: u64| (1..=n).map(|line| finding(line, Severity::Error)).collect::<Vec<_>>();
    report_of(&mut state, id, errors(1));
    let (id, _) = runs(&state).unwrap();
    report_of(&mut state, id, vec![]);
    let (id, _) = runs(&state).unwrap();
    report_of(&mut state, id, errors(3));
    let listed = |state: &State| state.batch.as_ref().unwrap().listed();
    assert_eq!(listed(&state), [0, 1, 2, 3]);
    // The last file is being checked, and has no number.
    for expected in [[2, 0, 1, 3], [1, 0, 2, 3], [0, 1, 2, 3]] {
        state.update(Action::SortFiles(Column::Errors), 110.0);
        assert_eq!(listed(&state), expected);
    }
    state.update(Action::SortFiles(Column::Status), 110.0);
    assert_eq!(listed(&state), [0, 2, 3, 1]);
    state.update(Action::SortFiles(Column::Path), 110.0);
    state.update(Action::SortFiles(Column::Path), 110.0);
    assert_eq!(listed(&state), [3, 2, 1, 0]);
    state.update(Action::FindFiles("RUNS/2".into()), 110.0);
    assert_eq!(listed(&state), [2]);
    state.update(Action::FilterFiles(Some(FileStatus::Done(Verdict::Valid))), 110.0);
    assert!(listed(&state).is_empty());
}

#[test]
fn findings_are_grouped_across_files() {
    let mut state = ready();
    state.update(Action::OpenFiles(several(3)), 100.0);
    let (first, _) = runs(&state).unwrap();
    report_of(&mut state, first, vec![finding(1, Severity::Error)]);
    let (second, _) = runs(&state).unwrap();
    let group = |path: &str| FindingGroup {
        code: "shape/missing-key".into(),
        severity: Severity::Error,
        summary: "A key is missing".into(),
        path: Some(path.into()),
        message: None,
        brief: None,
        findings: 4,
        safe_fixes: 1,
        unsafe_fixes: 0,
        records: 4,
        first: 0,
        lines: vec![1],
        strip: Vec::new(),
    };
    let summary = |request, groups| {
        let summary = FindingSummary { groups, ..FindingSummary::default() };
        answer(request, Answer::FindingSummary(summary))
    };
    state.update(summary(first, vec![group("a.*"), group("b")]), 110.0);
    // Another answer is stale.
    state.update(summary(first, vec![group("c")]), 110.0);
    report_of(&mut state, second, vec![finding(1, Severity::Error), finding(2, Severity::Error)]);
    let code = || "shape/missing-key".to_owned();
    let of = |state: &State| -> Vec<_> {
        let mistakes = state.batch.as_ref().unwrap().mistakes();
        mistakes
            .into_iter()
            .map(|mistake| (mistake.key, mistake.count.findings, mistake.files.len()))
            .collect()
    };
    let path = |path: &str| (code(), Some(path.to_owned()));
    // Without groups, the findings of a file are counted by rule.
    assert_eq!(of(&state), [(path("a.*"), 4, 1), (path("b"), 4, 1), ((code(), None), 2, 1)]);

    state.update(Action::OpenMistake { file: 0, key: path("a.*") }, 120.0);
    assert_eq!(check(&state).dataset.key, FileKey(10));
    assert_eq!(check(&state).preview.filter.rule(), Some(path("a.*")));
}

#[test]
fn the_groups_of_a_file_are_bounded() {
    let group = |n: u32| FindingGroup {
        code: "a/b".into(),
        severity: Severity::Error,
        summary: String::new(),
        path: Some(n.to_string()),
        message: None,
        brief: None,
        findings: 1,
        safe_fixes: 0,
        unsafe_fixes: 0,
        records: 1,
        first: 0,
        lines: Vec::new(),
        strip: Vec::new(),
    };
    let mut batch = Batch::new(several(1).files, None, UserSchema::default());
    batch.start(0, 1);
    batch.finish(1, report(vec![finding(1, Severity::Error)]));
    batch.store_groups(1, (0..1_000).map(group).collect());
    let mistakes = batch.mistakes();
    assert_eq!(mistakes.len(), 101);
    assert_eq!(mistakes.iter().map(|mistake| mistake.count.findings).sum::<u64>(), 1_000);
    assert_eq!(mistakes[0].key.1, None, "the rest");
}
