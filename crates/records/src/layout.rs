//! The layout of records in a file.

use evalcheck_core::finding::Step;
use evalcheck_diagnose::PathBuilder;
use evalcheck_json::scan::FileKind;
use evalcheck_json::schema::Schema;

use crate::csv::Columns;

/// The layout of records in a file.
#[derive(Debug)]
pub enum Layout {
    /// Each line is a record.
    Jsonl,
    /// Each line after the first is a record. The first line has this schema, and decides the schema of the records.
    JsonlWithHeader(&'static Schema),
    /// Each row is a record, under a header.
    Csv(&'static Columns),
    /// One JSON document whose lists hold the records.
    Json(&'static [List]),
}

impl Layout {
    /// The kind of a file in this layout.
    pub const fn kind(&self) -> FileKind {
        match self {
            Self::Jsonl | Self::JsonlWithHeader(_) => FileKind::Lines,
            Self::Csv(_) => FileKind::Table,
            Self::Json(_) => FileKind::Document,
        }
    }

    /// The usual extensions of files in this layout.
    pub const fn extensions(&self) -> &'static [&'static str] {
        match self.kind() {
            FileKind::Lines => &["jsonl", "ndjson"],
            FileKind::Table => &["csv"],
            FileKind::Document => &["json"],
        }
    }
}

/// A list of records in a JSON document.
#[derive(Debug)]
pub struct List {
    /// Its place in the document.
    pub place: ListPlace,
    /// Its own schema: an array of `schema`.
    pub array: &'static Schema,
    /// The schema of an element.
    pub schema: &'static Schema,
    /// Whether it must be present.
    pub required: bool,
}

/// The place of a list in a JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPlace {
    /// The value of this key.
    Key(&'static str),
    /// The value of any key, if it is an array that begins with an object.
    AnyKey,
    /// The document, if it is an array.
    Root,
    /// The document as the only record, if it is an object without a list under [`ListPlace::AnyKey`], or has one of these keys.
    Single(&'static [&'static str]),
}

impl List {
    /// Its key in the document, if it has only one.
    ///
    /// ```
    /// # use evalcheck_records::{List, ListPlace};
    /// # use evalcheck_json::schema::Schema;
    /// static ARRAY: Schema = Schema::ANY_ARRAY;
    /// let list = |place| List { place, array: &ARRAY, schema: &Schema::ANY_OBJECT, required: false };
    /// assert_eq!(list(ListPlace::Key("queries")).key(), Some("queries"));
    /// assert_eq!(list(ListPlace::Root).key(), None);
    /// ```
    pub const fn key(&self) -> Option<&'static str> {
        if let ListPlace::Key(key) = self.place { Some(key) } else { None }
    }

    /// The path of an element in the document; empty where the list has no key of its own, because paths then count from the element.
    ///
    /// ```
    /// # use evalcheck_records::{List, ListPlace};
    /// # use evalcheck_json::schema::Schema;
    /// static ARRAY: Schema = Schema::ANY_ARRAY;
    /// let list = |place| List { place, array: &ARRAY, schema: &Schema::ANY_OBJECT, required: false };
    /// assert_eq!(list(ListPlace::Key("queries")).path(2).path().0.len(), 2);
    /// assert_eq!(list(ListPlace::Root).path(2).path().0.len(), 0);
    /// ```
    pub fn path(&self, index: u64) -> PathBuilder {
        let Some(key) = self.key() else { return PathBuilder::of_element() };
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        PathBuilder::from(vec![Step::Key(key.into()), Step::Index(index)])
    }

    /// The brackets of a document around its elements.
    pub(crate) const fn brackets(&self) -> (&'static str, &'static str) {
        match self.place {
            ListPlace::Key(_) | ListPlace::AnyKey => ("{\"\":[", "]}"),
            ListPlace::Root => ("[", "]"),
            ListPlace::Single(_) => ("", ""),
        }
    }

    /// Whether it is the value of a key of the document.
    pub const fn is_in_object(&self) -> bool {
        matches!(self.place, ListPlace::Key(_) | ListPlace::AnyKey)
    }
}
