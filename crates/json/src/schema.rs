//! What a record looks like, as data.
//!
//! A format declares one [`Schema`] for its record. The fast tier ([`crate::scan::line()`]) and the engine's explaining
//! tier both walk it, and so do documentation, the exported JSON Schema and the generators of tests:
//! none of them knows a format.
//!
//! A schema holds at most one alternative for each type of JSON, which is how the formats at hand use unions
//! (`string | array of parts`); alternatives of one type are objects told apart by a key ([`Object::Tagged`]). What
//! depends on a key's value and leaves the fields the same otherwise is a [`Condition`].
//!
//! ```
//! use evalcheck_json::schema::{Property, Object, UnknownKeys, Schema, StringSchema};
//! static ROLE: Schema = Schema::text(StringSchema::one_of(&["user", "assistant"]));
//! static MESSAGE: Schema = Schema::object(Object::new(&[Property::required("role", &ROLE)], UnknownKeys::Ignore));
//! assert!(MESSAGE.object.is_some() && MESSAGE.string.is_none());
//! ```

mod condition;

pub use condition::{Condition, Then, Types};

/// What a value may be: any type whose alternative is present.
#[derive(Debug)]
pub struct Schema {
    /// `null` is accepted.
    pub null: bool,
    /// `true` and `false` are accepted.
    pub boolean: bool,
    /// A number is accepted, so constrained.
    pub number: Option<Number>,
    /// A string is accepted, so constrained.
    pub string: Option<StringSchema>,
    /// An array is accepted, so constrained.
    pub array: Option<Array>,
    /// An object is accepted, so constrained.
    pub object: Option<Object>,
    /// The document wants what the alternatives say, and the system makes it of any other scalar: `null`, booleans and
    /// numbers are left to the format's rules, which say what becomes of them.
    pub coerced: bool,
    /// Hand the text of a number or of a boolean to the format's rules, under this number ([`StringSchema::capture`] is for
    /// strings).
    pub capture: Option<u8>,
    /// What the value is for, for the documentation; may be empty.
    pub doc: &'static str,
}

/// Constraints on a number.
#[derive(Debug)]
pub struct Number {
    /// Only whole numbers; `1.0` is one, as in JSON Schema.
    pub integer: bool,
    /// The least value accepted.
    pub minimum: Option<i32>,
}

/// Constraints on a string, and what it is used for.
#[derive(Debug)]
pub struct StringSchema {
    /// The only values accepted; empty for any.
    pub values: &'static [&'static str],
    /// What it is used for.
    pub role: TextRole,
    /// Hand the string to the format's rules, under this number; of an enumeration too.
    pub capture: Option<u8>,
    /// The rules take a captured string with its escapes as they stand; without this the explaining tier, which
    /// decodes them, gets a string that has any.
    pub raw: bool,
    /// A string of nothing but white space is an error.
    pub not_blank: bool,
}

/// What a string is used for; it decides which characters are suspicious in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// Prose: any character is fine.
    Prose,
    /// An identifier, a name, a role: invisible and look-alike characters are warned of.
    Name,
}

/// Constraints on an array.
#[derive(Debug)]
pub struct Array {
    /// What each element is.
    pub items: &'static Schema,
    /// What is said of an array without an element.
    pub empty: Empty,
    /// Hand each element, as JSON, to the format's rules under this number, behind what is captured in it.
    pub captured_elements: Option<u8>,
}

/// What is said of an array without an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// Nothing.
    Allow,
    /// The system loads it, though it is hardly meant: a warning.
    Suspicious,
    /// The document forbids it: an error.
    Deny,
}

/// Constraints on an object.
#[derive(Debug)]
pub enum Object {
    /// One set of fields.
    Properties(Properties),
    /// Several sets of fields, told apart by the string under `key`.
    Tagged {
        /// The key that tells, `type`.
        key: &'static str,
        /// The string under the key, and the fields then (the key itself among them).
        variants: &'static [(&'static str, Properties)],
    },
}

/// A set of fields.
#[derive(Debug)]
pub struct Properties {
    /// The declared fields, in the order in which the system's own checker goes through them; at most 64.
    pub fields: &'static [Property],
    /// What happens to other keys.
    pub others: UnknownKeys,
    /// Bit `i` is set when field `i` is required.
    pub required: u64,
    /// Hand the keys that are not declared to the format's rules, under this number.
    pub captured_keys: Option<u8>,
    /// What else holds, by the value of one of the fields.
    pub conditions: &'static [Condition],
    /// Bit `i` is set when field `i` decides a condition, or when one restricts it.
    pub watched: u64,
}

/// A declared field.
#[derive(Debug)]
pub struct Property {
    /// Its key.
    pub key: &'static str,
    /// What its value is.
    pub schema: &'static Schema,
    /// It must be there.
    pub required: bool,
}

/// What happens to keys that are not declared.
#[derive(Debug)]
pub enum UnknownKeys {
    /// The user's own: accepted without comment.
    Allow,
    /// Allow, and lost: the system drops them in silence; a warning says so.
    Ignore,
    /// An error.
    Deny,
    /// Allow when the value is of this schema.
    Each(&'static Schema),
}

impl Schema {
    /// Accepts nothing; the start of every other.
    pub const NONE: Self = Self {
        null: false,
        boolean: false,
        number: None,
        string: None,
        array: None,
        object: None,
        coerced: false,
        capture: None,
        doc: "",
    };

    /// Any string.
    pub const STRING: Self = Self::text(StringSchema::ANY);

    /// `true` or `false`.
    pub const BOOLEAN: Self = Self { boolean: true, ..Self::NONE };

    /// Any object, whatever it holds.
    pub const ANY_OBJECT: Self = Self::object(Object::new(&[], UnknownKeys::Allow));

    /// Any array, whatever it holds.
    pub const ANY_ARRAY: Self = Self::array(Array::of(&ANY));

    /// Any value at all, as [`ANY`], for a schema that says more of it.
    pub const fn any() -> Self {
        Self {
            null: true,
            boolean: true,
            number: Some(Number { integer: false, minimum: None }),
            string: Some(StringSchema::ANY),
            array: Some(Array::of(&ANY)),
            object: Some(Object::new(&[], UnknownKeys::Allow)),
            ..Self::NONE
        }
    }

    /// The types it accepts.
    pub fn types(&self) -> Types {
        let accepted = [
            (self.null || self.coerced, Types::NULL),
            (self.boolean || self.coerced, Types::BOOLEAN),
            (self.number.is_some() || self.coerced, Types::NUMBER),
            (self.string.is_some(), Types::STRING),
            (self.array.is_some(), Types::ARRAY),
            (self.object.is_some(), Types::OBJECT),
        ];
        accepted.into_iter().filter(|(accepts, _)| *accepts).fold(Types::NONE, |all, (_, one)| all.or(one))
    }

    /// A string so constrained.
    pub const fn text(text: StringSchema) -> Self {
        Self { string: Some(text), ..Self::NONE }
    }

    /// A number so constrained.
    pub const fn number(number: Number) -> Self {
        Self { number: Some(number), ..Self::NONE }
    }

    /// The same, its numbers and booleans handed to the rules under a number.
    #[must_use]
    pub const fn captured(self, number: u8) -> Self {
        Self { capture: Some(number), ..self }
    }

    /// An array so constrained.
    pub const fn array(array: Array) -> Self {
        Self { array: Some(array), ..Self::NONE }
    }

    /// An object so constrained.
    pub const fn object(object: Object) -> Self {
        Self { object: Some(object), ..Self::NONE }
    }
}

/// Any value at all.
pub static ANY: Schema = Schema::any();

impl StringSchema {
    /// Any string.
    pub const ANY: Self =
        Self { values: &[], role: TextRole::Prose, capture: None, raw: false, not_blank: false };

    /// An identifier or a name.
    pub const NAME: Self = Self { role: TextRole::Name, ..Self::ANY };

    /// One of these.
    pub const fn one_of(values: &'static [&'static str]) -> Self {
        Self { values, role: TextRole::Name, ..Self::ANY }
    }

    /// The same, handed to the rules under a number.
    #[must_use]
    pub const fn captured(self, number: u8) -> Self {
        Self { capture: Some(number), ..self }
    }

    /// The same, with escapes as they stand ([`StringSchema::raw`]).
    #[must_use]
    pub const fn captured_raw(self, number: u8) -> Self {
        Self { raw: true, ..self.captured(number) }
    }
}

impl Array {
    /// An array of these, empty or not.
    pub const fn of(items: &'static Schema) -> Self {
        Self { items, empty: Empty::Allow, captured_elements: None }
    }

    /// The same, with its elements handed to the rules under a number.
    #[must_use]
    pub const fn elements_captured(self, number: u8) -> Self {
        Self { captured_elements: Some(number), ..self }
    }

    /// The same, with something to say of an empty one.
    #[must_use]
    pub const fn empty(self, empty: Empty) -> Self {
        Self { empty, ..self }
    }
}

impl Object {
    /// An object with these fields.
    pub const fn new(fields: &'static [Property], others: UnknownKeys) -> Self {
        Self::Properties(Properties::new(fields, others))
    }

    /// Every set of fields that the object may have.
    pub fn sets(&self) -> impl Iterator<Item = &Properties> {
        let (one, several): (_, &[_]) = match self {
            Self::Properties(fields) => (Some(fields), &[]),
            Self::Tagged { variants, .. } => (None, variants),
        };
        one.into_iter().chain(several.iter().map(|(_, fields)| fields))
    }
}

impl Properties {
    /// These fields.
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
        Self { fields, others, required, captured_keys: None, conditions: &[], watched: 0 }
    }

    /// The same, with its other keys handed to the rules under a number.
    #[must_use]
    pub const fn keys_captured(self, number: u8) -> Self {
        Self { captured_keys: Some(number), ..self }
    }

    /// The same, under conditions (of the same fields).
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

    /// The place of a key among the declared fields.
    pub fn position(&self, key: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| field.key.as_bytes() == key)
    }
}

impl Property {
    /// A field that must be there.
    pub const fn required(key: &'static str, schema: &'static Schema) -> Self {
        Self { key, schema, required: true }
    }

    /// A field that may be missing.
    pub const fn optional(key: &'static str, schema: &'static Schema) -> Self {
        Self { key, schema, required: false }
    }
}
