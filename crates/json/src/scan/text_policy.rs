//! What systems do with text.

use super::line_reader::LineReader;

/// What the system does with text, beyond the schema of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPolicy {
    /// The system stores records as PostgreSQL `jsonb`, which accepts neither `U+0000` nor a lone surrogate.
    pub jsonb: bool,
    /// The format's specification forbids embedded files: `data:` URLs and long base64.
    pub embedded: bool,
    /// The system reads strict JSON: a duplicate key is an error.
    pub strict_json: bool,
    /// What the system does with a byte order mark at the start of a file.
    pub byte_order_mark: ByteOrderMark,
    /// What cuts a file of the system into lines.
    pub lines: LineReader,
}

impl TextPolicy {
    /// The system takes any text.
    pub const NONE: Self = Self {
        jsonb: false,
        embedded: false,
        strict_json: false,
        byte_order_mark: ByteOrderMark::Skipped,
        lines: LineReader::Plain,
    };
}

/// What a system does with a byte order mark at the start of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// It skips the mark.
    Skipped,
    /// Its document does not say.
    Undocumented,
    /// It reads the mark as part of the first record.
    Refused,
}
