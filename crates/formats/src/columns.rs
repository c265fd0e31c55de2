//! The columns of a list of records, as data.

pub use evalcheck_report::view::ColumnKind;

/// The columns of a list of records.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// The id of a record.
    pub id: Places,
    /// The question: the first text counts.
    pub question: Places,
    /// The answer: the last text counts.
    pub answer: Places,
    /// Further columns, in their order.
    pub others: &'static [Column],
}

/// A further column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name, which is unique in the format.
    pub name: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// How a cell shows the values.
    pub kind: ColumnKind,
    /// The places of the values.
    pub places: Places,
}

/// Places of values. The first place at which a record has a value counts.
pub type Places = &'static [Place];

/// A place of values in a record. Steps of paths are separated by dots; `*` is any key or index.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The path of the elements of a list; empty for the record itself.
    pub elements: &'static str,
    /// Limits the elements to those in which a key has this value.
    pub only: Option<(&'static str, &'static str)>,
    /// The paths of the values in an element, which form one text; empty for the element itself. Values of a list, whose path ends in `*`,
    /// are separated by commas, others by spaces.
    pub paths: &'static [&'static str],
}

impl Place {
    /// Values at these paths of a record.
    pub const fn at(paths: &'static [&'static str]) -> Self {
        Self { elements: "", only: None, paths }
    }

    /// Values at these paths in each element.
    pub const fn each(elements: &'static str, paths: &'static [&'static str]) -> Self {
        Self { elements, only: None, paths }
    }

    /// Values at these paths in the elements in which a key has this value.
    pub const fn of(
        elements: &'static str,
        key: &'static str,
        value: &'static str,
        paths: &'static [&'static str],
    ) -> Self {
        Self { elements, only: Some((key, value)), paths }
    }
}

impl Columns {
    /// No columns.
    pub const NONE: Self = Self { id: &[], question: &[], answer: &[], others: &[] };

    /// Columns for content of no known format: the keys that records of most systems have.
    pub const COMMON: Self = Self {
        id: &[Place::at(&["id"]), Place::at(&["sample_id"]), Place::at(&["uuid"])],
        question: &[
            Place::of("messages.*", "role", "user", MESSAGE_TEXT),
            Place::of("conversations.*", "from", "human", &["value"]),
            Place::at(&["question"]),
            Place::at(&["prompt"]),
            Place::of("prompt.*", "role", "user", MESSAGE_TEXT),
            Place::at(&["instruction"]),
            Place::at(&["query"]),
            Place::at(&["input"]),
            Place::of("input.*", "role", "user", MESSAGE_TEXT),
            Place::at(&["text"]),
        ],
        answer: &[
            Place::of("messages.*", "role", "assistant", MESSAGE_TEXT),
            Place::of("conversations.*", "from", "gpt", &["value"]),
            Place::at(&["answer"]),
            Place::at(&["answers.*"]),
            Place::at(&["response"]),
            Place::at(&["completion"]),
            Place::at(&["output"]),
            Place::at(&["target"]),
        ],
        others: &[],
    };
}

/// The text of a message, or of its parts.
pub const MESSAGE_TEXT: &[&str] = &["content", "content.*.text"];
