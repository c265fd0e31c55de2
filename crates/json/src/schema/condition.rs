//! Requirements on an object that depend on the value of one of its fields.

use super::Property;

/// Requirements that apply if a field has one of certain values: `if` and `then` of JSON Schema. The field is required: a record without it
/// only has that error.
#[derive(Debug)]
pub struct Condition {
    /// The field on which the condition depends: a required enumeration.
    pub key: &'static str,
    /// The values for which the condition holds.
    pub values: &'static [&'static str],
    /// The requirements.
    pub then: &'static [Then],
    /// The index of `key` among the fields.
    position: usize,
    /// Bit `i` is set if the condition requires field `i`.
    required: u64,
    /// For each type: bit `i` is set if field `i` must not have a value of it, or if the thorough tier has to check that.
    refused: [u64; Types::COUNT],
}

/// The requirements on one field if a condition holds.
#[derive(Debug)]
pub struct Then {
    /// Its key; a declared field.
    pub key: &'static str,
    /// Whether it must be present.
    pub required: bool,
    /// The possible types of its value.
    pub types: Types,
    /// The keys of its value, if that is an object.
    pub keys: &'static [&'static str],
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// The number of types.
    pub const COUNT: usize = 6;
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `true` and `false`.
    pub const BOOLEAN: Self = Self(1 << 1);
    /// A number.
    pub const NUMBER: Self = Self(1 << 2);
    /// A string.
    pub const STRING: Self = Self(1 << 3);
    /// An array.
    pub const ARRAY: Self = Self(1 << 4);
    /// An object.
    pub const OBJECT: Self = Self(1 << 5);
    /// No type.
    pub const NONE: Self = Self(0);
    /// Every type.
    pub const ALL: Self = Self((1 << Self::COUNT) - 1);

    /// The types of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every type of `other` is in the set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of the types.
    pub fn names(self) -> Vec<&'static str> {
        let names = ["null", "boolean", "number", "string", "array", "object"];
        let own = names.into_iter().enumerate().filter(|(bit, _)| self.0 & 1 << bit != 0);
        own.map(|(_, name)| name).collect()
    }
}

/// The bit in [`Types`] of a JSON value that begins with this byte.
const fn type_number(first: u8) -> usize {
    match first {
        b'n' => 0,
        b't' | b'f' => 1,
        b'"' => 3,
        b'[' => 4,
        b'{' => 5,
        _ => 2,
    }
}

impl Condition {
    /// The requirements on objects with these `fields` if `key` has one of `values`.
    ///
    /// # Panics
    /// At compile time, if `key` is not a required field, or a key of `then` is not a field.
    pub const fn new(
        fields: &'static [Property],
        key: &'static str,
        values: &'static [&'static str],
        then: &'static [Then],
    ) -> Self {
        let position = declared(fields, key);
        assert!(fields[position].required, "a condition hangs on a field that is always there");
        let mut required = 0;
        let mut refused = [0; Types::COUNT];
        let mut i = 0;
        while i < then.len() {
            let bit = 1 << declared(fields, then[i].key);
            if then[i].required {
                required |= bit;
            }
            let mut t = 0;
            while t < Types::COUNT {
                let of_type = Types(1 << t);
                let has_keys = Types::OBJECT.contains(of_type) && !then[i].keys.is_empty();
                if has_keys || !then[i].types.contains(of_type) {
                    refused[t] |= bit;
                }
                t += 1;
            }
            i += 1;
        }
        Self { key, values, then, position, required, refused }
    }

    /// The index of the field on which the condition depends.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bit `i` is set if the condition requires field `i`.
    pub(crate) fn required(&self) -> u64 {
        self.required
    }

    /// Whether the condition allows any value that begins with this byte in field `position`.
    pub(crate) fn allows(&self, position: usize, first: u8) -> bool {
        self.refused[type_number(first)] & 1 << position == 0
    }

    /// Bit `i` is set if the condition depends on field `i` or restricts it.
    pub(super) const fn watched(&self) -> u64 {
        let mut watched = 1 << self.position;
        let mut t = 0;
        while t < Types::COUNT {
            watched |= self.refused[t];
            t += 1;
        }
        watched
    }
}

impl Then {
    /// The field must be present.
    pub const fn required(key: &'static str) -> Self {
        Self { required: true, ..Self::optional(key) }
    }

    /// The field may be missing.
    pub const fn optional(key: &'static str) -> Self {
        Self { key, required: false, types: Types::ALL, keys: &[] }
    }

    /// Restricts the types of its value.
    #[must_use]
    pub const fn of(self, types: Types) -> Self {
        Self { types, ..self }
    }

    /// Requires keys in its value, if that is an object.
    #[must_use]
    pub const fn with_keys(self, keys: &'static [&'static str]) -> Self {
        Self { keys, ..self }
    }
}

/// The index of a field on which a condition depends, at compile time.
#[expect(clippy::panic, reason = "a compile error where a condition is declared")]
const fn declared(fields: &[Property], key: &str) -> usize {
    match place_of(fields, key) {
        Some(place) => place,
        None => panic!("a condition speaks of a field that is not declared"),
    }
}

/// The index of a field, at compile time.
pub(super) const fn place_of(fields: &[Property], key: &str) -> Option<usize> {
    let mut i = 0;
    while i < fields.len() {
        if same(fields[i].key, key) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Equality of strings, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
