//! The records of a file, as other readers than ours have them.

use std::ops::Range;

use evalcheck_engine::formats::{Format, Layout, List, Variant};
use evalcheck_report::{Finding, Report, Severity};
use serde_json::{Value, json};

use crate::support::csv::core_rows_by_line;
use crate::support::scalars;

/// A record.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Its value. For a row the cells, each with the name of its column; for an element of a document its list as well.
    pub(crate) content: Value,
    /// The place of findings about it.
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    /// On these lines.
    Lines(Range<u64>),
    /// At this path or below it.
    Path(String),
    /// In the record with this number.
    Record(u64),
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
            let Some(document) = document(bytes) else { return Vec::new() };
            let keys: Vec<&str> = lists.iter().filter_map(List::key).collect();
            if keys.is_empty() {
                return of_any_shape(&document);
            }
            let records = keys.iter().flat_map(|key| {
                let elements = document[key].as_array().into_iter().flatten();
                elements.enumerate().map(move |(index, element)| Record {
                    content: json!([key, element]),
                    place: Place::Path(format!("{key}.{index}")),
                })
            });
            records.collect()
        }
        Layout::Csv(_) => {
            // The reader returns a row at its end.
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

/// The records of plain JSON.
fn of_any_shape(document: &Value) -> Vec<Record> {
    let is_chat = ["messages", "conversation", "conversations"].iter().any(|key| document.get(key).is_some());
    let members = document.as_object().into_iter().flatten().filter(|_| !is_chat);
    let lists = members.filter_map(|(_, value)| {
        value.as_array().filter(|list| list[..].first().is_some_and(Value::is_object))
    });
    let lists: Vec<&Vec<Value>> = document.as_array().into_iter().chain(lists).collect();
    let is_single = lists.is_empty() && document.is_object();
    let records = lists.into_iter().flatten().chain(is_single.then_some(document));
    let record =
        |(number, record): (u64, &Value)| Record { content: record.clone(), place: Place::Record(number) };
    (0..).zip(records).map(record).collect()
}

/// A document, also one with missing commas between lines, or with too many.
fn document(bytes: &[u8]) -> Option<Value> {
    let strict = serde_json::from_slice(bytes).ok();
    strict.or_else(|| serde_json::from_str(&with_commas(std::str::from_utf8(bytes).ok()?)).ok())
}

/// JSON with a comma between two values if there is a comma or a line break between them, and with no others.
fn with_commas(text: &str) -> String {
    let mut out = String::new();
    let (mut is_after_value, mut is_separated) = (false, false);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '-' | 'a'..='z' | '0'..='9' => scalars(rest).first().map_or(1, |scalar| scalar.end),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match first {
            ',' | '\n' => is_separated = true,
            ' ' | '\t' | '\r' => {}
            _ => {
                let is_value = !matches!(first, ']' | '}' | ':');
                if is_value && is_after_value && is_separated {
                    out.push(',');
                }
                out.push_str(token);
                is_after_value = !matches!(first, '[' | '{' | ':');
                is_separated = false;
            }
        }
    }
    out
}

/// A cell: a list as a list, however it is spaced.
fn value(cell: &str) -> Value {
    serde_json::from_str::<Vec<Value>>(cell).map_or_else(|_| json!(cell), Value::Array)
}

impl Record {
    /// Whether a check finds no error in it.
    pub(crate) fn is_valid(&self, report: &Report) -> bool {
        report.checked && errors(report).all(|finding| !self.has(finding))
    }

    /// Whether a check can read its parts, whatever it finds in them.
    pub(crate) fn is_read(&self, report: &Report) -> bool {
        let is_syntax = |finding: &Finding| {
            ["csv/", "json/", "text/", "document/"].iter().any(|category| finding.code.starts_with(category))
        };
        report.checked && errors(report).all(|finding| !(self.has(finding) && is_syntax(finding)))
    }

    fn has(&self, finding: &Finding) -> bool {
        match &self.place {
            Place::Lines(lines) => finding.line.is_some_and(|line| lines.contains(&line)),
            Place::Record(number) => finding.record == Some(*number),
            Place::Path(own) => finding.path.as_ref().is_some_and(|path| {
                path.strip_prefix(own.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }),
        }
    }
}

/// Whether the records of a file are read at all: a table has a header, and a document is JSON of this format.
pub(crate) fn is_accepted(report: &Report, format: &Format, variant: &Variant) -> bool {
    report.checked
        && report.format.id == format.id
        && match variant.layout {
            Layout::Jsonl | Layout::JsonlWithHeader(_) => true,
            Layout::Csv(_) => errors(report).all(|finding| finding.record.is_some()),
            Layout::Json(_) => {
                errors(report).all(|finding| finding.record.is_some() && finding.path.is_some())
            }
        }
}

fn errors(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.severity == Severity::Error)
}

/// The cells of a row, each with the name of its column.
pub(crate) fn row(content: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    content.as_array().into_iter().flatten().map(|cell| (&cell[0], &cell[1]))
}

/// The tolerance of a comparison of two values.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    /// The number of characters of texts that may differ.
    pub(crate) characters: usize,
    /// Whether a value that was of another type may be written as the expected type: a number, a boolean or null in quotes, one
    /// value as a list, null as nothing, and so a blank entry of a list.
    pub(crate) types: bool,
}

/// The number of characters by which two values differ that are the same except for the characters of texts and keys; `None` if
/// they differ otherwise, or by more than is tolerated.
pub(crate) fn distance(one: &Value, other: &Value, most: Tolerance) -> Option<usize> {
    let left = |sum| Tolerance { characters: most.characters - sum, ..most };
    let add = |sum, (one, other)| Some(sum + distance(one, other, left(sum))?);
    match (one, other) {
        (Value::String(one), Value::String(other)) => characters(one, other, most.characters),
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => Some(0),
        (Value::Number(one), Value::Number(other)) => {
            characters(&one.to_string(), &other.to_string(), most.characters)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).try_fold(0, add)
        }
        (Value::Object(one), Value::Object(other)) => {
            let mut both = one.iter().filter_map(|(key, value)| Some((value, other.get(key)?)));
            let in_both = both.try_fold(0, add)?;
            // A key may have been changed.
            let own: Vec<_> = one.iter().filter(|(key, _)| !other.contains_key(*key)).collect();
            let mut others: Vec<_> = other.iter().filter(|(key, _)| !one.contains_key(*key)).collect();
            if most.types && own.len() < others.len() {
                others.retain(|(_, value)| !value.is_null());
            }
            if own.len() != others.len() {
                return None;
            }
            own.into_iter().zip(others).try_fold(in_both, |sum, ((own, one), (key, other))| {
                let sum = sum + characters(own, key, left(sum).characters)?;
                add(sum, (one, other))
            })
        }
        (Value::Array(one), Value::Array(other)) if most.types && one.len() < other.len() => {
            let filled = |entry: &&Value| entry.as_str().is_none_or(|text| !text.trim().is_empty());
            let (one, other): (Vec<_>, Vec<_>) =
                (one.iter().filter(filled).collect(), other.iter().filter(filled).collect());
            if one.len() == other.len() { one.into_iter().zip(other).try_fold(0, add) } else { None }
        }
        (Value::Array(list), other) if most.types && list.len() == 1 => distance(&list[0], other, most),
        (one, other) => (one == other || (most.types && is_quoted(one, other))).then_some(0),
    }
}

/// Whether one is a string with the other, which is a number, a boolean or null.
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
