//! Tests of the address of the page.

use super::*;

/// The last change of the address among effects.
fn address_of(effects: &[Effect]) -> Option<(Option<Address>, Step)> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::SetAddress(address, step) => Some((address.clone(), *step)),
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
    assert_eq!(address_of(&effects), Some((None, Step::Same)));
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
