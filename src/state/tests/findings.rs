//! Tests of the filter, the list of findings, and the search.

use evalcheck_report::Applicability;
use evalcheck_report::overview::Overview;
use evalcheck_wire::findings::{FindingGroup, FindingQuery, FindingSummary, FixGroup};
use evalcheck_wire::fix::{Change, FixChoice, FixKind};

use super::*;

/// The request for the nearest finding among effects: its id, the query, the line and the direction.
fn nearest(effects: &[Effect]) -> Option<(u32, FindingQuery, u64, Option<Direction>)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::NearestFinding { of, line, direction } => Some((request, of.clone(), *line, *direction)),
        _ => None,
    })
}

fn group(code: &str, path: Option<&str>) -> FindingGroup {
    FindingGroup {
        code: code.into(),
        severity: Severity::Error,
        summary: "A key is missing.".into(),
        path: path.map(str::to_owned),
        message: None,
        brief: None,
        findings: 200,
        safe_fixes: 0,
        unsafe_fixes: 0,
        records: 200,
        first: 0,
        lines: Vec::new(),
        strip: Vec::new(),
    }
}

/// Answers the request for a summary among effects.
fn summarize(state: &mut State, effects: &[Effect], groups: Vec<FindingGroup>) {
    let asked = questions(effects).into_iter();
    let request = asked
        .filter(|(_, question)| matches!(question, Question::FindingSummary(_)))
        .map(|(request, _)| request)
        .next();
    let summary = FindingSummary { groups, map: Vec::new(), bytes: SIZE };
    state.update(answer(request.unwrap(), Answer::FindingSummary(summary)), 220.0);
}

#[test]
fn findings_are_asked_for_where_they_are_looked_at() {
    let all: Vec<Finding> = (1..=3_000).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, _, effects) = done(all.clone());
    let asked = |effects: &[Effect]| -> Vec<(u64, u32)> {
        let ranges = questions(effects).into_iter().filter_map(|(_, question)| match question {
            Question::Page { list: List::Findings(_), from, count } => Some((*from, *count)),
            _ => None,
        });
        ranges.collect()
    };
    assert_eq!(asked(&effects), [(0, 200)]);
    let effects = state.update(visible("findings", 2_000..=2_019), 300.0);
    assert_eq!(asked(&effects), [(2_000, 200)]);
    list_findings(&mut state, &all, effects);
    let list = check(&state).finding_list().unwrap();
    assert_eq!(check(&state).preview.answers.item(&list, 2_010).loaded(), Some(&all[2_010]));

    // A finding that the keyboard selects before it is loaded is shown when it arrives.
    let effects = state.update(select(Selection::Finding(2_999), false), 310.0);
    assert_eq!(asked(&effects), [(2_800, 200)]);
    assert_eq!(check(&state).preview.details.record, RecordState::None);
    let effects = list_findings(&mut state, &all, effects);
    let asked = record_request(&effects).map(|(_, place, _)| place);
    assert_eq!(asked, Some(RecordPlace::Line(3_000)));
}

#[test]
fn a_filter_selects_the_finding_nearest_to_what_was_shown() {
    let all =
        vec![finding(3, Severity::Warning), finding(12, Severity::Error), finding(20, Severity::Warning)];
    let (mut state, ..) = done(all.clone());
    let selection = |state: &State| check(state).preview.selection;
    assert_eq!(selection(&state), Some(Selection::Finding(1)));
    let effects = state.update(PreviewAction::FilterSeverity(Some(Severity::Warning)).into(), 1.0);
    assert_eq!(check(&state).preview.filter.text, "severity:warning");
    assert_eq!(selection(&state), Some(Selection::Line(12)), "the record stays until the answer");
    let (request, of, line, direction) = nearest(&effects).unwrap();
    assert_eq!((of.query.as_str(), of.search, line, direction), ("severity:warning", None, 12, None));
    list_findings(&mut state, &all, effects);
    state.update(answer(request, Answer::NearestFinding(Some(1))), 2.0);
    assert_eq!(selection(&state), Some(Selection::Finding(1)));
    assert_eq!(check(&state).listed_findings(), 2);
    assert_eq!(check(&state).preview.line(), Some(20));

    // An invalid text changes nothing but the text.
    state.update(PreviewAction::Filter("severity:warm".into()).into(), 3.0);
    let filter = &check(&state).preview.filter;
    assert_eq!((filter.text.as_str(), filter.severity()), ("severity:warm", Some(Severity::Warning)));
    assert!(filter.mistake.is_some());
    assert_eq!(selection(&state), Some(Selection::Finding(1)));

    let effects = state.update(PreviewAction::FilterSeverity(None).into(), 4.0);
    list_findings(&mut state, &all, effects);
    assert!(check(&state).preview.filter.is_empty());

    // Also from a line of the other list.
    state.update(select(Selection::Line(4), true), 7.0);
    let effects = state.update(PreviewAction::FilterSeverity(Some(Severity::Warning)).into(), 8.0);
    assert_eq!(selection(&state), Some(Selection::Line(4)));
    assert_eq!(nearest(&effects).map(|(_, _, line, _)| line), Some(4));
}

#[test]
fn the_next_error_of_the_list_is_looked_for_among_what_the_filter_keeps() {
    let all = vec![finding(3, Severity::Error), finding(12, Severity::Error)];
    let (mut state, ..) = done(all);
    let effects = state.update(PreviewAction::GoOn(Direction::Next).into(), 1.0);
    let (request, _, line, direction) = nearest(&effects).unwrap();
    assert_eq!((line, direction), (3, Some(Direction::Next)));
    state.update(answer(request, Answer::NearestFinding(Some(1))), 2.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
    state.update(answer(request, Answer::NearestFinding(Some(0))), 3.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)), "it is not asked any more");
}

#[test]
fn many_findings_of_few_kinds_are_listed_by_groups() {
    let all: Vec<Finding> = (1..=400).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, _, effects) = done(all.clone());
    summarize(&mut state, &effects, vec![group("shape/type", Some("a.*.b")), group("shape/empty", None)]);
    assert!(check(&state).is_grouped());
    let effects = state.update(select_row(0, true), 300.0);
    assert_eq!(check(&state).preview.filter.text, "rule:shape/type path:a.*.b");
    summarize(&mut state, &effects, vec![group("shape/type", Some("a.*.b"))]);
    assert!(!check(&state).is_grouped());
    state.update(views::findings::group(true), 310.0);
    assert!(check(&state).preview.filter.is_empty() && check(&state).is_grouped());
    state.update(views::findings::group(false), 320.0);
    assert!(!check(&state).is_grouped());

    let (mut state, _, effects) = done(all[..6].to_vec());
    let few = |code| FindingGroup { findings: 3, ..group(code, None) };
    summarize(&mut state, &effects, vec![few("shape/type"), few("shape/empty")]);
    assert!(!check(&state).is_grouped(), "there are few of each kind");
}

#[test]
fn the_details_show_the_first_finding_of_the_selected_group() {
    let all: Vec<Finding> = (1..=9).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, _, effects) = done(all);
    let second = FindingGroup { first: 7, ..group("shape/empty", None) };
    summarize(&mut state, &effects, vec![group("shape/type", None), second]);
    state.update(select_row(1, false), 300.0);
    assert!(check(&state).is_grouped());
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(7)));
    assert_eq!(check(&state).preview.focus, Focus::List);
}

/// The row of a record that a search has found on a line.
fn hit(line: u64) -> Row {
    Row { record: line - 1, line, ..Row::default() }
}

/// The answer with the records that were found on these lines.
fn hits(lines: impl IntoIterator<Item = u64>) -> Answer {
    Answer::Records(Rows { rows: lines.into_iter().map(hit).collect(), ..Rows::default() })
}

/// The request for the position of a record among those that were found.
fn position_of(effects: &[Effect]) -> Option<(u32, u64)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Position { record, .. } => Some((request, *record)),
        _ => None,
    })
}

/// The search among effects, and its query.
fn search_of(effects: &[Effect]) -> Option<(u32, String)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Search(query) => Some((request, query.clone())),
        _ => None,
    })
}

/// The worker searches on.
fn advance(request: u32, count: u64) -> Action {
    let advance = Advance { bytes: 40, total_bytes: 100, count, pass: 0 };
    event(Event::Advance { request, advance })
}

#[test]
fn records_are_searched_for_what_the_filter_keeps() {
    let (mut state, _, _) = done(Vec::new());
    let effects = state.update(PreviewAction::Filter("paris".into()).into(), 0.0);
    let (id, query) = search_of(&effects).unwrap();
    assert_eq!(query, "paris");
    let effects = state.update(advance(id, 2), 0.0);
    // The progress of an earlier search is dropped.
    state.update(advance(id - 1, 9), 0.0);
    let search = |state: &State| check(state).preview.search().unwrap();
    assert_eq!(search(&state).status(), "2 records match so far, 40 % searched…");
    let (request, from) = page(&effects, |list| *list == List::Hits(id)).unwrap();
    assert_eq!(from, 0);
    state.update(answer(request, hits([3])), 1.0);
    let found = check(&state).preview.answers.item::<Row>(&List::Hits(id), 0).loaded();
    assert_eq!(found.map(|hit| hit.record), Some(2));
    let effects = state.update(visible("hits", 0..=1), 1.0);
    let (request, from) = page(&effects, |list| *list == List::Hits(id)).unwrap();
    assert_eq!(from, 1, "the first one is there");
    state.update(answer(request, hits([5])), 2.0);
    let effects = state.update(PreviewAction::StopSearch.into(), 3.0);
    assert_eq!(effects.first(), Some(&Effect::Post(Command::Stop { request: id }, None)));
    assert_eq!(search(&state).status(), "Stopped: 2 records match so far, 40 % searched.");
    let effects = state.update(select_row(1, false), 4.0);
    let asked = record_request(&effects).map(|(_, place, _)| place);
    assert_eq!(asked, Some(RecordPlace::Number(4)));
    let effects = state.update(Action::of_view(|state, _| state.search_again()), 4.0);
    assert_eq!(search_of(&effects).map(|(_, query)| query).as_deref(), Some("paris"));
    assert!(search(&state).is_running());
    state.update(PreviewAction::Filter(" ".into()).into(), 5.0);
    assert_eq!(check(&state).preview.search(), None);
}

#[test]
fn the_next_and_the_previous_match_are_gone_to_in_the_list_of_matches() {
    let (mut state, _, _) = done(Vec::new());
    let effects = state.update(PreviewAction::Filter("paris".into()).into(), 0.0);
    let (id, _) = search_of(&effects).unwrap();
    let go_on = |state: &mut State, direction| {
        let effects = state.update(PreviewAction::GoOn(direction).into(), 1.0);
        let asked = page(&effects, |list| *list == List::Hits(id));
        (check(state).preview.record_number(), asked)
    };
    let nothing = check(&state).preview.record_number();
    assert_eq!(go_on(&mut state, Direction::Next), (nothing, None), "nothing was found yet");
    let effects = state.update(answer(id, Answer::Found(1_000)), 2.0);
    let (request, from) = page(&effects, |list| *list == List::Hits(id)).unwrap();
    assert_eq!(from, 0);
    state.update(answer(request, hits(1..=200)), 3.0);
    let (position, record) = position_of(&effects).unwrap();
    state.update(answer(position, Answer::Position(None)), 3.0);
    assert_eq!((record, check(&state).preview.record_number()), (0, Some(0)));
    assert_eq!(go_on(&mut state, Direction::Next), (Some(1), None));
    assert_eq!(go_on(&mut state, Direction::Previous), (Some(0), None));
    assert_eq!(go_on(&mut state, Direction::Previous), (Some(0), None), "it is the first one");

    // Any match can be next, also one that is not loaded.
    state.update(select_row(999, false), 4.0);
    state.update(PreviewAction::ShowDetails.into(), 5.0);
    assert_eq!(go_on(&mut state, Direction::Next).1, None, "it is the last one");
    state.update(PreviewAction::GoOn(Direction::Previous).into(), 6.0);
    assert_eq!(check(&state).preview.focus, Focus::Details);
}

/// Filters the list of records, and finds so many of them. Returns the effects of that.
fn search_for(state: &mut State, text: &'static str, count: u64) -> (u32, Vec<Effect>) {
    state.update(PreviewAction::Show(ViewId::RECORDS).into(), 1.0);
    let effects = state.update(PreviewAction::Filter(text.into()).into(), 2.0);
    let (id, _) = search_of(&effects).unwrap();
    (id, state.update(answer(id, Answer::Found(count)), 3.0))
}

#[test]
fn the_selected_record_stays_if_it_matches_and_else_gives_way_to_the_first_match() {
    let (mut state, ..) = done(vec![finding(12, Severity::Error)]);
    state.update(records::go_to(42), 0.0);
    let selected = |state: &State| check(state).preview.selection;
    let (id, effects) = search_for(&mut state, "paris", 30);
    let (request, record) = position_of(&effects).unwrap();
    assert_eq!(record, 41);
    assert_eq!(selected(&state), Some(Selection::Record { record: 41, line: None }), "until it is known");
    let effects = state.update(answer(request, Answer::Position(Some(7))), 4.0);
    assert_eq!(selected(&state), Some(Selection::Record { record: 41, line: None }));
    assert!(position_of(&effects).is_none() && record_request(&effects).is_none());
    let effects = state.update(PreviewAction::GoOn(Direction::Next).into(), 5.0);
    assert!(page(&effects, |list| *list == List::Hits(id)).is_none(), "that page was asked for");

    let (id, effects) = search_for(&mut state, "rome", 2);
    let (request, _) = position_of(&effects).unwrap();
    let (rows, _) = page(&effects, |list| *list == List::Hits(id)).unwrap();
    state.update(answer(request, Answer::Position(None)), 6.0);
    let effects = state.update(answer(rows, hits([5, 9])), 7.0);
    assert_eq!(selected(&state), Some(Selection::Record { record: 4, line: Some(5) }));
    assert_eq!(record_request(&effects).map(|(_, place, _)| place), Some(RecordPlace::Number(4)));

    // A line that was selected meanwhile is not listed, but a record to which a link leads is shown.
    state.update(PreviewAction::Show(ViewId::LINES).into(), 8.0);
    state.update(lines::go_to(50), 9.0);
    state.update(PreviewAction::Show(ViewId::RECORDS).into(), 10.0);
    assert_eq!(selected(&state), Some(Selection::Record { record: 4, line: Some(5) }));
    let linked = Selection::Record { record: 77, line: None };
    let (request, _) = position_of(&state.update(select(linked, true), 11.0)).unwrap();
    state.update(answer(request, Answer::Position(None)), 12.0);
    assert_eq!(selected(&state), Some(linked));
    state.update(PreviewAction::GoOn(Direction::Next).into(), 13.0);
    assert_eq!(check(&state).preview.record_number(), Some(4), "the first match");

    search_for(&mut state, "nowhere", 0);
    assert_eq!(selected(&state), None, "the details show nothing that is not listed");
    let search = check(&state).preview.search().unwrap();
    assert_eq!(search.status(), "No record matches.");
}

#[test]
fn the_record_of_a_selected_finding_is_looked_for_among_the_matches() {
    let (mut state, ..) = done(vec![finding(3, Severity::Error), finding(12, Severity::Error)]);
    let record = check(&state).preview.record_number();
    let (_, effects) = search_for(&mut state, "paris", 30);
    assert_eq!(position_of(&effects).map(|(_, record)| record), record);
    let is_sought = |effects: &[Effect]| {
        questions(effects).iter().any(|(_, question)| matches!(question, Question::NearestFinding { .. }))
    };
    assert!(!is_sought(&effects), "the matches decide what is selected");
}

#[test]
fn what_a_search_has_found_is_marked_in_the_record() {
    let (mut state, _, effects) = done(Vec::new());
    let searches = |effects: &[Effect]| {
        questions(effects).into_iter().find_map(|(request, question)| match question {
            Question::Record { search, .. } => Some((request, *search)),
            _ => None,
        })
    };
    let record = Record {
        sample_is_fixed: None,
        line: 1,
        findings: Vec::new(),
        source: Source { text: "{}".into(), before: 0, after: 0, marks: Vec::new(), editable: None },
        sample: None,
        loaded: None,
        encodings: Vec::new(),
    };
    let (request, search) = searches(&effects).unwrap();
    assert_eq!(search, None);
    state.update(record_answer(request, Some(record.clone())), 1.0);
    let (id, effects) = search_for(&mut state, "paris", 30);
    let (request, search) = searches(&effects).unwrap();
    assert_eq!(search, Some(id));
    assert!(check(&state).preview.details.record.loaded().is_some(), "it stays until the answer");
    assert_eq!(searches(&state.update(record_answer(request, Some(record)), 4.0)), None);
    let effects = state.update(PreviewAction::Filter("".into()).into(), 5.0);
    assert_eq!(searches(&effects).map(|(_, search)| search), Some(None), "the marks go with the filter");
}

#[test]
fn a_value_that_no_record_has_is_named() {
    let (mut state, ..) = done(Vec::new());
    let (_, effects) = search_for(&mut state, ".score:abc", 0);
    assert!(position_of(&effects).is_none());
    assert_eq!(check(&state).preview.search().unwrap().status(), "No record has such a value of .score.");
}

#[test]
fn findings_of_records_are_listed_when_the_search_has_ended() {
    let all = vec![finding(3, Severity::Error), finding(12, Severity::Error)];
    let (mut state, _, _) = done(all);
    let is_listed = |effects: &[Effect]| page(effects, |list| matches!(list, List::Findings(_))).is_some();
    let effects = state.update(PreviewAction::Filter("role:user".into()).into(), 0.0);
    assert!(check(&state).preview.filter.mistake.is_some(), "no format of this catalogue has the name");
    assert_eq!(search_of(&effects), None);
    let effects = state.update(PreviewAction::Filter("paris rule:shape".into()).into(), 1.0);
    let (id, _) = search_of(&effects).unwrap();
    assert!(!is_listed(&effects));
    let effects = state.update(answer(id, Answer::Found(1)), 2.0);
    let of = questions(&effects).into_iter().find_map(|(_, question)| match question {
        Question::Page { list: List::Findings(of), .. } => Some(of.clone()),
        _ => None,
    });
    assert_eq!(of, Some(FindingQuery { query: "paris rule:shape".into(), search: Some(id) }));

    // A filter about findings only starts a search when records are shown.
    let effects = state.update(PreviewAction::Filter("rule:shape".into()).into(), 3.0);
    assert!(is_listed(&effects) && search_of(&effects).is_none());
    let effects = state.update(PreviewAction::Show(ViewId::RECORDS).into(), 4.0);
    assert!(search_of(&effects).is_some());
}

#[test]
fn reviewing_fixes_shows_their_kinds_and_applies_what_was_chosen() {
    let (mut state, _, _) = done(vec![finding(1, Severity::Error), finding(2, Severity::Warning)]);
    state.update(PreviewAction::Show(ViewId::LINES).into(), 300.0);
    let effects = state.update(fixes::review(), 310.0);
    assert_eq!(check(&state).preview.view, ViewId("fixes"));
    let request = questions(&effects).into_iter().find_map(|(request, question)| match question {
        Question::FixGroups { from: 0, .. } => Some(request),
        _ => None,
    });
    let kind = FixKind { code: "shape/type".to_owned(), path: None, applicability: Applicability::Unsafe };
    let group = FixGroup {
        kind: kind.clone(),
        title: None,
        summary: String::new(),
        findings: 2,
        records: 2,
        examples: Vec::new(),
    };
    state.update(answer(request.unwrap(), Answer::FixGroups(vec![group])), 320.0);
    let selection = |state: &State| fixes::Review::of(check(state)).selection();
    assert_eq!(selection(&state), evalcheck_wire::fix::Selection::default(), "it is not safe");
    state.update(fixes::choose(0), 330.0);
    let chosen = selection(&state);
    let effects = state.update(FixAction::ApplyAll(chosen).into(), 340.0);
    let selection = commands(&effects).into_iter().find_map(|command| match command {
        Command::Fix { change: Change::Fixes(selection), .. } => Some(selection.clone()),
        _ => None,
    });
    assert_eq!(selection.unwrap().choices, [FixChoice { kind, is_applied: true }]);
}

#[test]
fn statistics_of_a_small_file_are_counted_at_once_and_counting_is_stopped() {
    let (mut state, _, at_once) = done(Vec::new());
    let counting = |effects: &[Effect]| {
        questions(effects).into_iter().find_map(|(request, question)| match question {
            Question::Overview => Some(request),
            _ => None,
        })
    };
    // The file is small.
    let first = counting(&at_once).unwrap();
    let effects = state.update(PreviewAction::Show(ViewId("overview")).into(), 1.0);
    assert_eq!(counting(&effects), None);
    state.update(advance(first, 0), 2.0);
    let state_of = |state: &State| {
        let answers = &check(state).preview.answers;
        answers.state(&Question::Overview, |answer| answer.try_as_overview_ref().cloned()).unwrap()
    };
    assert!(matches!(state_of(&state), Remote::Waiting(advance) if percent_of(&advance) == 40));
    let effects = state.update(views::overview::stop_counting(), 3.0);
    assert_eq!(effects.first(), Some(&Effect::Post(Command::Stop { request: first }, None)));
    let overview = Box::new(Overview { records: 7, ..Overview::default() });
    state.update(answer(first, Answer::Overview(overview.clone())), 4.0);
    assert!(matches!(state_of(&state), Remote::Stopped(_)), "it is stale");

    let second = counting(&state.update(views::overview::count_again(), 5.0)).unwrap();
    state.update(answer(second, Answer::Overview(overview.clone())), 6.0);
    assert_eq!(check(&state).overview(), Some(&*overview));
    state.update(records::find("is:invalid".into()), 7.0);
    let preview = &check(&state).preview;
    assert_eq!((preview.view, preview.filter.text.as_str()), (ViewId::RECORDS, "is:invalid"));
}

#[test]
fn the_values_of_the_first_records_are_asked_for_when_the_user_is_in_the_filter() {
    let (mut state, _, at_once) = done(Vec::new());
    let is_asked =
        |effects: &[Effect]| questions(effects).iter().any(|(_, question)| **question == Question::Beginning);
    let in_field = || Action::choose(|completing: &mut Completing| completing.0 = true);
    assert!(!is_asked(&at_once));
    assert!(is_asked(&state.update(in_field(), 1.0)));
    assert!(!is_asked(&state.update(in_field(), 2.0)), "once");
}

#[test]
fn statistics_of_a_large_file_are_counted_when_they_are_looked_at() {
    let (mut state, _, _) = done(Vec::new());
    let check = state.check.as_mut().map(Rc::make_mut).unwrap();
    Rc::make_mut(&mut check.preview.answers).forget(&Question::Overview);
    let dataset = Dataset { size: 1 << 30, ..Dataset::clone(&check.dataset) };
    check.dataset = Rc::new(dataset);
    let is_counted =
        |effects: &[Effect]| questions(effects).iter().any(|(_, question)| **question == Question::Overview);
    assert!(!is_counted(&state.update(PreviewAction::Show(ViewId::RECORDS).into(), 1.0)));
    assert!(is_counted(&state.update(PreviewAction::Show(ViewId("overview")).into(), 2.0)));
}
