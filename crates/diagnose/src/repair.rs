//! Decides on the repair of a difference: the hint, the edits that resolve it, and whether they are safe.
//!
//! For a difference that is only counted, it only decides whether there are edits and whether they are safe. It then writes no texts.

mod gathered;
mod keys;
mod moved;
mod strings;
mod structure;
mod translated;

use std::ops::Range;

use evalcheck_core::excerpt::clip;
use evalcheck_core::names;
use evalcheck_core::suggest::is_same_word;
use evalcheck_report::Applicability::{self, Safe, Unsafe};

use super::advice::{Advice, for_value, listed, quoted_values, such_as};
use super::compare::{Owner, Variants, fits};
use super::epoch::{Instant, have_same_form, instant};
use super::fix::value::{bit, in_quotes, quotes_are_safe};
use super::fix::{RecordFix, json_string, members};
use super::kin::value_for;
use super::parse;
use super::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{Object, Properties, Property, Schema, TextRole};

/// The repair of a difference.
pub(super) struct Repair {
    /// The hint; empty if the finding is only counted.
    pub(super) advice: Advice,
    /// Whether the edits that resolve it are safe; `None` without edits.
    pub(super) safety: Option<Applicability>,
    /// The edits, if the finding is kept.
    pub(super) fix: Option<RecordFix>,
}

/// Decides on the repairs of the differences of a record.
#[derive(Clone, Copy)]
pub(super) struct Repairer<'r> {
    /// The bytes of the record; empty if no edits can be made.
    pub(super) record: &'r [u8],
    /// Whether the finding is kept.
    pub(super) is_kept: bool,
}

/// The length of the longest JSON in a hint, in characters.
const LONGEST_JSON: usize = 120;

/// Adds title and edits to a fix.
type Edits<'e> = dyn Fn(RecordFix) -> RecordFix + 'e;

impl<'r> Repairer<'r> {
    /// A hint, and the edits if there is a `safety`.
    pub(super) fn repair(
        self,
        safety: Option<Applicability>,
        advice: &dyn Fn() -> String,
        edits: &Edits<'_>,
    ) -> Repair {
        let safety = safety.filter(|_| !self.record.is_empty());
        let advice = if self.is_kept { advice() } else { String::new() };
        let fix = safety.filter(|_| self.is_kept).map(|safety| edits(RecordFix::new(safety)));
        Repair { advice: advice.into(), safety, fix }
    }

    /// A hint only.
    pub(super) fn hint(self, advice: &dyn Fn() -> String) -> Repair {
        self.repair(None, advice, &|fix| fix)
    }

    /// A span of the record as written.
    pub(super) fn text(self, span: &Range<usize>) -> Option<&'r str> {
        let bytes = self.record.get(span.clone()).filter(|_| !self.record.is_empty())?;
        std::str::from_utf8(bytes).ok()
    }

    /// A value of a wrong type; `removable` is its member, if that may be omitted.
    pub(super) fn of_type(
        self,
        value: &Value<'_>,
        schema: &'static Schema,
        removable: Option<Owner<'_, '_>>,
    ) -> Repair {
        let raw = self.text(&value.span);
        let replace = |fix: RecordFix, text: &str| fix.replace(value.span.clone(), text);
        let write = || format!("Write {}.", such_as(schema, value));
        if let Some(key) = key_for(value, schema) {
            return self.repair(
                raw.map(|_| Safe),
                &|| format!("Put the array under the key \"{key}\": {{\"{key}\": [ ... ]}}."),
                &|fix| {
                    let fix = fix.titled(format!("Put the array under the key \"{key}\""));
                    replace(fix, &format!("{{\"{key}\": {}}}", raw.unwrap_or_default()))
                },
            );
        }
        if schema.string.as_ref().is_some_and(|string| string.json) && !matches!(value.kind, Kind::Null) {
            let written = || json_string(raw.unwrap_or_default());
            return self.repair(
                raw.map(|_| Safe),
                &|| format!("Write the JSON as a string: {}.", clip(&written(), LONGEST_JSON)),
                &|fix| replace(fix.titled("Write the JSON as a string"), &written()),
            );
        }
        // A schema of texts with an example requires a form, which no number has.
        let takes_text =
            schema.example.is_none() && schema.string.as_ref().is_some_and(|string| string.values.is_empty());
        match &value.kind {
            Kind::Number(_, text)
                if let Some(Instant { json, unit }) = instant(text)
                    && schema.string.is_some()
                    && schema.example.is_some_and(|example| have_same_form(example, &json)) =>
            {
                self.repair(
                    Some(Unsafe),
                    &|| format!("Read as {unit} since 1970, this is {json}: write that."),
                    &|fix| {
                        let title = format!(
                            "Write the instant, which guesses that the number counts {unit} since 1970"
                        );
                        replace(fix.titled(title), &json)
                    },
                )
            }
            Kind::Number(_, text) if is_name(schema) && names::is_rounded(text.as_bytes()) => {
                self.hint(&|| names::ROUNDED.to_owned())
            }
            Kind::Number(_, text) if takes_text => self.quotes(value, text),
            Kind::Boolean(true) if takes_text => self.quotes(value, "true"),
            Kind::Boolean(false) if takes_text => self.quotes(value, "false"),
            Kind::Number(..)
                if schema.boolean
                    && let Some(word) = bit(raw.unwrap_or_default()) =>
            {
                self.repair(Some(Safe), &|| format!("Write {word}."), &|fix| {
                    replace(fix.titled(format!("Write {word}")), word)
                })
            }
            Kind::String(text) => self.of_string(value, text, schema),
            Kind::Array(elements)
                if let [only] = &elements[..]
                    && fits(only, schema) =>
            {
                // A list of one text, such as accepted answers, may lack the others.
                let safety = if matches!(only.kind, Kind::Object(_)) { Safe } else { Unsafe };
                let only = self.text(&only.span);
                self.repair(
                    only.map(|_| safety),
                    &|| "Write the element itself, without the array around it.".to_owned(),
                    &|fix| {
                        let title = "Write the element without the array around it";
                        let fix = match safety {
                            Safe => fix.titled(title),
                            Unsafe => fix.titled(format!("{title}, which loses that it was a list")),
                        };
                        replace(fix, only.unwrap_or_default())
                    },
                )
            }
            Kind::Object(_) if schema.array.as_ref().is_some_and(|array| is_element(value, array.items)) => {
                self.repair(
                    raw.map(|_| Safe),
                    &|| "Wrap the object in an array: [ ... ].".to_owned(),
                    &|fix| {
                        let fix = fix.titled("Put the object in an array");
                        replace(fix, &format!("[{}]", raw.unwrap_or_default()))
                    },
                )
            }
            Kind::Array(_) | Kind::Object(_) if let Some(repair) = self.of_structure(value, schema) => repair,
            Kind::Null if let Some((members, index)) = removable => self.repair(
                Some(Safe),
                &|| format!("Leave the key out, or write {}.", such_as(schema, value)),
                &|fix| fix.titled("Leave the key out").delete_member(members, index),
            ),
            Kind::Array(_) | Kind::Object(_) if takes_text => self.as_text(value, schema),
            Kind::Null if takes_text => {
                self.hint(&|| "Write the text. Where there is none, leave out the object, or what is of no use without it.".to_owned())
            }
            _ => self.hint(&write),
        }
    }

    /// A number or a word in the place of a string.
    fn quotes(self, value: &Value<'_>, raw: &str) -> Repair {
        self.repair(
            Some(quotes_are_safe(value, raw)),
            &|| format!("Put the value in double quotes: \"{}\".", clip(raw, 80)),
            &|fix| in_quotes(fix, value, raw),
        )
    }

    /// An array in place of an element of a list: an array around a part of the list.
    pub(super) fn of_element(self, value: &Value<'_>, schema: &'static Schema) -> Repair {
        let Kind::Array(elements) = &value.kind else { return self.of_type(value, schema, None) };
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
            return self.of_type(value, schema, None);
        };
        if schema.object.is_none() || !elements.iter().all(|element| fits(element, schema)) {
            return self.of_type(value, schema, None);
        }
        self.repair(
            Some(Unsafe),
            &|| "Take the inner brackets off: the elements belong to the list around them.".to_owned(),
            &|fix| {
                fix.titled("Take the inner brackets off, which guesses that all elements belong to one list")
                    .replace(value.span.start..first.span.start, "")
                    .replace(last.span.end..value.span.end, "")
            },
        )
    }

    /// A record of a wrong type: a line that is an array of records, or a record in a string.
    pub(super) fn of_record(self, value: &Value<'_>, schema: &'static Schema) -> Repair {
        match &value.kind {
            Kind::Array(elements) => {
                let are_records =
                    !elements.is_empty() && elements.iter().all(|element| fits(element, schema));
                let split = |fix: RecordFix| {
                    let (Some(first), Some(last)) = (elements.first(), elements.last()) else { return fix };
                    let fix = fix
                        .titled("Put each record on its own line")
                        .replace(value.span.start..first.span.start, "")
                        .replace(last.span.end..value.span.end, "");
                    elements
                        .windows(2)
                        .fold(fix, |fix, pair| fix.replace(pair[0].span.end..pair[1].span.start, "\n"))
                };
                let are_values = elements.iter().all(|element| !matches!(element.kind, Kind::Object(_)));
                let advice = if are_values && schema.types().contains(evalcheck_json::schema::Types::OBJECT) {
                    "A line must be one record, an object with the names of its values. If this is the row of a table, export it with its names (in pandas: to_json(path, orient=\"records\", lines=True))."
                } else {
                    "A line must be one record. To split an array of records into lines, use jq -c '.[]' FILE."
                };
                self.repair(are_records.then_some(Safe), &|| advice.to_owned(), &split)
            }
            Kind::String(text) => {
                let inner = parse::parse(text.as_bytes()).ok();
                let is_record = inner.is_some_and(|inner| schema.types().contains(inner.value.types()))
                    && !text.contains('\n');
                if !text.contains(['{', '[']) {
                    return Self { record: &[], ..self }.of_type(value, schema, None);
                }
                self.repair(
                    is_record.then_some(Safe),
                    &|| {
                        "The record itself was written as a string: write it without the quotes around it and the backslashes in it."
                            .to_owned()
                    },
                    &|fix| {
                        fix.titled("Take the record out of the string")
                            .replace(value.span.clone(), text.trim())
                    },
                )
            }
            Kind::Object(_) if schema.array.as_ref().is_some_and(|array| is_element(value, array.items)) => {
                let raw = self.text(&value.span);
                self.repair(
                    raw.map(|_| Unsafe),
                    &|| "Wrap the object in an array: [ ... ].".to_owned(),
                    &|fix| {
                        fix.titled("Put the object in an array, which guesses that no other belongs to it")
                            .replace(value.span.clone(), format!("[{}]", raw.unwrap_or_default()))
                    },
                )
            }
            _ => Self { record: &[], ..self }.of_type(value, schema, None),
        }
    }

    /// A string that is not one of these values.
    pub(super) fn of_choice(self, value: &Value<'_>, text: &str, values: &[&str]) -> Repair {
        self.choose(value, text, values, None)
    }

    /// An unknown tag: the value of the key that distinguishes kinds of objects. The other keys of the object may show which was meant.
    pub(super) fn of_tag(
        self,
        members: &[Member<'_>],
        value: &Value<'_>,
        tag: &str,
        key: &str,
        variants: Variants,
    ) -> Repair {
        let is_meant = |known: &&str| is_same_word(known, tag);
        let unlisted = variants.iter().filter(|(_, fields)| fields.unlisted).map(|(known, _)| *known);
        let tags: Vec<&str> = listed(variants).chain(unlisted.filter(is_meant)).collect();
        self.choose(value, tag, &tags, fitting(members, variants, key).map(|(tag, _)| *tag))
    }

    /// Replaces a value by one of `values`; `fitting` is the one that the other keys suggest.
    fn choose(self, value: &Value<'_>, text: &str, values: &[&str], fitting: Option<&str>) -> Repair {
        let same = values.iter().copied().find(|known| is_same_word(known, text));
        let meant = same.or(fitting).or_else(|| value_for(text, values));
        self.repair(
            meant.map(|_| if same.is_some() { Safe } else { Unsafe }),
            &|| match meant {
                Some(meant) if fitting == Some(meant) => {
                    format!("The other keys fit \"{meant}\": write that here.")
                }
                _ => for_value(meant, values),
            },
            &|fix| {
                let meant = meant.unwrap_or_default();
                fix.titled_by_safety(format!("Write \"{meant}\""))
                    .replace(value.span.clone(), json_string(meant))
            },
        )
    }

    /// A missing tag. The other keys of the object may show which one. That is certain only if all of them are known: an unknown key may be
    /// the misspelled tag.
    pub(super) fn of_missing_tag(self, members: &[Member<'_>], key: &str, variants: Variants) -> Repair {
        let Some((tag, fields)) = fitting(members, variants, key) else {
            let tags = || quoted_values(listed(variants));
            return self.hint(&|| format!("Add the key \"{key}\", one of {}.", tags()));
        };
        let member = || format!("\"{key}\": \"{tag}\"");
        self.insertion(members, fields, true, &|| format!("Add {}.", member()), &member)
    }

    /// Inserts a member before the others of an object. That is a guess unless all the others are known.
    fn insertion(
        self,
        members: &[Member<'_>],
        fields: &Properties,
        is_certain: bool,
        advice: &dyn Fn() -> String,
        member: &dyn Fn() -> String,
    ) -> Repair {
        let is_known = |member: &Member<'_>| fields.position(member.key.as_bytes()).is_some();
        let are_known =
            || members.iter().all(|member| is_known(member) || is_moved_in(member, members, fields));
        let safety = members.first().map(|_| if is_certain && are_known() { Safe } else { Unsafe });
        self.repair(safety, advice, &|fix| {
            let member = member();
            let fix = fix.titled_by_safety(format!("Add {member}"));
            match members::insertion(members, &member) {
                Some((at, text)) => fix.replace(at, text),
                None => fix,
            }
        })
    }
}

/// Whether a member is certainly moved into an object that its own object lacks, by [`Repairer::moved_in`].
fn is_moved_in(member: &Member<'_>, members: &[Member<'_>], fields: &Properties) -> bool {
    let number = |field: &Property| live(members).filter(|member| field.is_named(&member.key)).count();
    fields.fields.iter().any(|field| {
        let Some(Object::Properties(inner)) = &field.schema.object else { return false };
        let of_inner = inner.fields.iter().find(|field| field.is_named(&member.key));
        field.required
            && number(field) == 0
            && inner.fields.iter().all(|field| (usize::from(field.required)..2).contains(&number(field)))
            && of_inner.is_some_and(|field| fits(&member.value, field.schema))
    })
}

/// Whether the schema is that of a name that is not one of a list.
fn is_name(schema: &Schema) -> bool {
    schema.string.as_ref().is_some_and(|string| string.role == TextRole::Name && string.values.is_empty())
}

/// The variant whose required keys the object has, if it is the only one.
fn fitting(
    members: &[Member<'_>],
    variants: Variants,
    key: &str,
) -> Option<&'static (&'static str, Properties)> {
    let mut fitting = variants.iter().filter(|(_, fields)| {
        let mut own = fields.fields.iter().filter(|field| field.required && field.key != key).peekable();
        own.peek().is_some() && own.all(|field| live(members).any(|member| member.key == field.key))
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

/// Whether an object is one element of a list: it fits, and has only keys of an element. An object that holds elements by their ids has
/// other keys.
fn is_element(value: &Value<'_>, items: &'static Schema) -> bool {
    let (Kind::Object(members), Some(object)) = (&value.kind, &items.object) else { return false };
    let is_known =
        |member: &Member<'_>| object.sets().any(|fields| fields.position(member.key.as_bytes()).is_some());
    !members.is_empty() && members.iter().all(is_known) && fits(value, items)
}

/// The key under which an array belongs, in an object of this schema.
fn key_for(value: &Value<'_>, schema: &Schema) -> Option<&'static str> {
    let (Kind::Array(elements), Some(Object::Properties(fields))) = (&value.kind, &schema.object) else {
        return None;
    };
    // An empty list fits any key.
    if elements.is_empty() {
        return None;
    }
    let is_enough = |key: &str| fields.fields.iter().all(|field| !field.required || field.key == key);
    let mut fitting = fields.fields.iter().filter(|field| fits(value, field.schema));
    fitting.next().map(|field| field.key).filter(|key| fitting.next().is_none() && is_enough(key))
}
