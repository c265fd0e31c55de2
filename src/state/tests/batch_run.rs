//! Tests of tasks for all files of a batch.

use evalcheck_report::{Applicability, Edit, Fix};
use evalcheck_wire::fix::Change;

use super::batch::{checked, report_of, runs, several};
use super::*;
use crate::state::{BatchAction, FolderAccess, NotWritten, Unsaved};

/// A finding with a safe fix.
fn fixable(line: u64) -> Finding {
    let edits = vec![Edit { start: 1, end: 2, text: String::new() }];
    let fix = Fix { edits, ..Fix::new("Delete it", Applicability::Safe) };
    Finding { fix: Some(Box::new(fix)), ..finding(line, Severity::Error) }
}

/// Three files; the first and the last have a safe fix.
fn batch() -> State {
    let mut state = ready();
    state.update(Action::OpenFiles(several(3)), 100.0);
    for findings in [vec![fixable(1), finding(2, Severity::Error)], vec![], vec![fixable(1)]] {
        let (id, _) = runs(&state).unwrap();
        report_of(&mut state, id, findings);
    }
    assert_eq!(runs(&state), None);
    state
}

/// The id and the file of the fix among effects.
fn fixing(effects: &[Effect]) -> Option<(u32, FileKey)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Post(Command::Fix { id, .. }, Some(key)) => Some((*id, *key)),
        _ => None,
    })
}

/// The worker has changed a file, and reports on it.
fn answer(state: &mut State, id: u32, key: u32, findings: Vec<Finding>) -> Vec<Effect> {
    let made = Dataset { key: FileKey(key), ..dataset() };
    let mut effects = state.update(Action::FileChanged { id, dataset: made, fixes: 1 }, 200.0);
    effects.extend(report_of(state, id, findings));
    effects
}

fn files(state: &State) -> Vec<(Verdict, Option<FileKey>)> {
    let files = &state.batch.as_ref().unwrap().files;
    let verdict = |file: &BatchFile| file.report.as_ref().unwrap().verdict();
    files.iter().map(|file| (verdict(file), file.fixed.as_ref().map(|fixed| fixed.dataset.key))).collect()
}

/// The batch after all files were fixed.
fn fixed_batch() -> State {
    let mut state = batch();
    let (first, key) = fixing(&state.update(BatchAction::FixAll.into(), 200.0)).unwrap();
    assert_eq!(key, FileKey(10));
    let (second, key) = fixing(&answer(&mut state, first, 50, vec![finding(2, Severity::Error)])).unwrap();
    assert_eq!(key, FileKey(12), "the second file has nothing to fix");
    assert_eq!(fixing(&answer(&mut state, second, 51, vec![])), None);
    assert_eq!(state.batch.as_ref().unwrap().run, None);
    state
}

#[test]
fn all_files_are_fixed_one_after_another() {
    let state = fixed_batch();
    let expected =
        [(Verdict::Invalid, Some(FileKey(50))), (Verdict::Valid, None), (Verdict::Valid, Some(FileKey(51)))];
    assert_eq!(files(&state), expected);
    let batch = state.batch.as_ref().unwrap();
    let sums = batch.fixed_files();
    assert_eq!((sums.files, sums.fixes), (2, 2));
    assert_eq!((batch.totals().valid, batch.totals().errors), (2, 1));
    assert_eq!(batch.safe_fixes().0, 0);
    let counts: Vec<_> = batch.mistakes().into_iter().map(|mistake| mistake.count).collect();
    assert_eq!(counts.len(), 1);
    assert_eq!((counts[0].findings, counts[0].fixed), (1, 2));
}

#[test]
fn the_fixes_of_one_mistake_are_applied_where_it_is() {
    let mut state = batch();
    let key = state.batch.as_ref().unwrap().mistakes()[0].key.clone();
    let effects = state.update(BatchAction::FixMistake(("shape/other".to_owned(), None)).into(), 200.0);
    assert_eq!(fixing(&effects), None, "no file has it");
    let effects = state.update(BatchAction::FixMistake(key.clone()).into(), 210.0);
    let (first, file) = fixing(&effects).unwrap();
    assert_eq!(file, FileKey(10));
    let selected = commands(&effects).into_iter().find_map(|command| match command {
        Command::Fix { change: Change::Fixes(selection), .. } => Some(selection.select.clone()),
        _ => None,
    });
    assert_eq!(selected, Some(vec![key.0]));
    let (second, file) = fixing(&answer(&mut state, first, 50, vec![])).unwrap();
    assert_eq!(file, FileKey(12), "the second file does not have it");
    assert_eq!(fixing(&answer(&mut state, second, 51, vec![])), None);
    assert_eq!(state.batch.as_ref().unwrap().fixed_files().files, 2);
}

#[test]
fn all_fixes_are_taken_back_at_once() {
    let mut state = fixed_batch();
    // One file is changed further; this is not taken back.
    state.update(Action::OpenFile(2), 210.0);
    let id = check(&state).id;
    report_of(&mut state, id, vec![fixable(1)]);
    state.update(FixAction::ApplyAll(evalcheck_wire::fix::Selection::default()).into(), 220.0);
    let id = state.fixing.as_ref().unwrap().check.id;
    answer(&mut state, id, 60, vec![]);
    state.update(Action::ShowOverview, 230.0);
    assert_eq!(state.batch.as_ref().unwrap().fixed_files().files, 1);
    let effects = state.update(BatchAction::Undo.into(), 240.0);
    let released = |key| effects.contains(&Effect::ReleaseFile(FileKey(key)));
    assert!(released(50) && !released(51), "{effects:?}");
    let expected = [(Verdict::Invalid, None), (Verdict::Valid, None), (Verdict::Valid, Some(FileKey(60)))];
    assert_eq!(files(&state), expected);
    assert_eq!(state.batch.as_ref().unwrap().safe_fixes(), (1, vec![0]));
}

#[test]
fn what_was_fixed_stays_after_cancel_and_is_not_lost_without_a_question() {
    let mut state = batch();
    let (first, _) = fixing(&state.update(BatchAction::FixAll.into(), 200.0)).unwrap();
    let (second, _) = fixing(&answer(&mut state, first, 50, vec![])).unwrap();
    let effects = state.update(Action::Cancel, 210.0);
    assert!(commands(&effects).contains(&&Command::Cancel { id: second }));
    let late = answer(&mut state, second, 51, vec![]);
    assert!(late.contains(&Effect::ReleaseFile(FileKey(51))));
    let expected = [(Verdict::Valid, Some(FileKey(50))), (Verdict::Valid, None), (Verdict::Invalid, None)];
    assert_eq!(files(&state), expected);
    state.update(Action::OpenFiles(dataset().into()), 220.0);
    assert_eq!(state.question.as_ref().unwrap().unsaved, Unsaved::Fixes);
}

#[test]
fn opening_a_file_pauses_the_fixes() {
    let mut state = batch();
    let (first, _) = fixing(&state.update(BatchAction::FixAll.into(), 200.0)).unwrap();
    let (opened, _) = checked(&state.update(Action::OpenFile(1), 210.0)).unwrap();
    report_of(&mut state, opened, vec![]);
    assert!(answer(&mut state, first, 50, vec![]).contains(&Effect::ReleaseFile(FileKey(50))));
    let effects = state.update(Action::ShowOverview, 230.0);
    assert_eq!(fixing(&effects).unwrap().1, FileKey(10), "the same again");
}

#[test]
fn a_file_that_cannot_be_fixed_is_named() {
    let mut state = batch();
    let (first, _) = fixing(&state.update(BatchAction::FixAll.into(), 200.0)).unwrap();
    let not_fixed = event(Event::NotFixed { id: first, why: "It is damaged.".into() });
    assert_eq!(fixing(&state.update(not_fixed, 210.0)).unwrap().1, FileKey(12));
    // The engine dies while it fixes the last file.
    let died = Event::Died { id: None, message: "on purpose".into(), checked_bytes: 0, line: 0 };
    assert!(state.update(event(died), 220.0).contains(&Effect::StartWorker));
    state.update(event(Event::Ready { catalogue: catalogue() }), 230.0);
    assert_eq!(state.batch.as_ref().unwrap().run, None);
    let error = state.opening.error.as_deref().unwrap();
    assert!(
        error.starts_with(
            "runs/0.jsonl was not fixed: It is damaged. runs/2.jsonl was not fixed: the checking"
        ),
        "{error}"
    );
}

#[test]
fn another_format_checks_the_fixed_files() {
    let mut state = fixed_batch();
    let choice = FormatChoice::any_version("juryarena");
    let effects = state.update(Action::ChooseFormat(Some(choice)), 210.0);
    assert_eq!(checked(&effects).unwrap().1, FileKey(50));
    for n in 0..3 {
        let (id, _) = runs(&state).unwrap();
        report_of(&mut state, id, if n == 0 { vec![fixable(3)] } else { vec![] });
    }
    let effects = state.update(BatchAction::Undo.into(), 240.0);
    assert_eq!(checked(&effects).unwrap().1, FileKey(10), "it was not checked against that format");
}

/// The path and the file of the packing command among effects.
fn packing(effects: &[Effect]) -> Option<(u32, &str, FileKey)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Post(Command::Pack { id, path }, Some(key)) => Some((*id, path.as_str(), *key)),
        _ => None,
    })
}

#[test]
fn fixed_files_are_packed_and_saved_together() {
    let mut state = fixed_batch();
    let effects = state.update(BatchAction::Pack.into(), 300.0);
    let (id, path, key) = packing(&effects).unwrap();
    assert_eq!((path, key), ("runs/0.jsonl", FileKey(50)));
    // Opening a file meanwhile does not pack another one twice.
    let (opened, _) = checked(&state.update(Action::OpenFile(1), 310.0)).unwrap();
    assert_eq!(packing(&state.update(event(Event::Packed { id }), 320.0)), None);
    report_of(&mut state, opened, vec![]);
    let effects = state.update(Action::ShowOverview, 330.0);
    assert_eq!(packing(&effects), Some((id, "runs/2.jsonl", FileKey(51))));
    let effects = state.update(event(Event::Packed { id }), 340.0);
    assert!(commands(&effects).contains(&&Command::FinishPack { id }));
    let zip = Dataset { key: FileKey(70), ..dataset() };
    let effects = state.update(Action::Exported { id, dataset: zip }, 350.0);
    assert!(effects.contains(&Effect::SaveFile(FileKey(70), "runs.fixed.zip".into())));
    assert!(state.batch.as_ref().unwrap().has_unsaved());
    let effects = state.update(Action::FileSaved(FileKey(70), "runs.fixed.zip".into()), 360.0);
    assert!(effects.contains(&Effect::GuardUnload(false)));
    assert!(!state.batch.as_ref().unwrap().has_unsaved());
}

#[test]
fn a_zip_that_cannot_be_made_or_is_cancelled_is_given_up() {
    let mut state = fixed_batch();
    let pack = |state: &mut State| packing(&state.update(BatchAction::Pack.into(), 300.0)).unwrap().0;
    let is_given_up = |state: &State| {
        state.batch.as_ref().unwrap().run.is_none()
            && state.exports.exporting.is_none()
            && state.batch.as_ref().unwrap().has_unsaved()
    };
    let id = pack(&mut state);
    state.update(event(Event::NotExported { id, why: "It is gone.".into() }), 310.0);
    assert!(is_given_up(&state));
    assert_eq!(state.opening.error.as_deref(), Some("It is gone."));
    let id = pack(&mut state);
    let effects = state.update(Action::Cancel, 310.0);
    assert!(commands(&effects).contains(&&Command::Cancel { id }));
    assert!(is_given_up(&state));
    assert!(commands(&state.update(event(Event::Packed { id }), 320.0)).is_empty());
    pack(&mut state);
    let died = Event::Died { id: None, message: "on purpose".into(), checked_bytes: 0, line: 0 };
    state.update(event(died), 330.0);
    assert!(is_given_up(&state));
    assert!(state.opening.error.as_deref().unwrap().starts_with("The ZIP was not made: "));
}

/// The id, the file and the content of the writing effect.
fn writing(effects: &[Effect]) -> Option<(u32, FileKey, FileKey)> {
    effects.iter().find_map(|effect| match effect {
        Effect::WriteFile { id, original, content, .. } => Some((*id, *original, *content)),
        _ => None,
    })
}

/// The batch after all files were fixed, in a writable folder.
fn writable_batch() -> State {
    let mut state = fixed_batch();
    Rc::make_mut(state.batch.as_mut().unwrap()).folder = FolderAccess::Writable;
    state
}

fn written(state: &mut State, id: u32, result: Result<(), NotWritten>) -> Vec<Effect> {
    state.update(BatchAction::Written(id, result).into(), 400.0)
}

#[test]
fn files_are_written_only_after_a_question_and_restored_by_undo() {
    let mut state = writable_batch();
    assert_eq!(writing(&state.update(BatchAction::Write.into(), 300.0)), None, "nobody asked");
    state.update(BatchAction::AskToWrite(true).into(), 300.0);
    assert_eq!(state.batch.as_ref().unwrap().folder, FolderAccess::Asking);
    let effects = state.update(BatchAction::Write.into(), 310.0);
    let (id, original, content) = writing(&effects).unwrap();
    assert_eq!((original, content), (FileKey(10), FileKey(50)));
    // No file can be opened while files are replaced.
    assert_eq!(checked(&state.update(Action::OpenFile(0), 320.0)), None);
    let (id, original, content) = writing(&written(&mut state, id, Ok(()))).unwrap();
    assert_eq!((original, content), (FileKey(12), FileKey(51)));
    let effects = written(&mut state, id, Ok(()));
    assert!(effects.contains(&Effect::GuardUnload(false)), "all is saved");
    let batch = state.batch.as_ref().unwrap();
    assert_eq!((batch.written_files(), batch.files_to_write()), (vec![0, 2], vec![]));
    assert_eq!(batch.fixed_files().written, 2);

    let (id, original, content) = writing(&state.update(BatchAction::Undo.into(), 410.0)).unwrap();
    assert_eq!((original, content), (FileKey(10), FileKey(10)));
    let (id, ..) = writing(&written(&mut state, id, Ok(()))).unwrap();
    written(&mut state, id, Ok(()));
    let expected = [(Verdict::Invalid, None), (Verdict::Valid, None), (Verdict::Invalid, None)];
    assert_eq!(files(&state), expected);
    assert!(state.batch.as_ref().unwrap().written_files().is_empty());
}

#[test]
fn a_changed_file_is_skipped_and_a_failure_ends_the_writing() {
    let mut state = writable_batch();
    state.update(BatchAction::AskToWrite(true).into(), 300.0);
    let (id, ..) = writing(&state.update(BatchAction::Write.into(), 310.0)).unwrap();
    let (id, ..) = writing(&written(&mut state, id, Err(NotWritten::Changed))).unwrap();
    written(&mut state, id, Err(NotWritten::Failed("The disk is full".into())));
    let expected = "Not written, because they changed on disk: runs/0.jsonl. \
                    runs/2.jsonl was not written: The disk is full.";
    assert_eq!(state.opening.error.as_deref(), Some(expected));
    assert_eq!(state.batch.as_ref().unwrap().files_to_write(), [0, 2]);

    state.update(BatchAction::AskToWrite(true).into(), 420.0);
    let (id, ..) = writing(&state.update(BatchAction::Write.into(), 430.0)).unwrap();
    // A write in progress is completed when the user cancels.
    state.update(Action::Cancel, 440.0);
    assert_eq!(writing(&written(&mut state, id, Ok(()))), None);
    let batch = state.batch.as_ref().unwrap();
    assert_eq!((batch.run.is_none(), batch.written_files()), (true, vec![0]));
}

#[test]
fn originals_that_are_too_large_to_be_kept_are_not_replaced() {
    let mut state = writable_batch();
    for file in &mut Rc::make_mut(state.batch.as_mut().unwrap()).files {
        let file = Rc::make_mut(file);
        file.dataset = Rc::new(Dataset { size: 3 << 30, ..Dataset::clone(&file.dataset) });
    }
    state.update(BatchAction::AskToWrite(true).into(), 300.0);
    assert_eq!(state.batch.as_ref().unwrap().folder, FolderAccess::Writable);
    assert!(state.opening.error.as_deref().unwrap().starts_with("Nothing was written"));
}
