//! The texts of the shown record as Markdown.

use std::rc::Rc;

use evalcheck_report::view::{Part, Record, TextMark};
use evalcheck_wire::markdown::{Packed, Rendered, SourceText};
use evalcheck_wire::question::Question;
use yew::AttrValue;

use crate::display::fold::fold_turn;
use crate::display::markdown::has_markdown;

/// The display mode of texts that look like Markdown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TextMode {
    /// As source.
    #[default]
    Source,
    /// Rendered.
    Rendered,
}

impl TextMode {
    /// The other mode.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Source => Self::Rendered,
            Self::Rendered => Self::Source,
        }
    }
}

/// The texts of a record that look like Markdown, and their renderings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Markdown {
    texts: Vec<Place>,
    /// The state of the request for them.
    pub(crate) state: MarkdownState,
}

/// The place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    turn: usize,
    part: usize,
}

/// The state of the request for rendered texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum MarkdownState {
    /// Not requested.
    #[default]
    None,
    /// The question that was asked, without an answer.
    Requested(Rc<Question>),
    /// The renderings of the texts.
    Rendered(Rc<Vec<Rendered>>),
    /// They cannot be rendered; the reason.
    Failed(AttrValue),
}

/// The display of a text while texts are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShownText<'a> {
    /// As source.
    Source,
    /// Rendered.
    Rendered(&'a Rendered),
}

impl Markdown {
    /// The texts of a record.
    pub(crate) fn of(record: &Record) -> Self {
        let turns = record.sample.iter().flat_map(|sample| &sample.turns);
        let places = turns.enumerate().flat_map(|(turn, shown)| {
            shown.parts.iter().enumerate().filter_map(move |(part, shown)| {
                has_markdown(text_of(shown)?.0).then_some(Place { turn, part })
            })
        });
        Self { texts: places.collect(), state: MarkdownState::None }
    }

    /// Returns true if no text of the record looks like Markdown.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns true while the texts have to be requested.
    pub(super) fn is_needed(&self) -> bool {
        self.state == MarkdownState::None && !self.is_empty()
    }

    /// The question that has no answer yet.
    pub(super) fn question(&self) -> Option<&Rc<Question>> {
        match &self.state {
            MarkdownState::Requested(question) => Some(question),
            MarkdownState::None | MarkdownState::Rendered(_) | MarkdownState::Failed(_) => None,
        }
    }

    /// Requests the texts of the record.
    pub(super) fn request(&mut self, record: &Record) {
        let turns = record.sample.as_ref().map_or(&[][..], |sample| &sample.turns);
        let source = |place: &Place| {
            let parts = &turns.get(place.turn)?.parts;
            let (text, marks) = text_of(parts.get(place.part)?)?;
            let fold = fold_turn(parts).and_then(|ends| *ends.get(place.part)?);
            let fold = fold.filter(|end| *end < text.len());
            Some(SourceText { text: text.to_owned(), fold, marks: marks.to_vec() })
        };
        let sources: Vec<SourceText> = self.texts.iter().filter_map(source).collect();
        self.state = MarkdownState::Requested(Rc::new(Question::Markdown(Packed::new(&sources))));
    }

    /// Stores the answer to the question.
    pub(super) fn store(&mut self, rendered: Option<Vec<Rendered>>) {
        self.state = match rendered {
            Some(rendered) => MarkdownState::Rendered(Rc::new(rendered)),
            None => MarkdownState::Failed("Markdown could not be rendered.".into()),
        };
    }

    /// The display of a text, by the indices of its turn and its part.
    pub(crate) fn shown(&self, turn: usize, part: usize) -> ShownText<'_> {
        let index = self.texts.iter().position(|place| (place.turn, place.part) == (turn, part));
        match (&self.state, index) {
            (MarkdownState::Rendered(rendered), Some(index)) => {
                rendered.get(index).map_or(ShownText::Source, ShownText::Rendered)
            }
            _ => ShownText::Source,
        }
    }
}

/// The text of a part, and its marks.
fn text_of(part: &Part) -> Option<(&str, &[TextMark])> {
    match part {
        Part::Text { text, marks, .. } | Part::Reasoning { text, marks, .. } => Some((text, marks)),
        _ => None,
    }
}
