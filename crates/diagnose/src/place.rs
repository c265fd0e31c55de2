//! The current place of a walk through a tree. It allocates nothing, because most places are never reported.

use std::cell::Cell;

use evalcheck_core::finding::{Path, Step};

use super::path_builder::PathBuilder;
use super::value::Member;
use evalcheck_json::schema::{Properties, Property};

/// The number of unknown keys that are searched for the content of a missing key. An object with more is not a record written for another
/// system.
pub(super) const MOST_UNKNOWN: usize = 16;

/// A [`Step`] that borrows its key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way<'v> {
    Key(&'v str),
    Index(usize),
}

impl Way<'_> {
    pub(super) fn step(self) -> Step {
        match self {
            Self::Key(key) => Step::Key(key.into()),
            Self::Index(index) => Step::Index(index),
        }
    }
}

/// A place in a tree: a step from the place before it. All places are on the stack of the walk.
#[derive(Clone, Copy)]
pub(super) struct Place<'p, 'v, 'a> {
    /// The step to this place, and the place before it.
    pub(super) before: Option<(&'p Self, Way<'v>)>,
    /// The object that has the key of the step; `None` for the element of an array.
    pub(super) object: Option<&'p Entered<'v, 'a>>,
}

/// An object that is compared with its fields.
pub(super) struct Entered<'v, 'a> {
    pub(super) members: &'v [Member<'a>],
    pub(super) fields: &'static Properties,
    /// The members that readers see and that the fields do not declare.
    pub(super) unknown: Vec<&'v Member<'a>>,
    /// For each field, whether a member has its key.
    present: Vec<bool>,
    /// Bit `i` is set if the finding of a missing key explains the unknown member `i`. There are bits for the first 64 members.
    explained: Cell<u64>,
    /// Bit `i` is set if an unknown member was meant for field `i`.
    meant: Cell<u64>,
    /// Bit `i` is set if another finding explains why field `i` is missing.
    settled: Cell<u64>,
}

impl<'p, 'v, 'a> Place<'p, 'v, 'a> {
    /// The root of a tree.
    pub(super) const ROOT: Self = Self { before: None, object: None };

    /// The place of an element.
    pub(super) fn element(&'p self, index: usize) -> Self {
        Self { before: Some((self, Way::Index(index))), object: None }
    }

    /// The place of the value of a key.
    pub(super) fn member(&'p self, key: &'v str, object: Option<&'p Entered<'v, 'a>>) -> Self {
        Self { before: Some((self, Way::Key(key))), object }
    }

    pub(super) fn is_root(&self) -> bool {
        self.before.is_none()
    }

    /// Whether it is the place of an array element.
    pub(super) fn is_element(&self) -> bool {
        matches!(self.before, Some((_, Way::Index(_))))
    }

    /// The path from a base.
    pub(super) fn path(&self, base: &PathBuilder) -> Path {
        let mut path = base.path();
        let begin = path.0.len();
        let steps = || std::iter::successors(self.before, |(place, _)| place.before).map(|(_, way)| way);
        path.0.reserve_exact(steps().count());
        path.0.extend(steps().map(Way::step));
        path.0[begin..].reverse();
        path
    }
}

impl<'v, 'a> Entered<'v, 'a> {
    pub(super) fn new(members: &'v [Member<'a>], fields: &'static Properties) -> Self {
        let (mut unknown, mut present) = (Vec::new(), vec![false; fields.fields.len()]);
        for member in members {
            match fields.position(member.key.as_bytes()) {
                Some(field) => present[field] = true,
                None if member.shadowed => {}
                None => unknown.push(member),
            }
        }
        Self {
            members,
            fields,
            unknown,
            present,
            explained: Cell::default(),
            meant: Cell::default(),
            settled: Cell::default(),
        }
    }

    /// Whether a member has the key of a field.
    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.position(key.as_bytes()).is_some_and(|field| self.present[field])
    }

    /// The first unknown members, with their indices.
    pub(super) fn first_unknown(&self) -> impl Iterator<Item = (usize, &'v Member<'a>)> {
        self.unknown.iter().copied().enumerate().take(MOST_UNKNOWN)
    }

    /// Notes that the finding of a missing key explains the unknown member with this index.
    pub(super) fn explain(&self, number: usize) {
        self.explained.set(self.explained.get() | 1 << number);
    }

    pub(super) fn is_explained(&self, number: usize) -> bool {
        number < 64 && self.explained.get() >> number & 1 == 1
    }

    /// Notes that a finding explains why a field is missing, which is then not reported itself.
    pub(super) fn settle(&self, field: &Property) {
        let number = self.fields.position(field.key.as_bytes()).unwrap_or_default();
        self.settled.set(self.settled.get() | 1 << number);
    }

    pub(super) fn is_settled(&self, field: usize) -> bool {
        self.settled.get() >> field & 1 == 1
    }

    /// Notes that an unknown member was meant for the field with this index. Returns false if another member was noted before.
    pub(super) fn claim(&self, field: usize) -> bool {
        let before = self.meant.replace(self.meant.get() | 1 << field);
        before >> field & 1 == 0
    }
}
