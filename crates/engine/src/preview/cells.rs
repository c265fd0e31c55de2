//! The cells of a list of records.

use std::borrow::Cow;

use evalcheck_formats::fields::{ColumnKind, Field, Use, paths};
use evalcheck_report::selector::Step;
use evalcheck_report::view::Excerpt;

use crate::diagnose::select::{Place, at_path, scalar, steps};
use crate::diagnose::{Kind, Value};
use crate::search::{InRecord, JOINERS};

/// The maximum number of characters of a cell.
const MOST: usize = 200;

/// The number of bytes of a record from which its text is made: white space takes some of them.
const TEXT_BYTES: usize = 2 << 10;

/// Reads the cells of records.
#[derive(Debug)]
pub(super) struct CellReader {
    id: Paths,
    question: Paths,
    answer: Paths,
    columns: Vec<(ColumnKind, Paths, Limit)>,
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

/// Paths of values: the first with a value counts.
type Paths = Vec<Vec<Step>>;

/// A key, and the value that it has beside those that are shown ([`Use::Where`]).
type Limit = Option<(&'static str, &'static str)>;

/// The scalars that form a text, each with its separator from the one before.
type Texts<'v> = Vec<(&'static str, Cow<'v, str>)>;

/// The roles of messages that ask, as systems name them.
const USER: &[Option<&str>] = &[Some("user"), Some("human")];

/// The roles of messages that answer. Answers without a question have no role.
const ASSISTANT: &[Option<&str>] = &[None, Some("assistant"), Some("gpt")];

impl CellReader {
    pub(super) fn new(fields: &'static [Field]) -> Self {
        let of = |of: Use| paths(fields, of).map(steps).collect();
        let column = |field: &Field| {
            let (_, kind) = field.column()?;
            Some((kind, field.paths.iter().map(|path| steps(path)).collect(), field.limit()))
        };
        Self {
            id: of(Use::Id),
            question: of(Use::Question),
            answer: of(Use::Answer),
            columns: fields.iter().filter_map(column).collect(),
        }
    }

    /// The cells of a record that cannot be read.
    pub(super) fn none(&self) -> Cells {
        Cells { columns: vec![None; self.columns.len()], ..Cells::default() }
    }

    /// The cells of a record. A text is shown around what a search finds in it.
    pub(super) fn read(&self, root: &Value<'_>, found: Option<&InRecord<'_>>) -> Cells {
        let around = |texts: &Texts<'_>| found?.excerpt(&characters(texts).collect::<String>());
        let beginning = |texts: Texts<'_>| around(&texts).or_else(|| beginning_of(&texts));
        let question = self.question.iter().find_map(|path| said(root, path, USER).into_iter().next());
        let answer = self.answer.iter().find_map(|path| said(root, path, ASSISTANT).pop());
        let mut cells = Cells {
            id: all(root, &self.id, None).and_then(beginning),
            question: question.and_then(beginning),
            answer: answer.and_then(|texts| around(&texts).or_else(|| end_of(&texts))),
            ..Cells::default()
        };
        cells.has_any = cells.id.is_some() || cells.question.is_some() || cells.answer.is_some();
        for (kind, paths, limit) in &self.columns {
            let cell = match kind {
                ColumnKind::Text => all(root, paths, *limit).and_then(beginning),
                ColumnKind::First => all(root, paths, *limit).and_then(|texts| beginning_of(texts.get(..1)?)),
                ColumnKind::Count => count(root, paths).and_then(|number| cell(number.to_string().chars())),
            };
            cells.has_any |= cell.is_some() && *kind != ColumnKind::Count;
            cells.columns.push(cell);
        }
        cells
    }
}

/// The values at a path.
fn values<'v, 'a>(root: &'v Value<'a>, path: &[Step]) -> Vec<&'v Value<'a>> {
    let mut found = Vec::new();
    at_path(root, path, &Place::Record, &mut |value, _| {
        found.push(value);
        None::<()>
    });
    found
}

/// The values at a path that are meant; all of them if none is.
fn limited<'v, 'a>(root: &'v Value<'a>, path: &[Step], limit: Limit) -> Vec<&'v Value<'a>> {
    let mut meant = Vec::new();
    if let (Some((key, wanted)), Some((last, objects))) = (limit, path.split_last()) {
        let is_meant =
            |object: &&Value<'_>| object.get(key).and_then(scalar).is_some_and(|text| text == wanted);
        let objects = values(root, objects).into_iter().filter(is_meant);
        meant.extend(objects.flat_map(|object| values(object, std::slice::from_ref(last))));
    }
    if meant.is_empty() { values(root, path) } else { meant }
}

/// The text of a scalar that says anything.
fn text<'v>(value: &'v Value<'_>) -> Option<Cow<'v, str>> {
    scalar(value).filter(|text| value.kind != Kind::Null && !text.trim().is_empty())
}

/// The texts of a value: its own, those of a list, or those of the parts of a message.
fn texts<'v>(value: &'v Value<'_>) -> Texts<'v> {
    match &value.kind {
        Kind::Array(elements) => {
            let part = |part: &'v Value<'_>| Some((" ", text(part.get("text")?)?));
            let of = |element| text(element).map(|text| (", ", text)).or_else(|| part(element));
            elements.iter().filter_map(of).collect()
        }
        _ => text(value).map(|text| (" ", text)).into_iter().collect(),
    }
}

/// The texts at a path, one for each value that has any. Of messages, those with one of these roles count.
fn said<'v>(root: &'v Value<'_>, path: &[Step], roles: &[Option<&str>]) -> Vec<Texts<'v>> {
    let is_object = |value: &Value<'_>| matches!(value.kind, Kind::Object(_));
    let is_said = |message: &&Value<'_>| {
        let role = message.get("role").or_else(|| message.get("from"));
        roles.contains(&role.and_then(Value::as_str))
    };
    let contents = values(root, path).into_iter().flat_map(|value| match &value.kind {
        Kind::Array(elements) if elements.iter().any(is_object) => {
            let messages = elements.iter().filter(is_said);
            messages.filter_map(|message| message.get("content").or_else(|| message.get("value"))).collect()
        }
        _ => vec![value],
    });
    contents.map(texts).filter(|texts| !texts.is_empty()).collect()
}

/// All texts at the first path that has any, separated by commas.
fn all<'v>(root: &'v Value<'_>, paths: &Paths, limit: Limit) -> Option<Texts<'v>> {
    paths.iter().find_map(|path| {
        let all = limited(root, path, limit).into_iter().flat_map(texts);
        let all: Texts<'v> = all.map(|(_, text)| (", ", text)).collect();
        (!all.is_empty()).then_some(all)
    })
}

/// The number of values at the first path that has any; `None` for a record that can have none.
fn count(root: &Value<'_>, paths: &Paths) -> Option<usize> {
    let of_value = |value: &Value<'_>| match &value.kind {
        Kind::Null => 0,
        Kind::Array(elements) => elements.iter().filter(|element| element.kind != Kind::Null).count(),
        _ => 1,
    };
    matches!(root.kind, Kind::Object(_) | Kind::Array(_)).then(|| {
        let mut numbers = paths.iter().map(|path| values(root, path).into_iter().map(of_value).sum());
        numbers.find(|number| *number > 0).unwrap_or(0)
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
        static FIELDS: &[Field] = &[
            Field::new("id", &["a", "b"], &[Use::Id]),
            Field::new("q", &["m", "q"], &[Use::Question]),
            Field::new("o", &["o.*"], &[Use::Answer]),
            Field::new("n", &["m"], &[Use::Column("N", ColumnKind::Count)]),
            Field::new("s", &["s", "b"], &[Use::Column("S", ColumnKind::First)]),
            Field::new("k", &["k"], &[Use::Column("K", ColumnKind::Text)]),
        ];
        let reader = CellReader::new(FIELDS);
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
                r#"{"a":null,"b":[1,"x"],"m":[{"role":"s","content":"no"},{"role":"user","content":[{"text":"a"},{"i":1},{"text":"b"}]}],"k":false}"#
            ),
            "1, x|a b||2|1|false|true"
        );
        assert_eq!(
            read(r#"{"m":[{"role":"user","content":" "}],"q":"?","o":["1",{},"2"],"s":0.50}"#),
            "|?|2|1|0.50||true"
        );
        assert_eq!(read(r#"{"z":1}"#), "|||0|||false");
        assert_eq!(read("7"), "||||||false");
        assert_eq!(read(r#"{"q":"old","q":"new"}"#), "|new||0|||true");
    }
}
