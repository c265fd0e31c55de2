//! Tests of the schema of the user's own.

use evalcheck_wire::user_schema::SchemaFile;
use evalcheck_wire::worker::CheckOptions;

use super::*;

fn schema() -> Vec<SchemaFile> {
    vec![SchemaFile { name: "faq.schema.json".into(), text: r#"{"type": "object"}"#.into() }]
}

/// The options of the checks among effects.
fn checks(effects: &[Effect]) -> Vec<&CheckOptions> {
    let options = commands(effects).into_iter().filter_map(|command| match command {
        Command::Check { options, .. }
        | Command::CheckNext { options, .. }
        | Command::Fix { options, .. }
        | Command::InvalidRecords { options, .. } => Some(options),
        _ => None,
    });
    options.collect()
}

fn dropped(files: Vec<Dataset>) -> Action {
    Action::OpenFiles(DroppedItems { files, schema: schema(), ..DroppedItems::default() })
}

fn several(files: u32) -> Vec<Dataset> {
    let file = |key| Dataset { key: FileKey(key), path: format!("{key}.jsonl").into(), ..dataset() };
    (10..10 + files).map(file).collect()
}

/// A report about plain data or JuryArena, with this number of invalid records of 240 and these errors.
fn judged(plain: bool, invalid: u64, codes: &[(&str, u64)]) -> Report {
    let mut report = report(vec![]);
    report.format.plain = plain;
    if plain {
        report.format.id = "jsonl".into();
    }
    report.format.schema = Some("faq.schema.json".into());
    report.counts.records = 240;
    report.counts.invalid = invalid;
    report.counts.by_code = codes.iter().map(|(code, n)| ((*code).to_owned(), *n)).collect();
    report.counts.errors = codes.iter().map(|(_, n)| n).sum();
    report.valid = report.counts.errors == 0;
    report
}

fn titled(report: Report) -> String {
    let (mut state, id) = checking();
    state.update(reported(id, report), 200.0);
    title(&state)
}

#[test]
fn a_schema_dropped_alone_waits_for_its_dataset_and_stays_for_the_next_ones() {
    let mut state = ready();
    assert_eq!(effects_of(&mut state, dropped(vec![]), 1.0), []);
    assert_eq!(state.schema.name(), Some("faq.schema.json"));
    assert_eq!(state.opening.error, None);
    for at in [2.0, 3.0] {
        let effects = state.update(Action::OpenFiles(dataset().into()), at);
        assert_eq!(checks(&effects)[0].schema, schema());
    }
    assert_eq!(effects_of(&mut ready(), SchemaAction::Pick.into(), 1.0), [Effect::PickSchema]);
}

#[test]
fn a_schema_dropped_with_a_dataset_is_held_against_it() {
    let mut state = ready();
    let effects = state.update(dropped(vec![dataset()]), 1.0);
    assert_eq!(checks(&effects)[0].schema, schema());
    let effects = state.update(dropped(several(3)), 2.0);
    assert!(checks(&effects).iter().all(|options| options.schema == schema()));
    assert_eq!(checks(&effects).len(), 3);
}

#[test]
fn a_schema_dropped_on_a_dataset_checks_it_again() {
    let (mut state, id, _) = done(vec![]);
    let effects = state.update(dropped(vec![]), 300.0);
    assert_eq!(checks(&effects)[0].schema, schema());
    assert!(check(&state).id > id);
    assert_eq!(check(&state).dataset.key, FileKey(7));
    assert_eq!(effects_of(&mut state, dropped(vec![]), 310.0), [], "the same again");

    let effects = state.update(SchemaAction::CheckFormats(true).into(), 320.0);
    assert!(checks(&effects)[0].schema_formats);
    let effects = state.update(SchemaAction::Remove.into(), 330.0);
    assert!(checks(&effects)[0].schema.is_empty());
    assert_eq!(state.schema.name(), None);
}

#[test]
fn fixes_and_exported_records_are_of_a_check_with_the_schema() {
    let (mut state, ..) = done(vec![finding(3, Severity::Error)]);
    state.update(dropped(vec![]), 300.0);
    let id = check(&state).id;
    state.update(reported(id, report(vec![finding(3, Severity::Error)])), 310.0);
    for action in [
        FixAction::Export(Export::InvalidRecords),
        FixAction::ApplyAll(evalcheck_wire::fix::Selection::default()),
    ] {
        let effects = state.update(action.into(), 320.0);
        assert_eq!(checks(&effects)[0].schema, schema());
    }
}

#[test]
fn files_of_a_batch_are_checked_again_with_another_schema() {
    let opened = DroppedItems { files: several(3), ..DroppedItems::default() };
    let (mut state, mut ids) = (ready(), Vec::new());
    for command in commands(&state.update(Action::OpenFiles(opened), 1.0)) {
        if let Command::CheckNext { id, .. } = command {
            ids.push(*id);
        }
    }
    for id in &ids {
        state.update(reported(*id, report(vec![])), 2.0);
    }
    // It is given while one of them is shown, which is then checked at once, and the others when they are listed.
    state.update(Action::OpenFile(1), 3.0);
    let effects = state.update(dropped(vec![]), 4.0);
    assert_eq!(checks(&effects).len(), 1);
    let effects = state.update(Action::ShowOverview, 5.0);
    assert_eq!(checks(&effects).len(), 3);
    let effects = state.update(SchemaAction::Remove.into(), 6.0);
    assert_eq!(checks(&effects).len(), 3);
    assert!(checks(&effects).iter().all(|options| options.schema.is_empty()));
}

#[test]
fn on_the_start_screen_a_schema_is_for_the_next_file() {
    let (mut state, id, _) = done(vec![]);
    state.update(Action::StartOver, 300.0);
    assert!(checks(&state.update(dropped(vec![]), 310.0)).is_empty());
    assert_eq!(state.schema.name(), Some("faq.schema.json"));
    state.update(Action::Return, 320.0);
    assert_eq!((state.schema.name(), check(&state).id), (None, id));
}

#[test]
fn an_example_is_checked_without_a_schema() {
    let mut state = ready();
    state.update(dropped(vec![]), 1.0);
    state.update(Action::OpenExample { format: 0, example: 0 }, 2.0);
    assert_eq!(state.schema.name(), None);
}

#[test]
fn the_schema_that_fits_a_dataset_is_made_after_its_statistics() {
    let (mut state, ..) = done(vec![]);
    let asked = |effects: &[Effect], wanted: &Question| {
        questions(effects).into_iter().find(|(_, question)| *question == wanted).map(|(request, _)| request)
    };
    let effects = state.update(SchemaAction::Make.into(), 300.0);
    assert_eq!(check(&state).preview.view, ViewId::SCHEMA);
    // The file is small: its statistics are counted already.
    let overview = asked(&effects, &Question::Overview)
        .or_else(|| check(&state).preview.answers.request(&Question::Overview));
    assert_eq!(asked(&effects, &Question::Schema), None);
    let effects = state.update(answer(overview.unwrap(), Answer::Overview(Box::default())), 310.0);
    let schema = asked(&effects, &Question::Schema).unwrap();
    assert_eq!(effects_of(&mut state, SchemaAction::UseMade.into(), 315.0), [], "there is none yet");
    state.update(answer(schema, Answer::Schema("{}\n".into())), 320.0);
    let made = SchemaFile { name: "data.schema.json".into(), text: "{}\n".into() };
    let effects = state.update(SchemaAction::DownloadMade.into(), 330.0);
    assert!(effects.contains(&Effect::Download(Download::Schema(made.clone()))));
    let effects = state.update(SchemaAction::UseMade.into(), 340.0);
    assert_eq!(checks(&effects)[0].schema, [made]);
}

#[test]
fn the_title_says_who_rejects_what() {
    let title = |plain, invalid, codes: &[(&str, u64)]| titled(judged(plain, invalid, codes));
    assert_eq!(title(true, 0, &[]), "Valid: 240 records follow faq.schema.json");
    assert_eq!(title(false, 0, &[]), "Valid: JuryArena will load it, and it follows faq.schema.json");
    let by_schema = [("schema/type", 20)];
    assert_eq!(title(true, 12, &by_schema), "Not valid: 12 of 240 records do not follow faq.schema.json");
    assert_eq!(title(true, 1, &by_schema), "Not valid: 1 of 240 records does not follow faq.schema.json");
    assert_eq!(
        title(false, 12, &by_schema),
        "Not valid: JuryArena will load it, but 12 of 240 records do not follow faq.schema.json"
    );
    let by_both = [("schema/type", 20), ("json/syntax", 3)];
    assert_eq!(title(true, 12, &by_both), "Not valid: 12 of 240 records have errors");
    assert_eq!(
        title(false, 12, &by_both),
        "Not valid: 12 of 240 records would be rejected or do not follow faq.schema.json"
    );
    let by_system = [("shape/missing-key", 12)];
    assert_eq!(title(false, 12, &by_system), "Not valid: 12 of 240 records would be rejected");
}

#[test]
fn a_schema_that_cannot_be_used_or_does_not_fit_checks_nothing() {
    let refused = |code: &str, message: &str| {
        let finding =
            Finding { code: code.into(), line: None, message: message.into(), ..finding(1, Severity::Error) };
        let (mut state, id) = checking();
        let mut report = report(vec![finding]);
        report.checked = false;
        state.update(reported(id, report), 200.0);
        let headline = headline(check(&state), &state.catalogue).unwrap();
        assert_eq!(headline.verdict, Verdict::NotChecked);
        assert!(headline.short.starts_with("Schema "), "{}", headline.short);
        (headline.title, headline.note.unwrap())
    };
    assert_eq!(
        refused("schema/unusable", "nothing was checked: the schema cannot be used, a.json:1:2: no"),
        ("Not checked: the schema cannot be used".to_owned(), "a.json:1:2: no".to_owned())
    );
    assert_eq!(
        refused("schema/other-dataset", "nothing was checked: the first records lack id"),
        (
            "Not checked: the schema describes another dataset".to_owned(),
            "the first records lack id".to_owned()
        )
    );
}
