//! Numbers for jobs and questions.

/// Gives every job and every question its own number, so that a stale answer can be told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbers(u32);

impl Numbers {
    /// The number that comes next.
    pub(crate) fn peek(&self) -> u32 {
        self.0.wrapping_add(1)
    }

    /// Takes it.
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.peek();
        self.0
    }
}
