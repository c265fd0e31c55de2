//! Tests of fixes: applying, undo, download.

use evalcheck_report::view::{
    ByteRange, ChangeFacts, ChangeList, ChangedPlace, EditedRecord, Record, Source, TextToEdit,
};
use evalcheck_report::{Conversion, Edit, Fix};
use evalcheck_wire::fix::{Change, Selection};
use evalcheck_wire::worker::History;

use super::*;

fn edit() -> Edit {
    Edit { start: 1, end: 2, text: String::new() }
}

fn rewritten(key: u32) -> Dataset {
    Dataset { key: FileKey(key), ..dataset() }
}

/// The page after all safe fixes were requested; the id of the check of the changed file.
fn fixing() -> (State, u32) {
    let (mut state, shown, _) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::ApplyAll(Selection::default()).into(), 300.0);
    let (id, change) = posted_fix(&effects, shown, 7);
    assert_eq!(change, Change::Fixes(Selection::default()));
    (state, id)
}

/// The command to fix the shown file with this key; the id of the check of the changed file, and the change.
fn posted_fix(effects: &[Effect], shown: u32, key: u32) -> (u32, Change) {
    let [Effect::Post(Command::Fix { id, change, shown: beside, .. }, file), ..] = effects else {
        panic!("{effects:?}")
    };
    assert_eq!((*beside, *file), (Some(shown), Some(FileKey(key))), "what is shown goes on answering");
    (*id, change.clone())
}

/// The worker has changed the file, and its report has these findings.
fn changed(state: &mut State, id: u32, key: u32, fixes: u64, findings: Vec<Finding>) -> Vec<Effect> {
    let of = check(state).dataset.key;
    let effects = state.update(Action::FileChanged { id, dataset: rewritten(key), fixes }, 310.0);
    assert_eq!(effects, []);
    assert_eq!(check(state).dataset.key, of, "what was shown is shown until the report is there");
    fixed(state, findings)
}

#[test]
fn all_fixes_are_applied_and_undone_at_once() {
    let (mut state, id) = fixing();
    changed(&mut state, id, 9, 6, vec![finding(12, Severity::Error)]);
    assert_eq!(state.fixing, None);
    assert_eq!(check(&state).dataset.key, FileKey(9));
    assert_eq!(check(&state).fixes.as_ref().map(|fixes| fixes.applied), Some(6));

    let effects = state.update(FixAction::Download.into(), 350.0);
    assert_eq!(effects, [Effect::SaveFile(FileKey(9), "data.fixed.jsonl".to_owned())]);
    let effects = state.update(FixAction::Undo.into(), 360.0);
    assert!(matches!(commands(&effects)[..], [Command::Check { .. }]), "{effects:?}");
    assert_eq!(
        (state.status(), check(&state).dataset.key),
        ("Undoing the fixes of data.jsonl.".into(), FileKey(9))
    );
    let effects = fixed(&mut state, vec![]);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(9))), "{effects:?}");
    assert_eq!((check(&state).dataset.key, &check(&state).fixes), (FileKey(7), &None));
}

#[test]
fn a_fix_that_is_cancelled_leaves_what_is_shown() {
    let (mut state, id) = fixing();
    assert_eq!(state.status(), "Fixing data.jsonl.");
    let progress = Progress { bytes: 10, ..Progress::default() };
    state.update(event(Event::Progress { id, progress, first_findings: Vec::new() }), 305.0);
    assert_eq!(state.fixing.as_ref().unwrap().check.progress.bytes, 10);
    assert_eq!(state.update(FixAction::DropInvalid.into(), 306.0), [], "one at a time");
    let effects = effects_of(&mut state, Action::Cancel, 310.0);
    assert_eq!(effects, [Effect::Post(Command::Cancel { id }, None)]);
    assert_eq!((state.fixing.is_none(), check(&state).is_running()), (true, false));
    let effects = state.update(Action::FileChanged { id, dataset: rewritten(8), fixes: 1 }, 320.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(8))], "it came too late");

    // When the changed file exists, but not its report.
    let (mut state, id) = fixing();
    state.update(Action::FileChanged { id, dataset: rewritten(8), fixes: 1 }, 310.0);
    let effects = state.update(Action::Cancel, 320.0);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(8))), "{effects:?}");
    assert_eq!((check(&state).dataset.key, &check(&state).fixes), (FileKey(7), &None));

    // The engine fails.
    let (mut state, _) = fixing();
    state.update(Action::WorkerFailed("out of memory".into()), 310.0);
    assert_eq!(state.opening.error.as_deref(), Some("data.jsonl was not fixed: the checking engine failed."));
    assert!(check(&state).report().is_some());
}

#[test]
fn answers_to_earlier_commands_are_dropped() {
    let (mut state, id) = fixing();
    state.update(Action::FileChanged { id: id - 1, dataset: rewritten(9), fixes: 1 }, 310.0);
    assert_eq!(check(&state).dataset.key, FileKey(7));
    state.update(event(Event::NotFixed { id: id - 1, why: "damaged".to_owned() }), 310.0);
    assert!(state.fixing.is_some());
    state.update(event(Event::NotFixed { id, why: "damaged".to_owned() }), 310.0);
    assert_eq!((check(&state).dataset.key, &state.fixing), (FileKey(7), &None));
    assert_eq!(state.opening.error.as_deref(), Some("damaged"));
}

/// Applies one fix, and reports on the changed file with these findings.
fn fix_once(state: &mut State, key: u32, findings: Vec<Finding>) {
    let fix = Box::new(Fix::safe("Fix it", vec![edit()]));
    let (shown, of) = (check(state).id, check(state).dataset.key.0);
    let effects = state.update(FixAction::ApplyOne(fix.clone()).into(), 300.0);
    let (id, change) = posted_fix(&effects, shown, of);
    assert_eq!(change, Change::One(fix));
    changed(state, id, key, 1, findings);
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
fn the_finding_after_the_fixed_one_is_selected() {
    let error = |line| finding(line, Severity::Error);
    let (mut state, ..) = done(vec![error(1), error(2), error(3), error(4)]);
    state.update(select(crate::state::Selection::Finding(2), false), 200.0);
    fix_once(&mut state, 8, vec![error(1), error(2), error(4)]);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(2)));
    fix_once(&mut state, 9, vec![error(1), error(2)]);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(1)));

    // A filter without matches is reset.
    let effects = state.update(PreviewAction::FilterSeverity(Some(Severity::Error)).into(), 330.0);
    list_findings(&mut state, &[error(1), error(2)], effects);
    state.update(select(crate::state::Selection::Finding(0), false), 331.0);
    fix_once(&mut state, 10, vec![finding(1, Severity::Warning)]);
    assert_eq!(check(&state).preview.filter.severity(), None);
    assert_eq!(check(&state).preview.selection, Some(crate::state::Selection::Finding(0)));
}

#[test]
fn an_edited_record_is_checked_while_it_is_typed_and_then_written() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let (id, request) = requested_record(&state);
    let record = Record {
        sample_is_fixed: None,
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
        encodings: Vec::new(),
    };
    state.update(record_answer(request, Some(record)), 210.0);
    let effects = state.update(PreviewAction::StartEditing.into(), 220.0);
    let [(request, Question::TextToEdit { line: 12, .. })] = questions(&effects)[..] else {
        panic!("{effects:?}")
    };
    let range = ByteRange { start: 100, end: 102 };
    let text = TextToEdit { text: "{}".into(), range, mark: None };
    let to_edit = |request| answer(request, Answer::TextToEdit(Some(text.clone())));
    state.update(to_edit(request - 1), 221.0);
    assert_eq!(check(&state).preview.details.editing(), None, "it is stale");
    state.update(to_edit(request), 222.0);
    assert_eq!(state.update(FixAction::ApplyEdit.into(), 225.0), [], "nothing was typed");

    let typed = |state: &mut State, text: &str| {
        let effects =
            state.update(PreviewAction::EditText { text: text.to_owned(), caret: None }.into(), 230.0);
        let [(request, Question::EditedRecord { line: 12, text: asked, .. })] = questions(&effects)[..]
        else {
            panic!("{effects:?}")
        };
        assert_eq!(asked, text);
        request
    };
    let first = typed(&mut state, "{\n");
    let last = typed(&mut state, "{\n}");
    let rechecked = |request, text: &str| {
        let edited = Some(EditedRecord {
            text: text.to_owned(),
            findings: Some(Vec::new()),
            sample: None,
            completions: None,
        });
        answer(request, Answer::EditedRecord(edited))
    };
    state.update(rechecked(first, "{ "), 240.0);
    assert_eq!(state.update(FixAction::ApplyEdit.into(), 245.0), [], "the last text is not checked yet");
    state.update(rechecked(last, "{ }"), 250.0);
    let effects = state.update(FixAction::ApplyEdit.into(), 260.0);
    let (id, change) = posted_fix(&effects, id, 7);
    let Change::One(fix) = change else { panic!("{change:?}") };
    assert_eq!(fix.edits, [Edit { start: 100, end: 102, text: "{ }".to_owned() }]);
    assert!(check(&state).preview.details.editing().unwrap().is_applied);
    changed(&mut state, id, 8, 1, vec![]);
    assert_eq!(check(&state).preview.details.editing(), None);
}

#[test]
fn a_file_of_another_encoding_is_converted_as_a_whole_and_undone() {
    let (mut state, shown, _) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::Decode("Shift_JIS".to_owned()).into(), 300.0);
    let (id, change) = posted_fix(&effects, shown, 7);
    let Change::One(fix) = change else { panic!("{change:?}") };
    assert_eq!(fix.convert, Some(Conversion::Decode { encoding: "Shift_JIS".to_owned() }));
    let effects = state.update(FixAction::Decode("GBK".to_owned()).into(), 305.0);
    assert_eq!(effects, [], "one at a time");
    changed(&mut state, id, 8, 1, vec![]);
    assert_eq!(check(&state).dataset.key, FileKey(8));
    state.update(FixAction::Undo.into(), 330.0);
    fixed(&mut state, vec![]);
    assert_eq!((check(&state).dataset.key, &check(&state).fixes), (FileKey(7), &None));

    // Another line has bytes that are invalid in the encoding.
    let effects = state.update(FixAction::Decode("GBK".to_owned()).into(), 400.0);
    let (id, _) = posted_fix(&effects, check(&state).id, 7);
    state.update(event(Event::NotFixed { id, why: "not GBK".to_owned() }), 410.0);
    assert_eq!((check(&state).dataset.key, &state.fixing), (FileKey(7), &None));
    assert_eq!(state.opening.error.as_deref(), Some("not GBK"));
}

#[test]
fn invalid_records_are_left_out_once_and_counted() {
    let (mut state, shown, _) = done(vec![finding(12, Severity::Error)]);
    let effects = state.update(FixAction::DropInvalid.into(), 300.0);
    let (id, change) = posted_fix(&effects, shown, 7);
    assert_eq!(change, Change::DropInvalid);
    changed(&mut state, id, 8, 2, vec![]);
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
    let [Command::InvalidRecords { id: first, .. }] = posted[..] else { panic!("{effects:?}") };
    let first = *first;
    let effects = state.update(FixAction::Export(Export::Diff).into(), 410.0);
    let [Effect::PostPair { command: Command::Diff { id }, key: FileKey(8), other: FileKey(7) }] =
        effects[..]
    else {
        panic!("{effects:?}")
    };
    let effects = state.update(Action::Exported { id: first, dataset: rewritten(9) }, 420.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(9))]);
    let effects = state.update(Action::Exported { id, dataset: rewritten(10) }, 430.0);
    let key = FileKey(10);
    assert_eq!(effects, [Effect::SaveFile(key, "data.diff".to_owned()), Effect::ReleaseFile(key)]);

    state.update(FixAction::Export(Export::InvalidRecords).into(), 440.0);
    let id = state.exports.exporting.as_ref().unwrap().id;
    state.update(event(Event::NotExported { id, why: "no room".to_owned() }), 450.0);
    assert_eq!((state.exports.exporting.is_none(), state.opening.error.as_deref()), (true, Some("no room")));
}

/// The request for the record of the selected line.
fn requested_record(state: &State) -> (u32, u32) {
    let check = check(state);
    let place = check.preview.record_question().unwrap();
    (check.id, check.preview.answers.request(&place).unwrap())
}

#[test]
fn changes_are_listed_after_a_fix_and_taken_back() {
    let (mut state, id) = fixing();
    let effects = changed(&mut state, id, 9, 6, vec![]);
    let (request, from) = page(&effects, |list| *list == List::Changes).unwrap();
    let count = |state: &State| check(state).preview.answers.total(&List::Changes);
    assert!(state.views.offered(ViewId("changes"), check(&state)).is_some());
    assert_eq!((from, count(&state)), (0, None));
    let place = |record| ChangedPlace {
        record: Some(record),
        line: Some(record + 1),
        is_before: false,
        is_unsafe: false,
        diff: Vec::new(),
    };
    let list = ChangeList { total: 2, places: vec![place(3), place(5)] };
    let facts = Some(ChangeFacts { steps: 1, ..ChangeFacts::default() });
    state.update(answer(request, Answer::Changes(list, facts)), 320.0);
    assert_eq!(count(&state), Some(2));

    state.update(PreviewAction::Show(ViewId("changes")).into(), 330.0);
    state.update(select_row(1, true), 330.0);
    assert_eq!(check(&state).preview.record_number(), Some(5));
    let effects = state.update(FixAction::TakeBack(1).into(), 340.0);
    let (next, change) = posted_fix(&effects, id, 9);
    assert_eq!(change, Change::TakeBack(1));
    changed(&mut state, next, 10, 1, vec![]);
    let fixes = check(&state).fixes.clone().unwrap();
    assert_eq!((fixes.applied, fixes.taken_back), (6, 1));

    // Undo requests the changes before it, a further check the same ones.
    let history = |effects: &[Effect]| match commands(effects)[..] {
        [.., Command::Check { history, .. }] => *history,
        ref other => panic!("{other:?}"),
    };
    let effects = state.update(Action::CheckAgain, 350.0);
    assert_eq!(history(&effects), Some(History { check: next, is_before: false }));
}

#[test]
fn the_passes_of_a_fix_are_counted() {
    let (mut state, id) = fixing();
    state.update(event(Event::Pass { id: id + 1, number: 3 }), 305.0);
    assert_eq!(state.fixing.as_ref().unwrap().passes, 0);
    state.update(event(Event::Pass { id, number: 2 }), 305.0);
    assert_eq!(state.fixing.as_ref().unwrap().passes, 2);
}

#[test]
fn a_missing_file_is_added_with_the_command_and_released() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let entry = AttrValue::from("attachments/a.png");
    let effects = state.update(FixAction::PickFile(entry.clone()).into(), 300.0);
    assert_eq!(effects, [Effect::PickFile(FilePurpose::Entry(entry.clone()))]);

    let added = |key: u32| FilePurpose::Entry(entry.clone()).with(rewritten(key));
    let effects = state.update(added(8), 310.0);
    let [
        Effect::PostPair { command: Command::Fix { id, change, .. }, key, other },
        Effect::ReleaseFile(released),
        ..,
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(*change, Change::AddFile("attachments/a.png".to_owned()));
    assert_eq!((*key, *other, *released), (FileKey(7), FileKey(8), FileKey(8)));
    assert_eq!(state.update(added(9), 320.0), [Effect::ReleaseFile(FileKey(9))], "one at a time");

    changed(&mut state, *id, 10, 1, Vec::new());
    assert_eq!(check(&state).fixes.as_ref().map(|fixes| fixes.applied), Some(1));
    state.update(FixAction::Undo.into(), 400.0);
    fixed(&mut state, Vec::new());
    assert_eq!((check(&state).dataset.key, check(&state).fixes.is_none()), (FileKey(7), true));
}
