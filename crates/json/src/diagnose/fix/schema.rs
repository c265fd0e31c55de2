//! Fixes of values that a schema does not accept.

use std::ops::Range;

use super::{RecordFix, json_string, members};
use crate::diagnose::advice::is_element;
use crate::diagnose::check::fits;
use crate::diagnose::parse::{self, is_json_number};
use crate::diagnose::value::{Kind, Member, Value};
use crate::schema::{Array, Empty, Object, Properties, Schema};
use evalcheck_core::suggest::is_same_word;

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
        Kind::Number(..) | Kind::Boolean(_) if takes_text => Some(quoted(value, raw)),
        Kind::String(text) if schema.number.is_some() && is_exact_number(text.trim()) => {
            Some(RecordFix::safe("Write the number without quotes").replace(span, text.trim()))
        }
        Kind::String(text) if schema.boolean && is_boolean(text) => Some(
            RecordFix::safe("Write the word without quotes").replace(span, text.trim().to_ascii_lowercase()),
        ),
        Kind::String(text) => {
            let (wrapped, guess) = wrapped(raw, schema)?;
            let fix = match guess {
                Guess::Role => {
                    RecordFix::not_safe("Put the text where the schema has one, with a guessed role")
                }
                Guess::OneEntry if !is_one_entry(text) => {
                    RecordFix::not_safe("Put the text in a list, which guesses that it is one entry")
                }
                Guess::OneEntry | Guess::Nothing => RecordFix::safe("Put the text where the schema has one"),
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
        Kind::Object(_) if schema.array.as_ref().is_some_and(|array| is_element(value, array.items)) => {
            Some(RecordFix::safe("Put the object in an array").replace(span, format!("[{raw}]")))
        }
        Kind::Null => Some(RecordFix::safe("Leave the key out").replace(removal?, "")),
        _ => None,
    }
}

/// A line that is an array of records, or a record in a string.
pub(in crate::diagnose) fn wrong_record(value: &Value<'_>, schema: &'static Schema) -> Option<RecordFix> {
    match &value.kind {
        Kind::Array(elements) if elements.iter().all(|element| fits(element, schema)) => {
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

/// A required key that is to be added, where one value of it says nothing or is the only one. Safe where no other key may hold
/// its content: all keys that are there are known.
pub(in crate::diagnose) fn add(
    members: &[Member<'_>],
    fields: &Properties,
    key: &str,
    schema: &Schema,
) -> Option<RecordFix> {
    let only = schema.string.as_ref().and_then(|string| match string.values {
        [only] => Some(json_string(only)),
        _ => None,
    });
    let add = |value: &str, is_certain| RecordFix::safe_if(is_certain, format!("Add \"{key}\": {value}"));
    let fix = |value: &str| add(value, all_known(members, fields));
    let (fix, value) = if schema.null {
        (fix("null"), "null".to_owned())
    } else if let Some(only) = only {
        (fix(&only), only)
    } else if schema.array.as_ref().is_some_and(|array| array.empty == Empty::Allow) {
        (add("[]", false), "[]".to_owned())
    } else {
        return None;
    };
    let (at, text) = members::insertion(members, &format!("\"{key}\": {value}"))?;
    Some(fix.replace(at, text))
}

/// The key that says what an object is, with the one value that its other keys fit. Safe where all of them are known: another
/// may be this key, misspelled.
pub(in crate::diagnose) fn add_tag(
    members: &[Member<'_>],
    fields: &Properties,
    key: &str,
    tag: &str,
) -> Option<RecordFix> {
    let (at, text) = members::insertion(members, &format!("\"{key}\": \"{tag}\""))?;
    let fix = RecordFix::safe_if(all_known(members, fields), format!("Add \"{key}\": \"{tag}\""));
    Some(fix.replace(at, text))
}

fn all_known(members: &[Member<'_>], fields: &Properties) -> bool {
    members.iter().all(|member| fields.position(member.key.as_bytes()).is_some())
}

/// Another name for a key that can only be this one.
pub(in crate::diagnose) fn rename(member: &Member<'_>, key: &str) -> RecordFix {
    RecordFix::safe(format!("Rename the key to \"{key}\"")).replace(member.key_span.clone(), json_string(key))
}

/// Another name for a key that may be this one.
pub(in crate::diagnose) fn rename_by_guess(member: &Member<'_>, key: &str) -> RecordFix {
    RecordFix::not_safe(format!("Rename the key to \"{key}\", which is a guess"))
        .replace(member.key_span.clone(), json_string(key))
}

/// A text under an unknown key, as the value that another key wants.
pub(in crate::diagnose) fn rewrite(
    member: &Member<'_>,
    key: &str,
    schema: &'static Schema,
    record: &[u8],
) -> Option<RecordFix> {
    let text = member.value.as_str()?;
    let (wrapped, guess) = wrapped(raw(&member.value, record)?, schema)?;
    let fix = match guess {
        Guess::Nothing if is_same_word(&member.key, key) => {
            RecordFix::safe(format!("Write it under \"{key}\""))
        }
        Guess::OneEntry if is_same_word(&member.key, key) && is_one_entry(text) => {
            RecordFix::safe(format!("Write it under \"{key}\""))
        }
        Guess::Role => RecordFix::not_safe(format!("Write it under \"{key}\", with a guessed role")),
        Guess::Nothing | Guess::OneEntry => {
            RecordFix::not_safe(format!("Write it under \"{key}\", which is a guess"))
        }
    };
    Some(fix.replace(member.key_span.start..member.value.span.end, format!("\"{key}\": {wrapped}")))
}

/// Members that belong in an object of these fields that is missing beside them. Their names and their values say so.
pub(in crate::diagnose) fn move_into(
    members: &[Member<'_>],
    holders: &[&Member<'_>],
    key: &str,
    fields: &'static Properties,
    record: &[u8],
) -> Option<RecordFix> {
    let fits = |holder: &&Member<'_>| {
        let field = fields.fields.iter().find(|field| field.key == holder.key);
        field.is_some_and(|field| fits(&holder.value, field.schema))
    };
    let title = format!("Move the keys into \"{key}\"");
    let mut fix = RecordFix::safe_if(holders.iter().all(fits), title);
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

/// A member that is one level too deep, in the value of `holder`; or that is another thing of the same name.
pub(in crate::diagnose) fn move_out(holder: &Member<'_>, key: &str, record: &[u8]) -> Option<RecordFix> {
    let Kind::Object(inner) = &holder.value.kind else { return None };
    let index = inner.iter().rposition(|member| member.key == key)?;
    let moved = text(record, &(inner[index].key_span.start..inner[index].value.span.end))?;
    let fix = RecordFix::not_safe(format!("Move \"{key}\" one level up, which is a guess"));
    if inner.len() == 1 {
        return Some(fix.replace(holder.key_span.start..holder.value.span.end, moved));
    }
    let start = holder.key_span.start;
    Some(fix.replace(start..start, format!("{moved}, ")).replace(members::with_comma(inner, index), ""))
}

/// A key that the schema does not have, and its value.
pub(in crate::diagnose) fn remove(members: &[Member<'_>], member: &Member<'_>) -> Option<RecordFix> {
    let index = members::index(members, &member.key_span)?;
    let fix = RecordFix::not_safe("Delete the key, whose value is lost");
    Some(fix.replace(members::with_comma(members, index), ""))
}

/// A number or a word as a string. Only an integer is surely written as the string would be: `1e3` may be the id 1000, and
/// `true` may be Python's `True`.
pub fn quoted(value: &Value<'_>, raw: &str) -> RecordFix {
    let is_integer = matches!(value.kind, Kind::Number(..)) && !raw.contains(['.', 'e', 'E']) && raw != "-0";
    let fix = if is_integer {
        RecordFix::safe("Put the value in double quotes")
    } else {
        RecordFix::not_safe("Put the value in double quotes, which guesses how it is spelled")
    };
    fix.replace(value.span.clone(), json_string(raw))
}

/// True for a JSON number that no reader rounds.
fn is_exact_number(text: &str) -> bool {
    /// Decimal digits that a double always holds.
    const DIGITS: usize = 15;
    is_json_number(text.as_bytes()) && text.bytes().filter(u8::is_ascii_digit).count() <= DIGITS
}

/// True for a text that can only be one entry of a list: nothing in it may separate entries.
///
/// ```
/// use evalcheck_json::diagnose::is_one_entry;
///
/// assert!(is_one_entry("travel_policy_2"));
/// assert!(!is_one_entry("d1, d2"));
/// ```
pub fn is_one_entry(text: &str) -> bool {
    let separates =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '/' | '[' | ']' | '{' | '}' | '"');
    !text.is_empty() && !text.contains(separates)
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

/// What the place guesses that a text was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guess {
    Nothing,
    /// That the text is one entry of a list, and not several.
    OneEntry,
    /// The role of the speaker.
    Role,
}

/// A string, as it is in the record, in the place where the values of a schema have their text; and what that guesses.
/// `None` where there are several such places.
fn wrapped(raw: &str, schema: &'static Schema) -> Option<(String, Guess)> {
    match schema {
        Schema { string: Some(string), .. } => {
            string.values.is_empty().then(|| (raw.to_owned(), Guess::Nothing))
        }
        Schema { array: Some(Array { items, .. }), .. } => {
            let (inner, guess) = wrapped(raw, items)?;
            Some((format!("[{inner}]"), guess.max(Guess::OneEntry)))
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

fn in_object(raw: &str, fields: &'static Properties, tag: Option<(&str, &str)>) -> Option<(String, Guess)> {
    let mut written = Vec::new();
    let (mut has_text, mut guess) = (false, Guess::Nothing);
    for field in fields.fields.iter().filter(|field| field.required) {
        let key = field.key;
        let values = field.schema.string.as_ref().map_or(&[][..], |string| string.values);
        let value = match (tag, values) {
            (Some((tag_key, tag)), _) if tag_key == key => json_string(tag),
            (_, [only]) => json_string(only),
            (_, values) if values.contains(&"user") => {
                guess = Guess::Role;
                json_string("user")
            }
            _ if has_text => return None,
            _ => {
                let (value, inner) = wrapped(raw, field.schema)?;
                guess = guess.max(inner);
                has_text = true;
                value
            }
        };
        written.push(format!("\"{key}\": {value}"));
    }
    has_text.then(|| (format!("{{{}}}", written.join(", ")), guess))
}
