//! Fixes of values that a schema does not accept.

use std::ops::Range;

use super::{RecordFix, json_string, members};
use crate::diagnose::check::fits;
use crate::diagnose::parse::{self, is_json_number};
use crate::diagnose::value::{Kind, Member, Value};
use crate::schema::{Array, Empty, Object, Properties, Schema};

/// A value of a wrong type. `removal` is the member that it belongs to, where that may be left out; `key` the one under which
/// it belongs.
pub(in crate::diagnose) fn wrong_type(
    value: &Value<'_>,
    schema: &'static Schema,
    record: &[u8],
    removal: Option<Range<usize>>,
    key: Option<&str>,
) -> Option<RecordFix> {
    let raw = raw(value, record)?;
    let span = value.span.clone();
    if let Some(key) = key {
        return Some(
            RecordFix::safe(format!("Put the array under the key \"{key}\""))
                .replace(span, format!("{{\"{key}\": {raw}}}")),
        );
    }
    let takes_text = schema.string.as_ref().is_some_and(|string| string.values.is_empty());
    match &value.kind {
        Kind::Number(..) | Kind::Boolean(_) if takes_text => {
            Some(RecordFix::safe("Put the value in double quotes").replace(span, format!("\"{raw}\"")))
        }
        Kind::String(text) if schema.number.is_some() && is_json_number(text.trim().as_bytes()) => {
            Some(RecordFix::safe("Write the number without quotes").replace(span, text.trim()))
        }
        Kind::String(text) if schema.boolean && is_boolean(text) => Some(
            RecordFix::safe("Write the word without quotes").replace(span, text.trim().to_ascii_lowercase()),
        ),
        Kind::String(_) => {
            let (wrapped, is_guess) = wrapped(raw, schema)?;
            let fix = if is_guess {
                RecordFix::not_safe("Put the text where the schema has one, with a guessed role")
            } else {
                RecordFix::safe("Put the text where the schema has one")
            };
            Some(fix.replace(span, wrapped))
        }
        Kind::Array(elements) => match &elements[..] {
            [only] if fits(only, schema) => Some(
                RecordFix::safe("Write the element without the array around it")
                    .replace(span, self::raw(only, record)?),
            ),
            _ => None,
        },
        Kind::Object(_) if schema.array.as_ref().is_some_and(|array| fits(value, array.items)) => {
            Some(RecordFix::safe("Put the object in an array").replace(span, format!("[{raw}]")))
        }
        Kind::Null => Some(RecordFix::safe("Leave the key out").replace(removal?, "")),
        _ => None,
    }
}

/// A line that is an array of records, or a record in a string.
pub(in crate::diagnose) fn wrong_record(value: &Value<'_>, schema: &'static Schema) -> Option<RecordFix> {
    match &value.kind {
        Kind::Array(elements) if elements.iter().all(|element| schema.types().contains(element.types())) => {
            let (first, last) = (elements.first()?, elements.last()?);
            let mut fix = RecordFix::safe("Put each record on its own line")
                .replace(value.span.start..first.span.start, "");
            for pair in elements.windows(2) {
                fix = fix.replace(pair[0].span.end..pair[1].span.start, "\n");
            }
            Some(fix.replace(last.span.end..value.span.end, ""))
        }
        Kind::String(text) => {
            let inner = parse::parse(text.as_bytes()).ok()?;
            let is_record = schema.types().contains(inner.value.types()) && !text.contains('\n');
            is_record.then(|| {
                RecordFix::safe("Take the record out of the string").replace(value.span.clone(), text.trim())
            })
        }
        _ => None,
    }
}

/// A string that is none of these values.
pub(in crate::diagnose) fn one_of(
    value: &Value<'_>,
    values: &[&str],
    meant: Option<&str>,
) -> Option<RecordFix> {
    let text = value.as_str()?;
    let same = values.iter().find(|known| is_same_word(known, text));
    let (known, fix) = match (same, meant) {
        (Some(same), _) => (*same, RecordFix::safe(format!("Write \"{same}\""))),
        (None, Some(meant)) => (meant, RecordFix::not_safe(format!("Write \"{meant}\", which is a guess"))),
        (None, None) => return None,
    };
    Some(fix.replace(value.span.clone(), json_string(known)))
}

/// A required key that is to be added, where one value of it says nothing or is the only one.
pub(in crate::diagnose) fn add(members: &[Member<'_>], key: &str, schema: &Schema) -> Option<RecordFix> {
    let only = schema.string.as_ref().and_then(|string| match string.values {
        [only] => Some(json_string(only)),
        _ => None,
    });
    let fix = |value: &str| RecordFix::safe(format!("Add \"{key}\": {value}"));
    let (fix, value) = if schema.null {
        (fix("null"), "null".to_owned())
    } else if let Some(only) = only {
        (fix(&only), only)
    } else if schema.array.as_ref().is_some_and(|array| array.empty == Empty::Allow) {
        (RecordFix::not_safe(format!("Add \"{key}\": [], which is a guess")), "[]".to_owned())
    } else {
        return None;
    };
    let (at, text) = members::insertion(members, &format!("\"{key}\": {value}"))?;
    Some(fix.replace(at, text))
}

/// The key that says what an object is, with the one value that its other keys fit.
pub(in crate::diagnose) fn add_tag(members: &[Member<'_>], key: &str, tag: &str) -> Option<RecordFix> {
    let (at, text) = members::insertion(members, &format!("\"{key}\": \"{tag}\""))?;
    Some(RecordFix::safe(format!("Add \"{key}\": \"{tag}\"")).replace(at, text))
}

/// Another name for a key.
pub(in crate::diagnose) fn rename(member: &Member<'_>, key: &str, is_guess: bool) -> RecordFix {
    let is_guess = is_guess && !is_same_word(&member.key, key);
    let fix = if is_guess {
        RecordFix::not_safe(format!("Rename the key to \"{key}\", which is a guess"))
    } else {
        RecordFix::safe(format!("Rename the key to \"{key}\""))
    };
    fix.replace(member.key_span.clone(), json_string(key))
}

/// A text under an unknown key, as the value that another key wants.
pub(in crate::diagnose) fn rewrite(
    member: &Member<'_>,
    key: &str,
    schema: &'static Schema,
    record: &[u8],
) -> Option<RecordFix> {
    member.value.as_str()?;
    let (wrapped, is_guess) = wrapped(raw(&member.value, record)?, schema)?;
    let fix = if is_guess {
        RecordFix::not_safe(format!("Write it under \"{key}\", with a guessed role"))
    } else {
        RecordFix::safe(format!("Write it under \"{key}\""))
    };
    Some(fix.replace(member.key_span.start..member.value.span.end, format!("\"{key}\": {wrapped}")))
}

/// Members that belong in an object that is missing beside them.
pub(in crate::diagnose) fn move_into(
    members: &[Member<'_>],
    holders: &[&Member<'_>],
    key: &str,
    record: &[u8],
) -> Option<RecordFix> {
    let mut fix = RecordFix::safe(format!("Move the keys into \"{key}\""));
    let mut inner = Vec::new();
    for (number, holder) in holders.iter().enumerate() {
        let span = holder.key_span.start..holder.value.span.end;
        inner.push(text(record, &span)?);
        if number > 0 {
            let index = members.iter().position(|member| member.key_span == holder.key_span)?;
            fix = fix.replace(members[index.checked_sub(1)?].value.span.end..span.end, "");
        }
    }
    let first = holders.first()?;
    let span = first.key_span.start..first.value.span.end;
    Some(fix.replace(span, format!("\"{key}\": {{{}}}", inner.join(", "))))
}

/// A member that stands one level too deep, in the value of `holder`.
pub(in crate::diagnose) fn move_out(holder: &Member<'_>, key: &str, record: &[u8]) -> Option<RecordFix> {
    let Kind::Object(inner) = &holder.value.kind else { return None };
    let index = inner.iter().rposition(|member| member.key == key)?;
    let moved = text(record, &(inner[index].key_span.start..inner[index].value.span.end))?;
    let fix = RecordFix::safe(format!("Move \"{key}\" one level up"));
    if inner.len() == 1 {
        return Some(fix.replace(holder.key_span.start..holder.value.span.end, moved));
    }
    let start = holder.key_span.start;
    Some(fix.replace(start..start, format!("{moved}, ")).replace(members::with_comma(inner, index), ""))
}

/// A key that the schema does not have, and its value.
pub(in crate::diagnose) fn remove(members: &[Member<'_>], member: &Member<'_>) -> Option<RecordFix> {
    let index = members.partition_point(|other| other.key_span.start < member.key_span.start);
    (members.get(index)?.key_span == member.key_span).then(|| {
        RecordFix::not_safe("Delete the key, whose value is lost")
            .replace(members::with_comma(members, index), "")
    })
}

/// True for words that differ in case, white space, `-` and `_` only.
///
/// ```
/// use evalcheck_json::diagnose::is_same_word;
///
/// assert!(is_same_word("Query ID", "query_id"));
/// assert!(!is_same_word("query", "query_id"));
/// ```
pub fn is_same_word(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    letters(one) == letters(other)
}

fn is_boolean(text: &str) -> bool {
    ["true", "false"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

/// The text of a value as it stands in the record.
fn raw<'r>(value: &Value<'_>, record: &'r [u8]) -> Option<&'r str> {
    text(record, &value.span)
}

fn text<'r>(record: &'r [u8], span: &Range<usize>) -> Option<&'r str> {
    std::str::from_utf8(record.get(span.clone())?).ok()
}

/// A string, as it stands in the record, in the place where the values of a schema have their text; and whether another value
/// beside it is a guess. `None` where there are several such places.
fn wrapped(raw: &str, schema: &'static Schema) -> Option<(String, bool)> {
    match schema {
        Schema { string: Some(string), .. } => string.values.is_empty().then(|| (raw.to_owned(), false)),
        Schema { array: Some(Array { items, .. }), .. } => {
            let (inner, is_guess) = wrapped(raw, items)?;
            Some((format!("[{inner}]"), is_guess))
        }
        Schema { object: Some(Object::Properties(fields)), .. } => in_object(raw, fields, None),
        Schema { object: Some(Object::Tagged { key, variants }), .. } => {
            let mut fitting = variants.iter().filter(|(tag, _)| *tag == "text");
            let (tag, fields) = fitting.next()?;
            in_object(raw, fields, Some((key, tag)))
        }
        _ => None,
    }
}

fn in_object(raw: &str, fields: &'static Properties, tag: Option<(&str, &str)>) -> Option<(String, bool)> {
    let mut written = Vec::new();
    let (mut has_text, mut is_guess) = (false, false);
    for field in fields.fields.iter().filter(|field| field.required) {
        let key = field.key;
        let values = field.schema.string.as_ref().map_or(&[][..], |string| string.values);
        let value = match (tag, values) {
            (Some((tag_key, tag)), _) if tag_key == key => json_string(tag),
            (_, [only]) => json_string(only),
            (_, values) if values.contains(&"user") => {
                is_guess = true;
                json_string("user")
            }
            _ if has_text => return None,
            _ => {
                let (value, guess) = wrapped(raw, field.schema)?;
                is_guess |= guess;
                has_text = true;
                value
            }
        };
        written.push(format!("\"{key}\": {value}"));
    }
    has_text.then(|| (format!("{{{}}}", written.join(", ")), is_guess))
}
