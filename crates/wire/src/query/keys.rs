//! The keys for properties of the check of a record. Parser, evaluation, completion and help read this one table.

/// A key and its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyInfo {
    /// The key.
    pub key: CheckKey,
    /// Its name in a query.
    pub name: &'static str,
    /// The values that it takes.
    pub takes: Takes,
    /// The records that it matches, as a sentence.
    pub help: &'static str,
}

/// The values that a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number or a range of numbers.
    Number,
    /// A text.
    Text,
}

/// A property of the check of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKey {
    /// Whether it is valid.
    Is,
    /// The rule of a finding.
    Rule,
    /// The severity of a finding.
    Severity,
    /// The path of a finding.
    Path,
    /// The problem of an attachment.
    Attachment,
    /// Its line.
    Line,
    /// Its number.
    Record,
    /// Its size in bytes.
    Size,
    /// The number of its turns.
    Turns,
}

/// All keys of the check.
pub const KEYS: [KeyInfo; 9] = [
    KeyInfo {
        key: CheckKey::Is,
        name: "is",
        takes: Takes::Words(&["valid", "invalid", "lost", "fixable", "changed", "duplicate"]),
        help: "Records without an error, with one, of which the system loses something, with a finding that has a safe fix, that were changed in the page, or that have the bytes of an earlier one (of the first 1,835,008 different ones).",
    },
    KeyInfo {
        key: CheckKey::Rule,
        name: "rule",
        takes: Takes::Text,
        help: "Records with a finding of this rule (shape/missing-key), or of this group of rules (shape).",
    },
    KeyInfo {
        key: CheckKey::Severity,
        name: "severity",
        takes: Takes::Words(&["error", "warning", "info"]),
        help: "Records with a finding of this severity.",
    },
    KeyInfo {
        key: CheckKey::Path,
        name: "path",
        takes: Takes::Text,
        help: "Records with a finding at this path; * is any key or index: input.messages.*.role.",
    },
    KeyInfo {
        key: CheckKey::Attachment,
        name: "attachment",
        takes: Takes::Words(&["missing", "unused"]),
        help: "Records that refer to an attachment which is not there, or findings about files that no record refers to.",
    },
    KeyInfo {
        key: CheckKey::Line,
        name: "line",
        takes: Takes::Number,
        help: "The line on which the record begins, counted from 1.",
    },
    KeyInfo {
        key: CheckKey::Record,
        name: "record",
        takes: Takes::Number,
        help: "The number of the record, counted from 1.",
    },
    KeyInfo {
        key: CheckKey::Size,
        name: "size",
        takes: Takes::Number,
        help: "The size of the record in bytes.",
    },
    KeyInfo {
        key: CheckKey::Turns,
        name: "turns",
        takes: Takes::Number,
        help: "The number of messages or other turns of the record.",
    },
];

/// The codes of the rules that a word of `attachment:` selects. Empty for an unknown word.
pub fn attachment_rules(word: &str) -> &'static [&'static str] {
    match word {
        "missing" => {
            &["attachment/missing", "attachment/none", "attachment/wrong-folder", "attachment/no-archive"]
        }
        "unused" => &["attachment/unreferenced"],
        _ => &[],
    }
}

/// The name of the term that asks whether the data has a value.
pub const HAS: &str = "has";

/// The name of the term that sorts the records.
pub const SORT: &str = "sort";

impl CheckKey {
    /// The key with this name.
    pub fn named(name: &str) -> Option<&'static KeyInfo> {
        KEYS.iter().find(|info| info.name == name)
    }

    /// The entry of the table.
    pub fn info(self) -> &'static KeyInfo {
        KEYS.iter().find(|info| info.key == self).unwrap_or(&KEYS[0])
    }
}
