//! The counts of the values at a path.

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_formats::statistics::{FirstLines, PathStatistics};
use evalcheck_json::walk::Text;
use evalcheck_report::ROOT_PATH;
use evalcheck_report::overview::{JsonType, PathFacts, TypeCounts};
use evalcheck_report::selector::{push_any, push_key};
use indexmap::IndexMap;

use super::kinds::Excluded;
use crate::overview::LONGEST_PATH;
use crate::overview::observed::Observed;
use crate::overview::scripts;
use crate::overview::steps::Steps;
use crate::overview::values::Values;
use crate::schema::Schema;

/// The index of a node.
pub(super) type NodeId = u32;

/// A path, in the order in which paths are kept: those that the schema or a fact of the format declares, then the shortest. A path comes after those above it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub(super) struct Path {
    pub(super) is_undeclared: bool,
    /// Bytes of the text.
    pub(super) length: usize,
    /// Dotted keys. Paths with equal texts are kept together or not at all.
    pub(super) text: String,
}

/// The values at a path.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(in crate::overview) struct Node {
    pub(super) parent: NodeId,
    pub(super) path: Path,
    /// The schema of the values, if it is declared.
    #[borsh(skip)]
    schema: Option<&'static Schema>,
    /// The nodes of keys, in the order in which they first occur; that of all others for some keys without a node.
    pub(super) children: IndexMap<Box<[u8]>, NodeId>,
    /// The node of elements.
    pub(super) any: Option<NodeId>,
    /// The last record that has such a value.
    pub(super) last_record: u64,
    /// Records that have such a value.
    pub(super) records: u64,
    pub(super) types: TypeCounts,
    first: FirstLines,
    /// Strings without a character, and the line of the first of them.
    pub(super) empty: u64,
    first_empty: u64,
    pub(super) texts: Option<Box<TextCounts>>,
    pub(in crate::overview) elements: Option<Box<Steps>>,
    pub(in crate::overview) numbers: Option<Box<Steps>>,
    pub(in crate::overview) values: Values,
    /// Whether a fact compares the values with others of the same record.
    pub(super) is_observed: bool,
    /// Whether values below are not at a node of their own.
    pub(super) has_others: bool,
    /// Values whose key occurs again in the same object.
    pub(super) repeats: u64,
    /// Whether a number is written with a fraction or an exponent.
    pub(super) has_fractions: bool,
    /// Kinds that some of the strings are not.
    pub(super) excluded: Excluded,
}

/// The counts of strings.
#[derive(Debug, Clone, Default, BorshSerialize, BorshDeserialize)]
pub(in crate::overview) struct TextCounts {
    pub(in crate::overview) characters: Steps,
    pub(in crate::overview) tokens: Steps,
    pub(in crate::overview) scripts: [u64; scripts::COUNT],
}

impl TextCounts {
    /// Counts a text, and returns its number of characters.
    #[inline]
    pub(super) fn add(&mut self, text: &Text<'_>) -> u64 {
        let (characters, wide) = (text.characters(), text.wide_characters());
        self.characters.add_whole(characters);
        self.tokens.add_whole(wide + characters.saturating_sub(wide).div_ceil(4));
        for (count, is_in) in self.scripts.iter_mut().zip(scripts::of_text(text)) {
            *count += u64::from(is_in);
        }
        characters
    }

    /// Counts other texts.
    pub(super) fn merge(&mut self, other: &Self) {
        self.characters.merge(&other.characters);
        self.tokens.merge(&other.tokens);
        self.scripts.iter_mut().zip(other.scripts).for_each(|(count, others)| *count += others);
    }
}

impl Node {
    /// The root, for records of this schema.
    pub(super) fn of_root(schema: &'static Schema) -> Self {
        Self { schema: Some(schema), ..Self::default() }
    }

    /// The node of all paths that are not counted by themselves, which has this index. Its values are not a category.
    pub(super) fn of_others(id: NodeId) -> Self {
        Self { any: Some(id), values: Values::given_up(), ..Self::default() }
    }

    /// A node below this one, whose index is `parent`: of a key, or of elements.
    pub(super) fn below(&self, parent: NodeId, key: Option<&[u8]>, observed: &Observed) -> Self {
        let mut text = self.path.text.clone();
        match key {
            Some(key) => push_key(&mut text, &String::from_utf8_lossy(key)),
            None => push_any(&mut text),
        }
        let schema = self.schema.filter(|_| text.len() <= LONGEST_PATH).and_then(|schema| below(schema, key));
        Self {
            parent,
            is_observed: observed.is_observed(&text),
            path: Path {
                is_undeclared: schema.is_none() && !observed.is_of_fact(&text),
                length: text.len(),
                text,
            },
            schema,
            ..Self::default()
        }
    }

    /// Counts a value of a type in the record that begins at a line.
    #[inline]
    pub(super) fn count(&mut self, of: JsonType, line: u64) {
        let count = self.types.of_mut(of);
        if *count == 0 {
            self.first.set(of, line);
        }
        *count += 1;
    }

    /// Counts a string without a character.
    #[inline]
    pub(super) fn count_empty(&mut self, line: u64) {
        if self.empty == 0 {
            self.first_empty = line;
        }
        self.empty += 1;
    }

    /// Counts the values of another path, or of other records: those after this many lines.
    pub(super) fn merge(&mut self, other: &Self, lines: u64) {
        self.records += other.records;
        for of in JsonType::ALL {
            if self.types.of(of) == 0 && other.types.of(of) > 0 {
                self.first.set(of, lines + other.first.of(of));
            }
            *self.types.of_mut(of) += other.types.of(of);
        }
        if self.empty == 0 && other.empty > 0 {
            self.first_empty = lines + other.first_empty;
        }
        self.empty += other.empty;
        if let Some(texts) = &other.texts {
            self.texts.get_or_insert_default().merge(texts);
        }
        for (mine, others) in [(&mut self.elements, &other.elements), (&mut self.numbers, &other.numbers)] {
            if let Some(others) = others {
                mine.get_or_insert_default().merge(others);
            }
        }
        self.values.merge(&other.values, |_, _| {});
        self.has_others |= other.has_others;
        self.repeats += other.repeats;
        self.has_fractions |= other.has_fractions;
        self.excluded.merge(other.excluded);
    }

    /// The statistics for checks. `above` is the index of the path above.
    pub(super) fn statistics(&self, key: Option<&[u8]>, above: Option<usize>) -> PathStatistics {
        PathStatistics {
            path: self.path.text.clone(),
            key: key.map(|key| String::from_utf8_lossy(key).into_owned()),
            above,
            types: self.types,
            first: self.first,
            empty: self.empty,
            first_empty: self.first_empty,
        }
    }

    pub(super) fn to_wire(&self) -> PathFacts {
        PathFacts {
            path: if self.path.text.is_empty() { ROOT_PATH.to_owned() } else { self.path.text.clone() },
            records: self.records,
            types: self.types,
            characters: self.texts.as_ref().and_then(|texts| texts.characters.to_wire()),
            elements: self.elements.as_ref().and_then(|elements| elements.to_wire()),
            numbers: self.numbers.as_ref().and_then(|numbers| numbers.to_wire()),
            values: self.values.are_category().then(|| self.values.to_wire()),
        }
    }
}

/// The schema of a key, or of elements, if it is declared. Of several, one that has values below it.
fn below(schema: &'static Schema, key: Option<&[u8]>) -> Option<&'static Schema> {
    let Some(key) = key else { return Some(schema.array.as_ref()?.items) };
    let fields = schema.object.as_ref()?.sets().flat_map(|set| set.fields);
    let schemas = fields.filter(|field| field.key.as_bytes() == key).map(|field| field.schema);
    schemas.max_by_key(|schema| schema.object.is_some() || schema.array.is_some())
}
