//! Ways to make the mistake of a rule.

/// A way to make a mistake: it replaces a part of a dataset by another text.
///
/// In the texts, `{}` is the part as it is; for strings, keys and cells, the content without quotes.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The part.
    pub part: Part,
    /// The part with the mistake.
    pub invalid: &'static str,
    /// The part without the mistake; empty for the part as it is.
    pub valid: &'static str,
}

/// A part of a dataset in which a mistake can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The whole file of JSON.
    File,
    /// Every occurrence of a text in the file at once.
    Each(&'static str),
    /// The lines of a file of JSON, joined by this; without the mistake, as they are.
    Lines(&'static str),
    /// The last line break of a file of JSON.
    LastLineBreak,
    /// An array.
    Array,
    /// An object.
    Object,
    /// The first element or member of an array or an object.
    First,
    /// The last one.
    Last,
    /// The text between two of them.
    Between,
    /// All of them, joined by this; without the mistake, by a comma and a space.
    Inside(&'static str),
    /// The bracket that closes an array or an object.
    Close,
    /// The first member of an object.
    FirstMember,
    /// The last one.
    LastMember,
    /// A member with the comma that belongs to it.
    Member,
    /// A key.
    Key,
    /// The text between a key and its value.
    Colon,
    /// The value of a member.
    Value,
    /// The value of the member with this key.
    ValueOf(&'static str),
    /// A string.
    String,
    /// The file from the closing quote of a string on.
    Tail,
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// A number.
    Number,
    /// A column after the others, with a cell in each row. The text is its name; `{}` is the name of the first column.
    NewColumn,
    /// A row after the others; `{}` is a row of empty cells.
    NewRow,
    /// A row after the others; `{}` is the header.
    HeaderRow,
    /// The name of a column.
    Column,
    /// A cell that is not empty.
    Cell,
}
