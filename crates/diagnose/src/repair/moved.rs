//! Moves keys that are one level too high or too deep.

use evalcheck_core::excerpt::clip;
use evalcheck_report::Applicability::{Safe, Unsafe};

use super::{Repair, Repairer};
use crate::compare::fits;
use crate::fix::members;
use crate::place::Entered;
use crate::value::{Kind, Member, live};
use evalcheck_json::schema::{Object, Properties, Property};

impl Repairer<'_> {
    /// The content is one level too high: `object` lacks `key`, an object with the fields `inner`, but has its keys. Their names and values
    /// show it.
    pub(super) fn moved_in(
        self,
        object: &Entered<'_, '_>,
        holders: &[&Member<'_>],
        key: &str,
        inner: &'static Properties,
    ) -> Repair {
        let members = object.members;
        let field_of = |holder: &Member<'_>| inner.fields.iter().find(|field| field.is_named(&holder.key));
        let written = |holder: &Member<'_>| match field_of(holder) {
            Some(field) if field.key != holder.key => {
                Some(format!("\"{}\": {}", field.key, self.text(&holder.value.span)?))
            }
            _ => Some(self.text(&(holder.key_span.start..holder.value.span.end))?.to_owned()),
        };
        let are_texts = holders.iter().all(|holder| self.text(&holder.value.span).is_some());
        let fits_in =
            |holder: &&Member<'_>| field_of(holder).is_some_and(|field| fits(&holder.value, field.schema));
        // Another object beside it may have one of the keys too.
        let has_one = |field: &Property| {
            let has = |fields: &Properties| {
                holders.iter().any(|holder| fields.position(holder.key.as_bytes()).is_some())
            };
            field.key != key && field.schema.object.iter().flat_map(Object::sets).any(has)
        };
        // An object that stays invalid is left as it is: another key is wrong, or is missing and may be the one that stays behind.
        let are_others_right = object.fields.fields.iter().filter(|field| field.key != key).all(|field| {
            match live(members).find(|member| member.key == field.key) {
                Some(member) => fits(&member.value, field.schema),
                None => !field.required || holders.len() == object.unknown.len(),
            }
        });
        let is_certain =
            are_others_right && holders.iter().all(fits_in) && !object.fields.fields.iter().any(has_one);
        self.repair(
            are_texts.then_some(if is_certain { Safe } else { Unsafe }),
            &|| {
                let keys: Vec<String> = holders.iter().map(|member| format!("\"{}\"", member.key)).collect();
                let names =
                    holders.iter().map(|holder| field_of(holder).map_or(&*holder.key, |field| field.key));
                let shown: Vec<String> = names.map(|key| format!("\"{key}\": ...")).collect();
                format!("Move {} into it: \"{key}\": {{{}}}.", keys.join(" and "), shown.join(", "))
            },
            &|fix| {
                let inner: Vec<String> = holders.iter().filter_map(|holder| written(holder)).collect();
                let fix = fix.titled_by_safety(format!("Move the keys into \"{key}\""));
                members::in_place_of(holders, members, fix, &format!("\"{key}\": {{{}}}", inner.join(", ")))
            },
        )
    }

    /// The content is one level too deep, in the value of `holder`; or that value only has the same name. Other keys of the object in this
    /// value are moved too, because they would be lost there.
    pub(super) fn moved_out(self, holder: &Member<'_>, key: &str, object: &Entered<'_, '_>) -> Repair {
        let inner = if let Kind::Object(inner) = &holder.value.kind { &inner[..] } else { &[] };
        let is_lacking = |key: &str| {
            object.fields.position(key.as_bytes()).is_some()
                && !object.members.iter().any(|member| member.key == key)
        };
        let is_moved = |member: &&Member<'_>| member.key == key || is_lacking(&member.key);
        let texts = |is_wanted: &dyn Fn(&&Member<'_>) -> bool| -> Option<Vec<&str>> {
            let wanted = inner.iter().filter(is_wanted);
            wanted.map(|member| self.text(&(member.key_span.start..member.value.span.end))).collect()
        };
        let parts = texts(&is_moved).zip(texts(&|member| !is_moved(member)));
        let keys = || {
            let keys = inner.iter().filter(is_moved).map(|member| format!("\"{}\"", member.key));
            keys.collect::<Vec<_>>().join(" and ")
        };
        self.repair(
            parts.as_ref().map(|_| Unsafe),
            &|| {
                format!(
                    "It is inside \"{}\": move {} out of it, one level up.",
                    clip(&holder.key, 80),
                    keys()
                )
            },
            &|fix| {
                let Some((moved, left)) = &parts else { return fix };
                let fix = fix.titled_by_safety(format!("Move {} one level up", keys()));
                let (start, moved) = (holder.key_span.start, moved.join(", "));
                if left.is_empty() {
                    return fix.replace(start..holder.value.span.end, moved);
                }
                fix.replace(start..start, format!("{moved}, "))
                    .replace(holder.value.span.clone(), format!("{{{}}}", left.join(", ")))
            },
        )
    }

    /// A key that an inner object lacks and an outer one has, under its own name or another. `inner` are the members of the inner object,
    /// `inside` is its key; an element of an array has none.
    pub(crate) fn moved_down(
        self,
        holder: &Member<'_>,
        outer: &[Member<'_>],
        inside: Option<&str>,
        inner: &[Member<'_>],
        key: &str,
    ) -> Repair {
        let is_same = holder.key == key;
        let value = self.text(&holder.value.span);
        let index = members::index(outer, &holder.key_span);
        let is_known = value.is_some() && index.is_some() && !inner.is_empty();
        self.repair(
            is_known.then_some(if is_same { Safe } else { Unsafe }),
            &|| {
                let name = clip(&holder.key, 80);
                let inside = match inside {
                    Some(inside) => format!(" into \"{}\"", clip(inside, 80)),
                    None => " into the object".to_owned(),
                };
                if is_same {
                    format!("Move \"{name}\"{inside}.")
                } else {
                    format!("If \"{name}\" holds it, move it{inside}, and rename it to \"{key}\".")
                }
            },
            &|fix| {
                let member = format!("\"{key}\": {}", value.unwrap_or_default());
                let (Some(index), Some((at, text))) = (index, members::insertion(inner, &member)) else {
                    return fix;
                };
                let title = format!("Move \"{}\" into the object where it belongs", clip(&holder.key, 80));
                fix.titled_by_safety(title).delete_member(outer, index).replace(at, text)
            },
        )
    }

    /// A key of an outer object; `inner` are the members of its own object, which is inside `holder`. Unless it `is_free`, the key already
    /// exists there, or is in several elements of a list: then only the user knows which is meant.
    pub(crate) fn moved_up(
        self,
        member: &Member<'_>,
        inner: &[Member<'_>],
        holder: &Member<'_>,
        is_free: bool,
    ) -> Option<Repair> {
        if !is_free {
            return Some(self.hint(&|| {
                let name = clip(&holder.key, 80);
                format!("It is a key outside of \"{name}\". If it is meant as that, write it there; otherwise delete it.")
            }));
        }
        let index = members::index(inner, &member.key_span)?;
        let moved = self.text(&(member.key_span.start..member.value.span.end));
        Some(self.repair(
            moved.map(|_| Unsafe),
            &|| format!("It belongs outside of \"{}\": move it there.", clip(&holder.key, 80)),
            &|fix| {
                let title =
                    format!("Move \"{}\" out of \"{}\"", clip(&member.key, 80), clip(&holder.key, 80));
                let start = holder.key_span.start;
                fix.titled_by_safety(title)
                    .replace(start..start, format!("{}, ", moved.unwrap_or_default()))
                    .delete_member(inner, index)
            },
        ))
    }

    /// A key of an inner object; `outer` are the members of its own object, `inner` are those of the object under `inside`.
    pub(crate) fn moved_inside(
        self,
        member: &Member<'_>,
        outer: &[Member<'_>],
        inside: &str,
        inner: &[Member<'_>],
    ) -> Repair {
        let moved = self.text(&(member.key_span.start..member.value.span.end));
        let edit = members::index(outer, &member.key_span)
            .and_then(|index| Some((index, members::insertion(inner, moved?)?)));
        self.repair(
            edit.as_ref().map(|_| Unsafe),
            &|| format!("It belongs inside of \"{inside}\": move it there."),
            &|fix| {
                let Some((index, (at, text))) = &edit else { return fix };
                let title = format!("Move \"{}\" into \"{inside}\"", clip(&member.key, 80));
                fix.titled_by_safety(title).delete_member(outer, *index).replace(at.clone(), text.as_str())
            },
        )
    }
}
