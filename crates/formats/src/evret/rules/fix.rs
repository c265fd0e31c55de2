//! Fixes of queries and documents.

use std::collections::BTreeSet;

use super::super::names;
use crate::checks::Record;
use crate::diagnose::{Kind, Member, RecordFix, Value, fix_syntax, json_string, parse};

/// A scalar as a string, where the string is evident.
pub(super) fn quoted(record: &Record<'_>, value: &Value<'_>) -> Option<RecordFix> {
    let raw = std::str::from_utf8(record.text.bytes.get(value.span.clone())?).ok()?;
    let fix = match value.kind {
        Kind::Number(..) => RecordFix::safe("Put the value in double quotes"),
        Kind::Boolean(_) => RecordFix::not_safe("Put the word in double quotes, which is a guess"),
        _ => return None,
    };
    Some(fix.replace(value.span.clone(), json_string(raw)))
}

/// What the loader makes of it.
pub(super) fn emptied(value: &Value<'_>, instead: &str) -> RecordFix {
    RecordFix::safe(format!("Write {instead}, as the loader reads it")).replace(value.span.clone(), instead)
}

/// An entry that the loader drops.
pub(super) fn without_entry(list: &[Value<'_>], index: usize) -> RecordFix {
    RecordFix::safe("Delete the entry, which the loader drops").delete_element(list, index)
}

/// Another name for a key.
pub(super) fn renamed(record: &Record<'_>, key: &str, name: &str) -> Option<RecordFix> {
    let (_, member) = member(record, key)?;
    let fix = RecordFix::safe(format!("Rename the key to \"{name}\""));
    Some(fix.replace(member.key_span.clone(), json_string(name)))
}

/// A key that the loader does not read.
pub(super) fn without_key(record: &Record<'_>, key: &str) -> Option<RecordFix> {
    let (index, _) = member(record, key)?;
    let Kind::Object(members) = &record.root.kind else { return None };
    Some(RecordFix::not_safe("Delete the key, whose value is lost").delete_member(members, index))
}

fn member<'r>(record: &Record<'r>, key: &str) -> Option<(usize, &'r Member<'r>)> {
    let Kind::Object(members) = &record.root.kind else { return None };
    members.iter().enumerate().find(|(_, member)| member.key == key)
}

/// Another name for a column.
pub(super) fn renamed_column(span: std::ops::Range<usize>, name: &str) -> RecordFix {
    RecordFix::safe(format!("Rename the column to \"{name}\"")).replace(span, name)
}

/// A cell of a CSV as a JSON list of the strings that it evidently holds.
pub(super) fn cell_as_list(value: &Value<'_>) -> Option<RecordFix> {
    let text = names::strip(value.as_str()?);
    let fixed;
    let (text, title) = match text.strip_prefix('[') {
        Some(_) if parse(text.as_bytes()).is_err() => {
            fixed = String::from_utf8(fix_syntax(text.as_bytes())?.apply(text.as_bytes())).ok()?;
            (fixed.as_str(), "Write the cell as a JSON list")
        }
        Some(_) => (text, "Write the list as the loader reads it"),
        None => {
            // A number, a word or a string, by itself.
            let entry = match &parse(text.as_bytes()).ok()?.value.kind {
                Kind::String(entry) => entry.to_string(),
                Kind::Number(..) | Kind::Boolean(_) => text.to_owned(),
                _ => return None,
            };
            let cell = cell(&[json_string(&entry)]);
            return Some(RecordFix::safe("Write the cell as a JSON list").replace(value.span.clone(), cell));
        }
    };
    let parsed = parse(text.as_bytes()).ok()?;
    let mut seen = BTreeSet::from(["\"\"".to_owned()]);
    let mut entries = Vec::new();
    for element in parsed.value.as_array()? {
        let entry = match &element.kind {
            Kind::String(entry) => names::strip(entry).to_owned(),
            Kind::Number(..) => text.get(element.span.clone())?.to_owned(),
            _ => return None,
        };
        let entry = json_string(&entry);
        if seen.insert(entry.clone()) {
            entries.push(entry);
        }
    }
    Some(RecordFix::safe(title).replace(value.span.clone(), cell(&entries)))
}

/// A cell of values separated by commas without those that the loader drops.
pub(super) fn plain_cell(value: &Value<'_>) -> Option<RecordFix> {
    let mut seen = BTreeSet::from([""]);
    let entries = value.as_str()?.split(',').map(names::strip).filter(|entry| seen.insert(entry));
    let entries: Vec<&str> = entries.collect();
    let text = entries.join(",");
    let text = if entries.len() > 1 || text.contains(['"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    };
    Some(RecordFix::safe("Write the list as the loader reads it").replace(value.span.clone(), text))
}

/// A JSON list in a cell of a CSV.
fn cell(entries: &[String]) -> String {
    format!("\"[{}]\"", entries.join(", ").replace('"', "\"\""))
}
