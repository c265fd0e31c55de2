//! Limits how often something is done.

use crate::now;

/// Allows an action at most once in a number of milliseconds; the first time at once.
///
/// ```text
/// let mut progress = Throttle::every(200.0);
/// if progress.is_due() { post_progress(); }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Throttle {
    every_ms: f64,
    last_ms: f64,
}

impl Throttle {
    /// Allows an action at most once in `every_ms` milliseconds.
    pub const fn every(every_ms: f64) -> Self {
        Self { every_ms, last_ms: f64::NEG_INFINITY }
    }

    /// Returns true if the interval has passed, and then starts the next one.
    pub fn is_due(&mut self) -> bool {
        let now = now();
        let is_due = now - self.last_ms >= self.every_ms;
        if is_due {
            self.last_ms = now;
        }
        is_due
    }
}
