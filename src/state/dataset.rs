//! The file that is checked, as it was when it was handed over.

use yew::AttrValue;

/// The page's number for a file that the browser holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileKey(pub(crate) u32);

/// A file as it was when it was handed over. Browsers say later what it has become (nothing, for one that was
/// deleted), so size and time are taken once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dataset {
    /// Where the browser's handle is.
    pub(crate) key: FileKey,
    /// Its name, without a folder.
    pub(crate) name: AttrValue,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub(crate) modified_ms: f64,
    /// Files that came with it and are not checked.
    pub(crate) ignored: u32,
}
