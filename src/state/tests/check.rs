//! Tests of opening and checking one file, and of the page itself.

use super::*;

#[test]
fn a_file_opened_before_the_worker_is_ready_is_checked_later() {
    let (mut state, _) = State::new(views::ALL, Theme::Auto, None, None);
    let effects = state.update(Action::OpenFiles(dataset().into()), 1.0);
    assert!(commands(&effects).is_empty());
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 2.0);
    assert!(matches!(effects[..], [Effect::Post(Command::Check { .. }, Some(FileKey(7))), ..]));
}

#[test]
fn the_page_is_ready_when_the_worker_is() {
    let (mut state, effects) = State::new(views::ALL, Theme::Auto, None, None);
    assert!(!effects.contains(&Effect::SayReady));
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 2.0);
    assert!(effects.contains(&Effect::SayReady));
}

#[test]
fn reports_of_earlier_checks_are_dropped() {
    let (mut state, old) = checking();
    state.update(Action::OpenFiles(dataset().into()), 150.0);
    assert_ne!(check(&state).id, old);
    state.update(reported(old, report(vec![])), 200.0);
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
fn a_narrow_screen_has_the_verdict_in_a_few_words() {
    let short = |state: &State| headline(check(state), &state.catalogue).unwrap().short;
    let (mut state, id, _) = done(vec![]);
    assert_eq!(short(&state), "Valid: 100 records");
    state.update(Action::FileInspected { id, size: 0, modified_ms: 5.0 }, 210.0);
    assert_eq!(short(&state), "Not checked");
    let (state, ..) = done(vec![finding(12, Severity::Error)]);
    assert_eq!(short(&state), "1 of 100 invalid");
}

#[test]
fn an_error_of_the_whole_dataset_is_in_the_headline() {
    let whole = Finding { line: None, message: "60000 samples".into(), ..finding(1, Severity::Error) };
    let (state, ..) = done(vec![finding(12, Severity::Error), whole]);
    let note = headline(check(&state), &state.catalogue).unwrap().note;
    assert_eq!(note.as_deref(), Some("The dataset as a whole: 60000 samples."));
}

#[test]
fn a_file_that_changed_was_not_checked() {
    let (mut state, id, effects) = done(vec![]);
    assert!(effects.contains(&Effect::InspectFile(FileKey(7), id)));
    state.update(Action::FileInspected { id, size: SIZE, modified_ms: 5.0 }, 210.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::Valid));
    state.update(Action::FileInspected { id, size: 0, modified_ms: 5.0 }, 210.0);
    assert_eq!(check(&state).verdict(), Some(Verdict::NotChecked));
    assert_eq!(title(&state), "Not checked: the file changed");
    let note = headline(check(&state), &state.catalogue).unwrap().note;
    assert_eq!(note.as_deref(), Some("This file cannot be read any more: moved or deleted? Drop it again."));
}

#[test]
fn choosing_a_format_checks_the_file_again() {
    let (mut state, id, _) = done(vec![]);
    let effects = state.update(Action::ChooseFormat(Some(FormatChoice::any_version("evret"))), 300.0);
    let is_check = |command: &&Command| matches!(command, Command::Check { .. });
    let check_command = commands(&effects).into_iter().find(is_check).cloned();
    let Some(Command::Check { id: next, options, shown: None, history: None }) = check_command else {
        panic!("{effects:?}")
    };
    assert!(next > id);
    assert_eq!(options.format.as_deref(), Some("evret"));
    assert_eq!(options.max_findings_per_code, Some(MAX_FINDINGS_PER_CODE));
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
        lines::go_to(3),
        PreviewAction::BackToList.into(),
        Action::TimerFired(Timer::CancelDeadline(1)),
        Action::TimerFired(Timer::Heartbeat),
    ] {
        let name = format!("{action:?}");
        assert!(state.update(action, 1.0).is_empty(), "{name}");
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
    assert_eq!(state.notices.shown, Some(Notice::Copied(Copied::Report)));
    state.update(Action::TimerFired(second), 4_500.0);
    assert_eq!(state.notices.shown, None);
}

#[test]
fn a_folder_without_files_is_an_error() {
    let mut state = ready();
    let mut skipped = Skipped::default();
    skipped.add_empty_folder();
    state.update(Action::OpenFiles(DroppedItems { skipped, ..DroppedItems::default() }), 100.0);
    assert_eq!(state.opening.error.as_deref(), Some("Nothing to check. Skipped: 1 empty folder."));
}

#[test]
fn a_newer_version_is_loaded_only_on_request() {
    let (mut state, _) = State::new(views::ALL, Theme::Auto, None, None);
    assert_eq!(effects_of(&mut state, Action::UpdateAvailable, 0.0), []);
    assert_eq!(state.look.update_offer, UpdateOffer::Available);
    assert_eq!(state.update(Action::DismissUpdate, 0.0), []);
    assert_eq!(state.look.update_offer, UpdateOffer::None);
    state.update(Action::UpdateAvailable, 0.0);
    assert_eq!(state.update(Action::ApplyUpdate, 0.0), [Effect::ApplyUpdate]);
}
