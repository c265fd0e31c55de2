//! The cells of a list of records.

use std::borrow::Cow;

use evalcheck_formats::columns::{Column, ColumnKind, Columns, Place};
use evalcheck_report::selector::Step;
use evalcheck_report::view::Excerpt;

use crate::diagnose::select::{at_path, scalar, steps};
use crate::diagnose::{Kind, Value};
use crate::search::{InRecord, JOINERS};

/// The maximum number of characters of a cell.
const MOST: usize = 200;

/// The number of bytes of a record from which its text is made: white space takes some of them.
const TEXT_BYTES: usize = 2 << 10;

/// Reads the cells of records.
#[derive(Debug)]
pub(super) struct CellReader {
    id: Vec<Source>,
    question: Vec<Source>,
    answer: Vec<Source>,
    others: Vec<(ColumnKind, Vec<Source>)>,
}

/// The cells of a record.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) id: Option<Excerpt>,
    pub(super) question: Option<Excerpt>,
    pub(super) answer: Option<Excerpt>,
    pub(super) columns: Vec<Option<Excerpt>>,
    /// Whether any cell says more than a number of values.
    pub(super) has_any: bool,
}

/// A [`Place`], prepared for use.
#[derive(Debug)]
struct Source {
    elements: Vec<Step>,
    only: Option<(&'static str, &'static str)>,
    paths: Vec<Vec<Step>>,
}

/// The scalars of an element, each with its separator from the one before.
type Texts<'v> = Vec<(&'static str, Cow<'v, str>)>;

impl CellReader {
    pub(super) fn new(columns: &Columns) -> Self {
        let sources = |places: &[Place]| places.iter().map(Source::new).collect();
        let other = |column: &Column| (column.kind, sources(column.places));
        Self {
            id: sources(columns.id),
            question: sources(columns.question),
            answer: sources(columns.answer),
            others: columns.others.iter().map(other).collect(),
        }
    }

    /// The cells of a record that cannot be read.
    pub(super) fn none(&self) -> Cells {
        Cells { columns: vec![None; self.others.len()], ..Cells::default() }
    }

    /// The cells of a record. A text is shown around what a search finds in it.
    pub(super) fn read(&self, root: &Value<'_>, found: Option<&InRecord<'_>>) -> Cells {
        let around = |texts: &Texts<'_>| found?.excerpt(&characters(texts).collect::<String>());
        let beginning = |texts: Texts<'_>| around(&texts).or_else(|| beginning_of(&texts));
        let question = by_element(&self.question, root, |texts| texts.into_iter().next());
        let answer = by_element(&self.answer, root, |texts| texts.into_iter().next_back());
        let mut cells = Cells {
            id: all(&self.id, root).and_then(beginning),
            question: question.and_then(beginning),
            answer: answer.and_then(|texts| around(&texts).or_else(|| end_of(&texts))),
            ..Cells::default()
        };
        cells.has_any = cells.id.is_some() || cells.question.is_some() || cells.answer.is_some();
        for (kind, sources) in &self.others {
            let cell = match kind {
                ColumnKind::Text => all(sources, root).and_then(beginning),
                ColumnKind::Number | ColumnKind::Boolean => {
                    all(sources, root).and_then(|texts| beginning_of(texts.get(..1)?))
                }
                ColumnKind::Count => count(sources, root).and_then(|number| cell(number.to_string().chars())),
            };
            cells.has_any |= cell.is_some() && *kind != ColumnKind::Count;
            cells.columns.push(cell);
        }
        cells
    }
}

impl Source {
    fn new(place: &Place) -> Self {
        Self {
            elements: steps(place.elements),
            only: place.only,
            paths: place.paths.iter().map(|path| steps(path)).collect(),
        }
    }

    /// The elements.
    fn elements<'v, 'a>(&self, root: &'v Value<'a>) -> Vec<&'v Value<'a>> {
        let mut found = Vec::new();
        at_path(root, &self.elements, "", &mut |element, _| {
            let is_meant = self.only.is_none_or(|(key, wanted)| {
                element.get(key).and_then(scalar).is_some_and(|text| text == wanted)
            });
            if is_meant {
                found.push(element);
            }
            None::<()>
        });
        found
    }

    /// The values at the paths in an element.
    fn each<'v, 'a>(&self, element: &'v Value<'a>, mut each: impl FnMut(&[Step], &'v Value<'a>)) {
        for path in &self.paths {
            at_path(element, path, "", &mut |value, _| {
                each(path, value);
                None::<()>
            });
        }
    }

    /// The texts of each element that has any.
    fn texts<'v>(&self, root: &'v Value<'_>) -> Vec<Texts<'v>> {
        let of_element = |element: &'v Value<'_>| {
            let mut texts = Texts::new();
            self.each(element, |path, value| {
                let text = scalar(value).filter(|text| value.kind != Kind::Null && !text.trim().is_empty());
                let separator = if path.last() == Some(&Step::Any) { ", " } else { " " };
                texts.extend(text.map(|text| (separator, text)));
            });
            texts
        };
        let elements = self.elements(root);
        elements.into_iter().map(of_element).filter(|texts| !texts.is_empty()).collect()
    }
}

/// The texts of one of the elements at the first place that has any.
fn by_element<'v>(
    sources: &[Source],
    root: &'v Value<'_>,
    choose: impl Fn(Vec<Texts<'v>>) -> Option<Texts<'v>>,
) -> Option<Texts<'v>> {
    sources.iter().find_map(|source| choose(source.texts(root)))
}

/// All texts at the first place that has any, separated by commas.
fn all<'v>(sources: &[Source], root: &'v Value<'_>) -> Option<Texts<'v>> {
    sources.iter().find_map(|source| {
        let texts: Texts<'v> =
            source.texts(root).into_iter().flatten().map(|(_, text)| (", ", text)).collect();
        (!texts.is_empty()).then_some(texts)
    })
}

/// The number of values at the first place that has any; `None` for a record that can have none.
fn count(sources: &[Source], root: &Value<'_>) -> Option<usize> {
    let can_have = matches!(root.kind, Kind::Object(_) | Kind::Array(_));
    can_have.then(|| {
        let number = |source: &Source| {
            let mut number = 0;
            for element in source.elements(root) {
                source.each(element, |_, value| number += usize::from(value.kind != Kind::Null));
            }
            number
        };
        sources.iter().map(number).find(|number| *number > 0).unwrap_or(0)
    })
}

/// The characters of texts and of the separators between them.
fn characters<'t>(texts: &'t [(&'static str, Cow<'_, str>)]) -> impl DoubleEndedIterator<Item = char> + 't {
    texts.iter().enumerate().flat_map(|(index, (separator, text))| {
        let separator = if index == 0 { "" } else { separator };
        separator.chars().chain(text.chars())
    })
}

/// The beginning of texts; `None` if they are blank.
fn beginning_of(texts: &[(&'static str, Cow<'_, str>)]) -> Option<Excerpt> {
    cell(characters(texts))
}

/// The end of texts; `None` if they are blank.
fn end_of(texts: &Texts<'_>) -> Option<Excerpt> {
    let Excerpt { text, clipped_after, .. } = cell(characters(texts).rev())?;
    let text = text.chars().rev().collect();
    Some(Excerpt { text, start: 0, end: 0, clipped_before: clipped_after, clipped_after: false })
}

/// The beginning of a record as it is in the file.
pub(super) fn text_of(bytes: &[u8], is_whole: bool) -> Option<Excerpt> {
    let head = super::text::clip_utf8(bytes, TEXT_BYTES);
    let mut cell = cell(String::from_utf8_lossy(head).chars())?;
    cell.clipped_after |= !is_whole || head.len() < bytes.len();
    Some(cell)
}

/// The first of these characters, with single spaces for white space.
fn cell(characters: impl Iterator<Item = char>) -> Option<Excerpt> {
    let (mut text, mut length, mut is_spaced) = (String::new(), 0, false);
    let of = |text, clipped_after| Excerpt { text, start: 0, end: 0, clipped_before: false, clipped_after };
    for character in characters {
        if character.is_whitespace() {
            is_spaced = length > 0;
            continue;
        }
        if length + usize::from(is_spaced) >= MOST {
            // A joiner at the cut would be shown as a hidden character.
            text.truncate(text.trim_end_matches(JOINERS).len());
            return Some(of(text, true));
        }
        if std::mem::take(&mut is_spaced) {
            text.push(' ');
            length += 1;
        }
        text.push(character);
        length += 1;
    }
    (length > 0).then(|| of(text, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value<'_> {
        crate::diagnose::parse(text.as_bytes()).unwrap().value
    }

    fn texts<'v>(texts: &[&'v str]) -> Texts<'v> {
        texts.iter().map(|text| (" ", Cow::Borrowed(*text))).collect()
    }

    fn shown(cell: Option<Excerpt>) -> (String, bool) {
        cell.map(|cell| (cell.text, cell.clipped_before || cell.clipped_after)).unwrap_or_default()
    }

    #[test]
    fn cells_have_the_first_or_the_last_characters() {
        let long = format!("a{}z", "é".repeat(MOST));
        let first = shown(beginning_of(&texts(&[&long])));
        assert_eq!(first, (format!("a{}", "é".repeat(MOST - 1)), true));
        assert_eq!(shown(end_of(&texts(&[&long]))), (format!("{}z", "é".repeat(MOST - 1)), true));
        let whole = "é".repeat(MOST);
        assert_eq!(shown(beginning_of(&texts(&[&whole]))), (whole.clone(), false));
        assert_eq!(shown(end_of(&texts(&["  ", &whole, "\n"]))), (whole, false));
    }

    #[test]
    fn no_cell_begins_or_ends_with_a_joiner_at_the_cut() {
        let family = "👩\u{200d}👧".repeat(MOST);
        for cell in [beginning_of(&texts(&[&family])), end_of(&texts(&[&family]))] {
            let (text, is_clipped) = shown(cell);
            assert!(is_clipped && !text.starts_with(JOINERS) && !text.ends_with(JOINERS), "{text}");
        }
        let hidden = shown(beginning_of(&texts(&["a\u{200d}"])));
        assert_eq!(hidden, ("a\u{200d}".to_owned(), false), "it is in the text");
    }

    #[test]
    fn white_space_is_a_single_space() {
        let spaced = texts(&["\n one\t\r\n two", "\u{3000}", "three "]);
        for cell in [beginning_of(&spaced), end_of(&spaced)] {
            assert_eq!(shown(cell), ("one two three".to_owned(), false));
        }
        assert_eq!(beginning_of(&texts(&[" ", ""])), None);
        assert_eq!(shown(text_of("\n\tä\u{fffd} ".as_bytes(), true)), ("ä\u{fffd}".to_owned(), false));
        assert_eq!(shown(text_of(b"{\xff", false)), ("{\u{fffd}".to_owned(), true));
    }

    #[test]
    fn text_from_right_to_left_keeps_its_order() {
        let text = "مرحبا بالعالم 123 שלום";
        assert_eq!(shown(beginning_of(&texts(&[text]))), (text.to_owned(), false));
        let long = [text; 40].join(" ");
        let end = shown(end_of(&texts(&[&long])));
        assert!(end.1 && long.ends_with(&end.0));
        let beginning = shown(beginning_of(&texts(&[&long])));
        assert!(beginning.1 && long.starts_with(&beginning.0));
    }

    #[test]
    fn the_first_place_with_a_value_counts() {
        static COLUMNS: Columns = Columns {
            id: &[Place::at(&["a"]), Place::at(&["b.*"])],
            question: &[Place::of("m.*", "r", "u", &["c", "c.*.t"]), Place::at(&["q"])],
            answer: &[Place::each("o.*", &[""])],
            others: &[
                Column { name: "n", heading: "N", kind: ColumnKind::Count, places: &[Place::at(&["m.*"])] },
                Column {
                    name: "s",
                    heading: "S",
                    kind: ColumnKind::Number,
                    places: &[Place::at(&["s", "b.*"])],
                },
                Column { name: "k", heading: "K", kind: ColumnKind::Boolean, places: &[Place::at(&["k"])] },
            ],
        };
        let reader = CellReader::new(&COLUMNS);
        let read = |text: &str| {
            let cells = reader.read(&value(text), None);
            let others = cells.columns.into_iter().map(|cell| shown(cell).0).collect::<Vec<_>>().join("|");
            let text = |cell| shown(cell).0;
            format!(
                "{}|{}|{}|{others}|{}",
                text(cells.id),
                text(cells.question),
                text(cells.answer),
                cells.has_any
            )
        };
        assert_eq!(
            read(
                r#"{"a":null,"b":[1,"x"],"m":[{"r":"s","c":"no"},{"r":"u","c":[{"t":"a"},{"i":1},{"t":"b"}]}],"k":false}"#
            ),
            "1, x|a b||2|1|false|true"
        );
        assert_eq!(
            read(r#"{"m":[{"r":"u","c":" "}],"q":"?","o":["1",{},"2"],"s":0.50}"#),
            "|?|2|1|0.50||true"
        );
        assert_eq!(read(r#"{"z":1}"#), "|||0|||false");
        assert_eq!(read("7"), "||||||false");
        assert_eq!(read(r#"{"q":"old","q":"new"}"#), "|new||0|||true");
    }
}
