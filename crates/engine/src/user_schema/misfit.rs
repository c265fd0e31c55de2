//! A dataset that is evidently not the one that the schema describes: one finding instead of several for each record.

use std::collections::BTreeSet;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_diagnose::{Kind, Value};
use evalcheck_records::csv::separator::SEPARATORS;
use evalcheck_report::text::listed;
use evalcheck_wire::user_schema::{RecordText, RootKeys};

use super::text::write_value;
use super::{UserSchema, UserSchemaProblem};
use crate::detect::FileHead;

/// The most names in a message.
const MOST: usize = 5;

/// The problem of a dataset whose first records each violate the schema, lack more than half of the keys that it requires, and have more keys that it does not
/// name than keys that it names. A key counts where only its case or its separators differ.
pub(crate) fn misfit(schema: &UserSchema, head: &FileHead<'_>) -> Option<UserSchemaProblem> {
    let RootKeys { required, named } = schema.compiled.root_keys();
    let has = |keys: &BTreeSet<String>, key: &str| keys.contains(&letters(key));
    let known: BTreeSet<String> = named.iter().map(|key| letters(key)).collect();
    let mut lacking: Vec<&str> = named.iter().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    let is_another = |keys: &BTreeSet<String>, own: &BTreeSet<String>| {
        let lacks = required.iter().filter(|key| !has(own, key)).count();
        let of_others = keys.iter().filter(|key| !has(&known, key)).count();
        2 * lacks >= required.len() + required.len().min(1) && 2 * of_others > keys.len()
    };
    let are_rows = schema.text == RecordText::Row;
    // The reader of the table decides what separates its columns.
    let is_a_header = |keys: BTreeSet<String>| {
        let own = keys.iter().map(|key| letters(key)).collect();
        !is_another(&keys, &own)
    };
    if are_rows && headers(head).any(is_a_header) {
        return None;
    }
    for (keys, text) in records(head, are_rows) {
        let own: BTreeSet<String> = keys.iter().map(|key| letters(key)).collect();
        let is_invalid = || text.is_none_or(|text| !schema.compiled.is_valid(text.as_bytes(), schema.text));
        if !is_another(&keys, &own) || !is_invalid() {
            return None;
        }
        lacking.retain(|key| !has(&own, key));
        seen.extend(keys.into_iter().filter(|key| !has(&known, key)));
    }
    let listed = |names: &mut dyn Iterator<Item = &str>| {
        let mut shown: Vec<String> = names.take(MOST + 1).map(clip_quoted).collect();
        if shown.len() > MOST {
            shown.truncate(MOST);
            shown.push("others".to_owned());
        }
        listed(&shown)
    };
    (!seen.is_empty() && !lacking.is_empty()).then(|| UserSchemaProblem::OtherDataset {
        lacking: listed(&mut lacking.into_iter()),
        has: listed(&mut seen.iter().map(String::as_str)),
    })
}

/// The keys of the first records, and their texts if they are known.
fn records(head: &FileHead<'_>, are_rows: bool) -> Vec<(BTreeSet<String>, Option<String>)> {
    if let Some(header) = head.header.as_ref().filter(|_| are_rows) {
        return vec![(header.iter().cloned().collect(), None)];
    }
    let record = |value: &Value<'_>| {
        let mut text = String::new();
        write_value(&mut text, value);
        (value.live_members().map(|member| member.key.clone().into_owned()).collect(), Some(text))
    };
    let objects = head.lines.iter().flat_map(|(_, value)| match &value.kind {
        Kind::Array(elements) => elements.iter().collect(),
        _ => vec![value],
    });
    objects.filter(|value| matches!(value.kind, Kind::Object(_))).map(record).collect()
}

/// The columns of a table, by each separator.
fn headers(head: &FileHead<'_>) -> impl Iterator<Item = BTreeSet<String>> {
    let mut lines = head.head.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let line = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    SEPARATORS.into_iter().map(move |(separator, _)| {
        line.split(char::from(separator)).map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
    })
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
