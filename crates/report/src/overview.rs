//! Statistics of a whole dataset: the first counts that a reader wants to know.
//!
//! Categories have a value and a count each. All other amounts are histograms whose steps do not depend on the data, so that the
//! histograms of two parts can be added.

mod histogram;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::loaded::ChangeKind;
use crate::order::Order as _;

pub use histogram::{Bucket, Histogram, Number, bucket, bucket_start, octave};

/// Statistics of a whole dataset. Counts that are not exact are described as such.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Overview {
    /// Records that were read.
    pub records: u64,
    /// Records without an error that the system reads.
    pub valid: u64,
    /// The other records.
    pub invalid: u64,
    /// Bytes of a record. Leaves out records that span several lines although a record is a line, records that are too long to be read,
    /// and elements of a JSON document that cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Histogram>,
    /// Characters (code points) of the same records, as they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub characters: Option<Histogram>,
    /// Records that have the same bytes as an earlier one. Absent if there are too many records to compare: 1,835,008 different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<u64>,
    /// The records as the system loads them; absent if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded: Option<LoadedFacts>,
    /// Texts: strings at paths that are not a category, and at paths that are not listed.
    pub texts: Texts,
    /// Facts about the records of the format: turns, roles, models, scores and the like.
    pub facts: Vec<Fact>,
    /// The paths of values in records that can be read, in the order in which they first occur.
    pub paths: Vec<PathFacts>,
    /// Values at paths that are not listed: beyond 500 paths, those that the format declares and then the shortest are listed, none of
    /// more than 1,000 bytes.
    pub at_other_paths: u64,
    /// The files of the archive beside the dataset, by type.
    pub attachments: Vec<AttachmentFacts>,
}

/// The records of a dataset as the system loads them. Each record is counted once.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct LoadedFacts {
    /// Records that it holds as they are in the file.
    pub same: u64,
    /// Records that it holds in another form.
    pub different: u64,
    /// Records that it drops while it loads others, including those of a repeated list in a document.
    pub dropped: u64,
    /// Records that it refuses because of their errors, or because of the header.
    pub refused: u64,
    /// The differences of the records that it holds, most frequent first.
    pub differences: Vec<LoadedDifference>,
    /// Differences beyond the 500 that are listed, and those at paths of more than 1,000 bytes, counted once for each record.
    pub others: u64,
}

impl LoadedFacts {
    /// All records that are counted.
    pub const fn records(&self) -> u64 {
        self.same + self.different + self.dropped + self.refused
    }

    /// The number of records that the system holds in another form or drops, and of all that it holds or drops.
    pub const fn differing(&self) -> (u64, u64) {
        let differing = self.different + self.dropped;
        (differing, self.same + differing)
    }
}

/// A difference between the records that the system holds and the file.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct LoadedDifference {
    /// The change of the value.
    pub kind: ChangeKind,
    /// The path of the value, in which `*` is any index; `(root)` for the record.
    pub path: String,
    /// The reason, as a sentence.
    pub why: String,
    /// Records in which it happens.
    pub records: u64,
}

/// Texts of a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Texts {
    /// Characters (code points) of a text, without its escapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub characters: Option<Histogram>,
    /// Tokens of a text. This is an estimate: a character from U+3000 on (Han, Kana, Hangul) counts as one, four others together as one.
    /// Models differ from it, and from each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_tokens: Option<Histogram>,
    /// Texts by script.
    pub scripts: Vec<ScriptCount>,
}

/// Texts in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct ScriptCount {
    /// The script.
    pub script: Script,
    /// Texts with at least a tenth of the letters among their first 1,000 characters in this script. A text can be in several.
    pub texts: u64,
}

/// A script of letters.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    BorshSerialize,
    BorshDeserialize,
    Serialize,
    Deserialize,
)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// Latin.
    Latin,
    /// Han.
    Han,
    /// Hiragana and Katakana.
    Kana,
    /// Hangul.
    Hangul,
    /// Arabic.
    Arabic,
    /// Cyrillic.
    Cyrillic,
    /// Devanagari.
    Devanagari,
    /// Any other.
    Other,
}

impl Script {
    /// All scripts, in their order.
    pub const ALL: [Self; 8] = [
        Self::Latin,
        Self::Han,
        Self::Kana,
        Self::Hangul,
        Self::Arabic,
        Self::Cyrillic,
        Self::Devanagari,
        Self::Other,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin",
            Self::Han => "Han",
            Self::Kana => "Kana",
            Self::Hangul => "Hangul",
            Self::Arabic => "Arabic",
            Self::Cyrillic => "Cyrillic",
            Self::Devanagari => "Devanagari",
            Self::Other => "other scripts",
        }
    }
}

/// Values that the records of a format have in common.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Fact {
    /// Its name, which is unique in the format.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// The paths of the values, in which `*` is any key or index.
    pub paths: Vec<String>,
    /// The distribution of the values, or of the numbers of elements for lists.
    pub distribution: Distribution,
    /// The distribution for each value that records have at another path. Records without one, or with several, are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Groups>,
}

/// A distribution for each value at a path.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Groups {
    /// The path.
    pub path: String,
    /// The values there, the most frequent first; none if there are more than 1,000.
    pub groups: Vec<Group>,
}

/// The distribution for one value at a path.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Group {
    /// The value.
    pub value: String,
    /// The distribution.
    pub distribution: Distribution,
}

/// Values and their frequencies.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// The count of each value.
    Categories(Categories),
    /// Numbers in steps.
    Histogram(Histogram),
}

/// Values with their counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Categories {
    /// The values, the most frequent first; none if there are more than 1,000.
    pub values: Vec<Category>,
    /// Values that are not listed: further ones, and strings of more than 100 bytes.
    pub others: u64,
}

/// A value with its count.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Category {
    /// The value: a string, or a number or a boolean as it is written.
    pub value: String,
    /// How often it occurs.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub count: u64,
}

impl Categories {
    /// All values.
    pub fn total(&self) -> u64 {
        self.values.iter().map(|category| category.count).sum::<u64>() + self.others
    }
}

/// A path, and its values.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct PathFacts {
    /// The path, `input.messages.*.role`, where `*` is any index; `(root)` for the record.
    pub path: String,
    /// Records that have such a value.
    pub records: u64,
    /// The values by their type.
    pub types: TypeCounts,
    /// Characters of the strings, without escapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub characters: Option<Histogram>,
    /// Elements of the arrays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<Histogram>,
    /// The numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Histogram>,
    /// The strings, numbers and booleans if they are a category: they have at most 10 different values, one of which is repeated, or
    /// fewer than 1,000 and one for every five values. At most a tenth of them are further values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Categories>,
}

/// Values by their type in JSON. If an object has a duplicate key, both values count. A cell of a CSV is a string; in a column of lists
/// it is a list, in JSON or as values between commas, unless it is other JSON.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize,
)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct TypeCounts {
    /// Strings.
    pub string: u64,
    /// Numbers.
    pub number: u64,
    /// Booleans.
    pub boolean: u64,
    /// Nulls.
    pub null: u64,
    /// Arrays.
    pub array: u64,
    /// Objects.
    pub object: u64,
}

/// A type of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonType {
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonType {
    /// All types.
    pub const ALL: [Self; 6] =
        [Self::String, Self::Number, Self::Boolean, Self::Null, Self::Array, Self::Object];

    /// The name of the type: `string`.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The type with its article: `a string`, `null`.
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Null => "null",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl TypeCounts {
    /// The values of a type.
    pub const fn of(&self, of: JsonType) -> u64 {
        match of {
            JsonType::String => self.string,
            JsonType::Number => self.number,
            JsonType::Boolean => self.boolean,
            JsonType::Null => self.null,
            JsonType::Array => self.array,
            JsonType::Object => self.object,
        }
    }

    /// The count of a type, to change it.
    pub const fn of_mut(&mut self, of: JsonType) -> &mut u64 {
        match of {
            JsonType::String => &mut self.string,
            JsonType::Number => &mut self.number,
            JsonType::Boolean => &mut self.boolean,
            JsonType::Null => &mut self.null,
            JsonType::Array => &mut self.array,
            JsonType::Object => &mut self.object,
        }
    }

    /// The counts with the names of the types.
    pub fn named(&self) -> [(&'static str, u64); 6] {
        JsonType::ALL.map(|of| (of.noun(), self.of(of)))
    }

    /// All values.
    pub fn total(&self) -> u64 {
        self.named().iter().map(|(_, count)| count).sum()
    }
}

/// Files of an archive that have the same type.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct AttachmentFacts {
    /// The media type, by the content of the files.
    pub media_type: String,
    /// The type in words.
    pub description: String,
    /// Their sizes in bytes.
    pub bytes: Histogram,
}

impl Categories {
    /// Merges the categories of two parts. A value that one part counts among its others stays there, so the count of a value can be too
    /// small.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        let mut merged = self.clone();
        merged.others += other.others;
        for category in &other.values {
            match merged.values.iter_mut().find(|known| known.value == category.value) {
                Some(known) => known.count += category.count,
                None => merged.values.push(category.clone()),
            }
        }
        merged.values.order_by_key(|category| std::cmp::Reverse(category.count));
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_add_up() {
        let of = |values: &[(&str, u64)], others| Categories {
            values: values.iter().map(|&(value, count)| Category { value: value.into(), count }).collect(),
            others,
        };
        let merged = of(&[("a", 3), ("b", 1)], 0).merge(&of(&[("b", 4), ("c", 1)], 2));
        assert_eq!(merged, of(&[("b", 5), ("a", 3), ("c", 1)], 2));
        assert_eq!(merged.total(), 11);
    }
}
