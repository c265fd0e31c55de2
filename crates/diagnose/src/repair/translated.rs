//! Content in the words of another system: a conversation of `from` and `value` in place of `role` and `content`.

use std::ops::Range;

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::Unsafe;

use super::{Repair, Repairer};
use crate::compare::{Variants, fits, live};
use crate::fix::json_string;
use crate::kin::{are_synonyms, value_for};
use crate::value::{Kind, Member, Value};
use evalcheck_json::schema::{Object, Properties, Schema};

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
    ) -> Option<Repair> {
        let edits = translation(&member.value, schema)?;
        let name = || clip(&member.key, 80);
        Some(self.repair(
            Some(Unsafe),
            &|| match (around, &edits[..]) {
                (None, [(span, text)]) if *span == member.value.span => {
                    format!("If \"{}\" holds it, write \"{key}\": {text} instead.", name())
                }
                (None, _) => {
                    format!("If \"{}\" holds it, rename it to \"{key}\"{}.", name(), self.pairs(&edits))
                }
                (Some(around), _) => format!(
                    "If \"{}\" holds it, write it as \"{around}\": {{\"{key}\": ...}}{}.",
                    name(),
                    self.pairs(&edits)
                ),
            },
            &|fix| {
                let mut fix = fix.titled_by_safety(format!("Write \"{}\" as \"{key}\"", name()));
                let opening = around.map(|around| format!("\"{around}\": {{")).unwrap_or_default();
                fix = fix.replace(member.key_span.clone(), format!("{opening}{}", json_string(key)));
                for (span, text) in &edits {
                    fix = fix.replace(span.clone(), text.as_str());
                }
                let end = member.value.span.end;
                if around.is_some() { fix.replace(end..end, "}") } else { fix }
            },
        ))
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
