//! Tests of fixes: rounds, undo, download.

use evalcheck_wire::fix::{Change, Selection};
use evalcheck_wire::report::{Edit, EntryEdit, Fix};
use evalcheck_wire::view::{ByteRange, Judged, Record, Source};

use super::*;

fn edit() -> Edit {
    Edit { start: 1, end: 2, text: String::new() }
}

fn rewritten(key: u32) -> Dataset {
    Dataset { key: FileKey(key), ..dataset() }
}

/// The page after the first round was asked for; the id of its check.
fn fixing() -> (State, u32) {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::ApplyAll(Selection::default()).into(), 300.0);
    let Some(Command::Fix { job, change, .. }) = commands(&effects).into_iter().next().cloned() else {
        panic!("{effects:?}")
    };
    assert_eq!(change, Change::Fixes(Selection::default()));
    (state, job)
}

/// A finding with a safe fix.
fn fixable() -> Finding {
    Finding { fix: Some(Box::new(Fix::safe("Fix it", vec![edit()]))), ..finding(12, Severity::Error) }
}

/// The file was made again with three fixes, and its check ends with these findings.
fn after_a_round(state: &mut State, job: u32, key: u32, findings: Vec<Finding>) -> Vec<Effect> {
    let effects = state.update(event(Event::Edits { job, edits: vec![edit()], fixes: 3 }), 310.0);
    let of = check(state).dataset.key;
    let rewrite = Effect::Rewrite { key: of, job, edits: vec![edit()], fixes: 3 };
    assert!(effects.contains(&rewrite), "{effects:?}");
    let effects = state.update(Action::FileRewritten { job, dataset: rewritten(key), fixes: 3 }, 320.0);
    let posted = commands(&effects);
    let [Command::Check { shown, .. }] = posted[..] else { panic!("{effects:?}") };
    assert_eq!(*shown, Some(check(state).job));
    assert_eq!(check(state).dataset.key, of, "what was shown is shown until the check has ended");
    fixed(state, findings)
}

/// The next round among effects.
fn next_round(effects: &[Effect]) -> Option<u32> {
    commands(effects).into_iter().find_map(|command| match command {
        Command::Fix { job, .. } => Some(*job),
        _ => None,
    })
}

#[test]
fn rounds_go_on_while_the_report_has_such_fixes() {
    let (mut state, job) = fixing();
    let effects = after_a_round(&mut state, job, 8, vec![fixable()]);
    let job = next_round(&effects).unwrap();
    let effects = after_a_round(&mut state, job, 9, vec![finding(12, Severity::Error)]);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(8))), "it is not undone to: {effects:?}");
    assert_eq!(state.fixing, None);
    assert_eq!(check(&state).fixes.as_ref().map(|fixes| fixes.applied), Some(6));

    let effects = state.update(FixAction::Download.into(), 350.0);
    assert_eq!(effects, [Effect::SaveFile(FileKey(9), "data.fixed.jsonl".to_owned())]);
    state.update(FixAction::Undo.into(), 360.0);
    assert_eq!((state.fixing_verb(), check(&state).dataset.key), ("Undoing the fixes of", FileKey(9)));
    let effects = fixed(&mut state, vec![fixable()]);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(9))), "{effects:?}");
    assert_eq!(check(&state).dataset.key, FileKey(7), "what was asked for at once is undone at once");
    assert_eq!(check(&state).fixes, None);
}

#[test]
fn a_fix_that_is_cancelled_leaves_what_is_shown() {
    let (mut state, job) = fixing();
    assert_eq!(state.status(), "Fixing data.jsonl.");
    let progress = Progress { bytes: 10, ..Progress::default() };
    state.update(event(Event::Progress { job, progress, first_findings: Vec::new() }), 305.0);
    assert_eq!(state.fixing.as_ref().unwrap().progress.bytes, 10);
    assert_eq!(state.update(FixAction::DropInvalid.into(), 306.0), [], "one at a time");
    let effects = state.update(Action::Cancel, 310.0);
    assert_eq!(effects, [Effect::Post(Command::Cancel { job }, None)]);
    assert_eq!((state.fixing.is_none(), check(&state).is_running()), (true, false));
    let effects = state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 1 }, 320.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(8))], "it came too late");

    // While the changed file is checked.
    let (mut state, job) = fixing();
    state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 1 }, 310.0);
    let effects = state.update(Action::Cancel, 320.0);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(8))), "{effects:?}");
    assert_eq!((check(&state).dataset.key, &check(&state).fixes), (FileKey(7), &None));

    // The engine fails.
    let (mut state, _) = fixing();
    state.update(Action::WorkerFailed("out of memory".into()), 310.0);
    assert_eq!(state.open_error.as_deref(), Some("data.jsonl was not fixed: the checking engine failed."));
    assert!(check(&state).report().is_some());
}

#[test]
fn rounds_have_an_end() {
    let (mut state, mut job) = fixing();
    for round in 1..=5 {
        let effects = after_a_round(&mut state, job, 10 + round, vec![fixable()]);
        let next = next_round(&effects);
        assert_eq!(next.is_some(), round < 5, "round {round}");
        job = next.unwrap_or_default();
    }
    assert_eq!(state.fixing, None);

    // What is left of a fix that cannot be made.
    let (mut state, job) = fixing();
    state.update(event(Event::Edits { job, edits: vec![], fixes: 0 }), 330.0);
    assert_eq!(state.fixing, None);
}

#[test]
fn answers_of_earlier_rounds_are_dropped() {
    let (mut state, job) = fixing();
    assert!(
        state.update(event(Event::Edits { job: job - 1, edits: vec![edit()], fixes: 1 }), 310.0).is_empty()
    );
    state.update(Action::FileRewritten { job: job - 1, dataset: rewritten(9), fixes: 1 }, 310.0);
    assert_eq!(check(&state).dataset.key, FileKey(7));
}

#[test]
fn one_fix_is_applied_at_once() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let fix = Fix::safe("Delete the comma", vec![edit()]);
    let effects = state.update(FixAction::ApplyOne(Box::new(fix)).into(), 300.0);
    let job = state.fixing.as_ref().unwrap().job;
    assert_eq!(effects, [Effect::Rewrite { key: FileKey(7), job, edits: vec![edit()], fixes: 1 }]);
    let effects = state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 1 }, 310.0);
    assert!(matches!(commands(&effects)[..], [Command::Check { .. }]));
}

#[test]
fn the_worker_applies_fixes_of_a_zip() {
    // It posts the new file at once.
    let (mut state, job) = fixing();
    let effects = state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 1 }, 320.0);
    assert!(matches!(commands(&effects)[..], [Command::Check { .. }]), "{effects:?}");

    let (mut state, job) = fixing();
    let why = || "damaged".to_owned();
    state.update(event(Event::NotFixed { job, why: why() }), 310.0);
    assert_eq!((check(&state).dataset.key, &state.fixing), (FileKey(7), &None));
    assert_eq!(state.open_error.as_deref(), Some("damaged"));

    let fix = Fix { entries: vec![EntryEdit::remove("a")], ..Fix::safe("Leave it out", vec![]) };
    let (mut state, shown, _) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::ApplyOne(Box::new(fix.clone())).into(), 300.0);
    let job = state.fixing.as_ref().unwrap().job;
    let command = Command::Apply { job, check: shown, fix: Box::new(fix) };
    assert_eq!(effects[..1], [Effect::Post(command, None)]);
}

/// Applies one fix, and ends the check of the changed file with these findings.
fn fix_once(state: &mut State, key: u32, findings: Vec<Finding>) {
    let fix = Fix::safe("Fix it", vec![edit()]);
    let effects = state.update(FixAction::ApplyOne(Box::new(fix)).into(), 300.0);
    let (of, job) = (check(state).dataset.key, state.fixing.as_ref().unwrap().job);
    assert_eq!(effects[..1], [Effect::Rewrite { key: of, job, edits: vec![edit()], fixes: 1 }]);
    state.update(Action::FileRewritten { job, dataset: rewritten(key), fixes: 1 }, 310.0);
    fixed(state, findings);
}

#[test]
fn fixes_are_undone_one_by_one() {
    let error = |line| finding(line, Severity::Error);
    let (mut state, ..) = done(vec![error(1), error(2), error(3)]);
    fix_once(&mut state, 8, vec![error(2), error(3)]);
    fix_once(&mut state, 9, vec![error(3)]);
    let applied = |state: &State| check(state).fixes.as_ref().map(|fixes| fixes.applied);
    assert_eq!(applied(&state), Some(2));
    state.update(FixAction::Undo.into(), 400.0);
    fixed(&mut state, vec![]);
    assert_eq!((check(&state).dataset.key, applied(&state)), (FileKey(8), Some(1)));
    state.update(FixAction::Undo.into(), 410.0);
    fixed(&mut state, vec![]);
    assert_eq!((check(&state).dataset.key, applied(&state)), (FileKey(7), None));
}

#[test]
fn the_finding_behind_the_fixed_one_is_selected() {
    let error = |line| finding(line, Severity::Error);
    let (mut state, ..) = done(vec![error(1), error(2), error(3), error(4)]);
    state.update(PreviewAction::SelectFinding { index: 2, open: false }.into(), 200.0);
    fix_once(&mut state, 8, vec![error(1), error(2), error(4)]);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(2)));
    fix_once(&mut state, 9, vec![error(1), error(2)]);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(1)));

    // A filter that matches nothing any more is lifted.
    state.update(PreviewAction::FilterSeverity(Some(Severity::Error)).into(), 330.0);
    fix_once(&mut state, 10, vec![finding(1, Severity::Warning)]);
    assert_eq!(check(&state).preview.filter.severity, None);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(0)));
}

#[test]
fn an_edited_record_is_judged_while_it_is_typed_and_then_written() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let (job, request) = requested_record(&state);
    let record = Record {
        line: 12,
        findings: vec![finding(12, Severity::Error)],
        source: Source {
            text: "{}".into(),
            before: 0,
            after: 0,
            marks: vec![None],
            editable: Some(ByteRange { start: 100, end: 102 }),
        },
        sample: None,
        loaded: None,
    };
    state.update(event(Event::Record { job, request, record: Some(Box::new(record)) }), 210.0);
    state.update(PreviewAction::StartEditing.into(), 220.0);
    assert_eq!(state.update(FixAction::ApplyEdit.into(), 225.0), [], "nothing was typed");

    let typed = |state: &mut State, text: &str| {
        let effects = state.update(PreviewAction::EditText(text.to_owned()).into(), 230.0);
        let posted = commands(&effects);
        let [Command::Judge { request, line: 12, text: asked, .. }] = posted[..] else {
            panic!("{effects:?}")
        };
        assert_eq!(asked, text);
        *request
    };
    let first = typed(&mut state, "{\n");
    let last = typed(&mut state, "{\n}");
    let answer = |request, text: &str| {
        let judged = Some(Judged { text: text.to_owned(), findings: Some(Vec::new()) });
        event(Event::Judged { job, request, judged })
    };
    state.update(answer(first, "{ "), 240.0);
    assert_eq!(state.update(FixAction::ApplyEdit.into(), 245.0), [], "the last text is not judged yet");
    state.update(answer(last, "{ }"), 250.0);
    let effects = state.update(FixAction::ApplyEdit.into(), 260.0);
    let edits = vec![Edit { start: 100, end: 102, text: "{ }".to_owned() }];
    let job = state.fixing.as_ref().unwrap().job;
    assert_eq!(effects[..1], [Effect::Rewrite { key: FileKey(7), job, edits, fixes: 1 }]);
    assert!(check(&state).preview.editing.as_ref().unwrap().is_applied);
    state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 1 }, 270.0);
    fixed(&mut state, vec![]);
    assert_eq!(check(&state).preview.editing, None);
}

#[test]
fn invalid_records_are_left_out_once_and_counted() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::DropInvalid.into(), 300.0);
    let posted = commands(&effects);
    let [Command::Fix { job, change: Change::DropInvalid, .. }] = posted[..] else { panic!("{effects:?}") };
    let job = *job;
    state.update(event(Event::Edits { job, edits: vec![edit()], fixes: 2 }), 310.0);
    let effects = state.update(Action::FileRewritten { job, dataset: rewritten(8), fixes: 2 }, 320.0);
    assert!(matches!(commands(&effects)[..], [Command::Check { .. }]), "{effects:?}");
    fixed(&mut state, vec![]);
    let counts = |state: &State| check(state).fixes.as_ref().map(|fixes| (fixes.applied, fixes.left_out));
    assert_eq!(counts(&state), Some((0, 2)));
    state.update(FixAction::Undo.into(), 330.0);
    fixed(&mut state, vec![]);
    assert_eq!((check(&state).dataset.key, counts(&state)), (FileKey(7), None));
}

#[test]
fn a_file_that_was_asked_for_is_saved_and_others_are_not() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    fix_once(&mut state, 8, vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::Export(Export::InvalidRecords).into(), 400.0);
    let posted = commands(&effects);
    let [Command::InvalidRecords { job: first, .. }] = posted[..] else { panic!("{effects:?}") };
    let first = *first;
    let effects = state.update(FixAction::Export(Export::Diff).into(), 410.0);
    let [Effect::PostDiff { job, key: FileKey(8), original: FileKey(7) }] = effects[..] else {
        panic!("{effects:?}")
    };
    let effects = state.update(Action::Exported { job: first, dataset: rewritten(9) }, 420.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(9))]);
    let effects = state.update(Action::Exported { job, dataset: rewritten(10) }, 430.0);
    let key = FileKey(10);
    assert_eq!(effects, [Effect::SaveFile(key, "data.diff".to_owned()), Effect::ReleaseFile(key)]);

    state.update(FixAction::Export(Export::InvalidRecords).into(), 440.0);
    let job = state.exporting.as_ref().unwrap().job;
    state.update(event(Event::NotExported { job, why: "no room".to_owned() }), 450.0);
    assert_eq!((state.exporting.is_none(), state.open_error.as_deref()), (true, Some("no room")));
}

/// The request for the record of the selected line.
fn requested_record(state: &State) -> (u32, u32) {
    let check = check(state);
    let RecordState::Requested(request) = check.preview.record else { panic!("{:?}", check.preview.record) };
    (check.job, request)
}
