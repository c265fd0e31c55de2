//! Limits on memory and work. Declared sizes are never trusted for either.

/// The maximum number of entries. An entry takes some 450 bytes of memory here, and a dataset has at most 50,000 samples: this leaves four
/// files for each.
pub const MAX_ENTRIES: u64 = 200_000;

/// The size of the largest directory that is read, in bytes: it is held in memory while the archive is opened. 200,000 entries with names
/// of 200 bytes fit.
pub const MAX_DIRECTORY_BYTES: u64 = 64 << 20;

/// The maximum number of bytes between the listed entries (and before the first) that are searched for hidden entries. If there are more,
/// the finding about bytes that belong to no entry still counts all of them.
pub const MAX_GAP_SCAN: u64 = 16 << 20;

/// The maximum number of bytes to which one entry may inflate: about half a minute of work in a browser. A larger dataset is better checked
/// without a ZIP.
pub const MAX_ENTRY_INFLATED: u64 = 16 << 30;

/// The maximum number of bytes that one [`crate::Inflater`] inflates over all its entries: about two minutes of work.
pub const MAX_TOTAL_INFLATED: u64 = 64 << 30;

/// The highest ratio of an entry's inflated size to its compressed size, once it has inflated to [`RATIO_FLOOR`]. JSON Lines
/// have a ratio of 5 to 50. Deflate has at most 1,032, which only artificial data reaches.
pub const MAX_RATIO: u64 = 200;

/// Below this many inflated bytes (two seconds of work), any ratio is accepted: generated test data compresses extremely
/// well and does no harm.
pub const RATIO_FLOOR: u64 = 1 << 30;

/// Limits of inflating. The [`Default`] are the constants here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// See [`MAX_ENTRY_INFLATED`].
    pub entry: u64,
    /// See [`MAX_TOTAL_INFLATED`].
    pub total: u64,
    /// See [`MAX_RATIO`].
    pub ratio: u64,
    /// See [`RATIO_FLOOR`].
    pub ratio_floor: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry: MAX_ENTRY_INFLATED,
            total: MAX_TOTAL_INFLATED,
            ratio: MAX_RATIO,
            ratio_floor: RATIO_FLOOR,
        }
    }
}
