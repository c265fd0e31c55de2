//! The records of a file, as readers have them that are not ours.

use std::ops::Range;

use evalcheck_engine::formats::{Layout, Variant};
use evalcheck_wire::report::{Finding, Report, Severity};
use serde_json::{Value, json};

use crate::support::csv::core_rows_by_line;

/// A record.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Its value. Of a row the cells, each with the name of its column; of an element of a document its list as well.
    pub(crate) content: Value,
    /// Where findings about it are.
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    /// On these lines.
    Lines(Range<u64>),
    /// At this path or below it.
    Path(String),
}

/// The records of a file that can be read.
pub(crate) fn read(bytes: &[u8], variant: &Variant) -> Vec<Record> {
    match variant.layout {
        Layout::Jsonl | Layout::JsonlWithHeader(_) => {
            let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
            let record = |(line, number): (&[u8], u64)| {
                let content = serde_json::from_slice(line).ok()?;
                Some(Record { content, place: Place::Lines(number..number + 1) })
            };
            lines.filter_map(record).collect()
        }
        Layout::Json(lists) => {
            let Ok(document) = serde_json::from_slice::<Value>(bytes) else { return Vec::new() };
            let records = lists.iter().flat_map(|list| {
                let elements = document[list.key].as_array().into_iter().flatten();
                elements.enumerate().map(|(index, element)| Record {
                    content: json!([list.key, element]),
                    place: Place::Path(format!("{}.{index}", list.key)),
                })
            });
            records.collect()
        }
        Layout::Csv(_) => {
            // The reader gives a row when it is at its end.
            let mut rows = core_rows_by_line(&[bytes, b"\n"].concat()).into_iter();
            let Some((_, header)) = rows.next() else { return Vec::new() };
            let record = |(lines, cells): (Range<u64>, Vec<String>)| {
                let cells =
                    cells.iter().enumerate().map(|(index, cell)| json!([header.get(index), value(cell)]));
                let missing = header.iter().skip(cells.len()).map(|name| json!([name, null]));
                Record { content: cells.chain(missing).collect(), place: Place::Lines(lines) }
            };
            rows.map(record).collect()
        }
    }
}

/// A cell: a list as such, however it is spaced.
fn value(cell: &str) -> Value {
    serde_json::from_str::<Vec<Value>>(cell).map_or_else(|_| json!(cell), Value::Array)
}

impl Record {
    /// Whether a check calls it valid.
    pub(crate) fn is_valid(&self, report: &Report) -> bool {
        let is_of_it = |finding: &&Finding| match &self.place {
            Place::Lines(lines) => finding.line.is_some_and(|line| lines.contains(&line)),
            Place::Path(own) => finding.path.as_ref().is_some_and(|path| {
                path.strip_prefix(own.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }),
        };
        report.checked
            && !report
                .findings
                .iter()
                .filter(|finding| finding.severity == Severity::Error)
                .any(|finding| is_of_it(&finding))
    }
}

/// What a row has in its cells, without the names of their columns; another record as it is.
pub(crate) fn cells(content: &Value, variant: &Variant) -> Value {
    match variant.layout {
        Layout::Csv(_) => content.as_array().into_iter().flatten().map(|cell| cell[1].clone()).collect(),
        _ => content.clone(),
    }
}

/// How one value is compared with another.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    /// As many characters of texts may be others.
    pub(crate) characters: usize,
    /// A number, a boolean or null may be in quotes.
    pub(crate) quotes: bool,
}

/// How many characters of a value have to change for another, where both are the same but for the characters of texts and keys;
/// `None` where they are not, or where there are more than are tolerated.
pub(crate) fn distance(one: &Value, other: &Value, most: Tolerance) -> Option<usize> {
    let left = |sum| Tolerance { characters: most.characters - sum, ..most };
    let add = |sum, (one, other)| Some(sum + distance(one, other, left(sum))?);
    match (one, other) {
        (Value::String(one), Value::String(other)) => characters(one, other, most.characters),
        (Value::Number(one), Value::Number(other)) => {
            characters(&one.to_string(), &other.to_string(), most.characters)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).try_fold(0, add)
        }
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            let mut both = one.iter().filter_map(|(key, value)| Some((value, other.get(key)?)));
            let in_both = both.try_fold(0, add)?;
            // A key may be what changed.
            let own = one.iter().filter(|(key, _)| !other.contains_key(*key));
            let others = other.iter().filter(|(key, _)| !one.contains_key(*key));
            own.zip(others).try_fold(in_both, |sum, ((own, one), (key, other))| {
                let sum = sum + characters(own, key, left(sum).characters)?;
                add(sum, (one, other))
            })
        }
        (one, other) => (one == other || (most.quotes && is_quoted(one, other))).then_some(0),
    }
}

/// One is a string that holds the other, which is a number, a boolean or null.
fn is_quoted(one: &Value, other: &Value) -> bool {
    let holds =
        |text: &str, scalar: &Value| serde_json::from_str::<Value>(text).is_ok_and(|held| held == *scalar);
    match (one, other) {
        (Value::String(text), scalar) | (scalar, Value::String(text)) => holds(text, scalar),
        _ => false,
    }
}

/// The edit distance of two texts, up to `most`.
fn characters(one: &str, other: &str, most: usize) -> Option<usize> {
    if one == other {
        return Some(0);
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().filter(|&distance| distance <= most)
}
