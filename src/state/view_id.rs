//! The ids of views.

/// The id of a view. It is in the address of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ViewId(pub(crate) &'static str);

impl ViewId {
    /// The findings, which every check has.
    pub(crate) const FINDINGS: Self = Self("findings");
    /// The records of the file, or those that the filter keeps.
    pub(crate) const RECORDS: Self = Self("records");
    /// The lines of the file.
    pub(crate) const LINES: Self = Self("lines");
    /// The systems that the file may be meant for.
    pub(crate) const SYSTEMS: Self = Self("systems");
    /// The keys of the records, and the JSON Schema that fits them.
    pub(crate) const SCHEMA: Self = Self("schema");
    /// The differences from another version of the file.
    pub(crate) const COMPARED: Self = Self("compared");
}

impl Default for ViewId {
    fn default() -> Self {
        Self::FINDINGS
    }
}
