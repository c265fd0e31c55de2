//! Values with the required content in another structure: JSON in a string, elements under their names, a text in parts.

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::{Safe, Unsafe};

use super::{LONGEST_JSON, Repair, Repairer, is_name};
use crate::advice::such_as;
use crate::compare::fits;
use crate::fix::value::begins_like_data;
use crate::fix::{RecordFix, join_lines, json_string};
use crate::parse;
use crate::place::Entered;
use crate::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{Object, Properties, Property, Schema, TextRole, Types};

/// The advice for a string that begins like an object or an array, but cannot be parsed.
const ENCODED_BADLY: &str = "The string begins like an object or an array that was converted to a text: write the value itself, with a JSON library.";

/// The key of a text in parts.
const PARTS: &str = "parts";

impl Repairer<'_> {
    /// An object or an array whose content fits the schema in another structure; `None` for any other.
    pub(super) fn of_structure(self, value: &Value<'_>, schema: &'static Schema) -> Option<Repair> {
        match &value.kind {
            Kind::Object(members) if schema.array.is_some() && parts_of(value).is_none() => {
                self.keyed(value, members, schema)
            }
            Kind::Object(_) => self.joined(value, std::slice::from_ref(value), schema),
            Kind::Array(elements) => self.joined(value, elements, schema),
            _ => None,
        }
    }

    /// An object or an array that was written as a string, as JSON or nearly: Python's `repr` is not JSON. If it does not fit, it is not
    /// treated as a text either.
    pub(super) fn encoded(self, value: &Value<'_>, text: &str, schema: &'static Schema) -> Option<Repair> {
        if !text.trim_start().starts_with(['{', '[']) || (schema.array.is_none() && schema.object.is_none()) {
            return None;
        }
        let is_certain = |written: &RecordFix| written.applicability == Safe && !text.contains('\u{fffd}');
        let one_line = text.trim().replace('\r', " ").into_bytes();
        let Some(written) = join_lines(&one_line, &[]).filter(is_certain) else {
            return begins_like_data(text).then(|| self.hint(&|| ENCODED_BADLY.to_owned()));
        };
        let inner_text = written.apply(&one_line);
        let inner = parse::parse(&inner_text).ok()?.value;
        // An entry of a list of texts may look like a list.
        let is_list_of_texts = inner.as_array().is_some_and(|elements| {
            elements.is_empty() || elements.iter().any(|element| element.as_str().is_some())
        });
        let safety = if is_list_of_texts { Unsafe } else { Safe };
        let name = inner.type_name();
        let is_json = parse::parse(&one_line).is_ok();
        Some(self.repair(
            fits(&inner, schema).then_some(safety),
            &|| {
                if is_json {
                    format!("The {name} was written as a string: write it without the quotes around it and the backslashes in it.")
                } else {
                    format!(
                        "The {name} was written as a string, perhaps by Python's str(): write the {name} itself."
                    )
                }
            },
            &|fix| {
                fix.titled_by_safety(format!("Take the {name} out of the string"))
                    .replace(value.span.clone(), String::from_utf8_lossy(&inner_text))
            },
        ))
    }

    /// The text of a missing key, in parts under Gemini's key for them.
    pub(super) fn in_parts(self, field: &'static Property, object: &Entered<'_, '_>) -> Option<Repair> {
        let string = field.schema.string.as_ref()?;
        if !string.values.is_empty() || string.role != TextRole::Prose {
            return None;
        }
        let (number, holder) = object.first_unknown().find(|(_, member)| member.key == PARTS)?;
        let parts = holder.value.as_array()?;
        let texts =
            parts.iter().map(text_of).collect::<Option<Vec<_>>>().filter(|texts| !texts.is_empty())?;
        object.explain(number);
        // The text between several parts is unknown.
        let only = if let [only] = texts[..] { self.text(&only.span) } else { None };
        Some(self.repair(
            only.map(|_| Unsafe),
            &|| {
                format!(
                    "The text is in \"{PARTS}\", as Gemini writes it: write it as \"{}\", a string.",
                    field.key
                )
            },
            &|fix| {
                let member = format!("\"{}\": {}", field.key, only.unwrap_or_default());
                fix.titled_by_safety(format!("Write the text of the part as \"{}\"", field.key))
                    .replace(holder.key_span.start..holder.value.span.end, member)
            },
        ))
    }

    /// An object or an array in place of a text, without that text in it.
    pub(super) fn as_text(self, value: &Value<'_>, schema: &'static Schema) -> Repair {
        let write = || format!("Write {}.", such_as(schema, value));
        let is_prose = schema.string.as_ref().is_some_and(|string| string.role == TextRole::Prose);
        let members = match &value.kind {
            Kind::Object(members) if is_prose => members,
            Kind::Array(elements) if elements.len() > 1 => {
                return self.hint(&|| {
                    "Write one text: choose one of the elements, or write all of them as one text, if they belong together.".to_owned()
                });
            }
            _ => return self.hint(&write),
        };
        // It contains a text or several, or refers to something.
        let is_number = |member: &Member<'_>| member.key.bytes().all(|byte| byte.is_ascii_digit());
        if members.iter().all(is_number)
            || schema.types().contains(Types::NUMBER.or(Types::ARRAY))
            || ["type", "text", "content", "role", PARTS].iter().any(|key| value.get(key).is_some())
        {
            return self.hint(&write);
        }
        let raw = self.text(&value.span);
        let written = || json_string(raw.unwrap_or_default());
        self.repair(
            raw.map(|_| Unsafe),
            &|| {
                let name = value.type_name();
                format!(
                    "Write a text. If the {name} itself is meant as the text, write its JSON in quotes: {}.",
                    clip(&written(), LONGEST_JSON)
                )
            },
            &|fix| {
                let title = format!(
                    "Write the JSON of the {} as a text, which guesses that it is meant",
                    value.type_name()
                );
                fix.titled(title).replace(value.span.clone(), written())
            },
        )
    }

    /// An object with the elements of a list under their names, or under their numbers.
    fn keyed(self, value: &Value<'_>, members: &[Member<'_>], schema: &'static Schema) -> Option<Repair> {
        let items = schema.array.as_ref()?.items;
        let are_unique = !members.is_empty() && members.iter().all(|member| !member.shadowed);
        if !are_unique {
            return None;
        }
        // The numbers begin with 0 or 1.
        let first = usize::from(members.first().is_some_and(|member| member.key == "1"));
        let is_index = |(index, member): (usize, &Member<'_>)| *member.key == (first + index).to_string();
        let fields = if let Some(Object::Properties(fields)) = &items.object { Some(fields) } else { None };
        let name = fields.and_then(|fields| names(fields).next());
        // The number may be the name of an element without one.
        let has_name = |member: &Member<'_>| name.is_none_or(|name| member.value.get(name).is_some());
        let are_elements = members.iter().enumerate().all(is_index)
            && members.iter().all(|member| has_name(member) && fits(&member.value, items));
        if are_elements {
            return Some(self.numbered(value, members));
        }
        let (fields, name) = (fields?, name?);
        if !members.iter().all(|member| is_named_by(member, name, fields)) {
            return self.keyed_parts(value, members, name, fields);
        }
        let are_known = members.iter().all(|member| known(member, fields).1 == 0);
        let is_certain = are_known && !members.iter().enumerate().all(is_index);
        let keys: Vec<_> = members.iter().map(|member| self.text(&member.key_span)).collect();
        let safety = if is_certain { Safe } else { Unsafe };
        Some(self.repair(
            keys.iter().all(Option::is_some).then_some(safety),
            &|| {
                format!(
                    "Write a list, with each key as the \"{name}\" of its element: [{{\"{name}\": ...}}]."
                )
            },
            &|fix| {
                let title = format!("Write a list, with each key as the \"{name}\" of its element");
                let opening = value.span.start..value.span.start + 1;
                let mut fix = fix.titled_by_safety(title).replace(opening, "[");
                for (member, key) in members.iter().zip(&keys) {
                    let Kind::Object(inner) = &member.value.kind else { continue };
                    let (start, brace) = (member.key_span.start, member.value.span.start);
                    let comma = if inner.is_empty() { "" } else { ", " };
                    fix = if member.value.get(name).is_some() {
                        fix.replace(start..brace, "")
                    } else {
                        let key = key.unwrap_or_default();
                        fix.replace(start..brace + 1, format!("{{\"{name}\": {key}{comma}"))
                    };
                }
                fix.replace(value.span.end - 1..value.span.end, "]")
            },
        ))
    }

    /// An object with the elements of a list under their numbers, in order.
    fn numbered(self, value: &Value<'_>, members: &[Member<'_>]) -> Repair {
        self.repair(
            Some(Unsafe),
            &|| "Write the values as an array, without the numbers: [ ... ].".to_owned(),
            &|fix| {
                let title =
                    "Write the values as an array, which guesses that the keys are only their numbers";
                let (start, end) = (value.span.start, value.span.end);
                let fix = fix.titled(title).replace(start..start + 1, "[").replace(end - 1..end, "]");
                let key = |member: &Member<'_>| member.key_span.start..member.value.span.start;
                members.iter().fold(fix, |fix, member| fix.replace(key(member), ""))
            },
        )
    }

    /// An object with parts of the elements of a list under their names. If an element needs nothing else, each part is put under its key.
    fn keyed_parts(
        self,
        value: &Value<'_>,
        members: &[Member<'_>],
        name: &str,
        fields: &'static Properties,
    ) -> Option<Repair> {
        let is_field = |member: &Member<'_>| fields.position(member.key.as_bytes()).is_some();
        if members.iter().any(is_field) {
            return None;
        }
        let required = || fields.fields.iter().filter(|field| field.required && field.key != name);
        let is_prose = |field: &&Property| {
            let string = field.schema.string.as_ref();
            string.is_some_and(|string| string.values.is_empty() && string.role == TextRole::Prose)
        };
        // If nothing else is required, a text is the text of the element.
        let mut others: Vec<&Property> = required().collect();
        if others.is_empty() {
            others.extend(fields.fields.iter().filter(is_prose));
        }
        let only = match others[..] {
            [field] if members.iter().all(|member| fits(&member.value, field.schema)) => Some(field),
            _ => None,
        };
        let are_parts =
            || members.iter().all(|member| matches!(member.value.kind, Kind::Object(_) | Kind::Array(_)));
        let Some(field) = only else {
            return are_parts().then(|| self.hint(&|| {
                format!("If the keys are names, write a list, with each key as the \"{name}\" of its element: [{{\"{name}\": ...}}].")
            }));
        };
        let part = field.key;
        let keys: Option<Vec<_>> = members.iter().map(|member| self.text(&member.key_span)).collect();
        Some(self.repair(
            keys.as_ref().map(|_| Unsafe),
            &|| {
                format!(
                    "Write a list, with each key as the \"{name}\" and its value as the \"{part}\" of an element: [{{\"{name}\": ..., \"{part}\": ...}}]."
                )
            },
            &|fix| {
                let title = format!("Write a list, with each key as the \"{name}\" of its element");
                let mut fix = fix.titled_by_safety(title).replace(value.span.start..value.span.start + 1, "[");
                for (member, key) in members.iter().zip(keys.iter().flatten()) {
                    let (start, end) = (member.value.span.start, member.value.span.end);
                    let opening = format!("{{\"{name}\": {key}, \"{part}\": ");
                    fix = fix.replace(member.key_span.start..start, opening).replace(end..end, "}");
                }
                fix.replace(value.span.end - 1..value.span.end, "]")
            },
        ))
    }

    /// A text in parts, or in one part, in place of a string.
    fn joined(self, value: &Value<'_>, parts: &[Value<'_>], schema: &'static Schema) -> Option<Repair> {
        let string = schema.string.as_ref()?;
        if !string.values.is_empty() || string.role != TextRole::Prose || parts.is_empty() {
            return None;
        }
        // Texts of a list are not parts of one text.
        if parts.iter().any(|part| part.as_str().is_some()) {
            return None;
        }
        let parts = match parts {
            [only] => parts_of(only).unwrap_or(parts),
            parts => parts,
        };
        let texts = parts.iter().map(text_of).collect::<Option<Vec<_>>>()?;
        let raw = || texts.iter().map(|text| self.text(&(text.span.start + 1..text.span.end - 1)));
        // A list of one may lack the others, unless it has the parts of a text.
        let is_part = |part: &Value<'_>| matches!(value.kind, Kind::Object(_)) || part.get("type").is_some();
        let (safety, advice, title) = match parts {
            [only] if is_part(only) => (Safe, "Write the text itself, as a string.", "Write the text itself"),
            [_] => (
                Unsafe,
                "Write the text itself, as a string.",
                "Write the text itself, which loses that it was a list",
            ),
            _ => (
                Unsafe,
                "Write one string.",
                "Join the parts by line breaks, which guesses what is between them",
            ),
        };
        Some(self.repair(raw().all(|text| text.is_some()).then_some(safety), &|| advice.to_owned(), &|fix| {
            let joined: Vec<&str> = raw().flatten().collect();
            fix.titled(title).replace(value.span.clone(), format!("\"{}\"", joined.join("\\n")))
        }))
    }
}

/// The keys of an object that hold a name of it. The first is its main name.
fn names(fields: &'static Properties) -> impl Iterator<Item = &'static str> {
    fields.fields.iter().filter(|field| is_name(field.schema)).map(|field| field.key)
}

/// The number of keys of a member's value that are fields, and the number of others.
fn known(member: &Member<'_>, fields: &Properties) -> (usize, usize) {
    let Kind::Object(inner) = &member.value.kind else { return (0, 0) };
    let known = inner.iter().filter(|member| fields.position(member.key.as_bytes()).is_some()).count();
    (known, inner.len() - known)
}

/// Whether the value of a member becomes an object of these fields if the member's key is added as its name. If the value already has a
/// name, it equals the key.
fn is_named_by(member: &Member<'_>, name: &str, fields: &'static Properties) -> bool {
    let Kind::Object(inner) = &member.value.kind else { return false };
    let is_same = |key: &str| member.value.get(key).is_none_or(|value| value.as_str() == Some(&*member.key));
    known(member, fields).0 > 0
        && names(fields).all(is_same)
        && fields.fields.iter().all(|field| {
            let found = live(inner).find(|member| member.key == field.key);
            found.map_or(!field.required || field.key == name, |found| fits(&found.value, field.schema))
        })
}

/// The parts of an object that has nothing else, as Gemini writes a text: `{"parts": [{"text": ...}]}`.
fn parts_of<'v, 'a>(value: &'v Value<'a>) -> Option<&'v [Value<'a>]> {
    let Kind::Object(members) = &value.kind else { return None };
    let [only] = &members[..] else { return None };
    only.value.as_array().filter(|parts| only.key == PARTS && !parts.is_empty())
}

/// The string of a part: the part itself, or the text of a part that has nothing else.
fn text_of<'v, 'a>(part: &'v Value<'a>) -> Option<&'v Value<'a>> {
    match &part.kind {
        Kind::String(_) => Some(part),
        Kind::Object(members) => {
            let is_type = |member: &Member<'_>| member.key == "type" && member.value.as_str() == Some("text");
            let mut others = members.iter().filter(|member| !is_type(member));
            let text = others.next().filter(|member| member.key == "text" && others.next().is_none())?;
            text.value.as_str().map(|_| &text.value)
        }
        _ => None,
    }
}
