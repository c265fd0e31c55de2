//! Report v1: the verdict on one file, as one JSON object.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

#[cfg(feature = "types")]
use crate::constraints::{CODE, by_code, finding_conditions, report_conditions};
use crate::overview::Overview;
use crate::selector::without_indices;

/// The value of [`Report::report`] in this version.
pub const REPORT_VERSION: &str = "evalcheck/1";

/// The verdict of evalcheck on one file, as this version writes it. Later versions may add keys, so a reader should ignore those that it
/// does not know.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(title = "evalcheck report v1", extend("allOf" = report_conditions())))]
pub struct Report {
    /// Name and version of this form.
    #[cfg_attr(feature = "types", schemars(extend("const" = REPORT_VERSION)))]
    pub report: String,
    /// The program that wrote the report.
    pub tool: Tool,
    /// The file that was checked.
    pub file: File,
    /// The format it was checked against.
    pub format: Format,
    /// Whether everything was checked and no finding is an error.
    pub valid: bool,
    /// False if a part of the file was not checked: a read failed, the check was cancelled, or a document cannot be read beyond an error.
    pub checked: bool,
    /// Exact counts, regardless of the number of listed findings.
    pub counts: Counts,
    /// Whether some findings are counted and not listed: because of a cap, or because a listed finding reports their common cause.
    pub truncated: bool,
    /// The most findings that are listed for one code; absent if there is no cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_findings_per_code: Option<u64>,
    /// Facts about the dataset as a whole that are not findings, a sentence each.
    #[serde(default)]
    #[cfg_attr(feature = "types", schemars(inner(length(min = 1))))]
    pub notes: Vec<String>,
    /// The filter of the findings; absent if there is none. Verdict and counts are always those of the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// Statistics of the dataset; absent if they were not requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<Overview>,
    /// The findings in the order of the file; those about the whole dataset come after those about a line.
    pub findings: Vec<Finding>,
}

/// A query that the findings listed in a report match.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Filter {
    /// The query, as the user wrote it.
    pub query: String,
    /// Records that match it.
    pub records: u64,
    /// Findings that match it, by code, listed or not.
    #[cfg_attr(feature = "types", schemars(transform = by_code))]
    pub by_code: BTreeMap<String, u64>,
}

impl Report {
    /// The verdict in one word, as the page shows it and `data-verdict` carries it.
    pub fn verdict(&self) -> Verdict {
        if !self.checked {
            Verdict::NotChecked
        } else if !self.format.rivals.is_empty() {
            Verdict::Undecided
        } else if self.valid && !self.format.is_judged() {
            Verdict::Readable
        } else if self.valid {
            Verdict::Valid
        } else {
            Verdict::Invalid
        }
    }
}

/// The verdict of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything was checked, no error.
    Valid,
    /// Everything was checked, at least one error.
    Invalid,
    /// Part of the file was not checked.
    NotChecked,
    /// Plain data without an error: every reader reads it, and neither a system nor a schema was asked.
    Readable,
    /// The content fits formats of several systems: see [`Format::rivals`].
    Undecided,
}

impl Verdict {
    /// `valid`, `invalid`, `not-checked`, `readable` or `undecided`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::NotChecked => "not-checked",
            Self::Readable => "readable",
            Self::Undecided => "undecided",
        }
    }
}

/// The program that wrote a report.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Tool {
    /// Always `evalcheck`.
    #[cfg_attr(feature = "types", schemars(extend("const" = "evalcheck")))]
    pub name: String,
    /// Its version.
    #[cfg_attr(
        feature = "types",
        schemars(regex(pattern = r"^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$"))
    )]
    pub version: String,
}

/// The file that was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The entry of a ZIP that holds the dataset; absent if the file is the dataset itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Other entries of the ZIP that may be datasets, at most 100, if it is of no system; they were not checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_entries: Vec<String>,
}

/// The format that a file was checked against.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Format {
    /// The format's id in the catalogue, for instance `juryarena`; empty if none was recognised.
    #[cfg_attr(feature = "types", schemars(regex(pattern = "^([a-z0-9]+(-[a-z0-9]+)*)?$")))]
    pub id: String,
    /// Version of the format, if it has several; otherwise empty.
    pub version: String,
    /// The chosen options of the format.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether evalcheck detected the format from the content; false if the user chose it.
    pub detected: bool,
    /// The reason for this format, in words for the user.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub reason: String,
    /// The confidence, from 1 to 100; 100 if the user chose the format; 0 if none was recognised.
    #[serde(default)]
    #[cfg_attr(feature = "types", schemars(range(max = 100)))]
    pub confidence: u8,
    /// Other formats that fit too, the closest first. If no format was recognised: all formats, the nearest first, each with the content
    /// that it expects.
    #[serde(default)]
    pub others: Vec<Alternative>,
    /// Whether it is plain data, which is checked for no system.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
    /// Formats of other systems that are as likely, so that the file has no verdict before the user chooses; the rest of the report is about
    /// the format above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<String>,
    /// The file of the user's own JSON Schema that records are held against too; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub schema: Option<String>,
}

impl Format {
    /// A confidence above this is certain.
    pub const CERTAIN: u8 = 70;

    /// A confidence below this is a guess.
    pub const LIKELY: u8 = 30;

    /// Returns true if the user chose the format, or the content leaves no doubt.
    pub fn is_certain(&self) -> bool {
        !self.detected || self.confidence > Self::CERTAIN
    }

    /// The other formats that the content may mean, the closest first.
    pub fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.others.iter().filter(|other| other.confidence > 0)
    }

    /// The ids of all formats of systems that the content may mean, the closest first. Plain data is no system.
    pub fn possible(&self) -> Vec<String> {
        let own = Some(&self.id).filter(|id| !id.is_empty() && !self.plain);
        own.into_iter().chain(self.alternatives().map(|other| &other.id)).cloned().collect()
    }

    /// Whether records were held against what a system or a schema expects.
    pub const fn is_judged(&self) -> bool {
        !self.plain || self.schema.is_some()
    }

    /// Whether the user's own schema alone judges the records.
    pub const fn is_of_schema_alone(&self) -> bool {
        self.plain && self.schema.is_some()
    }

    /// Whether nothing judged the file, because no system is likely.
    pub const fn is_fallback(&self) -> bool {
        self.detected && !self.is_judged()
    }

    /// The certainty of the choice, in words.
    ///
    /// ```
    /// use evalcheck_report::Format;
    ///
    /// let of = |confidence| Format { id: "juryarena".into(), detected: true, confidence, ..Format::default() };
    /// let certainties = [100, 71, 70, 30, 29, 1].map(|confidence| of(confidence).certainty());
    /// assert_eq!(certainties, ["certain", "certain", "likely", "likely", "a guess", "a guess"]);
    /// ```
    pub fn certainty(&self) -> &'static str {
        match self.confidence {
            _ if !self.detected => "chosen",
            _ if self.plain => "checked for no system",
            _ if self.is_certain() => "certain",
            Self::LIKELY.. => "likely",
            _ => "a guess",
        }
    }
}

/// A format that a file was not checked against.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// The format's id.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub id: String,
    /// How well it fits, from 0 to 100.
    #[cfg_attr(feature = "types", schemars(range(max = 100)))]
    pub confidence: u8,
    /// The reason why it fits, or the content that it expects.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub reason: String,
}

/// Exact counts of one report. If a record is a line, `lines = valid + invalid + blank + header + continued`.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Lines of text that were read, of every kind of file.
    pub lines: u64,
    /// Records read: `valid + invalid`.
    pub records: u64,
    /// Records without an error that the system reads.
    pub valid: u64,
    /// Records with at least one error, and those that the system does not read because of an error in the header.
    pub invalid: u64,
    /// Lines that hold nothing but white space.
    pub blank: u64,
    /// Header lines: the header of a CSV, a metadata line.
    #[serde(default)]
    pub header: u64,
    /// Further lines of records that should be one line each and span several.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub continued: u64,
    /// Findings of severity error.
    pub errors: u64,
    /// Findings of severity warning.
    pub warnings: u64,
    /// Findings of severity info.
    pub infos: u64,
    /// Findings by code.
    #[cfg_attr(feature = "types", schemars(transform = by_code))]
    pub by_code: BTreeMap<String, u64>,
    /// Findings that have a safe fix, by code, listed or not. Absent if there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "types", schemars(transform = by_code))]
    pub safe_fixes: BTreeMap<String, u64>,
    /// Findings that have an unsafe fix, likewise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "types", schemars(transform = by_code))]
    pub unsafe_fixes: BTreeMap<String, u64>,
    /// The losses when the system loads the dataset; none if it refuses the dataset.
    #[serde(default)]
    pub loss: LossCounts,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references; it fires on some targets only"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The amount that the system loses when it loads the dataset.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize,
)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct LossCounts {
    /// Lines that it drops.
    pub lines: u64,
    /// Values that it changes or drops.
    pub values: u64,
    /// Keys and columns that it does not read.
    pub keys: u64,
    /// Records that lose a value or a key. A column that is not read is a lost key, but of no single record.
    #[serde(default)]
    pub records: u64,
}

impl LossCounts {
    /// Returns true if nothing is lost.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The losses in words: `12 lines, 3 keys in 2 records`; empty if nothing is lost.
    ///
    /// ```
    /// # use evalcheck_report::LossCounts;
    /// assert_eq!(LossCounts { lines: 12, values: 0, keys: 1, records: 1 }.in_words(), "12 lines, 1 key");
    /// assert_eq!(LossCounts { lines: 0, values: 0, keys: 3, records: 2 }.in_words(), "3 keys in 2 records");
    /// ```
    pub fn in_words(&self) -> String {
        let parts = [(self.lines, "line"), (self.values, "value"), (self.keys, "key")];
        let parts = parts.into_iter().filter(|(lost, _)| *lost > 0);
        let words = parts.map(|(lost, noun)| crate::text::count(lost, noun)).collect::<Vec<_>>().join(", ");
        if self.records == 0 || self.values + self.keys == 1 {
            return words;
        }
        format!("{words} in {}", crate::text::count(self.records, "record"))
    }
}

/// The loss that a finding reports, when the system loads the dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// It drops the line.
    Line,
    /// It changes or drops the value.
    Value,
    /// It does not read the key or the column.
    Key,
}

impl Loss {
    /// `line`, `value` or `key`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Value => "value",
            Self::Key => "key",
        }
    }
}

/// How much a finding weighs.
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
pub enum Severity {
    /// The system's own loader rejects it, or its documentation forbids it.
    Error,
    /// It loads, but something is lost, ignored, deprecated, ambiguous or very likely a mistake.
    Warning,
    /// A fact worth knowing.
    Info,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A problem or a fact worth knowing, and its place.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(extend("allOf" = finding_conditions())))]
pub struct Finding {
    /// The rule, such as `shape/missing-key`; `evalcheck explain CODE` describes it.
    #[cfg_attr(feature = "types", schemars(regex(pattern = CODE)))]
    pub code: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The line, counted from 1 as in an editor; null if the finding is in no line.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub line: Option<u64>,
    /// The column, counted from 1 in Unicode code points; null if the finding is in no line.
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub column: Option<u64>,
    /// First byte, counted from 0 in the file (in the entry, if the dataset is an entry of a ZIP).
    pub byte_start: Option<u64>,
    /// The byte after the last one.
    pub byte_end: Option<u64>,
    /// The record, counted from 0; null if the finding belongs to no record.
    pub record: Option<u64>,
    /// Keys and indices, separated by dots, `input.messages.0.role`; a key with a dot in it is in quotes,
    /// `scores."top.1"`; `(root)` for the whole record; null if the finding is not about a value (a line that is not JSON, an archive).
    pub path: Option<String>,
    /// The problem and the system's requirement, one line.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub message: String,
    /// Advice to the user, one or two sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub hint: Option<String>,
    /// A fix that changes bytes, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Box<Fix>>,
    /// The loss here when the system loads the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// The loader whose wording the message repeats, if any: `zod`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub says: Option<String>,
    /// The readers of the format that are known to refuse it, if the format has several: `openai-python and llmcomp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub refused_by: Option<String>,
    /// Other places that belong to it, in the same file or entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// The entry of a ZIP that it is in or about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
}

impl Finding {
    /// The path with `*` for each index, which findings of a kind share.
    ///
    /// ```
    /// # use evalcheck_report::{Finding, Severity};
    /// # let mut finding = Finding {
    /// #     code: "shape/missing-key".into(), severity: Severity::Error, line: None, column: None, byte_start: None, byte_end: None,
    /// #     record: None, path: None, message: "Required".into(), hint: None, says: None, refused_by: None, related: Vec::new(), entry: None, fix: None,
    /// #     loss: None,
    /// # };
    /// finding.path = Some("input.messages.0.role".into());
    /// assert_eq!(finding.path_pattern().unwrap(), "input.messages.*.role");
    /// ```
    pub fn path_pattern(&self) -> Option<String> {
        self.path.as_deref().map(without_indices)
    }
}

/// Edits that remove a finding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Fix {
    /// The effect of the edits, as an instruction: `Delete the comma`.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub title: String,
    /// Whether they may be applied without review.
    pub applicability: Applicability,
    /// The edits, in the order of the bytes; none touches another. All of them belong together.
    pub edits: Vec<Edit>,
    /// The conversion of the whole file; then there are no edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convert: Option<Conversion>,
    /// Changes of entries of the ZIP. A fix without edits, conversion and entry changes only rewrites the ZIP: with the entries that its
    /// directory lists, and only the last of several entries of one name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryEdit>,
}

impl Fix {
    /// A fix that changes nothing yet.
    pub fn new(title: impl Into<String>, applicability: Applicability) -> Self {
        Self { title: title.into(), applicability, edits: Vec::new(), convert: None, entries: Vec::new() }
    }

    /// A fix that loses and guesses nothing.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { edits, ..Self::new(title, Applicability::Safe) }
    }

    /// A fix that loses or guesses something, which the title states.
    pub fn not_safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { edits, ..Self::new(title, Applicability::Unsafe) }
    }

    /// Rewrites the whole file in UTF-8; the user names the encoding in which it is read.
    pub fn decode(encoding: &str) -> Self {
        let convert = Some(Conversion::Decode { encoding: encoding.to_owned() });
        Self { convert, ..Self::new("Write the text in UTF-8", Applicability::Unsafe) }
    }
}

/// A character in the binary form of messages, which supports only numbers.
mod scalar {
    use borsh::io::{Error, ErrorKind, Read, Result, Write};
    use borsh::{BorshDeserialize, BorshSerialize};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the derived code passes a reference")]
    pub(super) fn write<W: Write>(scalar: &char, out: &mut W) -> Result<()> {
        u32::from(*scalar).serialize(out)
    }

    pub(super) fn read<R: Read>(from: &mut R) -> Result<char> {
        char::from_u32(u32::deserialize_reader(from)?).ok_or_else(|| Error::from(ErrorKind::InvalidData))
    }
}

/// A conversion of a whole file.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Conversion {
    /// Text of another encoding as UTF-8.
    Decode {
        /// The name of the encoding in the Encoding Standard: `shift_jis`.
        encoding: String,
    },
    /// UTF-16 as UTF-8.
    Utf16 {
        /// Whether the first of two bytes is the higher one.
        big_endian: bool,
    },
    /// A CSV with this separator as one with commas.
    CommaSeparated {
        /// The separator of the cells.
        #[borsh(serialize_with = "scalar::write", deserialize_with = "scalar::read")]
        separator: char,
    },
    /// A CSV whose cells are quoted with `"` in place of other quotes, which surround a whole cell.
    StraightQuotes {
        /// The quote before a cell.
        #[borsh(serialize_with = "scalar::write", deserialize_with = "scalar::read")]
        open: char,
        /// The quote after it.
        #[borsh(serialize_with = "scalar::write", deserialize_with = "scalar::read")]
        close: char,
    },
    /// A CSV without the blank cells after its first columns. A row with a text there keeps its cells up to that text.
    WithoutBlankCells {
        /// The number of these columns.
        columns: u64,
    },
    /// A CSV without one of its columns.
    WithoutColumn {
        /// The number of the column, counted from 0.
        column: u64,
    },
    /// Each element of the arrays at the beginning of the file, one after another, on its own line.
    ArrayToLines {
        /// Whether only the first array is split, because the records are arrays.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        first_only: bool,
    },
    /// An array as a member of an object.
    ArrayInObject {
        /// Its key there.
        key: String,
    },
    /// Lines as the elements of an array that is a member of an object.
    LinesInObject {
        /// Its key there.
        key: String,
    },
}

/// Whether a fix may be applied without review.
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
pub enum Applicability {
    /// There is one plausible reading of the bytes; nothing is invented, moved or lost.
    Safe,
    /// Something is lost or guessed; the title of the fix states what.
    Unsafe,
}

/// A change of bytes of the file (of the entry, if the finding is in one).
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Edit {
    /// The first byte that is replaced, counted from 0.
    pub start: u64,
    /// The byte after the last one; equal to `start` if text is only inserted.
    pub end: u64,
    /// The new text.
    pub text: String,
}

/// A change of an entry of a ZIP.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct EntryEdit {
    /// Its name.
    pub entry: String,
    /// Its new name; null if it is removed.
    pub rename: Option<String>,
}

impl EntryEdit {
    /// Renames an entry.
    pub fn rename(entry: impl Into<String>, name: impl Into<String>) -> Self {
        Self { entry: entry.into(), rename: Some(name.into()) }
    }

    /// Removes an entry.
    pub fn remove(entry: impl Into<String>) -> Self {
        Self { entry: entry.into(), rename: None }
    }
}

/// Another place that belongs to a finding, such as the first use of an id that is used again. Unknown properties are absent.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema), schemars(extend("dependentRequired" = {"column": ["line"], "byte_start": ["byte_end"], "byte_end": ["byte_start"]})))]
pub struct Related {
    /// A label for the place, in a few words: `first used here`.
    #[cfg_attr(feature = "types", schemars(length(min = 1)))]
    pub label: String,
    /// Its line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub line: Option<u64>,
    /// Its column, counted from 1 in Unicode code points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "types", schemars(range(min = 1)))]
    pub column: Option<u64>,
    /// Its first byte, counted as those of the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_start: Option<u64>,
    /// The byte after its last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte_end: Option<u64>,
    /// Its record, counted from 0, if its line is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<u64>,
    /// Its path, as that of a finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file that it is in, if that is not the dataset: a schema. Line, column and bytes are those of that file, and the path is a JSON Pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}
