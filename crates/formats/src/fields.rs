//! The fields of a format, as data: values of its records by name, each with all of its uses.
//!
//! Keys of searches, columns of lists, statistics and comparisons follow from them.

pub use evalcheck_report::view::ColumnKind::{self, Count, First, Text};

pub use FactKind::{Elements, Numbers, Values};

use crate::format::Format;

/// A value of a record, or several.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name, which is unique in the format: that of its key, of its column and of its fact.
    pub name: &'static str,
    /// The paths of its values, from the root of a record; `*` is any key or index.
    pub paths: &'static [&'static str],
    /// Its uses.
    pub uses: &'static [Use],
}

/// A use of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A key of searches, with its meaning as a sentence: values at all paths.
    Key(&'static str),
    /// The id of a record: the first path with a value counts. A comparison matches records by it.
    Id,
    /// Values that belong to the id of records that have them. A value that all records of a file share, or that a new run of the same
    /// evaluation changes, does not.
    IdPart,
    /// The question: the first text at the first path that has any. Of messages, those of the user count.
    Question,
    /// The answer: the last text at the first path that has any. Of messages, those of the assistant count.
    Answer,
    /// Lists of messages, each with a role and a content.
    Messages,
    /// A column of a list of records, with its heading: the first path with a value counts.
    Column(&'static str, ColumnKind),
    /// Limits the column to values beside which a key has this value, if there are any.
    Where(&'static str, &'static str),
    /// A fact of statistics, with its heading: values at all paths are counted together.
    Fact(&'static str, FactKind),
    /// Counts the fact also for each value of the field with this name, which has one path.
    By(&'static str),
}

/// How the values at a path are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// The number of elements of arrays.
    Elements,
    /// How often each string, number and boolean occurs.
    Values,
    /// Numbers, in intervals.
    Numbers,
}

/// The fields that messages have, and where, from a list of messages.
const OF_MESSAGES: &[(Field, &str)] = &[
    (Field::new("turns", &[], &[Use::Fact("Turns", Elements)]), ""),
    (Field::new("role", &[], &[Use::Key("The role of a message."), Use::Fact("Roles", Values)]), ".*.role"),
    (Field::new("content", &[], &[Use::Key("The content of a message.")]), ".*.content"),
    (Field::new("parts", &[], &[Use::Fact("Kinds of parts", Values)]), ".*.content.*.type"),
];

/// The fields of plain data: the keys that records of most systems have.
pub const COMMON: &[Field] = &[
    Field::new("id", &["id", "sample_id", "uuid"], &[Use::Id]),
    Field::new("messages", &["messages", "conversations"], &[Use::Question, Use::Answer]),
    Field::new(
        "question",
        &["question", "prompt", "instruction", "query", "input", "text"],
        &[Use::Question],
    ),
    Field::new(
        "answer",
        &["answer", "answers", "response", "completion", "output", "target"],
        &[Use::Answer],
    ),
];

impl Field {
    /// A field.
    pub const fn new(name: &'static str, paths: &'static [&'static str], uses: &'static [Use]) -> Self {
        Self { name, paths, uses }
    }

    /// The first result of `choose` for a use.
    fn find<T>(&self, choose: impl Fn(Use) -> Option<T>) -> Option<T> {
        self.uses.iter().copied().find_map(choose)
    }

    /// Its heading as a column, and how a cell shows the values.
    pub fn column(&self) -> Option<(&'static str, ColumnKind)> {
        self.find(|of| if let Use::Column(heading, kind) = of { Some((heading, kind)) } else { None })
    }

    /// The key and the value of [`Use::Where`].
    pub fn limit(&self) -> Option<(&'static str, &'static str)> {
        self.find(|of| if let Use::Where(key, value) = of { Some((key, value)) } else { None })
    }
}

/// The paths of the fields with a use.
pub fn paths(fields: &'static [Field], of: Use) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(move |field| field.uses.contains(&of)).flat_map(|field| field.paths).copied()
}

/// A key of searches: `role:user`.
#[derive(Debug, Clone)]
pub struct ShortName {
    /// The name.
    pub name: &'static str,
    /// The paths of its values. A record has them at one or more of these.
    pub paths: Vec<String>,
    /// Its meaning, as a sentence.
    pub help: &'static str,
}

/// A fact that statistics count beside keys and texts.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// How values at the paths are counted.
    pub kind: FactKind,
    /// The paths of the values, which are counted together.
    pub paths: Vec<String>,
    /// The path of a single value of the record by which the values are also grouped.
    pub by: Option<&'static str>,
}

impl Format {
    /// The keys of searches.
    pub fn names(&self) -> impl Iterator<Item = ShortName> {
        self.all_fields().filter_map(|(field, paths)| {
            let help = field.find(|of| if let Use::Key(help) = of { Some(help) } else { None })?;
            Some(ShortName { name: field.name, paths, help })
        })
    }

    /// The facts that statistics count.
    pub fn facts(&self) -> impl Iterator<Item = Fact> {
        let path_of = |name| self.fields.iter().find(|field| field.name == name)?.paths.first().copied();
        self.all_fields().filter_map(move |(field, paths)| {
            let (title, kind) =
                field.find(|of| if let Use::Fact(title, kind) = of { Some((title, kind)) } else { None })?;
            let by = field.find(|of| if let Use::By(name) = of { path_of(name) } else { None });
            Some(Fact { name: field.name, title, kind, paths, by })
        })
    }

    /// The fields, then those of messages, each with its paths.
    fn all_fields(&self) -> impl Iterator<Item = (&'static Field, Vec<String>)> {
        let lists: Vec<&str> = paths(self.fields, Use::Messages).collect();
        let own =
            self.fields.iter().map(|field| (field, field.paths.iter().copied().map(str::to_owned).collect()));
        let of_messages = OF_MESSAGES
            .iter()
            .filter(|_| !lists.is_empty())
            .map(|(field, below)| (field, lists.iter().map(|list| format!("{list}{below}")).collect()));
        own.chain(of_messages.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use evalcheck_json::schema::{Object, Properties, Schema, UnknownKeys};
    use evalcheck_records::Layout;
    use evalcheck_report::selector::{Selector, Step};

    use super::*;
    use crate::FORMATS;

    /// Whether a schema declares values at a path.
    fn declares(schema: &Schema, path: &[Step]) -> bool {
        let Some((step, rest)) = path.split_first() else { return true };
        let of_object = |fields: &Properties| match (step, &fields.others) {
            (Step::Key(_), UnknownKeys::Allow) if fields.fields.is_empty() => true,
            (Step::Any, UnknownKeys::Each(schema)) => declares(schema, rest),
            (Step::Any, _) => false,
            (Step::Key(key), _) => {
                fields.fields.iter().any(|field| field.key == key && declares(field.schema, rest))
            }
        };
        let of_array =
            || *step == Step::Any && schema.array.as_ref().is_some_and(|array| declares(array.items, rest));
        schema.object.iter().flat_map(Object::sets).any(of_object) || of_array()
    }

    #[test]
    fn every_path_is_declared_by_a_schema() {
        // Plain data may have any keys.
        for format in FORMATS.iter().filter(|format| !format.is_plain()) {
            let is_declared = |path: &str| {
                let steps = Selector::parse(path).unwrap().0;
                format.variants.iter().any(|variant| match &variant.layout {
                    Layout::Json(lists) => lists.iter().any(|list| declares(list.schema, &steps)),
                    _ => declares(variant.schema, &steps),
                })
            };
            for (field, paths) in format.all_fields().filter(|(field, _)| field.name != "parts") {
                for path in paths {
                    assert!(is_declared(&path), "{}: {} at {path}", format.id, field.name);
                }
            }
        }
    }

    #[test]
    fn names_are_unique_and_known() {
        for format in FORMATS {
            let mut names = BTreeSet::new();
            for (field, _) in format.all_fields() {
                assert!(names.insert(field.name), "{}: {}", format.id, field.name);
                let by = field.find(|of| if let Use::By(name) = of { Some(name) } else { None });
                let known = format.fields.iter().find(|field| Some(field.name) == by);
                assert!(by.is_none() || known.is_some_and(|field| field.paths.len() == 1), "{by:?}");
            }
        }
    }
}
