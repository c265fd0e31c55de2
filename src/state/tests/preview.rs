//! Tests of navigation in the results.

use evalcheck_wire::attachments::{
    AttachmentFilter, AttachmentList, AttachmentQuery, AttachmentRow, AttachmentSummary,
};

use super::*;

/// The id of the request for a record among effects.
fn record_request(effects: &[Effect]) -> u32 {
    commands(effects)
        .into_iter()
        .find_map(|command| match command {
            Command::Record { request, .. } => Some(*request),
            _ => None,
        })
        .unwrap()
}

#[test]
fn the_first_error_is_selected() {
    let (state, _, effects) = done(vec![finding(3, Severity::Warning), finding(12, Severity::Error)]);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
    assert!(commands(&effects).iter().any(|command| matches!(command, Command::Record { line: 12, .. })));
    assert_eq!(check(&state).preview.focus, Focus::List, "a phone shows the list first");
}

#[test]
fn a_finding_selected_during_the_check_stays_selected() {
    let (mut state, id) = checking();
    let late = finding(50, Severity::Error);
    let progress = Progress { bytes: 10, ..Progress::default() };
    state.update(event(Event::Progress { id, progress, first_findings: vec![late.clone()] }), 110.0);
    state.update(PreviewAction::SelectFinding { number: 0, open: true }.into(), 120.0);
    let report = report(vec![finding(12, Severity::Error), late]);
    state.update(reported(id, report), 200.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
}

#[test]
fn only_the_last_requested_record_is_shown() {
    let (mut state, id, _) = done(vec![finding(1, Severity::Error), finding(2, Severity::Error)]);
    let first =
        record_request(&state.update(PreviewAction::SelectFinding { number: 1, open: true }.into(), 1.0));
    let second =
        record_request(&state.update(PreviewAction::SelectLine { line: 50, open: true }.into(), 2.0));
    state.update(event(Event::Record { id, request: first, record: None }), 3.0);
    assert_eq!(check(&state).preview.record, RecordState::Requested(second));
    state.update(event(Event::Record { id, request: second, record: None }), 4.0);
    assert_eq!(check(&state).preview.record, RecordState::Missing);
}

#[test]
fn small_attachments_are_loaded_and_released_with_the_sample() {
    let (mut state, id, effects) = done(vec![finding(1, Severity::Error)]);
    let request = record_request(&effects);
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
    let answer = Event::Record { id, request, record: Some(Box::new(record)) };
    let effects = state.update(event(answer), 210.0);
    let requests = commands(&effects);
    let [Command::Attachment { request, entry, .. }] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(entry, "a.pdf");

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
    let request = *request;
    state.update(Action::AttachmentLoaded { id, request, attachment: Ok(attachment), body }, 220.0);
    assert!(matches!(check(&state).preview.attachments[0].state, AttachmentState::Loaded(..)));

    let effects = state.update(PreviewAction::SelectLine { line: 2, open: true }.into(), 230.0);
    assert!(effects.contains(&Effect::ReleaseAttachments));
    assert!(check(&state).preview.attachments.is_empty());
}

#[test]
fn visible_lines_are_requested() {
    let (mut state, id, effects) = done(vec![]);
    let requested = |effects: &[Effect]| {
        commands(effects).into_iter().find_map(|command| match command {
            Command::Lines { request, from, count, .. } => Some((*request, *from, *count)),
            _ => None,
        })
    };
    let (request, from, count) = requested(&effects).unwrap();
    assert_eq!((from, count), (1, 200), "the context of the first line");
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
    state.update(event(Event::Lines { id, request, lines }), 210.0);
    let effects = state.update(PreviewAction::LinesVisible(1..=40).into(), 220.0);
    assert_eq!(requested(&effects), None, "they are loaded");
    assert!(matches!(check(&state).preview.lines.get(40), Lookup::Loaded(_)));
}

#[test]
fn go_to_the_next_and_previous_invalid_line() {
    let findings =
        vec![finding(5, Severity::Error), finding(7, Severity::Warning), finding(9, Severity::Error)];
    let (mut state, id, _) = done(findings);
    state.update(PreviewAction::GoToLine(6).into(), 1.0);
    // The worker knows the lines of unlisted findings.
    let ask = |state: &mut State, direction: Direction| {
        let effects = state.update(PreviewAction::GoOn(direction).into(), 2.0);
        commands(&effects).into_iter().find_map(|command| match command {
            Command::InvalidLine { request, from, direction: asked, .. } => {
                assert_eq!(*asked, direction);
                Some((*request, *from))
            }
            _ => None,
        })
    };
    let answer = |state: &mut State, request, line| {
        state.update(event(Event::InvalidLine { id, request, line, record: None }), 3.0);
        check(state).preview.selection
    };
    let (request, from) = ask(&mut state, Direction::Next).unwrap();
    assert_eq!(from, 6);
    assert_eq!(answer(&mut state, request, Some(8)), Some(Selection::Line(8)));
    let (request, _) = ask(&mut state, Direction::Next).unwrap();
    assert_eq!(answer(&mut state, request, None), Some(Selection::Line(8)), "there is no next one");
    let (request, from) = ask(&mut state, Direction::Previous).unwrap();
    assert_eq!(from, 8);
    state.update(PreviewAction::GoToLine(20).into(), 4.0);
    assert_eq!(answer(&mut state, request, Some(5)), Some(Selection::Line(20)), "it came too late");
    state.update(PreviewAction::GoToLine(1_000_000).into(), 5.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Line(100)), "the last line");
}

#[test]
fn the_next_invalid_record_is_looked_for_from_the_selected_one() {
    let (mut state, id, _) = done(vec![finding(5, Severity::Error)]);
    state.update(PreviewAction::GoToRecord(41).into(), 1.0);
    assert_eq!(check(&state).preview.list, ListKind::Records);
    let effects = state.update(PreviewAction::GoOn(Direction::Next).into(), 2.0);
    let asked = commands(&effects).into_iter().find_map(|command| match command {
        Command::InvalidLine { request, record, .. } => Some((*request, *record)),
        _ => None,
    });
    let (request, record) = asked.unwrap();
    assert_eq!(record, Some(41));
    state.update(event(Event::InvalidLine { id, request, line: Some(1), record: Some(70) }), 3.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Record { record: 70, line: Some(1) }));
    state.update(PreviewAction::GoToRecord(1_000_000).into(), 4.0);
    assert_eq!(check(&state).preview.record_number(), Some(99), "the last record");
}

#[test]
fn the_text_of_a_long_record_follows_the_selected_finding() {
    let two = || {
        vec![finding(1, Severity::Error), Finding { byte_start: Some(900), ..finding(1, Severity::Error) }]
    };
    let (mut state, id, effects) = done(two());
    let requested = |effects: &[Effect]| {
        commands(effects).into_iter().find_map(|command| match command {
            Command::Record { request, at, .. } => Some((*request, *at)),
            _ => None,
        })
    };
    let (request, at) = requested(&effects).unwrap();
    assert_eq!(at, Some(10));
    let mark = Some(evalcheck_wire::view::Mark { start_utf16: 0, end_utf16: 2 });
    let record = |marks| Record {
        sample_is_fixed: None,
        line: 1,
        findings: two(),
        source: Source { text: "{}".into(), before: 0, after: 1_000, marks, editable: None },
        sample: None,
        loaded: None,
        encodings: Vec::new(),
    };
    let answer = |request, marks| event(Event::Record { id, request, record: Some(Box::new(record(marks))) });
    state.update(answer(request, vec![mark, None]), 210.0);
    let effects = state.update(PreviewAction::SelectInRecord(0).into(), 220.0);
    assert_eq!(requested(&effects), None, "it is in the text");

    let effects = state.update(PreviewAction::SelectInRecord(1).into(), 230.0);
    let (request, at) = requested(&effects).unwrap();
    assert_eq!(at, Some(900));
    assert!(matches!(check(&state).preview.record, RecordState::Loaded(_)), "it stays until the answer");
    assert_eq!(check(&state).preview.moving, Some(request));
    state.update(answer(request, vec![None, mark]), 240.0);
    let RecordState::Loaded(loaded) = &check(&state).preview.record else { panic!("it is loaded") };
    assert_eq!(loaded.source.marks, [None, mark]);
    assert_eq!(check(&state).preview.moving, None);
    let effects = state.update(PreviewAction::SelectFinding { number: 0, open: true }.into(), 250.0);
    assert_eq!(requested(&effects).map(|(_, at)| at), Some(Some(10)), "and from the list");
}

#[test]
fn a_finding_in_a_turn_is_opened() {
    let (mut state, _, _) = done(vec![finding(1, Severity::Error)]);
    state.update(PreviewAction::ShowTab(Tab::Sample).into(), 0.0);
    state.update(PreviewAction::OpenInRecord(1).into(), 10.0);
    assert_eq!(check(&state).preview.in_record, Some(1));
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
    let (mut state, id, _) = done(Vec::new());
    assert_eq!(check(&state).preview.list, ListKind::Records, "the records of a valid file come first");
    let effects = state.update(PreviewAction::RowsVisible(1..=20).into(), 300.0);
    let request = commands(&effects).into_iter().find_map(|command| match command {
        Command::Rows { request, from: 0, .. } => Some(*request),
        _ => None,
    });
    let row = |record| Row {
        record,
        line: 7,
        byte_start: 0,
        severity: None,
        id: None,
        question: None,
        answer: None,
        columns: Vec::new(),
        text: None,
    };
    let rows = Rows {
        total: 2,
        is_beginning: false,
        columns: Vec::new(),
        lists: Vec::new(),
        rows: vec![row(0), row(1)],
    };
    state.update(event(Event::Rows { id, request: request.unwrap(), rows }), 310.0);
    // Two records on one line.
    for record in 0..2 {
        let action = PreviewAction::SelectRecord { record, line: Some(7), open: false };
        let effects = state.update(action.into(), 320.0);
        let is_asked = |command: &&Command| matches!(command, Command::RecordOfNumber { record: asked, .. } if *asked == record);
        assert!(commands(&effects).iter().any(is_asked), "{effects:?}");
    }
    assert_eq!(check(&state).preview.record_number(), Some(1));
}

/// The request for files of the archive among effects, and its query.
fn files_request(effects: &[Effect]) -> Option<(u32, AttachmentQuery)> {
    commands(effects).into_iter().find_map(|command| match command {
        Command::ListAttachments { request, of, from: 0, .. } => Some((*request, of.clone())),
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

#[test]
fn the_files_of_an_archive_are_listed_and_the_selected_one_is_loaded() {
    let (mut state, id) = checking();
    let mut in_archive = report(Vec::new());
    in_archive.file.entry = Some("samples.jsonl".into());
    let effects = state.update(reported(id, in_archive), 1.0);
    let (request, query) = files_request(&effects).unwrap();
    assert_eq!(query, AttachmentQuery::default());
    assert!(!check(&state).has_list(ListKind::Attachments), "whether there are files is not known");
    let summary = AttachmentSummary { files: 2, ..AttachmentSummary::default() };
    let list = |rows: Vec<AttachmentRow>| AttachmentList {
        total: rows.len() as u64,
        rows,
        summary: summary.clone(),
    };
    let both = list(vec![file("a.txt", 10), file("huge.bin", 1 << 40)]);
    state.update(event(Event::AttachmentList { id, request, list: both.clone() }), 2.0);
    assert!(check(&state).has_list(ListKind::Attachments));
    state.update(PreviewAction::ShowList(ListKind::Attachments).into(), 3.0);

    let loads = |effects: &[Effect]| {
        commands(effects).iter().any(|command| matches!(command, Command::Attachment { .. }))
    };
    assert!(!loads(&state.update(PreviewAction::SelectFile { number: 1, open: true }.into(), 4.0)));
    let effects = state.update(PreviewAction::SelectFile { number: 0, open: true }.into(), 5.0);
    assert!(loads(&effects));
    assert_eq!(check(&state).preview.selected_file().map(|file| &*file.path), Some("a.txt"));
    assert_eq!(check(&state).preview.line(), None);

    let missing = AttachmentQuery { filter: AttachmentFilter::Missing, ..AttachmentQuery::default() };
    let effects = state.update(PreviewAction::ListFiles(missing.clone()).into(), 6.0);
    assert!(effects.contains(&Effect::ReleaseAttachments), "what is selected may not be in the list");
    let (next, query) = files_request(&effects).unwrap();
    assert_eq!(query, missing);
    state.update(event(Event::AttachmentList { id, request, list: both }), 7.0);
    assert_eq!(check(&state).preview.files.cache.get(1).loaded(), None, "it is stale");
    state.update(event(Event::AttachmentList { id, request: next, list: list(Vec::new()) }), 8.0);
    assert_eq!(check(&state).preview.files.cache.total(), 0);
    assert!(check(&state).has_list(ListKind::Attachments), "the filter can be changed");

    let effects = state.update(PreviewAction::SelectRecord { record: 3, line: None, open: true }.into(), 9.0);
    assert!(
        commands(&effects).iter().any(|command| matches!(command, Command::RecordOfNumber { record: 3, .. }))
    );
}
