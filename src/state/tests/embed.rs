//! The page as a part of another one.

use super::*;

fn options() -> Options {
    Options { format: Some("juryarena".into()), theme: "dark".into(), ..Options::default() }
}

/// An embedded page whose worker is ready, and what followed from that.
fn embedded(options: Options) -> (State, Vec<Effect>) {
    let (mut state, _) = State::new(Theme::Light, Some(options));
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    (state, effects)
}

fn told(effects: &[Effect]) -> Vec<&Told> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Tell(told) => Some(told),
            _ => None,
        })
        .collect()
}

fn ask(state: &mut State, request: u32, key: u32) -> Vec<Effect> {
    state.update(Action::Ask { request, dataset: Dataset { key: FileKey(key), ..dataset() } }, 0.0)
}

/// The report on the check that runs comes, and the file is as it was, or of another size.
fn finish(state: &mut State, size: u64) -> Vec<Effect> {
    let job = check(state).job;
    state.update(event(Event::Report { job, report: report(vec![]), elapsed_ms: 1.0 }), 1.0);
    state.update(Action::FileSeen { job, size, modified_ms: 5.0 }, 2.0)
}

fn checked_format(effects: &[Effect]) -> Option<String> {
    commands(effects).into_iter().find_map(|command| match command {
        Command::Check { options, .. } => Some(options.format.clone()),
        _ => None,
    })?
}

#[test]
fn the_preset_holds_until_the_person_chooses_and_again_for_the_next_file() {
    let (mut state, _) = embedded(options());
    let effects = state.update(Action::Take(dataset().into()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
    let effects = state.update(Action::ChooseFormat(None), 0.0);
    assert_eq!(checked_format(&effects), None);
    state.update(Action::Leave, 0.0);
    let effects = state.update(Action::Take(dataset().into()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
}

#[test]
fn a_format_that_is_not_there_is_told_and_the_content_decides() {
    for format in ["no-such", "juryarena 9"] {
        let (mut state, effects) = embedded(Options { format: Some(format.into()), ..options() });
        assert!(matches!(told(&effects)[..], [Told::Error { code: "format", .. }]), "{format}");
        let effects = state.update(Action::Take(dataset().into()), 0.0);
        assert_eq!(checked_format(&effects), None);
    }
}

#[test]
fn the_example_is_opened_once_and_again_when_it_is_another() {
    let opens = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::MakeFile(_)));
    let with = |example: &str| Options { example: Some(example.into()), ..options() };
    let (mut state, effects) = embedded(with("minimal"));
    assert!(opens(&effects));
    let again = state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    assert!(!opens(&again), "a worker that was started anew is no reason");
    assert!(!opens(&state.update(Action::Configure(with("minimal")), 0.0)));
    assert!(opens(&state.update(Action::Configure(with("juryarena/minimal")), 0.0)));
    let effects = state.update(Action::Configure(with("no-such")), 0.0);
    assert!(matches!(told(&effects)[..], [Told::Error { code: "example", request: None, .. }]));
}

#[test]
fn what_is_shown_is_checked_again_when_the_format_changes() {
    let (mut state, _) = embedded(Options { format: None, ..options() });
    state.update(Action::Take(dataset().into()), 0.0);
    let effects = state.update(Action::Configure(options()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
}

#[test]
fn the_theme_of_the_page_around_is_shown_and_not_remembered() {
    let (state, begin) = State::new(Theme::Light, Some(options()));
    assert_eq!(state.theme, Theme::Dark);
    assert!(begin.contains(&Effect::Dress { theme: Theme::Dark, compact: false, grow: false }));
    assert!(!begin.iter().any(|effect| matches!(effect, Effect::ApplyTheme(_))));
}

#[test]
fn a_check_that_was_asked_for_is_answered_under_its_number() {
    let (mut state, _) = embedded(options());
    ask(&mut state, 41, 8);
    let job = check(&state).job;
    let progress = Progress { bytes: 10, ..Progress::default() };
    let effects = state.update(event(Event::Progress { job, progress, first_findings: vec![] }), 0.0);
    assert!(matches!(told(&effects)[..], [Told::Progress { request: Some(41), .. }]));
    assert!(matches!(told(&finish(&mut state, SIZE))[..], [Told::Report { request: Some(41), .. }]));

    state.update(Action::CheckAgain, 3.0);
    let again = finish(&mut state, SIZE);
    assert!(matches!(told(&again)[..], [Told::Report { request: None, .. }]), "it was answered");
}

#[test]
fn a_file_that_changed_has_no_report() {
    let (mut state, _) = embedded(options());
    ask(&mut state, 1, 8);
    let effects = finish(&mut state, SIZE + 1);
    assert!(matches!(told(&effects)[..], [Told::Error { request: Some(1), code: "changed", .. }]));
}

#[test]
fn a_check_whose_place_is_taken_is_given_up() {
    let replaced = |effects: &[Effect]| {
        matches!(told(effects)[..], [Told::Error { request: Some(1), code: "replaced", .. }])
    };
    let (mut state, _) = embedded(options());
    ask(&mut state, 1, 8);
    assert!(replaced(&ask(&mut state, 2, 9)), "by another one");
    assert!(matches!(told(&finish(&mut state, SIZE))[..], [Told::Report { request: Some(2), .. }]));

    ask(&mut state, 1, 10);
    assert!(replaced(&state.update(Action::Take(dataset().into()), 0.0)), "by a drop");
    ask(&mut state, 1, 11);
    assert!(replaced(&state.update(Action::Leave, 0.0)), "by nothing");
}

#[test]
fn a_worker_that_is_lost_is_told() {
    let (mut state, _) = embedded(options());
    ask(&mut state, 1, 8);
    let effects = state.update(Action::WorkerFailed("it broke".into()), 0.0);
    assert!(matches!(told(&effects)[..], [Told::Error { request: Some(1), code: "engine", .. }]));

    let (mut state, _) = State::new(Theme::Auto, Some(options()));
    let effects = state.update(Action::WorkerFailed("no wasm".into()), 0.0);
    assert!(matches!(told(&effects)[..], [Told::Error { request: None, code: "engine", .. }]));
    let effects = state.update(Action::Configure(options()), 0.0);
    assert!(matches!(told(&effects)[..], [Told::Error { code: "engine", .. }]), "to who connects later, too");
}

#[test]
fn each_of_several_files_is_told() {
    let (mut state, _) = embedded(options());
    let files = vec![dataset(), Dataset { key: FileKey(8), ..dataset() }];
    let mut effects = state.update(Action::Take(Handed { files, left_out: LeftOut::default() }), 0.0);
    for _ in 0..2 {
        let job = commands(&effects)
            .into_iter()
            .find_map(|command| match command {
                Command::Check { job, .. } => Some(*job),
                _ => None,
            })
            .unwrap();
        effects = state.update(event(Event::Report { job, report: report(vec![]), elapsed_ms: 1.0 }), 1.0);
        assert!(matches!(told(&effects)[..], [Told::Report { request: None, .. }]));
    }
}

#[test]
fn a_page_by_itself_tells_nothing() {
    let (mut state, job) = checking();
    let mut effects =
        state.update(event(Event::Report { job, report: report(vec![]), elapsed_ms: 1.0 }), 1.0);
    effects.extend(state.update(Action::FileSeen { job, size: SIZE, modified_ms: 5.0 }, 2.0));
    effects.extend(state.update(Action::Refuse("no".into()), 3.0));
    assert!(told(&effects).is_empty());
}
