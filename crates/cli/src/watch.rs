//! Stops the work on a dataset between two reads.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks before each read whether to stop.
pub struct Watch {
    stops: Box<dyn Fn() -> bool + Send + Sync>,
    stopped: AtomicBool,
}

impl Watch {
    /// Calls `stops` before each read: often, so it has to be fast. The work stops once it returns true.
    pub fn new(stops: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { stops: Box::new(stops), stopped: AtomicBool::new(false) }
    }

    /// Asks whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let stops = (self.stops)();
        self.stopped.fetch_or(stops, Ordering::Relaxed);
        stops
    }

    /// Returns true if the work was stopped.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}
