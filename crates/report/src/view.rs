//! Lines and records prepared for showing. Offsets that end in `_utf16` count UTF-16 code units of the text they
//! belong to, because that is how a page cuts strings; everything else follows the report.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::report::{Applicability, Finding, Severity};

pub use crate::loaded::{ChangeKind, HeldLine, HeldRecord, Loaded, LoadedChange};

/// A run of lines of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Lines {
    /// The number of lines of the dataset, as far as it was read.
    pub total: u64,
    /// The requested lines, fewer at the end of the dataset.
    pub lines: Vec<Line>,
}

/// One line of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Line {
    /// Its number, counted from 1.
    pub number: u64,
    /// Where it begins, in bytes from the start of the dataset.
    pub byte_start: u64,
    /// Its length in bytes, without the line break.
    pub bytes: u64,
    /// The whole of a short line, else some hundred bytes of it: those around its first finding, or its beginning. The span is that of
    /// the first error, or without an error that of the first finding; it is empty without a finding.
    pub excerpt: Excerpt,
    /// Bytes of the text that are also a prefix of the line before; 0 if the text is not the beginning of the line.
    pub shared: usize,
    /// The worst finding on this line.
    pub severity: Option<Severity>,
    /// Whether the line holds nothing but white space.
    pub blank: bool,
}

/// A direction in the lines of the dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Direction {
    /// Towards the end.
    Next,
    /// Towards the beginning.
    Previous,
}

/// A run of records of the dataset, in its order, for a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Rows {
    /// The number of records of the dataset, as far as it was read.
    pub total: u64,
    /// The columns beside id, question and answer.
    pub columns: Vec<Column>,
    /// The lists that contain the records, if a document has several keys with lists; at most 64.
    pub lists: Vec<RecordList>,
    /// The requested records: fewer at the end of the dataset, or if records are long. At least one if there is one.
    pub rows: Vec<Row>,
}

/// A column of a list of records.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its heading.
    pub heading: String,
    /// The kind of its cells.
    pub kind: ColumnKind,
}

/// The kind of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ColumnKind {
    /// Texts: the values, separated by commas.
    Text,
    /// The number of values.
    Count,
    /// The first of the values, as it is written.
    First,
}

/// A list of records in a document.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct RecordList {
    /// Its key.
    pub key: String,
    /// The number of its first record, from 0. It extends to the first record of the next list.
    pub first: u64,
}

/// One record in a list. Its texts are at most 200 characters, in which each run of white space is a single space; the span of a text is what a
/// search has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Row {
    /// Its number, counted from 0.
    pub record: u64,
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Where it begins, in bytes from the start of the dataset.
    pub byte_start: u64,
    /// The worst finding in it, as far as it is known. In a document, errors about several records count only if they are kept.
    pub severity: Option<Severity>,
    /// Its id.
    pub id: Option<Excerpt>,
    /// The first question: its beginning, or the part around what a search has found.
    pub question: Option<Excerpt>,
    /// The last answer: its end, or the part around what a search has found.
    pub answer: Option<Excerpt>,
    /// Its cell in each of [`Rows::columns`]; `None` if the record has no such value.
    pub columns: Vec<Option<Excerpt>>,
    /// The beginning of a record that cannot be read, or has nothing for any column.
    pub text: Option<Excerpt>,
    /// The value that a search has found, if no other text shows it: its path, and the part around the match.
    pub found: Option<(String, Excerpt)>,
}

/// One record with all data that a person wants to see.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Record {
    /// The line it begins at.
    pub line: u64,
    /// The findings of this record, at most 2,000 of them.
    pub findings: Vec<Finding>,
    /// The record's text (at most 128 KiB of it, around a finding), to be shown with spans marked.
    pub source: Source,
    /// The record as a conversation, if it can be read as one.
    pub sample: Option<Sample>,
    /// If the record cannot be read, [`Record::sample`] shows it with its fixes applied; this is whether all of them are safe.
    pub sample_is_fixed: Option<Applicability>,
    /// The record as the system will hold it; `None` if it is not a record, such as a header.
    pub loaded: Option<Loaded>,
    /// The encodings that a record that is not UTF-8 may be in, the likeliest first.
    pub encodings: Vec<EncodingSample>,
}

/// A piece of a dataset and its change by a fix.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Piece {
    /// It is kept.
    Kept(String),
    /// It is removed.
    Removed(String),
    /// It is added.
    Added(String),
}

/// Places of a dataset with changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangeList {
    /// The number of places.
    pub total: u64,
    /// The requested places.
    pub places: Vec<ChangedPlace>,
}

/// Facts about the changes of a file, in addition to their places.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangeFacts {
    /// The number of changes by the user, as far as it is known.
    pub steps: u32,
    /// Whether the file was converted from another encoding. Only later changes are listed.
    pub is_converted: bool,
    /// Entries of the ZIP that were renamed or left out, as a sentence each.
    pub entries: Vec<String>,
}

/// A record with changes, or the place before one.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangedPlace {
    /// The number of the record, from 0; `None` after the last one.
    pub record: Option<u64>,
    /// The line on which the record begins.
    pub line: Option<u64>,
    /// Whether the changes are before the record, where something was removed or added.
    pub is_before: bool,
    /// Whether one of the changes is an unsafe fix.
    pub is_unsafe: bool,
    /// The changes.
    pub diff: Vec<Piece>,
}

/// The text of a record in an encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct EncodingSample {
    /// The name of the encoding in the Encoding Standard: `Shift_JIS`.
    pub encoding: String,
    /// The text around the first bytes that are not UTF-8.
    pub text: String,
    /// Whether text before it is left out.
    pub is_cut_before: bool,
    /// Whether text after it is left out.
    pub is_cut_after: bool,
}

/// The text of a record.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Source {
    /// The text; bytes that are not UTF-8 show as U+FFFD.
    pub text: String,
    /// Bytes of the record before the text.
    pub before: u64,
    /// Bytes of the record after it.
    pub after: u64,
    /// The position of each finding of [`Record::findings`] in the text, in the same order, as far as the text extends; `None` if it is
    /// outside of the text.
    pub marks: Vec<Option<Mark>>,
    /// The bytes of the text in the dataset, if it can be edited: the whole record is shown, unchanged.
    pub editable: Option<ByteRange>,
}

/// A range of bytes of the dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ByteRange {
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// A record with an edited text, and its findings.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct EditedRecord {
    /// The text to be written: on one line if a record is a line, otherwise with the line breaks that the record has now.
    pub text: String,
    /// The findings in the record by itself; `None` if they depend on other lines, as those of a header do.
    pub findings: Option<Vec<Finding>>,
    /// The record as a sample, if it can be read.
    pub sample: Option<Sample>,
    /// The completions at the caret, if they were requested and the format names any.
    pub completions: Option<Completions>,
}

/// Completions at a place of a text that is edited.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Completions {
    /// The part of the text to replace; empty for an insertion.
    pub replaced: Mark,
    /// The completions, at least one.
    pub items: Vec<Completion>,
}

/// A key or a value that the format names.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Completion {
    /// The text in JSON; a key has its colon, unless one follows already.
    pub text: String,
    /// A description for the user; may be empty.
    pub help: String,
}

/// A record as text to be edited.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TextToEdit {
    /// The text, with line breaks of one character.
    pub text: String,
    /// The bytes of the record in the dataset.
    pub range: ByteRange,
    /// The position of the requested span.
    pub mark: Option<Mark>,
}

/// A span of the text of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Mark {
    /// First UTF-16 code unit.
    pub start_utf16: u64,
    /// The code unit after the last one.
    pub end_utf16: u64,
}

/// The part of a line around a span. Its offsets count bytes of its text in UTF-8, not UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Excerpt {
    /// The text, without a line break; bytes that are not UTF-8 show as U+FFFD.
    pub text: String,
    /// Where the span begins.
    pub start: usize,
    /// Where the span ends, or the line if that is earlier.
    pub end: usize,
    /// Whether the line begins before the text.
    pub clipped_before: bool,
    /// Whether the line continues after the text.
    pub clipped_after: bool,
}

/// A record that matches a query.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(rename = "Match"))]
pub struct Hit {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Its number, counted from 0.
    pub record: u64,
    /// The path of the value that matches, `input.messages.1.content`; `None` if the query asks for no text and no value.
    pub path: Option<String>,
    /// The value around the match, which is the span; without a match, the beginning of the record, and an empty span.
    pub excerpt: Excerpt,
}

/// A record as a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Sample {
    /// The values in its head.
    pub badges: Vec<Badge>,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The answers among the turns, if there are several: in order, and without a turn in common.
    pub answers: Vec<Answer>,
    /// All other values worth showing beside the turns (`usage_output`, ids): label and JSON or text.
    pub fields: Vec<LabelledText>,
    /// The number of message parts left out, because a browser would take long to draw them.
    pub omitted: u64,
}

impl Sample {
    /// The number of turns of the conversation, without a reference answer.
    pub fn turn_count(&self) -> usize {
        let references = self.answers.iter().filter(|answer| answer.is_reference);
        self.turns.len() - references.map(|answer| self.turns_of(answer).len()).sum::<usize>()
    }

    /// The indexes of the turns of an answer, as far as they are shown.
    pub fn turns_of(&self, answer: &Answer) -> Range<usize> {
        let end = answer.turns.end.min(self.turns.len());
        answer.turns.start.min(end)..end
    }
}

/// One of several answers to the same prompt.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Answer {
    /// Its name: that of the model, or the id.
    pub name: String,
    /// The indexes of its turns.
    pub turns: Range<usize>,
    /// Characters of its texts, including those that are not shown.
    pub chars: u64,
    /// Whether it is the reference answer.
    pub is_reference: bool,
}

/// A value in the head of a sample.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Badge {
    /// Its label: `Score`.
    pub label: String,
    /// The value.
    pub text: String,
    /// Whether the answer is correct, if the value states it.
    pub is_correct: Option<bool>,
}

/// One message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Turn {
    /// The role, unchanged from the file.
    pub role: String,
    /// The path of the turn in the record, `input.messages.0`. Empty for a turn of another record.
    pub path: String,
    /// The other record that contains the turn; this record refers to it.
    pub other: Option<OtherRecord>,
    /// Its content.
    pub parts: Vec<Part>,
    /// The ids of the tool calls whose results it holds.
    pub result_of: Vec<String>,
    /// The answers that were extracted from it.
    pub extracted: Vec<ExtractedAnswer>,
}

/// A record that another one refers to.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct OtherRecord {
    /// Its number, from 0.
    pub record: u64,
    /// The id that refers to it.
    pub id: String,
}

/// An answer that was extracted from a turn.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ExtractedAnswer {
    /// The answer.
    pub text: String,
    /// How it was extracted.
    pub method: String,
    /// Whether it is the final one.
    pub is_final: bool,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Part {
    /// Text, at most 64 KiB of it.
    Text {
        /// The text.
        text: String,
        /// Whether there is more.
        clipped: bool,
        /// The marked spans in it.
        marks: Vec<TextMark>,
    },
    /// The reasoning of a model, at most 64 KiB of it.
    Reasoning {
        /// The text.
        text: String,
        /// Whether there is more.
        clipped: bool,
        /// The marked spans in it.
        marks: Vec<TextMark>,
    },
    /// A text that is JSON, indented: the result of a tool call.
    Json(String),
    /// A reference to an attachment.
    File {
        /// The path as the record contains it.
        path: String,
        /// The attachment, if the archive contains it.
        attachment: Option<AttachmentInfo>,
        /// The nearest name in the archive, if it does not.
        suggestion: Option<String>,
    },
    /// A call of a tool.
    ToolCall(ToolCall),
    /// An image by address; it is never loaded by itself.
    ImageUrl {
        /// The address, clipped to 2 KiB.
        url: String,
    },
    /// A part of any other kind, as JSON text.
    Other {
        /// The JSON text, clipped.
        json: String,
    },
}

/// A span of a text. Its offsets count bytes (UTF-8), and lie between characters.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TextMark {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The reason for the mark.
    pub kind: TextMarkKind,
}

/// The reason why a span of a text is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum TextMarkKind {
    /// It is the extracted answer.
    Answer,
    /// A search has found it.
    Found,
    /// A finding is about it.
    Finding(Severity),
}

/// A call of a tool, made in a turn.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ToolCall {
    /// Its path in the record, `messages.1.tool_calls.0`.
    pub path: String,
    /// Its id, which the turns with its result name.
    pub id: Option<String>,
    /// The name of the tool; empty if it has none.
    pub name: String,
    /// The arguments of the call: indented if they are JSON, whether written as a value or in a string.
    pub arguments: Option<LabelledText>,
}

/// A label and a text.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct LabelledText {
    /// The label, a key of the record.
    pub label: String,
    /// The text.
    pub text: String,
    /// Whether it is JSON, and not the text of a string.
    pub is_json: bool,
}

/// An attachment of an archive.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentInfo {
    /// The entry's name in the archive, unchanged.
    pub entry: String,
    /// Its size in bytes, inflated, from the archive's directory.
    pub size: u64,
}

/// The kind of an attachment, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum AttachmentKind {
    /// A PDF.
    Pdf,
    /// A picture that browsers show and that cannot contain scripts: PNG, JPEG, GIF, WebP, BMP, AVIF.
    Image,
    /// UTF-8 text of any kind; HTML, SVG and XML are shown as source.
    Text,
    /// A recording that browsers may play.
    Audio,
    /// A video that browsers may play.
    Video,
    /// Anything else: described, not shown.
    Other,
}

/// The beginning of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Table {
    /// The first rows, with the beginnings of their first cells.
    pub rows: Vec<Vec<String>>,
    /// The number of cells of the longest row.
    pub columns: u64,
    /// Whether there are more rows.
    pub is_cut: bool,
}

/// An attachment that was read for showing. Its bytes are transferred in a separate buffer.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Attachment {
    /// Name and size.
    pub info: AttachmentInfo,
    /// Its kind, by its content.
    pub kind: AttachmentKind,
    /// The media type found by content, `application/pdf`.
    pub media_type: String,
    /// In words, `PNG image`.
    pub description: String,
    /// Bytes that were read; fewer than the size if the attachment is larger than the part that is shown.
    pub bytes_read: u64,
    /// Width and height of an image in pixels, if its head contains them.
    pub pixels: Option<(u64, u64)>,
    /// Pages of a PDF, if plain objects in it contain their number.
    pub pages: Option<u64>,
    /// The first rows of a table.
    pub table: Option<Table>,
    /// Whether a PDF contains scripts, or they cannot be ruled out.
    pub may_have_scripts: bool,
}

/// The content of a built-in example.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExampleContent {
    /// A text file.
    Text(String),
    /// A file of bytes, a ZIP.
    Bytes(Vec<u8>),
}
