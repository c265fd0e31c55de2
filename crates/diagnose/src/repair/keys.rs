//! Missing keys and unknown keys: often one is the other, with another spelling or in another place.

use evalcheck_core::excerpt::clip;
use evalcheck_core::order::Order;
use evalcheck_core::suggest::{is_same_word, nearest, resembles};
use evalcheck_report::Applicability::{Safe, Unsafe};

use super::{Repair, Repairer};
use crate::advice::{Advice, first_text, pair};
use crate::compare::fits;
use crate::fix::value::{Guess, begins_like_data, wrapped};
use crate::fix::{RecordFix, is_one_entry, json_string, members};
use crate::kin::{are_synonyms, are_transcripts, has_other_meaning, is_misspelled, may_be_meant};
use crate::place::{Entered, MOST_UNKNOWN};
use crate::value::{Kind, Member};
use evalcheck_json::schema::{Object, Properties, Property, Schema, Types};

/// The example of a list that may be empty. Elsewhere an empty list is a lost value.
const EMPTY_LIST: &str = "[]";

/// An unknown member that may hold the content of a missing key, and its index among the unknown members.
type Holder<'v, 'a> = (usize, &'v Member<'a>);

impl Repairer<'_> {
    /// A missing key of an object; `types` are the types of its value. The repair explains the unknown members that may hold the content of
    /// the key, so that they are not reported separately.
    pub(crate) fn of_missing_key(
        self,
        field: &'static Property,
        types: Types,
        object: &Entered<'_, '_>,
    ) -> Repair {
        let Property { key, schema, .. } = *field;
        let unknown = || object.first_unknown();
        if object.unknown.is_empty() {
            return self.addition(field, types, object);
        }
        if let Some(repair) = self.value_as_key(object) {
            return repair;
        }
        if let Some(Object::Properties(inner)) = &schema.object {
            let is_of_inner =
                |member: &Member<'_>| inner.fields.iter().any(|field| field.is_named(&member.key));
            let holders = || unknown().filter(|(_, member)| is_of_inner(member));
            let number =
                |field: &Property| holders().filter(|(_, member)| field.is_named(&member.key)).count();
            if holders().next().is_some()
                && inner.fields.iter().all(|field| (usize::from(field.required)..2).contains(&number(field)))
            {
                holders().for_each(|(number, _)| object.explain(number));
                let holders: Vec<&Member<'_>> = holders().map(|(_, member)| member).collect();
                return self.moved_in(object, &holders, key, inner);
            }
            if let Some(repair) = self.transcript_inside(key, inner, object) {
                return repair;
            }
        }
        if let Some((number, holder)) =
            unknown().find(|(_, member)| !field.former.is_empty() && member.key == field.former)
        {
            object.explain(number);
            return self.repair(
                fits(&holder.value, schema).then_some(Safe),
                &|| format!("\"{}\" is the former name of this key: rename it to \"{key}\".", field.former),
                &|fix| rename(fix, holder, key),
            );
        }
        let mut around =
            unknown().filter(|(_, holder)| holder.value.get(key).is_some_and(|inner| fits(inner, schema)));
        if let Some((number, holder)) = around.next() {
            object.explain(number);
            let Some((other, second)) = around.next() else { return self.moved_out(holder, key, object) };
            object.explain(other);
            around.for_each(|(number, _)| object.explain(number));
            let (first, second) = (&holder.key, &second.key);
            return self.hint(&|| {
                format!(
                    "It is inside \"{}\" and \"{}\". If both are meant, write each as an object of its own; otherwise move the one that is meant out, one level up.",
                    clip(first, 80),
                    clip(second, 80)
                )
            });
        }
        let mut named: Vec<Holder<'_, '_>> =
            unknown().filter(|(_, member)| may_be_meant(&member.key, key)).collect();
        if !named.is_empty() {
            // The likeliest holder first: a certain name, one of nearly the same spelling, one of the same meaning.
            named.order_by_key(|(_, member)| (!is_meant(member, field), !resembles(&member.key, key)));
            return self.renamed(&named, field, types, object);
        }
        if let Some(repair) = self.gathered(key, schema, object).or_else(|| self.in_parts(field, object)) {
            return repair;
        }
        // By the shape of the value, unless its name means something else.
        if is_telling(schema) {
            let is_like = |member: &Member<'_>| {
                matches!(member.value.kind, Kind::Object(_) | Kind::Array(_))
                    && !has_other_meaning(&member.key, key)
                    && fits(&member.value, schema)
            };
            let mut like = unknown().filter(|(_, member)| is_like(member));
            if let (Some((number, holder)), None) = (like.next(), like.next()) {
                object.explain(number);
                return self.renamed_by_guess(holder, key, true);
            }
        }
        self.addition(field, types, object)
    }

    /// A missing key whose content the object does not hold. There are edits if null is allowed, if only one value is valid, or if the
    /// example of the schema is an empty list. They are safe if all other keys are known, so that none may hold the content.
    fn addition(self, field: &'static Property, types: Types, object: &Entered<'_, '_>) -> Repair {
        let Property { key, schema, .. } = *field;
        let only = schema.string.as_ref().and_then(|string| match string.values {
            [only] => Some(*only),
            _ => None,
        });
        let takes_none = types.contains(Types::ARRAY) && schema.example == Some(EMPTY_LIST);
        let takes_null = schema.null && types.contains(Types::NULL);
        let has_value = takes_null || only.is_some() || takes_none;
        let value = || match only {
            _ if takes_null => "null".to_owned(),
            Some(only) => json_string(only),
            None => EMPTY_LIST.to_owned(),
        };
        // The list may not have been empty.
        let is_certain = takes_null || only.is_some();
        let repair = if has_value {
            let member = || format!("\"{key}\": {}", value());
            self.insertion(object.members, object.fields, is_certain, &String::new, &member)
        } else {
            self.hint(&String::new)
        };
        Repair { advice: Advice::Add { key, schema }, ..repair }
    }

    /// The conversation of another system, for a missing object that only requires a conversation.
    fn transcript_inside(
        self,
        key: &str,
        inner: &'static Properties,
        object: &Entered<'_, '_>,
    ) -> Option<Repair> {
        let mut required = inner.fields.iter().filter(|field| field.required);
        let field = required.next().filter(|_| required.next().is_none())?;
        let mut holders =
            object.first_unknown().filter(|(_, member)| are_transcripts(&member.key, field.key));
        let (number, holder) = holders.next().filter(|_| holders.next().is_none())?;
        let repair = self.translated(holder, field.key, Some(key), field.schema, object)?;
        object.explain(number);
        Some(repair)
    }

    /// The content is under another name; the likeliest holder comes first.
    fn renamed(
        self,
        named: &[Holder<'_, '_>],
        field: &'static Property,
        types: Types,
        object: &Entered<'_, '_>,
    ) -> Repair {
        let Property { key, schema, .. } = *field;
        let Some(&(number, holder)) = named.first() else { return self.addition(field, types, object) };
        object.explain(number);
        // Other problems of the value are reported once it has its new name.
        if !schema.types().contains(holder.value.types()) {
            return self.rewritten(holder, key, schema, object);
        }
        let other = named.get(1);
        if other.is_none()
            && !fits(&holder.value, schema)
            && let Some(repair) = self.translated(holder, key, None, schema, object)
        {
            return repair;
        }
        if other.is_none() && is_meant(holder, field) {
            return self.repair(
                fits(&holder.value, schema).then_some(Safe),
                &|| format!("There is a key \"{}\": rename it to \"{key}\".", clip(&holder.key, 80)),
                &|fix| rename(fix, holder, key),
            );
        }
        let Some((_, other)) = other else {
            return self.renamed_by_guess(holder, key, fits(&holder.value, schema));
        };
        for (number, _) in named {
            object.explain(*number);
        }
        self.hint(&|| {
            let (name, other) = (clip(&holder.key, 80), clip(&other.key, 80));
            format!("If \"{name}\" or \"{other}\" holds it, rename it to \"{key}\".")
        })
    }

    fn renamed_by_guess(self, holder: &Member<'_>, key: &str, is_fit: bool) -> Repair {
        self.repair(
            is_fit.then_some(Unsafe),
            &|| format!("If \"{}\" holds it, rename it to \"{key}\".", clip(&holder.key, 80)),
            &|fix| rename(fix, holder, key),
        )
    }

    /// Writes the text of an unknown key in the form that the schema of `key` requires.
    fn rewritten(
        self,
        member: &Member<'_>,
        key: &str,
        schema: &'static Schema,
        object: &Entered<'_, '_>,
    ) -> Repair {
        let text = member.value.as_str().filter(|text| !begins_like_data(text)).and_then(|text| {
            let raw = self.text(&member.value.span)?;
            Some((text, wrapped(if self.is_kept { raw } else { "" }, schema)?))
        });
        // A role beside the text is that of the turn.
        let has_role = object.unknown.iter().any(|other| ["role", "from", "speaker"].contains(&&*other.key));
        if has_role && matches!(text, Some((_, (_, Guess::Role)))) {
            return self.hint(&|| {
                let name = clip(&member.key, 80);
                format!("Write the turn as an element of \"{key}\", with \"{name}\" and the role that is beside it.")
            });
        }
        let is_same = is_same_word(&member.key, key);
        let safety = text.as_ref().map(|(text, (_, guess))| match guess {
            Guess::Nothing if is_same => Safe,
            Guess::OneEntry if is_same && is_one_entry(text) => Safe,
            Guess::Role | Guess::Nothing | Guess::OneEntry => Unsafe,
        });
        self.repair(
            safety,
            &|| {
                let name = clip(&member.key, 80);
                format!("In place of \"{name}\", write {}.", pair(key, schema, first_text(&member.value)))
            },
            &|fix| {
                let Some((_, (wrapped, guess))) = &text else { return fix };
                let title = format!("Write it under \"{key}\"");
                let fix = match guess {
                    Guess::Role => fix.titled(format!("{title}, with a guessed role")),
                    Guess::Nothing | Guess::OneEntry => fix.titled_by_safety(title),
                };
                fix.replace(member.key_span.start..member.value.span.end, format!("\"{key}\": {wrapped}"))
            },
        )
    }

    /// A key that the schema does not have. By its spelling or meaning, it may be meant as one that the object lacks.
    pub(crate) fn of_unknown_key(
        self,
        member: &Member<'_>,
        object: &Entered<'_, '_>,
        is_refused: bool,
        lacks_a_key: bool,
    ) -> Repair {
        let Entered { members, fields, .. } = *object;
        let has = |key: &&str| object.has(key);
        let lacks_a_key = lacks_a_key || !fields.alternatives.iter().all(|keys| keys.iter().any(has));
        // It may hold the content of another key. A list or an object that is only dropped harms nothing.
        let holds_values = match &member.value.kind {
            Kind::Object(members) => !members.is_empty(),
            Kind::Array(elements) => !elements.is_empty(),
            _ => false,
        };
        let is_needed = lacks_a_key || (holds_values && !is_refused);
        // A key that is read with one alternative is not meant beside another.
        let is_read = |field: &Property| {
            let is_group = |keys: &&&[&'static str]| keys.contains(&field.alternative);
            let group = fields.alternatives.iter().find(is_group);
            has(&field.alternative) || !group.is_some_and(|keys| keys.iter().any(has))
        };
        let is_absent = |field: &&Property| !has(&field.key) && is_read(field);
        let otherwise = || {
            let mut lacking = fields.fields.iter().filter(|field| field.required && is_absent(field));
            if let (Some(Property { key, .. }), None) = (lacking.next(), lacking.next()) {
                return format!("If it holds \"{key}\", rename it to \"{key}\"; otherwise delete it.");
            }
            let otherwise = if lacks_a_key {
                "The record lacks a key. If this one holds its content, write it there; otherwise delete it."
            } else if is_refused {
                "Delete the key."
            } else {
                "If the system needs the value, rename the key; otherwise delete it, or keep it."
            };
            otherwise.to_owned()
        };
        // Among so many keys, an unknown one is not meant as another, and each would be compared with all.
        if members.len() > MOST_UNKNOWN * 4 {
            let near = || nearest(&member.key, fields.fields.iter().map(|field| field.key));
            let advice = || near().map_or_else(otherwise, |near| format!("Did you mean \"{near}\"?"));
            return self.deleted(member, members, is_needed, &advice);
        }
        let absent = || fields.fields.iter().filter(is_absent);
        let by_name = absent().find(|field| [field.former, field.foreign].contains(&&*member.key));
        if let Some(field) = by_name.filter(|field| fits(&member.value, field.schema)) {
            return self.repair(
                Some(Safe),
                &|| format!("It is another name of \"{}\": rename it.", field.key),
                &|fix| rename(fix, member, field.key),
            );
        }
        let near = nearest(&member.key, absent().map(|field| field.key));
        let by_meaning =
            || absent().find(|field| are_synonyms(field.key, &member.key)).map(|field| field.key);
        let meant = near.or_else(by_meaning).and_then(|meant| fields.position(meant.as_bytes()));
        let Some((number, field)) = meant.and_then(|number| Some((number, fields.fields.get(number)?)))
        else {
            return self.deleted(member, members, is_needed, &otherwise);
        };
        let Property { key, schema, .. } = *field;
        let advice = || format!("Did you mean \"{key}\"?");
        // Only one key can be meant for each field.
        if !object.claim(number) {
            return self.hint(&advice);
        }
        if !schema.types().contains(member.value.types()) {
            return self.rewritten(member, key, schema, object);
        }
        if !fits(&member.value, schema) {
            return self.hint(&advice);
        }
        let safety = if is_same_word(&member.key, key) { Safe } else { Unsafe };
        self.repair(Some(safety), &advice, &|fix| rename(fix, member, key))
    }

    /// Deletes a member, unless it may be needed.
    fn deleted(
        self,
        member: &Member<'_>,
        members: &[Member<'_>],
        is_needed: bool,
        advice: &dyn Fn() -> String,
    ) -> Repair {
        let index = members::index(members, &member.key_span).filter(|_| !is_needed);
        self.repair(index.map(|_| Unsafe), advice, &|fix| match index {
            Some(index) => fix.titled("Delete the key, whose value is lost").delete_member(members, index),
            None => fix,
        })
    }
}

/// Renames a key.
fn rename(fix: RecordFix, member: &Member<'_>, key: &str) -> RecordFix {
    fix.titled_by_safety(format!("Rename the key to \"{key}\""))
        .replace(member.key_span.clone(), json_string(key))
}

/// Whether a key can only be meant as `field`: its name is misspelled, or both are a conversation.
fn is_meant(member: &Member<'_>, field: &Property) -> bool {
    is_misspelled(&member.key, field.key)
        || (are_transcripts(&member.key, field.key)
            && is_telling(field.schema)
            && fits(&member.value, field.schema))
}

/// Whether a value that fits the schema was written for it, and does not fit by chance.
fn is_telling(schema: &Schema) -> bool {
    let requires = |object: &Object| object.sets().all(|fields| fields.required != 0);
    let object = schema.object.as_ref().is_some_and(requires);
    let items = schema.array.as_ref().and_then(|array| array.items.object.as_ref());
    object || items.is_some_and(requires)
}
