//! Changes that resolve violations, where the schema names one value or one key. Each is tried on the record before it is offered.

use evalcheck_core::suggest::nearest;
use evalcheck_wire::user_schema::{Change, Part, Remedy, SchemaPlace, SchemaRule, Step, Violation};
use jsonschema::{JsonType, JsonTypeSet, Validator};
use serde_json::Value;

use crate::cells::types_of;
use crate::files::Files;
use crate::parts::below;
use crate::violations::without_remedies;
use crate::words::quoted;

/// The most violations of a record that get changes: each change is tried.
const MOST: usize = 20;

/// The digits that a double always holds.
const DIGITS: usize = 15;

/// Adds the changes that resolve violations.
pub(crate) fn add(files: &Files, validator: &Validator, record: &Value, violations: &mut [Violation]) {
    if violations.len() > MOST {
        return;
    }
    let before: Vec<Violation> = violations.to_vec();
    let is_known = |found: &Violation| {
        before.iter().any(|known| {
            (&known.value, &known.part, &known.keyword) == (&found.value, &found.part, &found.keyword)
        })
    };
    for index in 0..violations.len() {
        let violation = &violations[index].clone();
        let Some(value) = at(record, &violation.value) else { continue };
        let found = match (&violation.rule, &violation.part) {
            (SchemaRule::Enum, Part::Value) => of_list(files, &violation.keyword, value),
            (SchemaRule::Type, Part::Value) => of_type(files, &violation.keyword, value),
            (SchemaRule::UnknownKey, Part::Key(key)) => renamed(violations, &violation.value, key),
            (SchemaRule::Required, Part::Missing(key)) => inserted(files, &violation.keyword, key),
            _ => None,
        };
        let Some(found) = found else { continue };
        let Some(changed) = changed(record, violation, &found.change) else { continue };
        let after = without_remedies(files, validator, &changed);
        // A value may violate several keywords.
        let is_resolved = |found: &Violation| found.value != violation.value || found.part != violation.part;
        if after.len() < before.len() && after.iter().all(|found| is_known(found) && is_resolved(found)) {
            violations[index].hint.clone_from(&found.title);
            violations[index].hint.push('.');
            violations[index].remedy = Some(found);
        }
    }
    explain_missing(violations);
    if !are_safe_together(files, validator, record, violations, is_known) {
        for remedy in
            violations.iter_mut().filter_map(|found| found.remedy.as_mut()).filter(|remedy| remedy.is_safe)
        {
            remedy.is_safe = false;
            remedy.title.push_str(", although all such changes together do not fit");
        }
    }
}

/// Whether nothing else becomes invalid by all safe changes together.
fn are_safe_together(
    files: &Files,
    validator: &Validator,
    record: &Value,
    violations: &[Violation],
    is_known: impl Fn(&Violation) -> bool,
) -> bool {
    let safe = || {
        violations
            .iter()
            .filter_map(|found| Some((found, found.remedy.as_ref().filter(|remedy| remedy.is_safe)?)))
    };
    if safe().count() < 2 {
        return true;
    }
    let all =
        safe().try_fold(record.clone(), |record, (found, remedy)| changed(&record, found, &remedy.change));
    all.is_some_and(|all| without_remedies(files, validator, &all).iter().all(is_known))
}

/// A missing key that another key is renamed to needs no change of its own.
fn explain_missing(violations: &mut [Violation]) {
    let renamed: Vec<(Vec<Step>, String, String)> = violations
        .iter()
        .filter_map(|violation| match (&violation.part, &violation.remedy) {
            (Part::Key(key), Some(Remedy { change: Change::Rename(to), .. })) => {
                Some((violation.value.clone(), key.clone(), to.clone()))
            }
            _ => None,
        })
        .collect();
    for violation in violations {
        let Part::Missing(missing) = &violation.part else { continue };
        let from = renamed.iter().find(|(value, _, to)| *value == violation.value && to == missing);
        if let Some((_, from, _)) = from {
            violation.hint = format!("Rename the key \"{from}\" to \"{missing}\".");
            violation.remedy = None;
        }
    }
}

/// The value of a list that was meant.
fn of_list(files: &Files, keyword: &SchemaPlace, value: &Value) -> Option<Remedy> {
    let text = value.as_str()?;
    let listed = files.value(keyword)?;
    let options: Vec<&str> = listed
        .as_array()
        .map_or(std::slice::from_ref(listed), Vec::as_slice)
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let mut same = options.iter().filter(|option| is_same(option, text));
    let same = same.next().filter(|_| same.next().is_none());
    let meant = same.copied().or_else(|| nearest(text, options.iter().copied()))?;
    let title = format!("Write '{meant}'");
    Some(remedy(same.is_some(), title, Change::Replace(Value::from(meant).to_string())))
}

/// The schema that has a keyword.
fn schema_of(keyword: &SchemaPlace) -> Option<SchemaPlace> {
    let (pointer, _) = keyword.pointer.rsplit_once('/')?;
    Some(SchemaPlace { pointer: pointer.to_owned(), ..*keyword })
}

/// The value in the type that the schema wants, if it is written in a string or the other way round.
fn of_type(files: &Files, keyword: &SchemaPlace, value: &Value) -> Option<Remedy> {
    let types = types_of(files, &schema_of(keyword)?, 1);
    match value {
        Value::String(text) if !types.contains(JsonType::String) => {
            let meant: Value = serde_json::from_str(text).ok().filter(|value: &Value| match value {
                Value::Number(_) => text.bytes().filter(u8::is_ascii_digit).count() <= DIGITS,
                Value::Bool(_) => true,
                _ => false,
            })?;
            let is_exact = text.trim() == text && fits(types, &meant);
            is_exact
                .then(|| remedy(true, format!("Write {text} without quotes"), Change::Replace(text.clone())))
        }
        Value::Number(number) if types == JsonTypeSet::from(JsonType::String) => {
            let is_integer = number.is_i64() || number.is_u64();
            let change = || Change::Replace(Value::from(number.to_string()).to_string());
            is_integer.then(|| remedy(true, format!("Write \"{number}\" in quotes"), change()))
        }
        _ => None,
    }
}

fn fits(types: JsonTypeSet, value: &Value) -> bool {
    types.contains(if value.is_number() { JsonType::Integer } else { JsonType::from(value) })
}

/// The missing key of the same object that an unknown key was meant for.
fn renamed(violations: &[Violation], object: &[Step], key: &str) -> Option<Remedy> {
    let missing = || {
        violations.iter().filter(|other| other.value == object).filter_map(|other| match &other.part {
            Part::Missing(missing) => Some(missing.as_str()),
            _ => None,
        })
    };
    let unknown = violations.iter().filter(|other| other.value == object);
    let unknown =
        unknown.filter_map(|other| if let Part::Key(key) = &other.part { Some(key.as_str()) } else { None });
    let same = missing().find(|missing| is_same(missing, key));
    let meant = same.or_else(|| nearest(key, missing()))?;
    // Only if no other key is as near.
    let is_alone = unknown
        .filter(|other| is_same(other, meant) || nearest(other, [meant].into_iter()).is_some())
        .count()
        == 1;
    is_alone.then(|| {
        remedy(same.is_some(), format!("Rename the key to \"{meant}\""), Change::Rename(meant.to_owned()))
    })
}

/// A missing key with the only value that the schema names for it.
fn inserted(files: &Files, keyword: &SchemaPlace, key: &str) -> Option<Remedy> {
    let property = below(&below(&schema_of(keyword)?, "properties"), key);
    let property = files.value(&property)?;
    let (value, what) = match (property.get("const"), property.get("default")) {
        (Some(value), _) => (value, "the only value that the schema allows"),
        (None, Some(value)) => (value, "the schema's default"),
        (None, None) => return None,
    };
    let title = format!("Add the key \"{key}\" with {what}, {}, which nobody wrote", quoted(value));
    Some(remedy(false, title, Change::Insert(value.to_string())))
}

fn remedy(is_safe: bool, title: String, change: Change) -> Remedy {
    let is_guess = !is_safe && !matches!(change, Change::Insert(_));
    let title = if is_guess { format!("{title}, which is a guess") } else { title };
    Remedy { title, is_safe, change }
}

/// The record after a change.
fn changed(record: &Value, violation: &Violation, change: &Change) -> Option<Value> {
    let mut record = record.clone();
    let value = violation.value.iter().try_fold(&mut record, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })?;
    match (change, &violation.part) {
        (Change::Replace(json), _) => *value = serde_json::from_str(json).ok()?,
        (Change::Rename(to), Part::Key(key)) => {
            let object = value.as_object_mut()?;
            let of_key = object.remove(key)?;
            object.insert(to.clone(), of_key);
        }
        (Change::Insert(json), Part::Missing(key)) => {
            value.as_object_mut()?.insert(key.clone(), serde_json::from_str(json).ok()?);
        }
        _ => return None,
    }
    Some(record)
}

fn at<'v>(record: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(record, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// Whether two words are spelled alike: case, white space around the word, and the choice of space, `_` or `-` between two letters do not count. Elsewhere a sign is
/// content: `A-` is another grade than `A`.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |word: &str| -> String {
        let of_word: Vec<char> = word.trim().chars().flat_map(char::to_lowercase).collect();
        let is_between_letters = |index: usize| {
            let is_letter =
                |at: Option<usize>| at.and_then(|at| of_word.get(at)).is_some_and(|of| of.is_alphabetic());
            is_letter(index.checked_sub(1)) && is_letter(index.checked_add(1))
        };
        let plain = of_word.iter().enumerate().map(|(index, of)| match of {
            ' ' | '_' | '-' if is_between_letters(index) => ' ',
            _ => *of,
        });
        plain.collect()
    };
    let one = plain(one);
    !one.is_empty() && one == plain(other)
}
