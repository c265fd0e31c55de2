//! How systems treat text.

use super::line_reader::LineReader;

/// How the system treats text, beyond the schema of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPolicy {
    /// Whether the system stores records as PostgreSQL `jsonb`, which accepts neither `U+0000` nor a lone surrogate.
    pub jsonb: bool,
    /// Whether the format's specification forbids embedded files: `data:` URLs and long base64.
    pub embedded: bool,
    /// Whether the system reads strict JSON: a duplicate key is an error.
    pub strict_json: StrictJson,
    /// How the system reads integers.
    pub integers: Integers,
    /// How the system treats a byte order mark at the start of a file.
    pub byte_order_mark: ByteOrderMark,
    /// A note on a mark that the system refuses: sentences that follow the advice, after a space; or empty.
    pub mark_note: &'static str,
    /// Whether it is unknown if the system accepts blank lines: they are a warning.
    pub blank_lines_are_doubtful: bool,
    /// How the system splits a file into lines.
    pub lines: LineReader,
}

impl TextPolicy {
    /// The system accepts any text.
    pub const NONE: Self = Self {
        jsonb: false,
        embedded: false,
        strict_json: StrictJson::Never,
        integers: Integers::Inexact,
        byte_order_mark: ByteOrderMark::Skipped,
        mark_note: "",
        blank_lines_are_doubtful: false,
        lines: LineReader::Plain,
    };
}

/// How a system reads integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integers {
    /// Exactly, as Python does.
    Exact,
    /// As 64-bit floating point, or it is not known.
    Inexact,
}

/// How a system treats a byte order mark at the start of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// It skips the mark.
    Skipped,
    /// Its document does not say.
    Undocumented,
    /// It reads the mark as part of the first record.
    Refused,
    /// The same in JSONL; it skips the mark of a document and of a CSV.
    RefusedInLines,
    /// It refuses the mark in front of JSON, and skips it in front of a CSV.
    RefusedInJson,
}

impl ByteOrderMark {
    /// Whether the system refuses the mark of a file of a kind.
    pub fn is_refused_in(self, kind: FileKind) -> bool {
        match self {
            Self::Skipped | Self::Undocumented => false,
            Self::Refused => true,
            Self::RefusedInLines => kind == FileKind::Lines,
            Self::RefusedInJson => kind != FileKind::Table,
        }
    }
}

/// The kind of a file, by the place of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A record on each line.
    Lines,
    /// A document.
    Document,
    /// A table.
    Table,
}

/// Where a system reads strict JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrictJson {
    /// Nowhere.
    Never,
    /// In a document, though not in JSONL.
    InDocuments,
    /// In JSONL, though not in a document.
    InLines,
    /// Everywhere.
    Always,
}

impl StrictJson {
    /// Whether it reads a record so, which is a line of JSONL or in a document.
    pub fn applies(self, is_line: bool) -> bool {
        match self {
            Self::Never => false,
            Self::InDocuments => !is_line,
            Self::InLines => is_line,
            Self::Always => true,
        }
    }
}
