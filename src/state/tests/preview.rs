//! Tests of navigation in the results.

use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentList, AttachmentQuery, AttachmentRow, AttachmentSummary,
};

use super::*;

#[test]
fn the_keys_of_tabs_are_numbers_in_their_order() {
    let (state, ..) = done(vec![finding(12, Severity::Error)]);
    let keys: Vec<_> = state
        .shortcuts()
        .filter_map(|shortcut| match shortcut.does {
            Key::View(id) => Some((shortcut.keys, id.0)),
            _ => None,
        })
        .collect();
    let shown = ["findings", "records", "overview", "lines", "schema"];
    let numbers: [&[&str]; 5] = [&["1"], &["2"], &["3"], &["4"], &["5"]];
    assert_eq!(keys, numbers.into_iter().zip(shown).collect::<Vec<_>>());
}

#[test]
fn the_first_error_is_selected() {
    let (state, _, effects) = done(vec![finding(3, Severity::Warning), finding(12, Severity::Error)]);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
    assert!(matches!(record_request(&effects), Some((_, RecordPlace::Line(12), _))));
    assert_eq!(check(&state).preview.focus, Focus::List, "a phone shows the list first");
}

#[test]
fn a_finding_selected_during_the_check_stays_selected() {
    let (mut state, id) = checking();
    let late = finding(50, Severity::Error);
    let progress = Progress { bytes: 10, ..Progress::default() };
    state.update(event(Event::Progress { id, progress, first_findings: vec![late.clone()] }), 110.0);
    state.update(select(Selection::Finding(0), true), 120.0);
    let report = report(vec![finding(12, Severity::Error), late]);
    state.update(reported(id, report), 200.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
}

#[test]
fn only_the_last_requested_record_is_shown() {
    let (mut state, ..) = done(vec![finding(1, Severity::Error), finding(2, Severity::Error)]);
    let request = |effects: &[Effect]| record_request(effects).unwrap().0;
    let first = request(&state.update(select(Selection::Finding(1), true), 1.0));
    let second = request(&state.update(select(Selection::Line(50), true), 2.0));
    state.update(record_answer(first, None), 3.0);
    assert_eq!(check(&state).preview.details.record, RecordState::None);
    state.update(record_answer(second, None), 4.0);
    assert_eq!(check(&state).preview.details.record, RecordState::Missing);
}

#[test]
fn small_attachments_are_loaded_and_released_with_the_sample() {
    let (mut state, _, effects) = done(vec![finding(1, Severity::Error)]);
    let (request, ..) = record_request(&effects).unwrap();
    let part = |entry: &str, size: u64| Part::File {
        path: entry.into(),
        attachment: Some(AttachmentInfo { entry: entry.into(), size }),
        suggestion: None,
    };
    let parts = vec![part("a.pdf", 10), part("a.pdf", 10), part("huge.bin", 1 << 40)];
    let turn = Turn { role: "user".into(), path: "input.messages.0".into(), parts, ..Turn::default() };
    let record = Record {
        sample_is_fixed: None,
        line: 1,
        findings: vec![finding(1, Severity::Error)],
        source: Source { text: "{}".into(), before: 0, after: 0, marks: vec![None], editable: None },
        sample: Some(Sample { turns: vec![turn], ..Sample::default() }),
        loaded: None,
        encodings: Vec::new(),
    };
    let effects = state.update(record_answer(request, Some(record)), 210.0);
    let asked = questions(&effects);
    let attachments: Vec<_> = asked
        .iter()
        .filter_map(|(request, question)| match question {
            Question::Attachment(entry) => Some((*request, entry.as_str())),
            _ => None,
        })
        .collect();
    let [(request, "a.pdf")] = attachments[..] else { panic!("{asked:?}") };

    let attachment = Attachment {
        info: AttachmentInfo { entry: "a.pdf".into(), size: 10 },
        kind: AttachmentKind::Pdf,
        media_type: "application/pdf".into(),
        description: "PDF".into(),
        bytes_read: 10,
        pages: None,
        table: None,
        pixels: None,
        may_have_scripts: false,
    };
    let body = AttachmentBody::Pdf("blob:x".into());
    state.update(Action::AttachmentLoaded { request, attachment, body }, 220.0);
    assert!(matches!(check(&state).preview.details.attachments[0].state, AttachmentState::Loaded(..)));

    let effects = state.update(select(Selection::Line(2), true), 230.0);
    assert!(effects.contains(&Effect::ReleaseAttachments));
    assert!(check(&state).preview.details.attachments.is_empty());
}

#[test]
fn visible_lines_are_requested() {
    let (mut state, _, effects) = done(vec![]);
    let requested = |effects: &[Effect]| page(effects, |list| *list == List::Lines);
    let (request, from) = requested(&effects).unwrap();
    assert_eq!(from, 0, "the context of the first line");
    let line = |number| Line {
        number,
        byte_start: 0,
        bytes: 2,
        excerpt: Excerpt { text: "{}".into(), start: 0, end: 0, clipped_before: false, clipped_after: false },
        shared: 0,
        severity: None,
        blank: false,
    };
    let lines = Lines { total: 100, lines: (1..=100).map(line).collect() };
    state.update(answer(request, Answer::Lines(lines)), 210.0);
    state.update(PreviewAction::Show(ViewId::LINES).into(), 215.0);
    let effects = state.update(visible("lines", 0..=39), 220.0);
    assert_eq!(requested(&effects), None, "they are loaded");
    let item = check(&state).preview.answers.item::<Line>(&List::Lines, 39);
    assert!(matches!(item, Lookup::Loaded(_)));
}

#[test]
fn go_to_the_next_and_previous_invalid_line() {
    let findings =
        vec![finding(5, Severity::Error), finding(7, Severity::Warning), finding(9, Severity::Error)];
    let (mut state, ..) = done(findings);
    state.update(PreviewAction::Show(ViewId::LINES).into(), 1.0);
    state.update(lines::go_to(6), 1.0);
    // The worker knows the lines of unlisted findings.
    let ask = |state: &mut State, direction: Direction| {
        let effects = state.update(PreviewAction::GoOn(direction).into(), 2.0);
        questions(&effects).into_iter().find_map(|(request, question)| match question {
            Question::InvalidLine { from, direction: asked, .. } => {
                assert_eq!(*asked, direction);
                Some((request, *from))
            }
            _ => None,
        })
    };
    let found = |state: &mut State, request, line| {
        state.update(answer(request, Answer::InvalidLine(line, None)), 3.0);
        check(state).preview.selection
    };
    let (request, from) = ask(&mut state, Direction::Next).unwrap();
    assert_eq!(from, 6);
    assert_eq!(found(&mut state, request, Some(8)), Some(Selection::Line(8)));
    let (request, _) = ask(&mut state, Direction::Next).unwrap();
    assert_eq!(found(&mut state, request, None), Some(Selection::Line(8)), "there is no next one");
    let (request, from) = ask(&mut state, Direction::Previous).unwrap();
    assert_eq!(from, 8);
    state.update(lines::go_to(20), 4.0);
    assert_eq!(found(&mut state, request, Some(5)), Some(Selection::Line(20)), "it came too late");
    state.update(lines::go_to(1_000_000), 5.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(100)), "the last line");
}

#[test]
fn the_next_invalid_record_is_looked_for_from_the_selected_one() {
    let (mut state, ..) = done(vec![finding(5, Severity::Error)]);
    state.update(records::go_to(42), 1.0);
    assert_eq!(check(&state).preview.view, ViewId::RECORDS);
    let effects = state.update(PreviewAction::GoOn(Direction::Next).into(), 2.0);
    let asked = questions(&effects).into_iter().find_map(|(request, question)| match question {
        Question::InvalidLine { record, .. } => Some((request, *record)),
        _ => None,
    });
    let (request, record) = asked.unwrap();
    assert_eq!(record, Some(41));
    state.update(answer(request, Answer::InvalidLine(Some(1), Some(70))), 3.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Record { record: 70, line: Some(1) }));
    state.update(records::go_to(1_000_001), 4.0);
    assert_eq!(check(&state).preview.record_number(), Some(99), "the last record");
}

#[test]
fn the_text_of_a_long_record_follows_the_selected_finding() {
    let two = || {
        vec![finding(1, Severity::Error), Finding { byte_start: Some(900), ..finding(1, Severity::Error) }]
    };
    let (mut state, _, effects) = done(two());
    let requested = |effects: &[Effect]| record_request(effects).map(|(request, _, at)| (request, at));
    let (request, at) = requested(&effects).unwrap();
    assert_eq!(at, Some(10));
    let mark = Some(evalcheck_report::view::Mark { start_utf16: 0, end_utf16: 2 });
    let record = |marks| Record {
        sample_is_fixed: None,
        line: 1,
        findings: two(),
        source: Source { text: "{}".into(), before: 0, after: 1_000, marks, editable: None },
        sample: None,
        loaded: None,
        encodings: Vec::new(),
    };
    let shown = |request, marks| record_answer(request, Some(record(marks)));
    state.update(shown(request, vec![mark, None]), 210.0);
    let effects = state.update(PreviewAction::SelectInRecord(0).into(), 220.0);
    assert_eq!(requested(&effects), None, "it is in the text");

    let effects = state.update(PreviewAction::SelectInRecord(1).into(), 230.0);
    let (request, at) = requested(&effects).unwrap();
    assert_eq!(at, Some(900));
    assert!(
        matches!(check(&state).preview.details.record, RecordState::Loaded(_)),
        "it stays until the answer"
    );
    state.update(shown(request, vec![None, mark]), 240.0);
    let loaded = check(&state).preview.details.record.loaded().unwrap();
    assert_eq!(loaded.source.marks, [None, mark]);
    assert!(!check(&state).preview.answers.is_waiting() || requested(&effects).is_some());
    let effects = state.update(select(Selection::Finding(0), true), 250.0);
    assert_eq!(requested(&effects).map(|(_, at)| at), Some(Some(10)), "and from the list");
}

#[test]
fn a_finding_in_a_turn_is_opened() {
    let (mut state, _, _) = done(vec![finding(1, Severity::Error)]);
    state.update(PreviewAction::ShowTab(Tab::Sample).into(), 0.0);
    state.update(PreviewAction::OpenInRecord(1).into(), 10.0);
    assert_eq!(check(&state).preview.details.in_record, Some(1));
    assert_eq!(check(&state).preview.tab(), Tab::Source);
}

#[test]
fn the_title_of_the_page_says_the_verdict() {
    let title = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::SetTitle(title) => Some(title.as_deref().map(ToOwned::to_owned)),
            _ => None,
        })
    };
    let (mut state, _, effects) = done(vec![finding(1, Severity::Error)]);
    assert_eq!(title(&effects), Some(Some("1 of 100 invalid, data.jsonl".to_owned())));
    let effects = state.update(Action::OpenFiles(dataset().into()), 300.0);
    assert_eq!(title(&effects), Some(Some("Checking data.jsonl".to_owned())));
    let id = check(&state).id;
    let report = report(Vec::new());
    let effects = state.update(reported(id, report), 310.0);
    assert_eq!(title(&effects), Some(Some("Valid, data.jsonl".to_owned())));
    let effects = state.update(Action::StartOver, 320.0);
    assert_eq!(title(&effects), Some(None));
}

#[test]
fn rows_of_records_are_requested_where_they_are_visible() {
    let (mut state, _, effects) = done(Vec::new());
    assert_eq!(check(&state).preview.view, ViewId::RECORDS, "the records of a valid file come first");
    let (request, from) = page(&effects, |list| *list == List::Records).unwrap();
    assert_eq!(from, 0);
    let row = |record| Row { record, line: 7, ..Row::default() };
    let rows = Rows { total: 2, rows: vec![row(0), row(1)], ..Rows::default() };
    state.update(answer(request, Answer::Records(rows)), 310.0);
    // Two records of one line.
    assert_eq!(record_request(&effects).map(|(_, place, _)| place), Some(RecordPlace::Number(0)));
    let effects = state.update(select_row(1, false), 320.0);
    assert_eq!(record_request(&effects).map(|(_, place, _)| place), Some(RecordPlace::Number(1)));
    assert_eq!(check(&state).preview.line(), Some(7));
    assert_eq!(check(&state).preview.record_number(), Some(1));
}

/// The request for files of the archive among effects, and its query.
fn files_request(effects: &[Effect]) -> Option<(u32, AttachmentQuery)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Page { list: List::Files(of), from: 0, .. } => Some((request, of.clone())),
        _ => None,
    })
}

fn file(name: &str, size: u64) -> AttachmentRow {
    AttachmentRow {
        entry: Some(name.into()),
        path: name.into(),
        size,
        media_type: "text/plain".into(),
        description: "UTF-8 text".into(),
        pixels: None,
        milliseconds: None,
        records: 1,
        wrong: 0,
        first_records: vec![3],
        is_unused: false,
        repeats: None,
        nearest: None,
        added_as: None,
    }
}

/// Whether the files of the archive are offered.
fn is_offered(state: &State) -> bool {
    state.views.offered(ViewId("attachments"), check(state)).is_some()
}

#[test]
fn the_files_of_an_archive_are_listed_and_the_selected_one_is_loaded() {
    let (mut state, id) = checking();
    let mut in_archive = report(Vec::new());
    in_archive.file.entry = Some("samples.jsonl".into());
    let effects = state.update(reported(id, in_archive), 1.0);
    let (request, query) = files_request(&effects).unwrap();
    assert_eq!(query, AttachmentQuery::default());
    assert!(!is_offered(&state), "whether there are files is not known");
    let summary = AttachmentSummary { files: 2, ..AttachmentSummary::default() };
    let list = |rows: Vec<AttachmentRow>| AttachmentList {
        total: rows.len() as u64,
        rows,
        summary: summary.clone(),
    };
    let both = list(vec![file("a.txt", 10), file("huge.bin", 1 << 40)]);
    state.update(answer(request, Answer::Files(both.clone())), 2.0);
    assert!(is_offered(&state));
    state.update(PreviewAction::Show(ViewId("attachments")).into(), 3.0);

    let loads = |effects: &[Effect]| {
        questions(effects).iter().any(|(_, question)| matches!(question, Question::Attachment(_)))
    };
    assert!(!loads(&state.update(select_row(1, true), 4.0)));
    let effects = state.update(select_row(0, true), 5.0);
    assert!(loads(&effects));
    assert_eq!(check(&state).preview.selection, Some(Selection::File(0)));
    assert_eq!(check(&state).preview.line(), None);

    let missing = AttachmentQuery { filter: AttachmentFilter::Missing, ..AttachmentQuery::default() };
    let effects = state.update(views::attachments::list(missing.clone()), 6.0);
    assert!(effects.contains(&Effect::ReleaseAttachments), "what is selected may not be in the list");
    let (next, query) = files_request(&effects).unwrap();
    assert_eq!(query, missing);
    let listed = List::Files(missing);
    state.update(answer(request, Answer::Files(both)), 7.0);
    assert_eq!(check(&state).preview.answers.total(&listed), None, "it is stale");
    state.update(answer(next, Answer::Files(list(Vec::new()))), 8.0);
    assert_eq!(check(&state).preview.answers.total(&listed), Some(0));
    assert!(is_offered(&state), "the filter can be changed");

    let effects = state.update(select(Selection::Record { record: 3, line: None }, true), 9.0);
    assert!(matches!(record_request(&effects), Some((_, RecordPlace::Number(3), _))));
}
