//! The check that nobody sees.

use evalcheck_wire::worker::Event;

use super::super::rehearsal::MESSAGES;
use super::*;

/// The messages, as they are read in the page.
fn messages() -> Vec<Event> {
    #[derive(serde::Deserialize)]
    struct Message {
        event: Event,
    }
    let messages: Vec<Message> = serde_json::from_str(MESSAGES).unwrap();
    messages.into_iter().map(|message| message.event).collect()
}

/// The timer that goes on with it, if one is set.
fn next(effects: &[Effect]) -> Option<Timer> {
    effects.iter().find_map(|effect| match effect {
        Effect::Wake { timer: timer @ Timer::Rehearsal(_), .. } => Some(*timer),
        _ => None,
    })
}

/// Plays until nothing more follows, and gives how often each message was played.
fn play(state: &mut State, begin: Option<Timer>, mut look: impl FnMut(&State)) -> Vec<u32> {
    let messages = messages();
    let mut played = vec![0; messages.len()];
    let mut timer = begin;
    while let Some(due) = timer {
        let effects = state.update(Action::Woke(due), 0.0);
        let [Effect::Rehearse(cue)] = effects[..] else { panic!("{effects:?}") };
        let event = messages.get(cue.message as usize).cloned().map(Box::new);
        if event.is_some() {
            played[cue.message as usize] += 1;
        }
        timer = next(&state.update(Action::Rehearsed(cue, event), 0.0));
        look(state);
    }
    played
}

#[test]
fn it_comes_to_all_that_a_check_shows() {
    let mut state = State::new(Theme::Auto, None).0;
    let begin = next(&state.update(event(Event::Ready { catalogue: catalogue() }), 0.0));
    let (mut found, mut read, mut asked) = (false, false, false);
    let played = play(&mut state, begin, |state| {
        let Some(check) = state.rehearsal.as_ref().and_then(|stage| stage.check.as_ref()) else { return };
        found |= check.is_running() && !check.findings.is_empty();
        read |= matches!(check.look.record, RecordState::Here(_));
        asked |= matches!(check.look.lines.get(3), Lookup::Here(_));
    });
    assert!(found, "findings while it runs");
    assert!(read, "the record of the first finding");
    assert!(asked, "the lines round it");
    assert!(played.iter().all(|&times| times > 1 && times == played[0]), "{played:?}");
    assert_eq!(state.rehearsal.map(|_| ()), None, "nothing of it is kept");
}

#[test]
fn it_gives_way_to_a_file() {
    let mut state = State::new(Theme::Auto, None).0;
    let begin = next(&state.update(event(Event::Ready { catalogue: catalogue() }), 0.0)).unwrap();
    let Timer::Rehearsal(cue) = begin else { panic!("{begin:?}") };
    let event = messages().into_iter().next().map(Box::new);
    let effects = state.update(Action::Rehearsed(cue, event), 0.0);
    assert!(state.rehearsal.is_some());
    state.update(Action::Take(dataset().into()), 1.0);
    assert!(state.rehearsal.is_none());
    assert_eq!(state.update(Action::Woke(next(&effects).unwrap()), 2.0), []);
}

#[test]
fn there_is_none_where_a_file_waits() {
    let mut state = State::new(Theme::Auto, None).0;
    state.update(Action::Take(dataset().into()), 0.0);
    assert_eq!(next(&state.update(event(Event::Ready { catalogue: catalogue() }), 1.0)), None);
}
