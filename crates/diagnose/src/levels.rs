//! Finds a missing key of an object in an object around it, under its own name or another. One finding then advises to move it, instead of
//! two findings that contradict each other.

use std::ops::ControlFlow;

use super::advice::Advice;
use super::compare::{What, compare, fits};
use super::kin::are_synonyms;
use super::place::{Entered, Place, Way};
use super::repair::{Repair, Repairer};
use super::value::{Kind, Member, Value, live};
use evalcheck_json::schema::{Object, Properties, Property, Schema, UnknownKeys};

/// The levels of a record.
pub(super) struct Levels<'v, 'a> {
    pub(super) root: &'v Value<'a>,
    pub(super) schema: &'static Schema,
    /// Keys, and whether at most one object of the record lacks the key. If several lack it, it is unknown where a key belongs.
    lacking: Vec<(&'static str, bool)>,
    /// The cached result of [`Levels::lacks_a_key`].
    lacks_a_key: Option<bool>,
}

impl<'v, 'a> Levels<'v, 'a> {
    pub(super) fn new(root: &'v Value<'a>, schema: &'static Schema) -> Self {
        Self { root, schema, lacking: Vec::new(), lacks_a_key: None }
    }

    /// The repair of a missing key that an object around it has. That key is then not reported as unknown.
    pub(super) fn moved_down(
        &mut self,
        field: &'static Property,
        at: &Place<'_, 'v, 'a>,
        repairer: Repairer<'_>,
    ) -> Option<Repair> {
        let (inner, _) = at.before?;
        let mut holders = holders(field, inner).peekable();
        holders.peek()?;
        // First, because it is cheap: the values would be compared again for each of a million objects without the key.
        if !self.is_only_one(field) {
            return None;
        }
        let (outer, number, holder) = holders.find(|(.., holder)| fits(&holder.value, field.schema))?;
        outer.explain(number);
        let inside = match inner.before?.1 {
            Way::Key(inside) => Some(inside),
            Way::Index(_) => None,
        };
        let members = at.object.map_or(&[][..], |object| object.members);
        Some(repairer.moved_down(holder, outer.members, inside, members, field.key))
    }

    /// The repair of an unknown key that belongs to an outer object. It is moved there if that object lacks it. In an element of a list it
    /// only gets a hint: other elements may have the key too, with another value.
    pub(super) fn moved_up(
        member: &Member<'_>,
        at: &Place<'_, 'v, 'a>,
        repairer: Repairer<'_>,
    ) -> Option<Repair> {
        let mut place = at.before?.0;
        let mut is_in_list = false;
        loop {
            let (outer, way) = place.before?;
            match (way, place.object) {
                (Way::Key(inside), Some(object)) if has_field(object.fields, member) => {
                    let holder =
                        object.members.iter().find(|outer| !outer.shadowed && outer.key == inside)?;
                    let is_free = !is_in_list && !object.members.iter().any(|other| other.key == member.key);
                    return repairer.moved_up(member, at.object?.members, holder, is_free);
                }
                (Way::Key(_), _) => {}
                (Way::Index(_), _) => is_in_list = true,
            }
            place = outer;
        }
    }

    /// The repair of an unknown key that exactly one inner object defines and lacks.
    pub(super) fn moved_inside(
        member: &Member<'_>,
        object: &Entered<'_, '_>,
        repairer: Repairer<'_>,
    ) -> Option<Repair> {
        let mut lacking = object.fields.fields.iter().filter_map(|field| {
            let Some(Object::Properties(inner)) = &field.schema.object else { return None };
            // First, because it is cheap: an object may have a million unknown keys.
            inner.position(member.key.as_bytes())?;
            let holder = live(object.members).find(|member| member.key == field.key)?;
            let Kind::Object(members) = &holder.value.kind else { return None };
            let is_free = !members.iter().any(|other| other.key == member.key);
            (is_free && has_field(inner, member)).then_some((field, members))
        });
        let (field, inner) = lacking.next().filter(|_| lacking.next().is_none())?;
        Some(repairer.moved_inside(member, object.members, field.key, inner))
    }

    /// Whether any object of the record lacks a required key or a tag, without an unknown key whose name suggests that it holds the
    /// content.
    pub(super) fn lacks_a_key(&mut self) -> bool {
        let repairer = Repairer { record: &[], is_kept: false };
        *self.lacks_a_key.get_or_insert_with(|| {
            let mut lacks = false;
            compare(self.root, self.schema, &mut |difference, at| {
                lacks = match (difference.what, at.object) {
                    (What::MissingKey { field, types, .. }, Some(object)) => {
                        matches!(repairer.of_missing_key(field, types, object).advice, Advice::Add { .. })
                    }
                    (What::MissingTag { .. }, _) => true,
                    _ => false,
                };
                if lacks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            lacks
        })
    }

    /// Whether at most one object of the record lacks the key and has nothing that may hold its content.
    fn is_only_one(&mut self, field: &'static Property) -> bool {
        if let Some((_, is_only_one)) = self.lacking.iter().find(|(key, _)| *key == field.key) {
            return *is_only_one;
        }
        let repairer = Repairer { record: &[], is_kept: false };
        let mut count = 0;
        compare(self.root, self.schema, &mut |difference, at| {
            if let (What::MissingKey { field: other, types, because: None }, Some(object)) =
                (difference.what, at.object)
                && other.key == field.key
            {
                let repair = repairer.of_missing_key(other, types, object);
                count += usize::from(matches!(repair.advice, Advice::Add { .. }));
            }
            if count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        self.lacking.push((field.key, count < 2));
        count < 2
    }
}

/// Whether the fields include that of a member, and its schema accepts the member's value.
fn has_field(fields: &Properties, member: &Member<'_>) -> bool {
    let field = fields.position(member.key.as_bytes()).and_then(|number| fields.fields.get(number));
    field.is_some_and(|field| fits(&member.value, field.schema))
}

/// The unknown members, in the objects around one that lacks `field`, whose names suggest that they hold its content.
fn holders<'p, 'v, 'a>(
    field: &'static Property,
    inner: &'p Place<'p, 'v, 'a>,
) -> impl Iterator<Item = (&'p Entered<'v, 'a>, usize, &'v Member<'a>)> {
    let around = std::iter::successors(Some(inner), |place| place.before.map(|(before, _)| before));
    let objects = around.filter_map(|place| place.object);
    let reporting =
        objects.filter(|object| matches!(object.fields.others, UnknownKeys::Ignore | UnknownKeys::Deny));
    let unknown = reporting
        .flat_map(|object| object.first_unknown().map(move |(number, member)| (object, number, member)));
    unknown.filter(|(object, number, member)| {
        let is_named = member.key == field.key || are_synonyms(field.key, &member.key);
        is_named && !object.is_explained(*number)
    })
}
