//! Tests of the filter, the list of findings, and the search.

use evalcheck_wire::findings::{FindingGroup, FindingQuery, FindingSummary, FixGroup};
use evalcheck_wire::fix::{Change, FixChoice, FixKind};
use evalcheck_wire::overview::Overview;
use evalcheck_wire::report::Applicability;
use evalcheck_wire::view::Hit;

use super::*;

/// The request for the nearest finding among effects: its id, the query, the line and the direction.
fn nearest(effects: &[Effect]) -> Option<(u32, FindingQuery, u64, Option<Direction>)> {
    commands(effects).into_iter().find_map(|command| match command {
        Command::NearestFinding { request, of, line, direction, .. } => {
            Some((*request, of.clone(), *line, *direction))
        }
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
    let request = commands(effects).into_iter().find_map(|command| match command {
        Command::SummarizeFindings { id, request, .. } => Some((*id, *request)),
        _ => None,
    });
    let (id, request) = request.unwrap();
    let summary = FindingSummary { groups, map: Vec::new(), bytes: SIZE };
    state.update(event(Event::FindingSummary { id, request, summary }), 220.0);
}

#[test]
fn findings_are_asked_for_where_they_are_looked_at() {
    let all: Vec<Finding> = (1..=3_000).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, _, effects) = done(all.clone());
    let asked = |effects: &[Effect]| -> Vec<(u64, u32)> {
        let ranges = commands(effects).into_iter().filter_map(|command| match command {
            Command::ListFindings { from, count, .. } => Some((*from, *count)),
            _ => None,
        });
        ranges.collect()
    };
    assert_eq!(asked(&effects), [(0, 200)]);
    let effects = state.update(PreviewAction::FindingsVisible(2_001..=2_020).into(), 300.0);
    assert_eq!(asked(&effects), [(2_000, 200)]);
    list_findings(&mut state, &all, effects);
    assert_eq!(check(&state).preview.findings.get(2_010).loaded(), Some(&all[2_010]));

    // A finding that the keyboard selects before it is loaded is shown when it arrives.
    let effects = state.update(PreviewAction::SelectFinding { number: 2_999, open: false }.into(), 310.0);
    assert_eq!(asked(&effects), [(2_800, 200)]);
    assert_eq!(check(&state).preview.record, RecordState::None);
    let effects = list_findings(&mut state, &all, effects);
    let is_record = |command: &&Command| matches!(command, Command::Record { line: 3_000, .. });
    assert!(commands(&effects).iter().any(is_record), "{effects:?}");
}

#[test]
fn a_filter_selects_the_finding_nearest_to_what_was_shown() {
    let all =
        vec![finding(3, Severity::Warning), finding(12, Severity::Error), finding(20, Severity::Warning)];
    let (mut state, id, _) = done(all.clone());
    let selection = |state: &State| check(state).preview.selection;
    assert_eq!(selection(&state), Some(Selection::Finding(1)));
    let effects = state.update(PreviewAction::FilterSeverity(Some(Severity::Warning)).into(), 1.0);
    assert_eq!(check(&state).preview.filter.text, "severity:warning");
    assert_eq!(selection(&state), Some(Selection::Line(12)), "the record stays until the answer");
    let (request, of, line, direction) = nearest(&effects).unwrap();
    assert_eq!((of.query.as_str(), of.search, line, direction), ("severity:warning", None, 12, None));
    list_findings(&mut state, &all, effects);
    state.update(event(Event::NearestFinding { id, request, number: Some(1) }), 2.0);
    assert_eq!(selection(&state), Some(Selection::Finding(1)));
    assert_eq!(check(&state).preview.findings.len(), 2);
    assert_eq!(check(&state).preview.line(), Some(20));

    // An invalid text changes nothing but the text.
    state.update(PreviewAction::Filter("severity:warm".into()).into(), 3.0);
    let filter = &check(&state).preview.filter;
    assert_eq!((filter.text.as_str(), filter.severity()), ("severity:warm", Some(Severity::Warning)));
    assert!(filter.mistake.is_some());
    assert_eq!(selection(&state), Some(Selection::Finding(1)));

    let effects = state.update(PreviewAction::SelectFirstError.into(), 4.0);
    list_findings(&mut state, &all, effects);
    assert!(check(&state).preview.filter.is_empty(), "a link leads to what was hidden");
    assert_eq!(check(&state).preview.line(), Some(12));

    // Also from a line of the other list.
    state.update(PreviewAction::SelectLine { line: 4, open: true }.into(), 7.0);
    let effects = state.update(PreviewAction::FilterSeverity(Some(Severity::Warning)).into(), 8.0);
    assert_eq!(selection(&state), Some(Selection::Line(4)));
    assert_eq!(nearest(&effects).map(|(_, _, line, _)| line), Some(4));
}

#[test]
fn the_next_error_of_the_list_is_looked_for_among_what_the_filter_keeps() {
    let all = vec![finding(3, Severity::Error), finding(12, Severity::Error)];
    let (mut state, id, _) = done(all);
    let effects = state.update(PreviewAction::GoOn(Direction::Next).into(), 1.0);
    let (request, _, line, direction) = nearest(&effects).unwrap();
    assert_eq!((line, direction), (3, Some(Direction::Next)));
    state.update(event(Event::NearestFinding { id, request, number: Some(1) }), 2.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)));
    state.update(event(Event::NearestFinding { id, request, number: Some(0) }), 3.0);
    assert_eq!(check(&state).preview.selection, Some(Selection::Finding(1)), "it is not asked any more");
}

#[test]
fn many_findings_of_few_kinds_are_listed_by_groups() {
    let all: Vec<Finding> = (1..=400).map(|line| finding(line, Severity::Error)).collect();
    let (mut state, _, effects) = done(all.clone());
    summarize(&mut state, &effects, vec![group("shape/type", Some("a.*.b")), group("shape/empty", None)]);
    assert!(check(&state).preview.is_grouped());
    let open = PreviewAction::OpenGroup { code: "shape/type".into(), path: Some("a.*.b".into()) };
    let effects = state.update(open.into(), 300.0);
    assert_eq!(check(&state).preview.filter.text, "rule:shape/type path:a.*.b");
    summarize(&mut state, &effects, vec![group("shape/type", Some("a.*.b"))]);
    assert!(!check(&state).preview.is_grouped());
    let effects = state.update(PreviewAction::ShowGroups.into(), 310.0);
    summarize(&mut state, &effects, vec![group("shape/type", None), group("shape/empty", None)]);
    assert!(check(&state).preview.filter.is_empty() && check(&state).preview.is_grouped());
    state.update(PreviewAction::ShowSingle.into(), 320.0);
    assert!(!check(&state).preview.is_grouped());

    let (mut state, _, effects) = done(all[..50].to_vec());
    summarize(&mut state, &effects, vec![group("shape/type", None)]);
    assert!(!check(&state).preview.is_grouped(), "there are few");
}

fn hit(line: u64) -> Hit {
    let excerpt =
        Excerpt { text: "Paris".into(), start: 0, end: 5, clipped_before: false, clipped_after: false };
    Hit { line, record: line - 1, path: None, excerpt }
}

/// The search among effects, and its query.
fn search_of(effects: &[Effect]) -> Option<(u32, String)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Post(Command::Search { id, query, .. }, Some(_)) => Some((*id, query.clone())),
        _ => None,
    })
}

#[test]
fn records_are_searched_for_what_the_filter_keeps() {
    let (mut state, _, _) = done(Vec::new());
    let effects = state.update(PreviewAction::Filter("paris".into()).into(), 0.0);
    let (id, query) = search_of(&effects).unwrap();
    assert_eq!(query, "paris");
    let progress = Progress { bytes: 40, total_bytes: 100, ..Progress::default() };
    state.update(event(Event::Hits { id, count: 2, progress, first_hits: vec![hit(3)] }), 0.0);
    // Events of an earlier search are dropped.
    state.update(event(Event::Hits { id: id - 1, count: 9, progress, first_hits: Vec::new() }), 0.0);
    let search = |state: &State| check(state).preview.search.clone().unwrap();
    assert_eq!(search(&state).hits.get(1).loaded().map(|hit| hit.record), Some(hit(3).record));
    assert_eq!(search(&state).status(), "2 records match so far, 40 % searched…");
    let effects = state.update(PreviewAction::HitsVisible(1..=2).into(), 1.0);
    let request = commands(&effects).into_iter().find_map(|command| match command {
        Command::ListHits { id: of, request, from: 1, .. } if *of == id => Some(*request),
        _ => None,
    });
    let answer = Event::HitList { id, request: request.unwrap(), hits: vec![hit(5)] };
    state.update(event(answer), 2.0);
    let effects = state.update(PreviewAction::StopSearch.into(), 3.0);
    assert_eq!(effects.first(), Some(&Effect::Post(Command::StopSearch { id }, None)));
    assert_eq!(search(&state).status(), "Stopped: 2 records match so far, 40 % searched.");
    let effects = state.update(PreviewAction::SelectHit { number: 1, open: false }.into(), 4.0);
    let asked =
        |effect: &Effect| matches!(effect, Effect::Post(Command::RecordOfNumber { record: 4, .. }, None));
    assert!(effects.iter().any(asked), "{effects:?}");
    state.update(PreviewAction::Filter(" ".into()).into(), 5.0);
    assert_eq!(check(&state).preview.search, None);
}

#[test]
fn the_next_and_the_previous_match_are_gone_to_in_the_list_of_matches() {
    let (mut state, _, _) = done(Vec::new());
    let effects = state.update(PreviewAction::Filter("paris".into()).into(), 0.0);
    let (id, _) = search_of(&effects).unwrap();
    let go_on = |state: &mut State, direction| {
        let effects = state.update(PreviewAction::GoOn(direction).into(), 1.0);
        let asked = commands(&effects).into_iter().find_map(|command| match command {
            Command::ListHits { request, from, .. } => Some((*request, *from)),
            _ => None,
        });
        (check(state).preview.search.as_ref().unwrap().selected, asked)
    };
    assert_eq!(go_on(&mut state, Direction::Next), (None, None), "nothing was found yet");
    state.update(event(Event::Searched { id, count: 1_000 }), 2.0);
    let (selected, asked) = go_on(&mut state, Direction::Next);
    let (request, from) = asked.unwrap();
    assert_eq!((selected, from), (Some(0), 0));
    let answer = Event::HitList { id, request, hits: (1..=200).map(hit).collect() };
    state.update(event(answer), 3.0);
    assert_eq!(check(&state).preview.record_number(), Some(0));
    assert_eq!(go_on(&mut state, Direction::Next), (Some(1), None));
    assert_eq!(check(&state).preview.record_number(), Some(1));
    assert_eq!(go_on(&mut state, Direction::Previous), (Some(0), None));
    assert_eq!(go_on(&mut state, Direction::Previous), (Some(0), None), "it is the first one");

    // Any match can be next, including one that is not loaded.
    state.update(PreviewAction::SelectHit { number: 999, open: false }.into(), 4.0);
    state.update(PreviewAction::ShowDetails.into(), 5.0);
    assert_eq!(go_on(&mut state, Direction::Next).0, Some(999), "it is the last one");
    let (selected, _) = go_on(&mut state, Direction::Previous);
    assert_eq!((selected, check(&state).preview.focus), (Some(998), Focus::Details));
}

#[test]
fn findings_of_records_are_listed_when_the_search_has_ended() {
    let all = vec![finding(3, Severity::Error), finding(12, Severity::Error)];
    let (mut state, _, _) = done(all);
    let is_listed = |effects: &[Effect]| {
        commands(effects).into_iter().any(|command| matches!(command, Command::ListFindings { .. }))
    };
    let effects = state.update(PreviewAction::Filter("role:user".into()).into(), 0.0);
    assert!(check(&state).preview.filter.mistake.is_some(), "no format of this catalogue has the name");
    assert_eq!(search_of(&effects), None);
    let effects = state.update(PreviewAction::Filter("paris rule:shape".into()).into(), 1.0);
    let (id, _) = search_of(&effects).unwrap();
    assert!(!is_listed(&effects));
    let effects = state.update(event(Event::Searched { id, count: 1 }), 2.0);
    let of = commands(&effects).into_iter().find_map(|command| match command {
        Command::ListFindings { of, .. } => Some(of.clone()),
        _ => None,
    });
    assert_eq!(of, Some(FindingQuery { query: "paris rule:shape".into(), search: Some(id) }));

    // A filter about findings only starts a search when records are shown.
    let effects = state.update(PreviewAction::Filter("rule:shape".into()).into(), 3.0);
    assert!(is_listed(&effects) && search_of(&effects).is_none());
    let effects = state.update(PreviewAction::ShowList(ListKind::Records).into(), 4.0);
    assert!(search_of(&effects).is_some());
}

#[test]
fn reviewing_fixes_shows_their_kinds_and_applies_what_was_chosen() {
    let (mut state, _, _) = done(vec![finding(1, Severity::Error), finding(2, Severity::Warning)]);
    state.update(PreviewAction::ShowList(ListKind::Lines).into(), 300.0);
    let effects = state.update(PreviewAction::ReviewFixes.into(), 310.0);
    assert_eq!(check(&state).preview.list, ListKind::Fixes);
    let request = commands(&effects).into_iter().find_map(|command| match command {
        Command::ListFixes { request, from: 0, .. } => Some(*request),
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
    let id = check(&state).id;
    let answer = Event::FixGroups { id, request: request.unwrap(), groups: vec![group] };
    state.update(event(answer), 320.0);
    assert!(!check(&state).preview.review.is_applied(0), "it is not safe");
    state.update(PreviewAction::ChooseFixes(0).into(), 330.0);
    let effects = state.update(FixAction::ApplyReviewed.into(), 340.0);
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
        effects.iter().find_map(|effect| match effect {
            Effect::Post(Command::CountOverview { id, .. }, Some(_)) => Some(*id),
            _ => None,
        })
    };
    // The statistics of a small file are counted at once.
    let first = counting(&at_once).unwrap();
    assert_eq!(counting(&state.update(PreviewAction::ShowList(ListKind::Overview).into(), 1.0)), None);
    let progress = Progress { bytes: 40, total_bytes: 100, ..Progress::default() };
    state.update(event(Event::Counting { id: first, progress }), 2.0);
    assert_eq!(check(&state).preview.overview, OverviewState::Counting { id: first, progress });
    let effects = state.update(PreviewAction::StopCounting.into(), 3.0);
    assert_eq!(effects.first(), Some(&Effect::Post(Command::StopCounting { id: first }, None)));
    let overview = Box::new(Overview { records: 7, ..Overview::default() });
    state.update(event(Event::Overview { id: first, overview: overview.clone() }), 4.0);
    assert_eq!(check(&state).preview.overview, OverviewState::Stopped, "it is stale");

    let second = counting(&state.update(PreviewAction::CountOverview.into(), 5.0)).unwrap();
    state.update(event(Event::Overview { id: second, overview: overview.clone() }), 6.0);
    assert_eq!(check(&state).preview.overview, OverviewState::Loaded(Rc::from(overview)));
    state.update(PreviewAction::FindRecords("is:invalid".into()).into(), 7.0);
    let preview = &check(&state).preview;
    assert_eq!((preview.list, preview.filter.text.as_str()), (ListKind::Records, "is:invalid"));
}

#[test]
fn statistics_of_a_large_file_are_counted_when_they_are_looked_at() {
    let (mut state, _, _) = done(Vec::new());
    let check = state.check.as_mut().map(Rc::make_mut).unwrap();
    check.preview.overview = OverviewState::None;
    let dataset = Dataset { size: 1 << 30, ..Dataset::clone(&check.dataset) };
    check.dataset = Rc::new(dataset);
    let is_counted = |effects: &[Effect]| {
        effects.iter().any(|effect| matches!(effect, Effect::Post(Command::CountOverview { .. }, _)))
    };
    assert!(!is_counted(&state.update(PreviewAction::ShowList(ListKind::Records).into(), 1.0)));
    assert!(is_counted(&state.update(PreviewAction::ShowList(ListKind::Overview).into(), 2.0)));
}
