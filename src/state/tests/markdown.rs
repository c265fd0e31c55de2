//! Tests of texts that are rendered as Markdown.

use evalcheck_report::view::{TextMark, TextMarkKind};
use evalcheck_wire::markdown::{Block, Document, Inline, Packed, Rendered, SourceText};

use super::*;

/// A record on a line, with one turn with these texts; the last text has a mark.
fn record(line: u64, texts: &[&str]) -> Record {
    let mut parts: Vec<Part> = texts
        .iter()
        .map(|text| Part::Text { text: (*text).into(), clipped: false, marks: Vec::new() })
        .collect();
    if let Some(Part::Text { marks, .. }) = parts.last_mut() {
        marks.push(TextMark { start: 0, end: 1, kind: TextMarkKind::Answer });
    }
    let turn = Turn { role: "user".into(), path: "input.messages.0".into(), parts, ..Turn::default() };
    Record {
        line,
        findings: Vec::new(),
        source: Source { text: "{}".into(), before: 0, after: 0, marks: Vec::new(), editable: None },
        sample: Some(Sample { turns: vec![turn], ..Sample::default() }),
        sample_is_fixed: None,
        loaded: None,
        encodings: Vec::new(),
    }
}

/// Shows this record; returns the effects.
fn show(state: &mut State, record: Record) -> Vec<Effect> {
    let effects = state.update(select(Selection::Line(record.line), true), 300.0);
    let (request, ..) = record_request(&effects).unwrap();
    state.update(record_answer(request, Some(record)), 301.0)
}

/// The request for texts among effects.
fn requested(effects: &[Effect]) -> Option<(u32, Vec<SourceText>)> {
    questions(effects).into_iter().find_map(|(request, question)| match question {
        Question::Markdown(texts) => Some((request, texts.read().unwrap())),
        _ => None,
    })
}

fn rendered(text: &str) -> Rendered {
    let blocks = vec![Block::Paragraph(vec![Inline::Text(text.into())])];
    Rendered { whole: Document { blocks, rest: String::new() }, folded: None }
}

#[test]
fn texts_are_requested_when_the_user_first_asks_for_them() {
    let (mut state, ..) = done(Vec::new());
    let long = "- item\n".repeat(20);
    let effects = show(&mut state, record(50, &["**a**", "plain", &long, "**marked**"]));
    assert_eq!(requested(&effects), None);
    assert!(check(&state).preview.has_rendered_switch());

    let effects = state.update(Action::SetTextMode(TextMode::Rendered), 302.0);
    assert!(effects.contains(&Effect::StoreTextMode(TextMode::Rendered)));
    let (request, texts) = requested(&effects).unwrap();
    let source = |text: &str, fold| SourceText { text: text.into(), fold, marks: Vec::new() };
    let marks = vec![TextMark { start: 0, end: 1, kind: TextMarkKind::Answer }];
    let marked = SourceText { marks, ..source("**marked**", Some(0)) };
    assert_eq!(texts, [source("**a**", None), source(&long, Some(12 * 7 - 1 - 14)), marked]);
    assert_eq!(requested(&state.update(Action::SetTextMode(TextMode::Rendered), 303.0)), None, "once");

    let answers = Packed::new(&vec![rendered("a"), rendered("items"), rendered("marked")]);
    state.update(answer(request, Answer::Markdown(answers)), 304.0);
    let markdown = &check(&state).preview.details.markdown;
    assert_eq!(markdown.shown(0, 0), ShownText::Rendered(&rendered("a")));
    assert_eq!(markdown.shown(0, 1), ShownText::Source);
    assert_eq!(markdown.shown(0, 2), ShownText::Rendered(&rendered("items")));
    assert_eq!(markdown.shown(0, 3), ShownText::Rendered(&rendered("marked")));
    assert_eq!(markdown.shown(1, 0), ShownText::Source);
}

#[test]
fn the_next_record_is_rendered_too_and_older_answers_are_dropped() {
    let (mut state, ..) = done(Vec::new());
    state.update(Action::SetTextMode(TextMode::Rendered), 1.0);
    let (old, _) = requested(&show(&mut state, record(50, &["**a**", ""]))).unwrap();
    let (request, _) = requested(&show(&mut state, record(51, &["**b**", ""]))).unwrap();
    let rendering = |request, text| answer(request, Answer::Markdown(Packed::new(&vec![rendered(text)])));
    state.update(rendering(old, "a"), 2.0);
    assert!(matches!(check(&state).preview.details.markdown.state, MarkdownState::Requested(_)));
    state.update(rendering(request, "b"), 3.0);
    assert_eq!(check(&state).preview.details.markdown.shown(0, 0), ShownText::Rendered(&rendered("b")));
}

#[test]
fn a_record_without_markdown_has_no_switch_and_no_request() {
    let (mut state, ..) = done(Vec::new());
    state.update(Action::SetTextMode(TextMode::Rendered), 1.0);
    assert_eq!(requested(&show(&mut state, record(50, &["plain", "text"]))), None);
    assert!(!check(&state).preview.has_rendered_switch());
}

#[test]
fn what_failed_is_tried_again_when_the_user_asks_again() {
    let (mut state, ..) = done(Vec::new());
    state.update(Action::SetTextMode(TextMode::Rendered), 1.0);
    let (request, _) = requested(&show(&mut state, record(50, &["**a**", ""]))).unwrap();
    let result = Err("no network".to_owned());
    state.update(event(Event::Answer { request, result }), 2.0);
    assert_eq!(check(&state).preview.details.markdown.state, MarkdownState::Failed("no network".into()));
    assert_eq!(requested(&state.update(Action::SetTextMode(TextMode::Source), 3.0)), None);
    assert!(requested(&state.update(Action::SetTextMode(TextMode::Rendered), 4.0)).is_some());
}
