//! The types of the values at a path, and where each first occurs.

use evalcheck_core::finding::Location;
use evalcheck_core::order::Order;
use indexmap::IndexMap;

use super::tree::NodeId;

/// The most sets of signs that are kept of the later chunks of a path.
const MOST_SETS: usize = 16;

/// A sign of a type. Those from [`Sign::OtherKeys`] on are marks: a value has them beside the sign of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Null,
    Boolean,
    Integer,
    /// A signed 64-bit integer beyond 2^53, which a float may not hold exactly.
    WideInteger,
    /// A whole number that does not fit into a signed one of 64 bits.
    BigInteger,
    /// One that does not fit into an unsigned one either.
    HugeInteger,
    Float,
    /// A number with a point or an exponent that is a whole number of 64 bits.
    WholeFloat,
    /// A text that Arrow reads as a time.
    Date,
    Text,
    List,
    Object,
    /// An object whose keys are not those of the others at its path.
    OtherKeys,
    /// A text that is JSON by itself.
    JsonText,
    /// A time of a year that Python does not have.
    OutOfRange,
    /// A time that ends with `Z`.
    Utc,
    /// A time with another offset.
    Offset,
    /// A number that ujson refuses.
    TooBig,
    /// A number that ujson reads as another one.
    Wrapped,
    /// A value whose text Arrow does not read as an integer.
    NoInteger,
    /// The same for a float.
    NoFloat,
    /// The same for a boolean.
    NoBoolean,
}

/// A set of signs, a bit for each.
pub(super) type Signs = u32;

impl Sign {
    pub(super) const fn bit(self) -> Signs {
        1 << self as u32
    }

    pub(super) const ALL: [Self; 22] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::WideInteger,
        Self::BigInteger,
        Self::HugeInteger,
        Self::Float,
        Self::WholeFloat,
        Self::Date,
        Self::Text,
        Self::List,
        Self::Object,
        Self::OtherKeys,
        Self::JsonText,
        Self::OutOfRange,
        Self::Utc,
        Self::Offset,
        Self::TooBig,
        Self::Wrapped,
        Self::NoInteger,
        Self::NoFloat,
        Self::NoBoolean,
    ];

    /// The group of signs that one column holds, as its name; `None` for null and marks.
    pub(super) const fn group(self) -> Option<&'static str> {
        match self {
            Self::Boolean => Some("a boolean"),
            Self::Integer
            | Self::WideInteger
            | Self::BigInteger
            | Self::HugeInteger
            | Self::Float
            | Self::WholeFloat => Some("a number"),
            Self::Date | Self::Text => Some("a text"),
            Self::List => Some("a list"),
            Self::Object => Some("an object"),
            _ => None,
        }
    }
}

/// The values with a sign.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) number: u64,
    /// The first one.
    pub(super) first: Option<Box<Location>>,
    /// Its beginning, if it is a text.
    pub(super) text: Box<str>,
}

/// The values of a path in one chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Values(pub(super) [Seen; Sign::ALL.len()]);

/// The values of a path in a later chunk.
#[derive(Debug, Clone)]
pub(super) struct Later {
    pub(super) chunk: usize,
    pub(super) values: Values,
}

impl Values {
    pub(super) fn of(&self, sign: Sign) -> &Seen {
        &self.0[sign as usize]
    }

    pub(super) fn has(&self, signs: &[Sign]) -> bool {
        signs.iter().any(|sign| self.of(*sign).number > 0)
    }

    /// Whether the signs of other values are the same.
    fn has_signs_of(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| (one.number > 0) == (other.number > 0))
    }

    /// The groups of the values with the place of the first value of each, in the order of the file.
    pub(super) fn groups(&self) -> Vec<(&'static str, &Location)> {
        let mut groups: Vec<(&'static str, &Location)> = Vec::new();
        for sign in Sign::ALL {
            let (Some(group), Some(first)) = (sign.group(), self.of(sign).first.as_deref()) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, known)) => *known = earlier(known, first),
                None => groups.push((group, first)),
            }
        }
        groups.order_by_key(|(_, first)| order(first));
        groups
    }
}

fn order(location: &Location) -> u64 {
    location.bytes.as_ref().map_or(0, |bytes| bytes.start)
}

fn earlier<'l>(one: &'l Location, other: &'l Location) -> &'l Location {
    if order(other) < order(one) { other } else { one }
}

/// The values of a path.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// Its key; `None` for the record and for elements.
    pub(super) key: Option<Box<str>>,
    pub(super) children: IndexMap<Box<str>, NodeId>,
    /// The elements of its lists.
    pub(super) element: Option<NodeId>,
    /// The number of objects here.
    pub(super) objects: u64,
    /// The chunk in which it first occurs, from 0.
    pub(super) since: usize,
    /// The values of the first chunk.
    pub(super) early: Values,
    /// The values of the later ones, one for each set of signs.
    pub(super) late: Vec<Later>,
}

impl Node {
    /// The values of a chunk, to which one is added.
    #[inline]
    pub(super) fn values(&mut self, chunk: usize) -> &mut Values {
        if chunk == 0 {
            return &mut self.early;
        }
        if self.late.last().is_none_or(|last| last.chunk != chunk) {
            self.begin(chunk);
        }
        let last = self.late.len() - 1;
        &mut self.late[last].values
    }

    /// Begins a later chunk. The previous chunk is dropped if a kept one has the same signs, or if there are too many.
    #[cold]
    fn begin(&mut self, chunk: usize) {
        let later = Later { chunk, values: Values::default() };
        match self.late.split_last_mut() {
            Some((last, kept))
                if kept.len() >= MOST_SETS
                    || kept.iter().any(|known| known.values.has_signs_of(&last.values)) =>
            {
                *last = later;
            }
            _ => self.late.push(later),
        }
    }
}
