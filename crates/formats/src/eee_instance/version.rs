//! The schemas of the format, the names of versions, and the signs that show for which schema a record is written.
//!
//! The schemas 0.2.1, 0.2.2 and 0.2.3 are that of 0.3.0 under another name, so a name alone does not decide.

use std::cmp::Ordering;

use crate::diagnose::{Kind, Value};

/// A version of the schema, as far as records differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 0.2.0
    V02,
    /// 0.3.0, and 0.2.1 to 0.2.3
    V03,
}

/// The name of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// 0.2 or 0.2.0. For two weeks the schema of that name had three other shapes.
    V020,
    /// 0.2.1 to 0.2.3
    V021To023,
    /// 0.3.x
    V03,
}

impl Name {
    /// The version that a `schema_version` names: `0.2.0`, `instance_level_eval_0.2.0`, `v0.3`. `None` for any other text.
    pub(super) fn of(text: &str) -> Option<Self> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|number| match number {
            "0.2" | "0.2." | "0.2.0" => Some(Self::V020),
            "0.2.1" | "0.2.2" | "0.2.3" => Some(Self::V021To023),
            "0.3" => Some(Self::V03),
            _ => number.starts_with("0.3.").then_some(Self::V03),
        })
    }

    /// The version that `schema_version` of a record names.
    pub(super) fn of_record(record: &Value<'_>) -> Option<Self> {
        record.get("schema_version").and_then(Value::as_str).and_then(Self::of)
    }

    /// The schema that had this name.
    pub(super) fn version(self) -> Version {
        match self {
            Self::V020 => Version::V02,
            Self::V021To023 | Self::V03 => Version::V03,
        }
    }
}

impl Version {
    /// The version of a variant of the format.
    pub(super) fn of_variant(version: &str) -> Self {
        Name::of(version).map_or(Self::V03, Name::version)
    }

    /// The index of its variant in the format.
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

    /// The other version.
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

    /// The parts of a record that only this version has. The other version accepts no record with one of them.
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

    /// The version with the most signs in a record.
    pub(super) fn by_shape(record: &Value<'_>) -> Option<Self> {
        let (old, new) = (Self::V02.signs(record).len(), Self::V03.signs(record).len());
        match old.cmp(&new) {
            Ordering::Greater => Some(Self::V02),
            Ordering::Less => Some(Self::V03),
            Ordering::Equal => None,
        }
    }

    /// The version that a record is checked against. Its shape decides, because the project's validator does not compare names; but only
    /// 0.3.0 ever had that name.
    pub(super) fn of_record(record: &Value<'_>) -> Self {
        match (Name::of_record(record), Self::by_shape(record)) {
            (Some(Name::V03), _) | (None, None) => Self::V03,
            (_, Some(shape)) => shape,
            (Some(name), None) => name.version(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::parse;

    #[test]
    fn names_are_read_from_what_people_write() {
        for (text, name) in [
            ("0.2.0", Some(Name::V020)),
            ("0.2", Some(Name::V020)),
            ("0.2.x", Some(Name::V020)),
            ("instance_level_eval_0.2.0", Some(Name::V020)),
            ("instance_level_eval_0.2.1", Some(Name::V021To023)),
            ("0.2.2", Some(Name::V021To023)),
            ("v0.2.3", Some(Name::V021To023)),
            ("0.2.4", None),
            ("v0.3.0", Some(Name::V03)),
            ("0.3", Some(Name::V03)),
            ("0.3.0-rc1", Some(Name::V03)),
            ("0.20.0", None),
            ("1.0.2", None),
            ("10.2.0", None),
            ("0.1.0", None),
            ("", None),
        ] {
            assert_eq!(Name::of(text), name, "{text}");
        }
    }

    #[test]
    fn name_and_shape_decide_together() {
        let (old, new, neither) =
            (r#""input":{"reference":"4"}"#, r#""input":{"reference":["4"]}"#, r#""a":1"#);
        for (name, of_old, of_new, of_neither) in [
            ("0.3.0", Version::V03, Version::V03, Version::V03),
            ("0.2.1", Version::V02, Version::V03, Version::V03),
            ("0.2.3", Version::V02, Version::V03, Version::V03),
            ("0.2.0", Version::V02, Version::V03, Version::V02),
            ("0.2", Version::V02, Version::V03, Version::V02),
            ("1.0", Version::V02, Version::V03, Version::V03),
        ] {
            for (shape, version) in [(old, of_old), (new, of_new), (neither, of_neither)] {
                let record = format!("{{\"schema_version\":\"{name}\",{shape}}}");
                let parsed = parse(record.as_bytes()).expect("the record is JSON");
                assert_eq!(Version::of_record(&parsed.value), version, "{record}");
            }
        }
    }
}
