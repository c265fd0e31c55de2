//! The cells of a list of records.

use std::borrow::Cow;

use evalcheck_formats::columns::{Column, ColumnKind, Columns, Place};
use evalcheck_report::view::Cell;
use evalcheck_wire::query::Step;

use crate::diagnose::{Kind, Value};
use crate::walk::{at_path, scalar, steps};

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
    pub(super) id: Option<Cell>,
    pub(super) question: Option<Cell>,
    pub(super) answer: Option<Cell>,
    pub(super) columns: Vec<Option<Cell>>,
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

    pub(super) fn read(&self, root: &Value<'_>) -> Cells {
        let id = all(&self.id, root);
        let question = by_element(&self.question, root, |texts| texts.into_iter().next());
        let answer = by_element(&self.answer, root, |texts| texts.into_iter().next_back());
        let mut cells = Cells {
            id: beginning_of(id.iter().flatten()),
            question: question.and_then(|texts| beginning_of(&texts)),
            answer: answer.and_then(|texts| end_of(&texts)),
            ..Cells::default()
        };
        cells.has_any = cells.id.is_some() || cells.question.is_some() || cells.answer.is_some();
        for (kind, sources) in &self.others {
            let cell = match kind {
                ColumnKind::Text => beginning_of(all(sources, root).iter().flatten()),
                ColumnKind::Number | ColumnKind::Boolean => {
                    beginning_of(all(sources, root).iter().flatten().take(1))
                }
                ColumnKind::Count => {
                    count(sources, root).map(|number| Cell { text: number.to_string(), clipped: false })
                }
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

/// The beginning of texts; `None` if they are blank.
fn beginning_of<'t, 'v: 't>(
    texts: impl IntoIterator<Item = &'t (&'static str, Cow<'v, str>)>,
) -> Option<Cell> {
    let characters = texts.into_iter().enumerate().flat_map(|(index, (separator, text))| {
        let separator = if index == 0 { "" } else { separator };
        separator.chars().chain(text.chars())
    });
    cell(characters)
}

/// The end of texts; `None` if they are blank.
fn end_of(texts: &Texts<'_>) -> Option<Cell> {
    let characters = texts.iter().enumerate().rev().flat_map(|(index, (separator, text))| {
        let separator = if index == 0 { "" } else { separator };
        text.chars().rev().chain(separator.chars().rev())
    });
    let Cell { text, clipped } = cell(characters)?;
    Some(Cell { text: text.chars().rev().collect(), clipped })
}

/// The beginning of a record as it is in the file.
pub(super) fn text_of(bytes: &[u8], is_whole: bool) -> Option<Cell> {
    let head = super::text::clip_utf8(bytes, TEXT_BYTES);
    let Cell { text, clipped } = cell(String::from_utf8_lossy(head).chars())?;
    Some(Cell { text, clipped: clipped || !is_whole || head.len() < bytes.len() })
}

/// The first of these characters, with single spaces for white space.
fn cell(characters: impl Iterator<Item = char>) -> Option<Cell> {
    let (mut text, mut length, mut is_spaced) = (String::new(), 0, false);
    for character in characters {
        if character.is_whitespace() {
            is_spaced = length > 0;
            continue;
        }
        if length + usize::from(is_spaced) >= MOST {
            return Some(Cell { text, clipped: true });
        }
        if std::mem::take(&mut is_spaced) {
            text.push(' ');
            length += 1;
        }
        text.push(character);
        length += 1;
    }
    (length > 0).then_some(Cell { text, clipped: false })
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

    fn shown(cell: Option<Cell>) -> (String, bool) {
        cell.map(|cell| (cell.text, cell.clipped)).unwrap_or_default()
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
            let cells = reader.read(&value(text));
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
