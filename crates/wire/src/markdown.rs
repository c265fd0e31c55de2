//! Markdown as a tree: the Markdown module makes it from texts, and the page draws it. The worker passes both on unread, see [`Packed`].

use std::marker::PhantomData;

use borsh::{BorshDeserialize, BorshSerialize};
use evalcheck_report::Severity;

pub use evalcheck_report::view::{TextMark, TextMarkKind};

/// A text of a record.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct SourceText {
    /// The text.
    pub text: String,
    /// The byte at which the text ends while its turn is folded, if the turn can be folded.
    pub fold: Option<usize>,
    /// The marked spans in it.
    pub marks: Vec<TextMark>,
}

/// The kinds of marks. In the texts of a tree, a mark begins with the noncharacter for its kind, from [`FIRST_MARK`] on, and ends with
/// [`END_OF_MARK`].
pub const MARKS: [TextMarkKind; 5] = [
    TextMarkKind::Answer,
    TextMarkKind::Found,
    TextMarkKind::Finding(Severity::Error),
    TextMarkKind::Finding(Severity::Warning),
    TextMarkKind::Finding(Severity::Info),
];

/// The beginning of a mark of the first kind. No other text has a noncharacter up to [`END_OF_MARK`]: those of a source are replaced.
pub const FIRST_MARK: char = '\u{fdd0}';

/// The end of a mark.
pub const END_OF_MARK: char = '\u{fdef}';

/// The kind of the mark that a character begins.
pub fn mark_of(character: char) -> Option<TextMarkKind> {
    let index = u32::from(character).checked_sub(FIRST_MARK.into())?;
    MARKS.get(usize::try_from(index).ok()?).copied()
}

/// A text as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Rendered {
    /// All of it.
    pub whole: Document,
    /// Its beginning, if its turn can be folded.
    pub folded: Option<Document>,
}

/// Blocks, and the source after them.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Document {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The rest of the source, unchanged, if the text has too many elements.
    pub rest: String,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading {
        /// From 1 to 6.
        level: u8,
        /// Its text.
        text: Vec<Inline>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A list.
    List {
        /// The number of the first item; `None` for a list without numbers.
        first: Option<u64>,
        /// The items.
        items: Vec<Vec<Block>>,
    },
    /// Code.
    Code {
        /// The info string of the code, which begins with the language; may be empty.
        language: String,
        /// The code.
        text: String,
    },
    /// A table.
    Table {
        /// How the cells of each column are aligned.
        columns: Vec<Alignment>,
        /// The rows. The first row is the head.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A line between two blocks.
    Rule,
    /// A footnote.
    Footnote {
        /// Its label.
        label: String,
        /// Its content.
        blocks: Vec<Block>,
    },
    /// Source, unchanged: HTML, definitions of addresses, and text that is nested too deeply.
    Source(String),
}

/// How the cells of a column are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Alignment {
    /// In the direction of the text.
    None,
    /// To the start.
    Start,
    /// In the middle.
    Center,
    /// To the end.
    End,
}

/// A part of a line of text.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Inline {
    /// Text, with its line breaks.
    Text(String),
    /// Code.
    Code(String),
    /// LaTeX, with its delimiters.
    Math(String),
    /// Text in another style.
    Styled(Style, Vec<Inline>),
    /// A link. Its address is never followed.
    Link {
        /// Its text.
        text: Vec<Inline>,
        /// Its address.
        address: String,
        /// Its title; may be empty.
        title: String,
    },
    /// An image.
    Image {
        /// The text in its place.
        description: String,
        /// Its address, which is never loaded.
        address: String,
        /// Its title; may be empty.
        title: String,
    },
    /// The box of a task, checked or not.
    Task(bool),
}

/// A style of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Style {
    /// Emphasized.
    Emphasis,
    /// Strongly emphasized.
    Strong,
    /// Struck through.
    Strikethrough,
}

/// A serialized value. Code that only passes it on does not need the code to read it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Packed<T> {
    bytes: Vec<u8>,
    value: PhantomData<T>,
}

impl<T> Packed<T> {
    /// A packed value from its bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes, value: PhantomData }
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: BorshSerialize> Packed<T> {
    /// Packs a value.
    pub fn new(value: &T) -> Self {
        // Writing to memory does not fail.
        Self::from_bytes(borsh::to_vec(value).unwrap_or_default())
    }
}

impl<T: BorshDeserialize> Packed<T> {
    /// The value; `None` if the bytes are not such a value.
    pub fn read(&self) -> Option<T> {
        borsh::from_slice(&self.bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_value_is_read_as_it_was() {
        let blocks = vec![Block::Quote(vec![Block::Paragraph(vec![Inline::Task(true)])]), Block::Rule];
        let document = Document { blocks, rest: "…".to_owned() };
        let packed = Packed::new(&document);
        assert_eq!(Packed::from_bytes(packed.as_bytes().to_vec()), packed);
        assert_eq!(packed.read(), Some(document));
        assert_eq!(Packed::<Document>::from_bytes(vec![1]).read(), None);
    }
}
