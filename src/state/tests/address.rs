//! Tests of the address of the page.

use super::*;

/// The last change of the address among effects.
fn address_of(effects: &[Effect]) -> Option<(Option<Address>, Step)> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::SetAddress(address, _, step) => Some((address.clone(), *step)),
        _ => None,
    })
}

fn lines_at(line: u64) -> Address {
    Address { view: "lines".into(), line: Some(line), ..Address::default() }
}

#[test]
fn the_address_follows_what_is_shown() {
    let all = vec![finding(3, Severity::Error), finding(12, Severity::Error)];
    let (mut state, _, effects) = done(all.clone());
    let (address, step) = address_of(&effects).unwrap();
    assert_eq!((address.unwrap().line, step), (Some(3), Step::Same));

    let effects = state.update(select(Selection::Finding(1), false), 300.0);
    assert_eq!(
        address_of(&effects).unwrap().1,
        Step::Same,
        "moving in a list leaves no trace in the history"
    );
    let effects = state.update(PreviewAction::Show(ViewId::LINES).into(), 310.0);
    assert_eq!(address_of(&effects), Some((Some(lines_at(12)), Step::New)));
    let effects = state.update(select(Selection::Line(14), true), 320.0);
    assert_eq!(address_of(&effects).unwrap().1, Step::NewIfNarrow);
    let effects = state.update(PreviewAction::Filter("severity:error".into()).into(), 330.0);
    let (address, step) = address_of(&effects).unwrap();
    assert_eq!((address.unwrap().filter.as_str(), step), ("severity:error", Step::New));
    let effects = state.update(Action::StartOver, 340.0);
    assert_eq!(address_of(&effects), Some((None, Step::New)));
}

#[test]
fn going_back_shows_what_was_shown_and_changes_no_address() {
    let (mut state, ..) = done(vec![finding(3, Severity::Error)]);
    state.update(PreviewAction::Show(ViewId::RECORDS).into(), 300.0);
    let effects = state.update(Action::GoToAddress(lines_at(7)), 310.0);
    let preview = &check(&state).preview;
    assert_eq!((preview.view, preview.selection), (ViewId::LINES, Some(Selection::Line(7))));
    assert!(address_of(&effects).is_none_or(|(_, step)| step == Step::Same), "{effects:?}");
    state.update(Action::GoToAddress(lines_at(100_000)), 320.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(7)), "there is no such line");
}

#[test]
fn a_page_that_is_opened_with_an_address_shows_that_place_of_the_first_file() {
    let (mut state, _) = State::new(views::ALL, Theme::Auto, None, Some(lines_at(5)));
    state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    state.update(Action::OpenFiles(dataset().into()), 100.0);
    let id = state.check.as_ref().unwrap().id;
    state.update(reported(id, report(vec![finding(3, Severity::Error)])), 200.0);
    let preview = &check(&state).preview;
    assert_eq!((preview.view, preview.selection), (ViewId::LINES, Some(Selection::Line(5))));
}

/// The changes of the history among effects.
fn entries(effects: &[Effect]) -> Vec<(Screen, Step)> {
    let entry = |effect: &Effect| match effect {
        Effect::SetAddress(_, screen, step) => Some((*screen, *step)),
        _ => None,
    };
    effects.iter().filter_map(entry).collect()
}

fn screen(opened: u32, file: Option<usize>) -> Screen {
    Screen { opened: Some(FileKey(opened)), file }
}

/// The user goes back or forward to an entry.
fn go(state: &mut State, screen: Screen) -> Vec<Effect> {
    state.update(Action::GoToScreen(screen, None), 500.0)
}

#[test]
fn a_file_and_the_start_screen_are_entries_of_the_history() {
    let mut state = ready();
    let file = screen(7, None);
    let effects = state.update(Action::OpenFiles(dataset().into()), 100.0);
    assert_eq!(entries(&effects), [(file, Step::New)]);
    let id = check(&state).id;
    let effects = state.update(reported(id, report(vec![finding(3, Severity::Error)])), 200.0);
    assert_eq!(entries(&effects), [(file, Step::Same)]);

    let effects = go(&mut state, Screen::default());
    assert_eq!((entries(&effects), state.title(), check(&state).id), (vec![], None, id), "it stays open");
    assert_eq!(state.update(Action::Key(Key::Undo, Focus::List), 300.0), []);
    // The format of the next file is not that of this one.
    let other = Some(FormatChoice::any_version("evret"));
    state.update(Action::ChooseFormat(other), 300.0);
    let effects = state.update(Action::GoToScreen(file, Some(lines_at(7))), 310.0);
    assert_eq!(
        (entries(&effects), state.aside.is_none(), &state.format),
        (vec![(file, Step::Same)], true, &None)
    );
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(7)));

    let effects = state.update(Action::StartOver, 320.0);
    assert_eq!(entries(&effects), [(Screen::default(), Step::New)]);
    assert_eq!(entries(&state.update(Action::Return, 330.0)), [(file, Step::New)]);

    // Another file takes its place, and what an entry of the first one names is not there any more.
    let effects = state.update(Action::OpenFiles(Dataset { key: FileKey(8), ..dataset() }.into()), 340.0);
    assert_eq!(entries(&effects), [(screen(8, None), Step::Replaced)]);
    go(&mut state, file);
    assert!(state.aside.is_none(), "it leads to a place in the second one");
    go(&mut state, Screen::default());
    assert_eq!((entries(&go(&mut state, file)), state.aside.is_some()), (vec![], true));
}

#[test]
fn going_back_leads_from_a_file_of_several_to_their_list() {
    let mut state = ready();
    let list = screen(10, None);
    assert_eq!(entries(&state.update(Action::OpenFiles(batch::several(3)), 100.0)), [(list, Step::New)]);
    let effects = state.update(Action::OpenFile(1), 110.0);
    assert_eq!(entries(&effects), [(screen(10, Some(1)), Step::New)]);
    let effects = state.update(Action::OpenFile(2), 120.0);
    assert_eq!(entries(&effects), [(screen(10, Some(2)), Step::Replaced)]);

    assert_eq!(entries(&go(&mut state, list)), []);
    assert!(state.check.is_none());
    go(&mut state, Screen::default());
    assert_eq!((state.aside.is_some(), state.batch.as_ref().unwrap().files.len()), (true, 3));
    go(&mut state, screen(10, Some(1)));
    assert_eq!((state.aside.is_none(), check(&state).batch_index), (true, Some(1)));
    go(&mut state, Screen::default());
    go(&mut state, list);
    assert_eq!((state.aside.is_none(), state.check.is_none()), (true, true));
}

#[test]
fn in_a_frame_the_start_screen_closes_the_file() {
    let options = Options::default();
    let (mut state, _) = State::new(views::ALL, Theme::Auto, Some(options), None);
    let effects = state.update(Action::OpenFiles(dataset().into()), 100.0);
    assert_eq!(entries(&effects), []);
    go(&mut state, Screen::default());
    assert!(state.check.is_some() && state.aside.is_none());
    state.update(Action::StartOver, 110.0);
    assert!(state.check.is_none() && state.aside.is_none());
}
