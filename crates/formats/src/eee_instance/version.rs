//! The two versions, and the signs by which a record shows which one it is written for.

use crate::diagnose::{Kind, Value};

/// A version of the schema, as far as records differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 0.2.x
    V02,
    /// 0.3.x
    V03,
}

impl Version {
    /// The version that a `schema_version` names: `0.2.0`, `instance_level_eval_0.2.0`, `v0.3`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
        numbers.into_iter().find_map(|number| match number.as_bytes() {
            [b'0', b'.', b'2'] | [b'0', b'.', b'2', b'.', ..] => Some(Self::V02),
            [b'0', b'.', b'3'] | [b'0', b'.', b'3', b'.', ..] => Some(Self::V03),
            _ => None,
        })
    }

    /// The version that a variant of the format has.
    pub(super) fn of_variant(version: &str) -> Self {
        Self::named(version).unwrap_or(Self::V02)
    }

    /// The place of its variant in the format.
    pub(super) fn variant(self) -> usize {
        match self {
            Self::V02 => 0,
            Self::V03 => 1,
        }
    }

    /// `0.2.0`
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V02 => "0.2.0",
            Self::V03 => "0.3.0",
        }
    }

    /// The other one.
    pub(super) fn other(self) -> Self {
        match self {
            Self::V02 => Self::V03,
            Self::V03 => Self::V02,
        }
    }

    /// The key of the transcript.
    pub(super) fn transcript(self) -> &'static str {
        match self {
            Self::V02 => "interactions",
            Self::V03 => "messages",
        }
    }

    /// The parts of a record that only this version has. None of them can be in a record that the other version
    /// accepts.
    pub(super) fn signs(self, record: &Value<'_>) -> Vec<&'static str> {
        let input = record.get("input").and_then(|input| input.get("reference"));
        let output = record.get("output").and_then(|output| output.get("raw"));
        let of = |value: Option<&Value<'_>>| match value.map(|value| &value.kind) {
            Some(Kind::String(_)) => Some(Self::V02),
            Some(Kind::Array(_)) => Some(Self::V03),
            _ => None,
        };
        let has = |key: &str| record.get(key).is_some_and(|value| value.kind != Kind::Null);
        let (own, others) = (self.transcript(), self.other().transcript());
        let single = record.get("interaction_type").and_then(Value::as_str) == Some("single_turn");
        let mut signs = Vec::new();
        if of(input) == Some(self) {
            signs.push(match self {
                Self::V02 => "input.reference is a string",
                Self::V03 => "input.reference is an array",
            });
        }
        if of(output) == Some(self) {
            signs.push(match self {
                Self::V02 => "output.raw is a string",
                Self::V03 => "output.raw is an array",
            });
        }
        if has(own) && !has(others) && !single {
            signs.push(match self {
                Self::V02 => "the transcript is under interactions",
                Self::V03 => "the transcript is under messages",
            });
        }
        signs
    }

    /// The version that a record is written for: what it says, or else what it looks like.
    pub(super) fn of_record(record: &Value<'_>) -> Option<Self> {
        let named = record.get("schema_version").and_then(Value::as_str).and_then(Self::named);
        named.or_else(|| {
            let (old, new) = (Self::V02.signs(record).len(), Self::V03.signs(record).len());
            match old.cmp(&new) {
                std::cmp::Ordering::Greater => Some(Self::V02),
                std::cmp::Ordering::Less => Some(Self::V03),
                std::cmp::Ordering::Equal => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_people_write() {
        for (text, version) in [
            ("0.2.0", Some(Version::V02)),
            ("0.2.2", Some(Version::V02)),
            ("instance_level_eval_0.2.0", Some(Version::V02)),
            ("v0.3.0", Some(Version::V03)),
            ("0.3", Some(Version::V03)),
            ("0.3.0-rc1", Some(Version::V03)),
            ("0.20.0", None),
            ("1.0.2", None),
            ("10.2.0", None),
            ("0.1.0", None),
            ("", None),
        ] {
            assert_eq!(Version::named(text), version, "{text}");
        }
    }
}
