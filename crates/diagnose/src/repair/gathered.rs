//! Texts under keys of another system that together form an object: a role and a text, a prompt and a response.

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::Unsafe;

use super::{Repair, Repairer};
use crate::compare::fits;
use crate::fix::{json_string, members};
use crate::kin::{are_synonyms, value_for};
use crate::place::Entered;
use crate::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{Object, Properties, Property, Schema};

/// The role of the instructions to the model.
pub(super) const SYSTEM: &str = "system";

/// Keys of other systems for these instructions, beside the conversation.
pub(super) const SYSTEM_KEYS: [&str; 5] =
    ["system", "system_prompt", "system_message", "system_instruction", "instructions"];

impl Repairer<'_> {
    /// An object with one member that gives two required fields: its key is the value of one, its value the value of the other, as in
    /// `{"user": "Hi"}`. The repair explains why both are missing.
    pub(super) fn value_as_key(self, object: &Entered<'_, '_>) -> Option<Repair> {
        let [member] = object.members else { return None };
        let mut required = object.fields.fields.iter().filter(|field| field.required);
        let (Some(one), Some(two), None) = (required.next(), required.next(), required.next()) else {
            return None;
        };
        let values = |field: &Property| field.schema.string.as_ref().map_or(&[][..], |string| string.values);
        let (named, other) = if values(one).is_empty() { (two, one) } else { (one, two) };
        let value = value_for(&member.key, values(named))?;
        if object.unknown.is_empty() || member.value.as_str().is_none() || !fits(&member.value, other.schema)
        {
            return None;
        }
        object.explain(0);
        object.settle(named);
        object.settle(other);
        let (key, text) = (named.key, other.key);
        Some(self.repair(
            Some(Unsafe),
            &|| {
                let name = clip(&member.key, 80);
                format!("The key \"{name}\" is the \"{key}\" of the text: write {{\"{key}\": \"{value}\", \"{text}\": ...}}.")
            },
            &|fix| {
                fix.titled_by_safety(format!("Write the key as the value of \"{key}\""))
                    .replace(member.key_span.clone(), format!("\"{key}\": \"{value}\", \"{text}\""))
            },
        ))
    }

    /// A missing list of objects whose required texts the object has under keys of the same meaning: they become one element. Blank texts
    /// are not needed; if several others match one key, it is unknown how to join them.
    pub(super) fn gathered(
        self,
        key: &str,
        schema: &'static Schema,
        object: &Entered<'_, '_>,
    ) -> Option<Repair> {
        let Some(Object::Properties(inner)) = &schema.array.as_ref()?.items.object else { return None };
        let required = || inner.fields.iter().filter(|field| field.required);
        let holds = |member: &Member<'_>, field: &Property| {
            are_synonyms(field.key, &member.key) && member.value.as_str().is_some()
        };
        let holders = || {
            let is_holder = |(_, member): &(usize, &Member<'_>)| required().any(|field| holds(member, field));
            object.first_unknown().filter(is_holder)
        };
        let is_blank = |member: &Member<'_>| member.value.as_str().is_some_and(|text| text.trim().is_empty());
        let mut is_certain = true;
        let mut parts = Vec::new();
        for field in required() {
            let mut meant = holders().filter(|(_, member)| holds(member, field) && !is_blank(member));
            let (_, member) = meant.next().filter(|(_, member)| fits(&member.value, field.schema))?;
            is_certain &=
                meant.next().is_none() && required().filter(|other| holds(member, other)).count() == 1;
            parts.push((field.key, member));
        }
        if parts.len() < 2 {
            return None;
        }
        holders().for_each(|(number, _)| object.explain(number));
        let raw: Option<Vec<_>> = parts.iter().map(|(_, member)| self.text(&member.value.span)).collect();
        Some(self.repair(
            raw.as_ref().filter(|_| is_certain).map(|_| Unsafe),
            &|| {
                let names: Vec<String> = holders()
                    .filter(|(_, member)| !is_blank(member))
                    .map(|(_, member)| json_string(&clip(&member.key, 80)))
                    .collect();
                let shown: Vec<String> = parts.iter().map(|(key, _)| format!("\"{key}\": ...")).collect();
                format!(
                    "If {} hold it, write \"{key}\": [{{{}}}] in their place.",
                    names.join(", "),
                    shown.join(", ")
                )
            },
            &|fix| {
                let written: Vec<String> = parts
                    .iter()
                    .zip(raw.iter().flatten())
                    .map(|((key, _), raw)| format!("\"{key}\": {raw}"))
                    .collect();
                let holders: Vec<&Member<'_>> = holders().map(|(_, member)| member).collect();
                let fix = fix.titled_by_safety(format!("Write the texts as one element of \"{key}\""));
                members::in_place_of(
                    &holders,
                    object.members,
                    fix,
                    &format!("\"{key}\": [{{{}}}]", written.join(", ")),
                )
            },
        ))
    }

    /// A text beside a list of turns that is the first turn of the list: the instructions to the model, which other systems keep beside the
    /// conversation.
    pub(crate) fn first_turn(self, member: &Member<'_>, object: &Entered<'_, '_>) -> Option<Repair> {
        if !SYSTEM_KEYS.contains(&&*member.key) {
            return None;
        }
        let (members, (list, role, text)) = match turns(object.fields) {
            Some(turns) => (Some(object.members), turns),
            // The object that holds the conversation may be beside it.
            None => object.fields.fields.iter().find_map(|field| {
                let Some(Object::Properties(inner)) = &field.schema.object else { return None };
                let holder = live(object.members).find(|member| member.key == field.key);
                let members = holder.and_then(|holder| match &holder.value.kind {
                    Kind::Object(members) => Some(&members[..]),
                    _ => None,
                });
                Some((members, turns(inner)?))
            })?,
        };
        let found = members.and_then(|members| live(members).find(|member| member.key == list));
        let turns = found.and_then(|list| list.value.as_array()).unwrap_or_default();
        let has_system = turns.iter().any(|turn| turn.get(role).and_then(Value::as_str) == Some(SYSTEM));
        // If there already is an instruction, or it has another form, the user decides.
        let is_text = member.value.as_str().is_some() && fits(&member.value, text.schema);
        let first = turns.first().filter(|_| is_text && !has_system);
        let index = members::index(object.members, &member.key_span)?;
        let raw = self.text(&member.value.span).filter(|_| first.is_some());
        let (key, text) = (clip(&member.key, 80), text.key);
        Some(self.repair(
            raw.map(|_| Unsafe),
            &|| {
                format!("If it is the instruction to the model, write it as the first element of \"{list}\": {{\"{role}\": \"{SYSTEM}\", \"{text}\": ...}}.")
            },
            &|fix| {
                let Some(at) = first.map(|first| first.span.start) else { return fix };
                let turn = format!("{{\"{role}\": \"{SYSTEM}\", \"{text}\": {}}}, ", raw.unwrap_or_default());
                fix.titled_by_safety(format!("Write \"{key}\" as the first element of \"{list}\""))
                    .delete_member(object.members, index)
                    .replace(at..at, turn)
            },
        ))
    }
}

/// The key of the list of turns among these fields, the key of the role of a turn, and its other field.
fn turns(fields: &'static Properties) -> Option<(&'static str, &'static str, &'static Property)> {
    fields.fields.iter().find_map(|field| {
        let Some(Object::Properties(turn)) = &field.schema.array.as_ref()?.items.object else { return None };
        let mut required = turn.fields.iter().filter(|field| field.required);
        let (Some(one), Some(two), None) = (required.next(), required.next(), required.next()) else {
            return None;
        };
        let is_role = |field: &&Property| {
            field.schema.string.as_ref().is_some_and(|string| string.values.contains(&SYSTEM))
        };
        let (role, text) = if is_role(&one) { (one, two) } else { (two, one) };
        is_role(&role).then_some((field.key, role.key, text))
    })
}
