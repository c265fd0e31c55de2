//! The files of an archive as a list: existing files, and missing files that records refer to.

use borsh::{BorshDeserialize, BorshSerialize};

/// Which files are listed, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentQuery {
    /// Which files.
    pub filter: AttachmentFilter,
    /// Only files whose path contains this text, in upper or lower case.
    pub name: String,
    /// The sort key. Files with the same key are in the order of the archive, missing ones after them.
    pub order: AttachmentOrder,
    /// Whether the order is reversed.
    pub is_descending: bool,
}

/// Which files are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum AttachmentFilter {
    /// All files.
    #[default]
    All,
    /// Missing files.
    Missing,
    /// Files that no record refers to.
    Unused,
    /// Files with the checksum of another file.
    Repeated,
    /// Files of this media type.
    Type(String),
}

/// A sort key of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum AttachmentOrder {
    /// The order of the archive.
    #[default]
    Archive,
    /// The path.
    Path,
    /// The type.
    Type,
    /// The size.
    Size,
    /// The number of records that refer to it.
    Records,
}

/// A run of the files of an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentList {
    /// The number of files that the filter keeps.
    pub total: u64,
    /// The requested files.
    pub rows: Vec<AttachmentRow>,
    /// The counts for all files.
    pub summary: AttachmentSummary,
}

/// Counts for all files of an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentSummary {
    /// The number of files in the archive, without the dataset.
    pub files: u64,
    /// The number of missing files.
    pub missing: u64,
    /// The number of files that no record refers to.
    pub unused: u64,
    /// The number of files that have the checksum of another one.
    pub repeated: u64,
    /// The types of files, those with most files first.
    pub types: Vec<AttachmentType>,
    /// The number of records that refer to missing files that are not listed, because there are too many.
    pub unlisted: u64,
    /// False if the dataset was not read to its end, so that a file may have more references.
    pub is_complete: bool,
}

/// A type of files.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentType {
    /// The media type.
    pub media_type: String,
    /// The type in words.
    pub description: String,
    /// The number of files.
    pub files: u64,
}

/// A file of an archive, or one that is missing.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct AttachmentRow {
    /// The name of the entry; `None` for a missing file.
    pub entry: Option<String>,
    /// The path from the root of the dataset. For a missing file, the path as records write it, at most 2,048 bytes of it.
    pub path: String,
    /// Its size in bytes; 0 for a missing file.
    pub size: u64,
    /// Its media type, detected from its first bytes; empty if it was not read.
    pub media_type: String,
    /// Its type in words; empty if it was not read.
    pub description: String,
    /// Width and height of an image, if its first bytes contain them.
    pub pixels: Option<(u32, u32)>,
    /// The duration of a recording in milliseconds, if its first bytes contain it.
    pub milliseconds: Option<u32>,
    /// How many records refer to it.
    pub records: u64,
    /// How many of these records have a reference that has to be corrected to lead to this file.
    pub wrong: u64,
    /// The numbers of the first of these records, from 0.
    pub first_records: Vec<u64>,
    /// Whether no record refers to it, although one should.
    pub is_unused: bool,
    /// The number of other files of the same checksum (CRC-32) and size, and the path of the first one. Their contents are
    /// most likely the same; they were not compared.
    pub repeats: Option<(u64, String)>,
    /// For a missing file, the path of the file with the nearest path.
    pub nearest: Option<String>,
    /// For a missing file, the name of the entry that adding it creates; `None` if it cannot be added.
    pub added_as: Option<String>,
}
