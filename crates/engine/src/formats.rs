//! The catalogue of formats: one file and one line each.

use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::view::Sample;

use crate::explain::Context;
use crate::shape::Shape;
use crate::view::sample::Shown;

pub mod juryarena;

/// Every format, in the order in which a selector lists them.
pub static FORMATS: &[&Format] = &[&juryarena::FORMAT];

/// One format: all that is known of it, and nothing of it is known elsewhere.
#[derive(Debug)]
pub struct Format {
    /// Stable id.
    pub id: &'static str,
    /// Its name in a list.
    pub title: &'static str,
    /// The system that reads it.
    pub system: &'static str,
    /// Where the system documents it.
    pub link: &'static str,
    /// One sentence: what a record is.
    pub summary: &'static str,
    /// Extensions of the files that hold it, without a dot.
    pub extensions: &'static [&'static str],
    /// What one record looks like.
    pub shape: &'static Shape,
    /// What strings of a record must not hold.
    pub texts: TextPolicy,
    /// Rules within a record that a shape cannot say; called for records whose JSON could be read.
    pub record_rule: fn(&mut Context<'_>),
    /// True when a record with these captured strings is clean for [`Format::record_rule`]; called instead of it
    /// when the fast tier found nothing. It must not answer true where the rule would report something.
    pub fast_rule: fn(&Captures<'_>) -> bool,
    /// A record as a conversation, for showing; `None` when there is nothing of one in it.
    pub sample: fn(&Shown<'_>) -> Option<Sample>,
    /// The number of records: how many are too many.
    pub limits: Limits,
    /// Built-in examples.
    pub examples: &'static [Example],
}

/// What the system's storage or document has against certain strings, whatever their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPolicy {
    /// The system stores records as PostgreSQL `jsonb`, which takes neither `U+0000` nor a lone surrogate.
    pub jsonb: bool,
    /// The document forbids embedded file contents: `data:` URLs and long base64.
    pub embedded: bool,
    /// The system reads strict JSON: a duplicate key is an error.
    pub strict_json: bool,
}

/// How many records a dataset may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Above this, the system refuses by default: a warning.
    pub usual: Option<u64>,
    /// Above this, the system refuses always: an error.
    pub most: Option<u64>,
}

/// A built-in dataset.
#[derive(Debug)]
pub struct Example {
    /// `minimal`, `full` or `broken`.
    pub id: &'static str,
    /// What it shows, a few words.
    pub title: &'static str,
    /// The name it is checked under.
    pub file_name: &'static str,
    /// Makes its content.
    pub content: fn() -> ExampleContent,
}

/// The strings that the fast tier captured of one record, for [`Format::fast_rule`].
#[derive(Debug)]
pub struct Captures<'a> {
    /// The buffer that the ranges point into.
    pub bytes: &'a [u8],
    /// Number of the capture and range of the string's content (without quotes, without escapes).
    pub strings: &'a [(u8, std::ops::Range<usize>)],
    /// The attachments that a record may refer to; `None` where the dataset is not in an archive.
    pub attachments: Option<&'a crate::archive::Attachments>,
}

impl Captures<'_> {
    /// The text of a captured string; empty for what is not UTF-8, which the scanner lets none through.
    pub fn text(&self, range: &std::ops::Range<usize>) -> &str {
        std::str::from_utf8(&self.bytes[range.clone()]).unwrap_or_default()
    }
}

/// The format with this id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}
