//! The types of the values at a path, and where each first occurs.

use evalcheck_core::finding::Location;
use indexmap::IndexMap;

use super::tree::NodeId;

/// A sign of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Boolean,
    Integer,
    /// A whole number that does not fit into a signed one of 64 bits.
    BigInteger,
    /// One that does not fit into an unsigned one either.
    HugeInteger,
    Float,
    /// A text that Arrow reads as a time.
    Date,
    /// A text that is JSON by itself.
    JsonText,
    Text,
    List,
    Object,
    /// An object whose keys are not those of the others at its path.
    OtherKeys,
}

impl Sign {
    const ALL: [Self; 11] = [
        Self::Boolean,
        Self::Integer,
        Self::BigInteger,
        Self::HugeInteger,
        Self::Float,
        Self::Date,
        Self::JsonText,
        Self::Text,
        Self::List,
        Self::Object,
        Self::OtherKeys,
    ];

    /// The group of signs that one column holds, as its name; `None` for [`Sign::OtherKeys`].
    pub(super) const fn group(self) -> Option<&'static str> {
        match self {
            Self::Boolean => Some("a boolean"),
            Self::Integer | Self::BigInteger | Self::HugeInteger | Self::Float => Some("a number"),
            Self::Date | Self::JsonText | Self::Text => Some("a text"),
            Self::List => Some("a list"),
            Self::Object => Some("an object"),
            Self::OtherKeys => None,
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

/// The values of a path in the first chunk, or in the later ones.
#[derive(Debug, Clone, Default)]
pub(super) struct Values(pub(super) [Seen; Sign::ALL.len()]);

impl Values {
    pub(super) fn of(&self, sign: Sign) -> &Seen {
        &self.0[sign as usize]
    }

    pub(super) fn has(&self, signs: &[Sign]) -> bool {
        signs.iter().any(|sign| self.of(*sign).number > 0)
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
        groups.sort_by_key(|(_, first)| order(first));
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
    /// The values of the later ones.
    pub(super) late: Values,
    /// A later chunk in which texts and values of other types are mixed.
    pub(super) mixed_in: Option<usize>,
    /// The last chunk, and whether it has texts, and values of other types.
    pub(super) last: (usize, bool, bool),
}
