//! Content in the words of another system: a conversation of `from` and `value` in place of `role` and `content`.

use std::ops::Range;

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::Unsafe;

use super::gathered::{SYSTEM, SYSTEM_KEYS};
use super::{Repair, Repairer};
use crate::compare::{Variants, fits};
use crate::fix::{json_string, members};
use crate::kin::{are_synonyms, value_for};
use crate::place::Entered;
use crate::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{Object, Properties, Property, Schema};

/// The number of pairs of words that a hint lists.
const MOST_PAIRS: usize = 6;

/// Edits of a value, in the order of the bytes.
type Edits = Vec<(Range<usize>, String)>;

impl Repairer<'_> {
    /// A member whose value fits the schema of `key` after its keys and words are translated; `around` is the key of an outer object that
    /// is missing too. `None` for other values. The words of two systems seldom mean exactly the same.
    pub(super) fn translated(
        self,
        member: &Member<'_>,
        key: &str,
        around: Option<&str>,
        schema: &'static Schema,
        object: &Entered<'_, '_>,
    ) -> Option<Repair> {
        let edits = translation(&member.value, schema)?;
        let system = self.system_beside(member, schema, object);
        if let Some(System { number: Some(number), .. }) = system {
            object.explain(number);
        }
        let moved = || {
            let of_system = |system: &System<'_>| {
                format!("; write \"{}\" as its first element, {}", clip(system.key, 80), system.shown())
            };
            system.as_ref().map(of_system).unwrap_or_default()
        };
        let name = || clip(&member.key, 80);
        Some(self.repair(
            Some(Unsafe),
            &|| match (around, &edits[..]) {
                (None, [(span, text)]) if *span == member.value.span => {
                    format!("If \"{}\" holds it, write \"{key}\": {text} instead.", name())
                }
                (None, _) => {
                    format!(
                        "If \"{}\" holds it, rename it to \"{key}\"{}{}.",
                        name(),
                        self.pairs(&edits),
                        moved()
                    )
                }
                (Some(around), _) => format!(
                    "If \"{}\" holds it, write it as \"{around}\": {{\"{key}\": ...}}{}{}.",
                    name(),
                    self.pairs(&edits),
                    moved()
                ),
            },
            &|fix| {
                let mut fix = fix.titled_by_safety(format!("Write \"{}\" as \"{key}\"", name()));
                let opening = around.map(|around| format!("\"{around}\": {{")).unwrap_or_default();
                let renamed = format!("{opening}{}", json_string(key));
                match &system {
                    // Two edits do not touch each other.
                    Some(system) if system.member.end == member.key_span.start => {
                        fix = fix.replace(system.member.start..member.key_span.end, renamed);
                    }
                    Some(system) => {
                        fix =
                            fix.replace(system.member.clone(), "").replace(member.key_span.clone(), renamed);
                    }
                    None => fix = fix.replace(member.key_span.clone(), renamed),
                }
                if let Some(system) = &system {
                    fix = fix.replace(system.at..system.at, format!("{}, ", system.turn));
                }
                for (span, text) in &edits {
                    fix = fix.replace(span.clone(), text.as_str());
                }
                let end = member.value.span.end;
                if around.is_some() { fix.replace(end..end, "}") } else { fix }
            },
        ))
    }

    /// The instruction to the model beside a conversation of another system, if the schema has a turn for it and the conversation has none.
    fn system_beside<'o>(
        self,
        conversation: &Member<'_>,
        schema: &'static Schema,
        object: &'o Entered<'_, '_>,
    ) -> Option<System<'o>> {
        let (role, text) = system_turn(schema)?;
        let turns = conversation.value.as_array()?;
        let is_system = |turn: &Value<'_>| {
            let Kind::Object(members) = &turn.kind else { return false };
            let mut roles =
                members.iter().filter(|member| member.key == role || are_synonyms(role, &member.key));
            roles.any(|member| member.value.as_str() == Some(SYSTEM))
        };
        let is_free = |member: &&Member<'_>| {
            SYSTEM_KEYS.contains(&&*member.key) && object.fields.position(member.key.as_bytes()).is_none()
        };
        let mut beside = live(object.members).filter(is_free);
        let member = beside.next().filter(|_| beside.next().is_none())?;
        let is_blank = member.value.as_str().is_none_or(|text| text.trim().is_empty());
        if is_blank || !fits(&member.value, text.schema) || turns.iter().any(is_system) {
            return None;
        }
        let raw = self.text(&member.value.span)?;
        let index = members::index(object.members, &member.key_span)?;
        let is_member = |(_, other): &(usize, &Member<'_>)| other.key_span == member.key_span;
        Some(System {
            key: &member.key,
            role,
            text: text.key,
            turn: format!("{{\"{role}\": \"{SYSTEM}\", \"{}\": {raw}}}", text.key),
            at: turns.first()?.span.start,
            member: members::with_comma(object.members, index),
            number: object.first_unknown().find(is_member).map(|(number, _)| number),
        })
    }

    /// A turn of a conversation without the tag of its kind, if it has the keys of another system: `from` and `value`.
    pub(crate) fn translated_turn(
        self,
        members: &[Member<'_>],
        key: &str,
        variants: Variants,
    ) -> Option<Repair> {
        let mut edits = Edits::new();
        let is_other = translate_tagged(members, key, variants, &mut edits) && !edits.is_empty();
        is_other.then(|| {
            self.repair(
                Some(Unsafe),
                &|| {
                    let pairs = self.pairs(&edits);
                    format!(
                        "The keys are those of another system: write {}.",
                        pairs.trim_start_matches(", and in it ")
                    )
                },
                &|fix| {
                    let fix = fix.titled_by_safety("Write the keys and words of this format".to_owned());
                    edits.iter().fold(fix, |fix, (span, text)| fix.replace(span.clone(), text.as_str()))
                },
            )
        })
    }

    /// `, and in it "from" as "role", "human" as "user"`: the edits in words.
    fn pairs(self, edits: &Edits) -> String {
        let mut pairs: Vec<String> = Vec::new();
        for (span, text) in edits {
            let pair = format!("{} as {text}", self.text(span).unwrap_or_default());
            if pairs.len() < MOST_PAIRS && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        if pairs.is_empty() { String::new() } else { format!(", and in it {}", pairs.join(", ")) }
    }
}

/// An instruction to the model that becomes the first turn of a conversation.
struct System<'o> {
    key: &'o str,
    /// The key of the role of a turn, and that of its text.
    role: &'static str,
    text: &'static str,
    /// The turn, and where it is written.
    turn: String,
    at: usize,
    /// The bytes of the member and its comma.
    member: Range<usize>,
    /// The index of the member among the unknown ones.
    number: Option<usize>,
}

impl System<'_> {
    fn shown(&self) -> String {
        format!("{{\"{}\": \"{SYSTEM}\", \"{}\": ...}}", self.role, self.text)
    }
}

/// The key of the role of a turn in a list of this schema, and the field of the text of an instruction.
fn system_turn(schema: &'static Schema) -> Option<(&'static str, &'static Property)> {
    let other = |fields: &'static Properties, role: &str| {
        let mut others = fields.fields.iter().filter(|field| field.required && field.key != role);
        others.next().filter(|_| others.next().is_none())
    };
    match schema.array.as_ref()?.items.object.as_ref()? {
        Object::Tagged { key, variants } => {
            let (_, fields) = variants.iter().find(|(tag, _)| *tag == SYSTEM)?;
            Some((key, other(fields, key)?))
        }
        Object::Properties(fields) => {
            let is_role = |field: &&Property| {
                field.schema.string.as_ref().is_some_and(|string| string.values.contains(&SYSTEM))
            };
            let role = fields.fields.iter().filter(|field| field.required).find(is_role)?.key;
            Some((role, other(fields, role)?))
        }
        Object::Keyed(_) => None,
    }
}

/// The edits that turn a value into one of the schema; `None` if synonyms do not suffice.
fn translation(value: &Value<'_>, schema: &'static Schema) -> Option<Edits> {
    let mut edits = Edits::new();
    translate(value, schema, &mut edits).then_some(edits)
}

fn translate(value: &Value<'_>, schema: &'static Schema, edits: &mut Edits) -> bool {
    match &value.kind {
        Kind::String(text) => {
            let values = schema.string.as_ref().map_or(&[][..], |string| string.values);
            if values.is_empty() || values.contains(&&**text) {
                return fits(value, schema);
            }
            let meant = value_for(text, values).map(json_string);
            edits.extend(meant.iter().map(|meant| (value.span.clone(), meant.clone())));
            meant.is_some()
        }
        Kind::Array(elements) if let Some(array) = &schema.array => {
            !elements.is_empty() && elements.iter().all(|element| translate(element, array.items, edits))
        }
        Kind::Object(members) => match &schema.object {
            Some(Object::Properties(fields)) => translate_fields(members, fields, edits),
            Some(Object::Tagged { key, variants }) => translate_tagged(members, key, variants, edits),
            _ => fits(value, schema),
        },
        _ => fits(value, schema),
    }
}

/// The same for an object whose fields depend on a tag, which may be in other words too.
fn translate_tagged(members: &[Member<'_>], key: &str, variants: Variants, edits: &mut Edits) -> bool {
    let tag = live(members).find(|member| member.key == key || are_synonyms(key, &member.key));
    let Some((tag, text)) = tag.and_then(|tag| Some((&tag.value, tag.value.as_str()?))) else { return false };
    let tags: Vec<&str> = variants.iter().map(|(tag, _)| *tag).collect();
    let known = tags.iter().copied().find(|known| *known == text);
    let meant = known.or_else(|| value_for(text, &tags));
    let Some((meant, fields)) = variants.iter().find(|(tag, _)| Some(*tag) == meant) else { return false };
    if !translate_fields(members, fields, edits) {
        return false;
    }
    if known.is_none() {
        edits.push((tag.span.clone(), json_string(meant)));
    }
    true
}

fn translate_fields(members: &[Member<'_>], fields: &'static Properties, edits: &mut Edits) -> bool {
    let is_known = |member: &&Member<'_>| fields.position(member.key.as_bytes()).is_some();
    // Members are in the order of the bytes.
    live(members).all(|member| {
        if let Some(field) = fields.fields.iter().find(|field| member.key == field.key) {
            return translate(&member.value, field.schema, edits);
        }
        let is_missing = |key: &str| live(members).all(|other| other.key != key);
        let mut meant = fields
            .fields
            .iter()
            .filter(|field| field.required && is_missing(field.key) && are_synonyms(field.key, &member.key));
        match (meant.next(), meant.next()) {
            (Some(field), None) => {
                edits.push((member.key_span.clone(), json_string(field.key)));
                translate(&member.value, field.schema, edits)
            }
            (Some(_), Some(_)) => false,
            (None, _) => true,
        }
    }) && fields.fields.iter().filter(|field| field.required).all(|field| {
        let meant = live(members).filter(|member| !is_known(member) && are_synonyms(field.key, &member.key));
        live(members).any(|member| member.key == field.key) || meant.count() == 1
    })
}
