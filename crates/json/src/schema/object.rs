//! Constraints on objects: their sets of fields.

use super::condition::place_of;
use super::{Condition, Schema};

/// Constraints on an object.
#[derive(Debug)]
pub enum Object {
    /// One set of fields.
    Properties(Properties),
    /// Several sets of fields, distinguished by the string value of `key`.
    Tagged {
        /// The key, such as `type`.
        key: &'static str,
        /// Each value of the key, with the fields that the object then has, the key included.
        variants: &'static [(&'static str, Properties)],
    },
    /// Several sets of fields, each distinguished by a key that it requires. The first set whose key an object has applies; if it has none
    /// of them, the set with most of its keys does. Made by [`Object::keyed`].
    Keyed(&'static [(&'static str, Properties)]),
}

/// A set of fields.
#[derive(Debug)]
pub struct Properties {
    /// The declared fields, in the order in which the system's own checker validates them; at most 64.
    pub fields: &'static [Property],
    /// The treatment of other keys.
    pub others: UnknownKeys,
    /// Bit `i` is set if field `i` is required.
    pub required: u64,
    /// Captures undeclared keys for the format's rules, under this number.
    pub captured_keys: Option<u8>,
    /// Requirements that depend on the value of a field.
    pub conditions: &'static [Condition],
    /// Bit `i` is set if a condition depends on field `i` or restricts it.
    pub watched: u64,
    /// Groups of alternative keys: a record needs one key of each group. A rule of the format reports a missing one; here they only show
    /// that another key may be meant.
    pub alternatives: &'static [&'static [&'static str]],
    /// Whether hints and messages do not list its tag, although it is accepted: it is deprecated, or accepted only in some records.
    pub unlisted: bool,
}

/// A declared field.
#[derive(Debug)]
pub struct Property {
    /// Its key.
    pub key: &'static str,
    /// The schema of its value.
    pub schema: &'static Schema,
    /// Whether it must be present.
    pub required: bool,
    /// The key of the same value in an earlier version of the format; empty if it has not changed.
    pub former: &'static str,
    /// The key of the same value in another system, beside keys that are the same in both; may be empty.
    pub foreign: &'static str,
    /// The key of a group of [alternatives](Properties::alternatives) with which it is read; empty if it is read with any.
    pub alternative: &'static str,
}

/// The treatment of keys that are not declared.
#[derive(Debug)]
pub enum UnknownKeys {
    /// Accepted.
    Allow,
    /// Accepted and dropped by the system: a warning.
    Ignore,
    /// An error.
    Deny,
    /// Accepted if the value matches this schema.
    Each(&'static Schema),
}

impl Object {
    /// An object with these fields.
    pub const fn new(fields: &'static [Property], others: UnknownKeys) -> Self {
        Self::Properties(Properties::new(fields, others))
    }

    /// Sets of fields, each distinguished by a key that it requires ([`Object::Keyed`]).
    ///
    /// # Panics
    /// At compile time, without a set, if a set does not require its key, or if a set accepts the key of an earlier one: the scanner
    /// decides by the first of the keys that it reads.
    pub const fn keyed(sets: &'static [(&'static str, Properties)]) -> Self {
        assert!(!sets.is_empty(), "an object has a set of fields");
        let mut i = 0;
        while i < sets.len() {
            let (key, fields) = &sets[i];
            let is_required =
                matches!(place_of(fields.fields, key), Some(place) if fields.fields[place].required);
            assert!(is_required, "a set requires the key that distinguishes it");
            let refuses_others = matches!(fields.others, UnknownKeys::Ignore | UnknownKeys::Deny);
            assert!(i == 0 || refuses_others, "a later set accepts a key that it does not declare");
            let mut earlier = 0;
            while earlier < i {
                let is_declared = place_of(fields.fields, sets[earlier].0).is_some();
                assert!(!is_declared, "a set declares the key of an earlier one");
                earlier += 1;
            }
            i += 1;
        }
        Self::Keyed(sets)
    }

    /// The set of fields of [`Object::Keyed`] that applies to an object; `has` says whether the object has a key.
    pub fn keyed_set<'s>(
        sets: &'s [(&'static str, Properties)],
        has: impl Fn(&str) -> bool,
    ) -> &'s Properties {
        let known = |fields: &Properties| fields.fields.iter().filter(|field| has(field.key)).count();
        let applies = sets.iter().find(|(key, _)| has(key));
        // The first of several.
        let nearest = || sets.iter().rev().max_by_key(|(_, fields)| known(fields));
        applies.or_else(nearest).map_or(&sets[0].1, |(_, fields)| fields)
    }

    /// All sets of fields that the object may have.
    pub fn sets(&self) -> impl Iterator<Item = &Properties> {
        let (one, several): (_, &[_]) = match self {
            Self::Properties(fields) => (Some(fields), &[]),
            Self::Tagged { variants, .. } | Self::Keyed(variants) => (None, variants),
        };
        one.into_iter().chain(several.iter().map(|(_, fields)| fields))
    }
}

impl Properties {
    /// A set of these fields.
    ///
    /// # Panics
    /// At compile time, for more than 64 fields.
    pub const fn new(fields: &'static [Property], others: UnknownKeys) -> Self {
        assert!(fields.len() <= 64, "the set of seen fields is one u64");
        let mut required = 0;
        let mut i = 0;
        while i < fields.len() {
            if fields[i].required {
                required |= 1 << i;
            }
            i += 1;
        }
        Self {
            fields,
            others,
            required,
            captured_keys: None,
            conditions: &[],
            watched: 0,
            alternatives: &[],
            unlisted: false,
        }
    }

    /// Leaves its tag out of hints and messages.
    #[must_use]
    pub const fn unlisted(self) -> Self {
        Self { unlisted: true, ..self }
    }

    /// Sets groups of alternative keys: a record needs one key of each group.
    #[must_use]
    pub const fn with_alternatives(self, alternatives: &'static [&'static [&'static str]]) -> Self {
        Self { alternatives, ..self }
    }

    /// Captures undeclared keys under this number.
    #[must_use]
    pub const fn keys_captured(self, number: u8) -> Self {
        Self { captured_keys: Some(number), ..self }
    }

    /// Adds conditions on the same fields.
    #[must_use]
    pub const fn when(self, conditions: &'static [Condition]) -> Self {
        let mut watched = 0;
        let mut i = 0;
        while i < conditions.len() {
            watched |= conditions[i].watched();
            i += 1;
        }
        Self { conditions, watched, ..self }
    }

    /// The index of a key among the declared fields.
    pub fn position(&self, key: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| field.key.as_bytes() == key)
    }
}

impl Property {
    /// A required field.
    pub const fn required(key: &'static str, schema: &'static Schema) -> Self {
        Self { key, schema, required: true, former: "", foreign: "", alternative: "" }
    }

    /// An optional field.
    pub const fn optional(key: &'static str, schema: &'static Schema) -> Self {
        Self { required: false, ..Self::required(key, schema) }
    }

    /// Sets the key of the same value in an earlier version of the format.
    #[must_use]
    pub const fn formerly(self, former: &'static str) -> Self {
        Self { former, ..self }
    }

    /// Sets the key of the same value in another system.
    #[must_use]
    pub const fn elsewhere(self, foreign: &'static str) -> Self {
        Self { foreign, ..self }
    }

    /// Sets the alternative key with which it is read.
    #[must_use]
    pub const fn read_with(self, alternative: &'static str) -> Self {
        Self { alternative, ..self }
    }

    /// Whether a key has its value: by its name, or by that of another system.
    pub fn is_named(&self, key: &str) -> bool {
        key == self.key || (key == self.foreign && !key.is_empty())
    }
}
