//! Fixes of queries and documents.

use std::collections::BTreeSet;
use std::ops::Range;

use evalcheck_core::names::is_rounded;
use evalcheck_json::schema::Object;
use evalcheck_records::csv::written;
use evalcheck_report::Applicability;

use super::super::{COLUMNS_0_0_1, QUERY, names};
use crate::checks::Record;
use crate::diagnose::{self, Kind, Member, RecordFix, Value, fix_syntax, is_one_entry, json_string, parse};
use crate::python;

/// Quotes a scalar. Safe if this gives the string that the loader makes of it, or would have to make.
pub(super) fn quoted(record: &Record<'_>, value: &Value<'_>) -> Option<RecordFix> {
    let raw = std::str::from_utf8(record.text.bytes.get(value.span.clone())?).ok()?;
    if !matches!(value.kind, Kind::Number(..) | Kind::Boolean(_)) || is_rounded(raw.as_bytes()) {
        return None;
    }
    if python::is_truthy(value) && names::as_string(value).as_deref() == Some(raw) {
        let fix = RecordFix::safe("Put the value in double quotes");
        return Some(fix.replace(value.span.clone(), json_string(raw)));
    }
    Some(diagnose::quoted(value, raw))
}

/// Replaces a value that the loader treats as missing by what it reads instead. A number may have been an id.
pub(super) fn emptied(value: &Value<'_>, instead: &str) -> RecordFix {
    let fix = if matches!(value.kind, Kind::Number(..) | Kind::Boolean(_)) {
        RecordFix::not_safe(format!("Write {instead}, as the loader reads it, which loses the value"))
    } else {
        RecordFix::safe(format!("Write {instead}, as the loader reads it"))
    };
    fix.replace(value.span.clone(), instead)
}

/// Deletes an entry that the loader drops.
pub(super) fn without_entry(list: &[Value<'_>], index: usize) -> RecordFix {
    RecordFix::safe("Delete the entry, which the loader drops").delete_element(list, index)
}

/// Renames a list of ids. Safe if no other list may be a misspelling of that name.
pub(super) fn renamed(record: &Record<'_>, key: &str, name: &str) -> Option<RecordFix> {
    let (_, member) = member(record, key)?;
    let Kind::Object(members) = &record.root.kind else { return None };
    let may_be = |other: &Member<'_>| other.value.as_array().is_some() && !is_known(&other.key);
    let fix = RecordFix::safe_if(!members.iter().any(may_be), format!("Rename the key to \"{name}\""));
    Some(fix.replace(member.key_span.clone(), json_string(name)))
}

/// Whether a key is one of a query's.
pub(super) fn is_known(key: &str) -> bool {
    let mut sets = QUERY.object.iter().flat_map(Object::sets);
    sets.any(|fields| fields.position(key.as_bytes()).is_some())
}

/// Deletes a key that the loader does not read.
pub(super) fn without_key(record: &Record<'_>, key: &str) -> Option<RecordFix> {
    let (index, _) = member(record, key)?;
    let Kind::Object(members) = &record.root.kind else { return None };
    Some(RecordFix::not_safe("Delete the key, whose value is lost").delete_member(members, index))
}

fn member<'r>(record: &Record<'r>, key: &str) -> Option<(usize, &'r Member<'r>)> {
    let Kind::Object(members) = &record.root.kind else { return None };
    members.iter().enumerate().find(|(_, member)| member.key == key)
}

/// Renames a column of ids. Safe if no other column may be a misspelling of that name.
pub(super) fn renamed_column(columns: &[Member<'_>], span: Range<usize>, name: &str) -> RecordFix {
    let is_known = |column: &Member<'_>| {
        let mut known = COLUMNS_0_0_1.columns.iter();
        known.any(|known| column.key == known.name || known.aliases.contains(&&*column.key))
    };
    let fix = RecordFix::safe_if(columns.iter().all(is_known), format!("Rename the column to \"{name}\""));
    fix.replace(span, name)
}

/// Writes a cell of a CSV that begins like a JSON list as a JSON list.
pub(super) fn list_cell(value: &Value<'_>) -> Option<RecordFix> {
    let text = python::strip(value.as_str()?);
    let (text, mut fix) = if parse(text.as_bytes()).is_ok() {
        (text.to_owned(), RecordFix::safe("Write the list as the loader reads it"))
    } else {
        let syntax = fix_syntax(text.as_bytes())?;
        let fixed = String::from_utf8(syntax.apply(text.as_bytes())).ok()?;
        let title = "Write the cell as a JSON list".into();
        (fixed, RecordFix { title, edits: Vec::new(), ..syntax })
    };
    let mut seen = BTreeSet::from([String::new()]);
    let mut entries = Vec::new();
    for element in parse(text.as_bytes()).ok()?.value.as_array()? {
        let read = names::as_string(element)?;
        let entry = match element.kind {
            Kind::String(_) => read,
            Kind::Number(..) => {
                let entry = text.get(element.span.clone())?.to_owned();
                if entry != read {
                    fix.applicability = Applicability::Unsafe;
                }
                entry
            }
            _ => return None,
        };
        if seen.insert(entry.clone()) {
            entries.push(json_string(&entry));
        }
    }
    Some(fix.replace(value.span.clone(), cell(&entries)))
}

/// Writes a cell of a CSV that is JSON but not a list as a list with this entry. `None` for a number that a spreadsheet has rounded: the id
/// is lost.
pub(super) fn single_entry(value: &Value<'_>) -> Option<RecordFix> {
    /// Decimal digits that spreadsheets preserve.
    const DIGITS: usize = 15;
    let cell_text = value.as_str()?;
    let text = python::strip(cell_text);
    // White space beside it may be of a text that was split at its commas.
    let is_alone = text.len() == cell_text.len();
    let parsed = parse(text.as_bytes()).ok()?;
    let entry = entry(text, &parsed.value)?;
    let is_certain = match &parsed.value.kind {
        Kind::String(entry) => is_one_entry(entry),
        Kind::Number(..) => !text.contains('.') && text.len() <= DIGITS,
        _ => false,
    };
    let fix = if is_certain && is_alone {
        RecordFix::safe("Write the cell as a JSON list")
    } else {
        RecordFix::not_safe("Write the cell as a JSON list of one entry, which is a guess")
    };
    Some(fix.replace(value.span.clone(), list_of_one(&entry)))
}

/// The entry in a cell of JSON. `None` for a number that a spreadsheet may have rounded, and for a value that cannot be an entry.
pub(super) fn entry(cell: &str, value: &Value<'_>) -> Option<String> {
    match &value.kind {
        Kind::String(entry) => Some(entry.to_string()),
        Kind::Number(..) if cell.contains(['e', 'E']) => None,
        Kind::Number(..) | Kind::Boolean(_) => Some(cell.to_owned()),
        _ => None,
    }
}

/// A JSON list of one entry in a cell of a CSV.
pub(super) fn list_of_one(entry: &str) -> String {
    cell(&[json_string(entry)])
}

/// Writes a cell of values separated by commas without those that the loader drops. Safe if the others are words: commas in a sentence or
/// in a list of JSON separate something else.
pub(super) fn plain_cell(value: &Value<'_>) -> Option<RecordFix> {
    let mut seen = BTreeSet::from([""]);
    let entries = value.as_str()?.split(',').filter(|entry| seen.insert(python::strip(entry)));
    let entries: Vec<&str> = entries.collect();
    let is_in_word = |c: char| !c.is_whitespace() && !"[]{}\"".contains(c);
    let is_word = |entry: &&str| python::strip(entry).chars().all(is_in_word);
    let are_words = !entries.is_empty() && entries.iter().all(is_word);
    let text = python::strip(&entries.join(",")).to_owned();
    let is_json = text.starts_with('[') || parse(names::in_python(&text).ok()?.as_bytes()).is_ok();
    let text = if is_json {
        // Unquoted, it would be read as another value.
        cell(&entries.iter().map(|entry| json_string(python::strip(entry))).collect::<Vec<_>>())
    } else {
        written(&text, b',')
    };
    let fix = if are_words {
        RecordFix::safe("Write the list as the loader reads it")
    } else {
        RecordFix::not_safe("Write the list as the loader reads it, which guesses that it is a list")
    };
    Some(fix.replace(value.span.clone(), text))
}

/// A JSON list in a cell of a CSV.
fn cell(entries: &[String]) -> String {
    format!("\"[{}]\"", entries.join(", ").replace('"', "\"\""))
}
