//! Progress events during a check, and yielding to the event loop.

use std::cell::RefCell;

use evalcheck_blob::{Macrotask, Throttle};
use evalcheck_engine::check::Check;
use evalcheck_engine::finding::Finding;
use evalcheck_wire::worker::{CheckId, Event};

use crate::port;

/// Milliseconds between two progress events.
pub(crate) const PROGRESS_EVERY: f64 = 200.0;

/// Milliseconds between two turns of the event loop, in which Cancel and questions of the page are handled.
pub(crate) const TURN_EVERY: f64 = 25.0;

/// The maximum number of findings posted before the report: more than fit on a screen.
const FIRST_FINDINGS: usize = 200;

/// Posts progress and yields, each at most once in a number of milliseconds.
pub(crate) struct ProgressReporter {
    progress: Throttle,
    turn: Throttle,
    macrotask: Macrotask,
    /// How many findings were posted.
    posted: usize,
    /// Whether it only yields.
    is_silent: bool,
}

impl ProgressReporter {
    pub(crate) fn new() -> Result<Self, String> {
        let macrotask =
            Macrotask::new().map_err(|error| format!("This browser has no message channels: {error:?}"))?;
        Ok(Self {
            progress: Throttle::every(PROGRESS_EVERY),
            turn: Throttle::every(TURN_EVERY),
            macrotask,
            posted: 0,
            is_silent: false,
        })
    }

    /// Returns a reporter that yields and posts nothing.
    pub(crate) fn silent() -> Result<Self, String> {
        Ok(Self { is_silent: true, ..Self::new()? })
    }

    /// Posts progress and yields to the event loop when due. Called after each piece.
    pub(crate) async fn after_piece(&mut self, id: CheckId, check: &RefCell<Check>) {
        if !self.is_silent && self.progress.is_due() {
            self.post(id, &check.borrow());
        }
        if self.turn.is_due() {
            self.macrotask.turn().await;
        }
    }

    fn post(&mut self, id: CheckId, running: &Check) {
        let found = running.dataset().collector.findings().iter().take(FIRST_FINDINGS).skip(self.posted);
        let first_findings: Vec<_> = found.map(Finding::to_wire).collect();
        self.posted += first_findings.len();
        port::post(&Event::Progress { id, progress: running.progress(), first_findings });
    }
}
