//! Tests of the table of questions.

use super::super::answers::{Answers, Lacking};
use super::*;

fn line(number: u64) -> Line {
    Line {
        number,
        byte_start: 0,
        bytes: 0,
        excerpt: Excerpt {
            text: number.to_string(),
            start: 0,
            end: 0,
            clipped_before: false,
            clipped_after: false,
        },
        shared: 0,
        severity: None,
        blank: false,
    }
}

/// The answer with `count` lines from a number on, of a file that has `total`.
fn lines(total: u64, first: u64, count: u64) -> Answer {
    Answer::Lines(Lines { total, lines: (first..first + count).map(line).collect() })
}

/// Lines that are shown of a file that has so many.
fn shown(rows: std::ops::RangeInclusive<u64>, total: u64) -> [Wanted; 1] {
    [Wanted::Rows { list: List::Lines, rows, total }]
}

/// Asks for what is lacking, with numbers from `request` on. Returns the first row and the number of rows of each question.
fn ask(answers: &mut Answers, wanted: &[Wanted], request: RequestId) -> Vec<(u64, u32)> {
    let lacking = answers.lacking(wanted);
    for (number, lacking) in (request..).zip(&lacking) {
        answers.ask(lacking, number, wanted);
    }
    let range = |Lacking { question, .. }: &Lacking| match **question {
        Question::Page { from, count, .. } => (from, count),
        ref other => panic!("{other:?}"),
    };
    lacking.iter().map(range).collect()
}

fn number(answers: &Answers, row: u64) -> Option<u64> {
    answers.item::<Line>(&List::Lines, row).loaded().map(|line| line.number)
}

#[test]
fn a_page_is_requested_once_and_then_found() {
    let mut answers = Answers::default();
    assert_eq!(ask(&mut answers, &shown(9..=49, 1_000), 1), [(0, 200)]);
    assert_eq!(ask(&mut answers, &shown(9..=49, 1_000), 2), []);
    assert_eq!(answers.item::<Line>(&List::Lines, 9), Lookup::Loading);
    assert!(answers.is_waiting() && answers.answer(7, Ok(lines(1_000, 1, 1))).is_none(), "a stale answer");
    answers.answer(1, Ok(lines(1_000, 1, 200)));
    assert_eq!((number(&answers, 9), answers.is_waiting()), (Some(10), false));
    assert!(answers.answer(1, Ok(lines(1_000, 1, 1))).is_none(), "it has its answer");
}

#[test]
fn the_rest_of_an_answer_is_requested_when_it_is_shown_until_there_is_no_more() {
    let mut answers = Answers::default();
    ask(&mut answers, &shown(0..=29, 1_000), 1);
    answers.answer(1, Ok(lines(1_000, 1, 60)));
    assert_eq!(ask(&mut answers, &shown(29..=59, 1_000), 2), []);
    assert_eq!(ask(&mut answers, &shown(30..=60, 1_000), 2), [(60, 140)]);
    assert_eq!(answers.item::<Line>(&List::Lines, 60), Lookup::Loading);
    answers.answer(2, Ok(lines(1_000, 61, 0)));
    assert_eq!(ask(&mut answers, &shown(30..=60, 1_000), 3), []);
    assert_eq!((number(&answers, 59), answers.item::<Line>(&List::Lines, 60)), (Some(60), Lookup::Failed));
}

#[test]
fn a_drag_over_a_long_list_requests_only_where_it_stops() {
    let mut answers = Answers::default();
    let requested = |answers: &mut Answers, at: u32| {
        let first = u64::from(at) * 100_000;
        ask(answers, &shown(first..=first + 40, 100_000_000), at)
    };
    let all: Vec<_> = (1..1_000).flat_map(|at| requested(&mut answers, at)).collect();
    assert_eq!(all.len(), 2);
    answers.answer(1, Ok(lines(0, 1, 0)));
    assert_eq!(requested(&mut answers, 900), [(90_000_000, 200)]);
}

#[test]
fn the_table_is_bounded_and_keeps_what_is_shown() {
    let mut answers = Answers::default();
    let both = |at: u64| {
        let [context] = shown(0..=4, 1_000_000);
        let [list] = shown(at * 200..=at * 200 + 40, 1_000_000);
        [context, list]
    };
    let mut request = 0;
    for at in 0..100 {
        request += 10;
        for (number, (from, _)) in (request..).zip(ask(&mut answers, &both(at), request)) {
            answers.answer(number, Ok(lines(1_000_000, from + 1, 200)));
        }
    }
    assert_eq!((number(&answers, 2), number(&answers, 99 * 200)), (Some(3), Some(99 * 200 + 1)));
    assert_eq!(number(&answers, 20 * 200), None, "it gave way to later ones");
}

#[test]
fn a_comparison_fails_with_its_worker_although_it_was_answered() {
    let mut answers = Answers::default();
    let comparison = Question::Comparison { is_other_newer: true };
    let wanted = [Wanted::from(comparison.clone()), Wanted::from(Question::Overview)];
    for (request, lacking) in (1..).zip(answers.lacking(&wanted)) {
        answers.ask(&lacking, request, &wanted);
        answers.answer(request, Ok(Answer::Found(3)));
    }
    answers.close(&"gone".into());
    assert!(matches!(answers.state(&comparison, |_| Some(())), Some(Remote::Failed(why)) if why == "gone"));
    assert!(matches!(answers.state(&Question::Overview, |_| Some(())), Some(Remote::Loaded(()))));
}

#[test]
fn all_questions_fail_when_the_worker_is_gone() {
    let mut answers = Answers::default();
    ask(&mut answers, &shown(0..=9, 300), 1);
    answers.answer(1, Ok(lines(300, 1, 200)));
    ask(&mut answers, &shown(200..=250, 300), 2);
    answers.close(&"gone".into());
    assert!(!answers.is_waiting() && !answers.is_open());
    assert_eq!((number(&answers, 5), answers.item::<Line>(&List::Lines, 210)), (Some(6), Lookup::Failed));
    let unasked = Question::Overview;
    assert!(matches!(answers.state(&unasked, |_| Some(())), Some(Remote::Failed(why)) if why == "gone"));
    assert_eq!(answers.take(&unasked), Some(Err("gone".into())));
}

#[test]
fn only_a_question_that_takes_long_is_stopped_when_it_is_not_wanted_any_more() {
    let mut answers = Answers::default();
    let wanted = [Wanted::from(Question::Overview), Wanted::from(Question::FixGroups { from: 0, count: 20 })];
    for (request, lacking) in (1..).zip(answers.lacking(&wanted)) {
        answers.ask(&lacking, request, &wanted);
    }
    assert_eq!((answers.unwanted(&wanted), answers.unwanted(&[])), (vec![], vec![1]));
    assert_eq!(answers.stop(&Question::Overview), Some(1));
    assert!(answers.answer(1, Ok(Answer::Found(3))).is_none(), "the user stopped it");
    assert!(answers.lacking(&wanted).is_empty(), "and it is not asked again");
    answers.forget(&Question::Overview);
    assert_eq!(answers.lacking(&wanted).len(), 1);
}
