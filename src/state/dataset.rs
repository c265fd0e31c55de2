//! The file that is checked, as it was when it was handed over.

use yew::AttrValue;

/// The page's number for a file that the browser holds. A file that came later has a larger one.
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
    /// Its name with the folders that were handed over with it.
    pub(crate) path: AttrValue,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub(crate) modified_ms: f64,
}

impl Dataset {
    /// The folders before the name, with the slash at their end; empty where there are none.
    pub(crate) fn folder(&self) -> &str {
        self.path.strip_suffix(self.name.as_str()).unwrap_or_default()
    }
}
