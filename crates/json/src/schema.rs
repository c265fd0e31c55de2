//! Schemas: the requirements on a record, as data.
//!
//! A format declares one [`Schema`] for its records. Both tiers read it ([`crate::scan::line()`] and
//! `check_schema` of `evalcheck-diagnose`), and so do the documentation, the exported JSON Schema and the generators of the
//! tests. None of them knows a format.
//!
//! A schema has at most one alternative for each JSON type, such as `string | array of parts`. Objects with different
//! sets of fields are distinguished by the value of a key ([`Object::Tagged`]) or by their keys ([`Object::Keyed`]). A
//! [`Condition`] adds requirements that depend on the value of a key.
//!
//! ```
//! use evalcheck_json::schema::{Property, Object, UnknownKeys, Schema, StringSchema};
//! static ROLE: Schema = Schema::text(StringSchema::one_of(&["user", "assistant"]));
//! static MESSAGE: Schema = Schema::object(Object::new(&[Property::required("role", &ROLE)], UnknownKeys::Ignore));
//! assert!(MESSAGE.object.is_some() && MESSAGE.string.is_none());
//! ```

mod condition;
mod object;

pub use condition::{Condition, Then, Types};
pub use object::{Object, Properties, Property, UnknownKeys};

/// The accepted values: those of any type whose alternative is present.
#[derive(Debug)]
pub struct Schema {
    /// Whether `null` is accepted.
    pub null: bool,
    /// Whether `true` and `false` are accepted.
    pub boolean: bool,
    /// The constraints on numbers, if they are accepted.
    pub number: Option<Number>,
    /// The constraints on strings, if they are accepted.
    pub string: Option<StringSchema>,
    /// The constraints on arrays, if they are accepted.
    pub array: Option<Array>,
    /// The constraints on objects, if they are accepted.
    pub object: Option<Object>,
    /// Whether the system converts any scalar, although the specification requires one of the alternatives. `null`, booleans and numbers
    /// are left to the format's rules, which report the conversion.
    pub coerced: bool,
    /// Values of other types that the system's own validator accepts, although its schema refuses them. They are errors, and the message
    /// mentions the validator. In the schema of a whole record, any value other than [`Lenience::None`] means that this validator reads
    /// such records at all.
    pub lenience: Lenience,
    /// Captures the text of a number or a boolean for the format's rules, under this number, and an array or an object as JSON after the
    /// captures in it. For strings see [`StringSchema::capture`].
    pub capture: Option<u8>,
    /// The purpose of the value, for the documentation; may be empty.
    pub doc: &'static str,
    /// A value as JSON that hints show. Without it, hints show a value made of the required keys. The example of a string shows the form
    /// that the format's rules require.
    pub example: Option<&'static str>,
}

/// Values that a validator accepts, although the schema refuses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lenience {
    /// None.
    None,
    /// Values that pydantic converts: numbers and booleans in strings, 0 and 1 for booleans, booleans for numbers.
    Converted,
    /// Values of any type.
    Any,
}

/// Constraints on a number.
#[derive(Debug)]
pub struct Number {
    /// Whether only integers are accepted; `1.0` is one, as in JSON Schema.
    pub integer: bool,
    /// The minimum value.
    pub minimum: Option<i32>,
    /// The maximum value.
    pub maximum: Option<i32>,
}

/// Constraints on a string, and its use.
#[derive(Debug)]
pub struct StringSchema {
    /// The accepted values; empty for any.
    pub values: &'static [&'static str],
    /// The use of the string.
    pub role: TextRole,
    /// Captures the string for the format's rules, under this number.
    pub capture: Option<u8>,
    /// Whether the rules accept a captured string with escapes. Otherwise such a string makes its record doubtful, and the thorough tier
    /// decodes it.
    pub raw: bool,
    /// Whether a string that is empty or only white space is an error.
    pub not_blank: bool,
    /// Whether a string that is not JSON is suspicious: a warning. A value other than a string can be written as one.
    pub json: bool,
}

/// The use of a string, which decides which characters are suspicious in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// Prose: any character is fine.
    Prose,
    /// An identifier, a name, a role: invisible and look-alike characters cause a warning.
    Name,
}

/// Constraints on an array.
#[derive(Debug)]
pub struct Array {
    /// The schema of each element.
    pub items: &'static Schema,
    /// Whether the array may be empty.
    pub empty: Empty,
    /// The maximum number of elements.
    pub most: Option<usize>,
    /// Captures each element, as JSON, for the format's rules, under this number, after the captures in it.
    pub captured_elements: Option<u8>,
}

/// Whether an array may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// It may.
    Allow,
    /// The system loads it, but it is probably a mistake: a warning.
    Suspicious,
    /// The specification forbids it: an error.
    Deny,
}

impl Schema {
    /// Accepts nothing.
    pub const NONE: Self = Self {
        null: false,
        boolean: false,
        number: None,
        string: None,
        array: None,
        object: None,
        coerced: false,
        lenience: Lenience::None,
        capture: None,
        doc: "",
        example: None,
    };

    /// Any string.
    pub const STRING: Self = Self::text(StringSchema::ANY);

    /// `true` or `false`.
    pub const BOOLEAN: Self = Self { boolean: true, ..Self::NONE };

    /// Any object.
    pub const ANY_OBJECT: Self = Self::object(Object::new(&[], UnknownKeys::Allow));

    /// Any array.
    pub const ANY_ARRAY: Self = Self::array(Array::of(&ANY));

    /// Any value, like [`ANY`], for a schema with documentation or a capture.
    pub const fn any() -> Self {
        Self {
            null: true,
            boolean: true,
            number: Some(Number::ANY),
            string: Some(StringSchema::ANY),
            array: Some(Array::of(&ANY)),
            object: Some(Object::new(&[], UnknownKeys::Allow)),
            ..Self::NONE
        }
    }

    /// The accepted types.
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

    /// A string with these constraints.
    pub const fn text(text: StringSchema) -> Self {
        Self { string: Some(text), ..Self::NONE }
    }

    /// A number with these constraints.
    pub const fn number(number: Number) -> Self {
        Self { number: Some(number), ..Self::NONE }
    }

    /// Captures numbers, booleans, arrays and objects under this number.
    #[must_use]
    pub const fn captured(self, number: u8) -> Self {
        Self { capture: Some(number), ..self }
    }

    /// Sets the values that the system's validator accepts nevertheless.
    #[must_use]
    pub const fn lenient(self, lenience: Lenience) -> Self {
        Self { lenience, ..self }
    }

    /// An array with these constraints.
    pub const fn array(array: Array) -> Self {
        Self { array: Some(array), ..Self::NONE }
    }

    /// An object with these constraints.
    pub const fn object(object: Object) -> Self {
        Self { object: Some(object), ..Self::NONE }
    }
}

/// Any value.
pub static ANY: Schema = Schema::any();

impl StringSchema {
    /// Any string.
    pub const ANY: Self =
        Self { values: &[], role: TextRole::Prose, capture: None, raw: false, not_blank: false, json: false };

    /// An identifier or a name.
    pub const NAME: Self = Self { role: TextRole::Name, ..Self::ANY };

    /// JSON, in a string.
    pub const JSON: Self = Self { json: true, ..Self::ANY };

    /// One of these values.
    pub const fn one_of(values: &'static [&'static str]) -> Self {
        Self { values, role: TextRole::Name, ..Self::ANY }
    }

    /// Captures the string under this number.
    #[must_use]
    pub const fn captured(self, number: u8) -> Self {
        Self { capture: Some(number), ..self }
    }

    /// Captures the string under this number without decoding escapes ([`StringSchema::raw`]).
    #[must_use]
    pub const fn captured_raw(self, number: u8) -> Self {
        Self { raw: true, ..self.captured(number) }
    }
}

impl Number {
    /// Any number.
    pub const ANY: Self = Self { integer: false, minimum: None, maximum: None };

    /// Any integer.
    pub const INTEGER: Self = Self { integer: true, ..Self::ANY };

    /// Sets the minimum value.
    #[must_use]
    pub const fn at_least(self, minimum: i32) -> Self {
        Self { minimum: Some(minimum), ..self }
    }

    /// Sets the maximum value.
    #[must_use]
    pub const fn at_most(self, maximum: i32) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Whether a value is between the minimum and the maximum.
    pub fn has_in_range(&self, value: f64) -> bool {
        self.minimum.is_none_or(|minimum| value >= f64::from(minimum))
            && self.maximum.is_none_or(|maximum| value <= f64::from(maximum))
    }
}

impl Array {
    /// An array of such elements, of any number.
    pub const fn of(items: &'static Schema) -> Self {
        Self { items, empty: Empty::Allow, most: None, captured_elements: None }
    }

    /// Sets the maximum number of elements.
    #[must_use]
    pub const fn at_most(self, most: usize) -> Self {
        Self { most: Some(most), ..self }
    }

    /// Captures the elements under this number.
    #[must_use]
    pub const fn elements_captured(self, number: u8) -> Self {
        Self { captured_elements: Some(number), ..self }
    }

    /// Sets the treatment of empty arrays.
    #[must_use]
    pub const fn empty(self, empty: Empty) -> Self {
        Self { empty, ..self }
    }
}
