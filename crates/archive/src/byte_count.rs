//! Numbers of bytes in messages.

use std::fmt;

/// A number of bytes, shown with its unit: `1 byte`, `2,000 bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteCount(pub u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&evalcheck_report::text::count(self.0, "byte"))
    }
}
