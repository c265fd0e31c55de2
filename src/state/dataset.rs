//! A file to check.

use yew::AttrValue;

/// The page's id of a file whose handle the browser holds. Files that are opened later have larger ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileKey(pub(crate) u32);

/// A file as it was when it was opened. The browser later reports the current size and time (nothing for a deleted file), so both are
/// stored once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dataset {
    /// The browser's handle.
    pub(crate) key: FileKey,
    /// The name without folders.
    pub(crate) name: AttrValue,
    /// The name with the folders that were opened with it.
    pub(crate) path: AttrValue,
    /// The size in bytes.
    pub(crate) size: u64,
    /// The modification time, in milliseconds since 1970.
    pub(crate) modified_ms: f64,
}

impl Dataset {
    /// The folders before the name, with a trailing slash; empty if there are none.
    pub(crate) fn folder(&self) -> &str {
        self.path.strip_suffix(self.name.as_str()).unwrap_or_default()
    }
}
