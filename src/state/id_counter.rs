//! Ids of checks, requests and notices.

/// Numbers all checks, requests and notices, so that stale answers are detected.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdCounter(u32);

impl IdCounter {
    /// The id that [`IdCounter::next`] returns.
    pub(crate) fn peek(&self) -> u32 {
        self.0.wrapping_add(1)
    }

    /// A new id.
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.peek();
        self.0
    }
}
