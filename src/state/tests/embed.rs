//! Tests of the embedded page.

use evalcheck_wire::user_schema::SchemaFile;

use super::*;

fn options() -> Options {
    Options { format: Some("juryarena".into()), theme: "dark".into(), ..Options::default() }
}

/// An embedded page whose worker is ready, and the resulting effects.
fn embedded(options: Options) -> (State, Vec<Effect>) {
    let (mut state, _) = State::new(views::ALL, Theme::Light, Some(options), None);
    let effects = state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    (state, effects)
}

fn host_messages(effects: &[Effect]) -> Vec<&HostMessage> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::PostToHost(message) => Some(message),
            _ => None,
        })
        .collect()
}

fn request_check(state: &mut State, request: u32, key: u32) -> Vec<Effect> {
    state.update(Action::CheckForHost { request, dataset: Dataset { key: FileKey(key), ..dataset() } }, 0.0)
}

/// Ends the running check; the file now has this size.
fn finish(state: &mut State, size: u64) -> Vec<Effect> {
    let id = check(state).id;
    state.update(reported(id, report(vec![])), 1.0);
    state.update(Action::FileInspected { id, size, modified_ms: 5.0 }, 2.0)
}

fn checked_format(effects: &[Effect]) -> Option<String> {
    commands(effects).into_iter().find_map(|command| match command {
        Command::Check { options, .. } => Some(options.format.clone()),
        _ => None,
    })?
}

#[test]
fn the_preset_format_applies_to_every_new_file() {
    let (mut state, _) = embedded(options());
    let effects = state.update(Action::OpenFiles(dataset().into()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
    let effects = state.update(Action::ChooseFormat(None), 0.0);
    assert_eq!(checked_format(&effects), None);
    state.update(Action::StartOver, 0.0);
    let effects = state.update(Action::OpenFiles(dataset().into()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
}

#[test]
fn the_schema_of_the_host_applies_until_it_changes() {
    let schema = || Some(SchemaFile { name: "faq.schema.json".into(), text: "{}".into() });
    let with = |schema| Options { schema, ..options() };
    let (mut state, _) = embedded(options());
    state.update(Action::OpenFiles(dataset().into()), 0.0);
    let schema_of = |effects: Vec<Effect>| {
        commands(&effects).into_iter().find_map(|command| match command {
            Command::Check { options, .. } => Some(options.schema.clone()),
            _ => None,
        })
    };
    assert_eq!(
        schema_of(state.update(Action::Configure(with(schema())), 0.0)),
        Some(vec![schema().unwrap()])
    );
    assert_eq!(schema_of(state.update(Action::Configure(with(schema())), 0.0)), None);
    let removed = SchemaAction::Remove;
    assert_eq!(schema_of(state.update(removed.into(), 0.0)), Some(vec![]));
    state.update(Action::OpenExample { format: 0, example: 0 }, 0.0);
    assert_eq!(state.schema.name(), Some("faq.schema.json"), "an example of the host is checked with it");
    assert_eq!(schema_of(state.update(Action::Configure(with(None)), 0.0)), Some(vec![]));
}

#[test]
fn an_unknown_format_is_an_error_and_the_format_is_detected() {
    for format in ["no-such", "juryarena 9"] {
        let (mut state, effects) = embedded(Options { format: Some(format.into()), ..options() });
        assert!(
            matches!(host_messages(&effects)[..], [HostMessage::Error { code: "format", .. }]),
            "{format}"
        );
        let effects = state.update(Action::OpenFiles(dataset().into()), 0.0);
        assert_eq!(checked_format(&effects), None);
    }
}

#[test]
fn each_example_is_opened_once() {
    let opens = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::CreateFile(_)));
    let with = |example: &str| Options { example: Some(example.into()), ..options() };
    let (mut state, effects) = embedded(with("minimal"));
    assert!(opens(&effects));
    let again = state.update(event(Event::Ready { catalogue: catalogue() }), 0.0);
    assert!(!opens(&again), "a restart of the worker does not open it again");
    assert!(!opens(&state.update(Action::Configure(with("minimal")), 0.0)));
    assert!(opens(&state.update(Action::Configure(with("juryarena/minimal")), 0.0)));
    let effects = state.update(Action::Configure(with("no-such")), 0.0);
    assert!(matches!(
        host_messages(&effects)[..],
        [HostMessage::Error { code: "example", request: None, .. }]
    ));
}

#[test]
fn changing_the_format_checks_the_file_again() {
    let (mut state, _) = embedded(Options { format: None, ..options() });
    state.update(Action::OpenFiles(dataset().into()), 0.0);
    let effects = state.update(Action::Configure(options()), 0.0);
    assert_eq!(checked_format(&effects).as_deref(), Some("juryarena"));
}

#[test]
fn the_theme_of_the_host_is_applied_and_not_stored() {
    let (state, begin) = State::new(views::ALL, Theme::Light, Some(options()), None);
    assert_eq!(state.look.theme, Theme::Dark);
    assert!(begin.contains(&Effect::ApplyEmbedOptions { theme: Theme::Dark, compact: false, grow: false }));
    assert!(!begin.iter().any(|effect| matches!(effect, Effect::ApplyTheme(_))));
}

#[test]
fn a_requested_check_is_answered_with_its_id() {
    let (mut state, _) = embedded(options());
    request_check(&mut state, 41, 8);
    let id = check(&state).id;
    let progress = Progress { bytes: 10, ..Progress::default() };
    let effects = state.update(event(Event::Progress { id, progress, first_findings: vec![] }), 0.0);
    assert!(matches!(host_messages(&effects)[..], [HostMessage::Progress { request: Some(41), .. }]));
    assert!(matches!(
        host_messages(&finish(&mut state, SIZE))[..],
        [HostMessage::Report { request: Some(41), .. }]
    ));

    state.update(Action::CheckAgain, 3.0);
    let again = finish(&mut state, SIZE);
    assert!(
        matches!(host_messages(&again)[..], [HostMessage::Report { request: None, .. }]),
        "it is already answered"
    );
}

#[test]
fn a_file_that_changed_has_no_report() {
    let (mut state, _) = embedded(options());
    request_check(&mut state, 1, 8);
    let effects = finish(&mut state, SIZE + 1);
    assert!(matches!(
        host_messages(&effects)[..],
        [HostMessage::Error { request: Some(1), code: "changed", .. }]
    ));
}

#[test]
fn a_replaced_request_is_answered_with_an_error() {
    let replaced = |effects: &[Effect]| {
        matches!(host_messages(effects)[..], [HostMessage::Error { request: Some(1), code: "replaced", .. }])
    };
    let (mut state, _) = embedded(options());
    request_check(&mut state, 1, 8);
    assert!(replaced(&request_check(&mut state, 2, 9)), "by another request");
    assert!(matches!(
        host_messages(&finish(&mut state, SIZE))[..],
        [HostMessage::Report { request: Some(2), .. }]
    ));

    request_check(&mut state, 1, 10);
    assert!(replaced(&state.update(Action::OpenFiles(dataset().into()), 0.0)), "by a drop");
    request_check(&mut state, 1, 11);
    assert!(replaced(&state.update(Action::StartOver, 0.0)), "by the start screen");
}

#[test]
fn a_lost_worker_is_reported_to_the_host() {
    let (mut state, _) = embedded(options());
    request_check(&mut state, 1, 8);
    let effects = state.update(Action::WorkerFailed("it broke".into()), 0.0);
    assert!(matches!(
        host_messages(&effects)[..],
        [HostMessage::Error { request: Some(1), code: "engine", .. }]
    ));

    let (mut state, _) = State::new(views::ALL, Theme::Auto, Some(options()), None);
    let effects = state.update(Action::WorkerFailed("no wasm".into()), 0.0);
    assert!(matches!(
        host_messages(&effects)[..],
        [HostMessage::Error { request: None, code: "engine", .. }]
    ));
    let effects = state.update(Action::Configure(options()), 0.0);
    assert!(
        matches!(host_messages(&effects)[..], [HostMessage::Error { code: "engine", .. }]),
        "also to a host that connects later"
    );
}

#[test]
fn each_report_of_a_batch_is_posted() {
    let (mut state, _) = embedded(options());
    let files = vec![dataset(), Dataset { key: FileKey(8), ..dataset() }];
    state.update(Action::OpenFiles(DroppedItems { files, ..DroppedItems::default() }), 0.0);
    for _ in 0..2 {
        let (id, _) = batch::runs(&state).unwrap();
        let effects = state.update(reported(id, report(vec![])), 1.0);
        assert!(matches!(host_messages(&effects)[..], [HostMessage::Report { request: None, .. }]));
    }
}

#[test]
fn a_page_without_a_host_posts_nothing() {
    let (mut state, id) = checking();
    let mut effects = state.update(reported(id, report(vec![])), 1.0);
    effects.extend(state.update(Action::FileInspected { id, size: SIZE, modified_ms: 5.0 }, 2.0));
    effects.extend(state.update(Action::OpenFailed("no".into()), 3.0));
    assert!(host_messages(&effects).is_empty());
}

#[test]
fn a_folder_without_files_is_reported_to_the_host() {
    let (mut state, _) = embedded(options());
    let effects = state.update(Action::OpenFiles(DroppedItems::default()), 0.0);
    assert!(matches!(
        host_messages(&effects)[..],
        [HostMessage::Error { request: None, code: "refused", .. }]
    ));
}
