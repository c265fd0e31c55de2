//! Tests of comparing the shown file with another version.

use evalcheck_wire::compare::{ComparedRecord, ComparisonSums, Difference, DifferenceKind};

use super::*;

/// Another version of the file, with this key.
fn version(key: u32, modified_ms: f64) -> Dataset {
    Dataset { key: FileKey(key), size: SIZE + 1, modified_ms, ..dataset() }
}

/// The requested comparison: its number, whether the other version is the newer one, and the other version.
fn asked(effects: &[Effect]) -> (u32, bool, FileKey) {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Post(
            Command::Ask { request, question: Question::Comparison { is_other_newer }, .. },
            Some(other),
        ) => Some((*request, *is_other_newer, *other)),
        _ => None,
    });
    asked.unwrap_or_else(|| panic!("{effects:?}"))
}

/// The file before, if a comparison with it is offered.
fn offered(state: &State) -> Option<FileKey> {
    state.comparable_previous().map(|previous| previous.key)
}

fn compared(id: u32) -> Action {
    let sums = ComparisonSums { changed: 2, added: 300, ..ComparisonSums::default() };
    answer(id, Answer::Comparison(Box::new(sums)))
}

/// The requests for records that differ.
fn requests(effects: &[Effect]) -> Vec<(u32, u32, Option<DifferenceKind>, u64)> {
    let request = |(request, question): (u32, &Question)| match question {
        Question::Page { list: List::Differences { comparison, kind }, from, .. } => {
            Some((request, *comparison, *kind, *from))
        }
        _ => None,
    };
    questions(effects).into_iter().filter_map(request).collect()
}

#[test]
fn the_version_before_is_kept_to_be_compared_with() {
    let (mut state, ..) = done(vec![]);
    let effects = state.update(Action::OpenFiles(version(8, 9.0).into()), 300.0);
    assert!(effects.contains(&Effect::ReleaseFilesBefore(FileKey(7))), "{effects:?}");
    assert_eq!(offered(&state), None, "its format is not known yet");
    let id = check(&state).id;
    state.update(reported(id, report(vec![])), 310.0);
    assert_eq!(offered(&state), Some(FileKey(7)));
    let effects = state.update(CompareAction::WithPrevious.into(), 320.0);
    assert_eq!(offered(&state), None, "it is compared");
    let (comparison, is_newer, other) = asked(&effects);
    assert_eq!((is_newer, other), (false, FileKey(7)));
    assert_eq!(check(&state).preview.view, ViewId::COMPARED);
    let effects = state.update(CompareAction::Swap.into(), 330.0);
    let (swapped, is_newer, other) = asked(&effects);
    assert_eq!((is_newer, other), (true, FileKey(7)));
    assert!(commands(&effects).contains(&&Command::Stop { request: comparison }));
    assert!(!effects.contains(&Effect::ReleaseFile(FileKey(7))), "it is still needed");
    let effects = state.update(CompareAction::End.into(), 340.0);
    assert!(commands(&effects).contains(&&Command::Stop { request: swapped }));
    assert!(state.views.offered(ViewId::COMPARED, check(&state)).is_none());
    assert!(!effects.contains(&Effect::ReleaseFile(FileKey(7))), "it can be compared again");

    // The same file again.
    state.update(Action::OpenFiles(version(9, 9.0).into()), 350.0);
    let id = check(&state).id;
    state.update(reported(id, report(vec![])), 360.0);
    assert_eq!(offered(&state), None);
}

#[test]
fn any_file_of_the_same_format_can_be_compared_with_the_one_before() {
    // A file with the size and the time of the one before is another one by its name.
    let other = Dataset { key: FileKey(8), name: "other.jsonl".into(), ..dataset() };
    let open = |of_format: &str| {
        let (mut state, ..) = done(vec![]);
        let effects = state.update(Action::OpenFiles(other.clone().into()), 300.0);
        assert!(effects.contains(&Effect::ReleaseFilesBefore(FileKey(7))), "{effects:?}");
        let mut report = report(vec![]);
        report.format.id = of_format.to_owned();
        let id = check(&state).id;
        state.update(reported(id, report), 310.0);
        offered(&state)
    };
    let same = report(vec![]).format.id;
    assert_eq!(open(&same), Some(FileKey(7)));
    assert_eq!(open("quest"), None);
    assert_eq!(open(""), None);
}

#[test]
fn records_that_differ_are_listed_and_selected_where_the_file_has_them() {
    let (mut state, ..) = done(vec![]);
    let (id, ..) = asked(&state.update(CompareAction::With(version(8, 4.0)).into(), 300.0));
    assert!(!check(&state).preview.comparing().unwrap().is_other_newer, "it is from before");
    state.update(compared(id + 1), 305.0);
    assert!(check(&state).preview.answers.is_waiting(), "that was another comparison");
    let effects = state.update(compared(id), 310.0);
    let [(request, comparison, None, 0)] = requests(&effects)[..] else { panic!("{effects:?}") };
    assert_eq!(comparison, id);
    let record = |record| ComparedRecord { record, line: record + 1, id: None, text: String::new() };
    let difference = |old: Option<u64>, new: Option<u64>| Difference {
        old: old.map(record),
        new: new.map(record),
        fields: Vec::new(),
        other_fields: 0,
    };
    let list = vec![difference(Some(9), Some(4)), difference(Some(6), None)];
    state.update(answer(request, Answer::Differences(list)), 330.0);
    state.update(select_row(0, true), 340.0);
    assert_eq!(check(&state).preview.record_number(), Some(4));
    state.update(select_row(1, true), 350.0);
    assert_eq!(check(&state).preview.selection, None);

    let kind = Some(DifferenceKind::Added);
    state.update(views::compared::list(kind), 360.0);
    let effects = state.update(visible("compared-records", 200..=209), 370.0);
    assert!(matches!(requests(&effects)[..], [(_, _, Some(DifferenceKind::Added), 200)]), "{effects:?}");
}

#[test]
fn another_state_of_the_file_ends_the_comparison_and_releases_the_other_version() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    let (id, is_newer, other) = asked(&state.update(CompareAction::With(version(8, 9.0)).into(), 300.0));
    assert_eq!((is_newer, other), (true, FileKey(8)));
    let effects = state.update(Action::CheckAgain, 310.0);
    assert!(commands(&effects).contains(&&Command::Stop { request: id }));
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(8))), "{effects:?}");
    assert!(check(&state).preview.comparing().is_none());
    // A file that arrives while nothing can be compared.
    let effects = state.update(CompareAction::With(version(9, 9.0)).into(), 320.0);
    assert!(effects.contains(&Effect::ReleaseFile(FileKey(9))), "{effects:?}");
}
