//! A dataset that is evidently not the one that the schema describes: one finding instead of several for each record.

use std::collections::BTreeSet;

use evalcheck_core::excerpt::clip_quoted;
use evalcheck_diagnose::{Kind, Value};
use evalcheck_report::text::listed;
use evalcheck_wire::user_schema::RootKeys;

use super::{UserSchema, UserSchemaProblem, live};
use crate::detect::FileHead;

/// The most names in a message.
const MOST: usize = 5;

/// The problem of a dataset whose first records each lack more than half of the keys that the schema requires. A key counts where only its case or its
/// separators differ.
pub(crate) fn misfit(schema: &UserSchema, head: &FileHead<'_>) -> Option<UserSchemaProblem> {
    let RootKeys { required, .. } = schema.compiled.root_keys();
    let mut seen = BTreeSet::new();
    let mut lacking: BTreeSet<&str> = required.iter().map(String::as_str).collect();
    for keys in records(head) {
        let plain: BTreeSet<String> = keys.iter().map(|key| letters(key)).collect();
        let lacks = || required.iter().filter(|key| !plain.contains(&letters(key)));
        if lacks().count() * 2 <= required.len() {
            return None;
        }
        let lacks: BTreeSet<&str> = lacks().map(String::as_str).collect();
        lacking.retain(|key| lacks.contains(key));
        seen.extend(keys);
    }
    let named = |names: &mut dyn Iterator<Item = &str>| {
        let mut shown: Vec<String> = names.take(MOST + 1).map(clip_quoted).collect();
        if shown.len() > MOST {
            shown.truncate(MOST);
            shown.push("others".to_owned());
        }
        listed(&shown)
    };
    (!seen.is_empty() && !lacking.is_empty()).then(|| UserSchemaProblem::OtherDataset {
        lacking: named(&mut lacking.into_iter()),
        has: named(&mut seen.iter().map(String::as_str)),
    })
}

/// The keys of the first records.
fn records(head: &FileHead<'_>) -> Vec<BTreeSet<String>> {
    if let Some(header) = &head.header {
        return vec![header.iter().cloned().collect()];
    }
    let keys = |value: &Value<'_>| -> BTreeSet<String> {
        live(value).map(|member| member.key.clone().into_owned()).collect()
    };
    let objects = head.lines.iter().flat_map(|(_, value)| match &value.kind {
        Kind::Array(elements) => elements.iter().collect(),
        _ => vec![value],
    });
    let objects = objects.filter(|value| matches!(value.kind, Kind::Object(_)));
    let of_lines: Vec<_> = objects.map(keys).collect();
    if of_lines.is_empty() && !head.keys.is_empty() {
        return vec![head.keys.iter().map(|&key| key.to_owned()).collect()];
    }
    of_lines
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
