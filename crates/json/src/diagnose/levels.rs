//! A key that is missing in an object and is, by its name or another, in an object around it: one finding that says to move it,
//! instead of two that contradict each other.

use std::ops::ControlFlow;

use super::advice::Advice;
use super::compare::{What, compare, fits};
use super::kin::are_synonyms;
use super::place::{Entered, Place, Way};
use super::repair::{Repair, Repairer};
use super::value::{Member, Value};
use crate::schema::{Property, Schema, UnknownKeys};

/// The levels of a record.
pub(super) struct Levels<'v, 'a> {
    pub(super) root: &'v Value<'a>,
    pub(super) schema: &'static Schema,
    /// Keys, and whether one object of the record lacks it. Where several do, nothing says which one a key belongs to.
    lacking: Vec<(&'static str, bool)>,
}

impl<'v, 'a> Levels<'v, 'a> {
    pub(super) fn new(root: &'v Value<'a>, schema: &'static Schema) -> Self {
        Self { root, schema, lacking: Vec::new() }
    }

    /// What to do about a missing key which is in an object around the one that lacks it. That is no difference of its own then.
    pub(super) fn moved_down(
        &mut self,
        field: &'static Property,
        at: &Place<'_, 'v, 'a>,
        repairer: Repairer<'_>,
    ) -> Option<Repair> {
        let (inner, _) = at.before?;
        let mut holders = holders(field, inner).peekable();
        holders.peek()?;
        // Before their values are looked at: of a million objects without the key each would be compared with them.
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

    /// True where one object of the record lacks a key that nothing in it holds.
    fn is_only_one(&mut self, field: &'static Property) -> bool {
        if let Some((_, is_only_one)) = self.lacking.iter().find(|(key, _)| *key == field.key) {
            return *is_only_one;
        }
        let repairer = Repairer { record: &[], is_kept: false };
        let mut count = 0;
        compare(self.root, self.schema, &mut |difference, at| {
            if let (What::MissingKey { field: other, because: None }, Some(object)) =
                (difference.what, at.object)
                && other.key == field.key
            {
                let repair = repairer.of_missing_key(other, object);
                count += usize::from(matches!(repair.advice, Advice::Add { .. }));
            }
            if count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        self.lacking.push((field.key, count < 2));
        count < 2
    }
}

/// The unknown members of the objects around one that lacks a field, which may hold its content by their names.
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
