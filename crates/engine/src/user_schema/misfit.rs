//! A dataset that is evidently not the one that the schema describes: one finding instead of several for each record.

use std::collections::BTreeSet;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_diagnose::{Kind, Value};
use evalcheck_report::text::listed;
use evalcheck_wire::user_schema::RootKeys;

use super::{UserSchema, UserSchemaProblem, live, write_value};
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
    for (keys, text) in records(head) {
        let own: BTreeSet<String> = keys.iter().map(|key| letters(key)).collect();
        let lacks = required.iter().filter(|key| !has(&own, key)).count();
        let of_others = keys.iter().filter(|key| !has(&known, key)).count();
        let is_another = 2 * lacks >= required.len() + required.len().min(1) && 2 * of_others > keys.len();
        let is_invalid = || text.is_none_or(|text| !schema.compiled.is_valid(text.as_bytes(), schema.text));
        if !is_another || !is_invalid() {
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
fn records(head: &FileHead<'_>) -> Vec<(BTreeSet<String>, Option<String>)> {
    if let Some(header) = &head.header {
        return vec![(header.iter().cloned().collect(), None)];
    }
    let record = |value: &Value<'_>| {
        let mut text = String::new();
        write_value(&mut text, value);
        (live(value).map(|member| member.key.clone().into_owned()).collect(), Some(text))
    };
    let objects = head.lines.iter().flat_map(|(_, value)| match &value.kind {
        Kind::Array(elements) => elements.iter().collect(),
        _ => vec![value],
    });
    let of_lines: Vec<_> =
        objects.filter(|value| matches!(value.kind, Kind::Object(_))).map(record).collect();
    if of_lines.is_empty() && !head.keys.is_empty() {
        return vec![(head.keys.iter().map(|&key| key.to_owned()).collect(), None)];
    }
    of_lines
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
