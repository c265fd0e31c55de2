//! Lines and records prepared for showing. Offsets that end in `_utf16` count UTF-16 code units of the text they
//! belong to, because that is how a page cuts strings; everything else follows the report.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::report::{Applicability, Finding, Severity};

/// A run of lines of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Lines {
    /// How many lines the dataset has, as far as it was read.
    pub total: u64,
    /// The lines asked for, fewer at the end of the dataset.
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
    /// All of a short line, else some hundred bytes of it: those around its first finding, or its beginning. The span is that of the first
    /// error, or without an error of the first finding, and empty without a finding.
    pub excerpt: Excerpt,
    /// Bytes of the text that are a prefix of the line before as well; 0 where the text is not the beginning of the line.
    pub shared: usize,
    /// The worst finding on this line.
    pub severity: Option<Severity>,
    /// True when the line holds nothing but white space.
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
    /// How many records the dataset has, as far as it was read.
    pub total: u64,
    /// Only the beginning of the dataset is listed, because no known format matches it, and it is longer.
    pub is_beginning: bool,
    /// The columns beside id, question and answer.
    pub columns: Vec<Column>,
    /// The lists that the records are in, where a document has them under several keys; at most 64.
    pub lists: Vec<RecordList>,
    /// The records asked for: fewer at the end of the dataset, and where records are long. At least one where there is one.
    pub rows: Vec<Row>,
}

/// A column of a list of records.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its heading.
    pub heading: String,
    /// What its cells are.
    pub kind: ColumnKind,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ColumnKind {
    /// Texts: the values, separated by commas.
    Text,
    /// How many values there are.
    Count,
    /// A number, as it is written.
    Number,
    /// `true` or `false`.
    Boolean,
}

/// A list of records in a document.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct RecordList {
    /// Its key.
    pub key: String,
    /// The number of its first record, from 0. Its records are those up to the next list.
    pub first: u64,
}

/// One record in a list.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Row {
    /// Its number, counted from 0.
    pub record: u64,
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Where it begins, in bytes from the start of the dataset.
    pub byte_start: u64,
    /// The worst finding in it, as far as it is known: of a document, not errors beyond those that are kept which concern several
    /// records.
    pub severity: Option<Severity>,
    /// Its id.
    pub id: Option<Cell>,
    /// The beginning of what is asked first.
    pub question: Option<Cell>,
    /// The end of what is answered last: if it is clipped, its beginning is missing.
    pub answer: Option<Cell>,
    /// Of each of [`Rows::columns`] its cell; `None` where the record has no such value.
    pub columns: Vec<Option<Cell>>,
    /// The beginning of a record that cannot be read, or has nothing for any column.
    pub text: Option<Cell>,
}

/// A text in a list: at most 200 characters, in which each run of white space is a single space.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// It is longer.
    pub clipped: bool,
}

/// One record with everything that a person wants to see of it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Record {
    /// The line it begins at.
    pub line: u64,
    /// The findings of this record, at most 2,000 of them.
    pub findings: Vec<Finding>,
    /// The record's text (at most 128 KiB of it, around a finding), to be shown with spans marked.
    pub source: Source,
    /// The record as a conversation, where it can be read as one.
    pub sample: Option<Sample>,
    /// Where the record cannot be read and is shown in [`Record::sample`] as its fixes would make it: whether all of them are safe.
    pub sample_is_fixed: Option<Applicability>,
    /// The record as the system will hold it; `None` where it is no record, such as a header.
    pub loaded: Option<Loaded>,
    /// Of a record that is not UTF-8, the encodings that it may be in, the likeliest first.
    pub encodings: Vec<EncodingSample>,
}

/// A piece of a dataset, and what a fix makes of it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Piece {
    /// It stays.
    Kept(String),
    /// It goes.
    Removed(String),
    /// It comes.
    Added(String),
}

/// Places of a dataset with changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangeList {
    /// How many there are.
    pub total: u64,
    /// Those that were asked for.
    pub places: Vec<ChangedPlace>,
}

/// What is known of the changes of a file beside their places.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangeFacts {
    /// How often the user changed the file, as far as that is known.
    pub steps: u32,
    /// The file was written anew in another encoding. Only what was changed later is listed.
    pub is_converted: bool,
    /// Entries of the ZIP that were renamed or left out, as a sentence each.
    pub entries: Vec<String>,
}

/// A record with changes, or what is before one.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ChangedPlace {
    /// The number of the record, from 0; `None` after the last one.
    pub record: Option<u64>,
    /// The line on which the record begins.
    pub line: Option<u64>,
    /// The changes are before the record, where something was left out or added.
    pub is_before: bool,
    /// True when a fix that is not safe is one of the changes.
    pub is_unsafe: bool,
    /// What was changed.
    pub diff: Vec<Piece>,
}

/// How a record reads in an encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct EncodingSample {
    /// The name of the encoding in the Encoding Standard: `Shift_JIS`.
    pub encoding: String,
    /// The text around the first bytes that are not UTF-8.
    pub text: String,
    /// Text was left out before it.
    pub is_cut_before: bool,
    /// Text was left out after it.
    pub is_cut_after: bool,
}

/// What the system makes of a record.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Loaded {
    /// It holds this.
    Held(HeldRecord),
    /// It loads the dataset without the record.
    Dropped,
    /// The system refuses the record because of its errors, or its documentation does; or it refuses the dataset because of the
    /// header.
    Refused,
}

/// A record as the system holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct HeldRecord {
    /// The record as indented JSON, a line for each scalar and each bracket, and among them what the system does not hold
    /// any more. The lines that are not [`ChangeKind::Removed`] are valid JSON.
    pub lines: Vec<HeldLine>,
    /// What differs from the file, in the order of the lines.
    pub changes: Vec<LoadedChange>,
    /// True when there are more lines.
    pub clipped: bool,
}

impl HeldRecord {
    /// The record on one line, without what the system does not hold.
    pub fn to_json(&self) -> String {
        let is_held = |line: &&HeldLine| {
            let change = line.change.and_then(|change| self.changes.get(usize::try_from(change).ok()?));
            change.is_none_or(|change| change.kind != ChangeKind::Removed)
        };
        self.lines.iter().filter(is_held).map(|line| line.text.trim_start()).collect()
    }
}

/// A line of a record as the system holds it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct HeldLine {
    /// Its text, with its indentation.
    pub text: String,
    /// The index of the change in [`HeldRecord::changes`] that it belongs to.
    pub change: Option<u32>,
}

/// A difference between a record in the file and the same record in the system.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct LoadedChange {
    /// What happens.
    pub kind: ChangeKind,
    /// Where, as the path of the value among the lines, with what is removed counted; empty for the record itself.
    pub path: String,
    /// Why, as a sentence.
    pub why: String,
}

/// What happens to a value when it is loaded.
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
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The system adds it.
    Added,
    /// The system holds it in another form or under another key.
    Changed,
    /// The system does not hold it.
    Removed,
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
    /// Where each finding of [`Record::findings`] is in the text, in the same order, as far as the text goes; `None` where it is
    /// outside of it.
    pub marks: Vec<Option<Mark>>,
    /// The bytes of the text in the dataset, when it can be edited: all of the record is shown, and as it is.
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

/// A record with another text, and its findings.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct EditedRecord {
    /// The text as it would be written: on one line where a record is a line, otherwise with the line breaks that the
    /// record has now.
    pub text: String,
    /// The findings in the record by itself; `None` where they depend on other lines, as those of a header.
    pub findings: Option<Vec<Finding>>,
    /// The record as a sample, where it can be read.
    pub sample: Option<Sample>,
    /// What can be written at the caret, where that was asked for and the format names anything.
    pub completions: Option<Completions>,
}

/// What can be written at a place of a text that is edited.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Completions {
    /// The part of the text that it would replace; empty where it would be inserted.
    pub replaced: Mark,
    /// At least one.
    pub items: Vec<Completion>,
}

/// A key or a value that the format names.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Completion {
    /// As it is written in JSON; a key with its colon, unless one follows already.
    pub text: String,
    /// What it is, for the user; may be empty.
    pub help: String,
}

/// A record as text to be edited.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TextToEdit {
    /// The text, with line breaks of one character.
    pub text: String,
    /// The bytes of the record in the dataset.
    pub range: ByteRange,
    /// Where the span is that was asked for.
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

/// The part of a line around a span. Unlike those of other views, its offsets count bytes of its text (UTF-8).
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct Excerpt {
    /// The text, without a line break; bytes that are not UTF-8 show as U+FFFD.
    pub text: String,
    /// Where the span begins.
    pub start: usize,
    /// Where it ends, or the line does.
    pub end: usize,
    /// True when the line begins before the text.
    pub clipped_before: bool,
    /// True when the line goes on after the text.
    pub clipped_after: bool,
}

/// A record that matches a query.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
pub struct Hit {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Its number, counted from 0.
    pub record: u64,
    /// The path of the value that matches, `input.messages.1.content`; `None` where the query asks for no text and no value.
    pub path: Option<String>,
    /// The value around the match, which is the span; without one the beginning of the record, and an empty span.
    pub excerpt: Excerpt,
}

/// A record as the conversation that it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Sample {
    /// What is shown in its head.
    pub badges: Vec<Badge>,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The answers among the turns, where there are several: in order, and without a turn in common.
    pub answers: Vec<Answer>,
    /// Everything else that is worth showing beside the turns (`usage_output`, ids): label and JSON or text.
    pub fields: Vec<LabelledText>,
    /// How many parts of messages are left out, because a browser would take long to draw them.
    pub omitted: u64,
}

impl Sample {
    /// How many turns the conversation has, without a reference answer.
    pub fn turn_count(&self) -> usize {
        let references = self.answers.iter().filter(|answer| answer.is_reference);
        self.turns.len() - references.map(|answer| self.turns_of(answer).len()).sum::<usize>()
    }

    /// The indexes of the turns of an answer, as far as these are shown.
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
    /// Characters of its texts, also of those that are not shown.
    pub chars: u64,
    /// It is the reference answer.
    pub is_reference: bool,
}

/// A value in the head of a sample.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Badge {
    /// What it is: `Score`.
    pub label: String,
    /// The value.
    pub text: String,
    /// Whether the answer is correct, where it is a value that says so.
    pub is_correct: Option<bool>,
}

/// One message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Turn {
    /// The role as it is written in the file, whatever it is.
    pub role: String,
    /// The path of the turn in the record, `input.messages.0`. Empty for a turn of another record.
    pub path: String,
    /// The other record that the turn is from, which this one names.
    pub other: Option<OtherRecord>,
    /// What it says.
    pub parts: Vec<Part>,
    /// The ids of the tool calls whose result it is.
    pub result_of: Vec<String>,
    /// The answers that were extracted from it.
    pub extracted: Vec<ExtractedAnswer>,
}

/// A record that another one names.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct OtherRecord {
    /// Its number, from 0.
    pub record: u64,
    /// The id that it is named by.
    pub id: String,
}

/// An answer that was extracted from a turn.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct ExtractedAnswer {
    /// The answer.
    pub text: String,
    /// How it was extracted.
    pub method: String,
    /// It is the final one.
    pub is_final: bool,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Part {
    /// Text, at most 64 KiB of it.
    Text {
        /// The text.
        text: String,
        /// True when there is more.
        clipped: bool,
        /// What is marked in it.
        marks: Vec<TextMark>,
    },
    /// What a model wrote while it reasoned, at most 64 KiB of it.
    Reasoning {
        /// The text.
        text: String,
        /// True when there is more.
        clipped: bool,
    },
    /// A reference to an attachment.
    File {
        /// The path as the record has it.
        path: String,
        /// The attachment, when the archive has it.
        attachment: Option<AttachmentInfo>,
        /// The nearest name in the archive, when it does not.
        suggestion: Option<String>,
    },
    /// A call of a tool.
    ToolCall(ToolCall),
    /// An image by address; it is never loaded by itself.
    ImageUrl {
        /// The address, clipped to 2 KiB.
        url: String,
    },
    /// Anything that is not one of the above, as JSON text.
    Other {
        /// The JSON text, clipped.
        json: String,
    },
}

/// A span of a text. Its offsets count bytes (UTF-8), and are between characters.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct TextMark {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Why it is marked.
    pub kind: TextMarkKind,
}

/// Why a span of a text is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum TextMarkKind {
    /// It is the extracted answer.
    Answer,
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
    /// The name of the tool; empty where it has none.
    pub name: String,
    /// What the tool is called with: indented if it is JSON, whether it is written as a value or in a string.
    pub arguments: Option<LabelledText>,
}

/// A label and a text.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct LabelledText {
    /// What it is, a key of the record.
    pub label: String,
    /// The text.
    pub text: String,
    /// True when it is JSON, and not the text of a string.
    pub is_json: bool,
}

/// An attachment of an archive.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentInfo {
    /// The entry's name in the archive, as it is written there.
    pub entry: String,
    /// Its size in bytes, inflated, as the archive's directory says.
    pub size: u64,
}

/// What an attachment is, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum AttachmentKind {
    /// A PDF.
    Pdf,
    /// A picture that browsers show and that can hold no script: PNG, JPEG, GIF, WebP, BMP, AVIF.
    Image,
    /// UTF-8 text of any kind; HTML, SVG and XML are shown as this, as source.
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
    /// How many cells the longest of them has.
    pub columns: u64,
    /// True when there are more rows.
    pub is_cut: bool,
}

/// An attachment that was read for showing. Its bytes travel beside it.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Attachment {
    /// Name and size.
    pub info: AttachmentInfo,
    /// What it is by its content.
    pub kind: AttachmentKind,
    /// The media type found by content, `application/pdf`.
    pub media_type: String,
    /// In words, `PNG image`.
    pub description: String,
    /// Bytes that were read; fewer than the size where the attachment is larger than what is shown.
    pub bytes_read: u64,
    /// Width and height of an image in pixels, where its head says them.
    pub pixels: Option<(u64, u64)>,
    /// Pages of a PDF, where it says them in plain objects.
    pub pages: Option<u64>,
    /// The first rows of a table.
    pub table: Option<Table>,
    /// True for a PDF that names scripts, or in which they cannot be ruled out.
    pub may_have_scripts: bool,
}
