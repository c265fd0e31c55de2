//! The bytes of a file, for a driver.

use std::io::Read;
use std::ops::Range;

/// The bytes of a file, for a driver.
pub trait Source {
    /// Reads bytes of the file from `wanted.start` on. Returns their number, 0 at the end of the file.
    ///
    /// # Errors
    /// The reason why the file cannot be read, for the user.
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String>;
}

/// A file in memory.
impl Source for &[u8] {
    fn read_at(&mut self, wanted: Range<u64>, buffer: &mut [u8]) -> Result<usize, String> {
        let start = usize::try_from(wanted.start).unwrap_or(usize::MAX);
        let mut left = self.get(start..).unwrap_or_default();
        left.read(buffer).map_err(|error| error.to_string())
    }
}
