//! Tests of questions before work is lost.

use evalcheck_report::view::{ByteRange, Record, Source, TextToEdit};
use evalcheck_report::{Edit, Fix};

use super::*;

fn file(key: u32) -> Dataset {
    Dataset { key: FileKey(key), ..dataset() }
}

/// Applies a fix to the shown file.
fn fix(state: &mut State, key: u32) -> Vec<Effect> {
    let edit = Edit { start: 1, end: 2, text: String::new() };
    state.update(FixAction::ApplyOne(Box::new(Fix::safe("Fix it", vec![edit]))).into(), 300.0);
    let id = state.fixing.as_ref().unwrap().check.id;
    state.update(Action::FileChanged { id, dataset: file(key), fixes: 1 }, 310.0);
    fixed(state, vec![finding(2, Severity::Error)])
}

/// The file with this key was downloaded.
fn saved(key: u32) -> Action {
    Action::FileSaved(FileKey(key), "data.fixed.jsonl".into())
}

/// The question.
fn asked(state: &State) -> Option<Unsaved> {
    state.question.as_ref().map(|question| question.unsaved)
}

#[test]
fn fixes_that_were_not_downloaded_are_not_lost_without_a_question() {
    let (mut state, ..) = done(vec![finding(1, Severity::Error)]);
    let effects = fix(&mut state, 8);
    assert!(effects.contains(&Effect::GuardUnload(true)), "{effects:?}");

    assert_eq!(effects_of(&mut state, Action::OpenFiles(file(9).into()), 400.0), []);
    assert_eq!(asked(&state), Some(Unsaved::Fixes));
    let effects = effects_of(&mut state, Action::Answer(false), 410.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(9))]);
    assert_eq!((asked(&state), check(&state).dataset.key), (None, FileKey(8)));
    assert_eq!(state.update(Action::Answer(false), 415.0), [], "the dialog closes after its button");

    state.update(Action::StartOver, 420.0);
    assert_eq!((asked(&state), check(&state).fixes.is_some()), (None, true), "they stay open");
    let effects = effects_of(&mut state, Action::OpenFiles(file(9).into()), 430.0);
    assert_eq!((effects, asked(&state)), (vec![], Some(Unsaved::Fixes)));
    let effects = state.update(Action::OpenFiles(file(10).into()), 430.0);
    assert_eq!(effects, [Effect::ReleaseFile(FileKey(9))], "the last one counts");
    let effects = state.update(Action::Answer(true), 440.0);
    assert!(effects.contains(&Effect::GuardUnload(false)), "{effects:?}");
    assert_eq!((asked(&state), check(&state).dataset.key), (None, FileKey(10)));
}

#[test]
fn nothing_is_asked_about_what_is_safe() {
    let (mut state, ..) = done(vec![finding(1, Severity::Error)]);
    fix(&mut state, 8);
    let effects = state.update(saved(8), 400.0);
    assert!(matches!(effects[..], [Effect::StartTimer { .. }, Effect::GuardUnload(false)]), "{effects:?}");
    assert_eq!(state.status(), "Saved as data.fixed.jsonl.");
    state.update(Action::CheckAgain, 410.0);
    assert!(check(&state).fixes.is_some(), "another check keeps them");
    state.update(Action::OpenFiles(file(9).into()), 420.0);
    assert_eq!((asked(&state), check(&state).dataset.key), (None, FileKey(9)));

    let (mut state, ..) = done(vec![finding(1, Severity::Error)]);
    fix(&mut state, 8);
    state.update(FixAction::Undo.into(), 400.0);
    let effects = fixed(&mut state, vec![finding(1, Severity::Error)]);
    assert!(effects.contains(&Effect::GuardUnload(false)), "{effects:?}");
    state.update(Action::OpenFiles(file(9).into()), 410.0);
    assert_eq!((asked(&state), check(&state).dataset.key), (None, FileKey(9)));
}

#[test]
fn the_question_names_both_files_and_downloads_first() {
    let (mut state, ..) = done(vec![finding(1, Severity::Error)]);
    let other = Dataset { name: "other.jsonl".into(), ..file(9) };
    let edit = Edit { start: 1, end: 2, text: String::new() };
    state.update(FixAction::ApplyOne(Box::new(Fix::safe("Fix it", vec![edit]))).into(), 300.0);
    let words = |state: &State| {
        let opens = state.question.as_ref().and_then(LossQuestion::opens).unwrap();
        format!("{} {opens}", state.unsaved_in_words())
    };
    state.update(Action::OpenFiles(other.into()), 305.0);
    assert_eq!(words(&state), "data.jsonl is being changed. Open other.jsonl?");
    assert!(!state.can_save_first());
    let id = state.fixing.as_ref().unwrap().check.id;
    state.update(Action::FileChanged { id, dataset: file(8), fixes: 1 }, 310.0);
    fixed(&mut state, vec![finding(2, Severity::Error)]);
    assert_eq!(words(&state), "data.jsonl has 1 fix that is not downloaded. Open other.jsonl?");
    assert!(state.can_save_first());

    let effects = state.update(Action::SaveFirst, 400.0);
    assert_eq!(effects, [Effect::SaveFile(FileKey(8), "data.fixed.jsonl".to_owned())]);
    assert_eq!(asked(&state), Some(Unsaved::Fixes), "the user may close the dialog of the browser");
    state.update(saved(8), 410.0);
    assert_eq!((asked(&state), check(&state).dataset.key), (None, FileKey(9)));
}

#[test]
fn fixes_of_several_files_are_kept() {
    let mut state = ready();
    let items = DroppedItems { files: vec![file(1), file(2)], ..DroppedItems::default() };
    state.update(Action::OpenFiles(items), 100.0);
    let open = |state: &mut State, index| {
        state.update(Action::OpenFile(index), 200.0);
        let id = check(state).id;
        let report = report(vec![finding(1, Severity::Error)]);
        state.update(reported(id, report), 210.0);
    };
    open(&mut state, 0);
    fix(&mut state, 8);
    state.update(Action::ShowOverview, 400.0);
    assert_eq!((asked(&state), state.check.is_none()), (None, true));
    open(&mut state, 1);
    assert_eq!(check(&state).fixes, None);
    fix(&mut state, 9);
    open(&mut state, 0);
    let shown = check(&state);
    assert_eq!((shown.dataset.key, shown.fixes.as_ref().map(|fixes| fixes.applied)), (FileKey(8), Some(1)));
    state.update(FixAction::Download.into(), 500.0);
    state.update(Action::OpenFiles(file(20).into()), 510.0);
    assert_eq!(asked(&state), Some(Unsaved::Fixes));
    assert_eq!(state.unsaved_in_words(), "2 files have fixes that are not downloaded.");
    state.update(Action::Answer(false), 520.0);

    state.update(saved(8), 530.0);
    state.update(Action::ShowOverview, 540.0);
    let effects = state.update(saved(9), 550.0);
    assert!(effects.contains(&Effect::GuardUnload(false)), "{effects:?}");

    open(&mut state, 0);
    state.update(FixAction::Undo.into(), 600.0);
    fixed(&mut state, vec![finding(1, Severity::Error)]);
    open(&mut state, 1);
    open(&mut state, 0);
    assert_eq!((check(&state).dataset.key, &check(&state).fixes), (FileKey(1), &None));
}

#[test]
fn typed_text_is_not_lost_without_a_question() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let request = check(&state).preview.record_question().unwrap();
    let request = check(&state).preview.answers.request(&request).unwrap();
    let source = Source {
        text: "{}".into(),
        before: 0,
        after: 0,
        marks: vec![],
        editable: Some(ByteRange { start: 100, end: 102 }),
    };
    let record = Record {
        line: 12,
        findings: vec![],
        source,
        sample: None,
        sample_is_fixed: None,
        loaded: None,
        encodings: vec![],
    };
    state.update(record_answer(request, Some(record)), 210.0);
    let edits = |state: &mut State, text: &str| {
        let effects = state.update(PreviewAction::StartEditing.into(), 220.0);
        let asked = questions(&effects).into_iter().find_map(|(request, question)| match question {
            Question::TextToEdit { .. } => Some(request),
            _ => None,
        });
        let range = ByteRange { start: 100, end: 102 };
        let to_edit = Some(TextToEdit { text: "{}".into(), range, mark: None });
        state.update(answer(asked.unwrap(), Answer::TextToEdit(to_edit)), 221.0);
        state.update(PreviewAction::EditText { text: text.to_owned(), caret: None }.into(), 230.0)
    };
    edits(&mut state, "{}");
    state.update(PreviewAction::StopEditing.into(), 240.0);
    assert_eq!(
        (asked(&state), check(&state).preview.details.editing()),
        (None, None),
        "the text is as it was"
    );

    let effects = edits(&mut state, "{ }");
    assert!(effects.contains(&Effect::GuardUnload(true)), "{effects:?}");
    for action in [
        PreviewAction::StopEditing.into(),
        FixAction::DropInvalid.into(),
        Action::ChooseFormat(None),
        Action::OpenFiles(file(9).into()),
    ] {
        state.update(action, 250.0);
        assert_eq!(asked(&state), Some(Unsaved::Text));
        state.update(Action::Answer(false), 260.0);
        assert_eq!(check(&state).preview.details.editing().map(|editing| &*editing.text), Some("{ }"));
    }
    state.update(PreviewAction::StopEditing.into(), 270.0);
    let effects = effects_of(&mut state, Action::Answer(true), 280.0);
    assert_eq!((effects, check(&state).preview.details.editing()), (vec![Effect::GuardUnload(false)], None));
}
